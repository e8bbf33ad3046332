"""Sampling and optimisation of the gap between the two sides."""

from __future__ import annotations

from collections.abc import Iterator

from theorycheck.check.domain import Value
from theorycheck.check.judge import Judge
from theorycheck.check.points import Points
from theorycheck.check.problem import Clock, Problem


def minimise_gap(
    problem: Problem, judge: Judge, points: Points, seed: int, clock: Clock
) -> Iterator[dict[str, Value]]:
    yield from ()
