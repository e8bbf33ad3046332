"""What an array namespace refuses, each with a message that says what to write instead."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theorycheck.numbers.enclosure import NotFinite

__all__ = ["FloatLiteral", "NotFinite", "NotRational", "NotSupported", "UndecidedBranch"]


class FloatLiteral(TypeError):
    """A binary floating-point number met an exact arithmetic: 0.1 is not 1/10."""

    def __init__(self, value: Any) -> None:
        if isinstance(value, float):
            shown = f"float {float(value)!r}"
            num, den = _simple(value)
            hint = f"write ns.rational({num}, {den})" if den != 1 else f"write the integer {num}"
        else:
            shown = f"float array of type {type(value).__name__}"
            hint = "write ns.from_float64(...) if its doubles are the exact data, else ns.asarray"
        super().__init__(f"{shown} in an exact leg: {hint}")


class NotRational(ArithmeticError):
    """A function whose value is irrational was asked of the rational arithmetic."""

    def __init__(self, function: str, value: Any = None) -> None:
        at = "" if value is None else f" of {value}"
        super().__init__(f"{function}{at} is not rational: run this leg in balls")


class NotRationalFunction(ArithmeticError):
    """Something that is no rational function was asked of indeterminates."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is no rational function: only sums, products and quotients are")


class UndecidedBranch(ArithmeticError):
    """A comparison that the enclosures cannot decide. ``op`` and ``index`` say which and where."""

    def __init__(self, op: str, index: tuple[int, ...], values: str) -> None:
        self.op, self.index = op, index
        at = f" at index {index}" if index else ""
        super().__init__(f"{op} is undecided{at}: {values}; a higher precision may decide it")


class NotSupported(AttributeError):
    """A function that this arithmetic does not have."""


def _simple(value: float) -> tuple[int, int]:

    if value != value or value in (float("inf"), float("-inf")):
        return 0, 1
    near = Fraction(value).limit_denominator(10**6)
    return near.numerator, near.denominator
