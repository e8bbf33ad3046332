"""Statements with constants that are not given: ``there is C: for all n >= 1: f(n) <= C*g(n)``.

Where the statement is a conjunction of comparisons, each linear in one constant c, A + B c >= 0 (or > 0) at a point
says c >= -A/B where B > 0 and c <= -A/B where B < 0. Values that satisfy what is known at some points are tried, and
the first for which the statement is proved for all values of the other names is the constant.

It is refuted by what no constant satisfies: a way to the end of the ranges on which B has a sign from some point on
and -A/B tends to infinity, or beyond the range of c (limits by `theorycheck.check.expansions`); two points of which
one wants c >= r and the other c <= s for s < r; or a part without the constants that is false.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check import expansions
from theorycheck.check.domain import Domains, Value, Variable
from theorycheck.check.forms import conjuncts, evaluated
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.judge import HOLDS as TRUE
from theorycheck.check.judge import Judge, expressions_of
from theorycheck.check.judge import replace as put
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.points import Points, describe
from theorycheck.check.problem import Problem
from theorycheck.check.region import formula_text, put_formula
from theorycheck.check.verdict import (
    CERTIFIED,
    EXHAUSTIVE,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    REFUTED,
    SEARCHED,
    Verdict,
)

Checker = Callable[[Problem, float], Verdict]
"""The verdict on a problem within seconds."""

# Limits of the effort; none of them enters a verdict, which rests on a proof, or on exact values.
# Shares of the time left: for ways to infinity, for what points want, and for each value that is tried: most of it
# is left to the proof. A part without constants is false at once or not soon.
_WAYS, _WANTED, _TRY, _PART_SECONDS = 0.2, 0.15, 0.4, 2.0
# Points that candidates are read off, and of those for contradictions, which are compared in pairs.
_POINTS, _EXACT_POINTS = 120, 12
# Each candidate costs a proof; ways are cheap, and grow with the number of names as a power.
_MOST_TRIED, _MOST_WAYS = 8, 60
# What is simplified to see a constant that does not depend on the names: longer ones take SymPy seconds.
_MOST_PARTS = 60
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_WITHOUT_DEMANDS = (1, 2, Fraction(1, 2), 10, Fraction(1, 10), 0, -1, 100, 1000, 10**6)


@dataclass(frozen=True)
class _Demand:
    """``A + B c >= 0``, or > 0, of the constant c, at every point."""

    constant: Variable
    a: Any
    b: Any
    part: Comparison


@dataclass(frozen=True)
class _Bound:
    """What a demand makes of the constant at a point: at least ``value``, or at most."""

    value: Any
    lower: bool
    where: str


def settle(problem: Problem, clock: Clock, checker: Checker) -> Verdict:
    """The verdict on a statement with constants that are not given."""
    constants = [problem.domains[name] for name in problem.constants]
    demands = list(_demands(problem.goal, constants))
    for stage in (_by_a_part, _by_ways, _by_points):
        try:
            with clock.slice(_WAYS).limit():
                reason = stage(problem, constants, demands, checker)
        except (TimeUp, *GAVE_UP):
            reason = ""
        if reason:
            return problem.judged(REFUTED, CERTIFIED, reason=reason, why=(reason,))
    held = ""
    tried = []
    for values in _values(problem, constants, demands, clock.slice(_WANTED)):
        text = ", ".join(f"{v.name} = {value}" for v, value in zip(constants, values, strict=True))
        found = checker(_given(problem, constants, values), max(clock.left * _TRY, 0.3))
        if found.verdict == HOLDS and found.proved:
            how = "; ".join(part for part in (f"with {text}", found.reason) if part)
            return problem.judged(
                HOLDS,
                EXHAUSTIVE if found.rung == EXHAUSTIVE else PROVED,
                covered=found.covered,
                reason=how,
                why=(f"take {text}", *found.why),
            )
        if found.verdict == HOLDS:
            held = held or text
        tried.append(text)
        if clock.out():
            break
    if held:
        reason = f"with {held} no counterexample was found, but it is not proved"
    else:
        reason = "no constant was found, and none was shown not to exist"
    return problem.judged(INCONCLUSIVE, SEARCHED, reason=reason, covered="; ".join(tried))


def _given(problem: Problem, constants: Sequence[Variable], values: Sequence[Any]) -> Problem:
    """The problem for all values of the other names, with values for the constants."""
    known = {v.symbol: sp.sympify(x) for v, x in zip(constants, values, strict=True)}
    others = tuple(
        replace(
            v,
            low=None if v.low is None else put(v.low, known),
            high=None if v.high is None else put(v.high, known),
        )
        for v in problem.domains.variables
        if v.name not in problem.constants
    )
    return replace(
        problem,
        domains=Domains(others),
        goal=put_formula(problem.goal, known),
        constants=(),
    )


# ---------------------------------------------------------------- what is wanted of a constant


def _demands(goal: Formula, constants: Sequence[Variable]) -> Iterator[_Demand]:
    """Those of the parts of a conjunction that are linear in one constant."""
    symbols = {v.symbol: v for v in constants}
    for part in conjuncts(goal):
        if not isinstance(part, Comparison) or part.op == "!=":
            continue
        gap = evaluated(part.lhs) - evaluated(part.rhs)
        here = [c for c in symbols if c in gap.free_symbols]
        if len(here) != 1:
            continue
        c = here[0]
        b = sp.diff(gap, c)
        if c in b.free_symbols or b.has(sp.Derivative, sp.Subs):
            continue
        a = gap.xreplace({c: _ZERO})
        if part.op in (">", ">=", "=="):
            yield _Demand(symbols[c], a, b, part)
        if part.op in ("<", "<=", "=="):
            yield _Demand(symbols[c], -a, -b, part)


def _by_a_part(
    problem: Problem, constants: Sequence[Variable], demands: Sequence[_Demand], checker: Checker
) -> str:
    """A part in which no constant stands, where it is false."""
    del demands
    names = {v.symbol for v in constants}
    ends = {
        s
        for v in problem.domains.variables
        for e in (v.low, v.high)
        if e is not None
        for s in e.free_symbols
    }
    if names & ends:
        return ""
    for part in conjuncts(problem.goal):
        if any(names & e.free_symbols for e in expressions_of(part)):
            continue
        others = Domains(tuple(v for v in problem.domains.variables if v.symbol not in names))
        found = checker(replace(problem, domains=others, goal=part, constants=()), _PART_SECONDS)
        if found.verdict == REFUTED:
            point = ", ".join(f"{k} = {x}" for k, x in (found.counterexample or {}).items())
            return f"{formula_text(part)} is false at {point}, whatever the constant"
    return ""


# ---------------------------------------------------------------- ways to the end of the ranges


def _by_ways(
    problem: Problem, constants: Sequence[Variable], demands: Sequence[_Demand], checker: Checker
) -> str:
    """A way on which a demand goes beyond all values of its constant."""
    del checker
    others = [v for v in problem.domains.variables if v.name not in problem.constants]
    names = {v.symbol for v in constants}
    if problem.hypotheses or any(names & _names_of(v) for v in others):
        return ""
    t = sp.Symbol("t", integer=True, positive=True)
    for way in itertools.islice(_ways(others, t), _MOST_WAYS):
        for demand in demands:
            a, b = (evaluated(e.xreplace(way)) for e in (demand.a, demand.b))
            sign = _eventually(b, t)
            if not sign:
                continue
            limit = _limit(-a / b, t)
            beyond = limit is not None and _beyond(limit, demand.constant, up=sign > 0)
            if beyond:
                c, side = demand.constant.name, "least" if sign > 0 else "most"
                on = ", ".join(f"{s} = {e}" for s, e in way.items())
                want = f"{formula_text(demand.part)} wants {c} to be at {side} {-a / b}"
                return f"for {on}: {want}, which tends to {limit} as t -> oo"
    return ""


def _names_of(v: Variable) -> set[Any]:
    return {s for e in (v.low, v.high) if e is not None for s in e.free_symbols}


def _ways(others: Sequence[Variable], t: Any) -> Iterator[dict[Any, Any]]:
    """Values of all names in t = 1, 2, 3, ..., from some t on inside of their ranges."""

    def grow(rest: Sequence[Variable], way: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
        if not rest:
            if any(t in e.free_symbols for e in way.values()):
                yield dict(way)
            return
        v = rest[0]
        for e in _courses(v, way, t):
            if _inside(v, e, way, t):
                yield from grow(rest[1:], {**way, v.symbol: e})

    yield from grow(others, {})


def _courses(v: Variable, way: Mapping[Any, Any], t: Any) -> Iterator[Any]:
    if v.kind == "set":
        yield from v.values
        return
    if v.kind not in ("integer", "real"):
        return
    low, high = (e.xreplace(dict(way)) for e in (v.low, v.high))
    if high == sp.oo:
        yield t
    if low == -sp.oo:
        yield -t
    real = v.kind == "real"
    for end, is_open, step in ((low, v.low_open, 1 / t), (high, v.high_open, -1 / t)):
        if end.is_infinite:
            continue
        if not is_open:
            yield end
        if real:
            yield end + step
    if high == sp.oo:
        yield from (x + _ONE for x in ([low] if low.is_finite else []))
        if t in {s for e in way.values() for s in e.free_symbols}:
            yield t**2
    yield from (_ONE, sp.Integer(2)) if not real else (sp.Rational(1, 2), _ONE)


def _inside(v: Variable, e: Any, way: Mapping[Any, Any], t: Any) -> bool:
    """Whether it is known that the value lies in the range from some t on."""
    if v.kind == "set":
        return True
    if v.kind == "integer" and not e.is_integer:
        return False
    low, high = (x.xreplace(dict(way)) for x in (v.low, v.high))
    for room, is_open in ((e - low, v.low_open), (high - e, v.high_open)):
        if room == sp.oo:
            continue
        room = sp.expand(room)
        if room == 0:
            if is_open:
                return False
        elif _eventually(room, t) != 1:
            return False
    return True


def _limit(e: Any, t: Any) -> Any | None:
    return e if t not in e.free_symbols else expansions.limit(e, t, sp.oo)


def _eventually(e: Any, t: Any) -> int:
    """The sign of an expression from some t on; 0 where it is not known, or zero."""
    if t not in e.free_symbols:
        return balls.sign(e, {}) or 0
    limit = _limit(e, t)
    if limit is not None and limit.is_zero:
        limit = _limit(1 / e, t)
    if limit is None or limit is sp.nan:
        return 0
    if limit in (sp.oo, -sp.oo):
        return 1 if limit == sp.oo else -1
    return balls.sign(limit, {}) or 0


def _beyond(limit: Any, c: Variable, *, up: bool) -> bool:
    """Whether no c of its range is >= the limit, or what tends to it (or <=, where ``up`` is False)."""
    end, is_open = (c.high, c.high_open) if up else (c.low, c.low_open)
    if c.kind not in ("integer", "real"):
        return False
    if limit in (sp.oo, -sp.oo):
        return bool(limit == (sp.oo if up else -sp.oo))
    if end.is_infinite or end.free_symbols or limit.free_symbols:
        return False
    order = balls.sign(limit - end, {})
    return order == (1 if up else -1) or (order == 0 and is_open)


# ---------------------------------------------------------------- what points want


def _bounds(
    problem: Problem, constants: Sequence[Variable], demands: Sequence[_Demand], most: int
) -> Iterator[tuple[Variable, _Bound]]:
    """What is wanted of the constants at points that satisfy the hypotheses, exactly."""
    some = [_member(v) for v in constants]
    if any(x is None for x in some):
        return
    base = _given(problem, constants, some)
    judge = Judge(base.domains, base.goal, base.hypotheses)
    points = Points(base, judge)
    for point in itertools.islice(points.structured(0), most):
        if not judge.contains(point) or any(
            judge.truth(h, point).status != TRUE for h in base.hypotheses
        ):
            continue
        values = {v.symbol: _exact(point[v.name]) for v in base.domains.variables}
        for demand in demands:
            a, b = (put(e, values) for e in (demand.a, demand.b))
            sign = balls.sign(b, {}) if not b.free_symbols else None
            if sign and not a.free_symbols:
                yield demand.constant, _Bound(-a / b, sign > 0, describe(point))


def _exact(value: Value) -> Any:
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.sympify(value)


def _member(v: Variable) -> Any | None:
    """Some value of a range of numbers; None where its ends are not given."""
    if v.kind == "set":
        return v.values[0]
    if v.low.free_symbols or v.high.free_symbols:
        return None
    found = (x for x in _near(v, None, None) if _within(v, x))
    return next(found, None)


def _within(v: Variable, x: Any) -> bool:
    if v.kind == "set":
        return x in v.values
    if v.kind == "integer" and not sp.sympify(x).is_integer:
        return False
    if v.kind not in ("integer", "real"):
        return False
    for room, is_open in ((x - v.low, v.low_open), (v.high - x, v.high_open)):
        sign = 1 if room == sp.oo else balls.sign(sp.sympify(room), {})
        if sign not in ((1,) if is_open else (0, 1)):
            return False
    return True


def _by_points(
    problem: Problem, constants: Sequence[Variable], demands: Sequence[_Demand], checker: Checker
) -> str:
    """Two points that want what no number is."""
    del checker
    if any(v.symbol in _names_of(w) for v in constants for w in problem.domains.variables):
        return ""
    names = {v.symbol for v in constants}
    if any(names & e.free_symbols for h in problem.hypotheses for e in expressions_of(h)):
        return ""
    found = list(_bounds(problem, constants, demands, _EXACT_POINTS))
    for v in constants:
        bounds = [b for w, b in found if w is v]
        lower = [b for b in bounds if b.lower]
        upper = [b for b in bounds if not b.lower]
        for low, high in itertools.product(lower, upper):
            if balls.sign(low.value - high.value, {}) == 1:
                first = f"at {low.where} {v.name} has to be at least {low.value}"
                return f"{first}, at {high.where} at most {high.value}"
        for bound in bounds:
            if _beyond(bound.value, v, up=bound.lower):
                side = "least" if bound.lower else "most"
                return f"at {bound.where} {v.name} has to be at {side} {bound.value}"
    return ""


# ---------------------------------------------------------------- values that are tried


def _values(
    problem: Problem, constants: Sequence[Variable], demands: Sequence[_Demand], clock: Clock
) -> Iterator[tuple[Any, ...]]:
    """Values of all constants, in the order in which they are tried."""
    lists = []
    known: dict[str, list[_Bound]] = {v.name: [] for v in constants}
    try:
        with clock.limit():
            for v, bound in _bounds(problem, constants, demands, _POINTS):
                known[v.name].append(bound)
    except (TimeUp, *GAVE_UP):
        pass  # candidates only: those read off the points until then are tried
    for v in constants:
        own = [d for d in demands if d.constant is v]
        found = [x for x in _candidates(v, own, known[v.name]) if _within(v, x)]
        lists.append(list(dict.fromkeys(found))[:_MOST_TRIED])
    for i in range(max(map(len, lists), default=0)):
        if all(lists):
            yield tuple(x[min(i, len(x) - 1)] for x in lists)


def _candidates(v: Variable, demands: Sequence[_Demand], bounds: Sequence[_Bound]) -> Iterator[Any]:
    for demand in demands:
        needed = sp.simplify(-demand.a / demand.b) if demand.a.count_ops() < _MOST_PARTS else None
        if needed is not None and not needed.free_symbols and needed.is_finite:
            yield needed
    lower = [x for b in bounds if b.lower and (x := _float(b.value)) is not None]
    upper = [x for b in bounds if not b.lower and (x := _float(b.value)) is not None]
    least, most = max(lower, default=None), min(upper, default=None)
    yield from _near(v, least, most)
    yield from v.values if v.kind == "set" else (e for e in (v.low, v.high) if e.is_finite)
    if least is not None:
        yield next(b.value for b in bounds if b.lower and _float(b.value) == least)
    if most is not None:
        yield next(b.value for b in bounds if not b.lower and _float(b.value) == most)


def _float(value: Any) -> float | None:
    found = float(value.evalf(30)) if value.is_real else math.nan
    return found if math.isfinite(found) else None


def _near(v: Variable, least: float | None, most: float | None) -> Iterator[Any]:
    """Simple numbers between what is wanted, from a little to much room."""
    if least is not None and most is not None:
        middle = Fraction((least + most) / 2)
        yield from (_exact(middle.limit_denominator(d)) for d in (1, 2, 4, 10, 100, 10**4))
    elif least is not None:
        base = math.ceil(least)
        yield from map(
            sp.Integer, (base, base + 1, max(2 * base, 1), max(10 * base, 10), max(100 * base, 100))
        )
    elif most is not None and most > 0:
        base = math.floor(1 / most) + 1
        yield from (sp.Integer(math.floor(most)),) if most >= 1 else ()
        yield from (sp.Rational(1, base * k) for k in (1, 2, 10, 100))
    elif most is not None:
        yield from (sp.Integer(math.floor(most) - k) for k in (0, 1, 10, 100))
    else:
        if v.kind != "set" and v.low.is_finite and not v.low_open:
            yield v.low
        yield from map(_exact, _WITHOUT_DEMANDS)
        if v.kind != "set" and v.low.is_finite and v.high.is_finite:
            yield (v.low + v.high) / 2


__all__ = ["settle"]
