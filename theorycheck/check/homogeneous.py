"""Statements that scaling all names does not change: one of them may be taken as 1.

If both sides are homogeneous of one degree d, f(a x, a y) = a^d f(x, y) for a > 0, and so are the
hypotheses and the ends of the ranges, then dividing by a positive name y leaves a statement in the
quotients alone: a region of one dimension less. Names in exponents are not scaled: the degree of (x + y)**p is p.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import conjuncts, evaluated
from theorycheck.check.identities import equal
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_MAX_OPS = 120
_PROBE = (sp.Rational(7, 5), sp.Rational(3, 2), sp.Rational(9, 7), sp.Rational(11, 6))
_SCALE = sp.Symbol("scale", positive=True)


def prove(task: Task) -> Argument | None:
    """In one name less: at 1 for a name that ranges over all positive numbers.

    Takes up to four real names. Promises that both sides, the hypotheses and the ends are homogeneous,
    by polynomial identity. Gives up where that is not seen, or the statement at 1 is not proved.
    """
    c, region = task.comparison, task.region
    fixed = _in_exponents(c)
    scaled = [v for v in region.variables if v.symbol not in fixed]
    if any(v.kind != "real" for v in scaled) or len(region.variables) > 4:
        return None
    one = next((v for v in scaled if _free(v)), None)
    if one is None or len(scaled) < 2:
        return None
    scaling = {v.symbol: _SCALE * v.symbol for v in scaled}
    hypotheses = [h for formula in region.hypotheses for h in conjuncts(formula)]
    comparisons = [c, *(h for h in hypotheses if isinstance(h, Comparison))]
    if len(comparisons) != len(hypotheses) + 1:
        return None
    ends = [e for v in scaled for e in (v.low, v.high) if not _fixed(e)]
    if not all(_degree(e, scaling) == 1 for e in ends):
        return None
    others = [e for v in region.variables if v not in scaled for e in (v.low, v.high)]
    if any(e.free_symbols & set(scaling) for e in others):
        return None
    if not all(_balanced(h, scaling) for h in comparisons):
        return None
    unit = {one.symbol: sp.Integer(1)}

    def at_one(h: Comparison) -> Comparison:
        return Comparison(h.op, put(h.lhs, unit), put(h.rhs, unit))

    smaller = Region(
        tuple(
            replace(v, low=put(v.low, unit), high=put(v.high, unit))
            for v in region.variables
            if v is not one
        ),
        tuple(at_one(h) for h in comparisons[1:]),
    )
    if task.lemma(at_one(c), smaller):
        return Argument(f"homogeneous: proved at {one.name} = 1")
    return None


METHOD = Method("scaling", 0.4, lambda t: not t.is_line, prove)


def _in_exponents(c: Comparison) -> set[Any]:
    """Names in exponents: they stay as they are while the others are scaled."""
    powers = c.lhs.atoms(sp.Pow) | c.rhs.atoms(sp.Pow)
    return {s for p in powers for s in p.exp.free_symbols}


def _free(v: Variable) -> bool:
    """Whether the name ranges over all positive numbers."""
    return bool(v.low == 0 and v.low_open and v.high is sp.oo)


def _fixed(end: Any) -> bool:
    return bool(end == 0 or end.is_infinite)


def _balanced(c: Comparison, scaling: dict[Any, Any]) -> bool:
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    if sum(e.count_ops() for e in sides) > _MAX_OPS:
        return False
    degrees = {_degree(e, scaling) for e in sides if e != 0}
    return len(degrees) <= 1 and None not in degrees


def _degree(e: Any, scaling: dict[Any, Any]) -> Any | None:
    """d with e(a x) = a^d e(x) for all a > 0, proved; None if there is none that is found."""
    e = evaluated(e)
    d = _by_form(e, frozenset(scaling))
    if d is not None:
        return d
    scaled = sp.expand_log(e.xreplace(scaling), deep=True)
    d = _guess(e, scaled)
    if d is None:
        return None
    return d if equal(scaled, _SCALE**d * sp.expand_log(e, deep=True)) else None


def _by_form(e: Any, scaled: frozenset[Any]) -> Any | None:
    """The degree as sums, products, powers and functions pass it on; None where they do not."""
    if not e.free_symbols & scaled:
        return sp.Integer(0)
    if e.is_Symbol:
        return sp.Integer(1)
    degrees = [_by_form(a, scaled) for a in e.args]
    if any(d is None for d in degrees):
        return None
    first, same = degrees[0], len(set(degrees)) == 1
    if e.is_Mul:
        return sp.expand(sp.Add(*degrees))
    if e.is_Pow:
        if not e.exp.free_symbols & scaled and (e.exp.is_Rational or e.base.is_positive):
            return sp.expand(first * e.exp)
        return first if same and first == 0 else None
    if e.is_Add or isinstance(e, sp.Abs | sp.Max | sp.Min):
        return first if same else None
    # A function of quotients does not see the scale.
    return first if e.is_Function and same and first == 0 else None


def _guess(e: Any, scaled: Any) -> Any | None:
    """The degree read off at one point of 30 digits, where it is a multiple of one half; `_degree` proves it."""
    names = sorted(e.free_symbols, key=str)
    point = dict(zip(names, _PROBE, strict=False))
    if len(point) < len(names):
        return None
    before, after = e.subs(point).evalf(30), scaled.subs({**point, _SCALE: 4}).evalf(30)
    if not (before.is_number and after.is_number and before.is_nonzero and after.is_nonzero):
        return None
    ratio = (after / before).evalf(30)
    if not ratio.is_positive:
        return None
    doubled = sp.log(ratio, 2).evalf(20)  # 4^d = 2^(2d)
    nearest = sp.Integer(round(doubled))
    return sp.Rational(nearest, 2) if abs(doubled - nearest) < 1e-9 else None
