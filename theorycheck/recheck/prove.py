"""Statements proved again: by normal forms, signs on the orthant, cases, and every point of a small scope."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from flint import ctx, fmpq

from theorycheck.recheck.cases import TooMany, branches, negated
from theorycheck.recheck.effort import OutOfEffort, limited, spend
from theorycheck.recheck.evaluate import Point
from theorycheck.recheck.functions import NotTold, NoValue, OutOfReach, whole
from theorycheck.recheck.means import written_out
from theorycheck.recheck.normal import Finer, NotNormal, Poly, PolyQuotient, constant
from theorycheck.recheck.points import end
from theorycheck.recheck.scope import Range, Scope
from theorycheck.recheck.signs import Signed, know
from theorycheck.recheck.slopes import (
    DEEPEST,
    FINE,
    Prove,
    as_tree,
    by_logarithm,
    by_slope,
    ends_apart,
    halves,
)
from theorycheck.recheck.termwise import termwise
from theorycheck.recheck.tree import Tree, number

MAX_POINTS = 4000

_LEFT_OPEN = (
    NotNormal,
    TooMany,
    OutOfEffort,
    OutOfReach,
    NoValue,
    NotTold,
    RecursionError,
    ArithmeticError,
)
"""What ends an attempt without a proof."""


def proved(statement: Tree, scope: Scope, *, seconds: float = 3.0) -> str:
    """By which rule a statement is proved for its whole scope; "" where by none."""
    try:
        if scope.laws:
            if any(n.op == "mean" for c in scope.where for n in c.walk()):
                return ""
            statement = written_out(statement, scope.laws)
        if any(n.op in ("mean", "integral") for n in statement.walk()):
            return ""
        with limited(seconds):
            if every_point(statement, scope):
                return "every point"
    except (OutOfReach, NotTold, NoValue, OutOfEffort):
        pass
    with limited(seconds):
        rule = _by_rules(statement, scope)
    if rule or any(r.kind == "set" for r in scope.ranges):
        return rule
    with limited(seconds):
        return _term_by_term(statement, scope)


def _by_rules(statement: Tree, scope: Scope) -> str:
    rules: set[str] = set()
    with suppress(*_LEFT_OPEN):
        if all(_goal(*one, rules) for one in _by_value(statement, scope)):
            return " and ".join(sorted(rules)) or "cases that do not occur"
    return ""


def _term_by_term(statement: Tree, scope: Scope) -> str:
    found = termwise(statement, scope)
    if found is None:
        return ""
    goal, ranges, known = found
    rules = {"term by term"}
    with suppress(*_LEFT_OPEN):
        if _goal(goal, (*scope.ranges, *ranges), (*scope.where, *known), rules):
            return " and ".join(sorted(rules))
    return ""


def every_point(statement: Tree, scope: Scope) -> bool:
    """Whether the scope is finite and small, and the statement true at each of its points, exactly."""
    if scope.families or scope.every or any(r.kind == "real" for r in scope.ranges):
        return False
    points = list(islice(_points(scope.ranges, Point({})), MAX_POINTS + 1))
    if len(points) > MAX_POINTS:
        return False
    for point in points:
        if all(_decided(c, point) for c in scope.where) and not _decided(statement, point):
            return False
    return True


def _decided(c: Tree, point: Point) -> bool:
    for bits in (80, 400, 2000):
        ctx.prec = bits
        try:
            return point.holds(c)
        except NotTold:
            continue
    raise NotTold


def _points(ranges: tuple[Range, ...], point: Point) -> Iterator[Point]:
    if not ranges:
        yield point
        return
    r, rest = ranges[0], ranges[1:]
    ctx.prec = 400
    if r.kind == "set":
        values = [point.term(v) for v in r.values]
    else:
        low, high = end(r.low, point), end(r.high, point)
        first, last = (None if x is None else whole(x) for x in (low, high))
        if first is None or last is None or r.kind != "integer":
            raise OutOfReach("no end")
        values = [fmpq(k) for k in range(first, min(last, first + MAX_POINTS) + 1)]
    for value in values:
        yield from _points(rest, point.having(r.name, value))


def _by_value(
    statement: Tree, scope: Scope
) -> Iterator[tuple[Tree, tuple[Range, ...], tuple[Tree, ...]]]:
    """The statement with each value in the place of names that range over a set."""
    sets = [r for r in scope.ranges if r.kind == "set"]
    choices: list[dict[str, Tree]] = [{}]
    for r in sets:
        choices = [{**c, r.name: v.put(c)} for c in choices for v in r.values]
    if len(choices) > 64:
        raise TooMany
    for put in choices:
        rest = tuple(
            Range(
                r.name,
                r.kind,
                r.low.put(put) if r.low else None,
                r.high.put(put) if r.high else None,
                r.low_open,
                r.high_open,
            )
            for r in scope.ranges
            if r.kind != "set"
        )
        yield statement.put(put), rest, tuple(c.put(put) for c in scope.where)


def _goal(
    goal: Tree,
    ranges: tuple[Range, ...],
    known: tuple[Tree, ...],
    rules: set[str],
) -> bool:
    spend(100)
    match goal.op:
        case "true":
            return True
        case "and":
            done: tuple[Tree, ...] = ()
            for part in goal.args:
                if not _goal(part, ranges, (*known, *done), rules):
                    return False
                done = (*done, part)
            return True
        case "or":
            return any(
                _goal(
                    part,
                    ranges,
                    (*known, *(negated(p) for j, p in enumerate(goal.args) if j != i)),
                    rules,
                )
                for i, part in enumerate(goal.args)
            )
        case "not":
            return _goal(negated(goal.args[0]), ranges, known, rules)
        case "implies":
            return _goal(goal.args[1], ranges, (*known, goal.args[0]), rules)
        case "cmp":
            return all(_branch(c, ranges, (*known, *true), rules) for c, true in branches(goal))
    return False


def _branch(
    c: Tree,
    ranges: tuple[Range, ...],
    known: tuple[Tree, ...],
    rules: set[str],
    depth: int = 0,
) -> bool:
    """A comparison without cases, under what is known."""
    parts = 1
    for _ in range(8):
        spend(100)
        try:
            return _compared(c, ranges, known, parts, rules, depth)
        except Finer as problem:
            parts = problem.size
            if depth and parts > FINE:
                return False
        except NotNormal:
            return depth == 0 and _powers_apart(c, ranges, known, rules)
    return False


def _powers_apart(
    c: Tree, ranges: tuple[Range, ...], known: tuple[Tree, ...], rules: set[str]
) -> bool:
    """Where a power has no normal form: the ends of ranges of its base, and first exponents, for themselves."""
    powers = [n for n in c.walk() if n.op == "pow" and n.args[1].names()]
    if not powers:
        return False
    base = frozenset().union(*(n.args[0].names() for n in powers))
    exponent = frozenset().union(*(n.args[1].names() for n in powers))
    for parts in ends_apart(ranges, base, exponent):
        facts = [tuple(k.put(put) for k in known) for _, put in parts]
        if all(
            _branch(c.put(put), part, true, rules)
            for (part, put), true in zip(parts, facts, strict=True)
        ):
            rules.add("parts of a range")
            return True
    return False


def _compared(
    c: Tree,
    ranges: tuple[Range, ...],
    known: tuple[Tree, ...],
    parts: int,
    rules: set[str],
    depth: int,
) -> bool:
    signs = Signed(ranges, parts)
    for fact in known:
        know(fact, signs)
    if impossible(signs):
        return True
    normal = signs.normal
    left, right = (normal.quotient(x) for x in c.args)
    gap = normal.reduced(left - right)
    over = gap.num * gap.den
    if c.text == "==" and normal.folded(gap.num) == 0:
        rules.add("normal form")
        return True
    know_atoms(signs)
    signs.known.clear()
    match c.text:
        case "==":
            found = signs.above(over, strict=False) and signs.above(-over, strict=False)
        case "!=":
            found = signs.shown(over, "!=")
        case _:
            strict, over = c.text in (">", "<"), over if c.text in (">", ">=") else -over
            if not signs.above(over, strict=strict):
                return _further(over, signs, known, strict, rules, depth)
            found = True
    rules.add("signs")
    return found


def _further(
    p: Poly,
    signs: Signed,
    known: tuple[Tree, ...],
    strict: bool,
    rules: set[str],
    depth: int,
) -> bool:
    """What signs alone do not prove: by logarithms of both sides, and by the derivative in a name."""
    used: set[str] = set()

    def prove(goal: Tree, ranges: tuple[Range, ...], facts: tuple[Tree, ...], deeper: int) -> bool:
        try:
            return _branch(goal, ranges, facts, used, deeper)
        except NotNormal:
            return False

    with suppress(NotNormal):
        log = by_logarithm(p, signs) if depth < DEEPEST else None
        if log is not None:
            goal = Tree("cmp", (log, number(0)), ">" if strict else ">=")
            if prove(goal, signs.ranges, known, depth + 1):
                rules |= {"logarithms", *used}
                return True
    with suppress(NotNormal):
        if by_slope(p, signs, known, strict=strict, prove=prove, depth=depth):
            rules |= {"derivative", *used}
            return True
    return depth == 0 and _apart(p, signs, known, strict, rules, prove)


def _apart(
    p: Poly,
    signs: Signed,
    known: tuple[Tree, ...],
    strict: bool,
    rules: set[str],
    prove: Prove,
) -> bool:
    """Part by part of one range."""
    with suppress(NotNormal):
        goal = Tree("cmp", (as_tree(signs.normal, p), number(0)), ">" if strict else ">=")
        for parts in halves(signs.ranges, goal.names()):
            facts = [tuple(k.put(put) for k in known) for _, put in parts]
            if all(
                prove(goal.put(put), ranges, true, 1)
                for (ranges, put), true in zip(parts, facts, strict=True)
            ):
                rules |= {"parts of a range", "derivative", "signs"}
                return True
    return False


def know_atoms(signs: Signed) -> None:
    """What is known of single indeterminates: exp(x) >= 1 + x, 1 - 1/b <= log(b) <= b - 1, and
    erfc(x) <= exp(-x**2) for x >= 0."""
    normal, one = signs.normal, constant(1)
    for place, atom in enumerate(list(normal.atoms)):
        itself = PolyQuotient(normal.gen(atom), constant(1).num)
        facts: list[PolyQuotient] = []
        if atom.kind == "power" and atom.base is None and atom.exponent is not None:
            x = atom.exponent * constant(fmpq(1, normal.parts))
            facts = [itself - one - x, one - (one - x) * itself]
        elif atom.kind == "log" and atom.base is not None:
            facts = [atom.base - one - itself, itself * atom.base - atom.base + one]
        elif atom.kind == "erfc":
            x = atom.arguments[0]
            if signs.above(x.num * x.den, strict=False):
                facts = [normal.exponential(-(x * x)) - itself]
        if place < 12:
            signs.facts += [(f.num * f.den, False) for f in map(normal.reduced, facts)]


def impossible(signs: Signed) -> bool:
    """Whether what is known contradicts itself: by the others, one comparison is proved false."""
    facts = list(signs.facts)
    try:
        for i, (p, open_) in enumerate(facts[:12]):
            signs.facts = facts[:i] + facts[i + 1 :]
            signs.known.clear()
            if signs.above(-p, strict=not open_):
                return True
    finally:
        signs.facts = facts
        signs.known.clear()
    return False
