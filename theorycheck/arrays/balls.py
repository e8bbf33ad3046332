"""Ball arithmetic: arrays of python-flint's ``arb`` at a chosen working precision."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

import numpy as np
from flint import acb_mat, arb, arb_mat, ctx, fmpq

from theorycheck.arrays import jacobi
from theorycheck.arrays.composite import Array, Axis
from theorycheck.arrays.errors import NotFinite
from theorycheck.arrays.leaves import axes_of
from theorycheck.arrays.objects import ObjectArray, ObjectNamespace
from theorycheck.numbers.enclosure import Enclosure


class BallNamespace(ObjectNamespace):
    """Arrays of balls at ``prec`` bits. Rigorous; every operation runs at this precision.

    Raises ValueError for a precision below 2 bits. Undefined operations give NaN balls, which no
    comparison decides and which `enclose` refuses.
    """

    kind = "ball"

    def __init__(self, prec: int = 128) -> None:
        if prec < 2:
            raise ValueError(f"a working precision of {prec} bits; at least 2 are needed")
        self.prec = prec
        self._table_bits = prec + 20

    def __repr__(self) -> str:
        return f"BallNamespace({self.prec})"

    def working(self) -> AbstractContextManager[Any]:
        context: AbstractContextManager[Any] = ctx.workprec(self.prec)
        return context

    # ---- primitives -------------------------------------------------------------------------------

    def _make(self, value: Any) -> arb:
        if isinstance(value, Fraction):
            return arb(fmpq(value.numerator, value.denominator))
        return arb(value)

    def _from_double(self, value: float) -> arb:
        if value != value or value in (float("inf"), float("-inf")):
            raise NotFinite(f"{value} is not a number of an exact leg")
        return arb(value)

    def _enclosure(self, value: arb) -> Enclosure:
        return Enclosure.from_ball(value)

    def _from_balls(self, balls: Sequence[arb]) -> ObjectArray:
        out = np.empty(len(balls), dtype=object)
        out[:] = list(balls)
        return ObjectArray(self, out)

    def _matrix(self, rows: int, columns: int, entries: list[Any]) -> arb_mat:
        return arb_mat(rows, columns, entries)

    def _maximum(self, a: arb, b: arb) -> arb:
        return a.max(b)

    def _minimum(self, a: arb, b: arb) -> arb:
        return a.min(b)

    def _shift(self, x: Array, axis: Axis) -> Array:
        x = self.asarray(x)
        top = self.max(x, axis=axis)
        kept = tuple(1 if i in axes_of(axis, x.ndim) else n for i, n in enumerate(x.shape))
        return self.reshape(self._each(top, lambda v: v.mid()), kept)

    def _centre(self, value: arb) -> fmpq:
        return value.mid().fmpq() if value.is_finite() else fmpq(0)

    def _floor(self, value: arb) -> int | None:
        whole = value.floor().unique_fmpz() if value.is_finite() else None
        return None if whole is None else int(whole)

    # ---- elementwise ------------------------------------------------------------------------------

    def square(self, x: Array) -> ObjectArray:
        def squared(v: arb) -> arb:
            y = v * v
            return y if v > 0 or v < 0 or v.is_exact() else y.nonnegative_part()

        return self._each(x, squared)

    def sqrt(self, x: Array) -> ObjectArray:
        return self._each(x, arb.sqrt)

    def _sqrt_of_square(self, x: Array) -> ObjectArray:
        return self._each(x, lambda v: v.nonnegative_part().sqrt())

    def power(self, x: Array, numerator: int, denominator: int = 1) -> Array:
        """``x ** (numerator / denominator)`` for x >= 0 (x > 0 when the exponent is negative)."""
        q = Fraction(numerator, denominator)
        if q.denominator == 1:
            return self.pow(x, q.numerator)
        return self.pow(self._each(x, lambda v: v.root(q.denominator)), q.numerator)

    def exp(self, x: Array) -> ObjectArray:
        return self._each(x, arb.exp)

    def expm1(self, x: Array) -> ObjectArray:
        return self._each(x, arb.expm1)

    def log(self, x: Array) -> ObjectArray:
        return self._each(x, arb.log)

    def log1p(self, x: Array) -> ObjectArray:
        return self._each(x, arb.log1p)

    def sin(self, x: Array) -> ObjectArray:
        return self._each(x, arb.sin)

    def cos(self, x: Array) -> ObjectArray:
        return self._each(x, arb.cos)

    def tan(self, x: Array) -> ObjectArray:
        return self._each(x, arb.tan)

    def tanh(self, x: Array) -> ObjectArray:
        return self._each(x, arb.tanh)

    def sinh(self, x: Array) -> ObjectArray:
        return self._each(x, arb.sinh)

    def cosh(self, x: Array) -> ObjectArray:
        return self._each(x, arb.cosh)

    def erf(self, x: Array) -> ObjectArray:
        return self._each(x, arb.erf)

    def eigvalsh(self, a: Array) -> ObjectArray:
        """Eigenvalues of real symmetric matrices, ascending, with multiplicity.

        Enclosed by acb_mat.eig (clusters as one ball), and by rotations where that does not isolate
        multiple ones; entry k encloses the k-th smallest. Raises ValueError for matrices that are not
        symmetric, ArithmeticError where the enclosure fails (try a higher precision).
        """
        x = self._square(a)
        for at in np.ndindex(x.shape):
            if not x.data[at].overlaps(x.data[(*at[:-2], at[-1], at[-2])]):
                raise ValueError("eigvalsh: the matrix is not symmetric")

        def values(m: arb_mat) -> list[arb]:
            try:
                found = acb_mat(m).eig(multiple=True)
            except ValueError:
                return jacobi.eigenvalues(m)
            return _ordered([v.real for v in found])

        return self._per_matrix(x, lambda m: _vector(values(m)), (x.shape[-1],))


def _ordered(balls: list[arb]) -> list[arb]:
    """The k-th smallest of numbers known by balls: between the k-th smallest ends."""
    low = sorted((b.lower() for b in balls), key=lambda b: b.fmpq())
    high = sorted((b.upper() for b in balls), key=lambda b: b.fmpq())
    return [a.union(b) for a, b in zip(low, high, strict=True)]


def _vector(values: list[Any]) -> np.ndarray[Any, Any]:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
