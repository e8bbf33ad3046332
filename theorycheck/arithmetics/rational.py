"""An array program over exact rationals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from theorycheck.arithmetics.base import Arithmetic

if TYPE_CHECKING:
    from theorycheck.arrays.backends import Backend


class Rational(Arithmetic):
    """Exact rationals; irrational functions raise NotRational."""

    name = "rational"
    exact = True
    stacks = True

    def tells_apart(self, target: float) -> str:
        return "exactly"

    def namespaces(self, backend: Backend) -> Iterable[tuple[Any, int]]:
        from theorycheck.arrays.rationals import (
            RationalNamespace,
        )  # claims are listed without arrays

        yield RationalNamespace(), 0


ARITHMETIC = Rational()
