"""What is said of drawn matrices, as predicates of one field for ``instances(..., where=[...])``, decided exactly.

Each takes the field's name and names what it says, which is what an error prints: *rows of W are orthonormal*.
A bound is a number, the name of a parameter or another field, or an expression of such.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from theorycheck.numbers.matrix_algebra import identity, product, rank_of, transposed
from theorycheck.numbers.sizes import Matrix, Size, names_in, nested

Predicate = Callable[..., bool]


def orthonormal_rows(field: str) -> Predicate:
    """W W^T = I."""

    def test(W: Matrix, _bound: Fraction) -> bool:
        return product(W, transposed(W)) == identity(len(W))

    return _predicate(f"rows of {field} are orthonormal", field, test)


def norm_at_most(field: str, bound: Size = 1) -> Predicate:
    """The spectral norm: b^2 I - W W^T has no negative eigenvalue."""

    def test(W: Matrix, b: Fraction) -> bool:
        gram = product(W, transposed(W))
        left = [
            [(b * b if i == j else 0) - x for j, x in enumerate(row)] for i, row in enumerate(gram)
        ]
        return b >= 0 and _semidefinite(left)

    return _predicate(f"the spectral norm of {field} is at most {bound}", field, test, bound)


def frobenius_at_most(field: str, bound: Size) -> Predicate:
    """The sum of squares is at most b^2."""

    def test(W: Matrix, b: Fraction) -> bool:
        return b >= 0 and sum(x * x for row in W for x in row) <= b * b

    return _predicate(f"the Frobenius norm of {field} is at most {bound}", field, test, bound)


def semidefinite(field: str) -> Predicate:
    """Symmetric, without a negative eigenvalue."""

    def test(H: Matrix, _bound: Fraction) -> bool:
        return transposed(H) == H and _semidefinite(H)

    return _predicate(f"{field} is positive semidefinite", field, test)


def trace_at_most(field: str, bound: Size) -> Predicate:
    """The sum of the diagonal is at most b."""

    def test(H: Matrix, b: Fraction) -> bool:
        return sum((row[i] for i, row in enumerate(H)), Fraction(0)) <= b

    return _predicate(f"the trace of {field} is at most {bound}", field, test, bound)


def rank_at_most(field: str, bound: Size) -> Predicate:
    """No more than b rows are independent."""

    def test(M: Matrix, b: Fraction) -> bool:
        return rank_of(M) <= b

    return _predicate(f"the rank of {field} is at most {bound}", field, test, bound)


def full_rank(field: str) -> Predicate:
    """The rank is the smaller of the two sizes."""

    def test(M: Matrix, _bound: Fraction) -> bool:
        return rank_of(M) == min(len(M), len(M[0]))

    return _predicate(f"{field} has full rank", field, test)


def _predicate(
    says: str, field: str, test: Callable[[Matrix, Fraction], bool], bound: Size = 0
) -> Predicate:
    def holds(**given: Any) -> bool:
        rows = nested(given[field], 2)
        return rows is not None and test(rows, _value(bound, given))

    holds.__name__ = says
    names = sorted({field, *names_in(bound)} if not isinstance(bound, Fraction) else {field})
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(n, kind) for n in names]
    holds.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # inspect reads it
    return holds


def _value(bound: Size, given: Mapping[str, Any]) -> Fraction:
    if isinstance(bound, int | Fraction):
        return Fraction(bound)
    if isinstance(bound, str):
        return Fraction(given[bound])
    value = bound.subs({s: given[str(s)] for s in bound.free_symbols})
    return Fraction(int(value.p), int(value.q))


def _semidefinite(symmetric: Sequence[Sequence[Any]]) -> bool:
    """By elimination: a pivot that is negative, or 0 in a row that is not, shows a negative eigenvalue."""
    rows = [[Fraction(x) for x in row] for row in symmetric]
    while rows:
        first, *rest = rows
        pivot = first[0]
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        rows = [
            [x - (row[0] * y / pivot if pivot else 0) for x, y in zip(row, first, strict=True)][1:]
            for row in rest
        ]
    return True


__all__ = [
    "frobenius_at_most",
    "full_rank",
    "norm_at_most",
    "orthonormal_rows",
    "rank_at_most",
    "semidefinite",
    "trace_at_most",
]
