"""Naming numbers that are known only to an interval, and refusing to where chance would do as well.

Any interval holds the value of some short formula. A name is given only where the formulas that are
as simple as the one found, or simpler, would hit an interval of this width less than `CHANCE` times
on average. Simplicity is a number of bits; the grammar for constants is

    p/q * sqrt(r) * pi**a * E**b * log(2)**c * EulerGamma**d

with p, q <= 24, square-free r <= 10, a and b in {0, +-1/2, +-1, +-2}, c and d in {0, +-1} and at most
two of r, a, b, c, d not trivial; beside it, rationals and square roots of rationals of any size, which
need intervals so much the narrower. The density of the grammar is counted around the interval, in
logarithms, so that the estimate needs no assumption on where constants lie.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy
from flint import arb, ctx, fmpq

from theorycheck.numbers.enclosure import Enclosure

CHANCE = 0.025
"""Largest expected number of accidental hits at which a name is given. The rule asks for less than
one; at a tenth, two of nine constants outside the grammar were still named wrongly in trials. This is
the least that lets samples at one percent name a factor of 2 (0.02)."""

_TALLEST = 24
_RADICANDS = (1, 2, 3, 5, 6, 7, 10)
_POWERS: tuple[int | Fraction, ...] = (0, 1, -1, Fraction(1, 2), Fraction(-1, 2), 2, -2)
_BITS = 400  # of the balls that confirm a hit: more than any enclosure that a simulation returns
_MOST_BITS = 1 << 16
_LONGEST = 10**12  # a rational of greater height is no name that helps a reader


@dataclass(frozen=True)
class NamedNumber:
    """A number known to ``interval``; ``name`` is None where no formula stands out.

    ``chance``: expected accidental hits of formulas as simple as the name (or as the simplest formula
    inside, where it was too likely); ``tried``: size of the grammar searched.
    """

    interval: Enclosure
    name: Any
    chance: float
    tried: int

    def text(self, digits: int = 6) -> str:
        return str(self.name) if self.name is not None else interval_text(self.interval, digits)


def interval_text(e: Enclosure, digits: int = 6) -> str:
    """``0.45016`` where both ends agree to the digits, else ``[0.4478, 0.4523]``."""
    low, high = (float(Fraction(int(v.p), int(v.q))) for v in (e.lo, e.hi))
    a, b = f"{low:.{digits}g}", f"{high:.{digits}g}"
    return a if a == b else f"[{a}, {b}]"


# ---------------------------------------------------------------- constants


@dataclass(frozen=True)
class _Table:
    logs: npt.NDArray[np.float64]
    bits: npt.NDArray[np.float64]
    parts: list[tuple[int, int, tuple[Any, ...]]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    """The grammar sorted by simplicity, with natural logarithms of the values."""
    kernels = []
    shapes = itertools.product(_RADICANDS, _POWERS, _POWERS, (0, 1, -1), (0, 1, -1))
    for r, a, b, c, d in shapes:
        if sum([r != 1, a != 0, b != 0, c != 0, d != 0]) > 2:
            continue
        log = (
            0.5 * math.log(r)
            + float(a) * math.log(math.pi)
            + float(b)
            + c * math.log(math.log(2))
            + d * math.log(0.5772156649015329)
        )
        bits = 0.0 if r == 1 else 1 + math.log2(r)
        bits += 0.0 if a == 0 else 1.5 + (abs(a) != 1)
        bits += 0.0 if b == 0 else 2 + (abs(b) != 1)
        bits += 3 * abs(c) + 4 * abs(d)
        kernels.append((log, bits, (r, a, b, c, d)))
    sizes = range(1, _TALLEST + 1)
    rationals = [(p, q) for p in sizes for q in sizes if math.gcd(p, q) == 1]
    rows = [
        (bits + math.log2(p * q), log + math.log(p / q), (p, q, kernel))
        for p, q in rationals
        for log, bits, kernel in kernels
    ]
    rows.sort(key=lambda row: row[0])
    return _Table(
        np.array([row[1] for row in rows]),
        np.array([row[0] for row in rows]),
        [row[2] for row in rows],
    )


def name_constant(interval: Enclosure) -> NamedNumber:
    """A name for a positive constant known to the interval, if one stands out.

    Raises ValueError where the interval is not positive.
    """
    if interval.lo <= 0:
        raise ValueError("name_constant: a positive interval is needed")
    table = _table()
    tried = len(table.parts) + 2
    width = _log_width(interval)
    middle = _log(interval.mid)
    best: tuple[float, Any] | None = None
    slack = width / 2 + 1e-12  # double precision of the table; hits are confirmed by balls
    for index in np.flatnonzero(np.abs(table.logs - middle) <= slack):
        expr = _expression(table.parts[index])
        if _inside(table.parts[index], interval):
            simpler = np.abs(table.logs[: index + 1] - middle) <= 0.5
            best = (float(np.count_nonzero(simpler)) * width, expr)
            break
    for power, root in ((1, lambda x: x), (2, sympy.sqrt)):
        q = simplest_between(interval.lo**power, interval.hi**power)
        height = max(q.numerator, q.denominator)
        if height > _LONGEST:
            continue
        # Rationals of at most this height: about 0.6 height**2 in all, fewer in a unit of logarithm.
        found = float(height) ** 2 * power * width if width else 0.0
        if best is None or found < best[0]:
            best = (found, root(sympy.Rational(q.numerator, q.denominator)))
    if best is None:
        return NamedNumber(interval, None, math.inf, tried)
    chance, expr = best
    return NamedNumber(interval, expr if chance < CHANCE else None, chance, tried)


def _expression(parts: tuple[int, int, tuple[Any, ...]]) -> Any:
    p, q, (r, a, b, c, d) = parts
    return (
        sympy.Rational(p, q)
        * sympy.sqrt(r)
        * sympy.pi ** _exact(a)
        * sympy.E ** _exact(b)
        * sympy.log(2) ** c
        * sympy.EulerGamma**d
    )


def _exact(value: Any) -> Any:
    q = Fraction(value)
    return sympy.Rational(q.numerator, q.denominator)


def _inside(parts: tuple[int, int, tuple[Any, ...]], interval: Enclosure) -> bool:
    p, q, (r, a, b, c, d) = parts
    # The ends' own digits say how fine the value has to be to be told from them.
    digits = max(int(end.q).bit_length() for end in (interval.lo, interval.hi))
    with ctx.workprec(_BITS + min(2 * digits, _MOST_BITS)):
        value = (
            arb(fmpq(p, q))
            * arb(r).sqrt()
            * _power(arb.pi(), a)
            * arb(fmpq(Fraction(b).numerator, Fraction(b).denominator)).exp()
            * arb.const_log2() ** c
            * arb.const_euler() ** d
        )
        return not bool(value < arb(interval.lo) or value > arb(interval.hi))


def _power(base: Any, exponent: Any) -> Any:
    e = Fraction(exponent)
    return base ** arb(fmpq(e.numerator, e.denominator))


def _log(value: fmpq) -> float:
    """Natural logarithm of a positive rational of any size."""
    with ctx.workprec(64):
        return float(arb(value).log())


def _log_width(interval: Enclosure) -> float:
    ratio = interval.hi / interval.lo - 1
    return math.log1p(float(Fraction(int(ratio.p), int(ratio.q)))) if ratio < 10**6 else 99.0


def simplest_between(low: fmpq, high: fmpq) -> Fraction:
    """The rational of least denominator (then numerator) in [low, high], 0 < low <= high."""
    a, b = (Fraction(int(v.p), int(v.q)) for v in (low, high))
    whole: list[int] = []
    while True:
        n = math.ceil(a)
        if n <= b:
            found = Fraction(n)
            break
        n -= 1
        whole.append(n)
        a, b = 1 / (b - n), 1 / (a - n)
    for n in reversed(whole):
        found = n + 1 / found
    return found


# ---------------------------------------------------------------- exponents


def name_exponent(interval: Enclosure) -> NamedNumber:
    """A rational of denominator <= 12 for an exponent known to the interval, if one stands out."""
    gap = interval.hi - interval.lo
    width = float(Fraction(int(gap.p), int(gap.q)))
    density = 0  # of the rationals with denominator <= q, per unit
    for q in range(1, 13):
        density += sum(1 for p in range(1, q + 1) if math.gcd(p, q) == 1)
        p = -((-interval.lo * q).floor())  # ceiling
        if fmpq(p, q) <= interval.hi:
            chance = density * width
            name = sympy.Rational(int(p), q) if chance < CHANCE else None
            return NamedNumber(interval, name, chance, density)
    return NamedNumber(interval, None, math.inf, density)


__all__ = [
    "CHANCE",
    "NamedNumber",
    "interval_text",
    "name_constant",
    "name_exponent",
    "simplest_between",
]
