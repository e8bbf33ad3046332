"""Sums of logarithms, by their products.

For u, v > 0 and rational q, r: q log(u) + r log(v) >= s if and only if u**q v**r >= exp(s).
"""

from __future__ import annotations

import sympy as sp

from theorycheck.check.facts import gap
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """The comparison of the products.

    Takes comparisons whose difference is a sum of rational multiples of logarithms and a rational number,
    with names in two of the logarithms. Promises that the arguments are positive, and the comparison
    of the products, as lemmas.
    """
    f, op = gap(task.comparison)
    sides = {1: sp.Integer(1), -1: sp.Integer(1)}
    arguments = []
    for term in sp.Add.make_args(sp.expand(f)):
        factor, rest = term.as_coeff_Mul()
        if not factor.is_Rational or not (rest == 1 or isinstance(rest, sp.log)):
            return None
        if rest == 1:
            power = sp.exp(abs(factor))
        else:
            arguments.append(rest.args[0])
            power = rest.args[0] ** abs(factor)
        sides[1 if factor > 0 else -1] *= power
    if sum(bool(a.free_symbols) for a in arguments) < 2:
        return None
    if not all(a.is_positive or task.lemma(Comparison(">", a, _ZERO)) for a in arguments):
        return None
    products = Comparison(op, sides[1], sides[-1])
    if not task.lemma(products):
        return None
    return Argument("products for sums of logarithms", (f"{sides[1]} {op} {sides[-1]}",))


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and not task.is_line and bool((c.lhs - c.rhs).has(sp.log))


METHOD = Method("products for logarithms", 0.3, _applies, prove)
