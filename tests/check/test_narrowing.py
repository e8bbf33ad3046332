"""Hypotheses as ranges, logarithms as products, concavity, common divisors; and near-lies of them."""

from __future__ import annotations

import pytest

from theorycheck.check.run import check_text

TRUE = [
    ("sigmoid(x) - sigmoid(y) <= (x-y)/4", ["x in (-oo, oo)", "y in (-oo, oo)"], ["x >= y"]),
    ("log(x) + log(y) >= log(2)", ["x in (0, oo)", "y in (0, oo)"], ["x*y >= 2"]),
    ("2*log(x) <= log(y) + 1", ["x in (0, oo)", "y in (0, oo)"], ["x**2 <= E*y"]),
    ("(1+x)**p <= 1 + (2**p-1)*x", ["p in [1, oo)", "x in [0, 1]"], []),
    ("p*exp(s) + 1 - p > 0", ["p in [0, 1]", "s in (-oo, oo)"], []),
    ("log(1-p+p*exp(s)) <= p*s + s**2/8", ["p in [0, 1]", "s in (-oo, oo)"], []),
    # the logarithms need a larger share of the time than a first turn gives them
    ("(1+x)**p <= 2**(p-1)*(1+x**p)", ["p in [1, oo)", "x in [0, oo)"], []),
    ("gcd(2*n+1, 3*n+1) == 1", ["n in 0..oo"], []),
    ("gcd(n**2+1, n+1) <= 2", ["n in 0..oo"], []),
]
FALSE = [
    ("sigmoid(x) - sigmoid(y) <= (x-y)/4.01", ["x in (-oo, oo)", "y in (-oo, oo)"], ["x >= y"]),
    ("sigmoid(x) - sigmoid(y) <= (x-y)/4", ["x in (-oo, oo)", "y in (-oo, oo)"], ["x >= y - 1"]),
    ("log(x) + log(y) >= log(2)", ["x in (0, oo)", "y in (0, oo)"], ["x*y >= 1.99"]),
    ("2*log(x) <= log(y) + 1", ["x in (0, oo)", "y in (0, oo)"], ["x**2 <= 2.72*y"]),
    ("(1+x)**p <= 1 + (2**p-1)*x", ["p in [0.9, oo)", "x in [0, 1]"], []),
    ("(1+x)**p <= 1 + (2**p-1)*x", ["p in [1, oo)", "x in [0, 1.1]"], []),
    ("sqrt(x**2 + y**2) <= x/2 + 1/2", ["y in [0, 1]", "x in [-1, 1]"], []),
    ("p*exp(s) + 1 - p > 0", ["p in [0, 1.01]", "s in (-oo, oo)"], []),
    ("log(1-p+p*exp(s)) <= p*s + s**2/8.1", ["p in [0, 1]", "s in (-oo, oo)"], []),
    # 113 of 226 and nothing before: the middle of a range, far out
    ("binomial(n,k) <= 0.797*2**n/sqrt(n)", ["n in 1..oo", "k in 0..n"], []),
    ("(1+x)**p <= 2**(p-1)*(1+x**p)", ["p in [0.99, oo)", "x in [0, oo)"], []),
    ("gcd(2*n+1, 3*n+4) == 1", ["n in 0..oo"], []),
    ("gcd(n**2+1, n+1) <= 1", ["n in 0..oo"], []),
]


@pytest.mark.parametrize(("statement", "domains", "where"), TRUE)
def test_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert check_text(statement, domains, where, budget=40, explained=False).proved


@pytest.mark.parametrize(("statement", "domains", "where"), FALSE)
def test_near_lies_fall(statement: str, domains: list[str], where: list[str]) -> None:
    found = check_text(statement, domains, where, budget=30, explained=False)
    assert found.verdict == "refuted"
