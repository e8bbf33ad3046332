"""Sum and Product over integer ranges; a range that is empty or runs backwards gives 0 or 1."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, fmpq

from theorycheck.balls import polynomials
from theorycheck.balls.series import compile_series
from theorycheck.balls.state import Program, State
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
    height,
    kept,
)

_TERMS = 200_000
"""Terms of one range; about ten seconds of evaluation."""

_WORK = 1 << 30  # bits of exact partial results, a fraction of a second; balls from there on
_MANY, _DEGREE = 8, 40  # sums of polynomials of at most this degree, of many more terms than that

_BLOCK, _BLOCKS = 16, 1 << 15
"""Partial results of at least so many terms are kept, so many of them: tens of megabytes at most."""


Blocks = dict[tuple[int, int], tuple[Value, int]]
"""(first, size) to the result of a block, and the bits of exact partial results that it took."""


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
    # Terms that depend on the index alone: a sum for the next n starts from what is known.
    alone = not inner_limits and program.free(expr.function) <= {index}
    blocks: dict[tuple[int, bool, bool], Blocks] = {}

    plain = is_sum and not inner_limits
    newton = polynomials.degree(program, expr.function, index) if plain else None
    if newton is not None and newton > _DEGREE:
        newton = None
    series = (
        _split_series(program, expr.function, index, inner_scope, scope)
        if plain and high is sympy.oo
        else None
    )

    def run(s: State) -> Value:
        a, b = (_bound(s, place, end(s)) for place, end in zip(bounds, (first, last), strict=True))
        saved = s.regs[slot]

        def term(state: State, k: fmpq) -> Value:
            state.regs[slot] = k
            for register in stale:
                state.regs[register] = None
            return body(state)

        try:
            if isinstance(a, Infinite) or isinstance(b, Infinite):
                if isinstance(a, int) and isinstance(b, Infinite) and b.sign < 0:
                    return ZERO if is_sum else ONE
                if isinstance(a, Infinite) or series is None:
                    raise Undecided("{}: this infinite range has no evaluator", site)
                return kept(series(s, a, slot, stale))
            count = b - a + 1
            if newton is not None and count > _MANY * (newton + 1):
                total = _newton(lambda k: term(s, k), fmpq(a), count, newton)
                if type(total) is fmpq or count > _TERMS:
                    return kept(total)
            if count > _TERMS:
                raise Undecided(f"{{}}: {count} terms are more than {_TERMS}", site)
            known: Blocks = {}
            if alone:
                known = blocks.setdefault((s.prec, s.deep, s.box), known)
                if len(known) > _BLOCKS:
                    known.clear()
            return _total(lambda k: term(s, fmpq(k)), a, b, is_sum, known)
        finally:
            s.regs[slot] = saved
            for register in stale:
                s.regs[register] = None

    return run


def _split_series(
    program: Program, expr: Any, index: Any, inner: Scope, scope: Scope
) -> Callable[[State, int, int, list[int]], Value] | None:
    """The series of a term or, if it is of no known kind, of its summands one by one."""
    whole = compile_series(program, expr, index, scope)
    parts = [(expr, whole)]
    if whole is None and isinstance(expr, sympy.Add):
        parts = [(a, compile_series(program, a, index, scope)) for a in expr.args]
    known = [(program.value(a, inner), found) for a, found in parts if found is not None]
    if len(known) < len(parts):
        return None

    def run(s: State, start: int, slot: int, stale: list[int]) -> Value:
        total: Value = ZERO
        for body, found in known:

            def term(state: State, k: fmpq, body: Callable[[State], Value] = body) -> Value:
                state.regs[slot] = k
                for register in stale:
                    state.regs[register] = None
                return body(state)

            total = total + found(s, start, term)
        return total

    return run


def _newton(term: Callable[[fmpq], Value], start: fmpq, count: int, degree: int) -> Value:
    """The sum of a polynomial of this degree over start, start + 1, ..., by its differences at start:
    sum_j differences_j * binomial(count, j + 1)."""
    row = [term(start + j) for j in range(degree + 1)]
    total: Value = ZERO
    choose = fmpq(count)
    for j in range(degree + 1):
        total = total + row[0] * choose
        row = [b - a for a, b in itertools.pairwise(row)]
        choose = choose * (count - j - 1) / (j + 2)
    return total


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


def _total(
    term: Callable[[int], Value], first: int, last: int, is_sum: bool, known: Blocks
) -> Value:
    """By halves at multiples of powers of two: rationals of like size meet, rounding errors grow with
    the logarithm only, and the same blocks occur again whatever the ends, so that ``known`` ones need
    no new look. The result does not depend on what is known."""
    if first > last:
        return ZERO if is_sum else ONE
    work = 0

    def joined(lo: int, size: int) -> Value:
        """The terms from lo to lo + size - 1 that lie in the range; size is a power of two."""
        nonlocal work
        if size > 1:
            whole = size >= _BLOCK and first <= lo and lo + size - 1 <= last
            if whole and (lo, size) in known:
                x, spent = known[lo, size]
                work += spent
                return arb(x) if type(x) is fmpq and work > _WORK else x
            before, half = work, size // 2
            if lo + half > last:
                return joined(lo, half)
            if lo + half <= first:
                return joined(lo + half, half)
            a, b = joined(lo, half), joined(lo + half, half)
            x = kept(a + b if is_sum else _times(a, b))
            if type(x) is fmpq:
                work += height(x)
                if work > _WORK:
                    return arb(x)
            if whole:
                known[lo, size] = x, work - before
            return x
        x = term(lo)
        if type(x) is fmpq:
            work += height(x)
            if work > _WORK:
                return arb(x)
        return x

    size = 1 << (last - first).bit_length()
    start = first - first % size
    if last < start + size:
        return joined(start, size)
    a, b = joined(start, size), joined(start + size, size)
    return kept(a + b if is_sum else _times(a, b))


def _times(a: Value, b: Value) -> Value:
    if (type(a) is fmpq and a == 0) or (type(b) is fmpq and b == 0):
        other = b if type(a) is fmpq and a == 0 else a
        if type(other) is fmpq or (not isinstance(other, Infinite) and other.is_finite()):
            return ZERO
    return a * b
