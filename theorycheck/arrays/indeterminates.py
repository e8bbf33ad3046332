"""Rational functions with rational coefficients: arrays of quotients of python-flint's ``fmpq_mpoly``.

A program that only adds, multiplies, divides and rearranges runs unchanged on indeterminates; what it
returns is then the same function of them wherever the program is defined. Anything that needs a number (an
order, a root, a pivot's size) is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from theorycheck.arrays.composite import Array, Axis
from theorycheck.arrays.errors import NotFinite, NotRationalFunction
from theorycheck.arrays.objects import ObjectArray, ObjectNamespace
from theorycheck.numbers.enclosure import Enclosure


class Quotient:
    """top / bottom in lowest terms, the leading coefficient of ``bottom`` 1. Immutable."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: fmpq_mpoly, bottom: fmpq_mpoly) -> None:
        if not bottom.is_constant():
            common = top.gcd(bottom)
            if not common.is_constant():
                top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        self.top = top / lead if lead != 1 else top
        self.bottom = bottom / lead if lead != 1 else bottom

    def __add__(self, other: Quotient) -> Quotient:
        if self.bottom == other.bottom:
            return Quotient(self.top + other.top, self.bottom)
        return Quotient(
            self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom
        )

    def __neg__(self) -> Quotient:
        return Quotient(-self.top, self.bottom)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Quotient) -> Quotient:
        if not other.top:
            raise NotFinite("division by zero")
        return Quotient(self.top * other.bottom, self.bottom * other.top)

    def __pow__(self, n: int) -> Quotient:
        if n < 0:
            raise NotRationalFunction("a negative power, which is written as a quotient,")
        return Quotient(self.top**n, self.bottom**n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quotient) and self.top == other.top and self.bottom == other.bottom

    __hash__ = None  # type: ignore[assignment]  # not hashed, as the polynomials are not

    def __bool__(self) -> bool:
        return bool(self.top)

    def __str__(self) -> str:
        return str(self.top) if self.bottom.is_constant() else f"({self.top})/({self.bottom})"


class IndeterminateNamespace(ObjectNamespace):
    """Arrays of rational functions of the entries of named fields.

    ``shapes``: field -> shape, () for a scalar. `fields` are the indeterminates themselves, ``names`` those of
    their entries in order. Roots and orders raise NotRationalFunction or TypeError, division by 0 NotFinite.
    """

    kind = "indeterminate"

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self.shapes = {name: tuple(shape) for name, shape in shapes.items()}
        self.names = [f"{n}_{i}" for n, s in self.shapes.items() for i in range(math.prod(s))]
        self._ring = fmpq_mpoly_ctx.get(self.names, Ordering.degrevlex)
        self._one = self._ring.constant(1)

    def __repr__(self) -> str:
        return f"IndeterminateNamespace({', '.join(self.shapes)})"

    def fields(self) -> dict[str, Array]:
        """The indeterminates, an array for each field."""
        generators, found = iter(self._ring.gens()), {}
        for name, shape in self.shapes.items():
            data = np.empty(shape, dtype=object)
            for at in np.ndindex(shape):
                data[at] = Quotient(next(generators), self._one)
            found[name] = ObjectArray(self, data)
        return found

    def degree(self, x: Array) -> int:
        """The largest degree of a numerator or denominator in any one indeterminate."""
        parts = [p for q in self.asarray(x).data.reshape(-1) for p in (q.top, q.bottom)]
        return max((int(d) for p in parts for d in p.degrees()), default=0)

    # ---- primitives -------------------------------------------------------------------------------

    def _make(self, value: Any) -> Quotient:
        if isinstance(value, Fraction):
            value = fmpq(value.numerator, value.denominator)
        return Quotient(self._ring.constant(value), self._one)

    def _enclosure(self, value: Quotient) -> Enclosure:
        raise NotRationalFunction("the value of an indeterminate")

    def _from_double(self, value: float) -> Any:
        raise NotRationalFunction("a double")

    def _constant(self, name: str) -> Array:
        raise NotRationalFunction(f"the constant {name}")

    def _maximum(self, a: Any, b: Any) -> Any:
        raise NotRationalFunction("a maximum")

    def _minimum(self, a: Any, b: Any) -> Any:
        raise NotRationalFunction("a minimum")

    def _shift(self, x: Array, axis: Axis) -> Array:
        raise NotRationalFunction("softmax")

    def _floor(self, value: Any) -> int:
        raise NotRationalFunction("a floor")

    def sqrt(self, x: Array) -> Array:
        raise NotRationalFunction("a root")

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix product; batched over leading axes."""
        if self._is_plain(a) and self._is_plain(b):
            return np.matmul(a, b)
        return ObjectArray(self, np.matmul(self.asarray(a).data, self.asarray(b).data))

    def _solve(self, a: Array, b: ObjectArray) -> ObjectArray:
        x = self._square(a)
        lead = np.broadcast_shapes(x.shape[:-2], b.shape[:-2])
        left = np.broadcast_to(x.data, (*lead, *x.shape[-2:]))
        right = np.broadcast_to(b.data, (*lead, *b.shape[-2:]))
        out = np.empty(right.shape, dtype=object)
        for at in np.ndindex(lead):
            out[at] = _eliminated(left[at].copy(), right[at].copy())
        return ObjectArray(self, out)


def _eliminated(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The solution of left X = right, by Gauss and Jordan. Raises ZeroDivisionError if singular."""
    for n in range(len(left)):
        pivot = next((i for i in range(n, len(left)) if left[i, n]), None)
        if pivot is None:
            raise ZeroDivisionError("singular matrix of rational functions")
        for table in (left, right):
            table[[n, pivot]] = table[[pivot, n]]
        left[n], right[n] = left[n] / left[n, n], right[n] / left[n, n]
        for i in range(len(left)):
            if i != n and left[i, n]:
                factor = left[i, n]
                left[i], right[i] = left[i] - left[n] * factor, right[i] - right[n] * factor
    return right
