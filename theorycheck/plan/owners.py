"""Who has data of their own beside the claim: rivals of another program or at other points, and dropped
hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from theorycheck.claims.functions import PROFILES
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim, apply, rival_leg
from theorycheck.claims.variants import Hypothesis, Variant
from theorycheck.numbers.domain import Exact
from theorycheck.plan import keys
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind

_DATA = frozenset({"simulation", "reference", "instances"})


def own_data(rival: Variant) -> bool:
    """Whether a rival needs observations of its own (another program, data or other points)."""
    return rival.at is not None or bool(_DATA & set(rival.changes))


def rival_points(claim: Claim, rival: Variant) -> list[dict[str, Exact]]:
    """Points at which a rival is observed: its own, else the smoke points of its leg."""
    if rival.at is not None:
        return [dict(p) for p in rival.at]
    return claim.points(PROFILES[0], rival_leg(claim, rival))


def hypothesis_leg(claim: Claim, dropped: Hypothesis) -> Leg:
    """The leg that is run where a hypothesis is dropped."""
    lg = claim.legs[0] if dropped.leg is None else claim.leg(dropped.leg)
    return replace(
        lg,
        simulation=dropped.simulation or lg.simulation,
        instances=dropped.instances or lg.instances,
    )


def leg_of(claim: Claim, owner: Owner, name: str) -> Leg:
    """The leg of this name as it is run for an owner."""
    if owner.kind is OwnerKind.RIVAL:
        return apply(claim, next(r for r in claim.rivals if r.name == owner.name))[1]
    if owner.kind is OwnerKind.HYPOTHESIS:
        return hypothesis_leg(claim, next(h for h in claim.assumes if h.name == owner.name))
    return claim.leg(name)


def shares_program(claim: Claim, owner: Owner) -> bool:
    """Whether the data of a rival or a dropped hypothesis are made by the claim's own program, at points
    or on instances of their own."""
    if owner.kind is OwnerKind.RIVAL:
        changes = next(r for r in claim.rivals if r.name == owner.name).changes
        return set(changes) <= {"instances"}
    if owner.kind is OwnerKind.HYPOTHESIS:
        return next(h for h in claim.assumes if h.name == owner.name).simulation is None
    return False


def owned(claim: Claim, profile: str) -> Iterator[tuple[Owner, Leg, Mapping[str, Exact]]]:
    """All that a profile asks for, before anything is seen: the claim's legs, rivals with data of their
    own, dropped hypotheses."""
    for lg in claim.legs:
        for point in claim.points(profile, lg):
            yield CLAIM, lg, point
    for rival in claim.rivals:
        if own_data(rival):
            _, changed = apply(claim, rival)
            for at in rival_points(claim, rival):
                yield keys.rival(rival.name), changed, at
    for h in claim.assumes:
        changed = hypothesis_leg(claim, h)
        for dropped in h.without:
            yield keys.hypothesis(h.name), changed, dropped
