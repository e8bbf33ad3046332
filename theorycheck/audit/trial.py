"""One trial: is a change of a claim's code, or of its declaration, noticed by its evidence?

Observations are compared before anything is judged: evidence that is the same is judged the same, and a
change that moves none of it had no effect at the points tried. Rivals keep the data that they had: they
are wrong on purpose, and what is asked here is whether the claim still passes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from theorycheck.audit.changed import ChangedModuleError, claims_with
from theorycheck.claims.model import Claim
from theorycheck.evidence.cached import InMemory
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.judge import Judgement, judge
from theorycheck.library.loading import Loaded
from theorycheck.numbers.errors import UserError
from theorycheck.plan.keys import OwnerKind
from theorycheck.plan.plan import Plan, make_plan
from theorycheck.plan.settings import Settings


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
    """The claim was looked at outside of its declared domain, and holds there as well."""
    UNREACHED = "unreached"
    """The time was over before."""


NOTICED = frozenset({TrialResult.NOTICED, TrialResult.BROKEN, TrialResult.RUNAWAY})


@dataclass(frozen=True)
class Finding:
    """What became of a change, by the claim that says most about it. ``why``: one line."""

    found: TrialResult
    claim: str = ""
    why: str = ""


@dataclass(frozen=True)
class Baseline:
    """A claim as it is: its evidence under settings, and what was judged of it."""

    item: Loaded
    settings: Settings
    evidence: Mapping[str, Observation]
    judgement: Judgement

    @property
    def claim(self) -> Claim:
        return self.item.claim

    def seconds(self, legs: frozenset[str]) -> float:
        """What the observations of these legs took."""
        return sum(o.seconds for o in self.evidence.values() if o.leg in legs)


def baseline(item: Loaded, settings: Settings) -> Baseline:
    """Observe and judge a claim as it is; nothing is written."""
    plan = make_plan(item.claim, settings)
    evidence = InMemory()
    context = ObservationContext.of(plan)
    seen = {unit.evidence_key: observe(unit, context, evidence) for unit in plan.units}
    return Baseline(item, settings, seen, judge(plan, list(seen.values())))


def source_trial(
    file: Path, text: str, touched: Sequence[tuple[Baseline, frozenset[str]]]
) -> Finding:
    """The claims of ``touched``, cheapest first, with ``text`` in place of ``file``; of each the legs that
    reach the change are observed anew. The first claim that notices ends the trial.

    For a process of its own: modules stay changed.
    """
    order = sorted(touched, key=lambda t: t[0].seconds(t[1]))
    try:
        changed = claims_with(file, text, [b.item for b, _ in order])
    except ChangedModuleError as error:
        return Finding(TrialResult.BROKEN, "", str(error))
    best = Finding(TrialResult.NO_EFFECT)
    for base, legs in order:
        if base.item.id not in changed:
            return Finding(TrialResult.BROKEN, base.item.id, "the claim is gone")
        found = compared(base, changed[base.item.id], legs)
        if found.found in NOTICED:
            return found
        if _RANK[found.found] > _RANK[best.found]:
            best = found
    return best


_RANK = {TrialResult.NO_EFFECT: 0, TrialResult.SLACK: 1, TrialResult.SURVIVED: 2}


def compared(base: Baseline, claim: Claim, legs: frozenset[str]) -> Finding:
    """A changed claim against its baseline; only ``legs`` are observed anew."""
    try:
        plan = make_plan(claim, base.settings)
    except UserError as error:  # the claim as changed is refused
        return Finding(TrialResult.BROKEN, claim.id, str(error))
    seen, moved = _observed(base, plan, legs)
    broken = next((o for o in seen if o.status == "error"), None)
    if broken is not None and broken.status != _status(base, broken):
        return Finding(TrialResult.BROKEN, claim.id, broken.message)
    if not moved:
        return Finding(TrialResult.NO_EFFECT, claim.id, f"the same at all {len(seen)} points tried")
    verdict = judge(plan, seen)
    if signature(verdict) != signature(base.judgement):
        return Finding(TrialResult.NOTICED, claim.id, f"{verdict.verdict}: {verdict.reason}")
    return _surviving(plan, verdict)


def signature(judgement: Judgement) -> Any:
    """What a reader would see change: the verdict, and of a fail its counterexample."""
    found = judgement.counterexample
    if judgement.verdict != "fail" or found is None:
        return judgement.verdict
    return judgement.verdict, json.dumps(found.get("point"), default=str), found.get("lhs")


def declared_trial(base: Baseline, claim: Claim, legs: frozenset[str]) -> Finding:
    """A claim whose declaration was changed: always judged, since the same evidence may say another thing.
    ``legs`` are observed anew; points that the change let in are observed in any case."""
    try:
        plan = make_plan(claim, base.settings)
    except UserError as error:  # the claim as changed is refused
        return Finding(TrialResult.BROKEN, claim.id, str(error))
    seen, _ = _observed(base, plan, legs)
    broken = next((o for o in seen if o.status == "error"), None)
    if broken is not None:
        return Finding(TrialResult.BROKEN, claim.id, broken.message)
    verdict = judge(plan, seen)
    if signature(verdict) != signature(base.judgement):
        return Finding(TrialResult.NOTICED, claim.id, f"{verdict.verdict}: {verdict.reason}")
    outside = [
        o for o in seen if o.owner.kind is OwnerKind.CLAIM and not base.claim.admits(o.point)
    ]
    if outside:
        why = f"holds at {len(outside)} points outside of the declared domain as well"
        return Finding(TrialResult.BEYOND, claim.id, why)
    return Finding(TrialResult.SURVIVED, claim.id, f"still {verdict.verdict}")


def _surviving(plan: Plan, verdict: Judgement) -> Finding:
    """A pass in spite of changed evidence: within the slack of a bound, or simply unnoticed."""
    required = [lg for lg in plan.claim.legs if lg.required]
    slack = verdict.tightness
    if slack is not None and all(plan.claim.relation_of(lg).one_sided for lg in required):
        return Finding(
            TrialResult.SLACK,
            plan.claim.id,
            f"one-sided, tightness {slack.get('value', slack)!s:.60}",
        )
    return Finding(TrialResult.SURVIVED, plan.claim.id, f"still {verdict.verdict}")


def _observed(base: Baseline, plan: Plan, legs: frozenset[str]) -> tuple[list[Observation], bool]:
    """Evidence for the plan, and whether any of it differs from the baseline's. Ends at the first error."""
    evidence, context = InMemory(), ObservationContext.of(plan)
    seen: list[Observation] = []
    moved = False
    for unit in plan.units:
        before = base.evidence.get(unit.evidence_key)
        own = unit.key.owner.kind is OwnerKind.CLAIM
        if before is not None and not (own and unit.leg.name in legs):
            seen.append(before)
            continue
        now = observe(unit, context, evidence)
        moved = moved or before is None or content(now) != content(before)
        seen.append(now)
        if now.status == "error":
            break
    return seen, moved


def content(observation: Observation) -> str:
    """What an observation saw, without the time that it took."""
    data = observation.to_json()
    data.pop("seconds")
    return json.dumps(data, sort_keys=True, default=str)


def _status(base: Baseline, observation: Observation) -> str:
    same = (o for o in base.evidence.values() if o.key == observation.key)
    return next((o.status for o in same), "ok")
