"""Binomial coefficients between powers, and statements that come near."""

from __future__ import annotations

import pytest

from theorycheck.check import coefficients
from theorycheck.check.limits import Clock
from theorycheck.check.method import Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text

ROW = "k in 1..oo, D in k..oo"
TRUE = [
    ("binomial(D, k) >= (D/k)**k", ROW),
    ("(D/k)**k <= binomial(D, k)", ROW),
    ("binomial(D, k) <= D**k/factorial(k)", ROW),
    ("binomial(D, k) <= (E*D/k)**k", ROW),
    ("c*binomial(D, k) <= c*(E*D/k)**k", ROW + ", c in [0, oo)"),
    ("2*binomial(n + k, k) >= (1 + n/k)**k", "n in 0..oo, k in 1..oo"),
]
FALSE = [
    ("binomial(D, k) > (D/k)**k", ROW),
    ("binomial(D, k) >= (D/k)**k", "k in 1..oo, D in k - 1..oo"),
    ("binomial(D, k) < D**k/factorial(k)", ROW),
    ("binomial(D, k) >= (1001*D/(1000*k))**k", ROW),
    ("c*binomial(D, k) <= c*(E*D/k)**k", ROW + ", c in R"),
    ("binomial(D, k) <= (999*E*D/(1000*k))**k", ROW),
    ("binomial(x, k) >= (x/k)**k", "k in 1..oo, x in (0, oo)"),
]


def found(statement: str, domain: str) -> bool:
    problem = read_problem(statement, [domain])
    region = Region(problem.domains.variables)
    return coefficients.prove(Task(problem.goal, region, Clock(20), Prover(problem))) is not None


@pytest.mark.parametrize(("statement", "domain"), TRUE)
def test_a_coefficient_lies_between_powers(statement, domain):
    assert found(statement, domain)
    assert check_text(statement, [domain], budget=60, explained=False).proved


@pytest.mark.parametrize(("statement", "domain"), FALSE)
def test_what_is_not_so_is_not_proved(statement, domain):
    assert not found(statement, domain)
