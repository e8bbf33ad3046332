"""Concave in one name: nowhere below the chord between the ends.

If f has values on the closed range [a, b] of a name, is continuous there, and f'' <= 0 inside, then f is concave,
and f >= min(f(a), f(b)). So f >= 0 follows from its two ends, and f > 0 inside (a, b) from f >= 0 at the ends
where f'' < 0. A linear f is positive where it is so at both ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.facts import gap
from theorycheck.check.forms import conditions, evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, symbols_of
from theorycheck.check.text import Comparison

_MAX_DEPTH = 3
_MAX_OPS = 150
_ZERO = sp.Integer(0)
_NOT_SMOOTH = (
    *(sp.Abs, sp.Min, sp.Max, sp.floor, sp.ceiling, sp.sign, sp.Mod, sp.frac, sp.Piecewise),
    *(sp.Sum, sp.Product, sp.Integral, sp.factorial, sp.binomial, sp.harmonic),
)


def prove(task: Task) -> Argument | None:
    """Both ends of a range and the sign of the second derivative.

    Takes order comparisons with a real name between two finite ends on which no other range and no
    hypothesis depends. Promises, as lemmas, that the difference of the sides has values on the closed
    range, its signs at the ends, with a name less, and that of its second derivative in the name.
    """
    f, op = gap(task.comparison)
    if op not in (">", ">=") or f.has(*_NOT_SMOOTH) or f.count_ops() > _MAX_OPS:
        return None
    for v in _between_ends(task):
        if v.symbol not in f.free_symbols:
            continue
        before = len(task.used)
        second = sp.factor_terms(evaluated(sp.diff(f, v.symbol, 2)))
        if second.has(sp.Derivative, sp.Subs) or second.count_ops() > _MAX_OPS:
            continue
        if _concave(f, second, op, v, task):
            return Argument(
                f"concave in {v.name}, and right at both ends",
                (f"the second derivative of the difference is {second}",),
            )
        task.forget(before)
    return None


def _between_ends(task: Task) -> Iterator[Variable]:
    region = task.region
    for v in reversed(region.variables):
        if v.kind != "real" or v.low.is_infinite or v.high.is_infinite:
            continue
        ends = {
            s
            for w in region.variables
            for e in (w.low, w.high)
            if e is not None
            for s in e.free_symbols
        }
        if v.symbol not in ends and not any(v.symbol in symbols_of(h) for h in region.hypotheses):
            yield v


def _concave(f: Any, second: Any, op: str, v: Variable, task: Task) -> bool:
    region = task.region
    closed = replace(v, low_open=False, high_open=False)
    whole = Region(tuple(closed if w is v else w for w in region.variables), region.hypotheses)
    inside = replace(v, low_open=True, high_open=True)
    inner = Region(tuple(inside if w is v else w for w in region.variables), region.hypotheses)
    others = Region(tuple(w for w in region.variables if w is not v), region.hypotheses)
    signs = [
        (">=" if is_open else op, end)
        for end, is_open in ((v.low, v.low_open), (v.high, v.high_open))
    ]
    # Inside, f > 0 needs one end above 0 or a chord that is nowhere touched.
    bent = "<" if op == ">" and all(sign == ">=" for sign, _ in signs) else "<="
    values = [(sign, evaluated(f.xreplace({v.symbol: end}))) for sign, end in signs]
    if any(value.has(sp.nan, sp.zoo, sp.oo) for _, value in values):
        return False
    return (
        all(_holds(sign, value, others, task) for sign, value in values)
        and task.lemma(Comparison(bent, second, _ZERO), inner)
        and all(task.shown(c, whole) for c in conditions(f))
        and all(task.shown(c, inner) for c in conditions(second))  # no kink where f'' has no value
    )


def _holds(op: str, value: Any, region: Region, task: Task) -> bool:
    value = sp.expand(value)
    if value.is_number and value == 0:
        return op == ">="
    return task.lemma(Comparison(op, value, _ZERO), region)


METHOD = Method("concave between two ends", 0.4, lambda t: t.depth <= _MAX_DEPTH, prove)
