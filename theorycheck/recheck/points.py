"""Points of a scope: ends of ranges, values near them, small, huge and special ones, and pairs of all of these."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from flint import arb, fmpq, fmpz

from theorycheck.recheck.effort import spend
from theorycheck.recheck.evaluate import Point, compare
from theorycheck.recheck.functions import NotTold, NoValue, OutOfReach, Value, ball, whole
from theorycheck.recheck.scope import EachIndex, Range, Scope
from theorycheck.recheck.tree import Tree

_WHOLE = (0, 1, 2, 3, 4, 5, 7, 10, 16, 37, 100, 1000)
_FAR = (10**4, 10**6, 10**9)
_STEPS = tuple(
    fmpq(*pair)
    for pair in (
        (1, 1),
        (1, 2),
        (2, 1),
        (1, 3),
        (3, 2),
        (3, 1),
        (5, 1),
        (1, 10),
        (10, 1),
        (1, 100),
        (37, 10),
        (100, 1),
        (1, 10**4),
        (1, 10**9),
        (10**4, 1),
        (10**9, 1),
        (7, 8),
        (23, 1),
    )
)
_SHARES = tuple(
    fmpq(*pair)
    for pair in (
        (1, 2),
        (1, 3),
        (2, 3),
        (1, 10),
        (9, 10),
        (1, 1000),
        (999, 1000),
        (1, 10**9),
        (10**9 - 1, 10**9),
        (3, 7),
    )
)
_SPECIAL = tuple(
    fmpq(*p) for p in ((0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2), (2, 1), (3, 5), (4, 5))
)

LONGEST = 3


class NoPoint(Exception):
    """No value of a name here."""


def end(e: Tree | None, point: Point) -> Value | None:
    """The value of an end of a range, None for oo and -oo."""
    if e is None or (e.op == "const" and e.text == "oo"):
        return None
    if e.op == "neg" and e.args[0].op == "const" and e.args[0].text == "oo":
        return None
    return point.term(e)


def candidates(r: Range, point: Point) -> list[Value]:
    """Values of a name, telling ones first, given the names before it."""
    if r.kind == "set":
        return [point.term(v) for v in r.values]
    low, high = end(r.low, point), end(r.high, point)
    if r.kind in ("integer", "prime"):
        return _integers(r.kind, low, high)
    seen = [v for v in point.values.values() if isinstance(v, fmpq)]
    return [v for v in _reals(low, high, seen) if inside(v, r, low, high)]


def _integers(kind: str, low: Value | None, high: Value | None) -> list[Value]:
    first = _whole_end(low, up=True)
    last = _whole_end(high, up=False)
    start = first if first is not None else (min(last, 0) if last is not None else 0)
    found = [start + k for k in (*_WHOLE, *_FAR)]
    if first is None:
        found += [start - k for k in (*_WHOLE, *_FAR)]
    if last is not None:
        found += [last - k for k in (0, 1, 2, 5)] + [(start + last) // 2]
    kept = dict.fromkeys(
        k for k in found if (first is None or k >= first) and (last is None or k <= last)
    )
    return [fmpq(k) for k in kept if kind != "prime" or (k > 1 and fmpz(k).is_prime())]


def _whole_end(x: Value | None, *, up: bool) -> int | None:
    if x is None:
        return None
    if isinstance(x, fmpq):
        return int(x.ceil() if up else x.floor())
    found = (x.lower().ceil() if up else x.upper().floor()).unique_fmpz()
    if found is None:
        raise NoPoint
    return int(found)


def _reals(low: Value | None, high: Value | None, seen: Sequence[fmpq]) -> Iterator[Value]:
    if low is not None:
        yield low
    if high is not None:
        yield high
    if low is not None and high is not None:
        width = high - low if isinstance(low, fmpq) == isinstance(high, fmpq) else ball(high) - low
        for share in _SHARES:
            yield low + width * share
    elif low is not None:
        yield from (low + step for step in _STEPS)
    elif high is not None:
        yield from (high - step for step in _STEPS)
    else:
        for step in _STEPS:
            yield step
            yield -step
    yield from _SPECIAL
    for x in seen[-4:]:
        yield x
        yield -x
        yield 1 - x
        if x != 0:
            yield 1 / x


def inside(v: Value, r: Range, low: Value | None, high: Value | None) -> bool:
    """Whether a value is proved to lie in a real range with these ends."""
    if v is low:
        return not r.low_open and (high is None or _in_order(v, high, r.high_open))
    if v is high:
        return not r.high_open and (low is None or _in_order(low, v, r.low_open))
    return (low is None or _in_order(low, v, r.low_open)) and (
        high is None or _in_order(v, high, r.high_open)
    )


def _in_order(a: Value, b: Value, strict: bool) -> bool:
    if a is b:
        return not strict
    try:
        return compare("<" if strict else "<=", a, b)
    except NotTold:
        return False


def linear_root(c: Tree, name: str, point: Point) -> Value | None:
    """Where the two sides of a comparison meet, if they are linear in a name; None where they are not."""
    try:
        at = [
            point.having(name, fmpq(x)).term(c.args[0])
            - point.having(name, fmpq(x)).term(c.args[1])
            for x in (1, 2, 5)
        ]
        slope = at[1] - at[0]
        bent = at[2] - at[1] - 3 * slope
        if isinstance(bent, fmpq):
            straight = bent == 0
        else:
            size = abs(ball(slope)) + abs(ball(at[0]))
            straight = bool(bent.contains(0)) and bool(abs(bent) < size * arb(2) ** -40)
        if not straight or (slope == 0 if isinstance(slope, fmpq) else slope.contains(0)):
            return None
        return 1 - at[0] / slope
    except (NoValue, NotTold, OutOfReach, ZeroDivisionError, ValueError):
        return None


class Chooser:
    """Points of a scope, at which every hypothesis holds, one after the other and always the same."""

    def __init__(
        self, scope: Scope, seed: int, means: Callable[[Tree, Point], Value] | None = None
    ) -> None:
        self.scope, self.random, self.means = scope, random.Random(seed), means

    def points(self, tries: int) -> Iterator[Point]:
        """As many tries; those at which no name is without a value and every hypothesis is true."""
        for i in range(tries):
            spend(60)
            try:
                point = self.point(i)
            except (NoPoint, NoValue, NotTold, OutOfReach, ZeroDivisionError):
                continue
            if point is not None:
                yield point

    def point(self, i: int) -> Point | None:
        point = Point({}, means=self.means)
        left = list(self.scope.where)
        names = [r.name for r in self.scope.ranges]
        loud = self._loud(i, len(names))
        for k, r in enumerate(self.scope.ranges):
            value = self._value(r, k, i, loud, point, left)
            point = point.having(r.name, value)
        point = self._families(point, i)
        return point if self._true(point) else None

    def _loud(self, i: int, n: int) -> frozenset[int]:
        """The names that leave their first values at this try: none, one, two, or any."""
        if n == 0 or i == 0:
            return frozenset()
        if i % 4 == 1:
            return frozenset({(i // 4) % n})
        if i % 4 == 2 and n > 1:
            return frozenset(self.random.sample(range(n), 2))
        return frozenset(range(n))

    def _value(
        self, r: Range, k: int, i: int, loud: frozenset[int], point: Point, left: list[Tree]
    ) -> Value:
        values = candidates(r, point)
        if not values:
            raise NoPoint
        meeting = self._meeting(r, point, left)
        if meeting:
            exact = [v for c, v in meeting if c.text == "=="]
            if exact:
                return exact[0]
            values = [v for _, v in meeting] + values[:12] if self.random.random() < 0.6 else values
        if k not in loud:
            return values[min(i % 3, len(values) - 1)]
        if self.random.random() < 0.3 and r.kind == "real":
            share = fmpq(self.random.randrange(1, 1000), 1000)
            a, b = self.random.choice(values), self.random.choice(values)
            return a + (b - a) * share if a is not b else a
        return self.random.choice(values)

    def _meeting(self, r: Range, point: Point, left: list[Tree]) -> list[tuple[Tree, Value]]:
        """Values at which a hypothesis whose other names have values turns, for the last of its names."""
        known = set(point.values) | {r.name}
        found: list[tuple[Tree, Value]] = []
        for c in left:
            if c.op != "cmp" or r.name not in c.names() or not c.names() <= known:
                continue
            root = linear_root(c, r.name, point)
            if root is None:
                continue
            low, high = end(r.low, point), end(r.high, point)
            near = [root] if c.text == "==" else [root, *(root + s for s in self._near(r, root))]
            for v in near:
                if r.kind == "integer":
                    n = whole(v) if isinstance(v, fmpq) else None
                    v = fmpq(n) if n is not None else fmpq(int(ball(v).mid().ceil().unique_fmpz()))
                    if c.text == "==" and n is None:
                        continue
                if inside(v, r, low, high):
                    found.append((c, v))
            if c.text == "==" and not found:
                raise NoPoint
        return found

    def _near(self, r: Range, root: Value) -> tuple[Value, ...]:
        if r.kind == "integer":
            return (fmpq(1), fmpq(-1), fmpq(3), fmpq(40), fmpq(-3))
        size = abs(root) if isinstance(root, fmpq) and root != 0 else fmpq(1)
        steps = [size * s for s in (fmpq(1, 1000), fmpq(1, 2), fmpq(5), fmpq(100))]
        return (*steps, *(-s for s in steps[:2]))

    def _families(self, point: Point, i: int) -> Point:
        """Members drawn; those that a hypothesis gives for every index follow from those before them."""
        if not self.scope.families:
            return point
        drawn: dict[tuple[str, int], Value] = {}
        lengths: dict[str, tuple[int, int]] = {}
        for family in self.scope.families:
            low = whole(point.term(family.low))
            high = end(family.high, point)
            last = None if high is None else whole(high)
            if low is None or (high is not None and last is None):
                raise NoPoint
            reach = low + 24 if last is None else last
            if reach - low > 60:
                raise NoPoint
            lengths[family.member.name] = (low, reach)
            for j in range(low, reach + 1):
                values = candidates(family.member, Point({**point.values}))
                if not values:
                    raise NoPoint
                drawn[family.member.name, j] = self.random.choice(values[: 4 + i % 20])

        def members(family: str, j: int) -> Value:
            if (family, j) not in drawn:
                raise OutOfReach("a member beyond those that are drawn")
            return drawn[family, j]

        full = Point(point.values, members, self.means, lengths)
        for c in self.scope.where:
            self._repair(c, full, drawn)
        for every in self.scope.every:
            self._along(every, full, drawn)
        return full

    def _repair(self, c: Tree, full: Point, drawn: dict[tuple[str, int], Value]) -> None:
        """A sum of members that has to have a value: all are scaled."""
        if c.op != "cmp" or c.text not in ("==", "<="):
            return
        heads = {n.text for n in c.args[0].walk() if n.op == "member"}
        if c.args[0].op == "sum" and len(heads) == 1 and c.args[0].args[0].op == "member":
            total, goal = full.term(c.args[0]), full.term(c.args[1])
            if isinstance(total, fmpq) and isinstance(goal, fmpq) and total != 0:
                for key in drawn:
                    if key[0] in heads:
                        drawn[key] = drawn[key] * goal / total
        elif c.text == "==" and c.args[0].op == "member":
            index = whole(full.term(c.args[0].args[0]))
            if index is not None:
                drawn[c.args[0].text, index] = full.term(c.args[1])

    def _along(self, every: EachIndex, full: Point, drawn: dict[tuple[str, int], Value]) -> None:
        """Puts the left side where the hypothesis says ``f[...] == value`` or bounds it, index by index."""
        left = every.condition.args[0] if every.condition.op == "cmp" else None
        if left is None:
            return
        low, high = whole(full.term(every.low)), end(every.high, full)
        last = low + 20 if high is None and low is not None else whole(high)
        if low is None or last is None:
            raise NoPoint
        for j in range(low, last + 1):
            here = full.having(every.index, fmpq(j))
            if left.op == "member":
                index = whole(here.term(left.args[0]))
                if index is None:
                    raise NoPoint
                value = here.term(every.condition.args[1])
                slack = fmpq(0)
                if every.condition.text != "==" and self.random.random() < 0.5:
                    slack = self.random.choice(_STEPS[:8])
                drawn[left.text, index] = (
                    value - slack if every.condition.text in ("<", "<=") else value + slack
                )

    def _true(self, point: Point) -> bool:
        for c in self.scope.where:
            if not point.holds(c):
                return False
        for f in self.scope.families:
            low, high = point.lengths[f.member.name]
            for j in range(low, min(high, low + 8) + 1):
                r = f.member
                v = point.members(r.name, j)
                if r.kind == "real" and not inside(v, r, end(r.low, point), end(r.high, point)):
                    return False
        for every in self.scope.every:
            low_end, high_end = whole(point.term(every.low)), end(every.high, point)
            last = (low_end or 0) + 16 if high_end is None else whole(high_end)
            for j in range(low_end or 0, (last if last is not None else -1) + 1):
                if not point.having(every.index, fmpq(j)).holds(every.condition):
                    return False
        return True
