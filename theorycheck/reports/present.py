"""How a claim is shown: its formula, quantifiers and figure, remembered between runs.

Typesetting and drawing take longer than judging from remembered evidence, so what they made is kept in
the user's cache folder under a hash of everything that it depends on: the claim's content, its kept
observations, the run's profile and level, and this package's own code.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from theorycheck.claims.figures import Figure
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import Counterexample
from theorycheck.entries.report import Entry, Report
from theorycheck.evidence.observation import Observation
from theorycheck.library.loading import Loaded, load_all
from theorycheck.numbers.domain import to_text
from theorycheck.plan.keys import Purpose
from theorycheck.plan.settings import Settings
from theorycheck.record.files import write_text

KEPT = 5_000
"""Presentations kept in the cache, about 100 MB: some twenty runs of the whole library."""

_DRAWN_BY = ("present", "statement", "typeset", "curve", "figure", "panels")


@dataclass
class Presentation:
    """What is shown of a claim beside its entry in the report.

    ``figure``: `FigureData` as JSON. ``declared``: the figures that the claim declares, each with its
    ``name``, ``caption``, ``panels`` and ``svg``, empty with a reason in ``caption`` where one is missing.
    """

    mathml: list[str] = field(default_factory=list)
    latex: list[str] = field(default_factory=list)
    assertion: str = ""
    quantifiers: list[str] = field(default_factory=list)
    condition: str = ""
    setting: str = ""
    notes: str = ""
    legs: dict[str, str] = field(default_factory=dict)
    rivals: dict[str, str] = field(default_factory=dict)
    figure: dict[str, Any] | None = None
    svg: str = ""
    note: str = ""
    declared: list[dict[str, Any]] = field(default_factory=list)


def presentations(
    report: Report, folder: Path, items: Sequence[Loaded] | None = None
) -> dict[str, Presentation]:
    """The presentation of every claim of a report, by id.

    A claim that is gone, or whose content is no longer that of the run, is shown by what the report
    says alone, with a note.
    """
    known, settings = claims_of_report(report, items), Settings.of_run(report.run)
    shown = {}
    for entry in report.claims:
        item = known.get(entry.id)
        if item is None or item.content != entry.content:
            what = (
                "is not in the library any more" if item is None else "has changed since this run"
            )
            shown[entry.id] = Presentation(
                assertion=entry.closed_form or "", note=f"The claim {what}."
            )
        else:
            file = folder / "observations" / f"{item.id}.json"
            data = file.read_bytes() if file.is_file() else b"[]"
            shown[entry.id] = remembered(item, entry, settings, data)
    prune()
    return shown


def claims_of_report(report: Report, items: Sequence[Loaded] | None = None) -> dict[str, Loaded]:
    """The claims that a report speaks of, as they are now: those given, the others from the installed
    libraries. Claims that are nowhere are left out."""
    wanted = {e.id: e.source for e in report.claims}
    given = {i.id: i for i in items or () if i.id in wanted}
    sources = {source for id, source in wanted.items() if id not in given} - {"draft"}
    installed = load_all(sources=sorted(sources)) if sources else []
    return {i.id: i for i in installed if i.id in wanted} | given


def present(
    claim: Claim,
    observations: Sequence[Observation],
    *,
    profile: str,
    alpha: float,
    counterexample: Counterexample | None = None,
) -> Presentation:
    """Typesets and draws a claim; nothing is remembered."""
    from theorycheck.reports import curve, figure, statement, typeset

    numeric = typeset.shown_legs(claim)
    out = Presentation(
        mathml=_distinct(typeset.mathml(claim, lg) for lg in numeric),
        latex=_distinct(typeset.latex(claim, lg) for lg in numeric),
        assertion=statement.assertion(claim),
        quantifiers=[statement.quantified(n, d) for n, d in claim.domain.items()],
        condition=statement.condition_text(claim.where),
        setting=claim.setting,
        notes=claim.notes,
        legs={lg.name: statement.leg_text(claim, lg) for lg in claim.legs},
        rivals={r.name: ", ".join(r.changes) or "points" for r in claim.rivals},
    )
    drawn = curve.figure_data(
        claim, observations, profile=profile, alpha=alpha, counterexample=counterexample
    )
    if drawn is not None:
        out.figure, out.svg = drawn.to_json(), figure.svg(drawn, f"figure-{claim.id}")
        out.note = drawn.note
    out.declared = [
        _declared(claim, shown, seen)
        for shown in claim.figures
        for seen in observations
        if seen.purpose is Purpose.FIGURE and seen.leg == shown.name
    ]
    return out


def _declared(claim: Claim, shown: Figure, seen: Observation) -> dict[str, Any]:
    from theorycheck.reports import panels

    at = ", ".join(f"{name} = {to_text(value)}" for name, value in seen.point.items())
    made: dict[str, Any] = {"name": shown.name, "panels": [], "svg": "", "at": at}
    if seen.status != "ok":
        return made | {"caption": f"It could not be made: {seen.message}"}
    data = list(seen.detail["panels"])
    drawn = panels.svg(data, shown.name, f"figure-{claim.id}-{shown.name}")
    return made | {"panels": data, "svg": drawn, "caption": shown.caption}


def _distinct(texts: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(t for t in texts if t))


def remembered(item: Loaded, entry: Entry, settings: Settings, data: bytes) -> Presentation:
    """The presentation of a claim, from the cache where it is there. ``data``: its file of observations;
    of the settings the profile and alpha count."""
    place = cache_folder() / f"{_key(item, entry, settings, data)}.json"
    known = _read(place)
    if known is not None:
        return known
    try:
        observations = [Observation.from_json(o) for o in json.loads(data)]
        made = present(
            item.claim,
            observations,
            profile=settings.profile,
            alpha=settings.alpha,
            counterexample=entry.counterexample,
        )
    except Exception as error:  # noqa: BLE001 - what cannot be drawn must not cost the run its report
        return Presentation(
            assertion=entry.closed_form or "",
            note=f"It cannot be shown in full: {type(error).__name__}: {error}",
        )
    # A cache that cannot be written only costs the time of drawing again.
    with contextlib.suppress(OSError):
        write_text(place, json.dumps(asdict(made)))
    return made


def _key(item: Loaded, entry: Entry, settings: Settings, observations: bytes) -> str:
    digest = hashlib.blake2b(_own_code(), digest_size=16)
    marked = msgspec.json.encode(entry.counterexample).decode()
    for part in (item.id, item.content, settings.profile, repr(settings.alpha), marked):
        digest.update(str(part).encode() + b"\0")
    digest.update(observations)
    return digest.hexdigest()


@cache
def _own_code() -> bytes:
    here = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=16)
    for name in _DRAWN_BY:
        digest.update((here / f"{name}.py").read_bytes())
    return digest.digest()


def cache_folder() -> Path:
    """``THEORYCHECK_CACHE`` or the user's cache folder."""
    named = os.environ.get("THEORYCHECK_CACHE")
    base = Path(named) if named else platformdirs.user_cache_path("theorycheck")
    return base / "presentations"


def _read(place: Path) -> Presentation | None:
    try:
        return Presentation(**json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def prune() -> None:
    """Drops the presentations that were made longest ago where there are more than KEPT."""
    with contextlib.suppress(OSError):  # another run prunes too; what is left is pruned next time
        files = list(cache_folder().glob("*.json"))
        if len(files) <= KEPT:
            return
        files.sort(key=lambda f: f.stat().st_mtime)
        for file in files[: len(files) - KEPT]:
            file.unlink(missing_ok=True)
