"""Induction: what it proves, and the traps that it must not fall into."""

from __future__ import annotations

import pytest

from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover


def proved(statement: str, domain: str, seconds: float = 60) -> bool:
    """By the provers alone: no points are tried."""
    problem = read_problem(statement, [domain])
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    return prover.prove(Clock(seconds)).proved


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("Sum(k, (k, 1, n)) == n*(n + 1)/2", "n in 0..oo"),
        ("Sum(1/k**2, (k, 1, n)) <= 2 - 1/n", "n in 1..oo"),
        ("Sum(1/k, (k, n + 1, 2*n)) < log(2)", "n in 1..oo"),
        ("harmonic(n) > log(n) + EulerGamma", "n in 1..oo"),
        ("Product(1 + 1/k, (k, 1, n)) == n + 1", "n in 1..oo"),
        ("factorial(n) >= 2**n", "n in 4..oo"),
        ("Sum(binomial(n, k), (k, 0, n)) == 2**n", "n in 0..oo"),
        ("Sum(k*binomial(n, k), (k, 0, n)) == n*2**(n - 1)", "n in 0..oo"),
        ("Mod(n**7 - n, 42) == 0", "n in -oo..oo"),
        ("floor(n/2) + ceiling(n/2) == n", "n in -oo..oo"),
    ],
)
def test_proved_for_all_integers(statement: str, domain: str) -> None:
    assert proved(statement, domain)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        # The step would be right if ranges that run backwards counted negatively.
        ("Sum(1, (k, 5, n)) == n", "n in 0..oo"),
        ("Product(2, (k, 5, n)) == 2**n", "n in 0..oo"),
        ("Sum(binomial(n, k), (k, 2, n)) == 2**n - n - 1", "n in -3..oo"),
        # A wrong start, a wrong step, a wrong limit.
        ("Sum(k, (k, 1, n)) == n*(n + 1)/2 + 1", "n in 0..oo"),
        ("Sum(k, (k, 1, n)) == n**2", "n in 0..oo"),
        ("harmonic(n) > log(n) + 3/5", "n in 1..oo"),
        ("factorial(n) >= 2**n", "n in 0..oo"),
        ("Sum(binomial(n, k), (k, 0, n)) == 2**n + 0**n", "n in 0..oo"),
        ("Mod(n**4 - n, 4) == 0", "n in 0..oo"),
        ("floor(n/2)*2 == n", "n in 0..oo"),
        ("binomial(2*n, n) <= 4**n/sqrt(4*n)", "n in 1..oo"),
    ],
)
def test_false_statements_are_not_proved(statement: str, domain: str) -> None:
    assert not proved(statement, domain, seconds=8)


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("1/x >= 0", ["x in [-1, 1]"]),
        ("1/(x*y) + x**2*y**2 >= 0", ["x, y in [-1, 1]"]),
        ("1/(x - y) <= 1", ["x, y in [0, 1]"]),
        ("x**2 + y**2 > 0", ["x, y in [-1, 1]"]),
        ("x*y < 1", ["x, y in [0, 1]"]),
        ("(x - y)**2*(x - 2*y)**2 > 0", ["x in [1, 2]", "y in (0, x)"]),
        ("tan(x) >= x", ["x in [0, 2]"]),
        ("exp((x + y)/2) < (exp(x) + exp(y))/2", ["x, y in (-oo, oo)"]),
        ("Max(x, y) > Min(x, y)", ["x, y in (-oo, oo)"]),
        ("Abs(sin(x) - sin(y)) < Abs(x - y)", ["x, y in (-oo, oo)"]),
    ],
)
def test_holes_and_touching_sides_are_not_proved_away(statement: str, domains: list[str]) -> None:
    problem = read_problem(statement, domains)
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal)
    assert not prover.prove(Clock(8)).proved


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("Sum(binomial(n, k)**2, (k, 0, n)) == binomial(2*n, n)", "n in 0..oo"),
        ("Sum(k*binomial(n, k)**2, (k, 0, n)) == n*binomial(2*n - 1, n - 1)", "n in 1..oo"),
        ("Sum(binomial(n + k, k), (k, 0, n)) == binomial(2*n + 1, n)", "n in 0..oo"),
        ("Sum(binomial(n, k)*binomial(2*n, n - k), (k, 0, n)) == binomial(3*n, n)", "n in 0..oo"),
        ("Sum((-1)**k*binomial(n, k)/(k + 1), (k, 0, n)) == 1/(n + 1)", "n in 0..oo"),
    ],
)
def test_certificates_are_found(statement: str, domain: str) -> None:
    assert proved(statement, domain, 30)


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(binomial(n, k)**2, (k, 0, n)) == binomial(2*n, n)*(n + 2)/(n + 1)",
        "Sum(binomial(n, k)**3, (k, 0, n)) == binomial(2*n, n)*(n + 1)/2",  # right at n = 1 only
        "Sum(k*binomial(n, k)**2, (k, 0, n)) == n*binomial(2*n, n)/3",
        "Sum(binomial(n + k, k), (k, 0, n)) == binomial(2*n, n) + binomial(2*n, n)/2",  # n = 1 only
    ],
)
def test_no_certificate_for_what_is_false(statement: str) -> None:
    assert not proved(statement, "n in 1..oo", 6)


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/k**2, (k, 1, n)) < pi**2/6",
        "Sum(1/k**4, (k, 1, n)) < pi**4/90",
        "Sum(1/factorial(k), (k, 0, n)) < E",
        "Sum(3/4**k, (k, 0, n)) < 4",
    ],
)
def test_sums_stay_below_their_series(statement: str) -> None:
    assert proved(statement, "n in 1..oo", 30)


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/k**2, (k, 1, n)) < pi**2/6 - 1/10**7",
        "Sum(1/factorial(k), (k, 0, n)) < E - 1/10**9",
        "n*Sum(1/k**2, (k, 1, n)) < n*pi**2/6 - 1",  # the tail times n tends to 1
        "Sum(1/k, (k, 1, n)) < 20",
    ],
)
def test_no_series_proves_what_is_false(statement: str) -> None:
    assert not proved(statement, "n in 1..oo", 6)
