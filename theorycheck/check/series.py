"""Geometric series with polynomials before them, to infinity.

If Q(k) - r Q(k + 1) = P(k) for all k, the terms P(k) r**k are T(k) - T(k + 1) with T(k) = Q(k) r**k. For
|r| < 1, T(k) tends to 0, and the sum from a on is T(a). Q has the degree of P; its coefficients follow from the
highest down, each with 1 - r below the line.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Task
from theorycheck.check.powers import geometric
from theorycheck.check.text import Comparison

_MAX_DEGREE = 4
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of c P(k) r**k, and why, as a line; None for other sums.

    Takes sums over one index from a finite one on, P of degree up to 4. Promises -1 < r < 1 and r != 0 as lemmas.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    parts = geometric(total.function, k)
    if high != sp.oo or low.is_infinite or parts is None:
        return None
    constant, polynomial, ratio = parts
    if sp.degree(polynomial, k) > _MAX_DEGREE or not _within(ratio, task):
        return None
    rest = _telescoping(sp.Poly(polynomial, k), ratio, k)
    value = constant * rest.xreplace({k: low}) * ratio**low
    return (
        value,
        f"{total} = {value}: its terms are T(k) - T(k + 1), T(k) = {rest}*({ratio})**k -> 0",
    )


def _within(ratio: Any, task: Task) -> bool:
    needed = [Comparison("<", ratio, _ONE), Comparison("!=", ratio, _ZERO)]
    if not ratio.is_nonnegative:
        needed.append(Comparison(">", ratio, -_ONE))
    return all(task.lemma(c) for c in needed)


def _telescoping(polynomial: Any, ratio: Any, k: Any) -> Any:
    """Q with Q(k) - r Q(k + 1) = P(k), a multiple of 1/(1 - r) taken off the highest power in turn."""
    found, left = _ZERO, polynomial
    while not left.is_zero:
        part = left.LC() / (1 - ratio) * k ** left.degree()
        found += part
        left = sp.Poly(sp.cancel(left.as_expr() - part + ratio * part.xreplace({k: k + 1})), k)
    return found


__all__ = ["closed"]
