"""Binomials, factorials, gamma and beta by what they count, and statements that come near."""

from __future__ import annotations

import pytest

from theorycheck.check import counting
from theorycheck.check.limits import Clock
from theorycheck.check.method import Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text

TRUE = [
    ("binomial(m + n, n) > 0", "m, n in 0..oo"),
    ("1/binomial(m + n, n) <= 1", "m, n in 0..oo"),
    ("binomial(n, k) <= 2**n", "n in 0..oo, k in 0..n"),
    ("binomial(n, k)*factorial(n) != 0", "n in 0..oo, k in 0..n"),
    ("factorial(n) + 1/factorial(n) >= 2", "n in 0..oo"),
    ("beta(a, b)*gamma(a) > 0", "a, b in (0, oo)"),
]
FALSE = [
    ("binomial(n, k) >= 1", "n in 0..oo, k in 0..n + 1"),
    ("binomial(n, k) > 1", "n in 0..oo, k in 0..n"),
    ("1/binomial(m + n, n) < 1", "m, n in 0..oo"),
    ("binomial(n, k) < 2**n", "n in 0..oo, k in 0..n"),
    ("factorial(n) > 1", "n in 0..oo"),
    ("gamma(x) >= 1", "x in (0, oo)"),
    ("factorial(x) >= 1", "x in (0, 1)"),
]


def found(statement: str, domain: str) -> bool:
    problem = read_problem(statement, [domain])
    region = Region(problem.domains.variables)
    return counting.prove(Task(problem.goal, region, Clock(20), Prover(problem))) is not None


@pytest.mark.parametrize(("statement", "domain"), TRUE, ids=[s for s, _ in TRUE])
def test_counts_are_bounded(statement: str, domain: str) -> None:
    assert found(statement, domain)
    assert check_text(statement, [domain], budget=60, explained=False).proved


@pytest.mark.parametrize(("statement", "domain"), FALSE, ids=[f"{s}, {d}" for s, d in FALSE])
def test_what_comes_near_is_not_proved(statement: str, domain: str) -> None:
    assert not found(statement, domain)
