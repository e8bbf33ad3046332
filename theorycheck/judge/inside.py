"""What lies inside the domain decides (VERDICTS 15).

A witness that a hypothesis is needed, or a rival that changes nothing but the points, is a counterexample
to the claim where it lies in the claim's own domain and the claim fails there: the hypothesis is not among
what the claim says, and the rival is the claim. Only under outer for-alls, as for every point of the
engine's own choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from theorycheck.claims.model import Leg, rival_leg
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import LegSeen, decide_leg
from theorycheck.plan import keys
from theorycheck.plan.attack import attacked
from theorycheck.plan.keys import Owner, Purpose
from theorycheck.plan.plan import Plan


def refuted_inside(plan: Plan, evidence: Seen) -> LegSeen | None:
    """The leg that fails at a point of a rival or of a dropped hypothesis inside the domain, if any."""
    claim = plan.claim
    for owner, leg in _points_alone(plan):
        if not attacked(claim, leg):
            continue
        for seen in evidence.get((Purpose.JUDGE, owner, leg.name), []):
            if not claim.admits(seen.point, leg):
                continue
            decision, rows = decide_leg(claim, leg, [seen], plan.budget.point, plan.target_for(leg))
            if decision.verdict == "fail" and decision.kind == "value":
                return LegSeen(leg, decision, rows, {"rung": leg.rung})
    return None


def _points_alone(plan: Plan) -> Iterator[tuple[Owner, Leg]]:
    """Those whose data differ from the claim's in their points alone."""
    claim = plan.claim
    for h in claim.assumes:
        if h.simulation is None and h.instances is None:
            yield keys.hypothesis(h.name), claim.legs[0] if h.leg is None else claim.leg(h.leg)
    for r in claim.rivals:
        if r.at is not None and not r.changes:
            yield keys.rival(r.name), rival_leg(claim, r)
