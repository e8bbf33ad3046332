"""A hypothesis that is linear in a name, as a range of that name.

a v + b >= 0 with a > 0 is v >= -b/a; where the name's own range allows all of that, it becomes the name's range, with
ends that depend on the other names. The methods that look at one name at a time take ranges, not hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.facts import gap
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, formula_text, range_text, symbols_of
from theorycheck.check.text import Comparison

_MAX_DEPTH = 1
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """The comparison where one hypothesis is a range.

    Takes order comparisons as hypotheses, linear in a real name on which no other range depends. Promises,
    as lemmas, the sign of the name's factor, that the new end lies in the old range, and the comparison on
    the same points, the name last.
    """
    region = task.region
    for h in region.hypotheses:
        if not isinstance(h, Comparison) or h.op in ("==", "!="):
            continue
        others = tuple(o for o in region.hypotheses if o is not h)
        for v, kept in _last(region):
            if task.clock.out():
                return None
            before = len(task.used)
            narrowed = _narrowed(v, h, Region(kept, ()), task)
            if narrowed is not None and task.lemma(
                task.comparison, Region((*kept, narrowed), others)
            ):
                fact = f"{formula_text(h)} as {v.name} in {range_text(narrowed)}"
                return Argument("a hypothesis as a range", (fact,))
            task.forget(before)
    return None


def _last(region: Region) -> Iterator[tuple[Variable, tuple[Variable, ...]]]:
    """Real names that may stand last, and the others."""
    for v in reversed(region.variables):
        kept = tuple(w for w in region.variables if w is not v)
        ends = {s for w in kept for e in (w.low, w.high) if e is not None for s in e.free_symbols}
        if v.kind == "real" and v.symbol not in ends:
            yield v, kept


def _narrowed(v: Variable, h: Comparison, others: Region, task: Task) -> Variable | None:
    f, op = gap(h)
    slope = sp.diff(f, v.symbol)
    if slope == 0 or v.symbol in slope.free_symbols or slope.has(sp.Derivative, sp.Subs):
        return None
    if not symbols_of(h) - {v.symbol}:
        return None  # a number as an end: left to the methods for one name
    end = sp.factor_terms(sp.cancel(-(f - slope * v.symbol) / slope))
    if v.symbol in end.free_symbols:
        return None
    is_open = op == ">"
    if _shown(">", slope, others, task):
        if _inside(end, v.low, v.low_open, 1, others, task):
            return replace(v, low=end, low_open=is_open)
        return None
    if _shown("<", slope, others, task) and _inside(end, v.high, v.high_open, -1, others, task):
        return replace(v, high=end, high_open=is_open)
    return None


def _inside(end: Any, old: Any, is_open: bool, side: int, others: Region, task: Task) -> bool:
    """Whether the new end is no further out than the old one, so that no point is gained."""
    if old.is_infinite:
        return True
    return _shown(">" if is_open else ">=", side * (end - old), others, task)


def _shown(op: str, e: Any, region: Region, task: Task) -> bool:
    known = {">": e.is_positive, "<": e.is_negative, ">=": e.is_nonnegative}[op]
    return bool(known) or (known is None and task.lemma(Comparison(op, e, _ZERO), region))


METHOD = Method(
    "hypotheses as ranges",
    0.5,
    lambda t: t.depth <= _MAX_DEPTH and not t.is_line and bool(t.region.hypotheses),
    prove,
)
