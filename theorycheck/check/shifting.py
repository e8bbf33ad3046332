"""Inequalities of gamma, digamma and harmonic numbers on (a, oo), by steps to infinity.

If g(x) - g(x + 1) > 0 for all x and g tends to a limit >= 0, then g(x), the sum of all later steps and
the limit, is positive. The step of the logarithm of gamma is a logarithm, that of digamma a fraction, so
that an elementary inequality is left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.domain import Domains
from theorycheck.check.expansions import limit
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import HOLDS, Judge
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_MAX_SLOPE = 4


def prove(task: Task) -> Argument | None:
    """By the step from x to x + 1 and the limit.

    Takes order comparisons in one name on (a, oo), a >= 0 rational, with gamma, digamma or harmonic
    numbers of linear arguments with integer slopes up to 4. Promises that the step has one sign and the
    limit, found from Stirling's series (`expansions`), is on the right side. Gives up where a part is
    of another kind, or the step is not proved.
    """
    c, region = task.comparison, task.region
    v = region.variables[0]
    if c.op not in ("<", "<=", ">", ">=") or region.hypotheses or v.high != sp.oo:
        return None
    if v.kind not in ("real", "integer") or not v.low.is_Rational or v.low < 0:
        return None
    x = sp.Symbol(v.name, positive=True)
    lhs, rhs = (_in_gammas(evaluated(side).xreplace({v.symbol: x})) for side in (c.lhs, c.rhs))
    if not (lhs - rhs).has(sp.gamma, sp.loggamma, sp.polygamma):
        return None
    open_ended = replace(v, kind="real", symbol=x, low_open=True)
    inside = Region((open_ended,))
    if (lhs - rhs).has(sp.gamma):
        if not all(_positive(side, inside, task) for side in (lhs, rhs)):
            return None
        lhs, rhs = (_logarithm(side) for side in (lhs, rhs))
    steps = _step(lhs - rhs, x)
    if steps is None:
        return None
    step, last = steps
    op = c.op[0]
    if balls.sign(last, {}) not in ((0, -1) if op == "<" else (0, 1)):
        return None
    if not task.lemma(Comparison(op, step, sp.Integer(0)), inside):
        return None
    if not v.low_open:
        judge = Judge(Domains(region.variables), c)
        first = int(v.low) if v.low.is_Integer else None
        if first is None or judge.at({v.name: first}).status != HOLDS:
            return None
    return Argument(
        "steps to infinity",
        (f"the difference of the sides loses {step} from {x} to {x} + 1 and tends to {last}",),
    )


def _applies(task: Task) -> bool:
    c = task.comparison
    heads = (sp.gamma, sp.loggamma, sp.polygamma, sp.digamma, sp.harmonic, sp.factorial)
    gammas = c.lhs.has(*heads, sp.binomial) or c.rhs.has(*heads, sp.binomial)
    return task.depth == 0 and task.is_line and bool(gammas)


METHOD = Method("steps to infinity", 0.6, _applies, prove)


def _in_gammas(f: Any) -> Any:
    f = f.replace(lambda e: isinstance(e, sp.harmonic) and len(e.args) == 1, _as_digamma)
    return f.replace(
        lambda e: isinstance(e, sp.factorial | sp.binomial | sp.catalan),
        lambda e: e.rewrite(sp.gamma),
    )


def _as_digamma(e: Any) -> Any:
    return sp.digamma(e.args[0] + 1) + sp.EulerGamma


def _positive(side: Any, region: Region, task: Task) -> bool:
    zero = sp.Integer(0)
    return all(
        f.is_positive
        or (isinstance(f, sp.gamma) and f.args[0].is_positive)
        or task.lemma(Comparison(">", f, zero), region)
        for factor in sp.Mul.make_args(side)
        for f in [factor.as_base_exp()[0]]
    )


def _logarithm(side: Any) -> Any:
    total = sp.Integer(0)
    for factor in sp.Mul.make_args(side):
        base, exponent = factor.as_base_exp()
        if isinstance(factor, sp.exp):
            total += factor.args[0]
        elif isinstance(base, sp.gamma):
            total += exponent * sp.loggamma(base.args[0])
        else:
            total += exponent * sp.expand_log(sp.log(base), deep=True)
    return total


def _step(g: Any, x: Any) -> tuple[Any, Any] | None:
    """(g(x) - g(x + 1), limit of g), both without gamma; None where g is not so simple."""
    heads = sorted(g.atoms(sp.loggamma, sp.polygamma), key=str)
    slots = {h: sp.Dummy() for h in heads}
    plain = g.xreplace(slots)
    step = sp.Integer(0)
    for h, slot in slots.items():
        u = h.args[-1]
        slope, weight = sp.diff(u, x), sp.diff(plain, slot)
        if isinstance(h, sp.polygamma) and h.args[0] != 0:
            return None
        if not (slope.is_Integer and 0 < slope <= _MAX_SLOPE) or weight.free_symbols:
            return None
        if isinstance(h, sp.loggamma):
            step -= weight * sum(sp.log(u + j) for j in range(int(slope)))
        else:
            step -= weight * sum(1 / (u + j) for j in range(int(slope)))
    rest = plain.xreplace({slot: sp.Integer(0) for slot in slots.values()})
    if rest.has(sp.gamma, sp.loggamma, sp.polygamma):
        return None
    found = limit(g, x, sp.oo)
    if found is None or not found.is_finite:
        return None
    return step + rest - rest.xreplace({x: x + 1}), found
