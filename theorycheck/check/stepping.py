"""Induction beside other names: from n to n + 1, the statement at n a hypothesis of the step.

What the later statement has in common with the earlier one, powers, sums, products and factorials, is
written by their values at n, so that a multiple of the hypothesis takes them away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check import factorials
from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated, written_out
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, symbols_of
from theorycheck.check.text import Comparison

_MAX_DEPTH = 3
_MAX_OPS = 120
_ZERO = sp.Integer(0)


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
    for n, others in _names(task):
        before = len(task.used)
        at_start = {n.symbol: n.low}
        first = Comparison(c.op, *(_started(e.xreplace(at_start)) for e in (lhs, rhs)))
        start = task.lemma(first, Region(others, task.region.hypotheses))
        if start:
            found = _by_growth(c.op, (lhs, rhs), n, task)
            if found is not None:
                return Argument("induction", (f"start at {n.name} = {n.low}", found))
            inside = Region((*others, n), task.region.hypotheses)
            later = [_later(e, n, replace(task, region=inside)) for e in (lhs, rhs)]
            if all(e is not None for e in later):
                under = Region(inside.variables, (*task.region.hypotheses, c))
                if task.lemma(Comparison(c.op, *later), under):
                    step = f"from {n.name} to {n.name} + 1: {later[0]} {c.op} {later[1]}"
                    return Argument("induction", (f"start at {n.name} = {n.low}", step))
        task.forget(before)
    return None


def _names(task: Task) -> Iterator[tuple[Variable, tuple[Variable, ...]]]:
    """Integer names by which an induction may go, the last first, and the others before them."""
    variables = task.region.variables
    for n in reversed(variables):
        others = tuple(v for v in variables if v.name != n.name)
        if n.kind != "integer" or not n.low.is_integer:
            continue
        if any(n.symbol in _in_ends(v) for v in others):
            turned = _turned(n, others)
            if turned is None:
                continue
            n, others = turned
        if not n.low.is_nonnegative or any(
            n.symbol in symbols_of(h) for h in task.region.hypotheses
        ):
            continue
        if any(
            _grows_with(node, n.symbol) for e in _sides(task) for node in sp.preorder_traversal(e)
        ):
            yield n, others


def _in_ends(v: Variable) -> set[Any]:
    return {s for e in (v.low, v.high) if e is not None for s in e.free_symbols}


def _turned(
    n: Variable, others: tuple[Variable, ...]
) -> tuple[Variable, tuple[Variable, ...]] | None:
    """n in a..oo, k in b..n with numbers a <= b as k in b..oo, n in k..oo; None for other ranges."""
    bound = [k for k in others if n.symbol in _in_ends(k)]
    if len(bound) != 1 or n.high != sp.oo or not n.low.is_Integer:
        return None
    k = bound[0]
    if k.kind != "integer" or k.high != n.symbol or not (k.low.is_Integer and n.low <= k.low):
        return None
    free = replace(k, high=sp.oo)
    return replace(n, low=k.symbol), tuple(free if v is k else v for v in others)


def _by_growth(op: str, sides: tuple[Any, Any], n: Variable, task: Task) -> str | None:
    """Two positive products, of which one grows by the larger factor from n to n + 1, in logarithms."""
    if op == "==":
        return None
    logarithms = [_log_growth(side, n.symbol, task) for side in sides]
    if any(g is None for g in logarithms):
        return None
    step = Comparison({"<": "<=", ">": ">="}.get(op, op), logarithms[0], logarithms[1])
    if not task.lemma(step):
        return None
    return f"the logarithms change by {step.lhs} and {step.rhs} from {n.name} to {n.name} + 1"


def _log_growth(side: Any, n: Any, task: Task) -> Any | None:
    """log(side(n + 1)) - log(side(n)) of a product whose factors are proved to be positive."""
    total = _ZERO
    for factor in sp.Mul.make_args(side):
        base, exponent = factor.as_base_exp()
        if isinstance(base, _FACTORIALS) and exponent.is_Integer:
            grown = factorials.growth(base, n, task)
            change = None if grown is None else _log(grown, task)
            if change is None:
                return None
            total += exponent * change
            continue
        before = _log(base, task)
        if before is None:
            return None
        total += (exponent * before).xreplace({n: n + 1}) - exponent * before
    return sp.expand(total)


def _log(e: Any, task: Task) -> Any | None:
    """The logarithm as a sum over factors, each of which is proved to be positive at n (and so, in a
    range that goes on, at n + 1); None where one is not."""
    if e == sp.E:
        return sp.Integer(1)
    top, bottom = sp.fraction(sp.factor(e))
    if bottom.could_extract_minus_sign():
        top, bottom = -top, -bottom
    total = _ZERO
    for product, sign in ((top, 1), (bottom, -1)):
        for factor in sp.Mul.make_args(product):
            base, exponent = factor.as_base_exp()
            if not (base.is_positive or task.lemma(Comparison(">", base, _ZERO))):
                return None
            total += sign * exponent * sp.log(base)
    return total


def _sides(task: Task) -> tuple[Any, Any]:
    return task.comparison.lhs, task.comparison.rhs


_FACTORIALS = (sp.factorial, sp.binomial, sp.catalan)
_HEADS = (sp.Sum, sp.Product, *_FACTORIALS, sp.harmonic, sp.exp)


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
    for node in e.atoms(sp.Sum, sp.Product, sp.harmonic, *_FACTORIALS):
        if n.symbol not in node.free_symbols:
            continue
        value = None
        if node.has(sp.Sum, sp.Product):
            value = _repeated_later(node, n, task)
        elif isinstance(node, _FACTORIALS):
            factor = factorials.growth(node, n.symbol, task)
            value = None if factor is None else factor * node
        elif node.args == (n.symbol,):
            value = node + 1 / (n.symbol + 1)
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
