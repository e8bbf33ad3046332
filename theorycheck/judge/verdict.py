"""The verdict of a claim on its observations: legs first, then what a fail or a pass calls for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from theorycheck import stats
from theorycheck.claims.covering import spared
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import (
    Cause,
    ClauseEntry,
    LegEntry,
    MutantsEntry,
    Resolution,
    RivalEntry,
    Tightness,
)
from theorycheck.entries.rungs import weakest
from theorycheck.evidence.observation import Observation
from theorycheck.judge.advice import advice
from theorycheck.judge.assumptions import undermined
from theorycheck.judge.attack import ATTACKS, judge_attack
from theorycheck.judge.beyond import outside
from theorycheck.judge.counterexamples import confirm, counterexample, proof_counterexample
from theorycheck.judge.degenerate import degenerate
from theorycheck.judge.deviations import Diagnosed, diagnose
from theorycheck.judge.hypotheses import judge_hypotheses
from theorycheck.judge.inside import refuted_inside
from theorycheck.judge.judgement import Failing, Judgement, Seen, by_unit
from theorycheck.judge.legs import LegSeen, decide_leg, leg_entry
from theorycheck.judge.mutation import judge_mutants
from theorycheck.judge.payments import ClaimOutcome, LegOutcome, clause_entries
from theorycheck.judge.rivals import judge_rivals
from theorycheck.judge.rows import place_of
from theorycheck.judge.sharpness import (
    resolution_of,
    tightness_of,
    uniform_factor_of,
    within_of,
)
from theorycheck.numbers.domain import point_key
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind, Purpose
from theorycheck.plan.plan import Plan


def judge(plan: Plan, observations: Iterable[Observation], *, diagnosing: bool = True) -> Judgement:
    """The verdict of a plan's claim on observations of it.

    Without ``diagnosing`` a fail is left without its law, where more is to be observed of it first.
    """
    kept = [o for o in observations if o.purpose is not Purpose.FIGURE]
    judged = [o for o in kept if o.purpose is Purpose.JUDGE and o.owner.kind is OwnerKind.CLAIM]
    broken = next((o for o in kept if o.status == "error" and o.purpose not in ATTACKS), None)
    try:
        if broken is not None:
            found = Judgement("error", f"{place_of(broken)}: {broken.message}")
        else:
            evidence = by_unit(plan, kept)
            flaw = undermined(plan, evidence)
            found = (
                Judgement("error", f"broken sampling: {flaw}")
                if flaw
                else _judged(plan, evidence, diagnosing)
            )
    except stats.AssumptionBroken as error:
        found = Judgement("error", str(error))
    return replace(
        found,
        points=len({point_key(o.point) for o in judged}),
        samples=sum(o.samples for o in kept),
        alpha_spent=plan.budget.spent,
        clauses=_clauses(plan, found),
    )


def _clauses(plan: Plan, found: Judgement) -> tuple[ClauseEntry, ...]:
    """What the judgement says of each clause that the claim covers."""
    legs = {
        e.name: LegOutcome(
            e.rung, e.verdict, e.samples, e.moved_by, e.different, e.flat, e.breakdown
        )
        for e in found.legs
    }
    seen = ClaimOutcome(found.verdict, legs, found.attack)
    return clause_entries(plan.claim, seen, plan.settings.profile)


def _judged(plan: Plan, evidence: Seen, diagnosing: bool) -> Judgement:
    claim, legs = plan.claim, list[LegSeen]()
    for lg in claim.legs:
        seen = [
            *evidence.get((Purpose.JUDGE, CLAIM, lg.name), []),
            *evidence.get((Purpose.SUSPECT, CLAIM, lg.name), []),
        ]
        if not seen:
            return Judgement(
                "inconclusive",
                f"time: leg {lg.name!r} was not observed",
                legs=tuple(s.entry for s in legs),
            )
        targets = plan.target_for(lg)
        decision, rows = decide_leg(claim, lg, seen, plan.budget.point, targets)
        would = advice(lg, claim.relation_of(lg), decision, rows, targets, plan.settings.profile)
        decision = replace(decision, would_decide=would or decision.would_decide)
        entry = leg_entry(claim, lg, decision, seen, plan.settings.profile)
        legs.append(LegSeen(lg, decision, rows, entry))
    notes = degenerate(plan, evidence, legs)
    return replace(_of_legs(plan, evidence, legs, diagnosing), degenerate=notes)


def _of_legs(plan: Plan, evidence: Seen, legs: Sequence[LegSeen], diagnosing: bool) -> Judgement:
    """What the legs come to, and what a fail or a pass calls for."""
    claim, entries = plan.claim, tuple(s.entry for s in legs)
    refuting = next((s for s in legs if s.decision.verdict == "fail"), None)
    if refuting is not None:
        return _fail(plan, evidence, refuting, entries, diagnosing)
    together = _together(claim, legs)
    if together.doubt is not None:
        return together.judgement(entries)
    met = judge_attack(plan, evidence)
    if met.refuting is not None:
        found = _fail(plan, evidence, met.refuting, entries, diagnosing, met.purpose)
        return replace(found, attack=met.entry)
    own = refuted_inside(plan, evidence)
    if own is not None:
        found = _fail(plan, evidence, own.leg, entries, diagnosing, owner=own.owner)
        return replace(found, attack=met.entry)
    rivals = judge_rivals(plan, evidence)
    mutants = judge_mutants(plan, legs)
    doubt = _survivors(rivals, mutants)
    if doubt is None and met.blocked:
        doubt = _Doubt(met.blocked, "a domain without that point, or code that computes it")
    return replace(
        replace(together, doubt=doubt).judgement(entries),
        rivals=rivals,
        mutants=mutants,
        hypotheses=judge_hypotheses(plan, evidence),
        attack=met.entry,
    )


_BEYOND = Judgement(
    "inconclusive", would_decide="a counterexample in a domain that is the clause's"
)


def _beyond(claim: Claim, leg: Leg, at: Mapping[str, Any]) -> str:
    """Why a counterexample of a claim that is expected to fail refutes no clause, "" where it may."""
    where = outside(claim, leg, at) if claim.expect == "fail" else ""
    return where and f"{leg.name}: it fails at {where}: that refutes nothing of the clause"


def _fail(
    plan: Plan,
    evidence: Seen,
    refuting: LegSeen,
    entries: tuple[LegEntry, ...],
    diagnosing: bool,
    purpose: Purpose = Purpose.JUDGE,
    owner: Owner = CLAIM,
) -> Judgement:
    """A refutation by any leg refutes, unless it is not met again, or what fails is a choice, a draw or a
    size that another may take the place of."""
    leg, decision, rows = refuting.leg, refuting.decision, refuting.rows
    failing: Failing | None = None
    if rows and decision.decisive is not None:
        failing = Failing(leg.name, rows[decision.decisive], purpose, owner)
        found = structs.replace(counterexample(leg, failing.row, decision.kind), among=owner.label)
    else:
        found = proof_counterexample(refuting)
    rung = refuting.entry.rung
    saved = spared(plan.claim, leg)
    if saved is not None:
        return Judgement(
            "inconclusive",
            f"{leg.name}: {saved.reason} ({decision.reason})",
            saved.would_decide,
            rung=rung,
            legs=entries,
            counterexample=found,
        )
    beyond = _beyond(plan.claim, leg, found.point if failing is None else failing.row.inputs)
    if beyond:
        return replace(_BEYOND, reason=beyond, rung=rung, legs=entries, counterexample=found)
    confirmed = None if failing is None else confirm(plan, evidence, failing, found)
    if confirmed is not None:
        found = confirmed.counterexample
    if confirmed is not None and confirmed.discordant:
        return Judgement(
            "inconclusive",
            "discordant: not rejected again",
            confirmed.discordant,
            Cause.DISCORDANT,
            rung=rung,
            legs=entries,
            counterexample=found,
            failing=failing,
        )
    diagnosed = diagnose(plan, evidence, failing) if diagnosing else Diagnosed()
    return Judgement(
        "fail",
        f"{leg.name}: {decision.reason}",
        rung=rung,
        legs=entries,
        counterexample=found,
        diagnosis=diagnosed.law,
        undiagnosed=diagnosed.why_not,
        failing=failing,
    )


@dataclass(frozen=True)
class _Doubt:
    """Why a claim that nothing refutes does not pass, and what would decide it."""

    reason: str
    would_decide: str
    cause: Cause | None = None


@dataclass(frozen=True)
class _Together:
    """What the legs say together where none refutes."""

    rung: str
    resolution: Resolution | None
    uniform_factor: Resolution | None
    within: Resolution | None
    tightness: Tightness | None
    proved: bool
    doubt: _Doubt | None

    def judgement(self, entries: tuple[LegEntry, ...]) -> Judgement:
        return Judgement(
            "pass" if self.doubt is None else "inconclusive",
            "" if self.doubt is None else self.doubt.reason,
            "" if self.doubt is None else self.doubt.would_decide,
            None if self.doubt is None else self.doubt.cause,
            rung=self.rung,
            proved=self.proved,
            resolution=self.resolution,
            uniform_factor=self.uniform_factor,
            within=self.within,
            tightness=self.tightness,
            legs=entries,
        )


def _together(claim: Claim, legs: Sequence[LegSeen]) -> _Together:
    """The legs that the assertion needs decide."""
    needed = [s for s in legs if s.leg.required]
    rung = weakest([str(s.entry.rung) for s in needed])
    open_leg = next((s for s in needed if s.decision.verdict != "pass"), None)
    doubt = None
    if open_leg is not None:
        decision = open_leg.decision
        reason = f"{open_leg.leg.name}: {decision.reason}"
        doubt = _Doubt(reason, decision.would_decide, decision.cause)
    closed = {s.leg.side for s in needed if claim.relation_of(s.leg).attains}
    if doubt is None and closed == {"certificate"}:
        doubt = _Doubt(
            "no construction: a bound that nothing is seen to meet is no optimum",
            "an attained leg: a feasible point with the claimed value",
        )
    # A certificate that nothing of the model moves is the formula once more.
    sides = {s.leg.side for s in needed if s.entry.moved_by != ""}
    searched = "attained" in sides and "certificate" not in sides
    decisions = [(s.leg, s.decision) for s in needed]
    return _Together(
        rung=weakest([rung, "searched"]) if searched else rung,
        resolution=resolution_of(claim, decisions),
        uniform_factor=uniform_factor_of(claim, decisions),
        within=within_of(decisions),
        tightness=tightness_of(claim, decisions),
        proved=rung == "proved" and doubt is None,
        doubt=doubt,
    )


def _survivors(rivals: Sequence[RivalEntry], mutants: MutantsEntry) -> _Doubt | None:
    """Rivals and mutants that the evidence does not tell from the claim."""
    alive = [r.name for r in rivals if not r.refuted]
    if alive:
        return _Doubt(
            "survivor: " + ", ".join(alive),
            "points or samples (budget= of the leg) that tell the rival from the claim",
        )
    if mutants.survivors:
        return _Doubt(
            "survivor: mutant " + "; ".join(s.name for s in mutants.survivors[:3]),
            "points or samples that tell the mutant from the claim",
        )
    return None
