"""Code outside of the array rules, whose error is declared."""

from __future__ import annotations

from fractions import Fraction

from theorycheck.arithmetics.base import Arithmetic


class External(Arithmetic):
    """Whatever the code returns, as exact dyadics widened by the declared error."""

    name = "external"
    rung = "searched"
    controlled = False
    stands_alone = False

    def missing(self, statistic: object, model: str, error: object) -> str:
        if not model:
            return "an external leg says in model=... what is not controlled"
        if isinstance(error, float):
            return f"error={error!r} is a float; write error=Fraction({str(error)!r})"
        if not isinstance(error, int | Fraction):
            return (
                "an external leg declares a bound on its relative error, "
                "error=Fraction(1, 10**9) or 0 for recorded exact data"
            )
        return ""

    def tells_apart(self, target: float) -> str:
        return "its error is not controlled"


ARITHMETIC = External()
