"""Execute one claim: observe what its plan asks for, judge, and pursue a fail.

This is what a worker does. Observations already in the store are taken from there; sampling that was
not decided continues its stream. A fail is confirmed on a stream of its own and shrunk to a simpler
point before it is reported.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from theorycheck.arrays.backends import select
from theorycheck.claims import Claim, Leg, apply, rival_leg
from theorycheck.domain import Exact, point_key
from theorycheck.judge import (
    GOALS,
    Form,
    Judgement,
    Slots,
    decide_leg,
    judge,
    own_data,
    rival_points,
    rows_of,
    sharpened,
    slots,
)
from theorycheck.observation import Observation
from theorycheck.observe import Enough, Surroundings, key_of, observe

SHRINK_TRIES = 40
"""Simpler points tried after a fail; enough for every pair of small integers below (6, 6)."""

SAMPLES_LIMIT = {"smoke": 20_000, "standard": 400_000, "deep": 10_000_000, "paper": 10_000_000}
"""Largest number of samples at a point unless the leg says otherwise: about a second, a minute and
an hour of cheap draws."""


@dataclass(frozen=True)
class Settings:
    """What a run fixes for every claim."""

    profile: str = "standard"
    seed: int = 0
    alpha: float = 1e-6
    device: str = "cpu"


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
) -> Outcome:
    """Observe and judge a claim.

    ``known``: observations by `key_of`, from the store or an interrupted run. ``keep`` is called with
    each fresh observation as soon as it is there.
    """
    started = time.perf_counter()
    store = dict(known or {})
    around = Surroundings(
        settings.seed, settings.profile, select(settings.device), SAMPLES_LIMIT[settings.profile]
    )
    share = slots(claim, settings.profile, settings.alpha)
    units = list(plan(claim, settings.profile))
    observations: list[Observation] = []
    fresh = 0
    for index, unit in enumerate(units):
        if progress is not None:
            progress(unit.key, index, len(units))
        seen, is_new = _fetch(claim, unit, around, share, settings, store)
        if is_new:
            fresh += 1
            if keep is not None:
                keep(unit.key, seen)
        observations.append(seen)
        if seen.status == "error":
            break
    verdict = judge(claim, observations, alpha=settings.alpha, profile=settings.profile)
    if verdict.verdict == "fail" and verdict.failing is not None:
        for unit in _pursuit(claim, verdict, settings.profile):
            seen, is_new = _fetch(claim, unit, around, share, settings, store)
            fresh += is_new
            if is_new and keep is not None:
                keep(unit.key, seen)
            if seen.status == "ok":
                observations.append(seen)
        verdict = judge(claim, observations, alpha=settings.alpha, profile=settings.profile)
    return Outcome(verdict, observations, time.perf_counter() - started, fresh)


@dataclass(frozen=True)
class Unit:
    """One observation to make."""

    leg: Leg
    point: Mapping[str, Exact]
    variant: str = ""
    purpose: str = "judge"
    claim: Claim | None = None

    @property
    def key(self) -> str:
        return key_of(self.leg, self.point, self.variant, self.purpose)


def plan(claim: Claim, profile: str) -> Iterator[Unit]:
    """The units of a claim under a profile: its legs, rivals with data of their own, hypotheses."""
    for lg in claim.legs:
        for point in claim.points(profile, lg):
            yield Unit(lg, point)
    for rival in claim.rivals:
        lg = rival_leg(claim, rival)
        if own_data(rival.changes, rival.at):
            changed_claim, changed = apply(claim, rival)
            for point in rival_points(claim, rival.name, profile):
                yield Unit(changed, point, rival.name, claim=changed_claim)
    for h in claim.assumes:
        lg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        changed = replace(
            lg,
            simulation=h.simulation or lg.simulation,
            instances=h.instances or lg.instances,
        )
        for point in h.without:
            yield Unit(changed, point, f"without {h.name}")


def _fetch(
    claim: Claim,
    unit: Unit,
    around: Surroundings,
    share: Slots,
    settings: Settings,
    store: Mapping[str, Observation],
) -> tuple[Observation, bool]:
    known = store.get(unit.key)
    sampled = unit.leg.arithmetic == "samples"
    if known is not None and known.status == "ok" and not sampled:
        return known, False
    enough = _enough(claim, unit, share, settings) if sampled else None
    seen = observe(
        claim,
        unit.leg,
        unit.point,
        around,
        variant=unit.variant,
        purpose=unit.purpose,
        enough=enough,
        known=known if known is not None and known.status == "ok" else None,
    )
    return seen, known is None or seen.samples != known.samples or seen.status != known.status


def _enough(claim: Claim, unit: Unit, share: Slots, settings: Settings) -> Enough:
    """Whether the confidence set at a point decides there: outside, or as sharp as asked for."""
    goal = sharpened(claim, GOALS[settings.profile], settings.profile)
    form = claim.form_of(unit.leg)
    compiled = None if form is None else Form(form)
    relation = claim.relation_of(unit.leg)
    alpha = share.confirm if unit.purpose != "judge" else share.point

    def enough(state: Any) -> bool:
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
        decision = relation.decide(rows_of(unit.leg, seen, compiled, alpha), goal)
        return decision.verdict in ("pass", "fail")

    return enough


def _pursuit(claim: Claim, verdict: Judgement, profile: str) -> Iterator[Unit]:
    """Confirming the counterexample on its own stream, then simpler points of the domain."""
    if verdict.failing is None:
        return
    name, row = verdict.failing
    leg = claim.leg(name)
    yield Unit(leg, row.point, purpose="confirm")
    for point in simpler_points(claim, row.point):
        yield Unit(leg, point, purpose="shrink")


def simpler_points(claim: Claim, point: Mapping[str, Exact]) -> list[dict[str, Exact]]:
    """Points of the domain, simplest first, none larger than the given one in any parameter."""
    columns: list[list[Exact]] = []
    for name, value in point.items():
        domain = claim.domain.get(name)
        if domain is None or not isinstance(value, int) or not domain.numeric:
            columns.append([value])
            continue
        smaller = itertools.takewhile(lambda v, top=value: v != top, domain.members())  # type: ignore[misc]
        ints = [v for v in itertools.islice(smaller, 12) if isinstance(v, int)]
        columns.append([v for v in ints if abs(v) <= abs(value)] + [value])
    names = list(point)
    candidates = [dict(zip(names, c, strict=True)) for c in itertools.product(*columns)]
    inside = [c for c in candidates if claim.admits(c) and point_key(c) != point_key(point)]
    return sorted(inside, key=_size)[:SHRINK_TRIES]


def _size(point: Mapping[str, Exact]) -> tuple[int, list[int]]:
    sizes = [abs(v) for v in point.values() if isinstance(v, int)]
    return sum(sizes), sizes


__all__ = ["Outcome", "Settings", "Unit", "decide_leg", "execute", "plan"]
