"""What is true instead of a refuted statement, each suggestion itself checked."""

from __future__ import annotations

from theorycheck.check.domain import Value
from theorycheck.check.judge import Judge, Outcome
from theorycheck.check.points import Points
from theorycheck.check.problem import Clock, Problem


def explain(
    problem: Problem,
    judge: Judge,
    points: Points,
    failure: tuple[dict[str, Value], Outcome],
    clock: Clock,
) -> tuple[str, ...]:
    return ()
