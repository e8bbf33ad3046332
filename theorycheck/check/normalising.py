"""Comparisons brought to a shorter form: sides subtracted, common factors of known sign cancelled.

lhs - rhs is written as a product of factors, a polynomial identity that is verified; factors that are proved
to be positive or negative are left out. What remains may have fewer names.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.facts import gap, shorter
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 3
_FLIPPED = {">": "<", ">=": "<="}
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """The difference of the sides without the factors whose signs are proved.

    Takes all comparisons. Promises that every factor left out keeps its sign (or, for == and !=, is not
    0) on the region, and the rest as a lemma. Gives up where no factor can be left out.
    """
    f, op = gap(task.comparison)
    product = shorter(f)
    if product.is_number:
        return None
    kept, flipped, dropped = _reduced(product, task)
    facts = [f"lhs and rhs differ by {product}"]
    facts += [f"left out, with a sign of their own: {', '.join(map(str, dropped))}"] * bool(dropped)
    if not kept:
        right = op == "!=" or (op in (">", ">=") and not flipped)
        return Argument("signs of the factors", tuple(facts)) if right else None
    if not dropped and _as_short(product, task):
        return None
    rest = sp.Mul(*kept)
    needed = op
    if flipped and len(kept) == 1:
        rest = -rest
    elif flipped:
        needed = _FLIPPED.get(op, op)
    if not task.lemma(Comparison(needed, rest, _ZERO)):
        return None
    return Argument("common factors cancelled", tuple(facts))


def _as_short(product: Any, task: Task) -> bool:
    """Whether nothing was gained: as many names, and no fewer operations."""
    c = task.comparison
    names = c.lhs.free_symbols | c.rhs.free_symbols
    shorter_now = c.rhs != 0 and product.count_ops() < c.lhs.count_ops() + c.rhs.count_ops()
    return bool(product.free_symbols == names) and not shorter_now


def _reduced(product: Any, task: Task) -> tuple[list[Any], bool, list[Any]]:
    """Factors that are kept, whether the sign turned round, and factors that were left out."""
    factors = sorted(sp.Mul.make_args(product), key=lambda f: (f.count_ops(), str(f)))
    kept: list[Any] = []
    dropped: list[Any] = []
    flipped = False
    for factor in factors:
        if factor is factors[-1] and dropped and not kept:
            kept.append(factor)  # its sign is the comparison that is left
            continue
        if factor.is_number and factor.is_nonzero:
            flipped ^= bool(factor.is_negative)
            continue
        sign = _sign(factor, task) if len(factors) > 1 else 0
        if sign == 0:
            kept.append(factor)
        else:
            dropped.append(factor)
            flipped ^= sign < 0
    return kept, flipped, dropped


def _sign(factor: Any, task: Task) -> int:
    if factor.is_positive:
        return 1
    if factor.is_negative:
        return -1
    base, exponent = factor.as_base_exp()
    if exponent.is_Integer and exponent != 1:
        if exponent % 2 == 0:
            return int(task.lemma(Comparison("!=", base, _ZERO)))
        return _sign(base, task)
    if not exponent.is_Integer:  # a power of what is positive; of anything else it may have no sign
        return int(_sign(base, task) > 0)
    for op, sign in ((">", 1), ("<", -1)):
        if task.lemma(Comparison(op, factor, _ZERO)):
            return sign
    return 0


METHOD = Method("common factors", 0.5, lambda t: t.depth <= _MAX_DEPTH and not t.is_line, prove)
