"""Integrals with names at their ends, by antiderivatives that are checked.

If F' = f on [a, b] and F is continuous there, the integral of f from a to b is F(b) - F(a). SymPy proposes F; its
word counts for nothing: that F' = f is an identity that is proved, and so is that F has a value all over
[a, b], where F is made of functions that are smooth wherever they are defined.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.constancy import smooth
from theorycheck.check.domain import Variable
from theorycheck.check.forms import conditions, evaluated, interval_of
from theorycheck.check.identities import is_zero
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_MAX_DEPTH, _MAX_OPS = 1, 60


def prove(task: Task) -> Argument | None:
    """The comparison with F(b) - F(a) in the place of each integral.

    Takes integrals over one name of integrands that are smooth where they are defined. Promises, as lemmas, that F
    has values from end to end, and what is left.
    """
    c = task.comparison
    sides, told = [c.lhs, c.rhs], []
    for integral in sorted({i for e in sides for i in e.atoms(sp.Integral)}, key=str):
        found = _value(integral, task)
        if found is None:
            return None
        value, line = found
        sides = [put_integral(e, integral, value) for e in sides]
        told.append(line)
    if any(e.has(sp.Integral) for e in sides) or not task.lemma(Comparison(c.op, *sides)):
        return None
    return Argument("integrals by their antiderivatives", tuple(told))


def _value(integral: Any, task: Task) -> tuple[Any, str] | None:
    if len(integral.limits) != 1 or len(integral.limits[0]) != 3:
        return None
    z, low, high = integral.limits[0]
    body = evaluated(integral.function)
    if body.count_ops() > _MAX_OPS or not smooth(body) or not (low.is_finite and high.is_finite):
        return None
    primitive = sp.integrate(body, z)
    if primitive.has(sp.Integral) or not smooth(primitive):
        return None
    slope = sp.diff(primitive, z) - body
    if not is_zero(slope) and sp.cancel(sp.together(slope)) != 0:
        return None
    inside, least, largest = interval_of(integral.limits[0])
    between = Variable(inside.name, inside, "real", f"[{least}, {largest}]", least, largest)
    region = Region((*task.region.variables, between), task.region.hypotheses)
    if not all(
        task.shown(condition, region) for condition in conditions(put(primitive, {z: inside}))
    ):
        return None
    value = put(primitive, {z: high}) - put(primitive, {z: low})
    return value, f"the derivative of {primitive} in {z} is {body}, from {low} to {high}"


def put_integral(e: Any, integral: Any, value: Any) -> Any:
    """The expression with a value in the place of an integral, nothing else simplified."""
    if e == integral:
        return value
    if not e.has(sp.Integral):
        return e
    return e.func(*(put_integral(a, integral, value) for a in e.args), evaluate=False)


METHOD = Method(
    "antiderivatives",
    0.4,
    lambda t: t.depth <= _MAX_DEPTH and (t.comparison.lhs - t.comparison.rhs).has(sp.Integral),
    prove,
)
