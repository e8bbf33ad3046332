"""Branch and bound in ball arithmetic, over boxes of real names.

Each box is enclosed naturally and in mean value form; it is settled when the enclosure shows that the
comparison holds on all of it, or that it lies outside of the region. The box with the smallest margin
comes first, so that the same run drills into the places where the statement may fail: the middle of
every box is judged exactly. What remains are boxes too small to split, reported as left open.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, fmpq

from theorycheck import balls
from theorycheck.check.algebra import ends, simplest_between
from theorycheck.check.domain import Domains, Value, Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import FAILS, UNDEFINED, Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Method, Task, always
from theorycheck.check.operators import ALLOWED
from theorycheck.check.region import Found, Region
from theorycheck.check.text import Comparison

Box = tuple[tuple[Fraction, Fraction], ...]

_BITS = 96
# Boxes are not split below this width, relative to their distance from 0: about float64's own.
_SMALLEST = Fraction(1, 2**48)
_CLOSE = Fraction(1, 2**24)
_MAX_OPEN = 400
_MAX_OPS = 400
_REACH = 40
# So many boxes of a subdivision are listed in a proof, so that a program can check that they cover the region.
_MAX_TOLD = 2000


@dataclass
class Subdivision:
    """``settled``: the comparison holds on every box. ``open``: boxes too small to split further;
    ``leaves``: boxes that were settled, a subdivision of the region."""

    settled: bool = False
    boxes: int = 0
    open: list[Box] = field(default_factory=list)
    leaves: list[Box] = field(default_factory=list)

    def where(self, names: Sequence[str]) -> str:
        """The places left open, as decimals, at most three."""
        places = []
        for box in self.open[:3]:
            middle = [float((a + b) / 2) for a, b in box]
            places.append(", ".join(f"{n} = {m:.12g}" for n, m in zip(names, middle, strict=True)))
        return "; ".join(places)


def prove(task: Task) -> Argument | None:
    """Branch and bound: every box of a subdivision is enclosed on the right side, or lies outside.

    Takes order comparisons and ``!=`` on bounded regions without primes and sets, of at most 400
    operations. Promises what balls enclose on every box. Gives up when 400 boxes are too small to be
    split (the sides touch), or time is over. Raises Found at a middle of a box that fails.
    """
    c, region, clock = task.comparison, task.region, task.clock
    if not region.variables or not _bounded(region) or c.op == "==":
        return None
    own = Judge(Domains(region.variables), c, region.hypotheses)
    result = explore(c, region, own, clock, initial_boxes(region, unbounded=False))
    if not result.settled:
        return None
    kept = result.leaves[:_MAX_TOLD]
    facts = [f"the sign is enclosed on {_box_text(box, region)}" for box in kept]
    if len(result.leaves) > len(kept):
        facts.append(f"and so on: {len(result.leaves)} boxes that cover the region")
    return Argument(f"interval subdivision into {result.boxes} boxes", tuple(facts))


def _box_text(box: Box, region: Region) -> str:
    return " x ".join(
        f"{v.name} in [{a}, {b}]" for v, (a, b) in zip(region.variables, box, strict=True)
    )


METHOD = Method("interval subdivision", 0.9, always, prove)


def _bounded(region: Region) -> bool:
    for v in region.variables:
        if v.low is None or v.high is None or v.low.is_infinite or v.high.is_infinite:
            return False
        if v.kind == "prime":
            return False
    return True


def initial_boxes(region: Region, *, unbounded: bool, reach: int = _REACH) -> list[Box]:
    """Boxes that cover the region; of unbounded ranges the part up to 2**reach, in shells."""
    boxes: list[Box] = [()]
    few = len(region.variables) > 1
    for v in region.variables:
        grown: list[Box] = []
        for box in boxes:
            sides = {w.name: s for w, s in zip(region.variables, box, strict=False)}
            low, high = _hull(v.low, sides, 0), _hull(v.high, sides, 1)
            if unbounded:
                grown += [(*box, s) for s in _shells(low, high, min(reach, 10) if few else reach)]
            elif low is not None and high is not None and low <= high:
                grown.append((*box, (low, high)))
        boxes = grown
    return boxes


def _hull(end: Any, sides: Mapping[str, tuple[Fraction, Fraction]], side: int) -> Fraction | None:
    """A rational at or beyond the end, over all values of the earlier names."""
    if end.is_infinite:
        return None
    if end.is_Rational:
        return Fraction(int(end.p), int(end.q))
    symbols = sorted(end.free_symbols, key=str)
    compiled = balls.compile_expression(end, symbols)
    result = balls.enclose_box(compiled, {s.name: sides[s.name] for s in symbols}, _BITS)
    if result.status != "ok":
        raise ValueError(f"the end {end} of a range")
    return ends(result.ball)[side]


def _shells(
    low: Fraction | None, high: Fraction | None, reach: int
) -> Iterator[tuple[Fraction, Fraction]]:
    cuts = [Fraction(0), *(Fraction(s * 2**k) for k in range(0, reach, 2) for s in (1, -1))]
    if low is not None:
        cuts += [low + Fraction(1, 2**k) for k in (0, 6, 20)] if high is None else []
    cuts += [e for e in (low, high) if e is not None]
    inside = sorted({c for c in cuts if (low is None or c >= low) and (high is None or c <= high)})
    yield from itertools.pairwise(inside)


def explore(
    c: Comparison, region: Region, judge: Judge, clock: Clock, boxes: Sequence[Box]
) -> Subdivision:
    """Settle the boxes one by one. Raises Found with a point of the region at which c fails."""
    result = Subdivision()
    f = evaluated(c.lhs) - evaluated(c.rhs)
    names = [v.name for v in region.variables]
    if f.count_ops() > _MAX_OPS or not boxes:
        return result
    enclose = _Encloser(c, f, region)
    counter = itertools.count()
    heap: list[tuple[float, int, Box]] = [(0.0, next(counter), box) for box in boxes]
    while heap:
        if clock.out() or len(result.open) > _MAX_OPEN:
            result.open += [b for *_, b in heap if _tiny(b)]
            return result
        _, _, box = heapq.heappop(heap)
        result.boxes += 1
        margin = enclose.margin(box)
        if margin is None:
            result.leaves.append(box)
            continue
        for point in _samples(box, names, region.variables):
            if judge.contains(point) and judge.at(point).status in (FAILS, UNDEFINED):
                raise Found([point])
        halves = _split(box)
        if halves is None:
            result.open.append(box)
            continue
        for half in halves:
            heapq.heappush(heap, (margin, next(counter), half))
    result.settled = not result.open
    return result


class _Encloser:
    """Margins of boxes: None if settled, else how far from settled (smaller is worse)."""

    def __init__(self, c: Comparison, f: Any, region: Region) -> None:
        self.names = [v.name for v in region.variables]
        symbols = [v.symbol for v in region.variables]
        self.allowed = ALLOWED[c.op]
        # The sides as written decide definedness: f may have lost holes.
        self.sides = [balls.compile_expression(s, _in(s, symbols)) for s in (c.lhs, c.rhs)]
        self.f = balls.compile_expression(f, symbols)
        self.gradient = _gradient(f, symbols)
        self.outside = [
            (balls.compile_expression(e, symbols), op) for e, op in _constraints(region)
        ]

    def margin(self, box: Box) -> float | None:
        sides = dict(zip(self.names, box, strict=True))
        for wall, op in self.outside:
            at = balls.enclose_box(wall, sides, _BITS)
            if at.status == "ok" and _sign(at.ball) not in (None, *ALLOWED[op]):
                return None
        value = balls.enclose_box(self.f, sides, _BITS)
        if value.ball is None:
            return float("-inf")
        ball = value.ball
        if _sign(ball) not in self.allowed and self.gradient is not None:
            ball = self._mean_value(box, sides, ball)
        if _sign(ball) in self.allowed and self._defined(sides):
            return None
        size = max(float(abs(ball.mid())), float(ball.rad()), 1e-300)
        low = float(ball.lower()) if 1 in self.allowed else -float(ball.upper())
        return low / size if size < float("inf") else float("-inf")

    def _defined(self, sides: Mapping[str, tuple[Fraction, Fraction]]) -> bool:
        return all(
            balls.enclose_box(s, {x.name: sides[x.name] for x in s.symbols}, _BITS).status == "ok"
            for s in self.sides
        )

    def _mean_value(self, box: Box, sides: Mapping[str, Any], ball: arb) -> arb:
        middles = {n: (a + b) / 2 for n, (a, b) in zip(self.names, box, strict=True)}
        centre = self.f.evaluate(middles, _BITS)
        if centre.ball is None or self.gradient is None:
            return ball
        total = centre.ball
        for (a, b), partial in zip(box, self.gradient, strict=True):
            slope = balls.enclose_box(partial, sides, _BITS)
            if slope.ball is None:
                return ball
            half = (b - a) / 2
            total += slope.ball * arb(0, 1) * arb(fmpq(half.numerator, half.denominator))
        return total if float(total.rad()) < float(ball.rad()) else ball


def _in(expression: Any, symbols: Sequence[Any]) -> list[Any]:
    return [s for s in symbols if s in expression.free_symbols]


def _sign(ball: arb) -> int | None:
    if ball > 0:
        return 1
    if ball < 0:
        return -1
    return 0 if ball.is_zero() else None


def _gradient(f: Any, symbols: Sequence[Any]) -> list[Any] | None:
    if f.has(sp.floor, sp.ceiling, sp.sign, sp.Mod, sp.frac, sp.Abs, sp.Min, sp.Max, sp.Sum):
        return None
    partials = [sp.diff(f, s) for s in symbols]
    if any(p.has(sp.Derivative, sp.nan, sp.zoo) or p.count_ops() > 2 * _MAX_OPS for p in partials):
        return None
    try:
        return [balls.compile_expression(p, symbols) for p in partials]
    except balls.UnsupportedExpression:
        return None


def _constraints(region: Region) -> list[tuple[Any, str]]:
    """Walls that depend on several names: (expression, comparison with 0)."""
    found: list[tuple[Any, str]] = []
    for v in region.variables:
        for end, op in ((v.low, ">="), (v.high, "<=")):
            if end is not None and end.free_symbols:
                found.append((v.symbol - evaluated(end), op))
    for h in region.hypotheses:
        if isinstance(h, Comparison):
            found.append((evaluated(h.lhs) - evaluated(h.rhs), h.op))
    return found


def _split(box: Box) -> list[Box] | None:
    """Halves along the side that is widest for its place; None if all are small."""
    widths = [(b - a) / max(abs(a), abs(b), Fraction(1, 2**20)) for a, b in box]
    i = max(range(len(box)), key=lambda k: widths[k])
    if widths[i] < _SMALLEST:
        return None
    a, b = box[i]
    middle = (a + b) / 2
    if b > 4 * a > 0:  # halve the logarithm of wide positive ranges, roughly
        middle = 2 * a
    return [(*box[:i], half, *box[i + 1 :]) for half in ((a, middle), (middle, b))]


def _tiny(box: Box) -> bool:
    """Whether a box was split so often that its sides must all but touch there."""
    return all((b - a) <= max(abs(a), abs(b)) * _CLOSE for a, b in box)


def _samples(
    box: Box, names: Sequence[str], variables: Sequence[Variable]
) -> Iterator[dict[str, Value]]:
    middle: dict[str, Value] = {}
    for name, (a, b), v in zip(names, box, variables, strict=True):
        if v.symbol.is_integer:
            middle[name] = round((a + b) / 2)
        else:
            third = (b - a) / 3
            value = simplest_between(a + third, b - third) if third else a
            middle[name] = int(value) if value.denominator == 1 else value
    yield middle
