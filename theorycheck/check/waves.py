"""Sines and cosines on a range without end: near the origin as they are, beyond as numbers in [-1, 1].

Where |x| >= M, every sin(u) and cos(u) is some w with -1 <= w <= 1, whatever u is; what is proved for all such
w holds for the waves. Where |x| <= M is left, they have finitely many turning points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_PLACES = (1, 2, 4, 10)
_MOST_WAVES = 3
_WAVES = (sp.sin, sp.cos)


def prove(task: Task) -> Argument | None:
    """Cut at some M, waves beyond it replaced by names.

    Takes comparisons in one real name on a range without end, with at most three different sines and
    cosines of it. Promises the parts as lemmas.
    """
    c, v = task.comparison, task.region.variables[0]
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    found = sorted(lhs.atoms(*_WAVES) | rhs.atoms(*_WAVES), key=sp.default_sort_key)
    if not 0 < len(found) <= _MOST_WAVES:
        return None
    taken = {s.name for s in lhs.free_symbols | rhs.free_symbols} | {v.name}
    names = [n for n in ("w", "w1", "w2", "w3") if n not in taken][: len(found)]
    waves = [_between(n) for n in names]
    replaced = {f: w.symbol for f, w in zip(found, waves, strict=True)}
    beyond = Comparison(c.op, lhs.xreplace(replaced), rhs.xreplace(replaced))
    for place in _PLACES:
        before = len(task.used)
        parts = [Region((part, *waves), task.region.hypotheses) for part in _outside(v, place)]
        if all(task.lemma(beyond, part) for part in parts):
            inside = Region((_inside(v, place),), task.region.hypotheses)
            if task.lemma(c, inside):
                return Argument(
                    "waves between -1 and 1 far out",
                    (f"{', '.join(map(str, found))} as numbers in [-1, 1] beyond {place}",),
                )
        task.forget(before)
    return None


def _between(name: str) -> Variable:
    one = sp.Integer(1)
    return Variable(name, sp.Symbol(name, real=True), "real", "[-1, 1]", -one, one)


def _outside(v: Variable, place: int) -> Iterator[Variable]:
    """The parts of the range beyond -place and place, where there is no end."""
    if v.high == sp.oo:
        yield replace(v, low=_larger(v.low, place), low_open=False)
    if v.low == -sp.oo:
        yield replace(v, high=-_larger(-v.high, place), high_open=False)


def _larger(end: Any, place: int) -> Any:
    return sp.Integer(place) if end == -sp.oo or end < place else end


def _inside(v: Variable, place: int) -> Variable:
    inner = v
    if v.high == sp.oo:
        inner = replace(inner, high=_larger(v.low, place), high_open=False)
    if v.low == -sp.oo:
        inner = replace(inner, low=-_larger(-v.high, place), low_open=False)
    return inner


def _applies(task: Task) -> bool:
    if not task.is_line or task.depth > 1:
        return False
    v = task.region.variables[0]
    endless = v.kind == "real" and (v.low == -sp.oo or v.high == sp.oo)
    numbers = all(e.is_infinite or e.is_Rational for e in (v.low, v.high)) if endless else False
    c = task.comparison
    return numbers and (c.lhs.has(*_WAVES) or c.rhs.has(*_WAVES))


METHOD = Method("waves far out", 0.5, _applies, prove)
