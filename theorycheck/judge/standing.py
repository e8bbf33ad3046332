"""Whether an expression stands in a typed formula: what a text says and what a program gives are then one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from theorycheck.check.pieces import comparisons
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.evidence.workbench import problem_of


def stands_in(wanted: sympy.Expr, legs: Iterable[Leg]) -> bool:
    """Whether it is a part of the goal of a typed leg, names being nothing but names."""
    statements = [lg.simulation for lg in legs if isinstance(lg.simulation, TypedStatement)]
    goals = (problem_of(statement).goal for statement in statements)
    return any(is_part(wanted, e) for g in goals for c in comparisons(g) for e in (c.lhs, c.rhs))


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
    """The expression with names that are nothing but names, as two that are assumed to be different things differ."""
    return e.xreplace({s: sympy.Symbol(s.name) for s in e.free_symbols})
