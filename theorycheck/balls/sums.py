"""Sum and Product over integer ranges; a range that is empty or runs backwards gives 0 or 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from theorycheck.balls.state import State
from theorycheck.balls.values import (
    ONE,
    ZERO,
    Infinite,
    Scope,
    Site,
    Undecided,
    Undefined,
    UnsupportedExpression,
    Value,
    kept,
)

if TYPE_CHECKING:
    from theorycheck.balls.compiling import Program

_TERMS = 200_000
"""Terms of one range; about ten seconds of evaluation."""


def compile_repeated(program: Program, expr: Any, scope: Scope) -> Callable[[State], Value]:
    """The evaluator of a Sum or Product, its ranges nested from the last (outermost) to the first."""
    return _nest(program, expr, list(expr.limits), scope)


def _nest(program: Program, expr: Any, limits: list[Any], scope: Scope) -> Callable[[State], Value]:
    if not limits:
        return program.value(expr.function, scope)
    *inner_limits, limit = limits
    if len(limit) != 3:
        raise UnsupportedExpression(f"{expr}: the range of {limit[0]} has no bounds")
    index, low, high = limit
    site = Site(expr, scope)
    first, last = program.value(low, scope), program.value(high, scope)
    slot = program.register()
    inner_scope = {**scope, index: slot}
    _keep_invariants(program, expr.function, index, inner_scope)
    body = _nest(program, expr, inner_limits, inner_scope)
    stale = program.registers_of(slot)
    is_sum = isinstance(expr, sympy.Sum)
    bounds = Site(low, scope), Site(high, scope)

    def run(s: State) -> Value:
        a, b = (_bound(s, place, end(s)) for place, end in zip(bounds, (first, last), strict=True))
        if isinstance(a, Infinite) or isinstance(b, Infinite):
            if isinstance(a, int) and isinstance(b, Infinite) and b.sign < 0:
                return ZERO if is_sum else ONE
            raise Undecided("{}: an infinite range has no evaluator", site)
        if b - a + 1 > _TERMS:
            raise Undecided(f"{{}}: {b - a + 1} terms are more than {_TERMS}", site)
        saved = s.regs[slot]
        terms = []
        for k in range(a, b + 1):
            s.regs[slot] = fmpq(k)
            for register in stale:
                s.regs[register] = None
            terms.append(body(s))
        s.regs[slot] = saved
        for register in stale:
            s.regs[register] = None
        return _total(terms, is_sum)

    return run


def _keep_invariants(program: Program, expr: Any, index: Any, scope: Scope) -> None:
    """Gives registers to the largest subexpressions that do not depend on the index."""
    if not expr.args or isinstance(expr, sympy.Rational):
        return
    if isinstance(expr, sympy.Sum | sympy.Product | sympy.Piecewise) or not isinstance(
        expr, sympy.Expr
    ):
        return  # their parts are not always evaluated, or bind symbols of their own
    if index not in program.free(expr):
        if program.free(expr) <= scope.keys():
            program.value(expr, scope, keep=True)
        return
    for a in expr.args:
        _keep_invariants(program, a, index, scope)


def _bound(s: State, site: Site, x: Value) -> int | Infinite:
    x = s.real(site, x)
    if isinstance(x, Infinite):
        return x
    n = s.integer(site, x)
    if n is None:
        raise Undefined("the bound {} of a range is not an integer", site)
    return int(n)


def _total(terms: list[Value], is_sum: bool) -> Value:
    """By halves: rationals of like size meet, and rounding errors grow with the logarithm only."""
    if not terms:
        return ZERO if is_sum else ONE
    while len(terms) > 1:
        paired = [
            kept(a + b if is_sum else _times(a, b))
            for a, b in zip(terms[::2], terms[1::2], strict=False)
        ]
        terms = paired + terms[len(terms) - 1 :] if len(terms) % 2 else paired
    return terms[0]


def _times(a: Value, b: Value) -> Value:
    if (type(a) is fmpq and a == 0) or (type(b) is fmpq and b == 0):
        other = b if type(a) is fmpq and a == 0 else a
        if type(other) is fmpq or (not isinstance(other, Infinite) and other.is_finite()):
            return ZERO
    return a * b
