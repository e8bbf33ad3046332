"""Sums in closed form: proved by step and start, never by SymPy's word."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check import summation
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text


def by_closed_form(statement: str, *domains: str) -> Argument | None:
    problem = read_problem(statement, list(domains))
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal)
    region = Region(problem.domains.variables)
    return summation.prove(Task(problem.goal, region, Clock(60), prover))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("Sum(k**3, (k, 1, n)) == Sum(k, (k, 1, n))**2", ["n in 1..oo"]),
        ("Sum(2*(c + i), (i, 1, t)) == 2*c*t + t**2 + t", ["t in 0..oo", "c in (-oo, oo)"]),
        ("Sum(r**k, (k, 0, n)) == (1 - r**(n + 1))/(1 - r)", ["n in 0..oo", "r in (0, 1)"]),
        (
            "Sum(k**2, (k, m, n)) == n*(n+1)*(2*n+1)/6 - m*(m-1)*(2*m-1)/6",
            ["m in 1..oo", "n in m..oo"],
        ),
        ("Sum(k*2**k, (k, 0, n)) == (n - 1)*2**(n + 1) + 2", ["n in 0..oo"]),
        ("Sum(k, (k, 1, n)) <= n**2", ["n in 1..oo"]),
    ],
)
def test_proved(statement: str, domains: list[str]) -> None:
    found = by_closed_form(statement, *domains)
    assert found is not None
    assert all("it changes by" in fact for fact in found.facts)


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("Sum(k**3, (k, 1, n)) == Sum(k, (k, 1, n))**2 + 1/10**9", ["n in 1..oo"]),
        ("Sum(r**k, (k, 0, n)) == (1 - r**n)/(1 - r)", ["n in 0..oo", "r in (0, 1)"]),
        # backwards ranges are empty, and the closed form is not 0 there
        ("Sum(k, (k, 5, n)) == n*(n + 1)/2 - 10", ["n in 0..oo"]),
        (
            "Sum(k**2, (k, m, n)) == n*(n+1)*(2*n+1)/6 - m*(m-1)*(2*m-1)/6",
            ["m in 1..oo", "n in 1..oo"],
        ),
        # the closed form has no value at r = 1, and fails nowhere else
        ("Sum(r**k, (k, 0, n)) == (1 - r**(n + 1))/(1 - r)", ["n in 0..oo", "r in (0, 2)"]),
    ],
)
def test_not_proved(statement: str, domains: list[str]) -> None:
    assert by_closed_form(statement, *domains) is None
    assert not check_text(statement, domains, budget=4).proved


def test_a_wrong_word_of_sympy_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right steps from a wrong start, and a right start with wrong steps."""
    right = sp.summation

    def shifted(term, limits):
        return right(term, limits) + 1

    def scaled(term, limits):
        return right(term, limits) * limits[2]

    for wrong in (shifted, scaled):
        monkeypatch.setattr(summation.sp, "summation", wrong)
        assert by_closed_form("Sum(k, (k, 1, n)) >= 0", "n in 1..oo") is None
