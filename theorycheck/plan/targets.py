"""Target resolutions: how sharp a look a profile asks for, and a claim's nearest rival."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from theorycheck import balls
from theorycheck.claims.model import Claim, rival_leg
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, as_expected
from theorycheck.numbers.domain import Exact
from theorycheck.plan.owners import own_data
from theorycheck.relations.base import Goal, as_float

TARGETS = {
    "smoke": Goal(sampled=5e-2),
    "standard": Goal(sampled=1e-2),
    "deep": Goal(sampled=2e-3),
    "paper": Goal(sampled=2e-3),
}
"""Target resolutions by profile. A smoke run is a first look at about 1e4 samples a point, standard
at a few 1e5; exact rungs are asked for 1e-9 everywhere (the median that the project promises)."""


def target_of(claim: Claim, profile: str) -> Goal:
    """A claim's target resolutions: of sampled equalities at most half the distance to the nearest
    rival."""
    target = TARGETS[profile]
    nearest = memo.remembered(
        "nearest rival", (claim.id, profile), lambda: _nearest_rival(claim, profile)
    )
    return replace(target, sampled=min([target.sampled, *nearest]))


def _nearest_rival(claim: Claim, profile: str) -> list[float]:
    """Half the distance to each rival formula of a sampled equality, where it is farthest."""
    found = []
    sampled = [lg for lg in claim.legs if lg.arithmetic.sampled and claim.form_of(lg) is not None]
    for lg in sampled:
        if claim.relation_of(lg).one_sided:
            continue
        for rival in claim.rivals:
            form = rival.changes.get("closed_form")
            if form is None or own_data(rival) or rival_leg(claim, rival) != lg:
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
