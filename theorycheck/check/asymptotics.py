"""Statements about growth: evidence with the constant seen, a proof where an inequality proves it.

``f = O(g)`` and its relatives speak of one name that goes to oo. Where the limit of f/g is known by its expansion
(`theorycheck.check.expansions`), it decides. Elsewhere the quotient f/g is enclosed along
doubling values of it; what that shows is evidence, never a proof. The constant that was seen is then
tried as an inequality, ``Abs(f) <= C*Abs(g)`` from some value on, and only its proof proves the
statement; an inequality the other way round with a growing factor refutes it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy
from flint import arb

from theorycheck import balls
from theorycheck.check import expansions
from theorycheck.check.constants import is_zero
from theorycheck.check.domain import Point, Variable, to_value, value_text
from theorycheck.check.formula import Comparison, Predicate
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.problem import Problem
from theorycheck.check.refusal import InputError
from theorycheck.check.verdict import (
    CERTIFIED,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    REFUTED,
    SEARCHED,
    Verdict,
)
from theorycheck.check.vocabulary import ASYMPTOTIC

Checker = Callable[[Problem, float], Verdict]
"""The verdict on a problem within seconds."""

_DOUBLINGS, _LEAST = 60, 12
"""Values of the name: up to 2**60 times the first, where they can be evaluated; from twelve on there is
a tail of six to look at."""
_FROM = 4  # the value of the track from which on inequalities are tried: 32 where it begins at 2
_LIMIT = 0.3  # the share of the time for the limit of f/g
_OTHERS = 5  # values of every other name
_STEADY = 0.02
"""A quotient whose local exponent stays below this over the last values is called steady: over the 60
doublings it would change by a factor of 2**(60*0.02) = 2.3."""
_PREC = 128


@dataclass(frozen=True)
class QuotientTrack:
    """The quotient along the values of the name, the other names fixed."""

    at: Point
    values: tuple[int, ...]
    quotients: tuple[float, ...]
    logs: tuple[float, ...]
    """Logarithms of their absolute values, for those that no double holds; -inf at an exact 0."""

    @property
    def exponent(self) -> float:
        """Its local exponent over the second half of the values."""
        half = len(self.values) // 2
        first, last = self.logs[half], self.logs[-1]
        if -math.inf in (first, last):
            return last if last == -math.inf else math.inf
        return (last - first) / (math.log(self.values[-1]) - math.log(self.values[half]))


def is_asymptotic(problem: Problem) -> bool:
    """Whether the statement is about growth."""
    return isinstance(problem.goal, Predicate) and problem.goal.name in ASYMPTOTIC


def settle(problem: Problem, clock: Clock, checker: Checker) -> Verdict:
    """The verdict on a statement about growth, of a problem with one name that goes to infinity."""
    goal = problem.goal
    assert isinstance(goal, Predicate)
    name = problem.domains.unbounded()
    told = _by_the_limit(problem, name, goal, clock.slice(_LIMIT))
    found = _by_the_tracks(problem, name, goal, clock, checker)
    # An inequality has a constant, which a limit has not.
    return found if told is None or found.rung in (PROVED, CERTIFIED) else told


def _by_the_tracks(
    problem: Problem, name: Variable, goal: Predicate, clock: Clock, checker: Checker
) -> Verdict:
    """What the quotient does along values of the name, and an inequality with the constant seen."""
    tracks = [t for t in _tracks(problem, name, clock.slice(0.4)) if len(t.values) >= _LEAST]
    if not tracks:
        return problem.judged(
            INCONCLUSIVE, SEARCHED, reason="f/g could not be evaluated far enough"
        )
    against = _against(goal.name, tracks)
    seen = _seen(name, goal.name, tracks)
    if against is None:
        proved = _proved(problem, name, goal, tracks, clock, checker)
        if proved:
            return problem.judged(HOLDS, PROVED, covered="the whole domain", reason=proved)
        return problem.judged(HOLDS, SEARCHED, covered=seen, notes=(_WARNING,))
    refuted = _refuted(problem, name, goal, against, clock, checker)
    if refuted:
        return problem.judged(REFUTED, CERTIFIED, covered=seen, reason=refuted)
    how = f"f/g behaves like {name.name}**{against.exponent:.3g} as far as it was seen"
    return problem.judged(INCONCLUSIVE, SEARCHED, reason=how, covered=seen)


def _by_the_limit(
    problem: Problem, name: Variable, goal: Predicate, clock: Clock
) -> Verdict | None:
    """The verdict where the limit of f/g is known by its expansion, over the reals and so over integers."""
    if len(problem.domains.variables) > 1 or problem.hypotheses or name.kind == "prime":
        return None
    f, g = goal.args
    try:
        with clock.limit():
            found = expansions.limit(f / g, name.symbol, sympy.oo)
            truth = None if found is None else _told_by(goal.name, found)
    except (TimeUp, *GAVE_UP):
        return None
    if truth is None:
        return None
    reason = f"f/g tends to {found}, by its expansion at {name.name} = oo"
    if truth:
        return problem.judged(HOLDS, PROVED, covered="the whole domain", reason=reason)
    return problem.judged(REFUTED, CERTIFIED, reason=reason)


def _told_by(kind: str, limit: Any) -> bool | None:
    """Whether a limit of f/g makes a statement about growth true; None where its size is not decided."""
    size = 2 if limit in (sympy.oo, -sympy.oo) else 0 if limit == 0 else 1
    if size == 1 and not balls.sign(limit, {}):
        return None
    if kind == "asymptotic" and size == 1:
        apart = limit - 1
        return True if is_zero(apart) else False if balls.sign(apart, {}) else None
    true_for = {
        "asymptotic": (),
        "little_o": (0,),
        "big_o": (0, 1),
        "big_theta": (1,),
        "big_omega": (1, 2),
    }
    return size in true_for[kind]


_WARNING = "evidence at finitely many values: no finite data decide what happens at oo"


def _tracks(problem: Problem, name: Variable, clock: Clock) -> Iterator[QuotientTrack]:
    from theorycheck.check.judge import Judge
    from theorycheck.check.points import Points

    goal = problem.goal
    assert isinstance(goal, Predicate)
    f, g = goal.args
    judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    points = Points(replace(problem, goal=Comparison("<=", f, g)), judge)
    others = [v for v in problem.domains.variables if v is not name]
    quotient = f / g
    for at in _fixed(others, points):
        values: list[int] = []
        quotients: list[tuple[float, float]] = []
        for value in _doubling(name):
            if clock.out():
                break
            found = _quotient(quotient, {**at, name.name: value})
            if found is None:
                if values:
                    break
                continue
            values.append(value)
            quotients.append(found)
        yield QuotientTrack(
            at, tuple(values), tuple(q for q, _ in quotients), tuple(log for _, log in quotients)
        )


def _fixed(others: list[Variable], points: Any) -> Iterator[dict[str, object]]:
    """A few values of the names that stay, each given the ones before."""

    def grow(rest: list[Variable], at: dict[str, object]) -> Iterator[dict[str, object]]:
        if not rest:
            yield dict(at)
            return
        for value in points.candidates(rest[0], at, 0)[:_OTHERS]:
            yield from grow(rest[1:], {**at, rest[0].name: value})

    return itertools.islice(grow(others, {}), _OTHERS**2)


def _doubling(name: Variable) -> Iterator[int]:
    low = to_value(name.low) if name.low.is_Rational else 2
    start = max(2, math.ceil(low))
    if name.kind == "prime":
        raise InputError(f"{name.name} goes to oo through primes, which is not read; take integers")
    for k in range(_DOUBLINGS):
        yield start << k


def _quotient(expression: Any, at: Mapping[str, object]) -> tuple[float, float] | None:
    """f/g at a point to double precision, and log |f/g|; None where it has no value or is not decided."""
    needed = {s.name for s in expression.free_symbols}
    point = {n: v for n, v in at.items() if n in needed}
    if any(isinstance(v, sympy.Expr) for v in point.values()):
        return None
    try:
        found = balls.evaluate(expression, point, prec=_PREC)
    except balls.UnsupportedExpression as error:
        raise InputError(str(error)) from None
    if found.exact is not None:
        return _double_and_log(arb(found.exact))
    if found.ball is None or not found.ball.is_finite() or found.ball.rel_accuracy_bits() < 30:
        return None
    return _double_and_log(found.ball)


def _double_and_log(value: Any) -> tuple[float, float]:
    return float(value), -math.inf if value == 0 else float(abs(value).log())


# ---------------------------------------------------------------- what was seen


def _against(kind: str, tracks: list[QuotientTrack]) -> QuotientTrack | None:
    """The track that speaks most against the statement, None where none does."""
    grows = max(tracks, key=lambda t: t.exponent)
    falls = min(tracks, key=lambda t: t.exponent)
    if kind in ("big_o", "big_theta") and grows.exponent > _STEADY:
        return grows
    if kind in ("big_omega", "big_theta") and falls.exponent < -_STEADY:
        return falls
    if kind == "little_o":
        return grows if grows.exponent > -_STEADY and abs(grows.quotients[-1]) > _STEADY else None
    if kind == "asymptotic":
        far = max(tracks, key=lambda t: abs(t.quotients[-1] - 1))
        half = abs(far.quotients[len(far.quotients) // 2] - 1)
        off = abs(far.quotients[-1] - 1)
        return far if off > _STEADY and (off == math.inf or off > 0.9 * half) else None
    return None


def _seen(name: Variable, kind: str, tracks: list[QuotientTrack]) -> str:
    """The constants seen, in words."""
    largest = max((abs(q), n) for t in tracks for q, n in zip(t.quotients, t.values, strict=True))
    smallest = min((abs(q), n) for t in tracks for q, n in zip(t.quotients, t.values, strict=True))
    last = tracks[0]
    where = f"{name.name} = {last.values[0]}, {last.values[1]}, ..., {value_text(last.values[-1])}"
    parts = [where]
    if kind in ("big_o", "big_theta", "little_o"):
        parts.append(f"largest |f/g| {_size(largest[0])} at {name.name} = {value_text(largest[1])}")
    if kind in ("big_omega", "big_theta"):
        parts.append(f"least |f/g| {_size(smallest[0])} at {name.name} = {value_text(smallest[1])}")
    parts.append(f"f/g is {_size(last.quotients[-1])} at the last")
    return "; ".join(parts)


def _size(quotient: float) -> str:
    if math.isinf(quotient):
        return "over 1e308" if quotient > 0 else "under -1e308"
    return f"{quotient:.6g}"


def _proved(
    problem: Problem,
    name: Variable,
    goal: Predicate,
    tracks: list[QuotientTrack],
    clock: Clock,
    checker: Checker,
) -> str:
    """The inequalities that prove the statement, '' where they were not proved."""
    f, g = goal.args
    start = tracks[0].values[_FROM]
    quotients = [abs(q) for t in tracks for q in t.quotients[_FROM:]]
    if not (
        math.isfinite(max(quotients)) and (min(quotients) == 0 or 1 / min(quotients) < math.inf)
    ):
        return ""  # beyond the floats: no constant was seen
    problem = _from(problem, name, start)
    wanted: list[tuple[str, Any]] = []
    if goal.name in ("big_o", "big_theta"):
        wanted.append(("<=", sympy.Integer(math.floor(max(quotients)) + 1)))
    if goal.name in ("big_omega", "big_theta"):
        least = min(quotients)
        if least <= 0:
            return ""
        wanted.append((">=", sympy.Rational(1, math.floor(1 / least) + 1)))
    if not wanted:
        return ""
    shown = []
    for op, c in wanted:
        left, right = sympy.Abs(f, evaluate=False), sympy.Mul(c, sympy.Abs(g, evaluate=False))
        inequality = _plain_sides(Comparison(op, left, right), tracks, f, g, c)
        found = checker(replace(problem, goal=inequality), max(clock.left * 0.45, 0.5))
        if not (found.verdict == HOLDS and found.proved):
            return ""
        how = found.reason or found.covered
        shown.append(f"|f| {op} {c} |g| for {name.name} >= {start}: {how}")
    return "; ".join(shown)


def _from(problem: Problem, name: Variable, start: int) -> Problem:
    """The problem for values of the name from ``start`` on."""
    ends = f"{start}..oo" if name.discrete else f"[{start}, oo)"
    later = replace(name, low=sympy.Integer(start), low_open=False, text=ends)
    variables = tuple(later if v is name else v for v in problem.domains.variables)
    return replace(problem, domains=replace(problem.domains, variables=variables))


def _plain_sides(
    inequality: Comparison, tracks: list[QuotientTrack], f: Any, g: Any, c: Any
) -> Comparison | Any:
    """Without Abs where f and g were positive throughout: f <= c g is what provers know. With it goes
    f >= 0 and g >= 0, which must be proved as well."""
    from theorycheck.check.formula import Connective

    if not all(q > 0 for t in tracks for q in t.quotients):
        return inequality
    zero = sympy.Integer(0)
    bounds = Comparison(inequality.op, f, sympy.Mul(c, g, evaluate=False))
    return Connective("and", (bounds, Comparison(">=", f, zero), Comparison(">=", g, zero)))


def _refuted(
    problem: Problem,
    name: Variable,
    goal: Predicate,
    against: QuotientTrack,
    clock: Clock,
    checker: Checker,
) -> str:
    """A proof that the quotient is not bounded, '' without one: half the exponent that was seen, at most
    1, is tried as an inequality."""
    if (
        goal.name not in ("big_o", "big_theta")
        or against.exponent <= 0
        or len(problem.domains.variables) > 1
    ):
        return ""
    f, g = goal.args
    power = sympy.Rational(max(1, math.floor(min(against.exponent, 2) * 4)), 8)
    growing = Comparison(">=", f, sympy.Mul(g, name.symbol**power, evaluate=False))
    start = against.values[_FROM]
    problem = _from(problem, name, start)
    positive = Comparison(">", g, sympy.Integer(0))
    for part in (growing, positive):
        found = checker(replace(problem, goal=part), max(clock.left * 0.45, 0.5))
        if not (found.verdict == HOLDS and found.proved):
            return ""
    return f"f >= g {name.name}**({power}) for all {name.name} >= {start} (proved), so f/g has no bound"


__all__ = ["is_asymptotic", "settle"]
