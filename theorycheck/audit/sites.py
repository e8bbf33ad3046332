"""Where the code of a claim's evidence stands: which functions each leg reaches, and in what part."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.judge.calls import functions_of
from theorycheck.library.loading import Loaded

PARTS = ("simulation", "certificate", "search", "reference", "instances")


@dataclass(frozen=True)
class Site:
    """A function of the library. ``line``: where its ``def``, or its first decorator, begins."""

    file: Path
    line: int
    name: str


@dataclass(frozen=True)
class Use:
    """A leg of a claim that reaches a function, in one of `PARTS`."""

    claim: str
    leg: str
    part: str


def uses(loaded: Iterable[Loaded]) -> dict[Site, list[Use]]:
    """Every function of the claims' own folders that their legs reach, with who reaches it. Rivals are wrong
    on purpose and do not count."""
    found: dict[Site, list[Use]] = {}
    for item in loaded:
        for use, site in _of(item.claim, item.file.parent):
            if use not in found.setdefault(site, []):
                found[site].append(use)
    return found


def _of(claim: Claim, folder: Path) -> Iterator[tuple[Use, Site]]:
    for leg in claim.legs:
        for part, function in _parts(leg):
            package = str(getattr(function, "__module__", "")).rpartition(".")[0]
            for reached in functions_of(function, package):
                site = _site(reached)
                if site is not None and site.file.parent == folder:
                    yield Use(claim.id, leg.name, part), site


def _parts(leg: Leg) -> Iterator[tuple[str, Any]]:
    main = leg.side if leg.side in ("certificate", "search") else "simulation"
    yield main, leg.simulation
    if leg.reference is not None:
        yield "reference", leg.reference
    if leg.instances is not None:
        yield "instances", leg.instances.draw


def _site(function: types.FunctionType) -> Site | None:
    code = function.__code__
    if "<lambda>" in code.co_qualname or "<locals>" in code.co_qualname:
        return None  # it stands inside of another function, which is reached too
    return Site(Path(code.co_filename), code.co_firstlineno, code.co_name)
