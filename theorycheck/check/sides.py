"""The two sides at a counterexample, printed to the digits that show the difference."""

from __future__ import annotations

from typing import Any

import sympy
from flint import ctx

from theorycheck.check.domain import Point, value_text
from theorycheck.check.judge import Judge, PointOutcome
from theorycheck.check.region import formula_text
from theorycheck.check.text import Comparison, Formula, Predicate

_SHORT = 60
_MOST_DIGITS = 1000


def both_sides(
    formula: Formula | None, point: Point, judge: Judge
) -> tuple[str | None, str | None]:
    """Text of the left and the right side at the point; None for a side that there is not."""
    if isinstance(formula, Predicate):
        return _one(formula.args[0], point, judge), None
    if not isinstance(formula, Comparison):
        return None, None
    lhs, rhs, values = judge.specialised((formula.lhs, formula.rhs), point)
    left, right = judge.compiled(lhs), judge.compiled(rhs)
    order, _ = judge.order(formula.lhs, formula.rhs, point)
    texts: tuple[str, str] = ("", "")
    for digits in (15, 30, 60, 120, 250, 500, _MOST_DIGITS):
        texts = (_text(left, values, digits), _text(right, values, digits))
        decimal = (_decimal(left, values, digits), _decimal(right, values, digits))
        if decimal[0] != decimal[1] or order in ("eq", "alike", "undefined", "undecided"):
            return texts
    return texts


def at_counterexample(
    formula: Formula | None, point: Point, outcome: PointOutcome, judge: Judge
) -> tuple[str, ...]:
    """Why the statement fails at a point, one line each: the part that decides, put in, and its digits."""
    where = ", ".join(f"{name} = {value_text(v)}" for name, v in point.items())
    lines = [f"at {where}" if where else "there is no name in it"]
    if outcome.reason:
        lines.append(outcome.reason)
    if isinstance(formula, Comparison):
        lines.append(f"the part that decides: {formula_text(formula)}")
        lhs, rhs, values = judge.specialised((formula.lhs, formula.rhs), point)
        difference = sympy.Add(lhs, sympy.Mul(-1, rhs, evaluate=False), evaluate=False)
        if not outcome.reason:
            lines.append(f"left - right = {_text(judge.compiled(difference), values, 15)}")
    return tuple(lines)


def _one(expression: Any, point: Point, judge: Judge) -> str | None:
    specialised, values = judge.specialised((expression,), point)
    return _text(judge.compiled(specialised), values, 30)


def _evaluated(side: Any, values: Any, bits: int) -> Any:
    """At more bits where so few leave a step of floor or a sign open."""
    for more in (1, 4, 16):
        result = side.evaluate(values, bits * more, deep=more > 1)
        if result.status != "undecided":
            break
    return result


def _decimal(side: Any, values: Any, digits: int) -> str:
    """The same form for both sides, so that only the digits can differ."""
    bits = int(digits * 3.33) + 64
    result = _evaluated(side, values, bits)
    return "" if result.status != "ok" else _digits(result.ball, bits, digits)


def _digits(ball: Any, bits: int, digits: int) -> str:
    saved = ctx.prec
    try:
        ctx.prec = bits
        around_zero = ball.contains(0) and not ball.is_zero()  # it has no digit: its size is told
        return str(ball.str(digits) if around_zero else ball.str(digits, radius=False))
    finally:
        ctx.prec = saved


def _text(side: Any, values: Any, digits: int) -> str:
    bits = int(digits * 3.33) + 64
    result = _evaluated(side, values, bits)
    if result.status != "ok":
        return f"{result.status}" + (f" ({result.reason})" if result.reason else "")
    if result.exact is not None:
        exact = str(result.exact)
        if len(exact) <= max(_SHORT, digits):
            return exact
    return _digits(result.ball, bits, digits)
