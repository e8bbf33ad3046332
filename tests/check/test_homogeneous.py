"""Homogeneous statements: proved in one name less, and only where scaling changes nothing."""

from __future__ import annotations

import pytest

from theorycheck.check import homogeneous
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region

POSITIVE = ["x in (0, oo)", "y in (0, oo)"]


def by_scaling(statement: str, domains: list[str], where: list[str]) -> Argument | None:
    problem = read_problem(statement, domains, where)
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    region = Region(problem.domains.variables, tuple(problem.hypotheses))
    return homogeneous.prove(Task(problem.goal, region, Clock(60), prover))


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    [
        ("sqrt(x*y) <= (x - y)/(log(x) - log(y))", POSITIVE, ["x > y"]),
        ("(x - y)/(log(x) - log(y)) <= (x + y)/2", POSITIVE, ["x > y"]),
        ("x*log(x/y) >= x - y", POSITIVE, []),
        ("x*log(x/y) >= x - y", ["y in (0, oo)", "x in (0, y)"], []),
        ("sqrt(x + y) <= sqrt(x) + sqrt(y)", POSITIVE, []),
    ],
)
def test_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert by_scaling(statement, domains, where)


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    [
        (
            "sqrt(x*y) < (x - y)/(log(x) - log(y))",
            POSITIVE,
            ["x < y + 1"],
        ),  # a hypothesis that scales
        (
            "x*y >= x - y",
            POSITIVE,
            [],
        ),  # two degrees; false at x = 2, y = 1/3, though true at y = 1
        ("x**2 + y >= x", POSITIVE, []),  # no degree; true at y = 1, false at x = 1/2, y = 1/8
        ("x + y >= 2*sqrt(x*y) + y", POSITIVE, []),  # false
        ("x*log(x/y) >= x - y", ["x in (0, 1)", "y in (0, 1)"], []),  # no name free to be 1
        ("x*log(x) >= x - 1", ["x in (0, oo)"], []),
    ],
)
def test_not_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert by_scaling(statement, domains, where) is None
