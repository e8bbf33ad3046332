"""Expressions that are polynomials in one symbol, with coefficients evaluated at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import fmpq

from theorycheck.balls.state import Program, State
from theorycheck.balls.values import ONE, ZERO, Scope, Value

Coefficients = Callable[[State], list[Value]]

_DEGREE = 60


def degree(program: Program, expr: Any, symbol: Any) -> int | None:
    """A bound of the degree, None for expressions that are not written as polynomials."""
    if symbol not in program.free(expr):
        return 0
    if expr == symbol:
        return 1
    if isinstance(expr, sympy.Add | sympy.Mul):
        parts = [degree(program, a, symbol) for a in expr.args]
        known = [d for d in parts if d is not None]
        if len(known) < len(parts):
            return None
        return max(known) if isinstance(expr, sympy.Add) else sum(known)
    if isinstance(expr, sympy.Pow):
        base, exponent = expr.args
        if isinstance(exponent, sympy.Integer) and exponent.p >= 0:
            d = degree(program, base, symbol)
            return None if d is None else d * int(exponent.p)
    return None


def coefficients(program: Program, expr: Any, symbol: Any, scope: Scope) -> Coefficients | None:
    """Evaluates to the coefficients, from the constant one on; None if not written as a polynomial of
    moderate degree."""
    bound = degree(program, expr, symbol)
    return None if bound is None or bound > _DEGREE else _build(program, expr, symbol, scope)


def _build(program: Program, expr: Any, symbol: Any, scope: Scope) -> Coefficients:
    if symbol not in program.free(expr):
        constant = program.value(expr, scope)
        return lambda s: [constant(s)]
    if expr == symbol:
        return lambda s: [ZERO, ONE]
    if isinstance(expr, sympy.Pow):
        base = _build(program, expr.args[0], symbol, scope)
        n = int(expr.args[1].p)
        return lambda s: _power(base(s), n)
    parts = [_build(program, a, symbol, scope) for a in expr.args]
    join = add if isinstance(expr, sympy.Add) else multiply

    def run(s: State) -> list[Value]:
        total = parts[0](s)
        for part in parts[1:]:
            total = join(total, part(s))
        return total

    return run


def add(p: list[Value], q: list[Value]) -> list[Value]:
    """The sum of polynomials given by coefficients, lowest first."""
    long, short = (p, q) if len(p) >= len(q) else (q, p)
    return [c + short[i] if i < len(short) else c for i, c in enumerate(long)]


def multiply(p: list[Value], q: list[Value]) -> list[Value]:
    """The product of polynomials given by coefficients, lowest first."""
    total: list[Value] = [ZERO] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            total[i + j] = total[i + j] + a * b
    return total


def _power(p: list[Value], n: int) -> list[Value]:
    total: list[Value] = [ONE]
    for _ in range(n):
        total = multiply(total, p)
    return total


def at(p: list[Value], x: Value) -> Value:
    """The value of the polynomial at x, by Horner's rule."""
    total: Value = ZERO
    for c in reversed(p):
        total = total * x + c
    return total


def shifted(p: list[Value], by: int) -> list[Value]:
    """The coefficients of p(x + by)."""
    total: list[Value] = [ZERO]
    for c in reversed(p):
        total = add(multiply(total, [fmpq(by), ONE]), [c])
    return total[: len(p)] if len(total) > len(p) else total
