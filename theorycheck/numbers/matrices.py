"""Domains of matrices: of a size, a rank or a spectrum, orthogonal, symmetric.

Where a spectrum is prescribed the matrix is made of it exactly: an eigenvalue p/q is the squared length of a
column with entries a_1/q, .., a_4/q, where a_1^2 + .. + a_4^2 = p q (Lagrange's four squares).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from theorycheck.numbers.domain import HUGE, TINY, DomainError, Draws
from theorycheck.numbers.matrix_algebra import (
    characteristic,
    from_roots,
    identity,
    product,
    rank_of,
    transposed,
)
from theorycheck.numbers.sizes import (
    Matrix,
    Number,
    Size,
    Sizes,
    Vector,
    names_in,
    nested,
    of_length,
    size_at,
)
from theorycheck.numbers.structured import Structured, structured_domain

FULL_COLUMN_RANK, FULL_ROW_RANK = "columns", "rows"


def orthogonal(d: Size = None) -> Structured:
    """Orthogonal matrices of size d x d, of determinant 1 and -1."""

    def test(Q: Matrix, shape: Sizes, _given: Mapping[str, Any]) -> bool:
        return shape[0] == shape[1] and product(transposed(Q), Q) == identity(shape[0])

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Matrix:
        return _rotation(rng, shape[0])

    def candidates(shape: Sizes, _given: Mapping[str, Any]) -> Iterator[tuple[Matrix, str]]:
        if shape[0] == shape[1]:
            yield from _rotations(shape[0])

    return structured_domain(
        f"orthogonal matrices{of_length(d, 'of size')}", (d, d), test, candidates, drawn, rank=2
    )


def _rotations(n: int) -> Iterator[tuple[Matrix, str]]:
    one = identity(n)
    yield one, "identity"
    yield one[::-1], "permutation"
    yield tuple(tuple((-1) ** i * x for x in row) for i, row in enumerate(one)), "signs"
    yield (
        tuple(tuple((-1 if i == 0 else 1) * x for x in row) for i, row in enumerate(one)),
        ("reflection, determinant -1"),
    )
    if n > 1:
        c, s = Fraction(3, 5), Fraction(4, 5)
        turned = [list(row) for row in one]
        turned[0][0], turned[0][1], turned[1][0], turned[1][1] = c, -s, s, c
        yield tuple(map(tuple, turned)), "Cayley rotation"
        mirror = tuple(
            tuple(one[i][j] - Fraction(2, n) for j in range(n)) for i in range(n)
        )  # of the vector of ones
        yield mirror, "Householder reflection"


def _rotation(rng: Draws, n: int) -> Matrix:
    rows = nested(rng.orthogonal_rational(n), 2)
    return tuple(rows)


def matrices(
    n: Size = None, d: Size = None, rank: Size = None, spectrum: object = None
) -> Structured:
    """Real n x d matrices.

    ``rank``: ``"columns"`` or ``"rows"`` (full column, full row rank), or the largest rank allowed
    (an integer or a parameter); ``spectrum``: the name or symbol of the parameter that holds the
    eigenvalues of X^T X in descending order (n is free or at least 4 d then).
    """
    if spectrum is not None:
        return _with_gram(n, d, str(spectrum))
    full = rank in (FULL_COLUMN_RANK, FULL_ROW_RANK) if isinstance(rank, str) else False
    asks = () if rank is None or full else tuple(names_in(rank))

    def test(X: Matrix, shape: Sizes, given: Mapping[str, Any]) -> bool:
        if rank is None or not set(asks) <= set(given):
            return True
        if full:
            wanted = shape[1] if rank == FULL_COLUMN_RANK else shape[0]
            return rank_of(X) == wanted
        return rank_of(X) <= size_at(rank, given)

    def candidates(shape: Sizes, _given: Mapping[str, Any]) -> Iterator[tuple[Matrix, str]]:
        yield from _matrices(*shape)

    def drawn(rng: Draws, shape: Sizes, given: Mapping[str, Any]) -> Matrix:
        if rank is None or full:
            return _drawn(rng, *shape)
        inner = min(size_at(rank, given), *shape)
        if inner == 0:
            return ((0,) * shape[1],) * shape[0]
        return product(_drawn(rng, shape[0], inner), _drawn(rng, inner, shape[1]))

    text = "matrices" if n is None and d is None else f"{n or 'n'} x {d or 'd'} matrices"
    if rank is not None:
        text += f" of full rank in their {rank}" if full else f" of rank at most {rank}"
    return structured_domain(text, (n, d), test, candidates, drawn, asks=asks, rank=2)


def _matrices(n: int, d: int) -> Iterator[tuple[Matrix, str]]:
    eye = tuple(tuple(int(i == j) for j in range(d)) for i in range(n))
    generic = tuple(tuple((i + 2) ** j for j in range(d)) for i in range(n))  # Vandermonde
    yield eye, "identity"
    yield ((0,) * d,) * n, "zero"
    yield ((1,) * d,) * n, "ones, rank one"
    yield generic, "n < d" if n < d else "n = d" if n == d else "Vandermonde"
    if n > 1:
        yield (generic[0], *generic[:-1]), "duplicate rows"
        yield (*generic[:-1], (0,) * d), "zero row"
    if d > 1:
        yield tuple((*row[:-1], row[0]) for row in generic), "duplicate columns"
        yield tuple((*row[:-1], 0) for row in generic), "zero column"
    yield tuple(tuple(-x for x in row) for row in eye), "negative"
    yield tuple(tuple(HUGE * x for x in row) for row in generic), "scaled by 10^6"
    yield tuple(tuple(TINY * x for x in row) for row in generic), "scaled by 10^-6"
    yield (
        tuple(tuple((HUGE if j == 0 else 1) * x for j, x in enumerate(row)) for row in eye),
        "ill-conditioned",
    )


def _drawn(rng: Draws, n: int, d: int) -> Matrix:
    return tuple(
        tuple(Fraction(int(rng.integers(-6, 7)), int(rng.integers(1, 4))) for _ in range(d))
        for _ in range(n)
    )


def _with_gram(n: Size, d: Size, spectrum: str) -> Structured:
    def test(X: Matrix, _shape: Sizes, given: Mapping[str, Any]) -> bool:
        if spectrum not in given:
            return True
        return characteristic(product(transposed(X), X)) == from_roots(given[spectrum])

    def made(V: Matrix, lam: Vector, shape: Sizes) -> Matrix:
        rows = shape[0] if n is not None else 4 * len(lam)
        return _gram_root(V, lam, rows)

    def candidates(shape: Sizes, given: Mapping[str, Any]) -> Iterator[tuple[Matrix, str]]:
        lam = _spectrum_of(given, spectrum)
        if shape[1] == len(lam):
            for V, label in _rotations(len(lam)):
                yield made(V, lam, shape), f"eigenvectors: {label}"

    def drawn(rng: Draws, shape: Sizes, given: Mapping[str, Any]) -> Matrix:
        lam = _spectrum_of(given, spectrum)
        return made(_rotation(rng, len(lam)), lam, shape)

    text = f"matrices X whose X^T X has the eigenvalues {spectrum}"
    return structured_domain(text, (n, d), test, candidates, drawn, asks=(spectrum,), rank=2)


def _spectrum_of(given: Mapping[str, Any], name: str) -> Vector:
    if name not in given:
        raise DomainError(f"matrices: the spectrum {name} has no value here")
    return tuple(given[name])


def _gram_root(V: Matrix, lam: Vector, rows: int) -> Matrix:
    """X with X^T X = V diag(lam) V^T: four rows an eigenvalue, padded with zero rows to ``rows``."""
    d = len(lam)
    found: list[Vector] = []
    for i, value in enumerate(lam):
        q = Fraction(value)
        for part in four_squares(q.numerator * q.denominator):
            found.append(tuple(Fraction(part, q.denominator) * V[j][i] for j in range(d)))
    found.sort(key=lambda row: not any(row))  # zero rows last, so that few rows suffice
    needed = sum(1 for row in found if any(row))
    if needed > rows:
        raise DomainError(
            f"matrices: the spectrum needs {needed} rows here, and there are {rows}; give n = 4 d"
        )
    return tuple([*found, *[(0,) * d] * rows][:rows])


def four_squares(n: int) -> tuple[int, int, int, int]:
    """Integers with squares summing to n >= 0, largest first."""
    for a in range(math.isqrt(n), -1, -1):
        for b in range(min(a, math.isqrt(n - a * a)), -1, -1):
            for c in range(min(b, math.isqrt(n - a * a - b * b)), -1, -1):
                d = math.isqrt(n - a * a - b * b - c * c)
                if a * a + b * b + c * c + d * d == n:
                    return a, b, c, d
    raise DomainError(f"{n} is negative and no sum of squares")


def covariances(d: Size = None, spectrum: object = None) -> Structured:
    """Symmetric positive semidefinite d x d matrices; ``spectrum`` names the parameter that holds their
    eigenvalues, where it is prescribed."""
    name = None if spectrum is None else str(spectrum)

    def test(A: Matrix, shape: Sizes, given: Mapping[str, Any]) -> bool:
        if shape[0] != shape[1] or transposed(A) != A:
            return False
        polynomial = characteristic(A)
        if name is not None and name in given:
            return polynomial == from_roots(given[name])
        # All roots are real; none is negative iff the signs of the coefficients alternate (Descartes).
        return all((-1) ** (shape[0] - i) * c >= 0 for i, c in enumerate(polynomial))

    def candidates(shape: Sizes, given: Mapping[str, Any]) -> Iterator[tuple[Matrix, str]]:
        if shape[0] != shape[1]:
            return
        for lam, what in _eigenvalues(shape[0], given, name):
            for V, label in _rotations(shape[0]):
                yield _conjugate(V, lam), f"{what}; eigenvectors: {label}"

    def drawn(rng: Draws, shape: Sizes, given: Mapping[str, Any]) -> Matrix:
        lam = (
            tuple(int(rng.integers(0, 9)) for _ in range(shape[0]))
            if name is None
            else _spectrum_of(given, name)
        )
        return _conjugate(_rotation(rng, len(lam)), lam)

    asks = () if name is None else (name,)
    text = "covariance matrices" + ("" if name is None else f" with eigenvalues {name}")
    return structured_domain(text, (d, d), test, candidates, drawn, asks=asks, rank=2)


def _eigenvalues(
    n: int, given: Mapping[str, Any], name: str | None
) -> Iterator[tuple[tuple[Number, ...], str]]:
    if name is not None:
        yield _spectrum_of(given, name), "prescribed spectrum"
        return
    yield (1,) * n, "identity"
    yield tuple(range(n, 0, -1)), "distinct"
    yield (1, *(0,) * (n - 1)), "rank one"
    yield (0,) * n, "zero"


def _conjugate(V: Matrix, lam: Vector) -> Matrix:
    scaled = tuple(tuple(x * s for x, s in zip(row, lam, strict=True)) for row in V)
    return product(scaled, transposed(V))


__all__ = ["covariances", "four_squares", "matrices", "orthogonal"]
