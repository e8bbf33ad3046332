"""Which of a claim's hypotheses are needed: what fails where one is dropped."""

from __future__ import annotations

from dataclasses import replace

from theorycheck.claims.model import Claim
from theorycheck.judge.counterexamples import refuted_by
from theorycheck.judge.judgement import Evidence, Judgement
from theorycheck.judge.legs import decide_leg
from theorycheck.plan.budget import Slots
from theorycheck.relations.base import Goal


def judge_hypotheses(
    claim: Claim, evidence: Evidence, share: Slots, goal: Goal, out: Judgement
) -> None:
    """Dropped hypotheses: needed (with a witness) or not seen to be needed. Never blocks a pass."""
    for h in claim.assumes:
        leg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        seen = evidence.get(("judge", leg.name, f"without {h.name}"), [])
        if not seen:
            continue
        changed = replace(
            leg,
            simulation=h.simulation or leg.simulation,
            instances=h.instances or leg.instances,
        )
        decision, rows = decide_leg(claim, changed, seen, share.point, goal, rival=True)
        needed = decision.verdict == "fail"
        out.hypotheses.append(
            {
                "name": h.name,
                "needed": "needed" if needed else "not seen to be needed",
                "witness": refuted_by(decision, rows) if needed else None,
            }
        )
