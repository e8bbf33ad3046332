"""Which of a claim's hypotheses are needed: what fails where one is dropped."""

from __future__ import annotations

from theorycheck.entries.parts import HypothesisEntry
from theorycheck.judge.assumptions import broken
from theorycheck.judge.counterexamples import refuted_by
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import decide_leg
from theorycheck.plan.keys import Purpose, hypothesis
from theorycheck.plan.owners import hypothesis_leg
from theorycheck.plan.plan import Plan


def judge_hypotheses(plan: Plan, evidence: Seen) -> tuple[HypothesisEntry, ...]:
    """Dropped hypotheses: needed (with a witness) or not seen to be needed. Never blocks a pass."""
    entries: list[HypothesisEntry] = []
    for h in plan.claim.assumes:
        leg = hypothesis_leg(plan.claim, h)
        seen = evidence.get((Purpose.JUDGE, hypothesis(h.name), leg.name), [])
        if not seen:
            continue
        decision, rows = decide_leg(
            plan.claim, leg, seen, plan.budget.point, plan.target_for(leg), rival=True
        )
        needed = decision.verdict == "fail" and not broken(seen, plan.budget.point)
        entries.append(
            HypothesisEntry(
                name=h.name,
                needed="needed" if needed else "not seen to be needed",
                witness=refuted_by(decision, rows) if needed else None,
            )
        )
    return tuple(entries)
