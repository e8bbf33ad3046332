"""Plain Python that returns integers, Fractions or surds."""

from __future__ import annotations

from theorycheck.arithmetics.base import Arithmetic


class Exact(Arithmetic):
    """Exact numbers, instance by instance."""

    name = "exact"
    exact = True

    def tells_apart(self, target: float) -> str:
        return "exactly"


ARITHMETIC = Exact()
