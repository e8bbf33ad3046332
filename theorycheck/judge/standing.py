"""Whether an expression stands in a typed formula: what a text says and what a program gives are then one thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from theorycheck.check.pieces import comparisons
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.evidence.workbench import problem_of


def stands_in(wanted: sympy.Expr, legs: Iterable[Leg]) -> bool:
    """Whether it is a part of the goal of a typed leg, names being nothing but names."""
    return any(is_part(wanted, e) for e in _sides(legs))


def is_side(wanted: sympy.Expr, legs: Iterable[Leg]) -> bool:
    """Whether it is a whole side of a comparison in the goal of a typed leg, names being nothing but names."""
    return any(_plain(e) == _plain(wanted) for e in _sides(legs))


def _sides(legs: Iterable[Leg]) -> Iterator[Any]:
    for statement in (lg.simulation for lg in legs):
        if isinstance(statement, TypedStatement):
            for c in comparisons(problem_of(statement).goal):
                yield from (c.lhs, c.rhs)


def bounds(wanted: sympy.Expr, leg: Leg) -> bool:
    """Whether it is a part of an end of a range of a typed leg."""
    if not isinstance(leg.simulation, TypedStatement):
        return False
    ranges = problem_of(leg.simulation).domains.variables
    ends = [e for v in ranges for e in (v.low, v.high) if e is not None]
    return any(is_part(wanted, e) for e in ends)


def is_part(wanted: sympy.Expr, whole: Any) -> bool:
    """Whether an expression is a part of another, names being nothing but names."""
    return bool(_plain(whole).has(_plain(wanted)))


def _plain(e: Any) -> Any:
    """The expression with names that are nothing but names, as two that are assumed to be different things differ,
    members of a family written in one way, and what a text leaves as it is written put together."""
    if isinstance(e, sympy.Symbol):
        return sympy.Symbol(e.name)
    if isinstance(e, sympy.Indexed):
        return sympy.Function(str(e.base.label))(*map(_plain, e.indices))
    if isinstance(e, AppliedUndef):
        return sympy.Function(e.func.__name__)(*map(_plain, e.args))
    if not isinstance(e, sympy.Basic) or not e.args:
        return e
    return e.func(*map(_plain, e.args))
