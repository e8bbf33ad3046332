"""Rounded quotients of integers, incomplete gamma functions, logarithms of binomial coefficients, Poisson's tails at a
real mean, sets beside other names: each with near-lies, at which the provers are alone."""

from __future__ import annotations

import pytest
from test_provers_alone import proof_of
from thinned import one_in

COUNTS = ["n in 1..oo", "k in 1..oo"]
REALS = ["a in (0, oo)", "x in (0, oo)"]
PART = ["n in 1..oo", "k in 1..n"]
POISSON = "m**k*exp(-m)/factorial(k)"
MEAN = ["m in (0, oo)"]

TRUE = [
    ("ceiling(n/k) == floor((n+k-1)/k)", COUNTS, []),
    ("ceiling(n/k) == floor((n+k-1)/k)", ["n in -oo..oo", "k in 1..oo"], []),
    ("ceiling((n+1)/k) == floor(n/k) + 1", ["n in -oo..oo", "k in 1..oo"], []),
    ("k*ceiling(n/k) <= n + k - 1", COUNTS, []),
    ("n - k*floor(n/k) <= k - 1", COUNTS, []),
    ("floor(n/k) >= (n-k+1)/k", COUNTS, []),
    ("lowergamma(a,x) + uppergamma(a,x) == gamma(a)", REALS, []),
    ("uppergamma(a+1,x) == a*uppergamma(a,x) + x**a*exp(-x)", REALS, []),
    ("uppergamma(a+1,x) == a*uppergamma(a,x) + x**a*exp(-x)", ["a in (-oo, oo)", "x in (0, oo)"], []),
    ("lowergamma(a+1,x) == a*lowergamma(a,x) - x**a*exp(-x)", REALS, []),
    ("lowergamma(a+1,x) == a*lowergamma(a,x) - x**a*exp(-x)", ["a in (0, oo)", "x in [0, oo)"], []),
    ("uppergamma(a+2,x) == a*(a+1)*uppergamma(a,x) + x**a*(x+a+1)*exp(-x)", REALS, []),
    ("lowergamma(n,x) + uppergamma(n,x) == factorial(n-1)", ["n in 1..oo", "x in (0, oo)"], []),
    ("lowergamma(a,x) < gamma(a)", REALS, []),
    ("uppergamma(a+1,x) > a*uppergamma(a,x)", REALS, []),
    ("log(binomial(n,k)) <= k*log(E*n/k)", PART, []),
    ("log(binomial(n,k)) >= k*log(n/k)", PART, []),
    ("log(binomial(n,k)) + k*log(3) <= k*log(3*E*n/k)", PART, []),
    (f"Sum({POISSON}, (k, ceiling(2*m), oo)) <= exp(-m*(2*log(2)-1))", MEAN, []),
    (f"Sum({POISSON}, (k, 0, floor(m/2))) <= exp(-m*(1-log(2))/2)", MEAN, []),
    ("exp(m)/2**(2*m) <= exp(-m*(2*log(2)-1))", MEAN, []),
    ("n**a >= n", ["a in {1, 2, 5}", "n in 1..oo"], []),
    ("a**n >= 1", ["n in 1..oo", "a in {1, 3/2, sqrt(2)}"], []),
    ("Abs(s*x)*n >= x", ["s in {-1, 1}", "x in (0, oo)", "n in 1..oo"], []),
    ("k <= 5*n", ["n in 1..oo", "a in {1, 2, 5}", "k in 0..a*n"], []),
]  # fmt: skip
FALSE = [
    ("ceiling(n/k) == floor((n+k)/k)", COUNTS, []),
    ("ceiling(n/k) == floor((n+k-2)/k)", COUNTS, []),
    ("ceiling(n/k) == floor((n+k-1)/k)", ["n in 1..oo", "k in -oo..oo"], []),
    ("ceiling(x/k) == floor((x+k-1)/k)", ["x in (0, oo)", "k in 1..oo"], []),
    ("ceiling(n/y) == floor((n+y-1)/y)", ["n in 1..oo", "y in [1, oo)"], []),
    ("k*ceiling(n/k) < n + k - 1", COUNTS, []),
    ("n - k*floor(n/k) <= k - 2", COUNTS, []),
    ("floor(n/k) >= (n-k+2)/k", COUNTS, []),
    ("lowergamma(a,x) + uppergamma(a,x) == gamma(a)", ["a in (-oo, oo)", "x in (0, oo)"], []),
    ("lowergamma(a,x) + uppergamma(a,x) == gamma(a)", ["a in (0, oo)", "x in (-1, oo)"], []),
    ("lowergamma(a,x) + uppergamma(a,x) == a*gamma(a)", REALS, []),
    ("uppergamma(a+1,x) == a*uppergamma(a,x) + x**(a+1)*exp(-x)", REALS, []),
    ("uppergamma(a+1,x) == a*uppergamma(a,x) - x**a*exp(-x)", REALS, []),
    ("lowergamma(a+1,x) == a*lowergamma(a,x) + x**a*exp(-x)", REALS, []),
    ("lowergamma(a+1,x) == a*lowergamma(a,x) - x**a*exp(-x)", ["a in (-1, oo)", "x in (0, oo)"], []),
    ("uppergamma(a+1,x) > a*uppergamma(a,x)", ["a in (0, oo)", "x in [0, oo)"], []),
    ("lowergamma(a,x) > 0", ["a in (0, oo)", "x in [0, oo)"], []),
    ("uppergamma(a+1,x) > (a+1)*uppergamma(a,x)", REALS, []),
    ("log(binomial(n,k)) <= k*log(E*n/k)", ["n in 1..oo", "k in 0..n"], []),
    ("log(binomial(n,k)) <= k*log(E*n/k) - 1/10", PART, []),
    ("log(binomial(n,k)) <= k*log(n/k)", PART, []),
    ("2*log(binomial(n,k)) <= k*log(E*n/k)", PART, []),
    ("-log(binomial(n,k)) <= -k*log(E*n/k)", PART, []),
    ("log(binomial(n,k)) >= k*log(n/k)", ["n in 1..oo", "k in 1..2*n"], []),
    (f"Sum({POISSON}, (k, ceiling(2*m), oo)) <= exp(-m*(2*log(2)-9/10))", MEAN, []),
    (f"Sum({POISSON}, (k, ceiling(2*m)-1, oo)) <= exp(-m*(2*log(2)-1))", MEAN, []),
    (f"Sum({POISSON}, (k, 0, ceiling(m/2))) <= exp(-m*(1-log(2))/2)", MEAN, []),
    ("exp(m)/2**(2*m) < exp(-m*(2*log(2)-1))", MEAN, []),
    ("n**a >= n**2", ["a in {1, 2, 5}", "n in 1..oo"], []),
    ("a**n >= 1", ["n in 1..oo", "a in {1, 3/2, sqrt(2)/2}"], []),
    ("s*x*n >= -x", ["s in {-1, 1}", "x in (0, oo)", "n in 1..oo"], []),
    ("k <= 4*n", ["n in 1..oo", "a in {1, 2, 5}", "k in 0..a*n"], []),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "domains", "where"), TRUE)
def test_what_is_true_is_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert proof_of(statement, domains, where, 20)


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(3, FALSE))
def test_no_near_lie_is_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert not proof_of(statement, domains, where, 3)
