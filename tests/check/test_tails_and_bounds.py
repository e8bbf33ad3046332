"""Tails by tilting, values replaced by known bounds, products of powers, ends that are floors: each with near-lies, at
which the provers are alone: nothing looks for a counterexample before them."""

from __future__ import annotations

import pytest
import sympy as sp
from test_provers_alone import proof_of
from thinned import one_in

ROW = "binomial(n,k)*p**k*(1-p)**(n-k)"
LAW = ["n in 1..oo", "a in 0..n", "p in (0,1)"]
FREE = ["n in 1..oo", "p in (0,1)"]
INNER = ["n in 2..oo", "a in 1..n-1", "p in (0,1)"]
ABOVE = [*FREE, "q in (p,1)"]
KL = "((p*n/a)**a*((1-p)*n/(n-a))**(n-a))"
POISSON = "exp(-x)*x**k/factorial(k)"

TRUE = [
    # Tails
    (f"Sum({ROW},(k,a,n)) <= exp(-2*n*(a/n-p)**2)", LAW, ["a >= n*p"]),
    (f"Sum({ROW},(k,0,a)) <= exp(-2*(n*p-a)**2/n)", LAW, ["a <= n*p"]),
    (f"Sum({ROW},(k,ceiling(n*(p+t)),n)) <= exp(-2*n*t**2)", [*FREE, "t in (0,1-p)"], []),
    (f"Sum({ROW},(k,0,floor(n*(p-t)))) <= exp(-2*n*t**2)", [*FREE, "t in (0,p)"], []),
    ("Sum(binomial(n,k),(k,ceiling(3*n/4),n)) <= 2**n*exp(-n/8)", ["n in 1..oo"], []),
    ("Sum(binomial(n,k),(k,0,d)) <= (E*n/d)**d", ["n in 1..oo", "d in 1..n"], []),
    (f"Sum({POISSON},(k,ceiling(2*x),oo)) <= exp(-x/3)", ["x in (0,oo)"], []),
    (f"Sum({ROW},(k,Max(0,a),n)) >= 1-exp(-2*n*(p-(a-1)/n)**2)", LAW, ["a <= n*p"]),
    (f"Sum({ROW},(k,0,Min(n,floor(n*(p-t))))) <= exp(-2*n*t**2)", [*FREE, "t in (0,p)"], []),
    (f"Sum({ROW},(k,a,n)) <= {KL}", INNER, ["a >= n*p"]),
    (f"Sum({ROW},(k,0,a)) <= {KL}", INNER, ["a <= n*p"]),
    (f"Sum({ROW},(k,ceiling(n*q),n)) <= exp(-n*(q*log(q/p)+(1-q)*log((1-q)/(1-p))))", ABOVE, []),
    (f"Sum({ROW},(k,ceiling(n*q),n)) <= ((p/q)**q*((1-p)/(1-q))**(1-q))**n", ABOVE, []),
    (f"Sum({ROW},(k,ceiling((1+d)*n*p),n)) <= (exp(d)/(1+d)**(1+d))**(n*p)", [*FREE, "d in (0,oo)"], []),
    (f"Sum({ROW},(k,ceiling((1+d)*n*p),n)) <= exp(-n*p*((1+d)*log(1+d)-d))", [*FREE, "d in (0,oo)"], []),
    (f"Sum({ROW},(k,0,floor((1-d)*n*p))) <= (exp(-d)/(1-d)**(1-d))**(n*p)", [*FREE, "d in (0,1)"], []),
    # Known bounds
    ("1-(1-2*Q(2*sqrt(log(n))))**n <= 2/n", ["n in 1..oo"], []),
    ("Q(x*y) <= exp(-x**2*y**2/2)/2", ["x, y in [0,oo)"], []),
    ("Q(d/s) >= d*s/(d**2+s**2)*exp(-d**2/(2*s**2))/sqrt(2*pi)", ["d, s in (0,oo)"], []),
    ("uppergamma(a,2*a) <= gamma(a)*(2/E)**a", ["a in (0,oo)"], []),
    ("lowergamma(a,a/2) <= gamma(a)*(E/4)**(a/2)", ["a in (0,oo)"], []),
    ("t**((k+1)/2)+(1-t)**((k+1)/2) <= 1", ["k in 1..oo", "t in [0,1]"], []),
    # Products of powers
    ("(n*(p-1)/(a-n))**a <= (n*(1-p)/(n-a))**a", ["n in 2..oo", "a in 1..n-1", "p in (0,1)"], []),
    ("exp(-d*n*p)*(1/(1-d))**(n*p*(1-d)) <= exp(-n*p*d**2/2)", [*FREE, "d in (0,1)"], []),
    # Ends
    ("k <= n*x", ["n in 1..oo", "x in (0,1)", "k in 0..floor(n*x)"], []),
    (f"Sum({ROW},(k,0,Min(n,floor(n*p-d*n*p)))) <= exp(-d**2*n*p/2)", [*FREE, "d in (0,1)"], []),
    ("k <= n", ["n in 1..oo", "x in (0,3)", "k in 0..Min(n,floor(n*x))"], []),
    ("k <= n*x", ["n in 1..oo", "x in (0,3)", "k in 0..Min(n,floor(n*x))"], []),
    ("n*x <= k", ["n in 1..oo", "x in (0,3)", "k in (Max(5,ceiling(n*x)))..oo"], []),
    ("x*u*t <= x*u*x", ["x in (0,1)", "u in (0,x**2)", "t in (0,x)"], []),
]  # fmt: skip
FALSE = [
    (f"Sum({ROW},(k,a,n)) <= exp(-3*n*(a/n-p)**2)", LAW, ["a >= n*p"]),
    (f"Sum({ROW},(k,a,n)) <= exp(-2*n*(a/n-p)**2)", LAW, []),
    (f"Sum({ROW},(k,a,n)) <= exp(-2*n*(a/n-p)**2)", LAW, ["a <= n*p"]),
    (f"Sum({ROW},(k,0,a)) <= exp(-2*(n*p-a)**2/n)", LAW, ["a <= n*p+1/2"]),
    (f"Sum({ROW},(k,ceiling(n*(p+t))-1,n)) <= exp(-2*n*t**2)", [*FREE, "t in (0,1-p)"], []),
    (f"Sum({ROW},(k,0,floor(n*(p-t))+1)) <= exp(-2*n*t**2)", [*FREE, "t in (0,p)"], []),
    (f"Sum({ROW},(k,0,floor((1-d)*n*p))) <= exp(-n*p*d**2)", [*FREE, "d in (0,1)"], []),
    ("Sum(binomial(n,k),(k,ceiling(3*n/4),n)) <= 2**n*exp(-n/7)", ["n in 1..oo"], []),
    ("Sum(binomial(n,k),(k,0,d)) <= (2*n/d)**d", ["n in 1..oo", "d in 1..n"], []),
    ("Sum(binomial(n,k),(k,0,d)) <= (E*n/d)**d", ["n in 1..oo", "d in 1..4*n"], []),
    (f"Sum({POISSON},(k,ceiling(2*x),oo)) <= exp(-x/2)", ["x in (0,oo)"], []),
    (f"Sum({POISSON},(k,ceiling(x/2),oo)) <= exp(-x/8)", ["x in (0,oo)"], []),
    (f"Sum({ROW},(k,Max(0,a),n)) >= 1-exp(-2*n*(p-(a-2)/n)**2)", LAW, ["a <= n*p"]),
    (f"Sum({ROW},(k,0,Min(a,b))) >= 1-exp(-2*n*(a/n-p)**2)", [*LAW, "b in 0..n"], ["a >= n*p"]),
    (f"Sum({ROW},(k,a,n)) <= {KL}", INNER, ["a >= n*p - 1"]),
    (f"Sum({ROW},(k,a,n)) <= {KL}", INNER, ["a <= n*p"]),
    (f"Sum({ROW},(k,a,n)) <= {KL}**(11/10)", INNER, ["a >= n*p"]),
    (f"Sum({ROW},(k,a-1,n)) <= {KL}", INNER, ["a >= n*p + 1"]),
    (f"Sum({ROW},(k,ceiling(n*q),n)) <= exp(-n*(q*log(q/p)+(1-q)*log((1-q)/(1-2*p))))", ABOVE, []),
    (f"Sum({ROW},(k,floor(n*q),n)) <= ((p/q)**q*((1-p)/(1-q))**(1-q))**n", ABOVE, []),
    (f"Sum({ROW},(k,ceiling(n*q),n)) <= ((p/q)**q*((1-p)/(1-q))**(1-q))**n", [*FREE, "q in (p/2,1)"], []),
    (f"Sum({ROW},(k,ceiling((1+d)*n*p),n)) <= (exp(d)/(1+d)**(1+d))**(2*n*p)", [*FREE, "d in (0,oo)"], []),
    (f"Sum({ROW},(k,floor((1+d)*n*p),n)) <= (exp(d)/(1+d)**(1+d))**(n*p)", [*FREE, "d in (0,oo)"], []),
    (f"Sum({ROW},(k,ceiling((1+d)*n*p),n)) <= exp(-n*p*((1+d)*log(1+2*d)-d))", [*FREE, "d in (0,oo)"], []),
    (f"Sum({ROW},(k,0,ceiling((1-d)*n*p))) <= (exp(-d)/(1-d)**(1-d))**(n*p)", [*FREE, "d in (0,1)"], []),
    ("1-(1-2*Q(2*sqrt(log(n))))**n <= 1/n**2", ["n in 1..oo"], []),
    ("erfc(x) <= exp(-x**2)", ["x in (-1,oo)"], []),
    ("Q(x*y) <= exp(-x**2*y**2/2)/2", ["x in [0,oo)", "y in (-oo,oo)"], []),
    ("Q(x) <= 9/10*exp(-x**2/2)/(x*sqrt(2*pi))", ["x in (0,oo)"], []),
    ("Q(x)*sqrt(2*pi)*exp(x**2/2) >= 2/(x+sqrt(x**2+39/10))", ["x in (0,oo)"], []),
    ("Q(d/s) >= d*s/(d**2+s**2/2)*exp(-d**2/(2*s**2))/sqrt(2*pi)", ["d, s in (0,oo)"], []),
    ("erf(x*y) >= 1-exp(-x**2*y**2)", ["x in (-oo,oo)", "y in (0,oo)"], []),
    ("uppergamma(a,a/2) <= gamma(a)*(E/4)**(a/2)", ["a in (0,oo)"], []),
    ("lowergamma(a,2*a) <= gamma(a)*(2/E)**a", ["a in (0,oo)"], []),
    ("lowergamma(a,a/2) <= gamma(a)*(E/4)**a", ["a in (0,oo)"], []),
    ("t**((k+1)/2)+(1-t)**((k+1)/2) <= 1", ["k in 0..oo", "t in [0,1]"], []),
    ("t**(k+1)+(1-t)**(k+1) <= 1", ["k in 1..oo", "t in [0,11/10]"], []),
    ("(1-x)**s >= 1-s*x", ["s in [1/2,oo)", "x in [0,1]"], []),
    ("(1-x)**n >= 1-n*x", ["n in 0..oo", "x in [0,4]"], []),
    ("(1+x*y)**s <= 1+s*x*y", ["s in [0,11/10]", "x, y in [0,1]"], []),
    ("(a*(p-1))**n == (a*(1-p))**n", ["n in 1..oo", "a in 1..oo", "p in (0,1)"], []),
    ("(n*(p-1)/(a-n))**a <= (n*(p-1)/(n-a))**a", ["n in 2..oo", "a in 1..n-1", "p in (0,1)"], []),
    ("exp(-d*n*p)*(1/(1-d))**(n*p*(1-d)) <= exp(-2*n*p*d**2/3)", [*FREE, "d in (0,1)"], []),
    ("k <= n*x", ["n in 1..oo", "x in (0,1)", "k in 0..ceiling(n*x)"], []),
    (f"Sum({ROW},(k,0,Min(n,floor(n*p-d*n*p)))) <= exp(-d**2*n*p)", [*FREE, "d in (0,1)"], []),
    (f"Sum({ROW},(k,0,Min(n,floor(n*p+d*n*p)))) <= exp(-d**2*n*p/2)", [*FREE, "d in (0,1)"], []),
    ("k <= n", ["n in 1..oo", "x in (0,3)", "k in 0..Max(n,floor(n*x))"], []),
    ("k <= n*x", ["n in 1..oo", "x in (0,3)", "k in 0..Min(n,ceiling(n*x))"], []),
    ("n*x <= k", ["n in 1..oo", "x in (0,3)", "k in (Max(5,floor(n*x)))..oo"], []),
    ("5 <= k", ["n in 1..oo", "x in (0,3)", "k in (Min(5,ceiling(n*x)))..oo"], []),
    ("k < n", ["n in 1..oo", "k in 0..n"], []),
    ("k >= n*x", ["n in 1..oo", "x in (0,1)", "k in (floor(n*x))..n"], []),
    ("x*u*t <= x*u*x", ["x in (0,1)", "u in (0,x**2)", "t in (0,sqrt(x))"], []),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(3, TRUE))
def test_what_is_true_is_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert proof_of(statement, domains, where, 20)


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(4, FALSE))
def test_no_near_lie_is_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert not proof_of(statement, domains, where, 3)


@pytest.mark.parametrize("u", [0, 0.01, 0.3, 1, 2.5, 6, 20])
def test_known_bounds_of_the_normal_tail(u: float) -> None:
    from theorycheck.check.envelopes import _of_erfc

    at = sp.Rational(u)
    bounds = {up: [b.value for b in _of_erfc(sp.Symbol("u"), upper=up)] for up in (True, False)}
    tail = sp.erfc(at).evalf(60)
    for upper, values in bounds.items():
        for value in values:
            there = value.subs("u", at)
            assert (
                there is sp.zoo or (there.evalf(60) >= tail) == upper or abs(there - tail) < 1e-50
            )
