"""Sum and Product over integer ranges; a range that is empty or runs backwards gives 0 or 1."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from flint import arb, fmpq

from theorycheck.balls import polynomials
from theorycheck.balls.series import Series, compile_series
from theorycheck.balls.state import Program, State
from theorycheck.balls.values import (
    ONE,
    ZERO,
    CallSite,
    Diverges,
    Infinite,
    Scope,
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
    *inner, limit = limits
    if len(limit) != 3:
        raise UnsupportedExpression(f"{expr}: the range of {limit[0]} has no bounds")
    return _Range(program, expr, inner, limit, scope).run


class _Range:
    """The evaluator of one range of a Sum or Product, with those inside of it."""

    def __init__(
        self, program: Program, expr: Any, inner: list[Any], limit: Any, scope: Scope
    ) -> None:
        index, low, high = limit
        self.site = CallSite(expr, scope)
        self.ends = [(CallSite(end, scope), program.value(end, scope)) for end in (low, high)]
        self.slot = program.register()
        inner_scope = {**scope, index: self.slot}
        _keep_invariants(program, expr.function, index, inner_scope)
        self.body = _nest(program, expr, inner, inner_scope)
        self.stale = program.registers_of(self.slot)
        self.is_sum = isinstance(expr, sympy.Sum)
        self.empty = ZERO if self.is_sum else ONE
        # Terms that depend on the index alone: a sum for the next n starts from what is known.
        self.alone = not inner and program.free(expr.function) <= {index}
        self.blocks: dict[tuple[int, bool, bool], Blocks] = {}
        plain = self.is_sum and not inner
        degree = polynomials.degree(program, expr.function, index) if plain else None
        self.newton = degree if degree is not None and degree <= _DEGREE else None
        self.series = (
            _split_series(program, expr.function, index, inner_scope)
            if plain and high is sympy.oo
            else None
        )

    def run(self, s: State) -> Value:
        a, b = (_bound(s, place, end(s)) for place, end in self.ends)
        saved = s.regs[self.slot]
        try:
            if isinstance(a, Infinite) or isinstance(b, Infinite):
                return self._without_end(s, a, b)
            return self._finite(s, a, b)
        finally:
            self._put(s, saved)

    def _put(self, s: State, k: Value) -> None:
        s.regs[self.slot] = k
        for register in self.stale:
            s.regs[register] = None

    def _term(self, s: State, k: fmpq) -> Value:
        self._put(s, k)
        return self.body(s)

    def _without_end(self, s: State, a: int | Infinite, b: int | Infinite) -> Value:
        if isinstance(a, int) and isinstance(b, Infinite) and b.sign < 0:
            return self.empty
        if isinstance(a, Infinite) or self.series is None:
            raise Undecided("{}: this infinite range has no evaluator", self.site)
        return kept(self.series(s, a, self._put))

    def _finite(self, s: State, a: int, b: int) -> Value:
        count = b - a + 1
        if self.newton is not None and count > _MANY * (self.newton + 1):
            total = _newton(lambda k: self._term(s, k), fmpq(a), count, self.newton)
            if type(total) is fmpq or count > _TERMS:
                return kept(total)
        if count > _TERMS:
            raise Undecided(f"{{}}: {count} terms are more than {_TERMS}", self.site)
        known: Blocks = {}
        if self.alone:
            known = self.blocks.setdefault((s.prec, s.deep, s.box), known)
            if len(known) > _BLOCKS:
                known.clear()
        return _total(lambda k: self._term(s, fmpq(k)), a, b, self.is_sum, known)


Put = Callable[[State, Value], None]
"""Sets the index."""
Part = tuple[Callable[[State], Value], Series]
"""The term and its series."""


def _split_series(
    program: Program, expr: Any, index: Any, inner: Scope
) -> Callable[[State, int, Put], Value] | None:
    """The series of a term or, where that gives none, of its summands one by one."""

    def parts(exprs: Sequence[Any]) -> list[Part] | None:
        found = [(program.value(a, inner), compile_series(program, a, index, inner)) for a in exprs]
        known = [(body, series) for body, series in found if series is not None]
        return known if len(known) == len(found) else None

    whole = parts([expr])
    split = parts(expr.args) if isinstance(expr, sympy.Add) else None
    if whole is None and split is None:
        return None
    site = CallSite(expr, inner)

    def run(s: State, start: int, put: Put) -> Value:
        if whole is not None:
            try:
                return _added(s, start, put, whole, site)
            except Undecided:
                if split is None:
                    raise
        return _added(s, start, put, split or [], site)

    return run


def _added(s: State, start: int, put: Put, parts: list[Part], site: CallSite) -> Value:
    """The sum of the series of the parts. Where one diverges and all others converge, the whole diverges;
    of several that diverge nothing follows."""
    total: Value = ZERO
    diverging: list[Diverges] = []
    for body, series in parts:

        def term(state: State, k: fmpq, body: Callable[[State], Value] = body) -> Value:
            put(state, k)
            return body(state)

        try:
            total = total + series(s, start, term)
        except Diverges as stop:
            diverging.append(stop)
    if len(diverging) == 1:
        raise diverging[0]
    if diverging:
        raise Undecided("several parts of the series of {} diverge", site)
    return total


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


def _bound(s: State, site: CallSite, x: Value) -> int | Infinite:
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
