"""Target resolutions: how sharp a look a profile asks for, and a claim's nearest rival."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from theorycheck import balls
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim, rival_leg
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, as_expected
from theorycheck.numbers.domain import Exact
from theorycheck.plan.owners import own_data
from theorycheck.plan.profiles import own_target
from theorycheck.plan.settings import LOOKS
from theorycheck.relations.base import TargetResolutions, as_float

TARGETS = {profile: TargetResolutions(sampled=look.target) for profile, look in LOOKS.items()}
"""Target resolutions by profile: of what is sampled as the table of looks has it; exact rungs are asked for
1e-9 everywhere (the median that the project promises)."""

REACHED = "reached"
"""Target of a leg whose samples are all that there are: what they reach is enough, if it is anything."""

ANYTHING = 1.0
"""The resolution that tells a quantity from nothing: its own size."""


def target_of(claim: Claim, profile: str, leg: Leg | None = None) -> TargetResolutions:
    """A claim's target resolutions, or those of a leg that may have its own: of sampled equalities at
    most half the distance to the nearest rival, unless the leg has no more samples to give."""
    target = TARGETS[profile]
    own = None if leg is None else own_target(leg, profile)
    if own == REACHED:
        return replace(target, sampled=ANYTHING)
    asked = target.sampled if own is None else float(own)
    nearest = memo.cached(
        "nearest rival", (claim.id, profile), lambda: _nearest_rival(claim, profile)
    )
    return replace(target, sampled=min([asked, *nearest]))


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
