"""Induction beside other names: from n to n + 1, the statement at n a hypothesis of the step.

What the later statement has in common with the earlier one, powers, sums, products and factorials, is
written by their values at n, so that a multiple of the hypothesis takes them away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated, written_out
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, symbols_of
from theorycheck.check.text import Comparison

_MAX_DEPTH = 3
_MAX_OPS = 120


def prove(task: Task) -> Argument | None:
    """Start and step in one integer name, the others as they are.

    Takes comparisons with an integer name in an exponent, a sum, a product or a factorial, on which no
    other range and no hypothesis depends. Promises start and step as lemmas, the step under the
    hypothesis that the statement holds at n. Gives up where a part has no step of this kind.
    """
    c = task.comparison
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    if c.op == "!=" or lhs.count_ops() + rhs.count_ops() > _MAX_OPS:
        return None
    for n in _names(task):
        before = len(task.used)
        others = tuple(v for v in task.region.variables if v.name != n.name)
        at_start = {n.symbol: n.low}
        first = Comparison(c.op, *(_started(e.xreplace(at_start)) for e in (lhs, rhs)))
        start = task.lemma(first, Region(others, task.region.hypotheses))
        if start:
            later = [_later(e, n, task) for e in (lhs, rhs)]
            if all(e is not None for e in later):
                under = Region(task.region.variables, (*task.region.hypotheses, c))
                if task.lemma(Comparison(c.op, *later), under):
                    step = f"from {n.name} to {n.name} + 1: {later[0]} {c.op} {later[1]}"
                    return Argument("induction", (f"start at {n.name} = {n.low}", step))
        task.forget(before)
    return None


def _names(task: Task) -> Iterator[Variable]:
    """Integer names by which an induction may go, the last first."""
    variables = task.region.variables
    for n in reversed(variables):
        ends = [e for v in variables if v.name != n.name for e in (v.low, v.high) if e is not None]
        bound = any(n.symbol in e.free_symbols for e in ends)
        if n.kind != "integer" or not (n.low.is_integer and n.low.is_nonnegative) or bound:
            continue
        if any(n.symbol in symbols_of(h) for h in task.region.hypotheses):
            continue
        if any(
            _grows_with(node, n.symbol) for e in _sides(task) for node in sp.preorder_traversal(e)
        ):
            yield n


def _sides(task: Task) -> tuple[Any, Any]:
    return task.comparison.lhs, task.comparison.rhs


_HEADS = (sp.Sum, sp.Product, sp.factorial, sp.harmonic, sp.exp)


def _grows_with(node: Any, n: Any) -> bool:
    if node.is_Pow:
        return n in node.exp.free_symbols
    return isinstance(node, _HEADS) and n in node.free_symbols


def _started(e: Any) -> Any:
    """Sums and products over no or one term written out."""
    e = e.replace(
        lambda s: isinstance(s, sp.Sum | sp.Product) and len(s.limits) == 1,
        lambda s: _few_terms(s),
    )
    return evaluated(written_out(e))


def _few_terms(total: Any) -> Any:
    index, low, high = total.limits[0]
    length = sp.expand(high - low)
    if length == -1:
        return sp.Integer(0 if isinstance(total, sp.Sum) else 1)
    return total.function.xreplace({index: low}) if length == 0 else total


def _later(e: Any, n: Variable, task: Task) -> Any | None:
    """e at n + 1, its sums, products, harmonic numbers and factorials by those at n."""
    known: dict[Any, Any] = {}
    for node in e.atoms(sp.Sum, sp.Product, sp.factorial, sp.harmonic):
        if n.symbol not in node.free_symbols:
            continue
        value = _repeated_later(node, n, task) if node.has(sp.Sum, sp.Product) else None
        if isinstance(node, sp.factorial | sp.harmonic) and node.args == (n.symbol,):
            reached = n.symbol + 1
            value = reached * node if isinstance(node, sp.factorial) else node + 1 / reached
        if value is None:
            return None
        known[node] = value
    slots = {node: sp.Dummy(real=True) for node in known}
    moved = e.xreplace(slots).xreplace({n.symbol: n.symbol + 1})
    return moved.xreplace({slots[node]: value for node, value in known.items()})


def _repeated_later(total: Any, n: Variable, task: Task) -> Any | None:
    """A sum or product whose last index moves by one with n, by itself at n and the term that comes."""
    if len(total.limits) != 1 or n.symbol in total.function.free_symbols:
        return None
    index, low, high = total.limits[0]
    moved = sp.expand(high.xreplace({n.symbol: n.symbol + 1}) - high)
    if n.symbol in low.free_symbols or moved != 1:
        return None
    if not task.lemma(Comparison(">=", high, low - 1)):
        return None
    term = total.function.xreplace({index: high + 1})
    return total + term if isinstance(total, sp.Sum) else total * term


METHOD = Method("induction beside names", 0.6, lambda t: t.depth <= _MAX_DEPTH, prove)
