"""What the second program says of one kept proof."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flint import ctx, fmpq

from theorycheck.recheck.evaluate import Point
from theorycheck.recheck.files import KeptProof
from theorycheck.recheck.functions import NotTold, NoValue, OutOfReach
from theorycheck.recheck.points import end, inside
from theorycheck.recheck.prove import proved
from theorycheck.recheck.scope import Scope, read_scope
from theorycheck.recheck.sweep import PRECISIONS, Swept, sweep
from theorycheck.recheck.tree import Tree, Unreadable, read

RECHECKED, HELD, DISAGREES, UNREAD = "rechecked", "held", "disagrees", "cannot read"
ENOUGH = 5
"""Points at which a statement has to hold to be called held; fewer only where its scope has no more."""


@dataclass(frozen=True)
class Answer:
    """``answer`` with its reason: the rule that proved it again, or what is not read. ``points`` at which it was found
    true, ``agreed`` of them to the digits only; ``false`` is a point at which it is not."""

    answer: str
    reason: str = ""
    points: int = 0
    agreed: int = 0
    false: dict[str, str] | None = None


def recheck(kept: KeptProof, *, seconds: float = 2.0, tries: int = 200) -> Answer:
    """The answer for one kept proof, from its witness alone.

    ``seconds`` of processor time for the points, and as many for a proof; ``tries`` points.
    """
    if not kept.statement:
        return Answer(UNREAD, "a proof by a program: no statement in its witness")
    if kept.holds and kept.rung not in ("proved", "exhaustive"):
        return Answer(UNREAD, f"no proof: {kept.rung}")
    try:
        scope = read_scope(kept.scope, kept.laws)
        statement = read(kept.statement, scope.declared)
        loose = sorted(statement.names() - scope.declared)
        if loose:
            return Answer(UNREAD, f"no range or law of {', '.join(loose)}")
        if not kept.holds:
            return _refuted(statement, scope, kept.point)
    except Unreadable as problem:
        return Answer(UNREAD, str(problem))
    return _held(statement, scope, sweep(statement, scope, tries=tries, seconds=seconds), seconds)


def _held(statement: Tree, scope: Scope, swept: Swept, seconds: float) -> Answer:
    if swept.false is not None:
        return Answer(DISAGREES, swept.why, swept.held, swept.agreed, swept.false)
    rule = proved(statement, scope, seconds=seconds)
    if rule:
        return Answer(RECHECKED, rule, swept.held, swept.agreed)
    if swept.held >= ENOUGH or (swept.held and swept.whole):
        return Answer(HELD, "", swept.held, swept.agreed)
    reason = swept.out_of_reach or (
        "nothing decided" if swept.open else "no point of the scope met"
    )
    return Answer(UNREAD, f"too few points: {reason}", swept.held, swept.agreed)


def _refuted(statement: Tree, scope: Scope, given: dict[str, str] | None) -> Answer:
    """A refutation: its point lies in the scope, every hypothesis is true there, and the statement false."""
    if given is None or scope.laws or any(n.op == "mean" for n in statement.walk()):
        return Answer(UNREAD, "a refutation without a point that is read")
    ctx.prec = PRECISIONS[-1]
    try:
        point = _point(given)
        missing = _outside(point, scope)
        if missing:
            return Answer(DISAGREES, missing, false=given)
        if point.holds(statement):
            return Answer(DISAGREES, "true at the point that is to refute it", false=given)
    except NoValue:
        return Answer(RECHECKED, "the point refutes it: a side has no value")
    except (NotTold, OutOfReach) as problem:
        return Answer(UNREAD, f"the point is not evaluated: {problem or 'not decided'}")
    return Answer(RECHECKED, "the point refutes it")


def _point(given: dict[str, str]) -> Point:
    members: dict[tuple[str, int], fmpq] = {}
    lengths: dict[str, tuple[int, int]] = {}
    values = {}
    for name, text in given.items():
        value = Point({}).term(read(text))
        loose = re.fullmatch(r"(\w+)\[(\d+)\]", name)
        if loose is None:
            values[name] = value
            continue
        members[loose[1], int(loose[2])] = value
        low, high = lengths.get(loose[1], (int(loose[2]), int(loose[2])))
        lengths[loose[1]] = (min(low, int(loose[2])), max(high, int(loose[2])))

    def member(family: str, j: int) -> fmpq:
        if (family, j) not in members:
            raise OutOfReach("a member that the point does not have")
        return members[family, j]

    return Point(values, member, None, lengths)


def _outside(point: Point, scope: Scope) -> str:
    """Why a point does not belong to a scope; "" where it does."""
    if scope.families:
        raise OutOfReach("a refutation by members of families")
    for r in scope.ranges:
        if r.name not in point.values:
            raise OutOfReach(f"no value of {r.name}")
        value = point.values[r.name]
        if r.kind == "set":
            if all(point.term(v) != value for v in r.values):
                return f"{r.name} is none of its values"
            continue
        if r.kind != "real" and not (isinstance(value, fmpq) and value.q == 1):
            return f"{r.name} is no integer"
        if r.kind == "prime" and not value.p.is_prime():
            return f"{r.name} is no prime"
        low, high = end(r.low, point), end(r.high, point)
        touching = any(x is not None and not isinstance(x, fmpq) for x in (low, high, value))
        if not inside(value, r, low, high):
            if touching and _may_touch(value, low, high):
                raise OutOfReach(f"{r.name} at the end of its range")
            return f"{r.name} is outside of its range"
    for c in scope.where:
        if not point.holds(c):
            return "a hypothesis is false there"
    return ""


def _may_touch(value: object, low: object, high: object) -> bool:
    from theorycheck.recheck.functions import ball

    return any(x is not None and ball(x).overlaps(ball(value)) for x in (low, high))
