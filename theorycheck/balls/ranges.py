"""Exact ends of a range in a box, for where a ball's rounding blurs the border of a domain.

A ball is a midpoint and a radius, so that the ball of [0, 1/10] reaches a little below 0, where sqrt has
no real value. Interval arithmetic on the exact rational ends of the box decides such cases.
"""

from __future__ import annotations

from typing import Any

import sympy
from flint import arb, fmpq

from theorycheck.balls.state import State
from theorycheck.balls.values import EXACT_BITS, ONE, CallSite, Range, exact_of_ball

_POWER = 64  # larger exponents are left to the balls


def ends(state: State, site: CallSite) -> Range | None:
    """Exact bounds of a straddling value in a box; None where there are none, or at a point."""
    return exact_range(state, site) if state.box else None


def exact_range(state: State, site: CallSite) -> Range | None:
    """Rationals lo <= every value <= hi of a polynomial expression with rational coefficients, attained
    for expressions in which every variable occurs once; None for other expressions."""
    expr, scope = site.expr, site.scope
    if isinstance(expr, sympy.Rational):
        number = fmpq(int(expr.p), int(expr.q))
        return number, number
    if isinstance(expr, sympy.Symbol):
        return _of_register(state, scope[expr])
    if isinstance(expr, sympy.Add | sympy.Mul):
        total = None
        for a in expr.args:
            part = exact_range(state, CallSite(a, scope))
            if part is None:
                return None
            if total is None:
                total = part
            elif isinstance(expr, sympy.Add):
                total = total[0] + part[0], total[1] + part[1]
            else:
                products = [p * q for p in total for q in part]
                total = min(products), max(products)
        return total
    if isinstance(expr, sympy.Pow) and isinstance(expr.args[1], sympy.Integer):
        base = exact_range(state, CallSite(expr.args[0], scope))
        return None if base is None else _power(base, int(expr.args[1].p))
    return None


def _of_register(state: State, slot: int) -> Range | None:
    known = state.ends.get(slot)
    if known is not None:
        return known
    x = state.regs[slot]
    if type(x) is fmpq:
        return x, x
    return _ends_of_ball(x) if type(x) is arb else None


def _ends_of_ball(x: arb) -> Range | None:
    mid, rad = exact_of_ball(x.mid()), exact_of_ball(x.rad())
    return None if mid is None or rad is None else (mid - rad, mid + rad)


def _power(base: Range, n: int) -> Range | None:
    low, high = base
    if abs(n) > _POWER or max(low.height_bits(), high.height_bits()) * abs(n) > EXACT_BITS:
        return None
    if n == 0:
        return ONE, ONE
    if n < 0:
        if low <= 0 <= high:
            return None
        low, high, n = 1 / high, 1 / low, -n
    ends: list[Any] = sorted((low**n, high**n))
    if n % 2 == 0 and low < 0 < high:
        ends[0] = fmpq(0)
    return ends[0], ends[1]
