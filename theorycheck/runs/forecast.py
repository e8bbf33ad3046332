"""What a run would take, and what it could tell apart, before anything runs.

Points, instances and samples are read off the claims. Seconds and memory are what the same claim took
before under the same profile, or under another one and scaled by the work; a claim that never ran is
listed as unknown. What a budget can tell apart is a forecast from typical data at the point where that
is hardest (`theorycheck.stats.samples_needed`): no guarantee, and no verdict rests on it.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from theorycheck import stats
from theorycheck.claims.functions import PROFILES
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.evidence.cached import CachedOnly, CacheMiss, Evidence
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.evidence.store import Store, open_store
from theorycheck.executors import in_bytes
from theorycheck.executors.cached import evidence_of_item
from theorycheck.formulas.closed_form import Form
from theorycheck.library.loading import Loaded
from theorycheck.numbers.errors import Absent
from theorycheck.plan.keys import CLAIM
from theorycheck.plan.plan import Plan, make_plan
from theorycheck.plan.settings import Settings
from theorycheck.plan.units import Unit

SAMPLE_WORK = 1e-4
"""Work of a sample against that of a deterministic observation, for scaling from another profile: a
block of a thousand takes about a tenth of what an exact point takes."""


@dataclass(frozen=True)
class LegPlan:
    """A leg under a profile. ``samples``: the largest number at a point; ``needed``: the number at
    which the target resolution is expected, None where that is out of reach or not a matter of samples.
    """

    name: str
    arithmetic: str
    points: int
    instances: int
    samples: int
    target: float
    needed: int | None
    hardest: str
    tells_apart: str


@dataclass(frozen=True)
class ClaimPlan:
    """A claim under a profile. ``seconds`` is None where nothing is known of it; ``basis`` says where
    it comes from. ``cached``: observations, of ``observations``, that need not be made again; ``seconds``
    and ``samples`` (at most) are those of what is left."""

    id: str
    source: str
    observations: int
    cached: int
    samples: int
    seconds: float | None
    memory: int | None
    basis: str
    legs: tuple[LegPlan, ...]


def plan(chosen: Sequence[Loaded], settings: Settings, store: Path | None) -> list[ClaimPlan]:
    """The plan of a run, claim by claim; nothing is simulated."""
    with open_store(store) as cache:
        costs = {p: cache.costs(_under(settings, p)) for p in PROFILES}
        return [_claim(item, settings, cache, costs) for item in chosen]


def _under(settings: Settings, profile: str) -> Settings:
    return replace(settings, profile=profile)


def _claim(
    item: Loaded,
    settings: Settings,
    store: Store,
    costs: Mapping[str, Mapping[str, tuple[float, int | None]]],
) -> ClaimPlan:
    claim = item.claim
    made = make_plan(claim, settings)
    there, left = _left(made, evidence_of_item(item, settings, store))
    legs = tuple(_leg(made, lg) for lg in claim.legs)
    seconds, memory, basis = _cost(claim, settings, costs)
    if not left:
        seconds, basis = 0.0, "cached"
    elif there and seconds is not None:
        whole = [*made.units, *_beyond(made)]
        seconds *= min(_work(left) / max(_work(whole), 1e-9), 1.0)
        basis += ", less what is cached"
    return ClaimPlan(
        claim.id,
        item.source,
        len(made.units),
        there,
        sum(unit.limit for unit in left),
        seconds,
        memory,
        basis,
        legs,
    )


def _beyond(made: Plan) -> list[Unit]:
    """What follows a pass on the grid: required and far points, of a claim that is not said to be false."""
    if made.claim.expect == "fail":
        return []
    return [*made.attack, *itertools.chain(*made.far)]


def _left(made: Plan, evidence: Evidence) -> tuple[int, list[Unit]]:
    """How many units of the plan are cached, and what is left to be made, as the run itself would find it: a
    stream that a shorter profile ended is there only where this one would end it as well."""
    try:
        recalled = partial(_recalled, ObservationContext.of(made), CachedOnly(evidence))
    except Absent:
        return 0, list(made.units)
    left = [unit for unit in made.units if recalled(unit) is None]
    there = len(made.units) - len(left)
    if left or made.claim.expect == "fail":
        return there, left
    left = [unit for unit in made.attack if recalled(unit) is None]
    for ladder in made.far:
        for unit in ladder:
            seen = recalled(unit)
            if seen is None:
                left.append(unit)
            if seen is None or seen.status != "ok":
                break
    return there, left


def _recalled(context: ObservationContext, evidence: Evidence, unit: Unit) -> Observation | None:
    try:
        return observe(unit, context, evidence)
    except CacheMiss:
        return None


def _cost(
    claim: Claim,
    settings: Settings,
    costs: Mapping[str, Mapping[str, tuple[float, int | None]]],
) -> tuple[float | None, int | None, str]:
    """As measured under the same profile, else under the nearest other one, scaled by the work."""
    mine = PROFILES.index(settings.profile)
    for profile in sorted(PROFILES, key=lambda p: abs(PROFILES.index(p) - mine)):
        if claim.id in costs[profile]:
            seconds, memory = costs[profile][claim.id]
            if profile == settings.profile:
                return seconds, memory, "measured"
            there = _under(settings, profile)
            works = [_work(make_plan(claim, under).units) for under in (settings, there)]
            ratio = works[0] / max(works[1], 1e-9)
            return seconds * ratio, memory, f"scaled from {profile}"
    return None, None, "never run"


def _work(units: Iterable[Unit]) -> float:
    return math.fsum(
        SAMPLE_WORK * unit.limit if unit.limit else unit.instances or 1 for unit in units
    )


def _leg(made: Plan, leg: Leg) -> LegPlan:
    """A leg's part of the plan; those of rivals and hypotheses are the claim's as a whole."""
    units = [u for u in made.units if u.key.owner == CLAIM and u.key.leg == leg.name]
    sampled = leg.arithmetic.sampled
    target = made.target_for(leg).sampled if sampled else made.target.exact
    limit = max((u.limit for u in units), default=0)
    needed, hardest, tells = None, "", leg.arithmetic.tells_apart(target)
    if sampled:
        points = [u.point for u in units]
        needed, hardest, tells = _forecast(
            made.claim, leg, points, target, limit, made.budget.point
        )
    return LegPlan(
        leg.name,
        leg.arithmetic.name,
        len(units),
        max((u.instances for u in units), default=0),
        limit,
        target,
        needed,
        hardest,
        tells,
    )


def _forecast(
    claim: Claim,
    leg: Leg,
    points: Sequence[Mapping[str, Any]],
    target: float,
    limit: int,
    alpha: float,
) -> tuple[int | None, str, str]:
    """Samples expected to reach the target at the point where the closed form is smallest."""
    sizes = [(abs(c), c, point) for point in points if (c := _value(claim, leg, point)) is not None]
    sizes = [s for s in sizes if s[0] > 0]
    if not sizes or leg.statistic is None or leg.statistic.kind == "quantile":
        return None, "", "not forecast"
    size, centre, point = min(sizes, key=lambda s: s[0])
    where = ", ".join(f"{k}={v}" for k, v in point.items())
    unit = 1.0 if leg.unit is not None else size
    tail = leg.statistic.at(point).start().tail
    try:
        needed = stats.samples_needed(tail, alpha, target * unit, mean=centre)
    except ValueError:  # a closed form that the declared range rules out: the run will refute it
        return None, where, "impossible under the declared range"
    if needed is None:
        return None, where, f"not {target:.1g} with any budget"
    # Intervals shrink like one over the square root of the number of samples.
    finest = target * math.sqrt(needed / limit)
    if needed <= limit:
        return needed, where, f"{target:.1g} from {_count(needed)} samples"
    return needed, where, f"about {finest:.1g}; {target:.1g} would need {_count(needed)} samples"


def _value(claim: Claim, leg: Leg, point: Mapping[str, Any]) -> float | None:
    """The closed form at a point as a float, where it depends on nothing but parameters."""
    form = claim.form_of(leg)
    if form is None or leg.instances is not None or leg.observed:
        return None
    evaluated = Form(form).at(point)
    if len(evaluated) != 1:
        return None
    if evaluated[0].exact is not None:
        return float(evaluated[0].exact.p) / float(evaluated[0].exact.q)
    return None if evaluated[0].ball is None else float(evaluated[0].ball.mid())


@dataclass(frozen=True)
class PlanTotals:
    """Sums over the claims. ``seconds_with_workers``: the time that so many would take; ``unknown``: claims
    of which nothing is known; ``memory``: bytes, of the largest."""

    claims: int
    observations: int
    cached: int
    samples: int
    seconds: float
    seconds_with_workers: float
    unknown: int
    memory: int


def totals(plans: Sequence[ClaimPlan], workers: int) -> PlanTotals:
    """Sums over the claims, and the time that so many workers would take."""
    seconds = [p.seconds for p in plans if p.seconds is not None]
    return PlanTotals(
        claims=len(plans),
        observations=sum(p.observations for p in plans),
        cached=sum(p.cached for p in plans),
        samples=sum(p.samples for p in plans),
        seconds=math.fsum(seconds),
        seconds_with_workers=max([math.fsum(seconds) / workers, *seconds], default=0.0),
        unknown=sum(p.seconds is None for p in plans),
        memory=max((p.memory or 0 for p in plans), default=0),
    )


def as_json(plans: Sequence[ClaimPlan], workers: int) -> str:
    """The plan as JSON: claim by claim, and the totals."""
    return json.dumps({"plan": [asdict(p) for p in plans], "total": asdict(totals(plans, workers))})


def render(plans: Sequence[ClaimPlan], workers: int) -> str:
    """The plan as a table for people."""
    head = f"{'claim':<42} {'points':>7} {'samples':>9} {'seconds':>9} {'memory':>9}  tells apart"
    lines = [head]
    for p in plans:
        seconds = "?" if p.seconds is None else f"{p.seconds:.2g}"
        memory = "?" if not p.memory else in_bytes(p.memory)
        first, *rest = [f"{lg.name}: {lg.tells_apart}" for lg in p.legs]
        lines.append(
            f"{p.id:<42} {p.observations:>7} {_count(p.samples):>9} {seconds:>9} {memory:>9}  {first}"
        )
        lines += [" " * (len(head) - len("tells apart")) + text for text in rest]
    total = totals(plans, workers)
    lines.append("")
    lines.append(
        f"{total.claims} claim{'s' * (total.claims != 1)}, {total.observations} observations "
        f"({total.cached} cached), at most {_count(total.samples)} samples to draw; "
        + _duration(total, workers)
    )
    return "\n".join(lines)


def _duration(total: PlanTotals, workers: int) -> str:
    unknown, claims = total.unknown, total.claims
    if unknown == claims:
        return "none of them ran here before: time and memory are unknown"
    hands = "1 worker" if workers == 1 else f"{workers} workers"
    known = f"about {total.seconds_with_workers:.2g} s with {hands}"
    if not unknown:
        return known
    return f"{known} for those that ran here before; time and memory of {unknown} are unknown"


def _count(n: int) -> str:
    """``400000`` as ``4e5``, small numbers as they are."""
    if n < 100_000:
        return str(n)
    mantissa, exponent = f"{n:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
