"""Statements linear in pieces, floors, divisors, one function at two places, tails, Stirling: each with near-lies."""

from __future__ import annotations

from fractions import Fraction

import pytest
from thinned import one_in

from theorycheck.check.polyhedra import LinearInequality, contradictory, multipliers
from theorycheck.check.run import check_text

TRUE = [
    # Linear in pieces
    ("floor(2*x) + floor(2*y) >= floor(x) + floor(y) + floor(x+y)", ["x, y in [0, oo)"], []),
    ("Max(Max(a,b),c) + Min(a,b) + Min(b,c) + Min(c,a) == a+b+c+Min(Min(a,b),c)", ["a, b, c in 0..oo"], []),
    ("ceiling(x/2) - floor(x/2) <= 1", ["x in (-oo, oo)"], []),
    ("Mod(x, 3) <= Mod(x, 6)", ["x in (-oo, oo)"], []),
    ("Min(a,b) + Min(a,c) == Min(a,b+c)", ["a, b, c in 0..oo"], ["Min(b,c) == 0"]),
    # Divisors
    ("lcm(lcm(a,b),c)*gcd(a,b)*gcd(b,c)*gcd(c,a) == a*b*c*gcd(gcd(a,b),c)", ["a, b, c in 1..oo"], []),
    ("gcd(a,b) == gcd(a+b, lcm(a,b))", ["a, b in 1..oo"], []),
    ("gcd(a,b)*gcd(a,c) == gcd(a,b*c)", ["a, b, c in 1..oo"], ["gcd(b,c) == 1"]),
    ("Mod(lcm(a,b), a) == 0", ["a, b in 1..oo"], []),
    ("gcd(2**m-1, 2**n-1) == 2**gcd(m,n) - 1", ["m, n in 1..oo"], []),
    # Floors
    ("floor(floor(n/a)/b) == floor(n/(a*b))", ["n in 0..oo", "a, b in 1..oo"], []),
    ("Sum(floor((n+j)/k),(j,0,k-1)) == n", ["n in 0..oo", "k in 1..oo"], []),
    ("2**ceiling(log(n,2)) <= 2*n - 2", ["n in 2..oo"], []),
    ("2**floor(log(n,2)) >= (n+1)/2", ["n in 1..oo"], []),
    # One function at two places
    ("tanh(x+y) <= tanh(x) + tanh(y)", ["x, y in [0, oo)"], []),
    ("tanh(x*y) <= x*tanh(y)", ["x in [1, oo)", "y in [0, oo)"], []),
    ("gamma((x+y)/2)**2 <= gamma(x)*gamma(y)", ["x, y in (0, oo)"], []),
    ("gamma(x+y) >= gamma(x)*gamma(y)", ["x, y in [1, oo)"], []),
    # Equal derivatives, reflections
    ("atan(x) + atan(y) == atan((x+y)/(1-x*y))", ["x, y in (0, oo)"], ["x*y < 1"]),
    ("gamma(x)*gamma(1-x) == pi/sin(pi*x)", ["x in (0, 1)"], []),
    # Names apart, scaling beside exponents
    ("(1-a)**n*(1-b)**n <= exp(-n*(a+b))", ["n in 1..oo", "a, b in [0, 1]"], []),
    ("(x+y)**p <= 2**(p-1)*(x**p+y**p)", ["p in [1, oo)", "x, y in (0, oo)"], []),
    # Sines that do not vanish, alternating series
    ("Sum(cos(2*pi*k*j/p)**2, (j,0,p-1)) == p/2", ["p in primes(3..2000)", "k in 1..p-1"], []),
    ("Sum((-1)**n/(2*n+1),(n,0,oo)) == pi/4", [], []),
    ("Sum((-1)**n/(3*n+1),(n,0,oo)) == log(2)/3 + pi/(3*sqrt(3))", [], []),
    # Binomial coefficients
    ("Sum(binomial(i,k),(i,k,n)) == binomial(n+1,k+1)", ["n in 0..oo", "k in 0..n"], []),
    ("1 + binomial(n,2) + binomial(n,4) <= 2**(n-1)", ["n in 1..oo"], []),
    ("binomial(n,k)**2 >= binomial(n,k-1)*binomial(n,k+1)", ["n in 1..oo", "k in 1..n"], []),
    # Tails
    ("Sum(binomial(n,k), (k, 0, floor(n/4))) <= 2**n*exp(-n/8)", ["n in 1..oo"], []),
    ("1 - exp(-2)*Sum(2**k/factorial(k),(k,0,n)) <= exp(-2)*(2*E/(n+1))**(n+1)", ["n in 1..oo"], []),
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k), (k, m, n)) <= binomial(n,m)*p**m",
     ["n in 1..oo", "m in 0..n", "p in (0, 1)"], []),
    # Remainders
    ("binomial(n,k)*(k/n)**k*(1-k/n)**(n-k) <= 1/sqrt(2*pi*k*(1-k/n))", ["n in 2..oo", "k in 1..n-1"], []),
    ("binomial(a+b,a)*a**a*b**b <= (a+b)**(a+b)", ["a, b in 1..oo"], []),
    ("harmonic(m*n) <= harmonic(m) + harmonic(n)", ["m, n in 1..oo"], []),
]  # fmt: skip
FALSE = [
    ("floor(2*x) + floor(2*y) >= floor(x) + floor(y) + floor(x+y+1/4)", ["x, y in [0, oo)"], []),
    ("Max(Max(a,b),c) + Min(a,b) + Min(b,c) + Min(c,a) == a+b+c+Max(Min(a,b),c)", ["a, b, c in 0..oo"], []),
    ("ceiling(x/2) - floor(x/2) < 1", ["x in (-oo, oo)"], []),
    ("Mod(x, 3) <= Mod(x, 5)", ["x in (-oo, oo)"], []),
    ("Min(a,b) + Min(a,c) == Min(a,b+c)", ["a, b, c in 0..oo"], ["Min(b,c) <= 1"]),
    ("gcd(a,b) == gcd(a+2*b, lcm(a,b))", ["a, b in 1..oo"], []),
    ("gcd(a,b)*gcd(a,c) == gcd(a,b*c)", ["a, b, c in 1..oo"], ["gcd(b,c) <= 2"]),
    ("gcd(a,b)*gcd(a,c) == gcd(a,b*c)", ["a, b, c in 1..oo"], ["gcd(a,c) == 2"]),
    ("Mod(lcm(a,b), a*b) == 0", ["a, b in 1..oo"], []),
    ("gcd(2**m-1, 2**n+1) == 2**gcd(m,n) - 1", ["m, n in 1..oo"], []),
    ("floor(floor(n/a)/b) == floor(n/(a*b) + 1/50)", ["n in 0..oo", "a, b in 1..oo"], []),
    ("floor((floor(x) + 1/2)/2) == floor((x + 1/2)/2)", ["x in [0, oo)"], []),
    ("Sum(floor((n+j)/k),(j,0,k)) == n", ["n in 0..oo", "k in 1..oo"], []),
    ("2**ceiling(log(n,2)) <= 2*n - 3", ["n in 4..oo"], []),
    ("2**floor(log(n,2)) >= (n+2)/2", ["n in 1..oo"], []),
    ("tanh(x+y) <= tanh(x) + tanh(y)", ["x in [-1/9, oo)", "y in [0, oo)"], []),
    ("tanh(x*y) <= x*tanh(y)", ["x in [19/20, oo)", "y in [0, oo)"], []),
    # 1/tanh decreases on either side of 0, and not across
    ("1/tanh(x) >= 1/tanh(y)", ["x in (-oo, 0)", "y in (0, oo)"], []),
    ("gamma((x+y)/2)**2 <= gamma(x)*gamma(y)*99/100", ["x, y in (0, oo)"], []),
    ("gamma(x+y) >= gamma(x)*gamma(y)", ["x, y in [9/10, oo)"], []),
    ("atan(x) + atan(y) == atan((x+y)/(1-x*y))", ["x, y in (0, oo)"], ["x*y != 1"]),
    ("gamma(x)*gamma(2-x) == pi/sin(pi*x)", ["x in (0, 1)"], []),
    ("(1-a)**n*(1-b)**n <= exp(-n*(a+b))", ["n in 1..oo", "a in [0, 1]", "b in [0, 3]"], []),
    ("(x+y)**p <= 2**(p-1)*(x**p+y**p)", ["p in [99/100, oo)", "x, y in (0, oo)"], []),
    ("x*y <= 1", ["x, y in [-2, 1/2]"], []),
    ("Sum(binomial(i,k),(i,k,n)) == binomial(n+1,k)", ["n in 0..oo", "k in 0..n"], []),
    ("Sum(cos(2*pi*k*j/p)**2, (j,0,p-1)) == p/2", ["p in primes(2..30)", "k in 1..p-1"], []),
    ("Sum(cos(2*pi*k*j/p)**2, (j,0,p-1)) == p/2", ["p in 3..30", "k in 1..p-1"], []),
    ("1 + binomial(n,2) + binomial(n,4) < 2**(n-1)", ["n in 1..oo"], []),
    ("binomial(n,k)**2 >= 11/10*binomial(n,k-1)*binomial(n,k+1)", ["n in 1..oo", "k in 1..n"], []),
    ("Sum(binomial(n,k), (k, 0, floor(n/3))) <= 2**n*exp(-n/8)", ["n in 1..oo"], []),
    ("1 - exp(-2)*Sum(2**k/factorial(k),(k,0,n)) <= exp(-2)*(2*E/(n+1))**(n+2)/6", ["n in 1..oo"], []),
    ("Sum(binomial(n,k)*p**k*(1-p)**(n-k), (k, m, n)) <= binomial(n,m)*p**(m+1)",
     ["n in 1..oo", "m in 0..n", "p in (0, 1)"], []),
    ("binomial(n,k)*(k/n)**k*(1-k/n)**(n-k) <= 9/10/sqrt(2*pi*k*(1-k/n))", ["n in 2..oo", "k in 1..n-1"], []),
    ("2*binomial(a+b,a)*a**a*b**b <= 99/100*(a+b)**(a+b)", ["a, b in 1..oo"], []),
    ("harmonic(m*n) <= harmonic(m) + harmonic(n) - 3/5", ["m, n in 1..oo"], []),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(3, TRUE))
def test_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert check_text(statement, domains, where, budget=150, explained=False).proved


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(3, FALSE))
def test_near_lies_are_not_proved(statement: str, domains: list[str], where: list[str]) -> None:
    found = check_text(statement, domains, where, budget=60, explained=False)
    assert found.verdict == "refuted" and found.counterexample


def test_farkas_multipliers_add_up() -> None:
    one = Fraction(1)
    rows = [
        LinearInequality({"x": one}, Fraction(-1)),
        LinearInequality({"y": one}, Fraction(-1), strict=True),
        LinearInequality({"x": -one, "y": -one}, Fraction(2)),
    ]
    found = multipliers(rows)
    assert found is not None and contradictory(rows, found)
    assert multipliers(rows[:2]) is None
    # x >= 1, y >= 1, x + y <= 2 has a point.
    assert multipliers([rows[0], LinearInequality({"y": one}, Fraction(-1)), rows[2]]) is None
    assert not contradictory(rows, [-m for m in found])


def test_integers_round_up() -> None:
    x = object()
    row = LinearInequality({x: Fraction(2)}, Fraction(-1), strict=False).whole(frozenset([x]))
    assert (row.coefficients[x], row.constant) == (1, -1)  # 2 x >= 1 is x >= 1
    row = LinearInequality({x: Fraction(1)}, Fraction(-1), strict=True).whole(frozenset([x]))
    assert (row.constant, row.strict) == (-2, False)  # x > 1 is x >= 2
    assert LinearInequality({x: Fraction(1)}, Fraction(-1), strict=True).whole(frozenset()).strict


def test_a_wrong_sum_of_a_series_is_not_proved() -> None:
    found = check_text("Sum((-1)**n/(2*n+1),(n,0,oo)) == pi/4 + 10**(-30)", [], [], budget=15)
    assert not found.proved


PIECES = "Piecewise(({value}, {when}), (0, True))"


@pytest.mark.parametrize(
    ("statement", "domains", "holds"),
    [
        ("Sum({0}, (k, 1, n)) <= n - 1", ["n in 2..oo"], True),
        ("Sum({0}, (k, 1, n)) <= n - 2", ["n in 1..oo"], False),
        ("Sum({0}, (k, 1, n)) <= 0", ["n in 1..oo"], False),
        ("Sum({1}, (i, 1, n)) <= n", ["n in 1..oo", "z[i] in R for i in 1..n"], True),
        ("Sum({1}, (i, 1, n)) <= n - 1", ["n in 1..oo", "z[i] in R for i in 1..n"], False),
        ("Integral({2}, (x, 0, y)) >= y - 1", ["y in (0, oo)"], True),
        ("Integral({2}, (x, 0, y)) >= y", ["y in (0, oo)"], False),
        ("Integral({2}, (x, 0, y)) == 0", ["y in (0, 2]"], False),
    ],
)
def test_conditions_speak_of_the_index_of_a_sum(
    statement: str, domains: list[str], holds: bool
) -> None:
    """They were refused: the index was called random."""
    whens = ("k > 2", "z[i] <= 0", "x > 1")
    text = statement.format(*(PIECES.format(value=1, when=when) for when in whens))
    assert check_text(text, domains, budget=4).verdict == ("holds" if holds else "refuted")
