"""Exact algebra of small rational matrices, by python-flint."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from theorycheck.numbers.sizes import Matrix, Number, Vector, nested


def flint_matrix(rows: Matrix) -> Any:
    """The matrix as a ``flint.fmpq_mat``."""
    from flint import fmpq, fmpq_mat

    flat = [Fraction(x) for row in rows for x in row]
    entries = [fmpq(x.numerator, x.denominator) for x in flat]
    return fmpq_mat(len(rows), len(rows[0]), entries)


def rank_of(rows: Matrix) -> int:
    """The rank of a rational matrix."""
    return int(flint_matrix(rows).rank())


def transposed(rows: Matrix) -> Matrix:
    """The transpose."""
    return tuple(zip(*rows, strict=True))


def product(left: Matrix, right: Matrix) -> Matrix:
    """The product of two rational matrices whose shapes fit."""
    columns = transposed(right)
    return tuple(tuple(dot(row, column) for column in columns) for row in left)


def dot(a: Vector, b: Vector) -> Number:
    """The inner product of two rational vectors of one length."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def identity(n: int) -> Matrix:
    """The identity matrix of size n."""
    return tuple(tuple(int(i == j) for j in range(n)) for i in range(n))


def characteristic(rows: Matrix) -> tuple[Fraction, ...]:
    """Coefficients of det(x I - A), lowest power first: equal for equal spectra."""
    poly = flint_matrix(rows).charpoly()
    return tuple(Fraction(int(c.p), int(c.q)) for c in poly.coeffs())


def from_roots(roots: Sequence[Number]) -> tuple[Fraction, ...]:
    """Coefficients of prod (x - root), lowest power first."""
    coefficients = [Fraction(1)]
    for root in roots:
        shifted = [Fraction(0), *coefficients]
        scaled = [*(Fraction(root) * c for c in coefficients), Fraction(0)]
        coefficients = [a - b for a, b in itertools.zip_longest(shifted, scaled)]
    return tuple(coefficients)


def kernel_vector(matrix: Any, n: int) -> Vector | None:
    """A non-zero vector of the kernel with coprime integer entries, or None."""
    rows = nested(matrix, 2)
    if rows is None or len(rows[0]) != n:
        return None
    reduced, rank = flint_matrix(rows).rref()
    if rank == n:
        return None
    pivots = [next(j for j in range(n) if reduced[i, j] != 0) for i in range(rank)]
    free = next(j for j in range(n) if j not in pivots)
    v = [Fraction(0)] * n
    v[free] = Fraction(1)
    for i, j in enumerate(pivots):
        entry = reduced[i, free]
        v[j] = -Fraction(int(entry.p), int(entry.q))
    return tuple(v)
