"""What is true instead of a refuted statement, each suggestion itself checked.

Suggestions: the non-strict form of a strict inequality; the range from which on, or up to which, the
statement holds; the statement without the point at which it is undefined; the law by which an equality
fails (a constant factor, an added constant, a power or a polynomial of the name); a formula for the
left side, conjectured from its values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import fmpq

from theorycheck.check.domain import Domains, Value, Variable, value_text
from theorycheck.check.judge import FAILS, HOLDS, UNDEFINED, Judge, PointOutcome
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.members import all_points
from theorycheck.check.problem import Problem
from theorycheck.check.text import Comparison, Connective
from theorycheck.check.verdict import Verdict
from theorycheck.formulas.explore import explore
from theorycheck.numbers.enclosure import Enclosure

Checker = Callable[[Problem, float], Verdict]
"""Checks a suggestion within so many seconds, without explaining in turn."""

Failure = tuple[dict[str, Value], PointOutcome]

_WEAKER = {"<": "<=", ">": ">="}
# How far beyond the last failure one must look before the rest of a range is suggested.
_LOOK = 400
# Values of a side from which a formula for it is conjectured, a third of them held out.
_FEWEST_VALUES = 6


def explain(
    problem: Problem, judge: Judge, failure: Failure, clock: Clock, checker: Checker
) -> tuple[str, ...]:
    """At most two sentences, the most telling first; empty if nothing true was found in time."""
    found: list[str] = []
    suggestions = itertools.chain(
        _undefined(problem, failure),
        _laws(problem, judge),
        _formulas(problem, judge),
        _non_strict(problem, failure),
        _ranges(problem, judge, failure, clock),
    )
    # A suggestion that cannot be worked out is left out; the verdict does not rest on it.
    with suppress(TimeUp, *GAVE_UP), clock.limit():
        for text, suggested in suggestions:
            if clock.out() or len(found) == 2:
                break
            verdict = checker(suggested, min(clock.left * 0.6, 6.0))
            if verdict.verdict == "holds":
                how = "proved" if verdict.proved else "no counterexample found"
                found.append(f"{text} ({how})")
    return tuple(found)


Suggestion = tuple[str, Problem]


def _undefined(problem: Problem, failure: Failure) -> Iterator[Suggestion]:
    point, outcome = failure
    if outcome.status != UNDEFINED or len(point) != 1:
        return
    ((name, value),) = point.items()
    symbol = problem.domains[name].symbol
    hypothesis = Comparison("!=", symbol, sp.sympify(value))
    changed = replace(problem, hypotheses=(*problem.hypotheses, hypothesis))
    yield f"holds for {name} != {value_text(value)}", changed


def _non_strict(problem: Problem, failure: Failure) -> Iterator[Suggestion]:
    goal = problem.goal
    if not isinstance(goal, Comparison) or goal.op not in _WEAKER:
        return
    if failure[1].status == FAILS:
        weaker = replace(problem, goal=replace(goal, op=_WEAKER[goal.op]))
        yield f"holds with {_WEAKER[goal.op]} in place of {goal.op}", weaker


def _ranges(problem: Problem, judge: Judge, failure: Failure, clock: Clock) -> Iterator[Suggestion]:
    """From the last failure on, or before the first one, for one integer name; a range that ends says so."""
    variables = problem.domains.variables
    if len(variables) != 1 or variables[0].kind not in ("integer", "prime"):
        return
    v = variables[0]
    last, seen = None, 0
    part = clock.slice(0.4)
    for point in all_points(problem.domains, judge):
        status = judge.at(point).status
        if status in (FAILS, UNDEFINED):
            last, seen = point[v.name], 0
        else:
            seen += 1
        if seen >= _LOOK + (last or 0) or part.out():
            break
    if v.low is None or not v.low.is_Integer:
        return
    first = failure[0][v.name]
    if isinstance(last, int) and seen >= 3 and last >= int(v.low):
        above = f"holds for {v.name} >= {last + 1}"
        if not v.high.is_infinite:
            above = f"holds for {v.name} in {last + 1}..{v.high}"
        yield above, _narrowed(problem, v, low=last + 1)
    if isinstance(first, int) and first - int(v.low) >= 3:
        text = f"holds for {v.name} in {v.low}..{first - 1}"
        yield text, _narrowed(problem, v, high=first - 1)


def _narrowed(
    problem: Problem, v: Variable, *, low: int | None = None, high: int | None = None
) -> Problem:
    changed = replace(
        v,
        low=v.low if low is None else sp.Integer(low),
        high=v.high if high is None else sp.Integer(high),
    )
    return replace(problem, domains=Domains((changed,)))


def _laws(problem: Problem, judge: Judge) -> Iterator[Suggestion]:
    """The law of lhs/rhs or lhs - rhs, fitted on some points; the check uses all the others."""
    goal = problem.goal
    if isinstance(goal, Connective) or not isinstance(goal, Comparison) or goal.op != "==":
        return
    table = list(_table(goal, problem, judge))
    if len(table) < 4:
        return
    quotients = [(p, a / b) for p, a, b in table if b != 0]
    differences = [(p, a - b) for p, a, b in table]
    if len(quotients) == len(table):
        for law in _fits(quotients, problem.domains):
            text = f"left side = ({law}) * right side"
            yield text, replace(problem, goal=Comparison("==", goal.lhs, law * goal.rhs))
            return
    for law in _fits(differences, problem.domains):
        text = f"left side = right side + ({law})"
        yield text, replace(problem, goal=Comparison("==", goal.lhs, goal.rhs + law))


def _formulas(problem: Problem, judge: Judge) -> Iterator[Suggestion]:
    """A formula for the left side, from its values alone; the right side may have another form."""
    goal = problem.goal
    if isinstance(goal, Connective) or not isinstance(goal, Comparison) or goal.op != "==":
        return
    table = list(_table(goal, problem, judge))
    names = [v.name for v in problem.domains.variables]
    if len(table) < _FEWEST_VALUES or not names:
        return
    values = [Enclosure(q, q) for q in (fmpq(a.numerator, a.denominator) for _, a, _ in table)]
    integers = [v.name for v in problem.domains.variables if v.symbol.is_integer]
    points = [{n: Fraction(p[n]) for n in names} for p, _, _ in table]
    for candidate in explore(points, values, names, integer=integers, most=2).candidates:
        if candidate.expression is None or not candidate.agrees:
            continue
        symbols = problem.domains.symbols
        law = candidate.expression.xreplace(
            {s: symbols[s.name] for s in candidate.expression.free_symbols}
        )
        yield f"left side = {law}", replace(problem, goal=Comparison("==", goal.lhs, law))


def _table(
    goal: Comparison, problem: Problem, judge: Judge
) -> Iterator[tuple[dict[str, Value], Fraction, Fraction]]:
    """Exact sides at a few small points of the domain."""
    left, right = judge.compiled(goal.lhs), judge.compiled(goal.rhs)
    found = 0
    for point in itertools.islice(_small_points(problem, judge), 60):
        if any(judge.truth(h, point).status != HOLDS for h in problem.hypotheses):
            continue
        a, b = (
            side.evaluate({s.name: point[s.name] for s in side.symbols}) for side in (left, right)
        )
        if a.exact is None or b.exact is None:
            continue
        found += 1
        yield point, _fraction(a.exact), _fraction(b.exact)
        if found == 12:
            return


def _fraction(q: Any) -> Fraction:
    return Fraction(int(q.p), int(q.q))


def _small_points(problem: Problem, judge: Judge) -> Iterator[dict[str, Value]]:
    if all(v.discrete for v in problem.domains.variables):
        yield from all_points(problem.domains, judge)
        return
    for values in itertools.product(
        (1, 2, 3, Fraction(1, 2), 5), repeat=len(problem.domains.variables)
    ):
        point = dict(zip((v.name for v in problem.domains.variables), values, strict=True))
        if judge.contains(point):
            yield point


def _fits(rows: list[tuple[dict[str, Value], Fraction]], domains: Domains) -> Iterator[Any]:
    """Constants; then, in one name, polynomials of degree up to 3, c*n**k and c*b**n."""
    values = [v for _, v in rows]
    if len(set(values)) == 1:
        yield _number(values[0])
        return
    if len(domains.variables) != 1:
        return
    n = domains.variables[0]
    points = [(Fraction(p[n.name]), v) for p, v in rows]
    for degree in (1, 2, 3):
        if len(points) > degree + 2:
            polynomial = sp.interpolate(
                [(_number(x), _number(y)) for x, y in points[: degree + 1]], n.symbol
            )
            if all(polynomial.subs(n.symbol, _number(x)) == _number(y) for x, y in points):
                yield sp.factor(polynomial)
                return
    yield from _power_laws(points, n.symbol)


def _power_laws(points: list[tuple[Fraction, Fraction]], n: Any) -> Iterator[Any]:
    used = [(x, y) for x, y in points if x > 0 and y != 0]
    if len(used) < 4:
        return
    for k in (-3, -2, -1, 1, 2, 3):
        constants = {y / x**k for x, y in used}
        if len(constants) == 1:
            yield _number(constants.pop()) * n**k
    if all(x.denominator == 1 for x, _ in used):
        bases = {(b[1] / a[1]) for a, b in itertools.pairwise(used) if b[0] - a[0] == 1}
        if len(bases) == 1:
            base = bases.pop()
            x, y = used[0]
            if abs(base) != 1 and y / base ** int(x) is not None:
                yield _number(y / base ** int(x)) * _number(base) ** n


def _number(q: Fraction) -> Any:
    return sp.Rational(q.numerator, q.denominator)
