"""Exact numbers that a simulation without an array namespace may return: rationals and surds.

A `Surd` is r * sqrt(n) with r rational and n a square-free integer >= 1. Products, quotients, integer
powers and sums of like surds stay surds, so the normalised margin of a network with rational squared
norms is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq, fmpz

from theorycheck.numbers.enclosure import Enclosure

_BITS = (
    320  # working precision of a surd's enclosure; enclosures are compared with balls <= 256 bits
)


@dataclass(frozen=True, eq=False)
class Surd:
    """``coefficient * sqrt(radicand)``; build it with `sqrt`, not by hand."""

    coefficient: Fraction
    radicand: int = 1

    def __mul__(self, other: Surd | Fraction | int) -> Surd:
        o = as_surd(other)
        root = sqrt(self.radicand * o.radicand)
        return Surd(self.coefficient * o.coefficient * root.coefficient, root.radicand)

    __rmul__ = __mul__

    def __truediv__(self, other: Surd | Fraction | int) -> Surd:
        o = as_surd(other)
        return self * Surd(1 / (o.coefficient * o.radicand), o.radicand)

    def __rtruediv__(self, other: Fraction | int) -> Surd:
        return as_surd(other) / self

    def __pow__(self, power: int) -> Surd:
        half, odd = divmod(abs(power), 2)
        result = Surd(self.coefficient ** abs(power) * self.radicand**half)
        if odd:
            result = Surd(result.coefficient, self.radicand)
        return result if power >= 0 else 1 / result

    def __add__(self, other: Surd | Fraction | int) -> Surd:
        o = as_surd(other)
        if 0 in (self.coefficient, o.coefficient):
            return o if self.coefficient == 0 else self
        if o.radicand != self.radicand:
            raise ValueError(f"sqrt({self.radicand}) and sqrt({o.radicand}) do not add to one surd")
        return Surd(self.coefficient + o.coefficient, self.radicand)

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd(-self.coefficient, self.radicand)

    def __sub__(self, other: Surd | Fraction | int) -> Surd:
        return self + -as_surd(other)

    def __eq__(self, other: object) -> bool:
        """Equality of the numbers: sqrt(4) is 2, and 0 sqrt(2) is 0."""
        if not isinstance(other, Surd | Fraction | int):
            return NotImplemented
        o = as_surd(other)
        same = self.coefficient == o.coefficient
        return same and (self.coefficient == 0 or self.radicand == o.radicand)

    def __hash__(self) -> int:
        return hash(self.coefficient if self.rational else (self.coefficient, self.radicand))

    def __lt__(self, other: Surd | Fraction | int) -> bool:
        if not isinstance(other, Surd | Fraction | int):
            return NotImplemented
        return self._signed_square() < as_surd(other)._signed_square()

    def __le__(self, other: Surd | Fraction | int) -> bool:
        if not isinstance(other, Surd | Fraction | int):
            return NotImplemented
        return self._signed_square() <= as_surd(other)._signed_square()

    def __gt__(self, other: Surd | Fraction | int) -> bool:
        if not isinstance(other, Surd | Fraction | int):
            return NotImplemented
        return self._signed_square() > as_surd(other)._signed_square()

    def __ge__(self, other: Surd | Fraction | int) -> bool:
        if not isinstance(other, Surd | Fraction | int):
            return NotImplemented
        return self._signed_square() >= as_surd(other)._signed_square()

    def __abs__(self) -> Surd:
        return Surd(abs(self.coefficient), self.radicand)

    def __bool__(self) -> bool:
        return self.coefficient != 0

    def _signed_square(self) -> Fraction:
        """x |x|, which increases with x: an order without roots."""
        return self.coefficient * abs(self.coefficient) * self.radicand

    @property
    def rational(self) -> bool:
        return self.radicand == 1 or self.coefficient == 0

    def enclosure(self) -> Enclosure:
        """Rationals exactly, irrational surds to about 96 digits."""
        c = fmpq(self.coefficient.numerator, self.coefficient.denominator)
        if self.rational:
            return Enclosure(c, c)
        saved = ctx.prec
        try:
            ctx.prec = _BITS
            return Enclosure.from_ball(arb(c) * arb(self.radicand).sqrt())
        finally:
            ctx.prec = saved


def as_surd(value: Surd | Fraction | int) -> Surd:
    """A number as a surd."""
    return value if isinstance(value, Surd) else Surd(Fraction(value))


def sqrt(value: Fraction | int) -> Surd:
    """The square root of a rational >= 0, square factors taken out. Raises ValueError below 0."""
    q = Fraction(value)
    if q < 0:
        raise ValueError(f"square root of the negative number {q}")
    if q == 0:
        return Surd(Fraction(0))
    outside, inside = 1, 1
    for prime, power in fmpz(q.numerator * q.denominator).factor():
        outside *= int(prime) ** (power // 2)
        inside *= int(prime) ** (power % 2)
    return Surd(Fraction(outside, q.denominator), inside)
