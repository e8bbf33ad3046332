"""Floors and waves on an infinite range: a statement that repeats itself is settled on one period."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.text import Comparison

_MAX_PERIOD = 500
_MAX_TURNS = 12
_WAVES = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc)


def one_period(c: Comparison, v: Variable) -> Variable:
    """The range cut down to one period of lhs - rhs, if it is infinite and there is one; else as it is.

    With T a period of every linear argument modulo 1, floor(u(x + T)) = floor(u(x)) + u(x + T) - u(x);
    what is left of the difference of the sides is then compared as an expression.
    """
    if v.kind != "real" or not (v.low.is_infinite or v.high.is_infinite):
        return v
    x = v.symbol
    if (turn := _turn(c, x)) is not None and v.low.is_infinite and v.high.is_infinite:
        return replace(v, low=sp.Integer(0), high=turn, low_open=False, high_open=False)
    difference = _in_floors(evaluated(c.lhs) - evaluated(c.rhs))
    floors = difference.atoms(sp.floor)
    slopes = [s for f in floors if (s := _slope(f.args[0], x)) is not None]
    if not floors or len(slopes) < len(floors):
        return v
    period = lcm(*(int(s.q) for s in slopes))
    if period > _MAX_PERIOD:
        return v
    known = {f: sp.Dummy(integer=True) for f in floors}
    moved = {f: known[f] + s * period for f, s in zip(floors, slopes, strict=True)}
    # The floors first, then the name outside of them.
    later = difference.xreplace(moved).xreplace({x: x + period})
    if sp.expand(later - difference.xreplace(known)) != 0:
        return v
    first = v.low if v.low.is_finite else v.high - period if v.high.is_finite else sp.Integer(0)
    if not first.is_Rational:
        return v
    return replace(v, low=first, high=first + period, low_open=False, high_open=False)


def _turn(c: Comparison, x: Any) -> Any | None:
    """2*pi*k if x occurs only in sines and their kin of rational multiples of x, which repeat with it."""
    waves = [w for side in (c.lhs, c.rhs) for w in side.atoms(*_WAVES) if x in w.free_symbols]
    slopes = [s for w in waves if (s := _slope(w.args[0], x)) is not None]
    hidden = {w: sp.Dummy() for w in waves}
    if not waves or len(slopes) < len(waves):
        return None
    if any(x in side.xreplace(hidden).free_symbols for side in (c.lhs, c.rhs)):
        return None
    period = lcm(*(int(s.q) for s in slopes))
    return 2 * sp.pi * period if period <= _MAX_TURNS else None


def _in_floors(f: Any) -> Any:
    f = f.replace(sp.frac, lambda u: u - sp.floor(u))
    f = f.replace(sp.ceiling, lambda u: -sp.floor(-u))
    return f.replace(sp.Mod, lambda a, m: a - m * sp.floor(a / m))


def _slope(u: Any, x: Any) -> Any | None:
    """The rational slope of a linear argument."""
    if not u.is_polynomial(x) or u.free_symbols != {x}:
        return None
    poly = sp.Poly(u, x)
    slope = poly.nth(1)
    return slope if poly.degree() == 1 and slope.is_Rational else None
