"""Products multiplied crosswise, and closed ends of a range by themselves.

For b, d > 0, a/b < c/d if and only if a d < c b. A statement holds on [a, b) if it holds at a and on (a, b): there
0**T, or log(0), does not stand in the way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, put_formula
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_ZERO = sp.Integer(0)


def multiplied(task: Task) -> Argument | None:
    """Two products without their denominators.

    Takes comparisons of two products under hypotheses, at least one of them with a factor in names below
    the line; without hypotheses the difference of the sides serves better.
    Promises that what is multiplied by is positive, and what is left, as lemmas.
    """
    c = task.comparison
    above, below = [], []
    for side in (evaluated(c.lhs), evaluated(c.rhs)):
        top, bottom = _fraction(side)
        above.append(top)
        below.append(bottom)
    factors = [f for b in below for f in sp.Mul.make_args(b) if f.free_symbols]
    if not factors:
        return None
    for f in factors:
        if not (f.is_positive or task.lemma(Comparison(">", f, _ZERO))):
            return None
    left = Comparison(c.op, above[0] * below[1], above[1] * below[0])
    if not task.lemma(left):
        return None
    return Argument("multiplied crosswise", (f"{left.lhs} {left.op} {left.rhs}",))


def _fraction(side: Any) -> tuple[Any, Any]:
    """Factors with a negative sign in their exponents stand below the line."""
    top, bottom = [], []
    for factor in sp.Mul.make_args(side):
        exponent = factor.args[0] if isinstance(factor, sp.exp) else factor.as_base_exp()[1]
        if exponent.could_extract_minus_sign():
            bottom.append(1 / factor)
        else:
            top.append(factor)
    return sp.Mul(*top), sp.Mul(*bottom)


def _is_product(side: Any) -> bool:
    return not side.is_Add and not side.has(sp.Sum, sp.Product, sp.Piecewise)


def ends_apart(task: Task) -> Argument | None:
    """The closed ends of one real name by themselves.

    Takes comparisons with names in an exponent. Promises the statement at the ends, with a name less,
    and on the open range, as lemmas.
    """
    region = task.region
    for v in region.variables:
        ends = _closed_ends(v)
        if not ends or any(v.symbol in _ends_of(w) for w in region.variables):
            continue
        before = len(task.used)
        opened = replace(v, low_open=True, high_open=True)
        inner = tuple(opened if w.name == v.name else w for w in region.variables)
        if all(_at(task, v, end) for end in ends) and task.lemma(
            task.comparison, Region(inner, region.hypotheses)
        ):
            return Argument("closed ends apart", (f"{v.name} = {', '.join(map(str, ends))}",))
        task.forget(before)
    return None


def _closed_ends(v: Variable) -> list[Any]:
    if v.kind != "real":
        return []
    ends = [(v.low, v.low_open), (v.high, v.high_open)]
    return [e for e, is_open in ends if not is_open and not e.is_infinite and e.is_Rational]


def _ends_of(v: Variable) -> set[Any]:
    return {s for e in (v.low, v.high) if e is not None for s in e.free_symbols}


def _at(task: Task, v: Variable, end: Any) -> bool:
    value = {v.symbol: end}
    c, region = task.comparison, task.region
    others = tuple(w for w in region.variables if w.name != v.name)
    conditions = tuple(put_formula(h, value) for h in region.hypotheses)
    here = Comparison(c.op, evaluated(put(c.lhs, value)), evaluated(put(c.rhs, value)))
    return task.lemma(here, Region(others, conditions))


def _powers_of_names(task: Task) -> bool:
    c = task.comparison
    powers = c.lhs.atoms(sp.Pow) | c.rhs.atoms(sp.Pow)
    return any(p.exp.free_symbols and p.base.free_symbols for p in powers)


CROSSWISE = Method(
    "multiplied crosswise",
    0.3,
    lambda t: (
        t.depth <= _MAX_DEPTH
        and not t.is_line
        and bool(t.region.hypotheses)
        and _is_product(t.comparison.lhs)
        and _is_product(t.comparison.rhs)
        and t.comparison.rhs != _ZERO
    ),
    multiplied,
)
ENDS = Method(
    "closed ends apart",
    0.3,
    lambda t: t.depth <= 1 and not t.is_line and _powers_of_names(t),
    ends_apart,
)
