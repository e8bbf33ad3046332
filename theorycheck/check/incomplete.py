"""Incomplete gamma functions by each other.

For a > 0 and x >= 0, lowergamma(a, x) and uppergamma(a, x) are the integrals of t**(a - 1) exp(-t) up to x and from x
on: they add up to gamma(a). By parts, for x > 0 and every a, and for x = 0 where a > 0,

    uppergamma(a + 1, x) = a uppergamma(a, x) + x**a exp(-x)

so that values whose a differ by integers are brought to the one with the least a. Both integrals are positive for
a, x > 0, the upper one for x > 0 whatever a is.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

# Each step of the recurrence adds two terms; lemmas of lemmas that ask for this again would not end.
_MAX_DEPTH, _MAX_APART = 4, 8
_ZERO = sp.Integer(0)
_HEADS = (sp.uppergamma, sp.lowergamma)


def prove(task: Task) -> Argument | None:
    """The comparison with fewer values of incomplete gamma functions.

    Takes comparisons with a lower one, or with two whose first arguments differ by an integer. Promises, as lemmas,
    a > 0 and x >= 0 for what a lower one lacks to gamma(a), x > 0 (or x >= 0 and a > 0) for shifts, and what is left.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    facts: list[str] = []
    lower = _values(sides, sp.lowergamma)
    if lower and (
        len(lower) > 1 or _values(sides, sp.uppergamma) or any(e.has(sp.gamma) for e in sides)
    ):
        found = {n: w for n in lower if (w := _from_above(n, task)) is not None}
        facts += [f"{n} = {w}" for n, w in found.items()]
        sides = [e.xreplace(found) for e in sides]
    shifted = _to_the_least(_values(sides, sp.uppergamma), task)
    facts += [f"{n} = {w}" for n, w in shifted.items()]
    if not facts:
        return None
    left = [sp.expand(e.xreplace(shifted), power_base=False, log=False) for e in sides]
    if not task.lemma(Comparison(c.op, *left)):
        return None
    return Argument("incomplete gamma functions by each other", tuple(facts))


def signs(task: Task) -> Argument | None:
    """The comparison for all positive numbers in place of the values that are left.

    Promises, as lemmas, that they are positive, and what is left with a name for each.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    taken = {v.name for v in task.region.variables}
    free = (f"G{i}" for i in range(1, 100) if f"G{i}" not in taken)
    names = {}
    for node in [*_values(sides, sp.uppergamma), *_values(sides, sp.lowergamma)]:
        a, x = node.args
        if not (_is(">", x, task) and _is(">", a, task)):
            return None
        names[node] = sp.Symbol(next(free), positive=True)
    if not names:
        return None
    positive = (
        Variable(g.name, g, "real", "", _ZERO, sp.oo, low_open=True, high_open=True)
        for g in names.values()
    )
    region = Region((*task.region.variables, *positive), task.region.hypotheses)
    if not task.lemma(Comparison(c.op, *(e.xreplace(names) for e in sides)), region):
        return None
    return Argument("integrals of a positive function", tuple(f"{n} > 0" for n in names))


def _values(sides: list[Any], head: Any) -> list[Any]:
    return sorted({n for e in sides for n in e.atoms(head)}, key=sp.default_sort_key)


def _from_above(node: Any, task: Task) -> Any | None:
    """What an upper one lacks to gamma(a)."""
    a, x = node.args
    known = _is(">", a, task) and _is(">=", x, task)
    return sp.gamma(a) - sp.uppergamma(a, x, evaluate=False) if known else None


def _to_the_least(nodes: list[Any], task: Task) -> dict[Any, Any]:
    """The values of which one with a smaller first argument is there, by the smallest."""
    found = {}
    for node in nodes:
        a, x = node.args
        apart = [sp.expand(a - other.args[0]) for other in nodes if other.args[1] == x]
        steps = max((d for d in apart if d.is_Integer), default=_ZERO)
        if not 0 < steps <= _MAX_APART:
            continue
        least = sp.expand(a - steps)
        if not (_is(">", x, task) or (_is(">=", x, task) and _is(">", least, task))):
            continue
        value = sp.uppergamma(least, x, evaluate=False)
        for i in range(int(steps)):
            value = (least + i) * value + x ** (least + i) * sp.exp(-x)
        found[node] = value
    return found


def _is(op: str, e: Any, task: Task) -> bool:
    clear = e.is_positive if op == ">" else e.is_nonnegative
    return bool(clear) or task.lemma(Comparison(op, e, _ZERO))


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and bool(c.lhs.has(*_HEADS) or c.rhs.has(*_HEADS))


METHOD = Method("incomplete gamma functions by each other", 0.3, _applies, prove)
SIGNS = Method("integrals of a positive function", 0.2, _applies, signs)
