"""Counterexamples: both sides where a leg fails, whether the fail is found again on a fresh stream, and
the simplest point where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import convert
from msgspec.structs import replace

from theorycheck import balls, stats
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.entries.parts import Counterexample, Place
from theorycheck.evidence.observation import Observation
from theorycheck.judge.assumptions import broken
from theorycheck.judge.beyond import outside
from theorycheck.judge.judgement import Failing, Seen
from theorycheck.judge.legs import LegSeen, decide_leg
from theorycheck.judge.rows import measured_values
from theorycheck.numbers.domain import as_json, point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.owners import leg_of
from theorycheck.plan.plan import Plan, confirming, shrinking
from theorycheck.relations.base import Decision, Row, as_float


def counterexample(leg: Leg, row: Row, kind: str) -> Counterexample:
    """Both sides at the failing point, to the digits that show the difference."""
    digits = 12
    lhs = shown(row.measured, digits)
    rhs = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, digits)
    if row.expected.enclosure is not None:
        while lhs == rhs and digits < 60:
            digits += 12
            lhs, rhs = shown(row.measured, digits), shown(row.expected.enclosure, digits)
    return Counterexample(
        point=as_json(row.point),
        instance=row.instance,
        component=row.component,
        leg=leg.name,
        kind=kind,
        lhs=lhs,
        rhs=rhs,
    )


def proof_counterexample(refuted: LegSeen) -> Counterexample:
    """The witness that a proof by program found."""
    every = [p.counterexample for p in refuted.entry.proof]
    found = [witness for witness in every if witness is not None]
    leg = refuted.leg
    if found and isinstance(leg.simulation, TypedStatement):
        typed = convert(found[0], Counterexample)
        return replace(typed, leg=leg.name, confirmed=True, witness=None)
    witness = found[0] if found else None
    return Counterexample(
        leg=leg.name, confirmed=True, lhs=refuted.decision.reason, witness=witness
    )


def shown(e: Enclosure, digits: int) -> str:
    """``3/320``, ``0.0785674201319`` or ``[0.48, 0.52]``: never more digits than are known."""
    if e.exact:
        text = str(e.lo)
        return text if len(text) <= 40 else balls.to_decimal(e.lo, digits)
    size = max(abs(e.lo), abs(e.hi))
    if e.hi - e.lo > size / 1000:  # a confidence interval rather than a number
        return f"[{as_float(e.lo):.4g}, {as_float(e.hi):.4g}]"
    return balls.enclosure_str(e.to_ball(), digits)


def refuted_by(decision: Decision, rows: Sequence[Row]) -> str:
    """The deciding point with both sides there, in one line."""
    if decision.decisive is None or not rows:
        return decision.reason
    row = rows[decision.decisive]
    place = point_key(row.point) or "the only point"
    right = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, 6)
    return f"{place}: measured {shown(row.measured, 6)}, claimed {right}"


@dataclass(frozen=True)
class Confirmation:
    """What came of looking again at a fail. ``discordant``: what would settle it where it was not found
    again, "" where it was."""

    counterexample: Counterexample
    discordant: str = ""


def confirm(
    plan: Plan, evidence: Seen, failing: Failing, found: Counterexample
) -> Confirmation | None:
    """A fail must be met again, a sampled one on a stream of its own, any other at the same instances, else it
    is discordant. None where it was not looked for again."""
    name, row = failing.leg, failing.row
    claim, leg = plan.claim, plan.claim.leg(name)
    again = evidence.get((Purpose.CONFIRM, failing.owner, name), [])
    if not again:
        return None
    level = confirming(plan, leg, row.point, failing.purpose, failing.owner)[0].level
    own = leg if failing.owner == CLAIM else leg_of(claim, failing.owner, name)
    decision, _ = decide_leg(
        claim, own, again, level, plan.target_for(leg), among=failing.owner != CLAIM
    )
    if decision.verdict != "fail":
        return Confirmation(
            replace(found, confirmed=False),
            "a larger budget of samples" if leg.arithmetic.sampled else "code that repeats itself",
        )
    worst = Place(point=found.point, lhs=found.lhs, rhs=found.rhs)
    confirmed = replace(found, confirmed=True, worst=worst)
    for seen, at in shrunk(plan, leg, row, evidence):
        d, rows = decide_leg(claim, leg, [seen], at, plan.target_for(leg))
        # A point where a side is undefined is no simpler counterexample of a value.
        if d.verdict == "fail" and d.decisive is not None and d.kind == found.kind:
            if claim.expect == "fail" and outside(claim, leg, rows[d.decisive].inputs):
                continue
            simplest = counterexample(leg, rows[d.decisive], d.kind)
            shown_again = {"confirmed": True, "worst": worst, "among": found.among}
            return Confirmation(replace(simplest, **shown_again))
    return Confirmation(confirmed)


def shrunk(plan: Plan, leg: Leg, row: Row, evidence: Seen) -> list[tuple[Observation, float]]:
    """Simpler points tried after a fail at ``row``, with their levels. Where what is assumed of the samples
    breaks there, the point says nothing; the fail stands by the grid."""
    levels = {unit.key: unit.level for unit in shrinking(plan, leg, row.point)}
    found = []
    for seen in evidence.get((Purpose.SHRINK, CLAIM, leg.name), []):
        if seen.key not in levels:  # kept by a run of the claim as it was then
            continue
        try:
            measured_values(leg, seen, levels[seen.key])
        except stats.AssumptionBroken:
            continue
        if broken([seen], levels[seen.key]):
            continue
        found.append((seen, levels[seen.key]))
    return found
