"""Executors: where the claims of a run are executed. One module each, one function each.

An executor takes jobs and yields results in the order in which they finish. Verdicts do not depend on
it: draws are keyed, and every job is judged on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from theorycheck.execute import Settings


@dataclass(frozen=True)
class Job:
    """One claim to execute. Plain data: a worker elsewhere loads the claim from its file."""

    file: Path
    claim_id: str
    kind: str
    settings: Settings
    store: Path | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    expected_seconds: float = 1.0


@dataclass(frozen=True)
class Result:
    """The report's entry of a claim and its observations as JSON data."""

    claim_id: str
    entry: dict[str, Any]
    observations: list[dict[str, Any]] = field(default_factory=list)
    fresh: int = 0


class Executor(Protocol):
    def __call__(self, jobs: Sequence[Job], workers: int) -> Iterator[Result]: ...
