"""Signs by turning points, and what must stay unknown."""

from __future__ import annotations

import itertools

import pytest
import sympy as sp

from theorycheck.check.limits import Clock
from theorycheck.check.monotone import Signs
from theorycheck.check.profiles import ExtendedPoint, Unknown

X = sp.Symbol("x", real=True)
T = sp.Symbol("t", positive=True)


def profile(f: sp.Expr, low: object, high: object) -> tuple[list[object], list[int]]:
    symbol = next(iter(f.free_symbols))
    ends = [ExtendedPoint(exact=sp.sympify(e)) for e in (low, high)]
    found = Signs(symbol, Clock(60)).profile(f, *ends)
    return [p.exact for p in found.zeros], list(found.signs)


@pytest.mark.parametrize(
    ("f", "low", "high", "zeros", "signs"),
    [
        (X - sp.log(1 + X), -1, sp.oo, [0], [1, 1]),
        (sp.exp(X) - 1 - X, -sp.oo, sp.oo, [0], [1, 1]),
        (sp.sin(T) - 2 * T / sp.pi, 0, sp.pi / 2, [], [1]),
        (sp.exp(X**2 / 2) - sp.cosh(X), -sp.oo, sp.oo, [0], [1, 1]),
        (T**T - sp.exp(-1 / sp.E), 0, sp.oo, [sp.exp(-1)], [1, 1]),
        ((1 + 1 / T) ** T - sp.E, 0, sp.oo, [], [-1]),
        (T**sp.E - sp.exp(T), 0, sp.oo, [sp.E], [-1, -1]),
        (X**3 - 2 * X, -sp.oo, sp.oo, [-sp.sqrt(2), 0, sp.sqrt(2)], [-1, 1, -1, 1]),
        (2**T - T**2, 1, 3, [2], [1, -1]),
        (sp.tan(X) - X, 0, sp.pi / 2, [], [1]),
    ],
)
def test_profiles(
    f: sp.Expr, low: object, high: object, zeros: list[object], signs: list[int]
) -> None:
    assert profile(f, low, high) == (zeros, signs)


def test_a_zero_that_is_no_simple_number_is_enclosed() -> None:
    ends = [ExtendedPoint(exact=sp.Integer(1)), ExtendedPoint(exact=sp.oo)]
    found = Signs(T, Clock(60)).profile(sp.sqrt(T) - sp.log(T) ** 3, *ends)
    assert found.signs == (1, -1, 1)
    low, high = found.zeros[1].low, found.zeros[1].high
    assert low is not None
    assert high is not None
    assert 24128091 < low < high < 24128092


@pytest.mark.parametrize(
    ("f", "low", "high"),
    [
        (1 / X, -1, 1),
        (1 / (X**2 - 2), 0, 2),
        (sp.tan(X), 0, 3),
        (sp.log(X) + 5, -1, 1),
        (sp.Abs(X) - 1, -2, 2),
        (sp.floor(X), 0, 3),
        (sp.sin(X), 0, sp.oo),
        (sp.gamma(X), -1, 1),
        (sp.sqrt(X) + 1, -1, 1),
    ],
)
def test_poles_and_what_is_not_analytic_are_not_decided(
    f: sp.Expr, low: object, high: object
) -> None:
    with pytest.raises(Unknown):
        profile(f, low, high)


@pytest.mark.parametrize(
    ("f", "low", "zeros", "signs"),
    [
        (sp.sqrt(T + 1) - (T + 1) * sp.sqrt((T + 2) / 2) + T * sp.sqrt((T + 1) / 2), 1, [], [-1]),
        (sp.sqrt(T) + sp.sqrt(T + 2) - 2 * sp.sqrt(T + 1), 0, [], [-1]),
        (
            sp.sqrt(T) + sp.sqrt(T + 1) / 3 - 2,
            0,
            [sp.Rational(23, 4) - 9 * sp.sqrt(11) / 8],
            [-1, 1],
        ),
        (sp.sqrt(2) * T - sp.sqrt(T**2 + 1), 0, [1], [-1, 1]),
        (1 / (sp.sqrt(T) + 2) - sp.Rational(1, 4), 1, [4], [1, -1]),
        (T - 4 * sp.sqrt(T) + 4, 1, [4], [1, 1]),
        # the norm vanishes at 4 as well, where the other sign of the root is meant
        (sp.sqrt(T) + T - 6, 3, [4], [-1, 1]),
        (sp.sqrt(T) + 2 - T, 3, [4], [1, -1]),
    ],
)
def test_square_roots(f: sp.Expr, low: int, zeros: list[sp.Expr], signs: list[int]) -> None:
    assert profile(f, low, sp.oo) == (zeros, signs)


@pytest.mark.parametrize(
    "f", [1 / (sp.sqrt(T) - 2), 1 / (1 - sp.sqrt(T)) + 1, sp.sqrt(1 / (T - 4) ** 2) * (T - 4) + 3]
)
def test_square_roots_with_a_pole_inside_are_not_decided(f: sp.Expr) -> None:
    with pytest.raises(Unknown):
        profile(f, sp.Rational(1, 2), sp.oo)


@pytest.mark.parametrize("start", [10, 10**18, 10**20 + 1, 10**40])
def test_waves_far_out_keep_their_zeros(start: int) -> None:
    """In doubles the multiples of pi near 1e18 are hundreds apart."""
    x = sp.Symbol("x", real=True)
    ends = (ExtendedPoint(exact=sp.Integer(start)), ExtendedPoint(exact=sp.Integer(start + 4)))
    profile = Signs(x, Clock(20)).profile(sp.sin(x), *ends)
    assert len(profile.zeros) in (1, 2)
    for zero in profile.zeros:
        assert (zero.exact / sp.pi).is_Integer
    assert all(a != b for a, b in itertools.pairwise(profile.signs))
