"""The plan of a claim: one enumeration of what is to be observed, made once from claim and settings.

``make_plan(claim, settings)`` holds the units that are observed before anything is seen. What is
observed after a look (`suspected`, `confirming`, `shrinking`) are further units, as much functions of
the plan and of where a fail was found as the first ones are of the claim: whoever judges kept
observations again finds the same keys and levels.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from theorycheck.claims.figures import point_of
from theorycheck.claims.functions import PROFILES
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.formulas.closed_form import Form
from theorycheck.numbers.domain import Exact, point_key
from theorycheck.plan import attack
from theorycheck.plan.budget import ErrorBudget
from theorycheck.plan.keys import (
    CLAIM,
    Owner,
    OwnerKind,
    Purpose,
    UnitKey,
    by_value,
    hypothesis,
    rival,
)
from theorycheck.plan.owners import leg_of, owned, shares_program
from theorycheck.plan.profiles import instance_count, own_target, samples_limit
from theorycheck.plan.settings import LOOKS, Settings
from theorycheck.plan.stopping import StopRule
from theorycheck.plan.targets import REACHED, target_of
from theorycheck.plan.units import FigureUnit, Unit
from theorycheck.relations.base import TargetResolutions

EXAMINED = 128
"""Blocks, if the budget of samples allows as many. With a part of their randomness in common that makes their
means r times as variable, 64 pairs of blocks give about 64 (r - 1 - log r)/2 nats of evidence: enough from
r = 3 on. Below that a false fail needs two independent deviations of four standard errors."""

SHRINK_TRIES = 40
"""Simpler points tried after a fail; enough for every pair of small integers below (6, 6)."""


@dataclass(frozen=True)
class Plan:
    """What is to be observed of a claim under settings, with target resolutions and error budget."""

    claim: Claim
    settings: Settings
    budget: ErrorBudget
    target: TargetResolutions
    units: tuple[Unit, ...]
    figures: tuple[FigureUnit, ...] = ()
    attack: tuple[Unit, ...] = ()
    """Required points of the engine's own choice, looked at where the others let the claim pass."""
    far: tuple[tuple[Unit, ...], ...] = ()
    """Points far out, which only refute: ladders of them, each left where a point is not reached."""
    _labelled: Mapping[str, Owner] = field(default_factory=dict, repr=False, compare=False)

    def owner_of(self, label: str) -> Owner:
        """Who is called so in files of earlier versions, which kept nothing but the label."""
        return self._labelled.get(label, Owner(OwnerKind.LABELLED, label))

    def target_for(self, leg: Leg) -> TargetResolutions:
        """Target resolutions of a leg: its own, else the claim's."""
        return target_of(self.claim, self.settings.profile, leg)

    def unit(
        self,
        leg: Leg,
        point: Mapping[str, Exact],
        *,
        purpose: Purpose = Purpose.JUDGE,
        owner: Owner = CLAIM,
        level: float | None = None,
    ) -> Unit:
        """A unit of this plan; ``level``: of its confidence set, that of a point of the grid by default."""
        key = UnitKey.of(purpose, owner, leg.name, point)
        used = self.budget.point if level is None else level
        return _unit(self.claim, self.settings, key, leg, point, used)

    def unit_of(self, key: UnitKey, leg: Leg, point: Mapping[str, Exact]) -> Unit:
        """The unit of a key that was observed: an attack has instances of its own."""
        planned = (*self.units, *self.attack, *itertools.chain(*self.far))
        again = self.unit(leg, point, purpose=key.purpose, owner=key.owner)
        return next((u for u in planned if u.key == key), again)


def make_plan(claim: Claim, settings: Settings) -> Plan:
    """The plan of a claim; nothing is run."""
    profile = settings.profile
    bare = Plan(
        claim,
        settings,
        error_budget(claim, settings),
        target_of(claim, profile),
        (),
        tuple(_figures(claim, profile)),
        _labelled={owner.label: owner for owner in _owners(claim)},
    )
    return replace(
        bare,
        units=tuple(bare.unit(lg, at, owner=owner) for owner, lg, at in owned(claim, profile)),
        attack=tuple(_attack(bare)),
        far=tuple(
            tuple(_attacking(bare, lg, chosen.point, Purpose.FAR) for chosen in ladder)
            for lg in claim.legs
            for ladder in attack.far(claim, lg, profile)
        ),
    )


def error_budget(claim: Claim, settings: Settings) -> ErrorBudget:
    """The error budget of a claim: its share of alpha, divided among the sampled units of its plan."""
    profile = settings.profile
    asked = owned(claim, profile)
    sampled = [lg for lg in claim.legs if lg.arithmetic.sampled]
    attacks = sum(
        len(attack.required(claim, lg, profile)) + sum(map(len, attack.far(claim, lg, profile)))
        for lg in sampled
    )
    return ErrorBudget(settings.alpha, sum(lg.arithmetic.sampled for _, lg, _ in asked), attacks)


def _attack(plan: Plan) -> Iterator[Unit]:
    """Required points of every leg, and special instances at its first point."""
    claim, profile = plan.claim, plan.settings.profile
    for lg in claim.legs:
        for chosen in attack.required(claim, lg, profile):
            yield _attacking(plan, lg, chosen.point, Purpose.ATTACK)
        if attack.takes_special_instances(claim, lg):
            first = claim.points(profile, lg)[0]
            yield _special(_attacking(plan, lg, first, Purpose.ATTACK), profile)


def _attacking(plan: Plan, leg: Leg, point: Mapping[str, Exact], purpose: Purpose) -> Unit:
    """A unit at a point of the engine's own choice: few instances, no more samples than a first look."""
    unit = plan.unit(leg, point, purpose=purpose, level=plan.budget.attack)
    drawn = min(unit.instances, attack.INSTANCES)
    limit = min(unit.limit, LOOKS[PROFILES[0]].samples)
    work = attack.FAR_WORK[plan.settings.profile] if purpose is Purpose.FAR else 0
    qualifiers = _qualifiers(leg, drawn, plan.settings) + (({"work": work},) if work else ())
    return replace(unit, instances=drawn, limit=limit, work=work, qualifiers=qualifiers)


def _special(unit: Unit, profile: str) -> Unit:
    """The same with special instances beside the one that they are made from."""
    number = attack.SPECIAL_INSTANCES[profile]
    qualifiers = (*unit.qualifiers, {"special": number})
    return replace(unit, instances=1, special=number, qualifiers=qualifiers)


def suspected(plan: Plan, points: Sequence[Mapping[str, Exact]]) -> list[Unit]:
    """Counterexamples of earlier runs inside the domain that the first leg does not try anyway."""
    claim, leg = plan.claim, plan.claim.legs[0]
    if leg.arithmetic.sampled or leg.arithmetic.proves:
        return []
    tried = {point_key(p) for p in claim.points(plan.settings.profile, leg)}
    return [
        plan.unit(leg, point, purpose=Purpose.SUSPECT)
        for point in points
        if set(point) == set(claim.domain)
        and claim.admits(point, leg)
        and point_key(point) not in tried
    ]


def confirming(
    plan: Plan,
    leg: Leg,
    point: Mapping[str, Exact],
    seen: Purpose = Purpose.JUDGE,
    owner: Owner = CLAIM,
) -> list[Unit]:
    """Where a fail at ``point`` is observed again: a law is refuted by its sweep, not by one point. What
    an attack has ``seen``, or what lies among the instances of a rival or of a dropped hypothesis
    (``owner``), is looked at with the same instances."""
    if owner != CLAIM:
        own = leg_of(plan.claim, owner, leg.name)
        level = plan.budget.confirm(1)
        return [plan.unit(own, point, purpose=Purpose.CONFIRM, owner=owner, level=level)]
    if seen in (Purpose.ATTACK, Purpose.FAR):
        found = UnitKey.of(seen, CLAIM, leg.name, point)
        (unit,) = (u for u in (*plan.attack, *itertools.chain(*plan.far)) if u.key == found)
        return [_again(plan, unit)]
    alone = plan.claim.relation_of(leg).pointwise
    points = [dict(point)] if alone else plan.claim.points(plan.settings.profile, leg)
    level = plan.budget.confirm(len(points))
    return [plan.unit(leg, p, purpose=Purpose.CONFIRM, level=level) for p in points]


def _again(plan: Plan, unit: Unit) -> Unit:
    """A unit of the attack once more, on the confirming stream where it is sampled."""
    again = plan.unit(unit.leg, unit.point, purpose=Purpose.CONFIRM, level=plan.budget.confirm(1))
    return replace(
        again, instances=unit.instances, special=unit.special, qualifiers=unit.qualifiers
    )


def examining(plan: Plan, leg: Leg, point: Mapping[str, Exact]) -> list[Unit]:
    """Blocks by which the sampling at a fail is examined: nothing is judged of them but whether they are
    independent and as tame as declared. A fail may rest on a block or two, which cannot show that."""
    if not leg.arithmetic.sampled:
        return []
    unit = plan.unit(leg, point, purpose=Purpose.EXAMINE, level=plan.budget.examining)
    return [replace(unit, limit=min(unit.limit, EXAMINED * leg.block), stop=None)]


def shrinking(plan: Plan, leg: Leg, point: Mapping[str, Exact]) -> list[Unit]:
    """Simpler points tried after a fail at ``point``, each at its own level; none for a law."""
    if not plan.claim.relation_of(leg).pointwise:
        return []
    return [
        plan.unit(leg, p, purpose=Purpose.SHRINK, level=plan.budget.adaptive(rank))
        for rank, p in enumerate(simpler_points(plan.claim, leg, point), 1)
    ]


def simpler_points(claim: Claim, leg: Leg, point: Mapping[str, Exact]) -> list[dict[str, Exact]]:
    """Points of which the leg speaks, simplest first, none larger than the given one in any parameter."""
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
    inside = [c for c in candidates if claim.admits(c, leg) and point_key(c) != point_key(point)]
    return sorted(inside, key=_size)[:SHRINK_TRIES]


def _size(point: Mapping[str, Exact]) -> tuple[int, list[int]]:
    sizes = [abs(v) for v in point.values() if isinstance(v, int)]
    return sum(sizes), sizes


def _owners(claim: Claim) -> Iterator[Owner]:
    yield CLAIM
    yield from (rival(r.name) for r in claim.rivals)
    yield from (hypothesis(h.name) for h in claim.assumes)


def _figures(claim: Claim, profile: str) -> Iterator[FigureUnit]:
    for drawn in claim.figures:
        point = point_of(drawn, profile, PROFILES)
        if point is not None:
            key = UnitKey.of(Purpose.FIGURE, Owner(OwnerKind.FIGURE), drawn.name, point)
            yield FigureUnit(key, drawn, point)


def _unit(
    claim: Claim,
    settings: Settings,
    key: UnitKey,
    leg: Leg,
    point: Mapping[str, Exact],
    level: float,
) -> Unit:
    drawn = 0 if leg.instances is None else instance_count(leg.instances, settings.profile)
    among = None
    if leg.instances is not None and shares_program(claim, key.owner):
        among = claim.leg(leg.name).instances
    if not leg.arithmetic.sampled or leg.statistic is None:
        qualifiers = _qualifiers(leg, drawn, settings)
        others = _beside(claim, settings, key, leg)
        beside = tuple(lg.simulation for lg in others)
        built = tuple(lg.simulation for lg in others if lg.side == "attained")
        return Unit(
            key,
            leg,
            point,
            level,
            drawn,
            0,
            None,
            qualifiers,
            among=among,
            beside=beside,
            built=built,
        )
    form = claim.form_of(leg)
    stop: StopRule | None = StopRule(
        key.text(),
        point,
        leg.statistic,
        claim.relation_of(leg),
        None if form is None else Form(form),
        leg.unit,
        leg.rung,
        level,
        target_of(claim, settings.profile, leg),
    )
    if own_target(leg, settings.profile) == REACHED:
        stop = None  # all that there are
    limit = samples_limit(leg, settings.profile, LOOKS[settings.profile].samples)
    qualifiers = _qualifiers(leg, drawn, settings)
    return Unit(key, leg, point, level, drawn, limit, stop, qualifiers)


def _beside(claim: Claim, settings: Settings, key: UnitKey, leg: Leg) -> tuple[Leg, ...]:
    """Of a certificate at the points of the smallest profile: the legs that measure what it bounds. All of these
    points, since at one alone, at k = 1 say, a changed model may come to the same."""
    if leg.side != "certificate" or key.purpose is not Purpose.JUDGE or key.owner != CLAIM:
        return ()
    looked_at = claim.points(PROFILES[0], leg) or claim.points(settings.profile, leg)[:1]
    if key.point not in {by_value(point) for point in looked_at}:
        return ()
    return tuple(lg for lg in claim.legs if lg.side != "certificate" and not lg.arithmetic.proves)


def _qualifiers(leg: Leg, drawn: int, settings: Settings) -> tuple[Any, ...]:
    return (*_drawn(leg, drawn), *_counted(leg, settings))


def _drawn(leg: Leg, count: int) -> tuple[Any, ...]:
    """Drawn instances differ in number from profile to profile."""
    return () if leg.instances is None else ({"instances": count},)


def _counted(leg: Leg, settings: Settings) -> tuple[Any, ...]:
    """A stream of samples is the same under every profile, but counts by bin cannot be cut to an earlier
    stop (`theorycheck.stats.evidence_at`)."""
    if leg.statistic is None or leg.statistic.kind != "quantile":
        return ()
    return ({"profile": settings.profile, "alpha": repr(settings.alpha)},)
