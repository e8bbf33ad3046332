"""Exact rational arithmetic: arrays of python-flint's ``fmpq``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpz

from theorycheck.arrays.composite import Array, Axis
from theorycheck.arrays.errors import NotFinite, NotRational
from theorycheck.arrays.objects import ObjectArray, ObjectNamespace
from theorycheck.numbers.enclosure import Enclosure

_IRRATIONAL = (
    "exp",
    "expm1",
    "log",
    "log1p",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sinh",
    "cosh",
    "erf",
    "softmax",
    "logsumexp",
    "sigmoid",
    "softplus",
    "eigvalsh",
    "svdvals",
)


class RationalNamespace(ObjectNamespace):
    """Arrays of rationals. Roots exist where they are rational; other functions raise NotRational.

    Division by zero and square roots of negative numbers raise NotFinite.
    """

    kind = "rational"

    def __repr__(self) -> str:
        return "RationalNamespace()"

    def _constant(self, name: str) -> Array:
        raise NotRational(f"the constant {name}")

    def __getattr__(self, name: str) -> Any:
        if name in _IRRATIONAL:
            return _refusal(name)
        return super().__getattr__(name)

    # Defined by formulas for the other arithmetics; irrational here.
    softmax = property(lambda self: _refusal("softmax"))
    logsumexp = property(lambda self: _refusal("logsumexp"))
    sigmoid = property(lambda self: _refusal("sigmoid"))
    softplus = property(lambda self: _refusal("softplus"))
    svdvals = property(lambda self: _refusal("svdvals"))

    # ---- primitives -------------------------------------------------------------------------------

    def _make(self, value: Any) -> fmpq:
        if isinstance(value, Fraction):
            return fmpq(value.numerator, value.denominator)
        return fmpq(value)

    def _from_double(self, value: float) -> fmpq:
        if value != value or value in (float("inf"), float("-inf")):
            raise NotFinite(f"{value} is not a number of an exact leg")
        return fmpq(*value.as_integer_ratio())

    def _divide(self, a: Any, b: Any) -> Any:
        try:
            return a / b
        except ZeroDivisionError:
            raise NotFinite("division by zero") from None

    def _enclosure(self, value: fmpq) -> Enclosure:
        return Enclosure(value, value)

    def _from_balls(self, balls: Sequence[arb]) -> ObjectArray:
        out = np.empty(len(balls), dtype=object)
        for i, ball in enumerate(balls):
            if not ball.is_exact():
                raise NotRational("an algebraic cosine or sine")
            out[i] = ball.fmpq()
        return ObjectArray(self, out)

    def _matrix(self, rows: int, columns: int, entries: list[Any]) -> fmpq_mat:
        return fmpq_mat(rows, columns, entries)

    def _maximum(self, a: fmpq, b: fmpq) -> fmpq:
        return a if a >= b else b

    def _minimum(self, a: fmpq, b: fmpq) -> fmpq:
        return a if a <= b else b

    def _shift(self, x: Array, axis: Axis) -> Array:
        raise NotRational("softmax")

    def _floor(self, value: fmpq) -> int:
        return int(value.floor())

    # ---- roots ------------------------------------------------------------------------------------

    def sqrt(self, x: Array) -> Array:
        return self.power(x, 1, 2)

    def power(self, x: Array, numerator: int, denominator: int = 1) -> Array:
        """``x ** (numerator / denominator)`` where that is rational; raises NotRational elsewhere."""
        q = Fraction(numerator, denominator)
        name = "sqrt" if q == Fraction(1, 2) else f"power {q}"
        roots = self._each(x, lambda v: _root(v, q.denominator, name))
        return self.pow(roots, q.numerator)


def _root(value: fmpq, n: int, name: str) -> fmpq:
    if n == 1:
        return value
    if value < 0:
        raise NotFinite(f"{name} of the negative number {value}")
    p, q = _whole_root(value.p, n), _whole_root(value.q, n)
    if p is None or q is None:
        raise NotRational(name, value)
    return fmpq(p, q)


def _whole_root(value: fmpz, n: int) -> fmpz | None:
    root = fmpz(value).root(n)
    return root if root**n == value else None


def _refusal(name: str) -> Any:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotRational(name)

    return refuse
