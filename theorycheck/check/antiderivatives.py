"""Integrals of single terms whose exponents and frequencies are names: powers, Euler's two integrals, waves.

With a, s, t, w free of z, the value at the ends being a limit where an end is improper:

- z**s over (low, high) with low >= 0:  (high**(s+1) - low**(s+1))/(s+1), for s > -1 or low > 0 with s + 1
  of known sign; over (low, oo) with low > 0 and s < -1:  -low**(s+1)/(s+1).
- z**s exp(-a z) over (0, oo), s > -1, a > 0:  gamma(s+1)/a**(s+1).
- z**s (1-z)**t over (0, 1), s > -1, t > -1:  gamma(s+1) gamma(t+1)/gamma(s+t+2).
- cos(w z + c) and sin(w z + c) over finite ends, w of known sign but not 0, by their antiderivatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check.ranges import Ranges


@dataclass
class _Term:
    """coefficient * z**power * (1 - z)**beside * exp(slope z) * wave(frequency z + phase)."""

    coefficient: Any = sp.S.One
    power: Any = sp.S.Zero
    beside: Any = sp.S.Zero
    slope: Any = sp.S.Zero
    wave: Any = None
    frequency: Any = sp.S.Zero
    phase: Any = sp.S.Zero


def integrated(body: Any, z: Any, low: Any, high: Any, ranges: Ranges) -> Any | None:
    """The integral of a sum of such terms from low to high; None where a term is none of them, or a
    condition on its names is not known to hold."""
    found = []
    for part in sp.Add.make_args(sp.expand(body, power_base=False, log=False)):
        term = _read(part, z)
        value = None if term is None else _value(term, z, low, high, ranges)
        if term is None or value is None:
            return None
        found.append(term.coefficient * value)
    return sp.Add(*found)


def _read(part: Any, z: Any) -> _Term | None:
    term = _Term()
    for factor in sp.Mul.make_args(part):
        base, exponent = factor.as_base_exp() if factor.is_Pow else (factor, sp.Integer(1))
        if not factor.has(z):
            term.coefficient *= factor
        elif isinstance(factor, sp.exp):
            line = _line(factor.args[0], z)
            if line is None:
                return None
            term.slope += line[0]
            term.coefficient *= sp.exp(line[1])
        elif isinstance(factor, sp.cos | sp.sin) and term.wave is None:
            line = _line(factor.args[0], z)
            if line is None:
                return None
            term.wave, (term.frequency, term.phase) = type(factor), line
        elif base == z and not exponent.has(z):
            term.power += exponent
        elif sp.expand(base + z - 1) == 0 and not exponent.has(z):
            term.beside += exponent
        else:
            return None
    return term


def _line(e: Any, z: Any) -> tuple[Any, Any] | None:
    """(a, b) of a z + b."""
    if not e.is_polynomial(z):
        return None
    poly = sp.Poly(e, z)
    return (poly.nth(1), poly.nth(0)) if poly.degree() == 1 else None


def _value(term: _Term, z: Any, low: Any, high: Any, ranges: Ranges) -> Any | None:
    s, t = term.power, term.beside
    if term.wave is not None:
        if s != 0 or t != 0 or term.slope != 0:
            return None
        return _of_wave(term, low, high, ranges)
    converges = ranges.sign(s + 1) == 1
    if t != 0:
        proper = (low, high, term.slope) == (0, 1, 0)
        if not (proper and converges and ranges.sign(t + 1) == 1):
            return None
        return sp.gamma(s + 1) * sp.gamma(t + 1) / sp.gamma(s + t + 2)
    if term.slope != 0:
        proper = (low, high) == (0, sp.oo)
        if not (proper and converges and ranges.sign(term.slope) == -1):
            return None
        return sp.gamma(s + 1) / (-term.slope) ** (s + 1)
    return _of_power(s, low, high, converges, ranges)


def _of_power(s: Any, low: Any, high: Any, converges: bool, ranges: Ranges) -> Any | None:
    if low.is_infinite or not ranges.nonnegative(low):
        return None
    away = ranges.sign(low) == 1
    if high == sp.oo:
        return -(low ** (s + 1)) / (s + 1) if away and ranges.sign(s + 1) == -1 else None
    if not ranges.nonnegative(high):
        return None
    if low == 0 and converges:
        return high ** (s + 1) / (s + 1)
    known = converges or (away and ranges.sign(high) == 1 and ranges.sign(s + 1) == -1)
    return (high ** (s + 1) - low ** (s + 1)) / (s + 1) if known else None


def _of_wave(term: _Term, low: Any, high: Any, ranges: Ranges) -> Any | None:
    w = term.frequency
    if low.is_infinite or high.is_infinite or ranges.sign(w) not in (-1, 1):
        return None
    ends = (w * high + term.phase, w * low + term.phase)
    if term.wave is sp.cos:
        return (sp.sin(ends[0]) - sp.sin(ends[1])) / w
    return (sp.cos(ends[1]) - sp.cos(ends[0])) / w


__all__ = ["integrated"]
