"""The verdict of a claim on its observations: legs first, then what a fail or a pass calls for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from theorycheck import stats
from theorycheck.claims.model import Claim, Leg
from theorycheck.evidence.observation import FIGURE, Observation
from theorycheck.judge.counterexamples import confirm, counterexample, proof_counterexample
from theorycheck.judge.deviations import diagnose
from theorycheck.judge.hypotheses import judge_hypotheses
from theorycheck.judge.judgement import Judgement, by_unit
from theorycheck.judge.legs import decide_leg, leg_entry
from theorycheck.judge.mutation import judge_mutants
from theorycheck.judge.rivals import judge_rivals
from theorycheck.judge.rows import place_of
from theorycheck.judge.sharpness import GOALS, resolution_of, sharpened, tightness_of
from theorycheck.numbers.domain import point_key
from theorycheck.plan.budget import Slots, slots
from theorycheck.relations.base import Decision, Row, weakest


def judge(
    claim: Claim,
    observations: Iterable[Observation],
    *,
    alpha: float,
    profile: str,
    diagnosing: bool = True,
) -> Judgement:
    """The verdict of a claim on its observations at the run's level alpha.

    Without ``diagnosing`` a fail is left without its law, where more is to be observed of it first.
    """
    kept = [o for o in observations if o.purpose != FIGURE]
    share = slots(claim, profile, alpha)
    judged = [o for o in kept if o.purpose == "judge" and not o.variant]
    out = Judgement(
        "pass",
        points=len({point_key(o.point) for o in judged}),
        samples=sum(o.samples for o in kept),
        alpha_spent=share.spent,
    )
    broken = next((o for o in kept if o.status == "error"), None)
    if broken is not None:
        return replace(out, verdict="error", reason=f"{place_of(broken)}: {broken.message}")
    try:
        return _judged(claim, kept, share, profile, diagnosing, replace(out, legs=[]))
    except stats.AssumptionBroken as error:
        return replace(out, verdict="error", reason=str(error))


def _judged(
    claim: Claim,
    kept: Sequence[Observation],
    share: Slots,
    profile: str,
    diagnosing: bool,
    out: Judgement,
) -> Judgement:
    evidence = by_unit(kept)
    goal = sharpened(claim, GOALS[profile], profile)
    decisions: list[tuple[Leg, Decision, list[Row]]] = []
    for lg in claim.legs:
        seen = [
            *evidence.get(("judge", lg.name, ""), []),
            *evidence.get(("suspect", lg.name, ""), []),
        ]
        if not seen:
            out.verdict, out.reason = "inconclusive", f"time: leg {lg.name!r} was not observed"
            return out
        decision, rows = decide_leg(claim, lg, seen, share.point, goal)
        decisions.append((lg, decision, rows))
        out.legs.append(leg_entry(claim, lg, decision, seen, profile))
    _combine(claim, decisions, out)
    if out.verdict == "fail":
        confirm(claim, evidence, share, goal, profile, out)
        if diagnosing:
            diagnose(claim, evidence, share, out)
        return out
    if out.verdict == "pass":
        judge_rivals(claim, evidence, share, goal, out)
        judge_mutants(claim, decisions, goal, out)
        judge_hypotheses(claim, evidence, share, goal, out)
    return out


def _combine(
    claim: Claim, decisions: list[tuple[Leg, Decision, list[Row]]], out: Judgement
) -> None:
    """A refutation by any leg refutes; otherwise the legs that the assertion needs decide."""
    for lg, decision, rows in decisions:
        if decision.verdict == "fail":
            out.verdict = "fail"
            out.reason = f"{lg.name}: {decision.reason}"
            out.rung = _leg_rung_of(out, lg)
            if rows and decision.decisive is not None:
                row = rows[decision.decisive]
                out.failing = (lg.name, row)
                out.counterexample = counterexample(lg, row, decision.kind)
            else:
                out.counterexample = proof_counterexample(decision, out, lg)
            return
    needed = [(lg, d) for lg, d, _ in decisions if lg.required]
    out.rung = weakest([_leg_rung_of(out, lg) for lg, _ in needed])
    for lg, d in needed:
        if d.verdict != "pass":
            out.verdict, out.reason = "inconclusive", f"{lg.name}: {d.reason}"
            out.would_decide = d.would_decide
            break
    out.proved = out.rung == "proved" and out.verdict == "pass"
    sides = {lg.side for lg, _ in needed}
    if "attained" in sides and "certificate" not in sides:
        out.rung = weakest([out.rung, "searched"])
    out.resolution = resolution_of(claim, needed)
    out.tightness = tightness_of(claim, needed)


def _leg_rung_of(out: Judgement, leg: Leg) -> str:
    return next(str(e["rung"]) for e in out.legs if e["name"] == leg.name)
