"""Enclosures: an interval of rationals that is known to hold a real number.

Every arithmetic of `theorycheck.arrays` ends here, so that relations compare exact rationals only and
no rounding takes place after the simulation has run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq, fmpz

_LONGEST_FRACTION = 64  # decimal digits of p or q up to which "p/q" is easier to read than a dyadic
_LARGEST_EXPONENT = 1 << 20  # 2**(+-this) still fits memory as an exact integer (128 KiB)


class NotFinite(ArithmeticError):
    """A value that is NaN or infinite (overflow, or an undefined operation such as 1/0)."""


@dataclass(frozen=True)
class Enclosure:
    """The closed interval [lo, hi] of rationals. Raises ValueError when lo > hi."""

    lo: fmpq
    hi: fmpq

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", fmpq(self.lo))
        object.__setattr__(self, "hi", fmpq(self.hi))
        if self.lo > self.hi:
            raise ValueError(f"empty enclosure: lo = {self.lo} is above hi = {self.hi}")

    @property
    def exact(self) -> bool:
        """Whether the interval is a single rational number."""
        return bool(self.lo == self.hi)

    @property
    def mid(self) -> fmpq:
        return (self.lo + self.hi) / 2

    @property
    def rad(self) -> fmpq:
        return (self.hi - self.lo) / 2

    def intersects(self, other: Enclosure) -> bool:
        return bool(self.lo <= other.hi and other.lo <= self.hi)

    def contains(self, item: Any) -> bool:
        """Whether a rational (int, Fraction, fmpq) or all of another enclosure lies inside."""
        if isinstance(item, Enclosure):
            return bool(self.lo <= item.lo and item.hi <= self.hi)
        value = _rational(item)
        return bool(self.lo <= value <= self.hi)

    def to_json(self) -> str | list[str]:
        """One string when exact, [lo, hi] otherwise; ``p/q``, or ``m*2^e`` for long dyadics."""
        if self.exact:
            return _to_text(self.lo)
        return [_to_text(self.lo), _to_text(self.hi)]

    @classmethod
    def from_json(cls, data: str | list[str]) -> Enclosure:
        """Inverse of `to_json`. Raises ValueError for anything else."""
        if isinstance(data, str):
            value = _from_text(data)
            return cls(value, value)
        if not isinstance(data, list | tuple) or len(data) != 2:
            raise ValueError(f"an enclosure is a number or a pair of numbers, got {data!r:.80}")
        return cls(_from_text(data[0]), _from_text(data[1]))

    @classmethod
    def from_ball(cls, ball: arb) -> Enclosure:
        """The ends of a ball, exactly. Raises NotFinite for NaN, infinite or astronomical balls."""
        if not ball.is_finite():
            raise NotFinite(f"the ball {ball} is not finite")
        mid, rad = _dyadic(*ball.mid().man_exp()), _radius(*ball.rad().man_exp())
        return cls(mid - rad, mid + rad)

    def to_ball(self) -> arb:
        """A ball at the current working precision that holds the interval."""
        return arb(self.lo) if self.exact else arb(self.lo).union(arb(self.hi))

    @classmethod
    def from_float_interval(cls, mid: float, rad: float) -> Enclosure:
        """[mid - rad, mid + rad], exactly, of two doubles. Raises NotFinite, ValueError if rad < 0."""
        if not (math.isfinite(mid) and math.isfinite(rad)):
            raise NotFinite(f"the interval {mid} +/- {rad} is not finite")
        if rad < 0:
            raise ValueError(f"negative radius {rad}")
        m, r = fmpq(*mid.as_integer_ratio()), fmpq(*rad.as_integer_ratio())
        return cls(m - r, m + r)


def between(low: Any, high: Any) -> Enclosure:
    """The enclosure of a quantity that an exact simulation knows to lie between two rationals."""
    return Enclosure(_rational(low), _rational(high))


def _rational(value: Any) -> fmpq:
    if isinstance(value, fmpq | fmpz | int):
        return fmpq(value)
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float; an enclosure holds exact rationals")
    return fmpq(int(value.numerator), int(value.denominator))


def _dyadic(mantissa: fmpz, exponent: fmpz) -> fmpq:
    e = int(exponent)
    if abs(e) > _LARGEST_EXPONENT:
        raise NotFinite(
            f"a number of the order 2^{e + fmpz(mantissa).bit_length()} is out of range"
        )
    return fmpq(mantissa << e) if e >= 0 else fmpq(mantissa, fmpz(1) << -e)


def _radius(mantissa: fmpz, exponent: fmpz) -> fmpq:
    """As `_dyadic`; a radius too small to write down is rounded up to the smallest that is kept."""
    if mantissa == 0:
        return fmpq(0)
    if int(exponent) + fmpz(mantissa).bit_length() < -_LARGEST_EXPONENT:
        return fmpq(1, fmpz(1) << _LARGEST_EXPONENT)
    return _dyadic(mantissa, exponent)


def _to_text(value: fmpq) -> str:
    p, q = int(value.p), int(value.q)
    shift = q.bit_length() - 1
    short = max(p.bit_length(), q.bit_length()) * math.log10(2) < _LONGEST_FRACTION
    if short:
        return str(value)
    if q != 1 << shift:  # hexadecimal: Python refuses decimal strings of more than 4300 digits
        return f"{p:#x}/{q:#x}"
    if shift == 0 and p:
        shift = -((p & -p).bit_length() - 1)
        p >>= -shift
    return f"{p:#x}*2^{-shift}"


def _from_text(text: Any) -> fmpq:
    if not isinstance(text, str):
        raise ValueError(f"expected a number as a string, got {text!r:.80}")
    mantissa, star, exponent = text.partition("*2^")
    try:
        if star:
            return _dyadic(fmpz(int(mantissa, 0)), fmpz(int(exponent)))
        p, slash, q = text.partition("/")
        return fmpq(int(p, 0), int(q, 0)) if slash else fmpq(int(p, 0))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{text!r:.80} is not a rational number") from error
