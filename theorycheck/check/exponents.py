"""Powers with a name in the exponent: a root of both sides, and exponentials above powers.

For a, b >= 0 and t >= 0, a <= b gives a**t <= b**t, and for t > 0 a < b gives a**t < b**t; 0**0 is 1.

1 + u <= exp(u), so that (1 + u)**t <= exp(t u) where 1 + u >= 0 and t >= 0.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_MAX_OPS = 60
_MOST = 3
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def root(task: Task) -> Argument | None:
    """The comparison of the t-th roots of both sides.

    Takes order comparisons of products of powers whose exponents are all multiples of one name t. Promises t >= 0 (or
    t > 0), that every base is not negative, and what is left, as lemmas.
    """
    c = task.comparison
    sides = [_logarithmic(evaluated(e)) for e in (c.lhs, c.rhs)]
    if None in sides or not any(sides):
        return None
    for v in task.region.variables:
        t = v.symbol
        rooted = [_rooted(side, t) for side in sides if side is not None]
        if None in rooted:
            continue
        bases = {b for side in sides if side is not None for b, _ in side}
        strict = c.op in ("<", ">")
        needed = [Comparison(">" if strict else ">=", t, _ZERO)]
        needed += [Comparison(">=", b, _ZERO) for b in bases if not b.is_nonnegative]
        if not all(task.lemma(n) for n in needed):
            return None
        left = Comparison(c.op, *rooted)
        if task.lemma(left):
            return Argument(f"the {t}-th roots of both sides", (f"{rooted[0]} {c.op} {rooted[1]}",))
    return None


Factors = list[tuple[Any, Any]]
"""(base, exponent) of each factor of a product."""


def _logarithmic(e: Any) -> Factors | None:
    """The powers of a product, none for 1; None where a factor is no power with names in the exponent."""
    found = []
    for factor in sp.Mul.make_args(e):
        if factor == 1:
            continue
        base, exponent = (
            (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        )
        if not exponent.free_symbols:
            return None
        found.append((base, exponent))
    return found


def _rooted(factors: Factors, t: Any) -> Any | None:
    """The product with t taken out of every exponent; None where that leaves a t."""
    total = _ONE
    for base, exponent in factors:
        rest = sp.cancel(exponent / t)
        if t in rest.free_symbols or t in base.free_symbols:
            return None
        total *= base**rest
    return total


def above(task: Task) -> Argument | None:
    """Exponentials in place of powers on the smaller side.

    Takes order comparisons with powers (1 + u)**t as factors of terms of the smaller side. Promises 1 + u >= 0,
    t >= 0, that what stands beside each power is not negative, and what is left, as lemmas.
    """
    c = task.comparison
    turned = c.op in (">", ">=")
    small, big = (evaluated(e) for e in ((c.rhs, c.lhs) if turned else (c.lhs, c.rhs)))
    powers = [p for p in small.atoms(sp.Pow) if p.exp.free_symbols and p.base.free_symbols]
    if not 0 < len(powers) <= _MOST or small.count_ops() > _MAX_OPS:
        return None
    facts = []
    for power in sorted(powers, key=sp.default_sort_key):
        slot = sp.Dummy(nonnegative=True)
        opened = small.xreplace({power: slot})
        beside = sp.diff(opened, slot)
        if slot in beside.free_symbols:
            return None
        larger = sp.exp(sp.expand(power.exp * (power.base - 1)))
        needed = [Comparison(">=", e, _ZERO) for e in (power.base, power.exp, beside)]
        if not all(n.lhs.is_nonnegative or task.lemma(n) for n in needed):
            return None
        small = opened.xreplace({slot: larger})
        facts.append(f"{power} <= {larger}")
    small = sp.powsimp(small)
    left = Comparison(c.op, big, small) if turned else Comparison(c.op, small, big)
    if not task.lemma(left, deeper=0):  # fewer powers than before
        return None
    return Argument("exponentials above powers", tuple(facts))


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and not task.is_line and c.op in ("<", "<=", ">", ">=")


ROOT = Method("roots of both sides", 0.3, _applies, root)
ABOVE = Method("exponentials above powers", 0.3, _applies, above)

__all__ = ["ABOVE", "ROOT"]
