"""One monotone function at two places.

Where g is strictly increasing on an interval that holds u and v, g(u) - g(v) has the sign of u - v; where it is
strictly decreasing, that of v - u. A difference D in h(u) and h(v) alone, D = F(h(u), h(v)), is of this kind if
F(t, t) = 0, F has values on a rectangle, and its mixed second derivative vanishes there: then F(s, t) = G(s) - G(t),
and g = G(h). That g is strictly monotone follows from the sign of its derivative inside the interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import ForAll, NoCondition, conditions, evaluated
from theorycheck.check.identities import is_zero
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, put_formula, symbols_of
from theorycheck.check.text import Comparison, Formula

_MAX_DEPTH = 5
_MAX_OPS = 60
_ZERO = sp.Integer(0)
# Analytic on the whole line, and on (0, oo).
_ON_THE_LINE = (sp.exp, sp.tanh, sp.atan, sp.sinh, sp.cosh, sp.asinh, sp.erf, sp.erfc)
_ON_A_HALF = (sp.log, sp.polygamma, sp.loggamma, sp.gamma)
# polygamma(m, x) = (-1)**(m + 1) m! sum over k of (x + k)**(-m - 1) for m >= 1: of one sign on (0, oo), and so is the
# derivative of polygamma(0, x), polygamma(1, x).


def equivalent(f: Any, task: Task) -> Any | None:
    """An expression with the sign of f at every point of the region, without the function; None where
    f is no difference of one monotone function at two places."""
    if f.count_ops() > _MAX_OPS:
        return None
    for nodes in _pairs(f):
        s, t = sp.Dummy("s", real=True), sp.Dummy("t", real=True)
        whole = f.xreplace({nodes[0]: s, nodes[1]: t})
        if whole.free_symbols != {s, t} or sp.expand(sp.diff(whole, s, t)) != 0:
            continue
        if not is_zero(whole.xreplace({s: t})) or not _smooth(whole):
            continue
        u, v = (n.args[-1] for n in nodes)
        sign = _direction(whole, (s, t), nodes[0], (u, v), task)
        if sign:
            return sign * sp.expand(u - v)
    return None


def _pairs(f: Any) -> Iterator[tuple[Any, Any]]:
    """Two values of one function, which are all of its values in f."""
    heads: dict[Any, list[Any]] = {}
    for n in sorted(f.atoms(*_ON_THE_LINE, *_ON_A_HALF), key=str):
        heads.setdefault((type(n), n.args[:-1]), []).append(n)
    for nodes in heads.values():
        if len(nodes) == 2:
            yield nodes[0], nodes[1]


def _smooth(e: Any) -> bool:
    """Whether it is differentiable inside of where it has values."""
    heads = (*_ON_THE_LINE, *_ON_A_HALF)
    parts = sp.preorder_traversal(e)
    return all(n.is_Atom or n.is_Add or n.is_Mul or n.is_Pow or isinstance(n, heads) for n in parts)


def _direction(
    whole: Any, names: tuple[Any, Any], node: Any, places: tuple[Any, Any], task: Task
) -> int:
    """1 where G(h) strictly increases on an interval that holds both places, -1 where it decreases,
    0 where neither is proved; ``whole`` is F in the two names."""
    on_half = isinstance(node, _ON_A_HALF)
    for start in (_ZERO,) if on_half else (-sp.oo, _ZERO):
        op = ">" if on_half else ">="
        inside = start.is_infinite or all(
            task.lemma(Comparison(op, p, start), deeper=1) for p in places
        )
        if not inside:
            continue
        z = sp.Symbol("z", positive=True) if start == 0 else sp.Symbol("z", real=True)
        h = node.func(*node.args[:-1], z)
        values = dict.fromkeys(names, h)
        with_end = Variable("z", z, "real", "", start, sp.oo, on_half or start != 0, True)
        formulas = _formulas(whole)
        if any(set(names) <= symbols_of(c) for c in formulas):
            return 0  # F has values on no rectangle: it may jump between places that are far apart
        needed = [put_formula(c, values) for c in formulas]
        if not all(task.shown(c, Region((with_end,))) for c in needed):
            continue
        line = Region((replace(with_end, low_open=True),))
        slope = evaluated(sp.diff(whole, names[0]).xreplace(values)) * _slope(h, z)
        for sign, compared in ((1, ">"), (-1, "<")):
            if task.lemma(Comparison(compared, slope, _ZERO), line):
                return sign
    return 0


def _formulas(e: Any) -> list[Formula]:
    found = list(conditions(e))
    if any(isinstance(c, ForAll) for c in found):
        raise NoCondition(str(e))
    return [c for c in found if not isinstance(c, ForAll)]


def _slope(h: Any, z: Any) -> Any:
    """h'(z) up to a positive factor."""
    if isinstance(h, sp.polygamma) and h.args[0].is_Integer and h.args[0] >= 0:
        return sp.Integer(1 if h.args[0] % 2 == 0 else -1)
    return sp.diff(h, z)


def prove(task: Task) -> Argument | None:
    """The order of the places in place of that of the values.

    Takes comparisons whose difference has two values of one function, and no names elsewhere. Promises that
    the function is strictly monotone on an interval that holds both places, and their order, as lemmas.
    """
    c = task.comparison
    f = evaluated(c.lhs) - evaluated(c.rhs)
    places = equivalent(f, task)
    if places is None or not task.lemma(Comparison(c.op, places, _ZERO)):
        return None
    return Argument("one function at two places", (f"{f} has the sign of {places}",))


def _applies(task: Task) -> bool:
    c = task.comparison
    heads = (*_ON_THE_LINE, *_ON_A_HALF)
    return (
        task.depth <= _MAX_DEPTH
        and not task.is_line
        and c.op != "=="
        and (c.lhs.has(*heads) or c.rhs.has(*heads))
    )


METHOD = Method("one function at two places", 0.3, _applies, prove)
