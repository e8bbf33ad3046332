"""Matrices: entries one by one, determinants and traces, exact where the entries are."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq

from theorycheck import balls

x, y = sp.symbols("x y")


def test_entries() -> None:
    a = sp.Matrix([[x, sp.sqrt(y)], [1 / x, sp.log(y)]])
    found = balls.evaluate_matrix(a, {"x": 0, "y": 4})
    assert found[0][0].exact == 0 and found[0][1].exact == 2
    assert found[1][0].status == "undefined"
    assert found[1][1].ball is not None
    product = sp.MatMul(sp.ImmutableMatrix(a), sp.ImmutableMatrix([[1], [1]]))
    assert balls.evaluate_matrix(product, {"x": 1, "y": 4})[0][0].exact == 3
    with pytest.raises(balls.UnsupportedExpression):
        balls.evaluate_matrix(sp.MatrixSymbol("A", sp.Symbol("n"), 2), {"n": 2})


def test_determinants_of_rationals_are_exact() -> None:
    hilbert = sp.Matrix(6, 6, lambda i, j: 1 / (x + i + j))
    want = hilbert.subs(x, 1).det()
    found = balls.evaluate(sp.Determinant(sp.ImmutableMatrix(hilbert)), {"x": 1})
    assert found.exact == fmpq(int(want.p), int(want.q))
    assert balls.evaluate(sp.Trace(sp.ImmutableMatrix(hilbert)), {"x": 1}).exact == sum(
        (fmpq(1, 2 * i + 1) for i in range(6)), fmpq(0)
    )
    assert (
        balls.evaluate(sp.Determinant(sp.ImmutableMatrix(hilbert)), {"x": 0}).status == "undefined"
    )


def test_singular_matrices_of_roots() -> None:
    singular = sp.Determinant(sp.ImmutableMatrix([[sp.sqrt(x), 1], [x, sp.sqrt(x)]]))
    assert balls.sign(singular, {"x": 2}) == 0
    nearly = sp.Determinant(sp.ImmutableMatrix([[sp.sqrt(x), 1], [x, sp.sqrt(x) + y]]))
    assert balls.sign(nearly, {"x": 2, "y": Fraction(1, 10**60)}) == 1
    assert balls.sign(nearly, {"x": 2, "y": Fraction(-1, 10**60)}) == -1
