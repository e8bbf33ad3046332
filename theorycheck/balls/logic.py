"""Statements: relations, Boolean connectives, predicates.

A connective is decided as soon as some of its parts settle it, in any order (And with a false part is
false even if another part is undefined there); otherwise an undefined part makes it undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import acb, fmpq
from sympy.core.relational import Relational

from theorycheck.balls import ranges
from theorycheck.balls.library import PREDICATES
from theorycheck.balls.state import Program, State
from theorycheck.balls.values import (
    CallSite,
    Infinite,
    NonReal,
    Scope,
    Undecided,
    Undefined,
    UnsupportedExpression,
    Value,
)

Test = Callable[[State], bool]

_TESTS: dict[Any, Callable[[int], bool]] = {
    sympy.Eq: lambda d: d == 0,
    sympy.Ne: lambda d: d != 0,
    sympy.StrictLessThan: lambda d: d < 0,
    sympy.LessThan: lambda d: d <= 0,
    sympy.StrictGreaterThan: lambda d: d > 0,
    sympy.GreaterThan: lambda d: d >= 0,
}


def difference(a: Any, b: Any) -> Any:
    """a - b, not evaluated."""
    return sympy.Add(a, sympy.Mul(sympy.S.NegativeOne, b, evaluate=False), evaluate=False)


def compile_truth(program: Program, expr: Any, scope: Scope) -> Test:
    """A function of the state that returns whether ``expr`` holds. Raises UnsupportedExpression here,
    Undefined, NonReal and Undecided when run."""
    if expr is sympy.true or expr is sympy.false:
        known = bool(expr)
        return lambda s: known
    if isinstance(expr, Relational):
        return _relation(program, expr, scope)
    if isinstance(expr, sympy.Not):
        inner = program.truth(expr.args[0], scope)
        return lambda s: not inner(s)
    if isinstance(expr, sympy.And | sympy.Or):
        parts = [program.truth(a, scope) for a in expr.args]
        return _connective(parts, isinstance(expr, sympy.Or))
    if isinstance(expr, sympy.Xor | sympy.Equivalent):
        parts = [program.truth(a, scope) for a in expr.args]
        if isinstance(expr, sympy.Xor):
            return lambda s: sum(p(s) for p in parts) % 2 == 1
        return lambda s: len({p(s) for p in parts}) == 1
    if isinstance(expr, sympy.Implies):
        first, second = (program.truth(a, scope) for a in expr.args)
        return _connective([lambda s: not first(s), second], True)
    if isinstance(expr, sympy.ITE):
        test, yes, no = (program.truth(a, scope) for a in expr.args)
        return lambda s: yes(s) if test(s) else no(s)
    predicate = PREDICATES.get(expr.func.__name__)
    if predicate is not None:
        site = CallSite(expr, scope)
        args = [program.value(a, scope) for a in expr.args]
        return lambda s: predicate(s, site, *[a(s) for a in args])
    raise UnsupportedExpression(f"{expr} is not a statement that can be evaluated")


def _connective(parts: list[Test], settling: bool) -> Test:
    """And (settled by False) or Or (settled by True)."""

    def run(s: State) -> bool:
        undecided: Undecided | None = None
        undefined: Undefined | NonReal | None = None
        for part in parts:
            try:
                if part(s) is settling:
                    return settling
            except Undecided as stop:
                undecided = stop
            except (Undefined, NonReal) as stop:
                undefined = stop
        if undecided is not None:
            raise undecided
        if undefined is not None:
            raise undefined
        return not settling

    return run


def _relation(program: Program, expr: Any, scope: Scope) -> Test:
    left, right = expr.args
    if isinstance(expr, sympy.Eq | sympy.Ne) and _is_statement(left) and _is_statement(right):
        a, b = program.truth(left, scope), program.truth(right, scope)
        equal = isinstance(expr, sympy.Eq)
        return lambda s: (a(s) == b(s)) is equal
    x, y = program.value(left, scope), program.value(right, scope)
    site = CallSite(difference(left, right), scope)
    places = CallSite(left, scope), CallSite(right, scope)
    test = _TESTS[expr.func]
    if isinstance(expr, sympy.Eq | sympy.Ne):
        equal = isinstance(expr, sympy.Eq)
        return lambda s: equals(s, site, x(s), y(s)) is equal

    def compare(s: State) -> bool:
        try:
            return test(order(s, site, places, x(s), y(s)))
        except Undecided:
            ends = ranges.ends(s, site)
            if ends is None:
                raise
            low, high = ((end > 0) - (end < 0) for end in ends)
            answers = {test(d) for d in range(low, high + 1)}
            if len(answers) > 1:
                raise
            return answers.pop()

    return compare


def _is_statement(expr: Any) -> bool:
    return isinstance(expr, sympy.logic.boolalg.Boolean) and not isinstance(expr, sympy.Symbol)


def order(s: State, site: CallSite, places: tuple[CallSite, CallSite], x: Value, y: Value) -> int:
    """-1, 0, 1 as x < y, x = y, x > y for real values. Raises NonReal, Undecided."""
    if type(x) is fmpq and type(y) is fmpq:
        return 0 if x == y else 1 if x > y else -1
    x, y = s.real(places[0], x), s.real(places[1], y)
    if isinstance(x, Infinite) or isinstance(y, Infinite):
        return _infinite_order(x, y)
    return s.sign(site, x - y)


def _infinite_order(x: Value, y: Value) -> int:
    if isinstance(x, Infinite) and isinstance(y, Infinite):
        return (x.sign > y.sign) - (x.sign < y.sign)
    infinite, side, other = (x, 1, y) if isinstance(x, Infinite) else (y, -1, x)
    if not (type(other) is fmpq or other.is_finite()):
        raise Undecided("a number without finite bounds against infinity")
    return side * infinite.sign


def equals(s: State, site: CallSite, x: Value, y: Value) -> bool:
    """Whether two values, real or complex, are equal. Raises Undecided."""
    if type(x) is fmpq and type(y) is fmpq:
        return bool(x == y)
    if isinstance(x, Infinite) or isinstance(y, Infinite):
        return _infinite_order(x, y) == 0
    d = x - y
    if type(d) is acb:
        if d.is_finite():
            if not d.contains(0):
                return False
            if s.vanishes(site):
                return True
        raise Undecided("whether {} is 0 is not decided", site)
    return s.sign(site, d) == 0
