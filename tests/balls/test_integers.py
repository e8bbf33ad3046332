"""Functions of integers agree with SymPy's own, and say so where they are not defined."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from sympy.functions.combinatorial.numbers import (
    divisor_sigma,
    mobius,
    partition,
    primenu,
    primeomega,
    primepi,
    reduced_totient,
    totient,
)

from theorycheck import balls

n, k = sp.symbols("n k")

ONE_ARGUMENT = {
    "totient": totient,
    "reduced_totient": reduced_totient,
    "divisor_sigma": divisor_sigma,
    "mobius": mobius,
    "primenu": primenu,
    "primeomega": primeomega,
    "primepi": primepi,
    "partition": partition,
    "factorial": sp.factorial,
    "factorial2": sp.factorial2,
    "subfactorial": sp.subfactorial,
    "fibonacci": sp.fibonacci,
    "lucas": sp.lucas,
    "catalan": sp.catalan,
    "harmonic": sp.harmonic,
    "bernoulli": sp.bernoulli,
    "bell": sp.bell,
    "euler": sp.euler,
}


def exact(expr: sp.Basic, **values: object) -> object:
    return balls.evaluate(expr, values).exact


def same(found: object, want: sp.Expr) -> bool:
    return isinstance(found, fmpq) and found == fmpq(int(want.p), int(want.q))


@pytest.mark.parametrize("name", sorted(ONE_ARGUMENT))
def test_as_sympy_at_small_integers(name: str) -> None:
    function = ONE_ARGUMENT[name]
    for m in [*range(1, 31), 60, 97, 128]:
        assert same(exact(function(n), n=m), function(m)), (name, m)


@pytest.mark.parametrize("name", ["fibonacci", "lucas", "catalan", "factorial2"])
def test_as_sympy_below_zero(name: str) -> None:
    function = ONE_ARGUMENT[name]
    for m in range(-9, 1):
        if name == "factorial2" and m % 2 == 0 and m < 0:
            assert balls.evaluate(function(n), {"n": m}).status == "undefined"
            continue
        want = function(sp.Integer(m))
        if want.is_Rational:
            assert same(exact(function(n), n=m), want), (name, m, want)


@given(a=st.integers(-40, 40), b=st.integers(-40, 40))
def test_two_arguments(a: int, b: int) -> None:
    assert exact(balls.gcd(n, k), n=a, k=b) == sp.igcd(a, b)
    assert exact(balls.lcm(n, k), n=a, k=b) == sp.ilcm(a, b)
    if b:
        assert exact(sp.Mod(n, k), n=a, k=b) == a % b
    assert same(exact(sp.binomial(n, k), n=a, k=b), sp.binomial(a, b))
    assert exact(sp.KroneckerDelta(n, k), n=a, k=b) == (a == b)


@given(
    a=st.fractions(-9, 9, max_denominator=6),
    j=st.integers(-6, 9),
)
def test_products_of_rationals(a: Fraction, j: int) -> None:
    q = sp.Rational(a.numerator, a.denominator)
    for function in (sp.RisingFactorial, sp.FallingFactorial, sp.binomial):
        want = function(q, j)
        found = balls.evaluate(function(n, k), {"n": a, "k": j})
        if want.is_Rational:
            assert same(found.exact, want), (function, a, j, want, found)
        else:
            assert found.status == "undefined", (function, a, j, want, found)


def test_divisor_functions_with_powers() -> None:
    for m in range(1, 40):
        for e in range(4):
            assert exact(divisor_sigma(n, k), n=m, k=e) == sp.divisor_sigma(m, e)
        assert exact(balls.divisor_count(n), n=m) == sp.divisor_count(m)


def test_primes() -> None:
    for m in range(-3, 200):
        assert balls.truth(balls.isprime(n), {"n": m}).value is bool(sp.isprime(m))
    assert balls.truth(balls.isprime(n), {"n": Fraction(5, 2)}).value is False
    assert balls.truth(balls.isprime(2**n - 1), {"n": 127}).value is True
    assert balls.truth(balls.isprime(2**n - 1), {"n": 67}).value is False
    # strong pseudoprime to the bases 2, 3, 5, 7
    assert balls.truth(balls.isprime(n), {"n": 3215031751}).value is False
    for m in range(1, 50):
        assert exact(balls.prime(n), n=m) == sp.prime(m)
        assert exact(balls.primorial(n), n=m) == sp.primorial(m)


def test_predicates() -> None:
    assert balls.truth(balls.is_square(n), {"n": 49}).value is True
    assert balls.truth(balls.is_square(n), {"n": 50}).value is False
    assert balls.truth(balls.is_square(n), {"n": -4}).value is False
    assert balls.truth(balls.divides(n, k), {"n": 7, "k": 91}).value is True
    assert balls.truth(balls.divides(n, k), {"n": 0, "k": 91}).value is False
    assert balls.truth(balls.divides(n, k), {"n": 0, "k": 0}).value is True
    # by name, as a grammar without SymPy classes writes them
    assert exact(sp.Function("gcd")(n, k), n=12, k=18) == 6
    assert balls.truth(sp.Function("isprime")(n), {"n": 7}).value is True


@pytest.mark.parametrize("name", ["totient", "mobius", "divisor_sigma", "partition", "fibonacci"])
def test_not_defined_at_fractions(name: str) -> None:
    found = balls.evaluate(ONE_ARGUMENT[name](n), {"n": Fraction(1, 2)})
    assert found.status == "undefined"


def test_integers_in_disguise() -> None:
    assert exact(balls.gcd(sp.sqrt(n) * sp.sqrt(k), 6), n=2, k=8) == 2
    assert exact(sp.fibonacci(sp.log(n) / sp.log(2)), n=1024) == 55


def test_hopeless_factoring_is_undecided_at_once() -> None:
    m = (2**400 - 593) * (2**401 - 31)
    found = balls.evaluate(totient(n), {"n": m})
    assert found.status == "undecided" and "factoring" in found.reason
    assert balls.truth(balls.isprime(n), {"n": 10**3000 + 7}).status in ("ok", "undecided")
