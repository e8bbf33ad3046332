"""Evaluation at one precision, at as many as it takes, and the decisions that rest on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import sympy
from flint import acb, arb, ctx, fmpq

from theorycheck.balls import logic
from theorycheck.balls.compiling import Compiler, is_statement
from theorycheck.balls.elementary import hull
from theorycheck.balls.matrices import explicit
from theorycheck.balls.state import NO_ENDS, State
from theorycheck.balls.values import (
    CallSite,
    Infinite,
    NonReal,
    Number,
    Range,
    Stop,
    Undefined,
    Value,
    exact_of_ball,
    from_input,
)
from theorycheck.balls.zero import ExactZeroTest

Status: TypeAlias = Literal["ok", "undefined", "nonreal", "undecided"]
Values: TypeAlias = Mapping[str, Number] | Mapping[sympy.Symbol, Number]

PREC = 128
"""Bits of a first look: closed forms of ordinary size keep 30 digits, at about the price of 64 bits."""

MAX_PREC = 4096
"""Bits after which a value counts as undecided unless the caller asks for more."""

DEEP_PREC = 256
"""From this precision on, exact zero tests are tried: before, doubling the bits is cheaper."""


@dataclass(frozen=True)
class Evaluated:
    """What is known about the value of an expression.

    ``exact`` is set when the value is a rational known exactly; ``ball`` is a finite real enclosure, set
    exactly when ``status`` is "ok". "undefined" and "nonreal" are proved; "undecided" says in ``reason``
    what could not be told.
    """

    exact: fmpq | None
    ball: arb | None
    status: Status
    reason: str = ""


@dataclass(frozen=True)
class BallComparison:
    """``relation`` of two values, with their enclosures at the precision that decided."""

    relation: Literal["lt", "eq", "gt", "undefined", "undecided"]
    lhs: Evaluated
    rhs: Evaluated
    reason: str = ""


@dataclass(frozen=True)
class TruthValue:
    """Whether a statement holds; ``value`` is None unless ``status`` is "ok"."""

    value: bool | None
    status: Status
    reason: str = ""


class Compiled:
    """An expression, or a statement, ready to be evaluated often. Build it with `compile_expression`.

    Pickles as its expression and symbols, and is compiled again on loading.
    """

    __slots__ = ("_closure", "_program", "expr", "statement", "symbols")

    def __init__(self, expr: sympy.Basic, symbols: Sequence[sympy.Symbol]) -> None:
        self.expr = expr
        self.symbols = tuple(symbols)
        self._program = Compiler([expr], self.symbols, ExactZeroTest())
        self.statement = is_statement(expr)
        self._closure = self._program.compiled(expr)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compiled, (self.expr, self.symbols)

    def evaluate(self, values: Values, prec: int = PREC, deep: bool = False) -> Evaluated:
        """One evaluation at ``prec`` bits; ``deep`` allows exact zero tests where a ball straddles.

        Raises KeyError for a missing value and TypeError for one that is neither exact nor a ball.
        """
        if self.statement:
            raise TypeError(f"{self.expr} is a statement, not a number: use truth()")
        state = _state(self._program, values, prec, deep)
        return _run(state, self._closure, CallSite(self.expr, self._program.scope))

    def truth(self, values: Values, prec: int = PREC, deep: bool = False) -> TruthValue:
        """As `evaluate`, for a statement."""
        if not self.statement:
            raise TypeError(f"{self.expr} is a number, not a statement")
        return _run_truth(_state(self._program, values, prec, deep), self._closure)


def compile_expression(expr: sympy.Basic, symbols: Sequence[sympy.Symbol]) -> Compiled:
    """Compiles an expression or statement over ``symbols``.

    Raises UnsupportedExpression for functions without an evaluator, floats, and symbols not listed.
    """
    return Compiled(sympy.sympify(expr) if isinstance(expr, int) else expr, symbols)


# ---------------------------------------------------------------- one precision


def _state(
    program: Compiler,
    values: Values,
    prec: int,
    deep: bool,
    ends: Mapping[int, Range] = NO_ENDS,
) -> State:
    regs: list[Value] = [None] * program.size
    box = False
    for i, name in enumerate(program.names):
        v = from_input(name, values[name])
        if type(v) is arb:
            box = True
        regs[i] = v
    return State(program, regs, prec, box, deep, ends)


def _run(state: State, closure: Any, site: CallSite) -> Evaluated:
    saved = ctx.prec
    ctx.prec = state.prec
    try:
        x = closure(state)
        if type(x) is acb:
            x = state.real(site, x)
    except Stop as stop:
        return _stopped(stop)
    else:
        return _evaluated(x)
    finally:
        ctx.prec = saved


def _stopped(stop: Stop) -> Evaluated:
    return Evaluated(None, None, _status(stop), str(stop))


def _status(stop: Stop) -> Status:
    if isinstance(stop, Undefined):
        return "undefined"
    return "nonreal" if isinstance(stop, NonReal) else "undecided"


def _evaluated(x: Value) -> Evaluated:
    if type(x) is fmpq:
        return Evaluated(x, arb(x), "ok")
    if isinstance(x, Infinite):
        return Evaluated(None, None, "undefined", f"the value is {x!r}")
    if not x.is_finite():
        return Evaluated(None, None, "undecided", "no finite enclosure: too large, or near a pole")
    return Evaluated(exact_of_ball(x), x, "ok")


def _run_truth(state: State, test: Any) -> TruthValue:
    saved = ctx.prec
    ctx.prec = state.prec
    try:
        return TruthValue(test(state), "ok")
    except Stop as stop:
        return TruthValue(None, _status(stop), str(stop))
    finally:
        ctx.prec = saved


# ---------------------------------------------------------------- as many bits as it takes


def _by_name(values: Values) -> dict[str, Number]:
    return {k if isinstance(k, str) else k.name: v for k, v in values.items()}


@lru_cache(maxsize=256)
def _compiled(expr: sympy.Basic, names: tuple[str, ...]) -> Compiled:
    return compile_expression(expr, _symbols([expr], names))


def _symbols(exprs: Sequence[sympy.Basic], names: tuple[str, ...]) -> list[sympy.Symbol]:
    """The symbols of the expressions that have one of the names, whatever their assumptions."""
    found = {x for e in exprs for x in e.atoms(sympy.Symbol) if x.name in names}
    return sorted(found, key=lambda x: (x.name, x.sort_key()))


def _precisions(prec: int, max_prec: int, box: bool) -> list[int]:
    """Doubling; a box is as wide as its inputs, so twice is enough for it."""
    if prec > max_prec:
        raise ValueError(f"prec = {prec} is above max_prec = {max_prec}")
    steps = [prec]
    while steps[-1] * 2 <= max_prec:
        steps.append(steps[-1] * 2)
    return steps[:2] if box else steps


def evaluate(
    expr: Any,
    values: Values,
    *,
    prec: int = PREC,
    max_prec: int = MAX_PREC,
    rel_goal: Any = None,
) -> Evaluated:
    """The value of an expression, its ball no wider than ``rel_goal`` (default 2**-64) times itself.

    Bits are doubled from ``prec`` to ``max_prec``. A ball that stays wider is returned all the same
    ("ok": it is an enclosure), with a reason.
    """
    named = _by_name(values)
    compiled = _compiled(
        sympy.sympify(expr) if isinstance(expr, int) else expr, tuple(sorted(named))
    )
    goal = arb(2) ** -64 if rel_goal is None else arb(_exact_goal(rel_goal))
    result = Evaluated(None, None, "undecided")
    best: Evaluated | None = None
    box = any(type(from_input(k, v)) is arb for k, v in named.items())
    for bits in _precisions(prec, max_prec, box):
        result = compiled.evaluate(named, bits, deep=bits >= DEEP_PREC)
        if result.status in ("undefined", "nonreal") or result.exact is not None:
            return result
        if result.ball is not None:
            best = result
            if arb(result.ball.rad()) <= goal * arb(result.ball.abs_lower()):
                return result
            if (
                bits >= DEEP_PREC
                and not box
                and result.ball.contains(0)
                and _is_zero(compiled, named, bits)
            ):
                return Evaluated(fmpq(0), arb(0), "ok")
    if best is not None:
        return Evaluated(best.exact, best.ball, "ok", f"wider than asked for at {max_prec} bits")
    return result


def evaluate_matrix(matrix: Any, values: Values, **options: Any) -> list[list[Evaluated]]:
    """The entries of a matrix, or of a matrix expression of fixed shape, each as `evaluate` gives it;
    ``options`` are those of `evaluate`. Raises UnsupportedExpression without a fixed shape."""
    entries = explicit(matrix)
    return [[evaluate(x, values, **options) for x in entries.row(i)] for i in range(entries.rows)]


def _exact_goal(goal: Any) -> Any:
    return (
        fmpq(*goal.as_integer_ratio()) if isinstance(goal, float) else from_input("rel_goal", goal)
    )


def _is_zero(compiled: Compiled, named: Mapping[str, Number], bits: int) -> bool:
    program = compiled._program
    state = _state(program, named, bits, deep=True)
    saved = ctx.prec
    ctx.prec = bits
    try:
        return state.vanishes(CallSite(compiled.expr, program.scope))
    finally:
        ctx.prec = saved


def sign(expr: Any, values: Values, *, max_prec: int = MAX_PREC) -> int | None:
    """-1, 0 or 1; 0 only when proved to be zero; None when undecided, undefined or not real."""
    c = compare(expr, 0, values, max_prec=max_prec)
    return {"lt": -1, "eq": 0, "gt": 1}.get(c.relation)


def compare(
    lhs: Any, rhs: Any, values: Values, *, prec: int = PREC, max_prec: int = MAX_PREC
) -> BallComparison:
    """How two expressions compare; "undefined" when a side is proved to have no real value."""
    named = _by_name(values)
    pair = _compiled_pair(
        sympy.sympify(lhs) if isinstance(lhs, int) else lhs,
        sympy.sympify(rhs) if isinstance(rhs, int) else rhs,
        tuple(sorted(named)),
    )
    return pair.compare(named, prec=prec, max_prec=max_prec)


class Pair:
    """Two expressions to be compared often. Build it with `compile_pair`; pickles as they do."""

    __slots__ = ("_difference", "_left", "_places", "_program", "_right", "lhs", "rhs", "symbols")

    def __init__(self, lhs: sympy.Basic, rhs: sympy.Basic, symbols: Sequence[sympy.Symbol]) -> None:
        self.lhs, self.rhs, self.symbols = lhs, rhs, tuple(symbols)
        self._program = Compiler([lhs, rhs], self.symbols, ExactZeroTest())
        self._left = self._program.compiled(lhs)
        self._right = self._program.compiled(rhs)
        self._places = CallSite(lhs, self._program.scope), CallSite(rhs, self._program.scope)
        self._difference = CallSite(logic.difference(lhs, rhs), self._program.scope)

    def __reduce__(self) -> tuple[Any, ...]:
        return Pair, (self.lhs, self.rhs, self.symbols)

    def compare(
        self, values: Values, *, prec: int = PREC, max_prec: int = MAX_PREC
    ) -> BallComparison:
        """As the function `compare`."""
        box = any(type(from_input(str(k), v)) is arb for k, v in values.items())
        nothing = Evaluated(None, None, "undecided")
        result = BallComparison("undecided", nothing, nothing)
        for bits in _precisions(prec, max_prec, box):
            result = self._at(values, bits, deep=bits >= DEEP_PREC)
            if result.relation != "undecided":
                return result
        return result

    def _at(self, values: Values, bits: int, deep: bool) -> BallComparison:
        state = _state(self._program, values, bits, deep)
        saved = ctx.prec
        ctx.prec = bits
        try:
            left, x = _side(state, self._left, self._places[0])
            right, y = _side(state, self._right, self._places[1])
            for side in (left, right):
                if side.status in ("undefined", "nonreal") and (x is None or y is None):
                    return BallComparison("undefined", left, right, side.reason)
            if x is None or y is None:
                return BallComparison("undecided", left, right, left.reason or right.reason)
            order = logic.order(state, self._difference, self._places, x, y)
        except Stop as stop:
            return BallComparison("undecided", left, right, str(stop))
        finally:
            ctx.prec = saved
        return BallComparison(_RELATIONS[order + 1], left, right)


_RELATIONS: tuple[Literal["lt"], Literal["eq"], Literal["gt"]] = ("lt", "eq", "gt")


def _side(state: State, closure: Any, site: CallSite) -> tuple[Evaluated, Value | None]:
    """What is known of one side, and its value if there is one (oo and -oo compare, too)."""
    try:
        x = state.real(site, closure(state))
    except Stop as stop:
        return _stopped(stop), None
    return _evaluated(x), x


def compile_pair(lhs: sympy.Basic, rhs: sympy.Basic, symbols: Sequence[sympy.Symbol]) -> Pair:
    """Compiles two expressions for `Pair.compare`. Raises UnsupportedExpression."""
    return Pair(lhs, rhs, symbols)


@lru_cache(maxsize=256)
def _compiled_pair(lhs: sympy.Basic, rhs: sympy.Basic, names: tuple[str, ...]) -> Pair:
    return Pair(lhs, rhs, _symbols([lhs, rhs], names))


def truth(
    statement: Any, values: Values, *, prec: int = PREC, max_prec: int = MAX_PREC
) -> TruthValue:
    """Whether a relational, Boolean or predicate expression holds."""
    named = _by_name(values)
    compiled = _compiled(statement, tuple(sorted(named)))
    box = any(type(from_input(k, v)) is arb for k, v in named.items())
    result = TruthValue(None, "undecided")
    for bits in _precisions(prec, max_prec, box):
        result = compiled.truth(named, bits, deep=bits >= DEEP_PREC)
        if result.status != "undecided":
            return result
    return result


# ---------------------------------------------------------------- boxes


def enclose_box(compiled: Compiled, boxes: Mapping[str, Any], prec: int = PREC) -> Evaluated:
    """Encloses all values over a box; each side a ball or a pair (lo, hi) of exact numbers.

    "ok": defined and real on the whole box, every value in ``ball``. "undefined", "nonreal": at every
    point. "undecided": perhaps undefined or not real somewhere in the box; never ignored.
    """
    program = compiled._program
    values: dict[str, object] = {}
    ends: dict[int, Range] = {}
    saved = ctx.prec
    ctx.prec = prec
    try:
        for slot, name in enumerate(program.names):
            box = boxes[name]
            if isinstance(box, tuple):
                lo, hi = (from_input(name, end) for end in box)
                if type(lo) is fmpq and type(hi) is fmpq:
                    if lo > hi:
                        raise ValueError(f"{name}: the box [{lo}, {hi}] is empty")
                    ends[slot] = lo, hi
                    box = lo if lo == hi else hull(lo, hi)
                else:
                    box = hull(lo, hi)
            values[name] = box
    finally:
        ctx.prec = saved
    state = _state(program, values, prec, False, ends)
    return _run(state, compiled._closure, CallSite(compiled.expr, program.scope))
