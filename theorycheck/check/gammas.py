"""Shifts and reflections of the gamma function.

gamma(u + 1) = u gamma(u) brings arguments that differ by integers to one of them, and for u that is no integer

    gamma(u) gamma(1 - u) = pi/sin(pi u)

brings arguments that add up to an integer to one of the two.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 4
_MAX_APART = 8
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def prove(task: Task) -> Argument | None:
    """The comparison with related values of gamma written by one of them.

    Takes comparisons with two or more values of gamma. Promises, as lemmas, that a reflected argument has
    no sine of zero, that the factors of a shift are not 0, and what is left.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    nodes = sorted({n for e in sides for n in e.atoms(sp.gamma)}, key=sp.default_sort_key)
    kept: list[Any] = []
    found: dict[Any, Any] = {}
    for node in nodes:
        value = next((w for u in kept if (w := _by(u, node.args[0], task)) is not None), None)
        if value is None:
            kept.append(node.args[0])
        else:
            found[node] = value
    if not found:
        return None
    left = [sp.expand_log(evaluated(e.xreplace(found))) for e in sides]
    if not task.lemma(Comparison(c.op, *left)):
        return None
    return Argument("values of gamma by each other", tuple(f"{n} = {v}" for n, v in found.items()))


def _by(u: Any, w: Any, task: Task) -> Any | None:
    """gamma(w) by gamma(u); None where they are not related, or a factor may vanish."""
    apart = sp.expand(w - u)
    if apart.is_Integer and abs(apart) <= _MAX_APART:
        return _shifted(sp.gamma(u), u, int(apart), task)
    total = sp.expand(w + u)
    if total.is_Integer and abs(total) <= _MAX_APART:
        wave = sp.sin(sp.pi * u)
        if not task.lemma(Comparison("!=", wave, _ZERO)):
            return None
        return _shifted(sp.pi / (wave * sp.gamma(u)), 1 - u, int(total) - 1, task)
    return None


def _shifted(value: Any, at: Any, steps: int, task: Task) -> Any | None:
    """gamma(at + steps), where ``value`` is gamma(at)."""
    factors = [at + i for i in (range(steps) if steps > 0 else range(steps, 0))]
    nonzero = (f.is_positive or task.lemma(Comparison("!=", f, _ZERO)) for f in factors)
    if not all(nonzero):
        return None
    return value * sp.Mul(*factors) if steps >= 0 else value / sp.Mul(*factors)


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and len(c.lhs.atoms(sp.gamma) | c.rhs.atoms(sp.gamma)) > 1


METHOD = Method("values of gamma by each other", 0.3, _applies, prove)
