"""Rational functions summed to infinity: partial fractions and the logarithmic derivative of gamma.

Where the denominator of R is by two degrees or more above the numerator, R(k) is a sum of c/(k + a)**j whose c for
j = 1 add up to 0, so that with psi(x) - psi(y) = sum over k >= 0 of 1/(k + y) - 1/(k + x), for m + a > 0,

    sum over k >= m of R(k) = sum of -c psi(m + a) over j = 1, and of c (-1)**j psi^(j-1)(m + a)/(j - 1)! over j > 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated, falls_by_two
from theorycheck.check.method import Task
from theorycheck.check.text import Comparison

_MAX_POLES = 12
_ZERO = sp.Integer(0)

Pole = tuple[Any, Any, int]
"""(c, a, j) of a part c/(k + a)**j."""


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of a rational function of its index, and why, as a line; None for other sums.

    Takes sums over one index from a finite one on, with poles that are rational in the other names. Promises, as
    lemmas, that each pole lies before the first index, and that nothing is divided by 0.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    if high != sp.oo or low.is_infinite or not falls_by_two(total.function, k):
        return None
    poles = _poles(total.function, k)
    if poles is None or sp.cancel(sp.Add(*(c for c, _, j in poles if j == 1))) != 0:
        return None
    for condition in _needed(poles, low):
        if not task.lemma(condition):
            return None
    value = sp.Add(*(_one(c, low + a, j) for c, a, j in poles))
    return value, f"{total} = {value}: partial fractions and the digamma function"


def _poles(f: Any, k: Any) -> list[Pole] | None:
    """The parts of partial fractions; None where a pole is not rational in the other names."""
    f = sp.cancel(sp.together(f))
    parts = sp.apart(f, k)
    found = list[Pole]()
    for part in sp.Add.make_args(parts):
        above, below = sp.fraction(sp.cancel(part))
        line = sp.Poly(below, k)
        j = line.degree()
        if k in above.free_symbols or not 0 < j <= _MAX_POLES:
            return None
        a = sp.cancel(line.nth(j - 1) / (j * line.LC()))
        if sp.cancel(below - line.LC() * (k + a) ** j) != 0:
            return None
        found.append((sp.cancel(above / line.LC()), a, j))
    whole = sp.Add(*(c / (k + a) ** j for c, a, j in found))
    return found if len(found) <= _MAX_POLES and sp.cancel(sp.together(f - whole)) == 0 else None


def _needed(poles: list[Pole], low: Any) -> Iterator[Comparison]:
    for c, a, _ in poles:
        yield Comparison(">", low + a, _ZERO)
        for e in (c, a):
            below = sp.fraction(e)[1]
            if below.free_symbols:
                yield Comparison("!=", below, _ZERO)


def _one(c: Any, at: Any, j: int) -> Any:
    if j == 1:
        return -c * sp.digamma(at)
    return c * (-1) ** j * sp.polygamma(j - 1, at) / sp.factorial(j - 1)


__all__ = ["closed"]
