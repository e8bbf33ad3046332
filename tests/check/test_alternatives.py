"""Statements with `or`, hypotheses that link names, and sums whose terms have values under conditions."""

from __future__ import annotations

import pytest

from theorycheck.check.run import check_text

TRUE = [
    ("x >= 1 or y >= 1", ["x in (0, oo)", "y in (0, oo)"], ["x*y >= 1"]),
    ("x == 0 or 1/x**2 > 0", ["x in (-oo, oo)"], []),
    ("x < 1 or x**2 >= x", ["x in (-oo, oo)"], []),
    (
        "b <= c",
        ["g in [0, 1]", "a in (-oo, oo)", "b in (-oo, oo)", "c in (-oo, oo)"],
        ["b <= (1-g)*a + g*c", "a <= c"],
    ),
    # 0**0 is 1 at p = 1, k = n
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k), (k,0,n)) == 1", ["p in [0, 1]", "n in 1..oo"], []),
    # 0 to a positive power is 0
    ("x**p*(1+x) >= x**p", ["p in (0, oo)", "x in [0, oo)"], []),
]
FALSE = [
    ("x >= 1 or y >= 1", ["x in (0, oo)", "y in (0, oo)"], ["x*y >= 99/100"]),
    ("1/x**2 > 0 or x == 0", ["x in (-oo, oo)"], []),
    ("x < 1 or x**2 > x", ["x in (-oo, oo)"], []),
    (
        "b <= c",
        ["g in [0, 101/100]", "a in (-oo, oo)", "b in (-oo, oo)", "c in (-oo, oo)"],
        ["b <= (1-g)*a + g*c", "a <= c"],
    ),
    # (1 - p)**(n - k) has no value at p = 1, k = n + 1
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k), (k,0,n+1)) == 1", ["p in [0, 1]", "n in 1..oo"], []),
    ("x**p <= x**(p/2)/2 + x", ["p in [0, 1]", "x in [0, 1]"], []),
    ("x**(p-1) >= 0", ["p in [0, 1]", "x in [0, 1]"], []),
    ("Sum(p**(k-1), (k,0,n)) >= 1", ["p in [0, 1]", "n in 1..oo"], []),
]


@pytest.mark.parametrize(("statement", "domains", "where"), TRUE)
def test_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert check_text(statement, domains, where, budget=30, explained=False).proved


@pytest.mark.parametrize(("statement", "domains", "where"), FALSE)
def test_near_lies_fall(statement: str, domains: list[str], where: list[str]) -> None:
    found = check_text(statement, domains, where, budget=30, explained=False)
    assert found.verdict == "refuted"
