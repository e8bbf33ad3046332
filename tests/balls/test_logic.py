"""Statements: three values, decided parts settle a connective, nothing is guessed."""

from fractions import Fraction

import pytest
import sympy as sp
from sympy import And, Eq, Implies, Ne, Not, Or, Xor, oo, pi, sqrt

from theorycheck import balls

n, x, y = sp.symbols("n x y")
UNDEFINED_AT_0 = 1 / x > 2
OPEN = Eq(sp.besselj(-n, 1), -sp.besselj(n, 1))  # true at 3, not proved here


def truth(statement: sp.Basic, **values: object) -> object:
    found = balls.truth(statement, values, max_prec=512)
    return found.value if found.status == "ok" else found.status


@pytest.mark.parametrize(
    ("statement", "values", "want"),
    [
        (x < y, {"x": 1, "y": 2}, True),
        (x < y, {"x": 2, "y": 2}, False),
        (x <= y, {"x": 2, "y": 2}, True),
        (x > y, {"x": 2, "y": 2}, False),
        (x >= y, {"x": 2, "y": 2}, True),
        (Eq(x, y), {"x": Fraction(1, 3), "y": Fraction(1, 3)}, True),
        (Ne(x, y), {"x": Fraction(1, 3), "y": Fraction(1, 3)}, False),
        (Eq(sqrt(x) * sqrt(y), 4), {"x": 2, "y": 8}, True),
        (sqrt(x) * sqrt(y) <= 4, {"x": 2, "y": 8}, True),
        (sqrt(x) * sqrt(y) < 4, {"x": 2, "y": 8}, False),
        (x < oo, {"x": 2}, True),
        (sp.Gt(x, -oo), {"x": 2}, True),
        (Eq(sqrt(x), sqrt(y)), {"x": -2, "y": -2}, True),
        (Eq(sqrt(x), sqrt(y)), {"x": -2, "y": -3}, False),
        (sqrt(x) < 1, {"x": -2}, "nonreal"),
        (UNDEFINED_AT_0, {"x": 0}, "undefined"),
        (OPEN, {"n": 3}, "undecided"),
        (Not(x < 1), {"x": 2}, True),
        (Not(UNDEFINED_AT_0), {"x": 0}, "undefined"),
        (And(Ne(x, 0), UNDEFINED_AT_0), {"x": 0}, False),
        (And(UNDEFINED_AT_0, Ne(x, 0)), {"x": 0}, False),
        (And(Eq(x, 0), UNDEFINED_AT_0), {"x": 0}, "undefined"),
        (Or(Eq(x, 0), UNDEFINED_AT_0), {"x": 0}, True),
        (Or(Ne(x, 0), UNDEFINED_AT_0), {"x": 0}, "undefined"),
        (Implies(Ne(x, 0), UNDEFINED_AT_0), {"x": 0}, True),
        (Implies(Eq(x, 0), UNDEFINED_AT_0), {"x": 0}, "undefined"),
        (Or(OPEN, Eq(n, 3)), {"n": 3}, True),
        (And(OPEN, Eq(n, 3)), {"n": 3}, "undecided"),
        (And(OPEN, Eq(n, 4)), {"n": 3}, False),
        (Xor(x < 1, y < 1), {"x": 0, "y": 2}, True),
        (Xor(x < 1, y < 1), {"x": 0, "y": 0}, False),
        (sp.ITE(x < 1, y < 1, y > 1), {"x": 0, "y": 0}, True),
        (sp.Equivalent(x < 1, y < 1), {"x": 0, "y": 5}, False),
        (And(balls.isprime(n), x < 1), {"n": 7, "x": 0}, True),
        (sp.true, {}, True),
        (sp.false, {}, False),
    ],
)
def test_statements(statement: sp.Basic, values: dict[str, object], want: object) -> None:
    assert truth(statement, **values) == want


def test_piecewise_asks_no_more_than_it_needs() -> None:
    f = sp.Piecewise((1, Eq(x, 0)), (2, UNDEFINED_AT_0), (3, True))
    assert balls.evaluate(f, {"x": 0}).exact == 1
    g = sp.Piecewise((1, Ne(x, 0)), (2, UNDEFINED_AT_0), (3, True))
    assert balls.evaluate(g, {"x": 0}).status == "undefined"


def test_compiled_statements() -> None:
    compiled = balls.compile_expression(And(x < pi, balls.isprime(n)), [n, x])
    assert compiled.truth({"n": 5, "x": 3}).value is True
    assert compiled.truth({"n": 6, "x": 3}).value is False
    assert compiled.truth({"n": 5, "x": 4}).value is False


def test_not_a_statement() -> None:
    with pytest.raises(balls.UnsupportedExpression):
        balls.compile_expression(And(sp.Symbol("p"), x < 1), [x])
    with pytest.raises(TypeError):
        balls.truth(x + 1, {"x": 1})
