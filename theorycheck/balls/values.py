"""The numbers that an evaluation works with, and the three ways in which it can stop.

A value is an exact rational (`fmpq`), a real ball (`arb`), a complex ball (`acb`, only when its imaginary
part is not known to be zero) or `Infinite` (the SymPy constants oo and -oo). A ball always contains the
true value; a rational *is* the true value. A ball without finite bounds stands for a value that exists
and is too large; where it is open whether there is a value, evaluation stops.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

import sympy
from flint import acb, arb, fmpq, fmpz

EXACT_BITS = 1 << 20
"""Rationals of more bits (numerator or denominator) become balls: 128 KiB, milliseconds a product."""

_LONG = 60  # parts of an expression from which on messages do not print it

Scope: TypeAlias = dict[Any, int]  # SymPy symbol -> register
Value: TypeAlias = Any  # fmpq | arb | acb | Infinite; flint ships no types worth trusting
Number: TypeAlias = int | Fraction | fmpq | arb
Range: TypeAlias = tuple[fmpq, fmpq]  # exact ends, the lower one first

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)


class CallSite:
    """Where in the expression a function is applied: the applied expression and the symbols in scope."""

    __slots__ = ("expr", "scope")

    def __init__(self, expr: sympy.Basic, scope: Scope) -> None:
        self.expr = expr
        self.scope = scope

    def arg(self, index: int) -> CallSite:
        return CallSite(self.expr.args[index], self.scope)

    def __str__(self) -> str:
        return _text(self.expr)


@lru_cache(maxsize=2048)
def _text(expr: sympy.Basic) -> str:
    """The expression in a message; SymPy takes milliseconds to print, so long ones are cut short."""
    parts = list(islice(sympy.preorder_traversal(expr), _LONG))
    if len(parts) == _LONG:
        return f"a long {type(expr).__name__}"
    text = str(sympy.sstr(expr, order="none"))
    return text if len(text) <= 80 else text[:77] + "..."


class Stop(ArithmeticError):
    """An evaluation that cannot go on; ``str()`` says why, ``{}`` in the text standing for the place."""

    def __init__(self, text: str, site: CallSite | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.site = site

    def __str__(self) -> str:
        return self.text if self.site is None else self.text.replace("{}", str(self.site))


class Undefined(Stop):
    """Proved: the expression has no value here (a pole, log(0), no branch of a Piecewise)."""


class Diverges(Undefined):
    """Proved: an infinite series has no sum."""


class Undecided(Stop):
    """A ball is too wide to tell, or the numbers involved are too large to hold."""


class NonReal(Stop):
    """Proved: a genuinely complex number stands where only a real one makes sense."""


class UnsupportedExpression(ValueError):
    """The expression contains something that has no evaluator."""


class Infinite:
    """+oo or -oo. Only the operations that SymPy leaves determinate are; the others are undefined."""

    __slots__ = ("sign",)

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def __neg__(self) -> Infinite:
        return Infinite(-self.sign)

    def __add__(self, other: Value) -> Infinite:
        if isinstance(other, Infinite) and other.sign != self.sign:
            raise Undefined("oo - oo")
        return self

    __radd__ = __add__

    def __sub__(self, other: Value) -> Infinite:
        return self.__add__(-other)

    def __rsub__(self, other: Value) -> Infinite:
        return self.__neg__().__add__(other)

    def __mul__(self, other: Value) -> Infinite:
        if isinstance(other, Infinite):
            return Infinite(self.sign * other.sign)
        if isinstance(other, acb):
            raise Undefined("oo times a complex number")
        if other > 0:
            return self
        if other < 0:
            return -self
        if type(other) is fmpq:
            raise Undefined("0*oo")
        raise Undecided("oo times a number of unknown sign")

    __rmul__ = __mul__

    def __abs__(self) -> Infinite:
        return Infinite(1)

    def __repr__(self) -> str:
        return "oo" if self.sign > 0 else "-oo"


def height(x: fmpq) -> int:
    """Bits of the longer of numerator and denominator."""
    return int(x.height_bits())


def ball(x: Value) -> Any:
    """The value as an `arb` or `acb` at the current precision."""
    return arb(x) if type(x) is fmpq else x


def kept(x: Value) -> Value:
    """The value, as a ball if it is a rational too long to keep exactly."""
    return arb(x) if type(x) is fmpq and x.height_bits() > EXACT_BITS else x


def tidy(z: acb) -> Value:
    """A complex ball, as a real one where the imaginary part is known to be zero."""
    return z.real if z.imag.is_zero() else z


def is_integer(x: fmpq) -> bool:
    """Whether a rational is an integer."""
    return bool(x.q == 1)


def exact_of_ball(x: arb) -> fmpq | None:
    """The rational that a ball of radius zero holds; None for wider, infinite or huge ones."""
    if not x.is_exact() or not x.is_finite():
        return None
    mantissa, exponent = x.man_exp()
    if abs(exponent) > EXACT_BITS:
        return None
    e = int(exponent)
    return fmpq(mantissa << e) if e >= 0 else fmpq(mantissa, fmpz(1) << -e)


def from_input(name: str, x: Any) -> Value:
    """An input as a value. Raises TypeError for floats and anything else that is not exact or a ball."""
    kind = type(x)
    if kind is fmpq:
        return x
    if kind is int or kind is fmpz:
        return fmpq(x)
    if kind is arb:
        if x.is_nan():
            raise ValueError(f"{name} is not a number")
        exact = exact_of_ball(x)
        return x if exact is None else exact
    if isinstance(x, Fraction):
        return fmpq(x.numerator, x.denominator)
    if isinstance(x, sympy.Rational):
        return fmpq(int(x.p), int(x.q))
    if isinstance(x, int) and not isinstance(x, bool):
        return fmpq(int(x))
    hint = "; write an exact Fraction" if isinstance(x, float) else ""
    raise TypeError(f"{name} = {x!r} is a {kind.__name__}, not an exact number or a ball{hint}")
