"""What `--explain` says, checked by a program that shares nothing with the provers: areas, mpmath and derivatives."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from theorycheck.check.run import check_text

X, Y = sp.symbols("x y", real=True)
BOX = re.compile(r"x in \[([^,]+), ([^\]]+)\] x y in \[([^,]+), ([^\]]+)\]")
TURNS = re.compile(
    r"- (.+?) is ((?:positive|negative|zero) on .+?): (.+) over (.+) is monotone between the zeros of the derivative, "
    r"which has the signs of (.+)$"
)
PIECE = re.compile(r"(positive|negative|zero) on \(([^,]+), ([^)]+)\)")


def boxes(lines: tuple[str, ...]) -> list[tuple[Fraction, ...]]:
    return [tuple(Fraction(v) for v in m.groups()) for m in map(BOX.search, lines) if m]


def covers(found: list[tuple[Fraction, ...]]) -> bool:
    """Whether boxes cover the unit square: each middle of the cells that all of their ends make lies in one."""
    xs = sorted({v for b in found for v in b[:2]} | {Fraction(0), Fraction(1)})
    ys = sorted({v for b in found for v in b[2:]} | {Fraction(0), Fraction(1)})
    cells = itertools.product(itertools.pairwise(xs), itertools.pairwise(ys))
    return all(
        any(a <= (p + q) / 2 <= b and c <= (r + s) / 2 <= d for a, b, c, d in found)
        for (p, q), (r, s) in cells
    )


def test_the_boxes_of_a_subdivision_cover_the_region_and_enclose_the_sign() -> None:
    statement = "sin(3*x*y)*exp(x - y) + 2 > x*cos(5*y)"
    verdict = check_text(statement, ["x in [0, 1]", "y in [0, 1]"], budget=60)
    found = boxes(verdict.why)
    assert len(found) > 2
    assert covers(found)
    assert not covers(found[1:])
    for a, b, c, d in found:
        x, y = (
            mpmath.iv.mpf([str(float(a)), str(float(b))]),
            mpmath.iv.mpf([str(float(c)), str(float(d))]),
        )
        value = mpmath.iv.sin(3 * x * y) * mpmath.iv.exp(x - y) + 2 - x * mpmath.iv.cos(5 * y)
        assert value.a > 0


def read(text: str) -> sp.Expr:
    return sp.parse_expr(text, local_dict={"x": X})


def sign(function: sp.Expr, low: str, high: str) -> str:
    """The sign at a point of an interval, in fifty digits."""
    a, b = read(low), read(high)
    middle = a + 1 if b == sp.oo else b - 1 if a == -sp.oo else (a + b) / 2
    value = function.subs(X, middle).evalf(50)
    return "positive" if value > 0 else "negative" if value < 0 else "zero"


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("x*log(x) >= x - 1", "x in (0, oo)"),
        ("tanh(x) <= x", "x in [0, oo)"),
        ("(x + 2)*exp(-x) >= 2 - x", "x in [0, oo)"),
        ("log(1 + x) >= x/(1 + x/2)", "x in [0, oo)"),
    ],
)
def test_the_steps_of_signs_between_turning_points_hold(statement: str, domain: str) -> None:
    """Each derivative is one up to a factor with one sign, and each sign is met inside of its piece."""
    verdict = check_text(statement, [domain], budget=20)
    steps = [m.groups() for m in map(TURNS.search, verdict.why) if m]
    assert steps
    for name, signs, whole, divisor, slope in steps:
        function, quotient = read(name), sp.diff(read(whole) / read(divisor), X)
        for word, low, high in PIECE.findall(signs):
            assert sign(function, low, high) == word
        ratio = sp.simplify(quotient / read(slope))
        assert {sp.sign(ratio.subs(X, v)) for v in (sp.Rational(1, 3), 2, 17)} <= {1}
