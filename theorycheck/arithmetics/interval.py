"""An array program in float64 with a derived bound on its error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from theorycheck.arithmetics.base import Arithmetic

if TYPE_CHECKING:
    from theorycheck.arrays.backends import Backend

BITS = 53
"""Of a float64's significand."""


class Interval(Arithmetic):
    """One pass on the run's device, every entry with its error."""

    name = "interval"
    rung = "computed"
    stacks = True

    def namespaces(self, backend: Backend) -> Iterable[tuple[Any, int]]:
        from theorycheck.arrays.intervals import (
            IntervalNamespace,
        )  # claims are listed without arrays

        yield IntervalNamespace(backend.xp), BITS


ARITHMETIC = Interval()
