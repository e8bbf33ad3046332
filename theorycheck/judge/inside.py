"""What lies inside the domain decides (VERDICTS 15).

A witness that a hypothesis is needed, or a rival that changes nothing but points and instances, is a
counterexample to the claim where it lies in the claim's own domain and the claim fails there: the
hypothesis is not among what the claim says, and the rival is the claim. Instances lie inside where every
field has a domain that holds it or is what the other fields make it. Only under outer for-alls, as for
every point of the engine's own choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import rival_leg
from theorycheck.entries.parts import LegEntry
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import LegSeen, decide_leg
from theorycheck.plan import keys
from theorycheck.plan.attack import attacked
from theorycheck.plan.keys import CLAIM, Owner, Purpose
from theorycheck.plan.owners import leg_of, own_data, shares_program
from theorycheck.plan.plan import Plan


@dataclass(frozen=True)
class Inside:
    """The leg that fails, and whose instances it fails on: the claim's where only points differ."""

    leg: LegSeen
    owner: Owner = CLAIM


def refuted_inside(plan: Plan, evidence: Seen) -> Inside | None:
    """The leg that fails at a point, or on an instance, of a rival or of a dropped hypothesis inside the
    domain, if any."""
    claim = plan.claim
    for owner, leg in _same_program(plan):
        if not attacked(claim, leg):
            continue
        own = leg_of(claim, owner, leg.name)
        instances = own.instances is not leg.instances
        for seen in evidence.get((Purpose.JUDGE, owner, leg.name), []):
            if seen.status != "ok" or not claim.admits(seen.point, leg):
                continue
            if instances and not any(seen.detail.among or ()):
                continue
            decision, rows = decide_leg(
                claim, own, [seen], plan.budget.point, plan.target_for(leg), among=instances
            )
            if decision.verdict == "fail" and decision.kind == "value":
                refuting = LegSeen(leg, decision, rows, LegEntry(name=leg.name, rung=leg.rung))
                return Inside(refuting, owner if instances else CLAIM)
    return None


def _same_program(plan: Plan) -> Iterator[tuple[Owner, Leg]]:
    """Those whose data differ from the claim's in points and instances alone."""
    claim = plan.claim
    for h in claim.assumes:
        owner = keys.hypothesis(h.name)
        if shares_program(claim, owner):
            yield owner, claim.legs[0] if h.leg is None else claim.leg(h.leg)
    for r in claim.rivals:
        owner = keys.rival(r.name)
        if own_data(r) and shares_program(claim, owner):
            yield owner, rival_leg(claim, r)
