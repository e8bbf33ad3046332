"""Powers and exponentials taken as names of their own, between what is proved of them.

2**k for k >= 1 becomes a real number P >= 2, exp(-x) for x >= 0 one in (0, 1], (1 - x)**n for x in [0, 1] one in
[0, 1]. What holds for all numbers there holds for the powers.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.powers import Powers
from theorycheck.check.region import Region, range_text
from theorycheck.check.text import Comparison

_MAX_DEPTH = 3
_MOST = 3
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def prove(task: Task) -> Argument | None:
    """The comparison with powers of symbolic exponent as names.

    Takes order comparisons and ``!=`` that are rational in the names and at most three powers.
    Promises the range of each power and the comparison for all numbers in them, as lemmas. Gives up
    where a base has no proved sign.
    """
    c = task.comparison
    powers = Powers()
    lhs, rhs = (powers.apart(evaluated(e)) for e in (c.lhs, c.rhs))
    if not 0 < len(powers.names) <= _MOST:
        return None
    symbols = lhs.free_symbols | rhs.free_symbols
    if not (lhs - rhs).is_rational_function(*symbols):
        return None
    taken = {v.name for v in task.region.variables}
    named: dict[Any, Any] = {}
    variables: list[Variable] = []
    for power, dummy in powers.names.items():
        found = _between(power, task)
        if found is None:
            return None
        name = next(f"P{i}" for i in range(1, 100) if f"P{i}" not in taken)
        taken.add(name)
        low, high, low_open = found
        sign = {"positive": True} if low_open or low.is_positive else {"nonnegative": True}
        named[dummy] = sp.Symbol(name, **sign)
        variables.append(
            Variable(name, named[dummy], "real", "", low, high, low_open, bool(high.is_infinite))
        )
    region = Region((*task.region.variables, *variables), task.region.hypotheses)
    goal = Comparison(c.op, lhs.xreplace(named), rhs.xreplace(named))
    if not task.lemma(goal, region):
        return None
    pairs = zip(powers.names, variables, strict=True)
    facts = tuple(f"{v.name} = {power} in {range_text(v)}" for power, v in pairs)
    return Argument("powers as names", facts)


def _between(power: Any, task: Task) -> tuple[Any, Any, bool] | None:
    """Ends of a range that holds the power, and whether the lower one is left out."""
    if isinstance(power, sp.exp):
        base, exponent = sp.E, power.args[0]
    else:
        base, exponent = power.args
    if not (base.is_positive or task.lemma(Comparison(">", base, _ZERO))):
        whole = exponent.is_integer and exponent.is_nonnegative
        if not (whole and task.lemma(Comparison(">=", base, _ZERO))):
            return None
        below = task.lemma(Comparison("<=", base, _ONE))
        return _ZERO, _ONE if below else sp.oo, False
    grows = bool((base - 1).is_positive) if base.is_number else None
    if grows is None:
        below = exponent.is_nonnegative and task.lemma(Comparison("<=", base, _ONE))
        return _ZERO, _ONE if below else sp.oo, True
    if not grows:
        return _ZERO, sp.oo, True
    least = next((v.low for v in task.region.variables if v.symbol == exponent), sp.oo)
    if least.is_Integer and 0 <= least <= 20:
        return base**least, sp.oo, False
    if exponent.is_nonnegative or task.lemma(Comparison(">=", exponent, _ZERO)):
        return _ONE, sp.oo, False
    return _ZERO, _ONE if task.lemma(Comparison("<=", exponent, _ZERO)) else sp.oo, True


METHOD = Method(
    "powers as names",
    0.4,
    lambda t: t.depth <= _MAX_DEPTH and t.comparison.op != "==",
    prove,
)
