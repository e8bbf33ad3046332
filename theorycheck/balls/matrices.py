"""Matrices: explicit entries, determinants."""

from __future__ import annotations

from typing import Any

import sympy
from flint import acb, acb_mat, arb, arb_mat, fmpq, fmpq_mat

from theorycheck.balls.values import ONE, Infinite, Undefined, UnsupportedExpression, Value, tidy


def explicit(matrix: Any) -> Any:
    """A matrix expression as a matrix of entries. Raises UnsupportedExpression without a fixed shape."""
    if isinstance(matrix, sympy.MatrixBase):
        return matrix
    try:
        return matrix.as_explicit()
    except (ValueError, AttributeError, TypeError) as error:
        raise UnsupportedExpression(f"{matrix} has no explicit entries: {error}") from error


def determinant(rows: list[list[Value]]) -> Value:
    """The determinant: exact over the rationals, a ball elsewhere."""
    if not rows:
        return ONE
    if any(len(row) != len(rows) for row in rows):
        raise Undefined("the determinant of a matrix that is not square")
    entries = [x for row in rows for x in row]
    if any(isinstance(x, Infinite) for x in entries):
        raise Undefined("the determinant of a matrix with infinite entries")
    if all(type(x) is fmpq for x in entries):
        return fmpq_mat(rows).det()
    if any(type(x) is acb for x in entries):
        return tidy(acb_mat([[acb(x) for x in row] for row in rows]).det())
    return arb_mat([[arb(x) for x in row] for row in rows]).det()
