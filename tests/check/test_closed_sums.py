"""Sums of waves and geometric series in closed form, and near-lies of them."""

from __future__ import annotations

import pytest

from theorycheck.check.run import check_text

TRUE = [
    ("Sum(cos(2*pi*j*k/n), (j,0,n-1)) == 0", ["n in 2..oo", "k in 1..n-1"]),
    ("Sum(cos(2*pi*z*d/(2*m+1)), (z,1,m)) == -1/2", ["m in 1..oo", "d in 1..2*m"]),
    ("Sum(sin(pi*j/n), (j,1,n-1)) == cot(pi/(2*n))", ["n in 2..oo"]),
    ("Sum(cos(2*pi*j/n)**2, (j,0,n-1)) == n/2", ["n in 3..oo"]),
    ("2*sin(x)*Sum(cos((2*j-1)*x), (j,1,n)) == sin(2*n*x)", ["x in (-oo, oo)", "n in 1..oo"]),
    ("Sum(g**k, (k, m, oo)) == g**m/(1-g)", ["g in (0, 1)", "m in 0..oo"]),
    ("Sum(k*p*(1-p)**(k-1), (k,1,oo)) == 1/p", ["p in (0, 1)"]),
    ("Sum(k**2*(-x)**k, (k,0,oo)) == x*(x-1)/(1+x)**3", ["x in (0, 1)"]),
    ("Sum(exp(-s*k), (k,1,oo)) <= 1/s", ["s in (0, oo)"]),
]
FALSE = [
    ("Sum(cos(2*pi*j*k/n), (j,0,n-1)) == 0", ["n in 2..oo", "k in 1..n"]),
    ("Sum(cos(2*pi*z*d/(2*m+1)), (z,1,m)) == -1/2", ["m in 1..oo", "d in 1..2*m+1"]),
    ("Sum(sin(pi*j/n), (j,1,n-1)) == cot(pi/(2*n+1))", ["n in 2..oo"]),
    ("Sum(cos(2*pi*j/n)**2, (j,0,n-1)) == n/2", ["n in 2..oo"]),
    ("2*sin(x)*Sum(cos((2*j-1)*x), (j,1,n)) == sin((2*n-1)*x)", ["x in (-oo, oo)", "n in 1..oo"]),
    ("Sum(g**k, (k, m, oo)) == g**m/(1-g)", ["g in (0, 1]", "m in 0..oo"]),
    ("Sum(k*p*(1-p)**(k-1), (k,1,oo)) == 1/p", ["p in [0, 1)"]),
    ("Sum(k**2*(-x)**k, (k,0,oo)) == x*(1-x)/(1+x)**3", ["x in (0, 1)"]),
    ("Sum(exp(-s*k), (k,1,oo)) <= 1/(s+1)", ["s in (0, oo)"]),
]


@pytest.mark.parametrize(("statement", "domains"), TRUE)
def test_proved(statement: str, domains: list[str]) -> None:
    assert check_text(statement, domains, budget=30, explained=False).proved


@pytest.mark.parametrize(("statement", "domains"), FALSE)
def test_near_lies_fall(statement: str, domains: list[str]) -> None:
    assert check_text(statement, domains, budget=30, explained=False).verdict == "refuted"


def test_a_series_whose_ratio_may_vanish() -> None:
    """At r = 0, r**(k + b) is r**b times r**k from k = 0 on where b >= 0; for b < 0 r**b has no value."""
    assert check_text(
        "Sum(g**k, (k, m, oo)) == g**m/(1-g)", ["g in [0, 1)", "m in 0..oo"], budget=60
    ).proved
    found = check_text(
        "Sum(g**(k-1), (k, m, oo)) == g**(m-1)/(1-g)", ["g in [0, 1)", "m in 0..oo"], budget=60
    )
    assert found.verdict == "refuted" and found.counterexample == {"g": "0", "m": "0"}


@pytest.mark.parametrize(
    ("statement", "proved"),
    [
        ("Sum(sqrt(i), (i,1,n)) <= n*sqrt((n+1)/2)", True),
        ("Sum(i,(i,1,n))*Sum(1/i,(i,1,n)) >= n**2", True),
        ("Sum(harmonic(k),(k,1,n)) == (n+1)*harmonic(n) - n", True),
        ("Sum(sqrt(i), (i,1,n)) <= 2/3*n**(3/2) + sqrt(n)/2 - 1/5", False),
        ("Sum(i,(i,1,n))*Sum(1/i,(i,1,n)) >= n**2*(log(n)+0.6)/2", False),
        ("Sum(harmonic(k),(k,1,n)) == (n+1)*harmonic(n) - n + (n-1)/10**9", False),
    ],
)
def test_sums_with_factors_roots_and_harmonic_numbers(statement: str, proved: bool) -> None:
    found = check_text(statement, ["n in 1..oo"], budget=40, explained=False)
    assert found.proved is proved
    assert found.verdict == ("holds" if proved else "refuted")
