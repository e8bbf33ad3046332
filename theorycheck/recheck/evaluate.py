"""Statements at a point: terms as exact rationals or balls, conditions as True, False, or not decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import acb, arb, ctx, fmpq

from theorycheck.recheck.effort import spend
from theorycheck.recheck.functions import (
    CONSTANT_BALLS,
    FUNCTIONS,
    NotTold,
    NoValue,
    OutOfReach,
    Value,
    ball,
    divide,
    power,
    sign,
    whole,
)
from theorycheck.recheck.tree import Tree

MAX_TERMS = 700

Members = Callable[[str, int], Value]
"""The member of a family at an index."""


def _no_members(family: str, _: int) -> Value:
    raise OutOfReach(f"{family} is no family")


class Point:
    """Values of the names, and of the members of families; ``means`` evaluates expectations."""

    def __init__(
        self,
        values: Mapping[str, Value],
        members: Members = _no_members,
        means: Callable[[Tree, Point], Value] | None = None,
        lengths: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.values, self.members, self.means = dict(values), members, means
        self.lengths = dict(lengths or {})

    def having(self, name: str, value: Value) -> Point:
        """The same with one more name."""
        return Point({**self.values, name: value}, self.members, self.means, self.lengths)

    def term(self, e: Tree) -> Value:
        """The value of a term. Raises NoValue, NotTold, OutOfReach, OutOfEffort."""
        spend(1 + ctx.prec // 300)
        match e.op:
            case "num" | "name" | "const":
                return self.leaf(e)
            case "neg":
                return -self.term(e.args[0])
            case "add" | "mul":
                return self.arithmetic(e)
            case "div":
                return divide(self.term(e.args[0]), self.term(e.args[1]))
            case "pow":
                return self.power(e)
            case "call":
                return self.call(e)
            case "member":
                return self.members(e.text, self.index(e.args[0]))
            case "sum" | "product":
                return self.repeated(e)
            case "pieces":
                return self.pieces(e)
            case "integral":
                return integral(e, self)
            case "mean" if self.means is not None:
                return self.means(e, self)
        raise OutOfReach(f"{e.op} {e.text}")

    def leaf(self, e: Tree) -> Value:
        """A number, a name, or a constant."""
        if e.op == "num":
            return e.value
        if e.op == "name":
            if e.text in self.values:
                return self.values[e.text]
            raise OutOfReach(f"no value of {e.text}")
        if e.text == "oo":
            raise OutOfReach("oo in a term")
        return CONSTANT_BALLS[e.text]()

    def index(self, e: Tree) -> int:
        """The integer that a term is."""
        found = whole(self.term(e))
        if found is None:
            raise OutOfReach("an index that is no integer")
        return found

    def arithmetic(self, e: Tree) -> Value:
        a, b = self.term(e.args[0]), self.term(e.args[1])
        if not (isinstance(a, fmpq) and isinstance(b, fmpq)):
            a, b = ball(a), ball(b)
        return a + b if e.op == "add" else a * b

    def power(self, e: Tree) -> Value:
        base, exponent = e.args
        if base.op == "const" and base.text == "E":
            return FUNCTIONS["exp"](self.term(exponent))
        return power(self.term(base), self.term(exponent))

    def call(self, e: Tree) -> Value:
        if e.text in ("norm", "dot"):
            return self.vectors(e)
        if e.text not in FUNCTIONS:
            raise OutOfReach(e.text)
        return FUNCTIONS[e.text](*(self.term(a) for a in e.args))

    def vectors(self, e: Tree) -> Value:
        """Norms and inner products of families."""
        heads = {n.text for a in e.args for n in a.walk() if n.op == "name"} & set(self.lengths)
        if not heads:
            raise OutOfReach(e.text)
        low, high = self.lengths[min(heads)]
        rows = [
            Point({**self.values, **{h: self.members(h, j) for h in heads}})
            for j in range(low, high + 1)
        ]
        if e.text == "dot":
            return sum((r.term(e.args[0]) * r.term(e.args[1]) for r in rows), fmpq(0))
        kind = e.args[1] if len(e.args) > 1 else None
        entries = [r.term(e.args[0]) for r in rows]
        if kind is None:
            return FUNCTIONS["sqrt"](sum((x * x for x in entries), fmpq(0)))
        if kind.op == "num" and kind.value == 1:
            return sum((abs(x) for x in entries), fmpq(0))
        if kind.op == "const" and entries:
            return FUNCTIONS["Max"](*(abs(x) for x in entries))
        raise OutOfReach("this norm")

    def repeated(self, e: Tree) -> Value:
        term, low, high = e.args
        first, last = whole(self.term(low)), whole(self.term(high))
        if first is None or last is None or last - first > MAX_TERMS:
            raise OutOfReach("a sum of many terms")
        result: Value = fmpq(0 if e.op == "sum" else 1)
        for k in range(first, last + 1):
            x = self.having(e.text, fmpq(k)).term(term)
            result = result + x if e.op == "sum" else result * x
        return result

    def pieces(self, e: Tree) -> Value:
        for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
            if self.holds(condition):
                return self.term(value)
        raise NoValue

    def holds(self, c: Tree) -> bool:
        """Whether a condition is true. Raises NotTold where the balls do not tell."""
        match c.op:
            case "true":
                return True
            case "not":
                return not self.holds(c.args[0])
            case "and":
                return self.joined(c, stop=False)
            case "or":
                return self.joined(c, stop=True)
            case "implies":
                return not self.holds(c.args[0]) or self.holds(c.args[1])
            case "cmp":
                return compare(c.text, self.term(c.args[0]), self.term(c.args[1]))
        raise OutOfReach(f"condition {c.op} {c.text}")

    def joined(self, c: Tree, *, stop: bool) -> bool:
        """``and`` and ``or`` from left to right, as far as the value is not known."""
        open_ = False
        for part in c.args:
            try:
                if self.holds(part) is stop:
                    return stop
            except NotTold:
                open_ = True
        if open_:
            raise NotTold
        return not stop


def compare(how: str, a: Value, b: Value) -> bool:
    """A comparison of two values. Raises NotTold."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        kind = (a > b) - (a < b)
    else:
        x, y = ball(a), ball(b)
        if how == "<=" and x <= y:
            return True
        if how == ">=" and x >= y:
            return True
        kind = sign(x - y) if (x - y).is_exact() else (x > y) - (x < y)
        if kind == 0 and not (x - y).is_zero():
            raise NotTold
    answers: dict[str, bool] = {
        "==": kind == 0,
        "!=": kind != 0,
        "<": kind < 0,
        "<=": kind <= 0,
        ">": kind > 0,
        ">=": kind >= 0,
    }
    return answers[how]


def integral(e: Tree, point: Point) -> Value:
    """An integral in complex balls; where a range goes to oo, up to where the integrand is negligible."""
    term, low, high = e.args
    ends = [_end(x, point) for x in (low, high)]
    reach = [_cut(term, e.text, x, y, point) for x, y in (ends, ends[::-1])]
    f = Holomorphic(e.text, point)
    found = integrated(lambda z: f.term(term, z), ball(reach[0]), ball(reach[1]))
    if not found.is_finite():
        raise OutOfReach("an integral that does not come out")
    if any(isinstance(x, str) for x in ends):
        return found.real + arb(0, arb(2) ** -235)
    return found.real


def integrated(f: Callable[[acb], acb], low: arb, high: arb) -> acb:
    """The integral of f. What f raises is raised when all is done: nothing may leave a callback of FLINT."""
    problems: list[BaseException] = []

    def integrand(z: acb, _: bool) -> acb:
        try:
            return acb(0) if problems else f(z)
        except BaseException as problem:  # noqa: BLE001 - FLINT would lose it; raised when the integral is done
            problems.append(problem)
            return acb(0)

    found = acb.integral(integrand, acb(low), acb(high))
    if problems:
        raise problems[0]
    return found


def _end(x: Tree, point: Point) -> Any:
    if x.op == "const" and x.text == "oo":
        return "+"
    if x.op == "neg" and x.args[0].op == "const" and x.args[0].text == "oo":
        return "-"
    return point.term(x)


def _cut(term: Tree, name: str, end: Any, other: Any, point: Point) -> Value:
    if not isinstance(end, str):
        return end
    way = 1 if end == "+" else -1
    start = arb(0)
    if not isinstance(other, str) and way * ball(other) > 0:
        start = ball(other)
    met = False
    for k in range(-3, 40):
        x = start + way * arb(2) ** k
        size = abs(ball(point.having(name, x).term(term)))
        if not size < arb(2) ** -240:
            met = True
        elif met:
            return x
    raise OutOfReach("an integral whose tail does not fall")


class Holomorphic:
    """A term as a function of one complex name."""

    def __init__(self, name: str, point: Point) -> None:
        self.name, self.point = name, point

    def term(self, e: Tree, z: acb) -> acb:
        spend(3 + ctx.prec // 100)
        if self.name not in e.names():
            return acb(ball(self.point.term(e)))
        match e.op:
            case "name":
                return z
            case "neg":
                return -self.term(e.args[0], z)
            case "add":
                return self.term(e.args[0], z) + self.term(e.args[1], z)
            case "mul":
                return self.term(e.args[0], z) * self.term(e.args[1], z)
            case "div":
                return self.term(e.args[0], z) / self.term(e.args[1], z)
            case "pow":
                n = whole(self.point.term(e.args[1])) if not e.args[1].names() else None
                if n is not None:
                    return self.term(e.args[0], z) ** n
            case "call" if e.text in ("exp", "cos", "sin", "cosh", "sinh", "erf", "erfc"):
                return getattr(self.term(e.args[0], z), e.text)()
            case "call" if e.text in ("Phi", "Q"):
                way = -1 if e.text == "Phi" else 1
                return (way * self.term(e.args[0], z) / arb(2).sqrt()).erfc() / 2
        raise OutOfReach(f"an integrand with {e.op} {e.text}")
