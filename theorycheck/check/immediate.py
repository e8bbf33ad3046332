"""What is seen at once: signs of the parts, constants, and equal normal forms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task, always
from theorycheck.check.tidying import weak_sign
from theorycheck.check.trigonometry import identical
from theorycheck.formulas.normal_form import same_function
from theorycheck.numbers import domain as d

# Longer expressions are left to the other methods.
_MAX_OPS = 60


def by_signs(task: Task) -> Argument | None:
    """By the signs of the names alone.

    Takes any comparison. Promises what SymPy's assumptions derive from the signs of the names, balls
    where there is no name, squares and bounded waves otherwise. Gives up where these say nothing.
    """
    c = task.comparison
    difference = evaluated(c.lhs) - evaluated(c.rhs)
    if not difference.free_symbols:
        order = balls.compare(evaluated(c.lhs), evaluated(c.rhs), {}).relation
        good = {
            "<": ("lt",),
            "<=": ("lt", "eq"),
            ">": ("gt",),
            ">=": ("gt", "eq"),
            "==": ("eq",),
            "!=": ("lt", "gt"),
        }[c.op]
        return Argument("constants in ball arithmetic") if order in good else None
    facts = {
        ">": difference.is_positive,
        ">=": difference.is_nonnegative,
        "<": difference.is_negative,
        "<=": difference.is_nonpositive,
        "!=": difference.is_nonzero,
        "==": difference.is_zero,
    }
    weak = {">=": 1, "<=": -1}.get(c.op)
    if weak is not None and difference.count_ops() < _MAX_OPS and weak_sign(difference) == weak:
        return Argument("squares and bounded waves", (f"lhs - rhs = {difference}",))
    return Argument("signs of the parts", (f"lhs - rhs = {difference}",)) if facts[c.op] else None


def by_ends(task: Task) -> Argument | None:
    """The end of a range, where that is the least or the largest of several, or rounded towards the range.

    Takes <= and >=. Promises that one side less the other is a name less such an end of its range.
    """
    c = task.comparison
    small, large = (evaluated(e) for e in (c.lhs, c.rhs))
    room = sp.expand(large - small) if c.op == "<=" else sp.expand(small - large)
    for v in task.region.variables:
        if v.kind == "set" or v.symbol not in room.free_symbols:
            continue
        above, below = ((e, _beyond(e, *heads)) for e, heads in ((v.high, _HIGH), (v.low, _LOW)))
        for end, among, sign in ((*above, 1), (*below, -1)):
            if any(sp.expand(room - sign * (e - v.symbol)) == 0 for e in among):
                side = "<=" if sign > 0 else ">="
                return Argument("an end of a range", (f"{v.name} {side} {end}",))
    return None


_HIGH, _LOW = (sp.Min, sp.floor), (sp.Max, sp.ceiling)


def _beyond(end: Any, extremum: Any, rounded: Any) -> list[Any]:
    """What a value up to the end is up to as well."""
    ends = end.args if isinstance(end, extremum) else (end,)
    return [*ends, *(e.args[0] for e in ends if isinstance(e, rounded))]


def by_normal_forms(task: Task) -> Argument | None:
    """Equality by a normal form: zero after clearing denominators over independent kernels.

    Takes equalities, and non-strict inequalities of up to 60 operations. Promises an identity of
    polynomials in kernels. Gives up where the forms differ.
    """
    c = task.comparison
    if c.op not in ("==", "<=", ">="):
        return None
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    if c.op != "==" and lhs.count_ops() + rhs.count_ops() > _MAX_OPS:
        return None
    if sp.expand(lhs - rhs) == 0:
        return Argument("equal after expansion")
    if same_function(lhs, rhs, {v.name: _as_domain(v) for v in task.region.variables}):
        return Argument("equal normal forms")
    return Argument("equal Fourier coefficients") if identical(lhs, rhs) else None


def _as_domain(variable: Variable) -> Any:
    """The range in the words of `theorycheck.numbers.domain`, widened where ends are not rational."""

    def rational(end: Any) -> Fraction | None:
        return Fraction(int(end.p), int(end.q)) if end is not None and end.is_Rational else None

    low = rational(variable.low)
    if variable.symbol.is_integer:
        return d.integers(None if low is None else int(low), None)
    if variable.symbol.is_positive and low is None:
        return d.reals(0, None, low_open=True)
    return d.reals(low, None, low_open=variable.low_open)


SIGNS = Method("signs of the parts", 0.1, always, by_signs)
NORMAL_FORMS = Method("normal forms", 0.2, always, by_normal_forms)
ENDS = Method("an end of a range", 0.1, lambda t: t.comparison.op in ("<=", ">="), by_ends)
