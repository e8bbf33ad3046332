"""Which of a claim's rivals its evidence refutes; one that survives blocks a pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim, apply, rival_leg
from theorycheck.claims.variants import Variant
from theorycheck.entries.parts import RivalEntry
from theorycheck.evidence.observation import Observation
from theorycheck.judge.assumptions import broken
from theorycheck.judge.counterexamples import refuted_by
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import decide_leg
from theorycheck.plan import keys
from theorycheck.plan.keys import CLAIM, Owner, Purpose
from theorycheck.plan.owners import own_data
from theorycheck.plan.plan import Plan
from theorycheck.relations.base import Decision, Row


def judge_rivals(plan: Plan, evidence: Seen) -> tuple[RivalEntry, ...]:
    """The claim's rivals, each refuted or not; a survivor makes a pass inconclusive."""
    return tuple(_judged(plan, evidence, rival) for rival in plan.claim.rivals)


def refuted_by_leg(plan: Plan, evidence: Seen, leg: Leg) -> str:
    """Name of a rival formula that the observations of this leg alone refute, "" where there is none: nothing
    shows that the leg could fail."""
    seen = evidence.get((Purpose.JUDGE, CLAIM, leg.name), [])
    for rival in plan.claim.rivals:
        if seen and (leg, CLAIM) in _witnesses(plan.claim, rival):
            decision, _ = _rival_decision(plan, rival, leg, seen)
            if decision.verdict == "fail":
                return rival.name
    return ""


def _judged(plan: Plan, evidence: Seen, rival: Variant) -> RivalEntry:
    by = "not observed"
    for leg, owner in _witnesses(plan.claim, rival):
        seen = evidence.get((Purpose.JUDGE, owner, leg.name), [])
        if not seen:
            continue
        flaw = broken(seen, plan.budget.point) if owner != CLAIM else ""
        if flaw:  # such data refute nothing
            by = f"broken sampling: {flaw}"
            continue
        decision, rows = _rival_decision(plan, rival, leg, seen)
        if decision.verdict == "fail":
            return RivalEntry(name=rival.name, refuted=True, by=refuted_by(decision, rows))
        by = decision.reason or "survives where tried"
    return RivalEntry(name=rival.name, refuted=False, by=by)


def _witnesses(claim: Claim, rival: Variant) -> list[tuple[Leg, Owner]]:
    """Legs whose observations may refute a rival: its own data, else every leg that it speaks of."""
    first = rival_leg(claim, rival)
    if own_data(rival):
        return [(first, keys.rival(rival.name))]
    if rival.leg is not None or first.closed_form is not None:
        return [(first, CLAIM)]
    return [(lg, CLAIM) for lg in claim.legs if lg.closed_form is None and not lg.arithmetic.proves]


def _rival_decision(
    plan: Plan, rival: Variant, leg: Leg, seen: Sequence[Observation]
) -> tuple[Decision, list[Row]]:
    """``fail`` means refuted. A rival program is asked whether it does what the claim says, a rival
    formula whether the claim's own observations allow it."""
    claim, form = plan.claim, rival.changes.get("closed_form")
    _, changed = apply(claim, replace(rival, leg=leg.name))
    relation = rival.changes.get("relation") or claim.relation_of(changed)

    def decided(as_program: bool) -> tuple[Decision, list[Row]]:
        return decide_leg(
            claim,
            changed,
            seen,
            plan.budget.point,
            plan.target_for(leg),
            form=form,
            rival=as_program,
            relation=relation,
        )

    # Laws with a free constant never fail; what refutes a rival law is its own question.
    found = decided(form is None or not relation.pointwise)
    if found[0].verdict != "fail" and set(rival.changes) == {"reference"}:
        return decided(False)  # a rival formula, computed by a procedure
    return found
