"""How sharply a claim is looked at, and was seen: the target resolution before, the resolution of
equalities and the tightness of bounds after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from theorycheck import balls
from theorycheck.claims.model import Claim, Leg, rival_leg
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, as_expected
from theorycheck.numbers.domain import Exact
from theorycheck.plan.budget import own_data
from theorycheck.relations.base import Decision, Goal, as_float

GOALS = {
    "smoke": Goal(sampled=5e-2),
    "standard": Goal(sampled=1e-2),
    "deep": Goal(sampled=2e-3),
    "paper": Goal(sampled=2e-3),
}
"""Target resolutions by profile. A smoke run is a first look at about 1e4 samples a point, standard
at a few 1e5; exact rungs are asked for 1e-9 everywhere (the median that the project promises)."""


def sharpened(claim: Claim, goal: Goal, profile: str) -> Goal:
    """The target resolution of sampled equalities: at most half the distance to the nearest rival."""
    nearest = memo.remembered(
        "nearest rival", (claim.id, profile), lambda: _nearest_rival(claim, profile)
    )
    return replace(goal, sampled=min([goal.sampled, *nearest]))


def _nearest_rival(claim: Claim, profile: str) -> list[float]:
    """Half the distance to each rival formula of a sampled equality, where it is farthest."""
    found = []
    sampled = [
        lg for lg in claim.legs if lg.arithmetic == "samples" and claim.form_of(lg) is not None
    ]
    for lg in sampled:
        if claim.relation_of(lg).one_sided:
            continue
        for rival in claim.rivals:
            form = rival.changes.get("closed_form")
            if form is None or own_data(rival.changes, rival.at) or rival_leg(claim, rival) != lg:
                continue
            distances = [distance(claim.form_of(lg), form, p) for p in claim.points(profile, lg)]
            apart = max((d for d in distances if d is not None), default=0.0)
            if apart > 0:
                found.append(apart / 2)
    return found


def distance(form: Any, rival: Any, point: Mapping[str, Exact]) -> float | None:
    """Relative distance of two closed forms at a point, None where one has no value."""
    try:
        mine, other = Form(form).at(point)[0], Form(rival).at(point)[0]
    except (KeyError, balls.UnsupportedExpression):  # a quantity that only an instance gives
        return None
    a, b = as_expected(mine).enclosure, as_expected(other).enclosure
    if a is None or b is None or a.lo <= 0 <= a.hi:
        return None
    return abs(as_float((b.mid - a.mid) / a.mid))


def subject(claim: Claim, leg: Leg) -> str:
    """What a leg speaks of. Legs of one closed form sharpen one another, those of different ones do
    not: a claim is as sharp as the least sharply seen of its closed forms."""
    if leg.reference is not None:
        return f"procedure {leg.reference.__module__}.{leg.reference.__qualname__}"
    return Form(claim.form_of(leg)).text or f"leg {leg.name}"


def resolution_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each closed form the sharpest leg's, for an optimum the sum of its two sides; then the
    least sharp."""
    subjects: dict[str, dict[str, dict[str, Any]]] = {}
    for lg, d in needed:
        if d.resolution is None:
            continue
        sides = subjects.setdefault(subject(claim, lg), {})
        side = lg.side if lg.side in ("attained", "certificate") else "value"
        if side not in sides or d.resolution["value"] < sides[side]["value"]:
            sides[side] = d.resolution
    found = []
    for sides in subjects.values():
        if {"attained", "certificate"} <= set(sides):
            both = [sides["attained"], sides["certificate"]]
            found.append({"kind": both[0]["kind"], "value": both[0]["value"] + both[1]["value"]})
        else:
            found.append(min(sides.values(), key=lambda r: float(r["value"])))
    return max(found, key=lambda r: float(r["value"]), default=None)


def tightness_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each bound the leg's that comes nearest to it, then the farthest; of those with a relative
    tightness where there are any."""
    subjects: dict[str, list[dict[str, Any]]] = {}
    for lg, d in needed:
        if d.tightness is not None:
            subjects.setdefault(subject(claim, lg), []).append(d.tightness)
    relative, absolute = [], []
    for found in subjects.values():
        multiples = [t for t in found if t["kind"] == "relative"]
        if multiples:
            relative.append(max(multiples, key=lambda t: float(t["value"])))
        else:
            absolute.append(min(found, key=lambda t: float(t["value"])))
    if relative:
        return min(relative, key=lambda t: float(t["value"]))
    return max(absolute, key=lambda t: float(t["value"]), default=None)
