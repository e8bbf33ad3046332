"""Exact algebra: simplest rationals, real roots, cells, coefficient signs."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpz_poly
from hypothesis import assume, given
from hypothesis import strategies as st

from theorycheck.check import algebra
from theorycheck.check.rare import convergents

RATIONALS = st.fractions(min_value=-50, max_value=50, max_denominator=200)


@given(RATIONALS, RATIONALS)
def test_simplest_between_is_inside_and_has_the_smallest_denominator(
    a: Fraction, b: Fraction
) -> None:
    assume(a != b)
    low, high = min(a, b), max(a, b)
    best = algebra.simplest_between(low, high)
    assert low < best < high
    for q in range(1, best.denominator):
        first = low.numerator * q // low.denominator + 1
        assert not low < Fraction(first, q) < high


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=6))
def test_real_roots_agree_with_sturm(coefficients: list[int]) -> None:
    assume(coefficients[-1] != 0)
    x = sp.Symbol("x")
    poly = sp.Poly(list(reversed(coefficients)), x)
    roots = algebra.real_roots([fmpz_poly(coefficients)])
    assert len(roots) == len(set(sp.real_roots(poly)))
    for root in roots:
        assert algebra.sign_at(fmpz_poly(coefficients), root) == 0


def test_samples_of_cells_lie_between_the_roots() -> None:
    roots = algebra.real_roots([fmpz_poly([-2, 0, 1]), fmpz_poly([-1, 3])])
    samples = algebra.cell_samples(roots, Fraction(-3), Fraction(3))
    values = [-(2**0.5), 1 / 3, 2**0.5]
    cuts = [-3.0, *values, 3.0]
    assert [any(a < s < b for s in samples) for a, b in itertools.pairwise(cuts)] == [True] * 4


def test_open_cells_meet_every_sign_of_a_circle_and_a_line() -> None:
    x, y = sp.symbols("x y")
    names = ["x", "y"]
    polynomials = [algebra.to_ratio(e, names).numerator for e in (x**2 + y**2 - 1, x - y)]
    signs = {
        (s["x"] ** 2 + s["y"] ** 2 > 1, s["x"] > s["y"])
        for s in algebra.open_cells(polynomials, names, lambda: False, lambda s: True)
    }
    assert len(signs) == 4


@pytest.mark.parametrize("text", ["sqrt(x)", "x**y", "exp(x)", "pi*x"])
def test_what_is_no_polynomial_is_refused(text: str) -> None:
    x, y = sp.symbols("x y", positive=True)
    expression = {"sqrt(x)": sp.sqrt(x), "x**y": x**y, "exp(x)": sp.exp(x), "pi*x": sp.pi * x}[text]
    with pytest.raises(algebra.NotRationalExpression):
        algebra.to_ratio(expression, ["x", "y"])


def test_poles_are_collected() -> None:
    x = sp.Symbol("x")
    ratio = algebra.to_ratio(1 / (x - 1) + 1 / (1 - x) + 1 / x, ["x"])
    assert sorted(str(p) for p in ratio.poles) == ["-x + 1", "x", "x - 1"]


def test_convergents_of_pi() -> None:
    assert convergents(sp.pi)[:4] == [3, Fraction(22, 7), Fraction(333, 106), Fraction(355, 113)]
