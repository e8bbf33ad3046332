"""Enclosures over boxes: closed domains up to their ends, holes reported, never ignored."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, fmpq

from theorycheck import balls

x, y = sp.symbols("x y")
TENTH = Fraction(1, 10)


def over(expr: sp.Basic, *, prec: int = 128, **boxes: object) -> balls.Evaluated:
    symbols = sorted(expr.free_symbols, key=str)
    return balls.enclose_box(balls.compile_expression(expr, symbols), boxes, prec)


@pytest.mark.parametrize(
    ("expr", "box"),
    [
        (sp.sqrt(x), (0, TENTH)),
        (x ** sp.Rational(3, 2), (0, TENTH)),
        (sp.sqrt(1 - x), (1 - TENTH, 1)),
        (sp.sqrt(1 - x**2), (-1, 1)),
        (sp.asin(x), (-1, TENTH)),
        (sp.acos(1 - x), (0, TENTH)),
        (sp.acosh(1 + x), (0, TENTH)),
        (sp.log(x), (Fraction(1, 10**40), 1)),
        (1 / x, (Fraction(1, 10**40), 1)),
        (1 / (x - 1), (TENTH, 1 - Fraction(1, 10**40))),
        (sp.Piecewise((sp.sqrt(x), x >= 0), (5, True)), (0, TENTH)),
        (sp.Abs(x), (-TENTH, TENTH)),
        (sp.floor(x), (TENTH, 3)),
        (sp.sign(x), (-TENTH, TENTH)),
        (sp.Max(x, 1 - x), (-TENTH, 2)),
    ],
)
def test_defined_up_to_the_border(expr: sp.Basic, box: tuple[Fraction, Fraction]) -> None:
    found = over(expr, x=box)
    assert found.status == "ok", found
    lo, hi = Fraction(box[0]), Fraction(box[1])
    for t in (0, Fraction(1, 7), Fraction(1, 2), 1):
        point = balls.evaluate(expr, {"x": lo + t * (hi - lo)})
        assert found.ball is not None and point.ball is not None
        assert found.ball.overlaps(point.ball)


@pytest.mark.parametrize(
    ("expr", "box"),
    [
        (1 / x, (-1, 1)),
        (1 / x, (0, 1)),
        (sp.log(x), (0, 1)),
        (sp.sqrt(x), (-TENTH, 1)),
        (sp.asin(x), (0, 1 + Fraction(1, 10**30))),
        (sp.gamma(x), (-TENTH, 1)),
        (sp.tan(x), (1, 2)),
        (sp.atanh(x), (0, 1)),
        (sp.digamma(x), (Fraction(-3, 2), Fraction(-1, 2))),
        (sp.zeta(x), (TENTH, 2)),
        (sp.Mod(1, x), (-1, 1)),
        (x**-2, (-1, 1)),
        (0 * sp.sin(x) + 1 / (x**2 - 2), (1, 2)),
        (sp.beta(x, -1), (TENTH, 2)),
        (sp.Piecewise((1, x < 0), (2, x > 0)), (-1, 1)),
    ],
)
def test_holes_are_never_ignored(expr: sp.Basic, box: tuple[Fraction, Fraction]) -> None:
    found = over(expr, x=box)
    assert found.status == "undecided", found
    assert found.ball is None and found.exact is None and found.reason


def test_undefined_or_not_real_everywhere_is_said_so() -> None:
    assert over(sp.log(x), x=(-2, -1)).status == "nonreal"
    assert over(sp.sqrt(x - 5), x=(1, 2)).status == "nonreal"
    assert over(sp.gamma(y) * x, x=(1, 2), y=-3).status == "undefined"


def test_branches_of_an_open_condition_are_joined() -> None:
    found = over(sp.Piecewise((1, x < 0), (5, True)), x=(-1, 1))
    assert found.ball is not None
    assert found.ball.contains(1) and found.ball.contains(5)
    closed = over(sp.Piecewise((1, x < 0), (5, True)), x=(0, 1))
    assert closed.exact == 5


def test_sides_of_a_box() -> None:
    assert over(x + y, x=(1, 1), y=Fraction(1, 2)).exact == fmpq(3, 2)
    assert over(x, x=arb(1, 1)).ball.contains(2)  # type: ignore[union-attr]
    wide = over(x, x=(sp.Integer(0), fmpq(1, 3)))
    assert wide.ball is not None and wide.ball.contains(0) and wide.ball.contains(fmpq(1, 3))
    with pytest.raises(ValueError, match="empty"):
        over(x, x=(1, 0))
    with pytest.raises(KeyError):
        over(x, y=(0, 1))


def test_an_exact_zero_test_is_not_used_in_a_box() -> None:
    """sqrt(x)*sqrt(y) - 4 vanishes at (2, 8), not on a box around it."""
    found = over(1 / (sp.sqrt(x) * sp.sqrt(y) - 4), x=(2, 2 + TENTH), y=8)
    assert found.status == "undecided"
