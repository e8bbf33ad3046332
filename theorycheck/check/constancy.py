"""Equal derivatives, and equal at one point.

If the derivative of lhs - rhs in a name vanishes on an interval and the sides are equal at an end at which they
are continuous, they are equal on the interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import conditions, conjuncts, evaluated
from theorycheck.check.identities import is_zero
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, put_formula
from theorycheck.check.text import Comparison, Formula

_MAX_DEPTH = 1
_MAX_OPS = 80
_ZERO = sp.Integer(0)
# Differentiable wherever they are defined.
_SMOOTH = (
    *(sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.asinh),
    *(sp.erf, sp.erfc),
)


def prove(task: Task) -> Argument | None:
    """Equal at the lower end of a real name, with equal derivatives from there on.

    Takes equalities of elementary functions, with a real name on which no other range depends and in
    which the hypotheses are linear. Promises, as lemmas, that the sides have values and the hypotheses hold at
    the end too (then they hold between the end and every point), and that they are equal there; that the
    derivative vanishes is an identity.
    """
    c = task.comparison
    f = evaluated(c.lhs) - evaluated(c.rhs)
    if f.count_ops() > _MAX_OPS or not smooth(f):
        return None
    for v in task.region.variables:
        if not _ranges_alone(v, task) or v.symbol not in f.free_symbols:
            continue
        slope = sp.diff(f, v.symbol)
        if not is_zero(slope) and sp.cancel(sp.together(slope)) != 0:
            continue
        before = len(task.used)
        if _equal_at_end(f, v, task):
            how = f"the derivative in {v.name} of lhs - rhs is 0, and lhs == rhs at {v.name} = {v.low}"
            return Argument("equal derivatives, and equal at an end", (how,))
        task.forget(before)
    return None


def smooth(f: Any) -> bool:
    """Whether it is made of functions that are differentiable wherever they are defined."""
    return all(
        n.is_Atom or n.is_Add or n.is_Mul or isinstance(n, _SMOOTH) or _smooth_power(n)
        for n in sp.preorder_traversal(f)
    )


def _smooth_power(p: Any) -> bool:
    return p.is_Pow and bool(not p.free_symbols or p.exp.is_Integer or p.base.is_positive)


def _ranges_alone(v: Variable, task: Task) -> bool:
    ends = [e for w in task.region.variables for e in (w.low, w.high) if e is not None]
    return (
        v.kind == "real"
        and v.low.is_finite is True
        and not any(v.symbol in e.free_symbols for e in ends)
        and all(_linear_in(h, v.symbol) for h in _parts(task.region.hypotheses))
    )


def _parts(hypotheses: Sequence[Formula]) -> list[Formula]:
    return [part for h in hypotheses for part in conjuncts(h)]


def _linear_in(h: Formula, x: Any) -> bool:
    """Whether it holds between any two points of a line in x at which it does."""
    if not isinstance(h, Comparison) or h.op == "!=":
        return False
    slope = sp.expand(sp.diff(evaluated(h.lhs) - evaluated(h.rhs), x))
    return x not in slope.free_symbols


def _equal_at_end(f: Any, v: Variable, task: Task) -> bool:
    region = task.region
    others = tuple(w for w in region.variables if w.name != v.name)
    at_end = {v.symbol: v.low}
    closed = tuple(replace(w, low_open=False) if w is v else w for w in region.variables)
    within = Region(closed, region.hypotheses)
    below = Region(others)
    fulfilled = all(
        task.shown(put_formula(h, at_end), below, deeper=1) for h in _parts(region.hypotheses)
    )
    if not fulfilled or not all(task.shown(c, within) for c in conditions(f)):
        return False
    return task.lemma(Comparison("==", evaluated(put(f, at_end)), _ZERO), below)


METHOD = Method(
    "equal derivatives",
    0.3,
    lambda t: t.comparison.op == "==" and t.depth <= _MAX_DEPTH,
    prove,
)
