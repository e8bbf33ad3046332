"""Variants of a claim: rivals, which the evidence must refute, and hypotheses, which are dropped."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from theorycheck.claims.functions import ClaimError, Simulation, name_of
from theorycheck.claims.grids import columns_by_name, points_of
from theorycheck.claims.instances import Instances
from theorycheck.claims.validation import problem_in
from theorycheck.numbers.domain import Exact

_VARIANT_PARTS = frozenset(
    {"closed_form", "simulation", "reference", "instances", "relation", "unit"}
)


@dataclass(frozen=True)
class Variant:
    """A rival: the claim with some part replaced. The evidence must refute it."""

    name: str
    changes: Mapping[str, Any]
    leg: str | None = None
    at: tuple[Mapping[str, Exact], ...] | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A declared hypothesis, and fresh points where only it is dropped."""

    name: str
    without: tuple[Mapping[str, Exact], ...]
    leg: str | None = None
    simulation: Simulation | None = None
    instances: Instances | None = None


def variant(
    name: str,
    *,
    leg: str | None = None,
    at: Mapping[Any, Any] | Sequence[Mapping[Any, Any]] | None = None,
    call: Simulation | None = None,
    **changes: Any,
) -> Variant:
    """A wrong variant of the claim, which the evidence must refute.

    Any of ``closed_form``, ``simulation``, ``reference``, ``instances``, ``relation``, ``unit`` may
    be replaced. ``leg`` names the leg that it is a variant of (by default the first that fits);
    ``at`` gives points of its own: a mapping of lists, or a list of points. With ``call`` every other
    name is an argument of that function, which is the simulation with these values:
    ``variant("half the samples", call=trained, half=True)``.
    """
    if call is not None:
        given = {n: changes.pop(n) for n in list(changes) if n not in _VARIANT_PARTS}
        changes["simulation"] = _with_arguments(name, call, given)
    unknown = set(changes) - _VARIANT_PARTS
    if unknown or not (changes or at):
        raise ClaimError(
            f"variant {name!r}: give one or more of {', '.join(sorted(_VARIANT_PARTS))}"
            + (f"; unknown: {', '.join(sorted(unknown))}" if unknown else "")
        )
    problem = problem_in({"name": name, "at": at, **changes})
    if problem:
        raise ClaimError(f"variant {name!r}: {problem}")
    points = None if at is None else tuple(points_of(columns_by_name(at)))
    return Variant(name, changes, leg, points)


def _with_arguments(name: str, function: Simulation, given: Mapping[str, Any]) -> Simulation:
    """The function with some of its arguments fixed. Raises ClaimError where it has no such arguments."""
    problem = problem_in({"simulation": function})
    known = set() if problem else set(inspect.signature(function).parameters)
    if problem or not given or set(given) - known:
        asked = ", ".join(sorted(set(given) - known)) or "no argument"
        raise ClaimError(
            f"variant {name!r}: "
            + (
                problem
                or f"call={name_of(function)} with {asked} changed; it takes {', '.join(sorted(known))}"
            )
        )
    fixed = partial(function, **given)
    words = ", ".join(f"{n}={value!r:.20}" for n, value in given.items())
    fixed.__name__ = f"{name_of(function)}({words})"  # type: ignore[attr-defined]  # what messages show
    return fixed


def hypothesis(
    name: str,
    *,
    without: Mapping[Any, Any] | Sequence[Mapping[Any, Any]],
    leg: str | None = None,
    simulation: Simulation | None = None,
    instances: Instances | None = None,
) -> Hypothesis:
    """A hypothesis of the theorem with fresh points at which it alone is dropped.

    Where dropping it changes the data rather than a parameter, ``simulation`` or ``instances``
    replace those of the leg.
    """
    problem = problem_in({"name": name, "without": without, "simulation": simulation})
    if problem:
        raise ClaimError(f"hypothesis {name!r}: {problem}")
    return Hypothesis(name, tuple(points_of(columns_by_name(without))), leg, simulation, instances)
