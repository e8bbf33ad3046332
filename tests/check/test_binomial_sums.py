"""Rows of binomial coefficients in closed form, factorials in several names, and what must not be proved."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check import binomials
from theorycheck.check.forms import evaluated
from theorycheck.check.limits import Clock
from theorycheck.check.method import Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text

TRUE = [
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k)*(-1)**k, (k,0,n)) == (1-2*p)**n",
     ["p in [0, 1]", "n in 1..oo"]),
    ("Sum(binomial(n,2*j), (j,0,floor(n/2))) == 2**(n-1)", ["n in 1..oo"]),
    ("Sum(binomial(n,2*j+1)*x**(2*j+1), (j,0,floor((n-1)/2))) == ((1+x)**n - (1-x)**n)/2",
     ["n in 1..oo", "x in (-oo, oo)"]),
    ("Sum(binomial(n,k)*x**k*(1-x)**(n-k)*(k-n*x)**2, (k,0,n)) == n*x*(1-x)",
     ["n in 1..oo", "x in (0, 1)"]),
    ("Sum(k**2*binomial(n,k), (k,0,n)) == n*(n+1)*2**(n-2)", ["n in 0..oo"]),
    ("Sum((-1)**k*k**2*binomial(n,k), (k,0,n)) == 0", ["n in 3..oo"]),
    ("Sum(binomial(n,k)*x**k, (k,1,n-1)) == (1+x)**n - 1 - x**n", ["n in 1..oo", "x in (0, oo)"]),
    ("binomial(n,k)*binomial(k,j) == binomial(n,j)*binomial(n-j,k-j)",
     ["n in 0..oo", "k in 0..n", "j in 0..k"]),
    ("binomial(n+k, k) >= (1+n/k)**k", ["n in 1..oo", "k in 1..oo"]),
    ("binomial(n, k) >= (n/k)**k", ["n in 1..oo", "k in 1..n"]),
    ("Sum(binomial(m,j)*binomial(n,k-j), (j,0,k)) == binomial(m+n,k)",
     ["m in 0..oo", "n in 0..oo", "k in 0..oo"]),
    ("Sum(binomial(a,k)*binomial(b,n-k)*k, (k,0,n))*(a+b) == n*a*binomial(a+b,n)",
     ["a in 1..oo", "b in 1..oo", "n in 0..a"]),
    ("Sum((-1)**k*binomial(n,k)*binomial(k,m), (k,m,n)) == 0", ["m in 0..oo", "n in m+1..oo"]),
    ("Sum(binomial(n,k)*(1+(-1)**k)/2, (k,0,n)) == 2**(n-1)", ["n in 1..oo"]),
    ("Sum(binomial(n,k)*(1-(-1)**k)/2*x**k, (k,0,n)) == ((1+x)**n - (1-x)**n)/2",
     ["n in 0..oo", "x in (0, oo)"]),
    ("Sum((-1)**j*binomial(k,j)*(x+j)**(k-1), (j,0,k)) == 0", ["k in 1..oo", "x in (0, oo)"]),
    ("Sum((-1)**(k-j)*binomial(k,j)*j**k, (j,0,k)) == factorial(k)", ["k in 0..oo"]),
    ("Sum((-1)**(k-j)*binomial(k,j)*(k-2*j)**k, (j,0,k)) == (-2)**k*factorial(k)", ["k in 1..oo"]),
    ("Sum(binomial(k,j)*2**(k-j)*(-2)**j*(3*j+1)**k, (j,0,k)) == (-6)**k*factorial(k)", ["k in 0..oo"]),
]  # fmt: skip
FALSE = [
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k)*(-1)**k, (k,1,n)) == (1-2*p)**n",
     ["p in [0, 1]", "n in 1..oo"]),
    ("Sum(binomial(n,2*j), (j,0,floor(n/2))) == 2**(n-1)", ["n in 0..oo"]),
    ("Sum(binomial(n,2*j), (j,0,floor(n/2)-1)) == 2**(n-1)", ["n in 1..oo"]),
    ("Sum((-1)**k*k**2*binomial(n,k), (k,0,n)) == 0", ["n in 2..oo"]),
    ("Sum(binomial(n,k)*x**k, (k,1,n-1)) == (1+x)**n - 1 - x**n", ["n in 0..oo", "x in (0, oo)"]),
    ("Sum(k*binomial(n,k)*x**k*(1-x)**(n-k), (k,0,n-1)) == n*x", ["n in 1..oo", "x in (0, 1)"]),
    ("binomial(n,k)*binomial(k,j) == binomial(n,j)*binomial(n-j,k-j+1)",
     ["n in 0..oo", "k in 0..n", "j in 0..k"]),
    # 0 on the left where k > n, and no factorial of n - k there
    ("binomial(n,k)*(n-k+1) == binomial(n+1,k)*(n-k+1)**2/(n+1) + floor(k/(n+2))",
     ["n in 0..oo", "k in 0..n+2"]),
    ("binomial(n+k, k) >= (1+n/k)**k + 1/1000", ["n in 1..oo", "k in 1..oo"]),
    ("binomial(n, k) >= (1001*n/(1000*k))**k", ["n in 1..oo", "k in 1..n"]),
    ("Sum(binomial(m,j)*binomial(n,k-j), (j,1,k)) == binomial(m+n,k)",
     ["m in 0..oo", "n in 0..oo", "k in 0..oo"]),
    ("Sum(binomial(m,j)*binomial(n,k+j), (j,0,m)) == binomial(m+n,k)",
     ["m in 0..oo", "n in 0..oo", "k in 0..oo"]),
    ("Sum(binomial(a,k)*binomial(b,n-k)*k**2, (k,0,n))*(a+b) == n*a*binomial(a+b,n)",
     ["a in 1..oo", "b in 1..oo", "n in 0..a"]),
    ("Sum((-1)**k*binomial(n,k)*binomial(k,m), (k,m,n)) == 0", ["m in 0..oo", "n in m..oo"]),
    ("Sum(binomial(n,k)*(1+(-1)**k)/2, (k,0,n)) == 2**(n-1)", ["n in 0..oo"]),
    ("Sum(binomial(n,k)*(1+(-1)**k)/2, (k,1,n)) == 2**(n-1)", ["n in 1..oo"]),
    ("Sum((-1)**j*binomial(k,j)*(x+j)**(k-1), (j,0,k-1)) == 0", ["k in 1..oo", "x in (0, oo)"]),
    ("Sum((-1)**j*binomial(k,j)*(x+j)**k, (j,0,k)) == factorial(k)", ["k in 0..oo", "x in (0, oo)"]),
    ("Sum((-1)**(k-j)*binomial(k,j)*j**k, (j,1,k)) == factorial(k)", ["k in 0..oo"]),
    ("Sum((-1)**(k-j)*binomial(k,j)*(k-2*j)**k, (j,0,k)) == 2**k*factorial(k)", ["k in 1..oo"]),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "domains"), TRUE)
def test_proved(statement: str, domains: list[str]) -> None:
    found = check_text(statement, domains, budget=30, explained=False)
    assert found.verdict == "holds"
    assert found.rung == "proved"


@pytest.mark.parametrize(("statement", "domains"), FALSE)
def test_near_lies_fall(statement: str, domains: list[str]) -> None:
    assert check_text(statement, domains, budget=30, explained=False).verdict == "refuted"


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        # the empty sum at n = -1 is 0, and no power of 2
        ("Sum(binomial(n,k), (k,0,n)) == 2**n", ["n in -1..oo"]),
        (
            "Sum(binomial(n,k)*x**k, (k,2,n-1)) == (1+x)**n - 1 - n*x - x**n",
            ["n in 1..oo", "x in (0, 1)"],
        ),
        ("Sum(binomial(n,2*j), (j,0,floor(n/2))) == 2**(n-1)", ["n in -1..oo"]),
    ],
)
def test_ranges_that_run_backwards_are_not_proved(statement: str, domains: list[str]) -> None:
    problem = read_problem(statement, domains)
    task = Task(problem.goal, Region(problem.domains.variables), Clock(30), Prover(problem))  # type: ignore[arg-type]
    assert binomials.closed(problem.goal.lhs, task) is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("term", "high"),
    [
        ("binomial(n, k)*x**k", "n"),
        ("binomial(n, k)*(-x)**(n-k)*k**3", "n"),
        ("binomial(n, k)*k*(2*x)**(3*k+1)*3**(n-k)", "n-2"),
        ("binomial(n, 2*k)*x**(2*k)", "floor(n/2)"),
        ("binomial(n, 2*k+1)*5**k", "floor((n-1)/2)"),
    ],
)
def test_closed_forms_are_the_sums_of_their_terms(term: str, high: str) -> None:
    problem = read_problem(f"Sum({term}, (k, 0, {high})) == 0", ["n in 5..oo", "x in (0, oo)"])
    prover = Prover(problem)
    total = problem.goal.lhs  # type: ignore[union-attr]
    task = Task(problem.goal, Region(problem.domains.variables), Clock(30), prover)  # type: ignore[arg-type]
    n, x = (v.symbol for v in problem.domains.variables)
    found = binomials.closed(total, task)
    if "5**k" in term:
        assert found is None  # half a power of 5 for every step of n
        return
    assert found is not None
    for value in (5, 6, 9):
        at = {n: sp.Integer(value), x: sp.Rational(2, 7)}
        assert sp.expand(found[0].xreplace(at) - evaluated(total).xreplace(at).doit()) == 0
