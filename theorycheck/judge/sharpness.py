"""How sharply a claim was seen: the resolution of equalities and the tightness of bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import Resolution, Tightness
from theorycheck.formulas.closed_form import Form
from theorycheck.relations.base import Decision


def subject(claim: Claim, leg: Leg) -> str:
    """What a leg speaks of: its closed form, or its reference procedure."""
    if leg.reference is not None:
        return f"procedure {leg.reference.__module__}.{leg.reference.__qualname__}"
    return Form(claim.form_of(leg)).text or f"leg {leg.name}"


def resolution_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> Resolution | None:
    """The least sharp needed leg's, for an optimum the sum of its two sides: what one leg may hide
    no other leg shows, however sharply that one was seen."""
    stated = [(lg, d.resolution) for lg, d in needed if d.resolution is not None]
    return _together(claim, stated, lambda found: max(found, key=_value))


def uniform_factor_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> Resolution | None:
    """A factor of a whole closed form that no leg would have shown: of each form the sharpest leg's
    shows it, so the smallest; then of the form that is seen least sharply."""
    stated = [
        (lg, d.uniform_factor or d.resolution) for lg, d in needed if d.resolution is not None
    ]
    return _together(claim, stated, lambda found: min(found, key=_value))


def _together(
    claim: Claim,
    stated: Sequence[tuple[Leg, Resolution]],
    choose: Callable[[Sequence[Resolution]], Resolution],
) -> Resolution | None:
    subjects: dict[str, dict[str, list[Resolution]]] = {}
    for lg, resolution in stated:
        side = lg.side if lg.side in ("attained", "certificate") else "value"
        of = subjects.setdefault(subject(claim, lg), {})
        of.setdefault(side, []).append(resolution)
    found = []
    for of in subjects.values():
        sides = {side: choose(values) for side, values in of.items()}
        if {"attained", "certificate"} <= set(sides):
            both = [sides.pop("attained"), sides.pop("certificate")]
            sides["both"] = Resolution(kind=both[0].kind, value=both[0].value + both[1].value)
        found.append(choose(list(sides.values())))
    return max(found, key=_value, default=None)


def _value(resolution: Resolution) -> float:
    return resolution.value


def tightness_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> Tightness | None:
    """Of each bound the leg's that comes nearest to it, with the least of what any leg says of the
    points that stay farthest; then of the bound that is farthest. Of those with a relative tightness
    where there are any."""
    subjects: dict[str, list[Tightness]] = {}
    for lg, d in needed:
        if d.tightness is not None:
            subjects.setdefault(subject(claim, lg), []).append(d.tightness)
    relative, absolute = [], []
    for found in subjects.values():
        multiples = [t for t in found if t.kind == "relative"]
        if multiples:
            relative.append(
                _with_farthest(max(multiples, key=_nearness), min(multiples, key=_loosest))
            )
        else:
            absolute.append(_with_farthest(min(found, key=_nearness), max(found, key=_loosest)))
    if relative:
        return min(relative, key=_nearness)
    return max(absolute, key=_nearness, default=None)


def _with_farthest(near: Tightness, far: Tightness) -> Tightness:
    return replace(near, loosest=far.loosest, loosest_slack=far.loosest_slack)


def _nearness(tightness: Tightness) -> float:
    return 0.0 if tightness.value is None else tightness.value


def _loosest(tightness: Tightness) -> float:
    return 0.0 if tightness.loosest is None else tightness.loosest


def within_of(needed: Sequence[tuple[Leg, Decision]]) -> Resolution | None:
    """How far a bound that is touched may yet be passed: the largest of the needed legs', None where
    every leg sees its bound kept."""
    return max((d.within for _, d in needed if d.within is not None), key=_value, default=None)
