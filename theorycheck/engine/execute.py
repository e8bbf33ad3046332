"""Execute one claim: observe what its plan asks for, judge, and pursue a fail.

This is what a worker does. Observations already in the store are taken from there; sampling that was
not decided continues its stream. A fail is confirmed on a stream of its own and shrunk to a simpler
point before it is reported.
"""

from __future__ import annotations

import itertools
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from theorycheck.arrays.backends import select
from theorycheck.claims.figures import point_of
from theorycheck.claims.model import PROFILES, Claim, Leg, apply, rival_leg
from theorycheck.evidence.checkpoints import Checkpoints
from theorycheck.evidence.observation import FIGURE, Observation
from theorycheck.evidence.observe import (
    Enough,
    NotRememberedError,
    Surroundings,
    instance_count,
    key_of,
    observe,
    observe_figure,
)
from theorycheck.formulas import memo
from theorycheck.judge import (
    GOALS,
    Form,
    Judgement,
    Slots,
    confirming_points,
    decide_leg,
    judge,
    own_data,
    rival_points,
    rows_of,
    sharpened,
    slots,
)
from theorycheck.numbers.domain import Exact, point_key
from theorycheck.plan.settings import SAMPLES_LIMIT, Settings
from theorycheck.stats import AssumptionBroken

SHRINK_TRIES = 40
"""Simpler points tried after a fail; enough for every pair of small integers below (6, 6)."""


@dataclass
class Outcome:
    """A claim's observations and what was judged of them."""

    judgement: Judgement
    observations: list[Observation]
    seconds: float
    fresh: int = 0
    known: Mapping[str, Observation] = field(default_factory=dict)


Progress = Callable[[str, int, int], None]


def execute(
    claim: Claim,
    settings: Settings,
    known: Mapping[str, Observation] | None = None,
    progress: Progress | None = None,
    keep: Callable[[str, Observation], None] | None = None,
    recall: bool = False,
    suspects: Sequence[Mapping[str, Exact]] = (),
    checkpoints: Callable[[str], Checkpoints] | None = None,
    figures: bool = True,
) -> Outcome:
    """Observe and judge a claim.

    ``known``: observations by `evidence_key`, from the store or an interrupted run. ``keep`` is called
    with each fresh observation as soon as it is there. With ``recall`` nothing is simulated:
    NotRememberedError is raised as soon as something known does not suffice. ``suspects``: remembered
    counterexamples, tried where the grid finds nothing. ``checkpoints``: where the simulations of an
    observation are kept in between, by its `evidence_key`. Without ``figures`` only what is judged is
    made.
    """
    started = time.perf_counter()
    store = known or {}
    around = Surroundings(
        settings.seed, settings.profile, select(settings.device), SAMPLES_LIMIT[settings.profile]
    )
    share = slots(claim, settings.profile, settings.alpha)
    units = list(units_of(claim, settings.profile))
    observations: list[Observation] = []
    fresh = 0

    def fetch(unit: Unit) -> Observation:
        nonlocal fresh
        key = evidence_key(unit, settings)
        seen, is_new = _fetch(
            claim, unit, around, share, settings, store.get(key), key, keep, recall, checkpoints
        )
        fresh += is_new
        return seen

    for index, unit in enumerate(units):
        if progress is not None:
            progress(unit.key, index, len(units))
        seen = fetch(unit)
        observations.append(seen)
        if seen.status == "error":
            break

    def judged(diagnosing: bool = False) -> Judgement:
        return judge(
            claim,
            observations,
            alpha=settings.alpha,
            profile=settings.profile,
            diagnosing=diagnosing,
        )

    verdict = judged()
    suspected = list(_suspected(claim, suspects, settings.profile))
    if verdict.verdict == "pass" and suspected:
        observations += [fetch(unit) for unit in suspected]
        verdict = judged()
    if verdict.verdict == "fail":
        for unit in _pursuit(claim, verdict, settings.profile):
            seen = fetch(unit)
            if seen.status == "ok":
                observations.append(seen)
        verdict = judged(diagnosing=True)
    if figures and verdict.verdict != "error":
        for seen, made in _figures(claim, settings, around, store, keep, recall):
            observations.append(seen)
            fresh += made
    return Outcome(verdict, observations, time.perf_counter() - started, fresh)


def _figures(
    claim: Claim,
    settings: Settings,
    around: Surroundings,
    known: Mapping[str, Observation],
    keep: Callable[[str, Observation], None] | None,
    recall: bool,
) -> Iterator[tuple[Observation, bool]]:
    """What the claim's figures show under this profile, and whether it was made now."""
    for drawn in claim.figures:
        point = point_of(drawn, settings.profile, PROFILES)
        if point is None:
            continue
        key = f"{FIGURE}|{drawn.name}||{point_key(point)}"
        seen = known.get(key)
        if seen is not None:
            yield seen, False
            continue
        if recall:
            raise NotRememberedError
        seen = observe_figure(claim, drawn, point, around)
        if keep is not None:
            keep(key, seen)
        yield seen, True


@dataclass(frozen=True)
class Unit:
    """One observation to make."""

    leg: Leg
    point: Mapping[str, Exact]
    variant: str = ""
    purpose: str = "judge"
    claim: Claim | None = None
    rank: int = 1
    """Of a point found adaptively, from 1: its share of alpha falls with it."""

    @property
    def key(self) -> str:
        return key_of(self.leg, self.point, self.variant, self.purpose)


def _suspected(
    claim: Claim, suspects: Sequence[Mapping[str, Exact]], profile: str
) -> Iterator[Unit]:
    """Remembered counterexamples inside the domain that the first leg did not try anyway."""
    leg = claim.legs[0]
    if leg.arithmetic in ("samples", "proof"):
        return
    tried = {point_key(p) for p in claim.points(profile, leg)}
    for point in suspects:
        whole = set(point) == set(claim.domain)
        if whole and claim.admits(point) and point_key(point) not in tried:
            yield Unit(leg, point, purpose="suspect")


def units_of(claim: Claim, profile: str) -> Iterator[Unit]:
    """The units of a claim under a profile: its legs, rivals with data of their own, hypotheses."""
    for lg in claim.legs:
        for point in claim.points(profile, lg):
            yield Unit(lg, point)
    for rival in claim.rivals:
        lg = rival_leg(claim, rival)
        if own_data(rival.changes, rival.at):
            changed_claim, changed = apply(claim, rival)
            for at in rival_points(claim, rival.name, profile):
                yield Unit(changed, at, rival.name, claim=changed_claim)
    for h in claim.assumes:
        lg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        changed = replace(
            lg,
            simulation=h.simulation or lg.simulation,
            instances=h.instances or lg.instances,
        )
        for dropped in h.without:
            yield Unit(changed, dropped, f"without {h.name}")


def evidence_key(unit: Unit, settings: Settings) -> str:
    """Key of a unit's evidence: with all that it depends on in a run beside seed and device.

    A stream of samples is the same under every profile; drawn instances differ in number, and counts
    by bin cannot be cut to an earlier stop (`theorycheck.stats.evidence_at`).
    """
    if unit.leg.instances is not None:
        return f"{unit.key}|{instance_count(unit.leg.instances, settings.profile)} instances"
    if unit.leg.statistic is not None and unit.leg.statistic.kind == "quantile":
        return f"{unit.key}|{settings.profile} {settings.alpha!r}"
    return unit.key


def _fetch(
    claim: Claim,
    unit: Unit,
    around: Surroundings,
    share: Slots,
    settings: Settings,
    known: Observation | None,
    key: str,
    keep: Callable[[str, Observation], None] | None,
    recall: bool,
    checkpoints: Callable[[str], Checkpoints] | None,
) -> tuple[Observation, bool]:
    sampled = unit.leg.arithmetic == "samples"
    if known is not None and not sampled:
        return known, False
    made = False

    def kept(seen: Observation) -> None:
        nonlocal made
        made = True
        if keep is not None:
            keep(key, seen)

    seen = observe(
        claim,
        unit.leg,
        unit.point,
        around,
        variant=unit.variant,
        purpose=unit.purpose,
        enough=_enough(claim, unit, share, settings) if sampled else None,
        known=known,
        keep=kept,
        recall=recall,
        checkpoints=None if checkpoints is None else checkpoints(key),
    )
    return seen, made or seen.status == "error"


def _enough(claim: Claim, unit: Unit, share: Slots, settings: Settings) -> Enough:
    """Whether the confidence set at a point decides there: outside, or as sharp as asked for."""
    goal = sharpened(claim, GOALS[settings.profile], settings.profile)
    form = claim.form_of(unit.leg)
    compiled = None if form is None else Form(form)
    relation = claim.relation_of(unit.leg)
    alpha = _level(claim, unit, share, settings.profile)

    def enough(state: Any) -> bool:
        # In a context the stream is fixed, so that its length says what has been seen.
        key = (unit.key, str(state.n), repr(alpha), repr(goal))
        return bool(memo.remembered("enough", key, lambda: decided(state)))

    def decided(state: Any) -> bool:
        seen = Observation(
            leg=unit.leg.name,
            variant=unit.variant,
            purpose=unit.purpose,
            point=unit.point,
            arithmetic="samples",
            values=[[]],
            observed=[{}],
            scalars=[{}],
            state=state.to_json(),
            samples=1,
        )
        try:
            rows = rows_of(unit.leg, seen, compiled, alpha)
        except AssumptionBroken:  # more samples cannot mend it; the judge says so
            return True
        return relation.decide(rows, goal).verdict in ("pass", "fail")

    return enough


def _level(claim: Claim, unit: Unit, share: Slots, profile: str) -> float:
    """The error probability of a unit's confidence set, as `theorycheck.judge` takes it again."""
    if unit.purpose == "confirm":
        return share.confirm(len(confirming_points(claim, unit.leg, unit.point, profile)))
    return share.adaptive(unit.rank) if unit.purpose == "shrink" else share.point


def _pursuit(claim: Claim, verdict: Judgement, profile: str) -> Iterator[Unit]:
    """Confirming the counterexample on its own stream, then simpler points of the domain."""
    if verdict.failing is None:
        return
    name, row = verdict.failing
    leg = claim.leg(name)
    for point in confirming_points(claim, leg, row.point, profile):
        yield Unit(leg, point, purpose="confirm")
    if claim.relation_of(leg).pointwise:
        for rank, point in enumerate(simpler_points(claim, row.point), 1):
            yield Unit(leg, point, purpose="shrink", rank=rank)


def simpler_points(claim: Claim, point: Mapping[str, Exact]) -> list[dict[str, Exact]]:
    """Points of the domain, simplest first, none larger than the given one in any parameter."""
    columns: list[list[Exact]] = []
    for name, value in point.items():
        domain = claim.domain.get(name)
        if domain is None or not isinstance(value, int) or not domain.numeric:
            columns.append([value])
            continue
        smaller = itertools.takewhile(partial(operator.ne, value), domain.members())
        ints = [v for v in itertools.islice(smaller, 12) if isinstance(v, int)]
        columns.append([*(v for v in ints if abs(v) <= abs(value)), value])
    names = list(point)
    candidates = [dict(zip(names, c, strict=True)) for c in itertools.product(*columns)]
    inside = [c for c in candidates if claim.admits(c) and point_key(c) != point_key(point)]
    return sorted(inside, key=_size)[:SHRINK_TRIES]


def _size(point: Mapping[str, Exact]) -> tuple[int, list[int]]:
    sizes = [abs(v) for v in point.values() if isinstance(v, int)]
    return sum(sizes), sizes


__all__ = ["Outcome", "Settings", "Unit", "decide_leg", "execute", "units_of"]
