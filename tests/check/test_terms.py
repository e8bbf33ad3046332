"""Identities between closed terms: what is proved for all integers, and what must not be."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from theorycheck.check import terms
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Found, Region


def by_terms(statement: str, *domains: str) -> Argument | None:
    problem = read_problem(statement, list(domains))
    return terms.prove(
        Task(problem.goal, Region(problem.domains.variables), Clock(60), Prover(problem))
    )


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("fibonacci(2*n) == fibonacci(n)*(fibonacci(n + 1) + fibonacci(n - 1))", ["n in 1..oo"]),
        ("fibonacci(n)**2 - fibonacci(n - 1)*fibonacci(n + 1) == -(-1)**n", ["n in 1..oo"]),
        ("lucas(n)**2 == 5*fibonacci(n)**2 + 4*(-1)**n", ["n in 0..oo"]),
        (
            "fibonacci(m + n) == fibonacci(m)*fibonacci(n + 1) + fibonacci(m - 1)*fibonacci(n)",
            ["m in 1..oo", "n in 0..oo"],
        ),
        ("2**n*fibonacci(n + 2) == 2**n*fibonacci(n + 1) + 4**n*fibonacci(n)/2**n", ["n in 0..oo"]),
        ("catalan(n) == binomial(2*n, n) - binomial(2*n, n + 1)", ["n in 0..oo"]),
        ("factorial(n + 1) - factorial(n) == n*factorial(n)", ["n in 0..oo"]),
        ("binomial(n + 1, 8) == binomial(n, 8) + binomial(n, 7)", ["n in 0..oo"]),
        ("binomial(2*n, n)*(n + 1) == catalan(n)*(n + 1)**2", ["n in 0..oo"]),
    ],
)
def test_proved(statement: str, domains: list[str]) -> None:
    assert by_terms(statement, *domains)


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("lucas(n)**2 == 5*fibonacci(n)**2 + 4", ["n in 0..oo"]),  # even n only
        ("fibonacci(n + 3) == 2*fibonacci(n + 1) + fibonacci(n - 1)", ["n in 1..oo"]),
        ("fibonacci(m + n) == fibonacci(m)*fibonacci(n + 1)", ["m in 1..oo", "n in 0..oo"]),
        ("fibonacci(n) == n", ["n in 0..oo"]),  # holds at 0, 1 and 5
        ("fibonacci(n**2) == fibonacci(n)**2", ["n in 0..oo"]),
        ("3**n == 2**n + n*(n + 1)/2", ["n in 0..oo"]),
        ("catalan(n) == binomial(2*n, n) - binomial(2*n, n + 2)", ["n in 0..oo"]),
        ("factorial(n + 1) - factorial(n) == n*factorial(n) + 1", ["n in 0..oo"]),
        ("factorial(2*n) == 2**n*factorial(n)**2", ["n in 0..oo"]),
        ("factorial(n) <= factorial(n)", ["n in 0..oo"]),  # no equality: not its business
    ],
)
def test_not_proved(statement: str, domains: list[str]) -> None:
    assert by_terms(statement, *domains) is None


def test_what_holds_only_from_some_start_is_tried_before_it() -> None:
    # As functions of a complex n the sides agree; at n = 0 the left one is undefined.
    with pytest.raises(Found) as found:
        by_terms("factorial(n)/n == factorial(n - 1)", "n in 0..oo")
    assert found.value.points == [{"n": 0}]


numbers = st.integers(-3, 3)


@settings(max_examples=25, deadline=None)
@given(numbers, numbers, numbers, st.integers(0, 3))
def test_agrees_with_the_numbers(a: int, b: int, c: int, d: int) -> None:
    """a F(n) + b F(n + 1) + c L(n) + d (-1)^n: proved to be 0 exactly where its first values are."""
    fib = [0, 1, 1, 2, 3, 5, 8]
    luc = [2, 1, 3, 4, 7, 11]
    zero = all(a * fib[n] + b * fib[n + 1] + c * luc[n] + d * (-1) ** n == 0 for n in range(5))
    assume(a or b or c or d)
    statement = f"({a})*fibonacci(n) + ({b})*fibonacci(n + 1) + ({c})*lucas(n) + {d}*(-1)**n == 0"
    assert bool(by_terms(statement, "n in 0..oo")) == zero
