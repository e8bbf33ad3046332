"""From a counterexample to the simplest one: small integers, rationals of small denominator."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from theorycheck.check.algebra import simplest_between
from theorycheck.check.domain import Value, Variable
from theorycheck.check.judge import FAILS, UNDECIDED, UNDEFINED, Judge, PointOutcome
from theorycheck.check.limits import Clock, TimeUp
from theorycheck.check.members import EndNotDecided, all_points, values
from theorycheck.check.points import Points, simple_rationals

Found = tuple[dict[str, Value], PointOutcome]

_SIMPLE = simple_rationals(12)
_BISECTIONS = 60


def shrink(found: Found, judge: Judge, points: Points, clock: Clock) -> Found:
    """A counterexample of the same kind that is at least as simple, within the time."""
    changed = True
    while changed and not clock.out():
        changed = False
        for variable in judge.domains.variables:
            smaller = _shrink_name(variable, found, judge, points, clock)
            if smaller is not None:
                found, changed = smaller, True
    return found


def smallest(found: Found, judge: Judge, clock: Clock) -> tuple[Found, bool]:
    """The first counterexample in order, for discrete domains; True if it is proved to be the first:
    the search got that far, and every point before it was decided."""
    decided = True
    try:
        with clock.limit():
            for point in all_points(judge.domains, judge):
                if point == found[0]:
                    return found, decided
                if clock.out():
                    break
                outcome = judge.at(point)
                decided &= outcome.status != UNDECIDED
                if outcome.status in (FAILS, UNDEFINED):
                    return (point, outcome), decided
    except (TimeUp, EndNotDecided):
        pass
    return found, False


def _shrink_name(
    variable: Variable, found: Found, judge: Judge, points: Points, clock: Clock
) -> Found | None:
    point, outcome = found
    value = point[variable.name]
    for candidate in _simpler(variable, found, judge, points):
        if clock.out():
            return None
        if candidate == value:
            return None
        replaced = {**point, variable.name: candidate}
        tested = _fails(replaced, judge, outcome.status)
        if tested is not None:
            return replaced, tested
    return None


def _fails(point: dict[str, Value], judge: Judge, status: str) -> PointOutcome | None:
    if not judge.contains(point):
        return None
    outcome = judge.at(point)
    return outcome if outcome.status == status else None


def _simpler(variable: Variable, found: Found, judge: Judge, points: Points) -> Iterator[Value]:
    """Simpler values first; ends with the value itself at the latest."""
    point = found[0]
    value = point[variable.name]
    if variable.kind == "real":
        yield from _simpler_reals(variable, found, judge)
        return
    earlier = {}
    for other in judge.domains.variables:
        if other.name == variable.name:
            break
        earlier[other.name] = point[other.name]
    small = list(itertools.islice(values(variable, earlier, judge), 2000))
    yield from small
    if variable.kind == "integer" and isinstance(value, int) and small and value not in small:
        # Bisect towards the small end; failing sets that are not intervals lose nothing by it.
        near, far = small[-1], value
        while abs(far - near) > 1:
            middle = (near + far) // 2
            if _fails({**point, variable.name: middle}, judge, found[1].status) is not None:
                far = middle
            else:
                near = middle
        special = points.candidates(variable, earlier, 1)
        yield from sorted((v for v in special if abs(v) < abs(far)), key=abs)
        yield far


def _size(value: Any) -> tuple[Any, ...]:
    q = Fraction(value)
    return (q.denominator + abs(q.numerator), abs(q), q < 0)


def _simpler_reals(variable: Variable, found: Found, judge: Judge) -> Iterator[Value]:
    point = found[0]
    value = point[variable.name]
    if not isinstance(value, int | Fraction):
        yield from _SIMPLE
        return
    for simple in _SIMPLE:
        if _size(simple) >= _size(value):
            return
        yield _plain(simple)
    # The failing region around the value, as far as bisection sees it, and its simplest rational.
    low = _edge(variable, found, judge, -1)
    high = _edge(variable, found, judge, 1)
    q = Fraction(value)
    for shrunk in (Fraction(1, 10**9), Fraction(1, 10), Fraction(1, 2)):
        a, b = low + (q - low) * shrunk, high - (high - q) * shrunk
        if a < b:
            best = simplest_between(a, b)
            if _size(best) < _size(q):
                yield _plain(best)


def _edge(variable: Variable, found: Found, judge: Judge, side: int) -> Fraction:
    """How far the statement keeps failing to one side of the value, found by doubling, bisection."""
    point, outcome = found
    inside = Fraction(point[variable.name])
    step = (abs(inside) or 1) * Fraction(1, 2**40)
    outside = None
    for _ in range(100):
        trial = inside + side * step
        if _fails({**point, variable.name: _plain(trial)}, judge, outcome.status) is None:
            outside = trial
            break
        inside, step = trial, step * 2
    if outside is None:
        return inside
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if _fails({**point, variable.name: _plain(middle)}, judge, outcome.status) is None:
            outside = middle
        else:
            inside = middle
    return inside


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value
