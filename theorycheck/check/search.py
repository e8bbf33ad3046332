"""Optimisation of the gap between the two sides: where it is smallest, a failure may hide."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from theorycheck.check.algebra import ends, fits
from theorycheck.check.boxes import Box, Subdivision, explore, initial_boxes
from theorycheck.check.crossing import Crossing, crossing
from theorycheck.check.domain import Value, Variable
from theorycheck.check.forms import conjuncts
from theorycheck.check.judge import Judge
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.points import Points
from theorycheck.check.problem import Problem
from theorycheck.check.region import Found, Region
from theorycheck.check.steps import one_period
from theorycheck.check.text import Comparison

_STARTS = 12
_STEPS = 60
# Beside a zero, even a simple one, the gap grows by this factor within so many widths of a box.
_ASIDE, _DIP = 2**16, 2**8
# The exponent of the first part of an unbounded range that is searched, and its share of the time.
_NEARBY, _NEARBY_SHARE = 10, 0.3


@dataclass
class Searched:
    """``open`` names the places that branch and bound could not settle, for strict parts; ``crossing``
    is one at which the sides of such a part are proved equal."""

    found: list[dict[str, Value]]
    boxes: int = 0
    open: str = ""
    crossing: Crossing | None = None


def drill(problem: Problem, judge: Judge, clock: Clock) -> Searched:
    """Best-first branch and bound on every comparison of the statement."""
    region = Region(problem.domains.variables, problem.hypotheses)
    result = Searched([])
    if not any(v.kind == "real" for v in region.variables) or any(
        v.kind in ("prime", "set") for v in region.variables
    ):
        return result
    parts = [p for p in conjuncts(problem.goal) if isinstance(p, Comparison) and p.op != "=="]
    for part in parts:
        share = clock.slice(1 / len(parts))
        try:
            result.crossing = result.crossing or _nearby(part, problem, region, judge, share)
            if result.crossing is not None:
                return result
            with share.limit():
                whole = region
                if len(region.variables) == 1 and not region.hypotheses:
                    whole = Region((one_period(part, region.variables[0]),))
                boxes = initial_boxes(whole, unbounded=True)
                exploration: Subdivision = explore(part, whole, judge, share, boxes)
        except Found as found:
            result.found = found.points
            return result
        except (TimeUp, *GAVE_UP):
            continue
        result.boxes += exploration.boxes
        if part.op not in ("<", ">", "!="):
            continue
        for box in exploration.open:
            result.crossing = result.crossing or crossing(part, problem, judge, box)
        exploration.open = [b for b in exploration.open if _dips(part, judge, problem, b)]
        if exploration.open:
            result.open = exploration.where([v.name for v in region.variables])
    return result


def _nearby(
    c: Comparison, problem: Problem, region: Region, judge: Judge, clock: Clock
) -> Crossing | None:
    """A crossing not far from 0 on an unbounded range, looked for first: farther out exponentials are beyond
    balls, and the boxes there, which have no enclosure, would take all the time. Raises Found."""
    variables = region.variables
    if c.op not in ("<", ">", "!=") or len(variables) != 1 or region.hypotheses:
        return None
    if not (variables[0].low.is_infinite or variables[0].high.is_infinite):
        return None
    share = clock.slice(_NEARBY_SHARE)
    try:
        with share.limit():
            boxes = initial_boxes(region, unbounded=True, reach=_NEARBY)
            places = explore(c, region, judge, share, boxes).open
            return next((f for box in places if (f := crossing(c, problem, judge, box))), None)
    except (TimeUp, *GAVE_UP):
        return None


def _dips(c: Comparison, judge: Judge, problem: Problem, box: Box) -> bool:
    """Whether the sides come closer in a tiny box than beside it: elsewhere the box is open for want
    of digits only, as where both sides have the same pole."""
    variables = problem.domains.variables
    names = [v.name for v in variables]
    for v, (a, b) in zip(variables, box, strict=True):
        ends = [e for e, is_open in ((v.low, v.low_open), (v.high, v.high_open)) if is_open]
        if any(e.is_Rational and Fraction(int(e.p), int(e.q)) in (a, b) for e in ends):
            return False  # where they would meet lies outside
    middle: dict[str, Value] = {n: (a + b) / 2 for n, (a, b) in zip(names, box, strict=True)}
    here = _distance(c, judge, middle)
    beside = []
    for n, (a, b) in zip(names, box, strict=True):
        for side in (1, -1):
            point = {**middle, n: (a + b) / 2 + side * _ASIDE * (b - a)}
            if judge.contains(point):
                beside.append(_distance(c, judge, point))
    known = [d for d in beside if d is not None]
    return here is None or not known or bool(here * _DIP <= max(known))


def _distance(c: Comparison, judge: Judge, point: dict[str, Value]) -> Fraction | None:
    """How far apart the sides are at a point; None where one has no value, or one beyond memory."""
    lhs, rhs, values = judge.specialised((c.lhs, c.rhs), point)
    sides = [judge.compiled(side).evaluate(values, 512) for side in (lhs, rhs)]
    if any(side.status != "ok" for side in sides):
        return None
    difference = sides[0].ball - sides[1].ball
    if not fits(difference):
        return None
    return abs(Fraction(sum(ends(difference), Fraction(0))) / 2)


def descend(
    problem: Problem, judge: Judge, points: Points, seed: int, clock: Clock
) -> Iterator[dict[str, Value]]:
    """Points on the way of a pattern search for the least gap, from the most promising starts."""
    part = next(
        (p for p in conjuncts(problem.goal) if isinstance(p, Comparison) and p.op != "!="), None
    )
    if part is None:
        return
    gap = _Gap(part, judge)
    starts: list[tuple[float, int, dict[str, Value]]] = []
    for point in _some(points, seed):
        if clock.out():
            return
        value = gap.at(point)
        if value is not None:
            starts.append((value, len(starts), point))
    starts.sort(key=lambda s: s[:2])
    for value, _, point in starts[:_STARTS]:
        yield from _pattern(point, value, gap, problem.domains.variables, judge, clock)


def _some(points: Points, seed: int) -> Iterator[dict[str, Value]]:
    rng = random.Random(seed)
    pool = []
    for i, point in enumerate(points.structured(1)):
        if i >= 400:
            break
        pool.append(point)
    rng.shuffle(pool)
    yield from pool[:150]


class _Gap:
    """How far the comparison is from failing, relative to the size of the sides; negative: fails."""

    def __init__(self, c: Comparison, judge: Judge) -> None:
        self.c, self.judge = c, judge
        self.sign = -1 if c.op in ("<", "<=") else 1

    def at(self, point: dict[str, Value]) -> float | None:
        lhs, rhs, values = self.judge.specialised((self.c.lhs, self.c.rhs), point)
        a = self.judge.compiled(lhs).evaluate(values, 256)
        b = self.judge.compiled(rhs).evaluate(values, 256)
        if a.status != "ok" or b.status != "ok":
            return None
        scale = abs(a.ball) + abs(b.ball)
        if not scale > 0:
            return 0.0
        relative = self.sign * (a.ball - b.ball) / scale
        value = float(relative.mid())
        return abs(value) if self.c.op == "==" else value


def _pattern(
    point: dict[str, Value],
    value: float,
    gap: _Gap,
    variables: Sequence[Variable],
    judge: Judge,
    clock: Clock,
) -> Iterator[dict[str, Value]]:
    step = Fraction(1, 4)
    for _ in range(_STEPS):
        if clock.out():
            return
        best = None
        for moved in _neighbours(point, step, variables):
            if not judge.contains(moved):
                continue
            trial = gap.at(moved)
            if trial is not None and trial < value:
                best, value = moved, trial
        if best is None:
            step /= 4
            if step < Fraction(1, 2**80):
                return
            continue
        point = best
        yield point


def _neighbours(
    point: dict[str, Value], step: Fraction, variables: Sequence[Variable]
) -> Iterator[dict[str, Value]]:
    for variable in variables:
        x = point[variable.name]
        if not isinstance(x, int | Fraction):
            continue
        q = Fraction(x)
        for side in (1, -1):
            if variable.kind == "real":
                move = side * step * max(abs(q), Fraction(1, 10**6))
                yield {**point, variable.name: _short(q + move)}
            elif variable.kind == "integer":
                yield {**point, variable.name: int(q) + side * max(1, int(abs(q) * step))}


def _short(value: Fraction) -> Value:
    """Rounded to 100 bits, so that a long walk does not make long numbers."""
    scale = 1 << max(0, 100 - max(value.numerator.bit_length() - value.denominator.bit_length(), 0))
    rounded = Fraction(round(value * scale), scale)
    return int(rounded) if rounded.denominator == 1 else rounded
