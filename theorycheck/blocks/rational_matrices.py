"""Rational matrices with a prescribed spectrum, and exact least-squares problems made of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from theorycheck.numbers.matrices import four_squares

Matrix = list[list[Fraction]]
Vector = list[Fraction]


def matmul(A: Matrix, B: Matrix) -> Matrix:
    """The product A B, exactly."""
    columns = list(zip(*B, strict=True))
    return [
        [sum((x * y for x, y in zip(row, col, strict=True)), Fraction(0)) for col in columns]
        for row in A
    ]


def apply(A: Matrix, v: Vector) -> Vector:
    """The product A v, exactly."""
    return [sum((a * x for a, x in zip(row, v, strict=True)), Fraction(0)) for row in A]


def rational_rows(array: Any) -> Matrix:
    """An array of exact numbers as rows of fractions."""
    return [[Fraction(x) for x in row] for row in array]


def with_spectrum(rng: Any, spectrum: Sequence[Fraction | int]) -> tuple[Matrix, Matrix]:
    """X with X^T X = V diag(spectrum) V^T, and V: rational, V random orthogonal.

    Every eigenvalue p/q has a column of squared norm p q, divided by q; the four squares of p q make
    four rows, so n = 4 d.
    """
    d = len(spectrum)
    V = rational_rows(rng.orthogonal_rational(d))
    rows: Matrix = []
    for i, value in enumerate(spectrum):
        q = Fraction(value)
        for part in four_squares(q.numerator * q.denominator):
            rows.append([Fraction(part, q.denominator) * V[j][i] for j in range(d)])
    return rows, V


def unit_vector(rng: Any, d: int) -> Vector:
    """A random rational unit vector: first column of a random rational orthogonal matrix."""
    return [row[0] for row in rational_rows(rng.orthogonal_rational(d))]


def column(V: Matrix, i: int) -> Vector:
    """Column i of V, from 0."""
    return [row[i] for row in V]


def realizable(X: Matrix, theta_star: Vector) -> Vector:
    """y = X theta*."""
    return apply(X, theta_star)
