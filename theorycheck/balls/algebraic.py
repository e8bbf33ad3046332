"""Separation bounds: how small an algebraic number can be without being zero.

A real or complex number built from rationals and roots of unity by + - * / and roots is E = U/L with
algebraic integers U, L of a number field of degree <= D. Along the expression one carries u and l such
that every conjugate of U is at most u in absolute value, and every conjugate of L at most l:

    rational p/q        u = |p|,             l = q
    root of unity       u = 1,               l = 1
    A + B               u = uA lB + lA uB,   l = lA lB
    A * B               u = uA uB,           l = lA lB
    1/A                 u = lA,              l = uA
    A**(1/k)            u = (uA lA**(k-1))**(1/k),  l = lA          [(U/L)**(1/k) = (U L**(k-1))**(1/k)/L]

D is the product of the indices k of the different roots taken and of the degree of the roots of unity.
If E is not 0, then neither is the algebraic integer U, so its norm is at least 1 in absolute value,
|U| >= 1/u**(D-1), and |E| >= 1/(u**(D-1) l). A ball of E smaller than that which contains 0 proves E = 0.
(The argument of Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A separation bound for real algebraic
expressions", Algorithmica 2009, extended to roots of unity, whose conjugates have absolute value 1.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq, fmpz

from theorycheck.balls.factors import over
from theorycheck.balls.state import State
from theorycheck.balls.values import CallSite, Stop, Value

MOST_BITS = 100_000
"""Separation bounds needing more bits than this are not tried (some seconds)."""

_SLACK = 1e-6  # added to every logarithm of a bound: far above the rounding of a double


@dataclass(frozen=True)
class SeparationBound:
    """Base-2 logarithms of u and l, and what the field is made of."""

    u: float
    l: float
    roots: frozenset[Any] = field(default=frozenset())  # (radicand, index)
    unity: int = 1  # the field holds the roots of unity of this order

    def degree(self) -> int:
        d = int(fmpz(self.unity).euler_phi())
        for _, k in self.roots:
            d *= k
        return d

    def bits(self) -> int:
        """A number of this bound below 2**-bits in absolute value is 0."""
        return int((self.degree() - 1) * self.u + self.l) + 2

    def joined(self, other: SeparationBound, u: float, l: float) -> SeparationBound:
        return SeparationBound(
            u + _SLACK, l + _SLACK, self.roots | other.roots, math.lcm(self.unity, other.unity)
        )


class NotAlgebraic(Exception):
    """The expression is not built from rationals, roots and roots of unity."""


def proved_zero(state: State, site: CallSite, shift: fmpq) -> bool:
    """Whether the expression minus ``shift`` is an algebraic number that is proved to be 0."""
    try:
        bound = add(_bound(state, site), rational(shift))
    except (NotAlgebraic, Stop):
        return False
    bits = bound.bits()
    if bits > MOST_BITS:
        return False
    value = _value(state, site, bits)
    return value is not None and is_below(value, shift, bits)


def proved_real(state: State, site: CallSite) -> bool:
    """Whether the expression is proved to be real: z - conj(z) = 0, of twice the size, in a field of at
    most the squared degree."""
    try:
        bound = _bound(state, site)
    except (NotAlgebraic, Stop):
        return False
    u, l = 1 + bound.u + bound.l + _SLACK, 2 * bound.l
    bits = (bound.degree() ** 2 - 1) * u + l + 1
    if bits > MOST_BITS:
        return False
    value = _value(state, site, int(bits) + 1)
    return value is not None and bool(abs(acb(value).imag) < arb(2) ** -(int(bits) + 2))


def is_below(value: Value, shift: fmpq, bits: int) -> bool:
    """Whether |value - shift| < 2**-bits."""
    saved = ctx.prec
    ctx.prec = bits + 64
    try:
        return bool(abs(value - shift) < arb(2) ** -bits)
    finally:
        ctx.prec = saved


def _value(state: State, site: CallSite, bits: int) -> Value:
    """The value to an absolute precision of 2**-bits or somewhat worse; None if it does not come."""
    saved = ctx.prec
    # Numbers above 1 need their own bits too; the ball says whether it sufficed.
    for extra in (64, bits + 256):
        prec = bits + extra
        ctx.prec = prec
        try:
            closure = state.program.value(site.expr, site.scope)
            value = closure(state.fresh(site, prec, deep=True))
        except Stop:
            return None
        finally:
            ctx.prec = saved
        if type(value) is fmpq:
            return value
        if not value.is_finite():
            return None
        if arb(value.rad()) < arb(2) ** -(bits + 2):
            return value
    return None


# ---------------------------------------------------------------- the bounds


def _log2(n: fmpz) -> float:
    return float(n.bit_length())


def rational(x: fmpq) -> SeparationBound:
    """The bound of a rational p/q: log2 |p| and log2 q."""
    # Bit lengths exceed the logarithm by at most 1; 0 is bounded like 1.
    p = abs(x.p)
    return SeparationBound(0.0 if p <= 1 else _log2(p), 0.0 if x.q == 1 else _log2(x.q))


def _log_sum(a: float, b: float) -> float:
    high, low = max(a, b), min(a, b)
    return high + math.log2(1 + 2.0 ** (low - high))


def add(a: SeparationBound, b: SeparationBound) -> SeparationBound:
    """The bound of a sum."""
    return a.joined(b, _log_sum(a.u + b.l, a.l + b.u), a.l + b.l)


def multiply(a: SeparationBound, b: SeparationBound) -> SeparationBound:
    """The bound of a product."""
    return a.joined(b, a.u + b.u, a.l + b.l)


def power(base: SeparationBound, radicand: Any, e: fmpq) -> SeparationBound:
    """The bound of base**e for a rational e. Raises NotAlgebraic where e is too large."""
    if abs(e.p) > MOST_BITS or e.q > MOST_BITS:
        raise NotAlgebraic
    k = int(e.q)
    if k > 1:
        base = SeparationBound(
            (base.u + (k - 1) * base.l) / k + _SLACK,
            base.l,
            base.roots | {(radicand, k)},
            base.unity,
        )
    n = abs(int(e.p))
    u, l = (base.u, base.l) if e > 0 else (base.l, base.u)
    return SeparationBound(n * u + _SLACK, n * l + _SLACK, base.roots, base.unity)


def unity(r: fmpq) -> SeparationBound:
    """exp(i*pi*r): a root of unity of order dividing twice the denominator."""
    if r.q > MOST_BITS:
        raise NotAlgebraic
    return SeparationBound(0.0, 0.0, frozenset(), 2 * int(r.q))


def _bound(state: State, site: CallSite) -> SeparationBound:
    """Raises NotAlgebraic, and Stop where a part cannot be evaluated."""
    expr, scope = site.expr, site.scope
    value = _exactly(state, site)
    if value is not None:
        return rational(value)
    if isinstance(expr, sympy.Add | sympy.Mul):
        parts = [_bound(state, CallSite(a, scope)) for a in expr.args]
        total = parts[0]
        for part in parts[1:]:
            total = (add if isinstance(expr, sympy.Add) else multiply)(total, part)
        return total
    if isinstance(expr, sympy.Pow) and expr.args[0] is not sympy.E:
        exponent = _exactly(state, CallSite(expr.args[1], scope))
        if exponent is None:
            raise NotAlgebraic
        base = CallSite(expr.args[0], scope)
        known = _exactly(state, base)
        radicand = str(known) if known is not None else (base.expr, bindings(state, base))
        return power(_bound(state, base), radicand, exponent)
    if expr is sympy.I:
        return SeparationBound(0.0, 0.0, frozenset(), 4)
    if expr is sympy.GoldenRatio:
        return _golden_ratio()
    return _of_function(state, site)


def bindings(state: State, site: CallSite) -> frozenset[Any]:
    """The values of the symbols that an expression depends on, to tell equal radicands apart."""
    return frozenset((x, str(state.regs[site.scope[x]])) for x in state.program.free(site.expr))


def _golden_ratio() -> SeparationBound:
    five = power(rational(fmpq(5)), "5", fmpq(1, 2))
    return multiply(add(rational(fmpq(1)), five), rational(fmpq(1, 2)))


def _of_function(state: State, site: CallSite) -> SeparationBound:
    expr, scope = site.expr, site.scope
    name = expr.func.__name__
    if name in ("cos", "sin", "tan"):
        rest = over(expr.args[0], sympy.pi)
        r = None if rest is None else _exactly(state, CallSite(rest, scope))
        if r is None:
            raise NotAlgebraic
        # 2 cos and 2 sin are z + 1/z and (z - 1/z)/i: both in the field of the roots of order 4q
        order = math.lcm(unity(r).unity, 4)
        two = SeparationBound(1.0, 0.0, frozenset(), order)
        if name == "tan":
            return multiply(two, power(two, None, fmpq(-1)))
        return multiply(two, rational(fmpq(1, 2)))
    if name == "exp" or (isinstance(expr, sympy.Pow) and expr.args[0] is sympy.E):
        rest = over(expr.args[-1], sympy.pi)
        rest = None if rest is None else over(rest, sympy.I)
        r = None if rest is None else _exactly(state, CallSite(rest, scope))
        if r is None:
            raise NotAlgebraic
        return unity(r)
    if name in ("Abs",):
        # |x| = +-x for real x
        inner = CallSite(expr.args[0], scope)
        value = state.program.value(inner.expr, scope)(state.fresh(inner, ctx.prec, deep=False))
        if type(value) is acb:
            raise NotAlgebraic
        return _bound(state, inner)
    raise NotAlgebraic


def _exactly(state: State, site: CallSite) -> fmpq | None:
    """The value if it is a rational known exactly; it need not be otherwise evaluable."""
    value = state.program.value(site.expr, site.scope)(state.fresh(site, ctx.prec, deep=False))
    return value if type(value) is fmpq else None
