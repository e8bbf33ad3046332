"""Executors: where the claims of a run are executed. One module each, one function each.

An executor takes jobs and yields results in the order in which they finish. Verdicts do not depend on
it: draws are keyed, and every job is judged on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from theorycheck.entries.report import Entry
from theorycheck.evidence.origin import Origin
from theorycheck.numbers.errors import UserError
from theorycheck.plan.settings import Settings


@dataclass(frozen=True)
class Job:
    """One claim to execute. Plain data: a worker elsewhere loads the claim from its file.

    ``time_limit`` in seconds for the claim; ``memory_limit`` in bytes for all workers of this machine
    together. ``expected_seconds`` and ``expected_memory`` (bytes) only serve scheduling.
    ``origin``: what the claim's evidence is filed by, and ``registers``: digest of the registers beside it; with
    both a result may be had from the cache without loading the claim.
    """

    file: Path
    claim_id: str
    kind: str
    settings: Settings
    store: Path | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    expected_seconds: float = 1.0
    expected_memory: int = 0
    origin: Origin | None = None
    registers: str = ""


@dataclass(frozen=True)
class JobResult:
    """The report's entry of a claim, and its observations as their file holds them, "" where there are none.

    ``fresh``: observations made now, not cached; ``cost``: seconds that the evidence took to make;
    ``memory``: bytes at the peak, where they were watched. ``internal``: the trace of an error of the
    engine's own, "" where there was none.
    """

    claim_id: str
    entry: Entry
    observations: str = ""
    fresh: int = 0
    cost: float = 0.0
    memory: int | None = None
    internal: str = ""


Began = Callable[[str], None]
"""Called with the id of a claim when it goes to work, where the executor knows when that is."""


def unwatched(claim_id: str) -> None:
    """The `Began` of whoever does not watch."""


class Executor(Protocol):
    """Raises ExecutorError where it cannot work at all."""

    def __call__(
        self, jobs: Sequence[Job], workers: int, began: Began = unwatched
    ) -> Generator[JobResult]: ...


class ExecutorError(UserError):
    """The place where claims were to be executed cannot be used: one line that says why."""


def in_bytes(size: int) -> str:
    """``1.5 GiB``: a size for people."""
    amount, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.3g} {unit}"
