"""What the engine's own points (`theorycheck.plan.attack`) say of a claim that its grid lets pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theorycheck import stats
from theorycheck.claims.legs import Leg
from theorycheck.entries.parts import AttackEntry, LegEntry
from theorycheck.evidence.observation import Observation
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import LegSeen, decide_leg
from theorycheck.judge.rows import place_of
from theorycheck.numbers.domain import Exact, to_text
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.plan import Plan

ATTACKS = (Purpose.ATTACK, Purpose.FAR)

MOST_NAMED = 8
"""Points that were not reached and are named in a report."""


@dataclass(frozen=True)
class Met:
    """What the attack met. ``refuting``: a leg that fails at a point, and with which ``purpose`` it was
    looked at; ``blocked``: why the claim cannot pass although nothing refutes it, "" where it can."""

    entry: AttackEntry | None = None
    refuting: LegSeen | None = None
    purpose: Purpose = Purpose.ATTACK
    blocked: str = ""


def judge_attack(plan: Plan, evidence: Seen) -> Met:
    """Every point on its own: a fail refutes, a required one that cannot be computed, or at which an optimum is
    not closed or a strict bound may be met, blocks a pass (of a leg that the assertion needs), one that is not
    seen sharply enough says nothing."""
    blocked: list[str] = []
    missed: list[str] = []
    reached: dict[str, Exact] = {}
    numbers = dict.fromkeys(ATTACKS, 0)
    for purpose in ATTACKS:
        for leg in plan.claim.legs:
            relation = plan.claim.relation_of(leg)
            for seen in evidence.get((purpose, CLAIM, leg.name), []):
                numbers[purpose] += 1
                at = _at(plan, leg, seen)
                if at.refuting is not None:
                    return Met(_entry(numbers, reached, missed), at.refuting, purpose)
                place = place_of(seen)
                if at.missed:
                    missed.append(f"{leg.name} {place}: {at.missed}")
                else:
                    _reach(reached, seen.point)
                if purpose is Purpose.ATTACK and leg.required and (at.missed or at.apart):
                    open_there = "not closed" if relation.attains else "undecided"
                    what = "not computable" if at.missed else open_there
                    why = at.missed or at.apart
                    blocked.append(f"{what} {place} ({leg.name}: {why}): exclude it or mend it")
    entry = _entry(numbers, reached, missed)
    return Met(entry, blocked=blocked[0] if blocked else "")


def _entry(
    numbers: Mapping[Purpose, int], reached: Mapping[str, Exact], missed: Sequence[str]
) -> AttackEntry | None:
    if not any(numbers.values()):
        return None
    shown = {k: v if isinstance(v, int) else to_text(v) for k, v in reached.items()}
    more = len(missed) - MOST_NAMED
    named = (*missed[:MOST_NAMED], *([f"and {more} more"] if more > 0 else []))
    return AttackEntry(
        required=numbers[Purpose.ATTACK],
        far=numbers[Purpose.FAR],
        reached=shown,
        not_reached=named,
    )


@dataclass(frozen=True)
class _At:
    """What one point says. ``refuting``: the leg, refuted there; ``missed``: why it could not be computed;
    ``apart``: how an optimum is certainly not closed there, or why a strict bound may be met (it is met at single
    points, where no enclosure tells), which refutes nothing."""

    refuting: LegSeen | None = None
    missed: str = ""
    apart: str = ""


def _at(plan: Plan, leg: Leg, seen: Observation) -> _At:
    if seen.status != "ok":
        return _At(missed=seen.message)
    level = plan.budget.attack
    try:
        decision, rows = decide_leg(plan.claim, leg, [seen], level, plan.target_for(leg))
    except stats.AssumptionBroken as error:
        return _At(missed=str(error))
    undefined = next((r for r in rows if not r.defined), None)
    if undefined is not None:
        return _At(missed=f"the closed form is undefined there ({undefined.expected.reason})")
    if decision.verdict == "fail":
        return _At(LegSeen(leg, decision, rows, LegEntry(name=leg.name, rung=leg.rung)))
    relation = plan.claim.relation_of(leg)
    met = relation.strict and not any(row.samples for row in rows)
    open_there = decision.verdict == "inconclusive" and decision.decisive is not None
    short = open_there and (relation.attains or met)
    return _At(apart=decision.reason if short else "")


def _reach(reached: dict[str, Exact], point: Mapping[str, Any]) -> None:
    """The largest value of every number that was looked at."""
    for name, value in point.items():
        if isinstance(value, str | tuple):
            continue
        before = reached.get(name)
        if before is None or isinstance(before, str | tuple) or value > before:
            reached[name] = value
