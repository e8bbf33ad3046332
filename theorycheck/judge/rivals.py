"""Which of a claim's rivals its evidence refutes; one that survives blocks a pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from theorycheck.claims.model import Claim, Leg, Variant, apply, rival_leg
from theorycheck.evidence.observation import Observation
from theorycheck.judge.counterexamples import refuted_by
from theorycheck.judge.judgement import Evidence, Judgement
from theorycheck.judge.legs import decide_leg
from theorycheck.plan.budget import Slots, own_data
from theorycheck.relations.base import Decision, Goal, Row


def judge_rivals(
    claim: Claim, evidence: Evidence, share: Slots, goal: Goal, out: Judgement
) -> None:
    """The claim's rivals, each refuted or not; a survivor makes a pass inconclusive."""
    for rival in claim.rivals:
        entry = {"name": rival.name, "refuted": False, "by": "not observed"}
        for leg, variant in _witnesses(claim, rival):
            seen = evidence.get(("judge", leg.name, variant), [])
            if not seen:
                continue
            decision, rows = _rival_decision(claim, rival, leg, seen, share, goal)
            if decision.verdict == "fail":
                entry |= {"refuted": True, "by": refuted_by(decision, rows)}
                break
            entry["by"] = decision.reason or "survives where tried"
        out.rivals.append(entry)
    alive = [str(r["name"]) for r in out.rivals if not r["refuted"]]
    if alive:
        out.verdict, out.reason = "inconclusive", "survivor: " + ", ".join(alive)
        out.would_decide = "points or samples that tell the rival from the claim"


def _witnesses(claim: Claim, rival: Variant) -> list[tuple[Leg, str]]:
    """Legs whose observations may refute a rival: its own data, else every leg that it speaks of."""
    first = rival_leg(claim, rival)
    if own_data(rival.changes, rival.at):
        return [(first, rival.name)]
    if rival.leg is not None or first.closed_form is not None:
        return [(first, "")]
    return [(lg, "") for lg in claim.legs if lg.closed_form is None and lg.arithmetic != "proof"]


def _rival_decision(
    claim: Claim, rival: Variant, leg: Leg, seen: Sequence[Observation], share: Slots, goal: Goal
) -> tuple[Decision, list[Row]]:
    """``fail`` means refuted. A rival program is asked whether it does what the claim says, a rival
    formula whether the claim's own observations allow it."""
    form = rival.changes.get("closed_form")
    _, changed = apply(claim, replace(rival, leg=leg.name))
    relation = rival.changes.get("relation") or claim.relation_of(changed)
    return decide_leg(
        claim,
        changed,
        seen,
        share.point,
        goal,
        form=form,
        # Laws with a free constant never fail; what refutes a rival law is its own question.
        rival=form is None or not relation.pointwise,
        relation=relation,
    )
