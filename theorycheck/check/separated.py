"""Products whose factors have names of their own, one group of names at a time.

A B <= C D follows from 0 <= A <= C and 0 <= B <= D. The same for sums without signs: A + B <= C + D from A <= C
and B <= D.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_MAX_OPS = 80
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """Each group of factors, or of terms, by itself.

    Takes order comparisons of two products, or of two sums, that fall apart in groups when the parts with a name
    in common (beside the names that all parts have) are put together. Promises each group, and that factors
    are >= 0, as lemmas.
    """
    c = task.comparison
    small, large = (evaluated(e) for e in (c.lhs, c.rhs))
    op = c.op
    if op in (">", ">="):
        small, large, op = large, small, {">": "<", ">=": "<="}[op]
    if small.count_ops() + large.count_ops() > _MAX_OPS:
        return None
    for kind in (sp.Mul, sp.Add):
        groups = list(_groups(kind, small, large))
        if len(groups) < 2 or (kind is sp.Mul and op == "<"):
            continue
        before = len(task.used)
        if all(_in_order(kind, op if i == 0 else "<=", g, task) for i, g in enumerate(groups)):
            told = tuple(f"{a} <= {b}" for a, b in groups)
            parts = "factors" if kind is sp.Mul else "terms"
            return Argument(f"{parts} with names of their own", told)
        task.forget(before)
    return None


def _in_order(kind: Any, op: str, group: tuple[Any, Any], task: Task) -> bool:
    small, large = group
    if kind is sp.Mul and not task.lemma(Comparison(">=", small, _ZERO)):
        return False
    return task.lemma(Comparison(op, small, large))


def _groups(kind: Any, small: Any, large: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of both sides in groups without a name in common but for those of all parts."""
    parts = [(p, i) for i, side in enumerate((small, large)) for p in _parts(kind, side)]
    named = [p.free_symbols for p, _ in parts if p.free_symbols]
    if not named:
        return
    common = set.intersection(*named)
    groups: list[tuple[set[Any], list[tuple[Any, int]]]] = []
    for p, i in parts:
        names, members = set(p.free_symbols - common), [(p, i)]
        touching = [g for g in groups if g[0] & names]
        for g in touching:
            names |= g[0]
            members = g[1] + members
        groups = [g for g in groups if g not in touching]
        groups.append((names, members))
    alone = [m for names, members in groups if not names for m in members]
    groups = [g for g in groups if g[0]]
    if groups:  # what has only common names goes with the first group
        groups[0] = (groups[0][0], groups[0][1] + alone)
    for _, members in groups:
        yield tuple(kind(*(p for p, i in members if i == side)) for side in (0, 1))


def _parts(kind: Any, side: Any) -> list[Any]:
    if kind is sp.Add:
        return list(sp.Add.make_args(side))
    found = []
    for factor in sp.Mul.make_args(side):
        if isinstance(factor, sp.exp):
            found += [sp.exp(t) for t in sp.Add.make_args(sp.expand(factor.args[0]))]
        else:
            found.append(factor)
    return found


METHOD = Method(
    "names apart",
    0.7,
    lambda t: t.depth <= _MAX_DEPTH and not t.is_line and t.comparison.op in ("<", "<=", ">", ">="),
    prove,
)
