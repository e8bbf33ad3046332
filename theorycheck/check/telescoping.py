"""Sums whose terms depend on the upper limit, beside other names: certificates over Q(parameters).

The certificate is the one of `theorycheck.check.certificates`, an identity of rational functions in all
names. It says something at a point only where nothing that it divides by vanishes, so that the other
names' denominators and the bases of powers are proved not to be 0 on the whole region.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.certificates import constant_quotient
from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated, no_gap, written_out
from theorycheck.check.identities import equal
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, symbols_of
from theorycheck.check.text import Comparison

_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """An equality that is linear in one sum, by a Wilf-Zeilberger certificate in one integer name.

    Takes equalities in an integer name with a constant lower end >= 0 on which nothing else depends.
    Promises that the sum over its closed form does not change with that name, and the start as a lemma.
    Gives up where there is no certificate, or where something below a line may vanish.
    """
    lhs, rhs = evaluated(task.comparison.lhs), evaluated(task.comparison.rhs)
    sums = lhs.atoms(sp.Sum) | rhs.atoms(sp.Sum)
    if len(sums) != 1:
        return None
    total = sums.pop()
    slot = sp.Dummy(real=True)
    difference = (lhs - rhs).xreplace({total: slot})
    slope = sp.diff(difference, slot)
    if slot in slope.free_symbols or slope == 0:
        return None
    exact = -difference.xreplace({slot: _ZERO}) / slope
    joined = sp.powsimp(sp.expand(exact))
    closed = joined if equal(joined, exact) else exact
    if closed == 0:
        return None
    for n in _names(task):
        if not no_gap(total, n.symbol, int(n.low)) or not _never_zero(total, slope, closed, task):
            continue
        certificate = constant_quotient(total, closed, n.symbol, lambda e: _nonzero(e, task))
        if certificate is None:
            continue
        others = tuple(v for v in task.region.variables if v.name != n.name)
        value = {n.symbol: n.low}
        start = Comparison("==", *(evaluated(written_out(e.xreplace(value))) for e in (lhs, rhs)))
        if task.lemma(start, Region(others, task.region.hypotheses)):
            return Argument(
                "a Wilf-Zeilberger certificate beside names",
                (f"start at {n.name} = {n.low}", certificate),
            )
    return None


def _names(task: Task) -> Iterator[Variable]:
    for n in task.region.variables:
        others = [v for v in task.region.variables if v.name != n.name]
        ends = [e for v in others for e in (v.low, v.high) if e is not None]
        bound = any(n.symbol in e.free_symbols for e in ends)
        bound |= any(n.symbol in symbols_of(h) for h in task.region.hypotheses)
        if n.kind == "integer" and n.low.is_Integer and n.low >= 0 and not bound:
            yield n


def _never_zero(total: Any, slope: Any, closed: Any, task: Task) -> bool:
    bases = {p.base for e in (total, closed) for p in e.atoms(sp.Pow) if p.exp.free_symbols}
    return all(_nonzero(e, task) for e in (*bases, slope, closed))


def _nonzero(e: Any, task: Task) -> bool:
    return bool(e.is_nonzero) or task.lemma(Comparison("!=", e, _ZERO))


METHOD = Method(
    "certificates beside names",
    0.5,
    lambda t: (
        t.comparison.op == "=="
        and t.depth == 0
        and not t.is_line
        and (t.comparison.lhs.has(sp.Sum) or t.comparison.rhs.has(sp.Sum))
    ),
    prove,
)
