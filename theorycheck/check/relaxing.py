"""Integers taken as real numbers, strict orders of integers as weak ones, and != as one of > and <."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, put_formula
from theorycheck.check.text import Comparison, Formula

_MAX_DEPTH = 3
# Heads that have other values, or none, between the integers.
_WHOLE = (sp.floor, sp.ceiling, sp.Mod, sp.Sum, sp.Product, sp.factorial, sp.binomial, sp.harmonic)


def unequal(task: Task) -> Argument | None:
    """Not equal because one side is larger on the whole region.

    Promises > or < as a lemma.
    """
    c = task.comparison
    for op in (">", "<"):
        if task.lemma(Comparison(op, c.lhs, c.rhs)):
            return Argument(f"the left side is {'larger' if op == '>' else 'smaller'} throughout")
    return None


def relaxed(task: Task) -> Argument | None:
    """On the larger region where integers are real numbers between the same ends, or those of which the ends are
    floor or ceiling.

    Takes order comparisons with integer names outside of sums, floors and the like. A strict
    hypothesis between polynomials with integer coefficients gains one first (i < j gives
    i + 1 <= j). Promises the comparison on that region as a lemma; where it fails at the lower end
    of an integer name alone, the values there are lemmas of their own.
    """
    region = task.region
    c = Comparison(task.comparison.op, *(evaluated(e) for e in _sides(task.comparison)))
    if any(e.has(*_WHOLE) for e in _sides(c)):
        return None
    tightened = tuple(_tightened(h) for h in region.hypotheses)
    names = {v.symbol: _as_real(v) for v in region.variables if v.kind == "integer"}
    if not names:
        return None
    for by_hand in (0, 1, 2):
        before = len(task.used)
        found = _beyond(c, region, tightened, names, by_hand, task)
        if found is not None:
            return found
        task.forget(before)
        if len(names) > 1:
            return None
    return None


def _beyond(
    c: Comparison,
    region: Region,
    hypotheses: tuple[Formula, ...],
    names: dict[Any, Any],
    by_hand: int,
    task: Task,
) -> Argument | None:
    """The first values by hand, the rest relaxed."""
    integers = [v for v in region.variables if v.symbol in names]
    if by_hand and not integers[0].low.is_integer:
        return None
    for k in range(by_hand):
        v = integers[0]
        value = {v.symbol: v.low + k}
        others = tuple(
            replace(w, low=w.low.xreplace(value), high=w.high.xreplace(value))
            for w in region.variables
            if w.name != v.name and w.kind != "set"
        )
        here = Comparison(c.op, *(evaluated(e.xreplace(value)) for e in _sides(c)))
        conditions = tuple(put_formula(h, value) for h in region.hypotheses)
        if not task.lemma(here, Region(others, conditions)):
            return None
    changed = tuple(_moved(v, names, by_hand) for v in region.variables)
    goal = Comparison(c.op, *(e.xreplace(names) for e in _sides(c)))
    wider = Region(changed, tuple(put_formula(h, names) for h in hypotheses))
    if not task.lemma(goal, wider):
        return None
    first = (f"the first {by_hand} values apart",) if by_hand else ()
    return Argument("integers as real numbers", first)


def _sides(c: Comparison) -> tuple[Any, Any]:
    return c.lhs, c.rhs


def _as_real(v: Variable) -> Any:
    facts = {"real": True}
    if v.symbol.is_positive:
        facts = {"positive": True}
    elif v.symbol.is_nonnegative:
        facts = {"nonnegative": True}
    return sp.Symbol(v.name, **facts)


def _moved(v: Variable, names: dict[Any, Any], by_hand: int) -> Variable:
    if v.kind == "set":
        return v
    low, high = v.low.xreplace(names), v.high.xreplace(names)
    if v.symbol not in names:
        return replace(v, low=low, high=high)
    return replace(
        v,
        symbol=names[v.symbol],
        kind="real",
        low=low.args[0] if isinstance(low, sp.ceiling) and not by_hand else low + by_hand,
        high=high.args[0] if isinstance(high, sp.floor) else high,
        low_open=bool(low.is_infinite),
        high_open=bool(high.is_infinite),
    )


def _tightened(h: Formula) -> Formula:
    """a < b as a + 1 <= b where both are integers."""
    if not isinstance(h, Comparison) or h.op not in ("<", ">"):
        return h
    lhs, rhs = evaluated(h.lhs), evaluated(h.rhs)
    if not (lhs.is_integer and rhs.is_integer):
        return h
    if h.op == "<":
        return Comparison("<=", lhs + 1, rhs)
    return Comparison(">=", lhs, rhs + 1)


def _integers(task: Task) -> Iterator[Variable]:
    return (v for v in task.region.variables if v.kind == "integer")


UNEQUAL = Method(
    "unequal", 0.6, lambda t: t.comparison.op == "!=" and t.depth <= _MAX_DEPTH, unequal
)
RELAXED = Method(
    "integers as real numbers",
    0.5,
    lambda t: (
        t.comparison.op in ("<", "<=", ">", ">=")
        and t.depth <= _MAX_DEPTH
        and not t.is_line
        and any(_integers(t))
    ),
    relaxed,
)
