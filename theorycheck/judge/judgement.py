"""What a judgement says of a claim, and the evidence that it is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from theorycheck.entries.parts import (
    AttackEntry,
    Cause,
    ClauseEntry,
    Counterexample,
    DiagnosisEntry,
    HypothesisEntry,
    LegEntry,
    MutantsEntry,
    Resolution,
    RivalEntry,
    Tightness,
)
from theorycheck.evidence.observation import Observation
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind, Purpose
from theorycheck.plan.plan import Plan
from theorycheck.relations.base import Row


@dataclass(frozen=True)
class Failing:
    """The row that refutes: of which leg, what it was looked at for, and whose data it is among."""

    leg: str
    row: Row
    purpose: Purpose = Purpose.JUDGE
    owner: Owner = CLAIM


@dataclass(frozen=True)
class Judgement:
    """Everything that the evidence says of a claim, composed once. Field names as in the report's
    contract."""

    verdict: str
    reason: str = ""
    would_decide: str = ""
    cause: Cause | None = None
    rung: str | None = None
    proved: bool = False
    resolution: Resolution | None = None
    uniform_factor: Resolution | None = None
    within: Resolution | None = None
    tightness: Tightness | None = None
    legs: tuple[LegEntry, ...] = ()
    rivals: tuple[RivalEntry, ...] = ()
    mutants: MutantsEntry = field(default_factory=MutantsEntry)
    hypotheses: tuple[HypothesisEntry, ...] = ()
    counterexample: Counterexample | None = None
    diagnosis: DiagnosisEntry | None = None
    undiagnosed: str = ""
    """Why a fail has no diagnosis."""
    points: int = 0
    samples: int = 0
    alpha_spent: float = 0.0
    failing: Failing | None = None
    attack: AttackEntry | None = None
    degenerate: tuple[str, ...] = ()
    clauses: tuple[ClauseEntry, ...] = ()


Seen = Mapping[tuple[Purpose, Owner, str], Sequence[Observation]]
"""Observations by purpose, owner and leg."""


def by_unit(plan: Plan, observations: Iterable[Observation]) -> Seen:
    """Observations in their order, each with the owner that the plan knows."""
    grouped: dict[tuple[Purpose, Owner, str], list[Observation]] = {}
    for o in observations:
        labelled = o.owner.kind is OwnerKind.LABELLED
        owner = plan.owner_of(o.owner.name) if labelled else o.owner
        grouped.setdefault((o.purpose, owner, o.leg), []).append(o)
    return grouped
