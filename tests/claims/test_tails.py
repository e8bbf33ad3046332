"""Declared tails whose numbers depend on the point."""

import math
from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    bounded,
    claim,
    integers,
    mean,
    reals,
    stats,
    sub_gaussian,
    variance_at_most,
)

m = sp.symbols("m", integer=True, positive=True)
x = sp.symbols("x", positive=True)


def about(tail, **more):
    def values(ns, rng, size, m):
        return m * rng.normal((size,))

    return claim("t", domain={m: integers(1)}, grid={"smoke": {m: [1, 2]}}, closed_form=0 * m,
                 unit=m, statistic=mean(tail), **more)(values)  # fmt: skip


def test_numbers_declare_what_they_did():
    assert variance_at_most(2) == stats.variance_at_most(2.0)
    assert bounded(0, 1.5) == stats.bounded(0.0, 1.5)


@pytest.mark.parametrize(
    "var",
    [3 * m**2, lambda m: 3 * m**2, lambda m: 3 * sp.Integer(m) ** 2, lambda m: Fraction(3 * m**2)],
)
def test_an_expression_or_function_is_evaluated_at_the_point(var):
    assert variance_at_most(var).at({"m": 5}) == stats.variance_at_most(75.0)


def test_numbers_that_no_float_holds_are_rounded_outward():
    third = Fraction(1, 3)
    tail = bounded(-third, third)
    low, high = map(Fraction, tail.params)
    assert low < -third and high > third
    assert high - third < Fraction(1, 2**53)
    irrational = sub_gaussian(sp.sqrt(2)).params[0]
    assert Fraction(irrational) ** 2 > 2 and irrational <= math.nextafter(math.sqrt(2), 2)


def test_the_text_says_the_expression():
    assert variance_at_most(3 * m**2).text() == "variance at most 3*m**2 (declared)"
    assert mean(bounded(0, m)).text() == "mean (values in [0, m] (declared))"

    def widest(m):
        return m

    assert "widest(m)" in sub_gaussian(widest).text()


def test_each_point_of_a_claim_has_its_own():
    (lg,) = about(variance_at_most(m**2)).legs
    assert lg.statistic.at({"m": 2}).start().tail == stats.variance_at_most(4.0)
    with pytest.raises(ValueError, match="depends on the point"):
        lg.statistic.start()


@pytest.mark.parametrize("tail", ["1", None, [1]])
def test_what_is_no_number_is_refused(tail):
    with pytest.raises(ClaimError, match="write a number, a SymPy expression"):
        variance_at_most(tail)


def test_unknown_parameters_are_refused_when_the_claim_is_made():
    with pytest.raises(ClaimError, match="its tail asks for x, which is no parameter"):
        about(variance_at_most(x))
    with pytest.raises(ClaimError, match="its tail asks for n"):
        about(sub_gaussian(lambda n: n))


@pytest.mark.parametrize(
    ("var", "words"),
    [
        (1 / (m - 2), "at m=2: undefined"),
        (m - 2, "at m=2: variance_at_most.* at least 1e-100"),
        (sp.Integer(10) ** (m * 400), "beyond every float"),
        (lambda m: "3", "no number"),
    ],
)
def test_a_tail_without_value_at_a_point_is_named_there(var, words):
    with pytest.raises(ClaimError, match=words):
        variance_at_most(var).at({"m": 2})


def test_a_parameter_that_only_the_tail_asks_for_is_used():
    def values(ns, rng, size, m):
        return rng.normal((size,))

    c = claim(
        "u",
        domain={m: integers(1), x: reals(0, 1)},
        grid={"smoke": [{m: 1, x: 1}]},
        closed_form=m,
        statistic=mean(variance_at_most(x)),
    )(values)
    assert c.legs[0].statistic.names == {"x"}
