"""One trial: is a change of a claim's code, or of its declaration, noticed by its evidence?

Observations are compared before anything is judged: evidence that is the same is judged the same, and a
change that moves none of it had no effect at the points tried. A point that refutes ends the trial. As in
a run, the engine's own points are looked at where the others let the claim pass, and then rivals with
programs of their own: a change may be noticed by a wrong variant that now stands.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from msgspec import UNSET, structs

from theorycheck import stats
from theorycheck.audit.baseline import Baseline, lost, signature
from theorycheck.audit.changed import ChangedLibrary, ChangedModuleError
from theorycheck.audit.declared import Declared
from theorycheck.audit.wider import let_in
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.engine.persistence import undecided
from theorycheck.entries.parts import Tightness
from theorycheck.evidence.cached import InMemory
from theorycheck.evidence.detail import Detail
from theorycheck.evidence.observation import Observation, Value
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.judge import Judgement, decide_leg, judge
from theorycheck.judge.judgement import by_unit
from theorycheck.judge.rivals import refuted_by_leg
from theorycheck.numbers.errors import UserError
from theorycheck.plan.attack import simplest_with
from theorycheck.plan.keys import OwnerKind, Purpose
from theorycheck.plan.plan import Plan, make_plan
from theorycheck.plan.units import Unit

LONGEST = 10.0
"""Seconds of a claim's evidence that one trial makes anew. Of legs that take longer (trainings) the cheapest
points are looked at: each speaks for itself, save where a relation is about the whole sweep."""

ALTOGETHER = LONGEST
"""Seconds of evidence after which a change of a model that many claims share is looked at by no further one;
the cheapest come first."""


class TrialResult(StrEnum):
    """What became of a change."""

    NOTICED = "noticed"
    """The verdict, or a counterexample, is another one."""
    BROKEN = "broken"
    """The changed code raises, or the claim cannot be made of it."""
    RUNAWAY = "runaway"
    """The changed code ran far longer than the original."""
    NO_EFFECT = "no effect"
    """Every observation is the same."""
    SLACK = "slack"
    """A one-sided bound moved within its slack, whose size the report states."""
    SURVIVED = "survived"
    """Evidence changed, and the verdict did not."""
    BEYOND = "holds beyond"
    """The claim was looked at outside of what its author declared or drew, and holds there as well."""
    UNREACHED = "unreached"
    """It was not tried."""


NOTICED = frozenset({TrialResult.NOTICED, TrialResult.BROKEN, TrialResult.RUNAWAY})


@dataclass(frozen=True)
class Finding:
    """What became of a change, by the claim that says most about it. ``why``: one line. ``left``: points and
    claims that might have noticed and were not looked at."""

    found: TrialResult
    claim: str = ""
    why: str = ""
    left: int = 0


def source_trial(
    file: Path,
    text: str,
    touched: Sequence[tuple[Baseline, frozenset[str]]],
    drawn: bool = False,
    missing: int = 0,
) -> Finding:
    """The claims of ``touched``, cheapest first, with ``text`` in place of ``file``; of each the legs that
    reach the change are observed anew. The first claim that notices ends the trial. ``drawn``: the
    change is one of instances alone, and what is drawn is other data, of which the claim speaks as well.
    ``missing``: how many further claims reach the change and have no verdict themselves.

    For a process of its own: modules stay changed.
    """
    order = sorted(touched, key=lambda t: (t[0].seconds(t[1]), t[0].item.id))
    if not order:
        return Finding(TrialResult.UNREACHED, why="no claim that it reaches has a verdict itself")
    library = ChangedLibrary(file, text, [b.item for b, _ in order])
    findings: list[Finding] = []
    spent = 0.0
    for place, (base, legs) in enumerate(order):
        spent += min(base.seconds(legs), LONGEST)
        if findings and spent > ALTOGETHER:
            missing += len(order) - place
            break
        try:
            claim = library.claim(base.item.id)
        except ChangedModuleError as error:
            return Finding(TrialResult.BROKEN, base.item.id, str(error))
        if claim is None:
            return Finding(TrialResult.BROKEN, base.item.id, "the claim is gone")
        findings.append(compared(base, bound_as(base.claim, claim), legs))
        if findings[-1].found in NOTICED:
            return findings[-1]
    worst = max(sorted(findings, key=lambda f: f.claim), key=lambda f: _RANK[f.found])
    worst = replace(worst, left=worst.left + missing)
    if drawn and worst.found is TrialResult.SURVIVED:
        return replace(worst, found=TrialResult.BEYOND, why="holds for other drawn data as well")
    return worst


_RANK = {
    TrialResult.NO_EFFECT: 0,
    TrialResult.SLACK: 1,
    TrialResult.SURVIVED: 2,
    TrialResult.UNREACHED: 3,
}


def bound_as(base: Claim, changed: Claim) -> Claim:
    """A claim that was made anew, with the clauses of the register that the original was bound to."""
    return replace(changed, clauses=base.clauses, encodes=base.encodes)


def compared(base: Baseline, claim: Claim, legs: frozenset[str]) -> Finding:
    """A changed claim against its baseline; only ``legs`` are observed anew."""
    try:
        plan = make_plan(claim, base.settings)
    except UserError as error:  # the claim as changed is refused
        return Finding(TrialResult.BROKEN, claim.id, str(error))
    trial = _Trial(base, plan, legs)
    early = trial.look_at(plan.units, base.verdict == "pass")
    if early is not None:
        return early
    if trial.moved:
        told = trial.told(trial.judged())
        if told is not None:
            return told
    if base.verdict == "pass" and plan.attack:
        before = trial.moved
        early = trial.look_at(plan.attack, True)
        if early is not None:
            return early
        told = trial.told() if trial.moved > before else None
        if told is not None:
            return told
    if trial.moved and trial.look_at_rivals():
        told = trial.told()
        if told is not None:
            return told
    return trial.survived()


class _Trial:
    """What a changed claim is seen to do, beside what the original did."""

    def __init__(
        self, base: Baseline, plan: Plan, legs: frozenset[str], longest: float | None = LONGEST
    ) -> None:
        """``longest``: seconds of the original's evidence that are made anew, None for all of it."""
        self.base, self.plan, self.legs, self.longest = base, plan, legs, longest
        self.context, self.evidence = ObservationContext.of(plan), InMemory()
        self.held: dict[str, Observation] = {}
        self.anew = 0
        self.moved_legs: set[str] = set()
        self.moved = 0
        self.spent = 0.0
        self.left = 0
        """Points that would have taken too long."""

    @property
    def seen(self) -> list[Observation]:
        units = (*self.plan.units, *self.plan.attack)
        return [self.held[u.evidence_key] for u in units if u.evidence_key in self.held]

    def look_at(self, units: Sequence[Unit], passes: bool) -> Finding | None:
        """Observe the units that the change reaches; the finding where one of them settles it."""
        reached = [u for u in units if self._reached(u)]
        chosen = self._affordable(reached)
        for unit in units:
            before = self.base.evidence.get(unit.evidence_key)
            if unit.evidence_key not in chosen and before is not None:
                self.held[unit.evidence_key] = before
                continue
            now = observe(_as_long(unit, before), self.context, self.evidence)
            self.anew += 1
            self.held[unit.evidence_key] = now
            if before is not None and alike(now, before):
                continue
            self.moved += 1
            self.moved_legs.add(unit.leg.name)
            if now.status == "error" and (before is None or before.status != "error"):
                return Finding(TrialResult.BROKEN, self.plan.claim.id, now.message)
            why = refuted_at(self.plan, unit, now) if passes else ""
            if why:
                return Finding(TrialResult.NOTICED, self.plan.claim.id, f"fail: {why}")
        return None

    def look_at_rivals(self) -> bool:
        """Observe anew what rivals do of themselves; whether any does another thing."""
        moved = False
        for unit in self.plan.units:
            before = self.base.evidence.get(unit.evidence_key)
            if before is not None and _has_program(unit):
                now = observe(_as_long(unit, before), self.context, self.evidence)
                self.held[unit.evidence_key] = now
                moved = moved or content(now) != content(before)
        return moved

    def _reached(self, unit: Unit) -> bool:
        return unit.key.owner.kind is OwnerKind.CLAIM and unit.leg.name in self.legs

    def _affordable(self, units: Sequence[Unit]) -> set[str]:
        """Evidence keys of the units that are observed anew: all of them where they take no longer than
        `LONGEST` together, else the cheapest; of a law about a sweep all or none."""

        def cost(unit: Unit) -> float:
            before = self.base.evidence.get(unit.evidence_key)
            return 0.0 if before is None else before.seconds

        chosen = set[str]()
        for unit in sorted(units, key=lambda u: (cost(u), u.evidence_key)):
            self.spent += cost(unit)
            if self.longest is None or self.spent <= self.longest:
                chosen.add(unit.evidence_key)
        skipped = [u for u in units if u.evidence_key not in chosen]
        for name in {u.leg.name for u in skipped if not _pointwise(self.plan, u.leg)}:
            chosen -= {u.evidence_key for u in units if u.leg.name == name}
        self.left += sum(u.evidence_key not in chosen for u in units)
        return chosen

    def judged(self) -> Judgement:
        """The verdict, sampling going on as in a run where it is not decided."""
        verdict = judge(self.plan, self.seen, diagnosing=False)
        if verdict.verdict != "inconclusive":
            return verdict
        further: Iterable[Unit] = [
            u for u in self.plan.units if self._reached(u) and u.leg.arithmetic.sampled
        ]
        while self._go_on(further):
            verdict = judge(self.plan, self.seen, diagnosing=False)
            samples = {key: o.samples for key, o in self.held.items()}
            further = list(undecided(self.plan, verdict, samples))
        return verdict

    def _go_on(self, units: Iterable[Unit]) -> bool:
        more = False
        for unit in units:
            now = observe(unit, self.context, self.evidence)
            more = more or now.samples > self.held[unit.evidence_key].samples
            if now.samples >= self.held[unit.evidence_key].samples:
                self.held[unit.evidence_key] = now
        return more

    def told(self, verdict: Judgement | None = None) -> Finding | None:
        """What a reader would see of the change: another verdict, or one that is worth less. Judged is what
        was seen so far, where no judgement of it is given."""
        found = judge(self.plan, self.seen, diagnosing=False) if verdict is None else verdict
        if signature(found) != self.base.signature:
            why = f"{found.verdict}: {found.reason}"
        else:
            why = lost(self.base, found) if found.verdict == "pass" else ""
        return Finding(TrialResult.NOTICED, self.plan.claim.id, why) if why else None

    def survived(self) -> Finding:
        claim = self.plan.claim
        if self.left and not self.anew:
            why = f"a point of it takes more than {LONGEST:.0f} s, or a law needs all of them"
            return Finding(TrialResult.UNREACHED, claim.id, why)
        where = (
            f"all {self.anew} points"
            if not self.left
            else (f"the {self.anew} cheapest of {self.anew + self.left} points")
        )
        if not self.moved:
            why = f"the same at {where} tried"
            return Finding(TrialResult.NO_EFFECT, claim.id, why, self.left)
        moved = [claim.leg(name) for name in sorted(self.moved_legs)]
        relations = [claim.relation_of(lg) for lg in moved]
        pointwise = all(r.pointwise for r in relations)
        if self.base.refuted_at_a_point and pointwise and not self.left:
            why = "the counterexample is the same; a refutation needs no other point"
            return Finding(TrialResult.NO_EFFECT, claim.id, why)
        free = (r.one_sided or lg.side == "search" for r, lg in zip(relations, moved, strict=True))
        if pointwise and all(free):
            return Finding(TrialResult.SLACK, claim.id, self._slack(moved), self.left)
        why = f"still {self.base.verdict} at {where}"
        return Finding(TrialResult.SURVIVED, claim.id, why, self.left)

    def _slack(self, legs: Sequence[Leg]) -> str:
        """How close the unchanged evidence comes to its bounds, leg by leg."""
        said = []
        for lg in legs:
            if lg.side == "search":
                reaches = (
                    "still reaches" if self.base.legs.get(lg.name) == "pass" else "does not reach"
                )
                said.append(f"{lg.name}: none better, {reaches} the optimum")
                continue
            own = [o for o in self.base.evidence.values() if o.leg == lg.name and not o.variant]
            judging = [o for o in own if o.purpose is Purpose.JUDGE]
            goal = self.plan.target_for(lg)
            decision, _ = decide_leg(
                self.base.claim, self.base.claim.leg(lg.name), judging, self.plan.budget.point, goal
            )
            said.append(f"{lg.name}: {_tightness(decision.tightness)}")
        return "one-sided; " + "; ".join(said)


def _tightness(found: Tightness | None) -> str:
    """Of a bound: how close the evidence comes where it is closest, and where it stays farthest."""
    if found is None or found.value is None or found.loosest is None:
        return "no tightness"
    return f"{found.kind} tightness {found.value:.3g}, {found.loosest:.3g} at the loosest"


def _has_program(unit: Unit) -> bool:
    """Whether it is a rival's, and made by a program, which may reach a change: a typed statement is what it says."""
    rival = unit.key.owner.kind is OwnerKind.RIVAL
    return rival and not isinstance(unit.leg.simulation, TypedStatement)


def _pointwise(plan: Plan, leg: Leg) -> bool:
    return plan.claim.relation_of(leg).pointwise


def _as_long(unit: Unit, before: Observation | None) -> Unit:
    """The unit, sampled as long as the original was: streams of one length can be compared."""
    if before is None or not before.samples:
        return unit
    return replace(unit, limit=before.samples, stop=None)


def refuted_at(plan: Plan, unit: Unit, seen: Observation) -> str:
    """Why this point alone refutes the claim, "" where it does not."""
    if unit.leg.arithmetic.proves or not _pointwise(plan, unit.leg) or seen.status != "ok":
        return ""
    level = plan.budget.attack if unit.key.purpose is Purpose.ATTACK else plan.budget.point
    try:
        decision, _ = decide_leg(plan.claim, unit.leg, [seen], level, plan.target_for(unit.leg))
    except stats.AssumptionBroken:  # the judge says what that means
        return ""
    return decision.reason if decision.verdict == "fail" else ""


def declared_trial(base: Baseline, change: Declared) -> Finding:
    """A claim whose declaration was changed: always judged, since the same evidence may say another thing.
    Observed are the points that the change let in, and those that the engine chooses by it."""
    try:
        return _declared(base, change)
    except UserError as error:  # the engine refuses it
        return Finding(TrialResult.BROKEN, base.item.id, str(error))


def _declared(base: Baseline, change: Declared) -> Finding:
    claim = change.make()
    found = _looked_at(base, claim, change.anew)
    if found is None and change.wider:
        with_more = _with_points_let_in(claim, base)
        found = None if with_more is None else _looked_at(base, with_more, change.anew)
    if found is not None:
        return found
    idle = _without_effect(base, claim, change)
    if idle:
        return Finding(TrialResult.NO_EFFECT, claim.id, idle)
    if change.beyond:
        return Finding(TrialResult.BEYOND, claim.id, change.beyond)
    return Finding(TrialResult.SURVIVED, claim.id, f"still {base.verdict}")


def _looked_at(base: Baseline, claim: Claim, anew: frozenset[str]) -> Finding | None:
    """What the points of a claim as declared anew, the engine's own among them, say of it: noticed, or that it
    holds at those that the original does not admit; None where there are none."""
    plan = make_plan(claim, base.settings)
    # What a changed statement saw before says nothing of it, however long a proof took.
    trial = _Trial(base, plan, anew, longest=None)
    for units in (plan.units, plan.attack):
        early = trial.look_at(units, True)
        if early is not None and early.found is TrialResult.NOTICED:
            return early
        told = trial.told()
        if told is not None:
            return told
    outside = {
        o.key.point
        for o in trial.seen
        if o.owner.kind is OwnerKind.CLAIM and not base.claim.admits(o.point)
    }
    if not outside:
        return None
    points = f"{len(outside)} point{'s' * (len(outside) > 1)}"
    why = f"holds at {points} outside of the declared domain as well"
    return Finding(TrialResult.BEYOND, claim.id, why)


def _with_points_let_in(claim: Claim, base: Baseline) -> Claim | None:
    """The wider claim, its legs with a simple point each that the original does not admit: the engine looks at
    no points of its own where one alone refutes nothing. None where there is no such point."""
    profile, legs = base.settings.profile, []
    for lg in claim.legs:
        looked_at = _measured(lg) and not lg.arithmetic.sampled  # streams take longer than a trial
        point = let_in(claim, base.claim, lg) if looked_at else None
        points = [*claim.points(profile, lg), *([] if point is None else [point])]
        legs.append(lg if point is None else replace(lg, grid={profile: points}))
    return None if legs == list(claim.legs) else replace(claim, legs=tuple(legs))


def _measured(leg: Leg) -> bool:
    return leg.required and not leg.arithmetic.proves


def _without_effect(base: Baseline, claim: Claim, change: Declared) -> str:
    """Why a changed declaration says what the author's does, "" where the engine cannot tell."""
    measured = [lg for lg in claim.legs if _measured(lg)]
    if change.at is not None:
        if not measured:
            return "all that is required is proofs, whose domains are their own"
        if not any(simplest_with(claim, lg, *change.at) for lg in measured):
            return "the wider domain has no further point"
    if change.wider and not any(let_in(claim, base.claim, lg) for lg in measured):
        return "no further point among the simplest of the wider domain"
    if change.dropped and claim.clauses:  # else nothing says what the legs have to pay for
        plan = make_plan(base.claim, base.settings)
        evidence = by_unit(plan, base.evidence.values())
        rival = refuted_by_leg(plan, evidence, base.claim.leg(change.dropped))
        if rival and _stands(base, change.dropped):
            return f"the other legs pay for every clause; it alone refutes the rival {rival!r}"
    if change.turned and _stands(base, change.turned, paid=False):
        return "the other legs close the optimum from both sides"
    return ""


def _stands(base: Baseline, name: str, *, paid: bool = True) -> bool:
    """Whether the claim is worth as much without a leg, and without the rivals of that leg; where it is not
    ``paid``, whatever the leg pays for (one that is turned to another side still does)."""
    rest_of = replace(
        base.claim,
        legs=tuple(lg for lg in base.claim.legs if lg.name != name),
        rivals=tuple(r for r in base.claim.rivals if r.leg != name),
    )
    if not paid:
        rest_of = replace(rest_of, covers=(), clauses=())
    try:
        plan = make_plan(rest_of, base.settings)
    except UserError:  # what the leg gives is missing
        return False
    rest = _Trial(base, plan, frozenset())
    if any(rest.look_at(units, True) for units in (plan.units, plan.attack)):
        return False
    return rest.told() is None


def alike(now: Observation, before: Observation) -> bool:
    """Whether two observations say the same: equal data, or enclosures that overlap where not both are exact,
    so that only rounding went another way. A proof, and what moves a certificate, are data as well."""
    if content(now) == content(before):
        return True
    if now.status != "ok" or before.status != "ok" or now.samples or now.references:
        return False
    pairs = list(_paired(now, before))
    same_shape = [len(r) for r in now.values] == [len(r) for r in before.values]
    rest = {content(replace(o, values=(), detail=_judged(o.detail))) for o in (now, before)}
    return same_shape and len(rest) == 1 and all(itertools.starmap(_overlap, pairs))


def _judged(detail: Detail) -> Detail:
    """The part of an observation's detail that a verdict may rest on: neither its working precision nor what
    is drawn or said of it beside the verdict."""
    return structs.replace(detail, bits=UNSET, zeros=UNSET, panels=UNSET)


def _paired(now: Observation, before: Observation) -> Iterator[tuple[Value, Value]]:
    for mine, other in zip(now.values, before.values, strict=False):
        yield from zip(mine, other, strict=False)


def _overlap(mine: Value, other: Value) -> bool:
    both_exact = mine.enclosure.exact and other.enclosure.exact
    return mine == other or (not both_exact and mine.enclosure.intersects(other.enclosure))


def content(observation: Observation) -> str:
    """What an observation saw, without the time that it took and what going on with it would need."""
    seen = structs.replace(observation.detail, going=UNSET, drawn=UNSET, assumptions=UNSET)
    data = replace(observation, detail=seen, seconds=0.0).to_json()
    return json.dumps(data, sort_keys=True, default=str)
