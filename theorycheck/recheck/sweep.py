"""A statement at many points of its scope, in balls: true at each, false at one, or not to be told."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from theorycheck.recheck.effort import OutOfEffort, limited
from theorycheck.recheck.evaluate import Point
from theorycheck.recheck.functions import NotTold, NoValue, OutOfReach, Value, ball
from theorycheck.recheck.means import evaluator
from theorycheck.recheck.points import Chooser
from theorycheck.recheck.scope import Scope
from theorycheck.recheck.tree import Tree

PRECISIONS = (80, 320, 1300)
AGREE = 200
"""Bits to which two sides that no ball tells apart have to agree, for `==`, `<=`, `>=` to count as held."""


@dataclass
class Swept:
    """``held`` points at which it is true, ``agreed`` of them only as far as digits tell; ``open`` at which nothing
    was decided; ``false`` names a point at which it is false, with ``why``; ``whole``: its scope has no name that
    varies."""

    held: int = 0
    agreed: int = 0
    open: int = 0
    false: dict[str, str] | None = None
    why: str = ""
    out_of_reach: str = ""
    whole: bool = False


def sweep(statement: Tree, scope: Scope, *, tries: int = 300, seconds: float = 2.0) -> Swept:
    """The statement at as many points as the steps of so many seconds allow, the same ones each time."""
    found = Swept(whole=not scope.ranges and not scope.families)
    seed = zlib.crc32(repr((statement, scope)).encode())
    with limited(seconds), suppress(OutOfEffort):
        for point in _points(scope, seed, tries):
            _at(statement, scope, point, found)
            if found.false is not None:
                break
    return found


def _points(scope: Scope, seed: int, tries: int) -> Iterator[Point]:
    ctx.prec = PRECISIONS[0]
    tries = 1 if not scope.ranges and not scope.families else tries
    for point in Chooser(scope, seed, evaluator(scope.laws)).points(tries):
        yield point
        ctx.prec = PRECISIONS[-1]


def _at(statement: Tree, scope: Scope, point: Point, found: Swept) -> None:
    for bits in PRECISIONS:
        ctx.prec = bits
        try:
            if point.holds(statement):
                found.held += 1
            else:
                found.false, found.why = shown(point, scope), "false"
            return
        except NotTold:
            continue
        except NoValue:
            found.false, found.why = shown(point, scope), "a side has no value"
            return
        except (OutOfReach, OverflowError, MemoryError) as problem:
            found.out_of_reach = str(problem)
            return
    if agrees(statement, point):
        found.held += 1
        found.agreed += 1
    else:
        found.open += 1


def agrees(c: Tree, point: Point) -> bool:
    """Whether each part that is not decided says `==`, `<=` or `>=` of sides that agree to many bits."""
    if c.op == "cmp":
        try:
            return point.holds(c)
        except NotTold:
            pass
        except (NoValue, OutOfReach):
            return False
        if c.text not in ("==", "<=", ">="):
            return False
        try:
            a, b = (ball(point.term(x)) for x in c.args)
        except (NotTold, NoValue, OutOfReach):
            return False
        gap = a - b
        size = max(abs(a).upper(), abs(b).upper(), arb(2) ** -60, key=float)
        return bool(gap.contains(0)) and bool(abs(gap) < size * arb(2) ** -AGREE)
    if c.op == "and":
        return all(agrees(p, point) for p in c.args)
    if c.op == "or":
        return any(agrees(p, point) for p in c.args)
    return False


def shown(point: Point, scope: Scope) -> dict[str, str]:
    """A point as text."""
    values = {n: text(v) for n, v in point.values.items()}
    for f in scope.families:
        low, high = point.lengths[f.member.name]
        for j in range(low, min(high, low + 5) + 1):
            values[f"{f.member.name}[{j}]"] = text(point.members(f.member.name, j))
    return values


def text(v: Value) -> str:
    """A value as text."""
    return str(v) if isinstance(v, fmpq) else v.str(15, radius=False)
