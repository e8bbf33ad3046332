"""Sums and products over ranges, polynomial sums at once, infinite series with proved tails."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Product, Rational, Sum, factorial, oo, pi, sqrt

from theorycheck import balls

n, x, k, j = sp.symbols("n x k j")


def exact(expr: sp.Basic, **values: object) -> object:
    found = balls.evaluate(expr, values)
    assert found.status == "ok", found
    return found.exact


@pytest.mark.parametrize(
    ("expr", "values", "want"),
    [
        (Sum(k, (k, 1, n)), {"n": 4}, 10),
        (Sum(k, (k, 1, n)), {"n": 0}, 0),
        (Sum(k, (k, 1, n)), {"n": -5}, 0),  # not -(0 - 1 - ... ) as by Karr's convention
        (Product(k, (k, 1, n)), {"n": 5}, 120),
        (Product(k, (k, 1, n)), {"n": -5}, 1),
        (Product(k - 5, (k, 1, n)), {"n": 9}, 0),
        (Sum(j * k, (j, 1, k), (k, 1, n)), {"n": 4}, 65),
        (Sum(Product(j, (j, 1, k)), (k, 0, n)), {"n": 4}, 34),
        (Sum(x * k, (k, -2, 2)), {"x": 3}, 0),
        (Sum(1 / k, (k, 1, n)), {"n": 3}, fmpq(11, 6)),
        (Sum(sp.binomial(n, k) ** 2, (k, 0, n)), {"n": 50}, sp.binomial(100, 50)),
        (Sum(k, (k, 1, sqrt(n) * sqrt(x))), {"n": 2, "x": 8}, 10),
        (Sum(sp.Piecewise((1, sp.Eq(sp.Mod(k, 2), 0)), (0, True)), (k, 1, n)), {"n": 9}, 4),
        (Sum(k, (k, 1, -oo)), {}, 0),
    ],
)
def test_ranges(expr: sp.Basic, values: dict[str, object], want: object) -> None:
    assert exact(expr, **values) == (int(want) if isinstance(want, sp.Integer) else want)


@pytest.mark.parametrize(
    ("expr", "values", "status"),
    [
        (Sum(k, (k, n, x)), {"n": 1, "x": Fraction(1, 2)}, "undefined"),
        (Sum(1 / (k - 3), (k, 1, n)), {"n": 5}, "undefined"),
        (Sum(1 / (k - 3), (k, 1, n)), {"n": 2}, "ok"),
        (Sum(sqrt(k), (k, -1, n)), {"n": 2}, "nonreal"),
        (Sum(1 / k, (k, 1, n)), {"n": 10**9}, "undecided"),
        (Product(1 + 1 / k**2, (k, 1, oo)), {}, "undecided"),
        (Sum(k, (k, -oo, 3)), {}, "undecided"),
    ],
)
def test_ranges_without_a_value(expr: sp.Basic, values: dict[str, object], status: str) -> None:
    assert balls.evaluate(expr, values).status == status


@given(
    coefficients=st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=5),
    start=st.integers(-9, 9),
    count=st.integers(0, 90),
)
def test_polynomial_sums_are_the_sums(coefficients: list[Fraction], start: int, count: int) -> None:
    """More than eight times the degree terms are summed by differences, fewer one by one."""
    p = sp.Add(*(Rational(c.numerator, c.denominator) * k**i for i, c in enumerate(coefficients)))
    want = sum(
        (c * m**i for m in range(start, start + count) for i, c in enumerate(coefficients)),
        Fraction(0),
    )
    found = exact(Sum(p, (k, start, n)), n=start + count - 1)
    assert found == fmpq(want.numerator, want.denominator)


def test_long_polynomial_sums() -> None:
    m = 10**30
    assert exact(Sum(k**3, (k, 1, n)), n=m) == (m * (m + 1) // 2) ** 2
    total = Sum(k * sqrt(x), (k, 1, n))
    assert balls.compare(total, n * (n + 1) / 2 * sqrt(x), {"n": 10**6, "x": 4}).relation == "eq"
    assert (
        balls.compare(total, n * (n + 1) / 2 * sqrt(x) + 1, {"n": 10**6, "x": 2}).relation == "lt"
    )


@pytest.mark.parametrize(
    ("term", "start", "values", "want"),
    [
        (1 / k**2, 1, {}, pi**2 / 6),
        (1 / k**x, 1, {"x": Fraction(3, 2)}, sp.zeta(Rational(3, 2))),
        (1 / (2 * k + 1) ** 2, 0, {}, pi**2 / 8),
        (
            1 / (2 * k - 9) ** 2,
            0,
            {},
            pi**2 / 8 + sp.Add(*(Rational(1, m**2) for m in (1, 3, 5, 7, 9))),
        ),
        (1 / (k**2 * (k + 1) ** 2), 1, {}, pi**2 / 3 - 3),
        (1 / (k**2 + 1), 1, {}, (pi * sp.coth(pi) - 1) / 2),
        (x**k, 0, {"x": Fraction(3, 10)}, Rational(10, 7)),
        (x**k, 0, {"x": Fraction(-9, 10)}, Rational(10, 19)),
        (k * x**k, 0, {"x": Fraction(1, 2)}, 2),
        (x**k / factorial(k), 0, {"x": 3}, sp.exp(3)),
        (sp.exp(-x * k), 0, {"x": 1}, 1 / (1 - sp.exp(-1))),
        ((-1) ** k / factorial(2 * k), 0, {}, sp.cos(1)),
        ((-1) ** k * x**k / (2 * k + 1), 0, {"x": Fraction(1, 2)}, sqrt(2) * sp.atan(1 / sqrt(2))),
        (factorial(k) ** 2 / factorial(2 * k), 0, {}, Rational(4, 3) + 2 * pi * sqrt(3) / 27),
        (1 / k**2 + 2 ** (-k), 1, {}, pi**2 / 6 + 1),
    ],
)
def test_series(term: sp.Expr, start: int, values: dict[str, object], want: sp.Expr) -> None:
    found = balls.evaluate(Sum(term, (k, start, oo)), values)
    right = balls.evaluate(want, {})
    assert found.ball is not None and right.ball is not None
    assert found.ball.overlaps(right.ball)
    assert found.ball.rel_accuracy_bits() > 60
    off = balls.evaluate(sp.sympify(want) * (1 + Rational(1, 10**15)), {})
    assert not found.ball.overlaps(off.ball)


def test_telescoping_series_are_exact() -> None:
    assert exact(Sum(1 / (k * (k + 1)), (k, 1, oo))) == 1
    assert exact(Sum(1 / (k**2 - Rational(1, 4)), (k, 0, oo))) == -2


@pytest.mark.parametrize(
    ("term", "start", "status"),
    [
        (1 / k, 1, "undefined"),
        (1 / sqrt(k), 1, "undefined"),
        (k / (k**2 + 3 * k + 2), 1, "undefined"),
        (1 / k**2, 0, "undefined"),
        (1 / (k * (k - 7)), 1, "undefined"),
        (sp.sin(k) / k**2, 1, "undecided"),
        (sp.log(k) / k**2, 1, "undecided"),
        (sp.S(1), 1, "undecided"),
        (2**k, 1, "undefined"),
        ((-1) ** k, 1, "undefined"),
        (factorial(k) / 2**k, 1, "undefined"),
    ],
)
def test_series_without_a_proved_value(term: sp.Expr, start: int, status: str) -> None:
    assert balls.evaluate(Sum(term, (k, start, oo)), {}, max_prec=128).status == status


def test_invariants_of_a_sum_are_not_evaluated_for_an_empty_range() -> None:
    assert exact(Sum(k / x, (k, 1, n)), n=0, x=0) == 0
    assert balls.evaluate(Sum(k / x, (k, 1, n)), {"n": 1, "x": 0}).status == "undefined"
