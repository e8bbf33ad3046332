"""What the engine's own points (`theorycheck.plan.attack`) say of a claim that its grid lets pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theorycheck import stats
from theorycheck.claims.model import Leg
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
    """Every point on its own: a fail refutes, a required one that cannot be computed blocks a pass, one
    that is not seen sharply enough says nothing."""
    blocked: list[str] = []
    missed: list[str] = []
    reached: dict[str, Exact] = {}
    numbers = dict.fromkeys(ATTACKS, 0)
    for purpose in ATTACKS:
        for leg in plan.claim.legs:
            for seen in evidence.get((purpose, CLAIM, leg.name), []):
                numbers[purpose] += 1
                found, why = _decided(plan, leg, seen)
                if found is not None:
                    return Met(_entry(numbers, reached, missed), found, purpose)
                if not why:
                    _reach(reached, seen.point)
                    continue
                missed.append(f"{leg.name} {place_of(seen)}: {why}")
                if purpose is Purpose.ATTACK:
                    blocked.append(
                        f"not computable {place_of(seen)} ({leg.name}: {why}): exclude it or mend it"
                    )
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


def _decided(plan: Plan, leg: Leg, seen: Observation) -> tuple[LegSeen | None, str]:
    """The leg as refuted at the point, or why the point could not be computed."""
    if seen.status != "ok":
        return None, seen.message
    level = plan.budget.attack
    try:
        decision, rows = decide_leg(plan.claim, leg, [seen], level, plan.target_for(leg))
    except stats.AssumptionBroken as error:
        return None, str(error)
    undefined = next((r for r in rows if not r.defined), None)
    if undefined is not None:
        return None, f"the closed form is undefined there ({undefined.expected.reason})"
    if decision.verdict != "fail":
        return None, ""
    return LegSeen(leg, decision, rows, LegEntry(name=leg.name, rung=leg.rung)), ""


def _reach(reached: dict[str, Exact], point: Mapping[str, Any]) -> None:
    """The largest value of every number that was looked at."""
    for name, value in point.items():
        if isinstance(value, str | tuple):
            continue
        before = reached.get(name)
        if before is None or isinstance(before, str | tuple) or value > before:
            reached[name] = value
