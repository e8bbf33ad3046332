"""Polynomials over the rationals: arrays of python-flint's ``fmpq_mpoly``.

A program that only adds, multiplies and rearranges runs unchanged on indeterminates; what it returns is then
the same polynomial for every value of them. Anything that needs a number (an order, a root, a quotient that
is no polynomial) is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from flint.utils.flint_exceptions import DomainError

from theorycheck.arrays.composite import Array, Axis
from theorycheck.arrays.errors import NotPolynomial
from theorycheck.arrays.objects import ObjectArray, ObjectNamespace
from theorycheck.numbers.enclosure import Enclosure


class PolynomialNamespace(ObjectNamespace):
    """Arrays of polynomials in the entries of named fields.

    ``shapes``: field -> shape, () for a scalar. `fields` are the indeterminates themselves.
    Comparisons, roots and divisions that are not exact raise NotPolynomial.
    """

    kind = "polynomial"

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self.shapes = {name: tuple(shape) for name, shape in shapes.items()}
        names = [f"{name}_{i}" for name, s in self.shapes.items() for i in range(math.prod(s))]
        self._ring = fmpq_mpoly_ctx.get(names or ["unused"], Ordering.degrevlex)

    def __repr__(self) -> str:
        return f"PolynomialNamespace({', '.join(self.shapes)})"

    def fields(self) -> dict[str, Array]:
        """The indeterminates, an array for each field."""
        generators, found = iter(self._ring.gens()), {}
        for name, shape in self.shapes.items():
            data = np.empty(shape, dtype=object)
            for at in np.ndindex(shape):
                data[at] = next(generators)
            found[name] = ObjectArray(self, data)
        return found

    def degrees(self, x: Array) -> int:
        """The largest degree of an entry in any one indeterminate."""
        return max((d for p in self.asarray(x).data.reshape(-1) for d in p.degrees()), default=0)

    # ---- primitives -------------------------------------------------------------------------------

    def _make(self, value: Any) -> fmpq_mpoly:
        if isinstance(value, Fraction):
            value = fmpq(value.numerator, value.denominator)
        return self._ring.constant(value)

    def _divide(self, a: Any, b: Any) -> Any:
        try:
            return a / b
        except (DomainError, ZeroDivisionError):
            raise NotPolynomial(f"the quotient of {a!s:.60} by {b!s:.60}") from None

    def _enclosure(self, value: fmpq_mpoly) -> Enclosure:
        raise NotPolynomial("the value")

    def _from_double(self, value: float) -> Any:
        raise NotPolynomial("a double")

    def _constant(self, name: str) -> Array:
        raise NotPolynomial(f"the constant {name}")

    def _maximum(self, a: Any, b: Any) -> Any:
        raise NotPolynomial("a maximum")

    def _minimum(self, a: Any, b: Any) -> Any:
        raise NotPolynomial("a minimum")

    def _shift(self, x: Array, axis: Axis) -> Array:
        raise NotPolynomial("softmax")

    def _floor(self, value: Any) -> int:
        raise NotPolynomial("a floor")

    def sqrt(self, x: Array) -> Array:
        raise NotPolynomial("a root")

    def _solve(self, a: Array, b: ObjectArray) -> ObjectArray:
        raise NotPolynomial("the solution of a linear system")

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix product; batched over leading axes."""
        if self._is_plain(a) and self._is_plain(b):
            return np.matmul(a, b)
        return ObjectArray(self, np.matmul(self.asarray(a).data, self.asarray(b).data))
