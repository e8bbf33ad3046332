"""Exact enclosures of what a simulation returned, whatever arithmetic it ran in."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from flint import fmpq

from theorycheck.arrays.backends import to_host
from theorycheck.numbers.enclosure import Enclosure


@runtime_checkable
class Enclosed(Protocol):
    """An array whose entries have proved bounds."""

    def enclosures(self) -> list[Enclosure]:
        """Of all entries, in row-major order. Raises NotFinite where one is NaN or infinite."""
        ...


def enclose(array: Any) -> list[Enclosure]:
    """Enclosures of all entries, in row-major order, as exact rationals.

    Takes `Enclosed` arrays, integers, fractions and integer arrays. Raises NotFinite where an entry is NaN or
    infinite, TypeError for floats: they carry no bound on their error.
    """
    if isinstance(array, Enclosed):
        return array.enclosures()
    if isinstance(array, int | Fraction):  # NumPy's integers are neither
        exact = fmpq(array.numerator, array.denominator)
        return [Enclosure(exact, exact)]
    host = to_host(array) if hasattr(array, "dtype") else None
    if host is not None and host.dtype.kind in "iub":
        return [Enclosure(fmpq(int(v)), fmpq(int(v))) for v in host.reshape(-1)]
    raise TypeError(f"{type(array).__name__} has no enclosure: its error is not bounded")
