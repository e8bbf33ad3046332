"""A binomial coefficient by powers.

For integers 1 <= b <= a, binomial(a, b) is the product of (a - i)/(b - i) over 0 <= i < b. Each factor is at least
a/b, as b (a - i) - a (b - i) = i (a - b) >= 0, and every a - i is at most a: (a/b)**b <= binomial(a, b) <= a**b/b!.
As b**b/b! is one term of the series of e**b, the latter is at most (e a/b)**b. The logarithm of the coefficient lies
between those of the powers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MAX_DEPTH = 1
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def prove(task: Task) -> Argument | None:
    """The comparison with a power in place of its one binomial coefficient.

    Takes <, <=, > and >= where one side is binomial(a, b) of integers times a factor, and the other has none, or
    where the coefficient stands in a logarithm of which the sides are linear functions.
    Promises, as lemmas, that 1 <= b <= a, that the factor is at least 0, and what is left. Gives up where no power
    is sharp enough.
    """
    found = _split(task.comparison)
    if found is None:
        return _by_logarithms(task)
    op, node, factor, other = found
    a, b = node.args
    needed = [(b, _ONE), (a, b), (factor, _ZERO)]
    if not all(low - high == 0 or task.lemma(Comparison(">=", low, high)) for low, high in needed):
        return None
    for bound, fact in _bounds(op, node):
        known = len(task.used)
        if task.lemma(Comparison(op, bound * factor, other)):
            return Argument("a binomial coefficient by powers", (fact,))
        task.forget(known)
    return None


def _by_logarithms(task: Task) -> Argument | None:
    c = task.comparison
    if c.op not in _FLIPPED:
        return None
    gap = evaluated(c.lhs) - evaluated(c.rhs)
    logs = [f for f in gap.atoms(sp.log) if isinstance(f.args[0], sp.binomial)]
    if len(logs) != 1 or len(gap.atoms(sp.binomial)) != 1:
        return None
    (log,), slot = logs, sp.Dummy("L", real=True)
    opened = gap.xreplace({log: slot})
    slope, (a, b) = sp.diff(opened, slot), log.args[0].args
    if slot in slope.free_symbols or not (a.is_integer and b.is_integer):
        return None
    needed = [(b, _ONE), (a, b)]
    if not all(low - high == 0 or task.lemma(Comparison(">=", low, high)) for low, high in needed):
        return None
    rises = bool(slope.is_nonnegative) or task.lemma(Comparison(">=", slope, _ZERO))
    if not (rises or slope.is_nonpositive or task.lemma(Comparison("<=", slope, _ZERO))):
        return None
    split = b * (sp.log(a) - sp.log(b))
    fact = f"{log} >= {split}, factor by factor"
    if (c.op in ("<", "<=")) == rises:
        split += b
        fact = f"{log} <= {split}, factor by factor, as {b**b / sp.factorial(b)} is one term of the series of e**({b})"
    left = sp.expand(sp.expand_log(opened.xreplace({slot: split})))
    return (
        Argument("a binomial coefficient by powers", (fact,))
        if task.lemma(Comparison(c.op, left, _ZERO))
        else None
    )


def _split(c: Comparison) -> tuple[str, Any, Any, Any] | None:
    """op, the coefficient, its factor and the other side, with the coefficient on the left."""
    if c.op not in _FLIPPED:
        return None
    sides = [(c.op, evaluated(c.lhs), evaluated(c.rhs))]
    sides.append((_FLIPPED[c.op], sides[0][2], sides[0][1]))
    for op, side, other in sides:
        nodes = [f for f in sp.Mul.make_args(side) if isinstance(f, sp.binomial)]
        if (
            len(nodes) != 1
            or other.has(sp.binomial)
            or not all(x.is_integer for x in nodes[0].args)
        ):
            continue
        factor = side / nodes[0]
        if not factor.has(sp.binomial):
            return op, nodes[0], factor, other
    return None


def _bounds(op: str, node: Any) -> Iterator[tuple[Any, str]]:
    a, b = node.args
    if op in (">", ">="):
        yield (a / b) ** b, f"{node} >= {(a / b) ** b}, factor by factor"
        return
    yield a**b / sp.factorial(b), f"{node} <= {a**b / sp.factorial(b)}, factor by factor"
    series = f"{b**b / sp.factorial(b)} is one term of the series of e**({b})"
    yield (sp.E * a / b) ** b, f"{node} <= {(sp.E * a / b) ** b}, factor by factor, as {series}"


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and bool(c.lhs.has(sp.binomial) or c.rhs.has(sp.binomial))


METHOD = Method("binomial coefficients by powers", 0.4, _applies, prove)
