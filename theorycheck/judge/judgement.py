"""What a judgement says of a claim, and the evidence that it is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from theorycheck.evidence.observation import Observation
from theorycheck.relations.base import Row


@dataclass
class Judgement:
    """Everything that the evidence says of a claim. Field names as in the report's contract."""

    verdict: str
    reason: str = ""
    would_decide: str = ""
    rung: str | None = None
    proved: bool = False
    resolution: dict[str, Any] | None = None
    tightness: dict[str, Any] | None = None
    legs: list[dict[str, Any]] = field(default_factory=list)
    rivals: list[dict[str, Any]] = field(default_factory=list)
    mutants: dict[str, Any] = field(
        default_factory=lambda: {"made": 0, "refuted": 0, "survivors": []}
    )
    hypotheses: list[dict[str, Any]] = field(default_factory=list)
    counterexample: dict[str, Any] | None = None
    diagnosis: dict[str, Any] | None = None
    undiagnosed: str = ""
    """Why a fail has no diagnosis."""
    points: int = 0
    samples: int = 0
    alpha_spent: float = 0.0
    failing: tuple[str, Row] | None = None


Evidence = Mapping[tuple[str, str, str], Sequence[Observation]]
"""Observations by (purpose, leg name, variant name)."""


def by_unit(observations: Iterable[Observation]) -> dict[tuple[str, str, str], list[Observation]]:
    """Observations as `Evidence`, in their order."""
    grouped: dict[tuple[str, str, str], list[Observation]] = {}
    for o in observations:
        grouped.setdefault((o.purpose, o.leg, o.variant), []).append(o)
    return grouped
