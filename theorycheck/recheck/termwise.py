"""Sums over one range compared term by term: members and their hypotheses at one index that is not told."""

from __future__ import annotations

from dataclasses import replace

from theorycheck.recheck.scope import NamedMembers, Range, Scope
from theorycheck.recheck.tree import Tree, name, number

INDEX = "i@"
"""The index that is not told."""


class NotLinear(ValueError):
    """No linear combination of sums over one range."""


def termwise(
    statement: Tree, scope: Scope
) -> tuple[Tree, tuple[Range, ...], tuple[Tree, ...]] | None:
    """What the statement follows from: a condition, with ranges and hypotheses besides those of the scope; None where
    it has no comparison of sums."""
    if not any(n.op in ("sum", "call") for n in statement.walk()):
        return None
    bounds: set[tuple[Tree, Tree]] = set()
    try:
        goal = _condition(_norms(statement, scope), bounds)
    except NotLinear:
        return None
    if len(bounds) != 1:
        return None
    ((low, high),) = bounds
    index = Range(INDEX, "integer", low, high)
    members = [f for f in scope.families if _covers(f.low, f.high, low, high)]
    ranges = (index, *(replace(f.member, name=_member(f.member.name)) for f in members))
    known = tuple(
        _told(e.condition.put({e.index: name(INDEX)}))
        for e in scope.every
        if _covers(e.low, e.high, low, high)
    )
    return _told(goal), ranges, known


def _covers(low: Tree, high: Tree, first: Tree, last: Tree) -> bool:
    endless = high.op == "const" and high.text == "oo"
    return low == first and (high == last or endless)


def _member(family: str) -> str:
    return f"{family}@"


def _told(e: Tree) -> Tree:
    """Members at the index as names."""
    if e.op == "member" and e.args[0] == name(INDEX):
        return name(_member(e.text))
    return Tree(e.op, tuple(_told(a) for a in e.args), e.text, e.value)


def _norms(e: Tree, scope: Scope) -> Tree:
    """Squares of norms of families, and norms of absolute values, as sums."""
    if e.op == "pow" and e.args[1] == number(2):
        family = _family(e.args[0], scope, 1)
        if family is not None:
            square = Tree("pow", (_entry(family), number(2)))
            return Tree("sum", (square, family.low, family.high), "j@")
    family = _family(e, scope, 2)
    if family is not None and e.args[1] == number(1):
        return Tree("sum", (Tree("call", (_entry(family),), "abs"), family.low, family.high), "j@")
    return Tree(e.op, tuple(_norms(a, scope) for a in e.args), e.text, e.value)


def _entry(family: NamedMembers) -> Tree:
    return Tree("member", (name("j@"),), family.member.name)


def _family(e: Tree, scope: Scope, given: int) -> NamedMembers | None:
    if e.op != "call" or e.text != "norm" or len(e.args) != given or e.args[0].op != "name":
        return None
    return next((f for f in scope.families if f.member.name == e.args[0].text), None)


def _condition(c: Tree, bounds: set[tuple[Tree, Tree]]) -> Tree:
    if c.op in ("and", "or"):
        return Tree(c.op, tuple(_condition(p, bounds) for p in c.args))
    if c.op != "cmp" or not any(n.op == "sum" for n in c.walk()):
        return c
    if c.text not in ("<=", ">=", "=="):
        raise NotLinear
    parts = _linear(Tree("add", (c.args[0], Tree("neg", (c.args[1],)))))
    term, rest = number(0), number(0)
    there: list[Tree] = []
    for factor, total in parts:
        if total is None:
            rest = Tree("add", (rest, factor))
            continue
        body, low, high = total.args
        if any(n.op == "sum" for n in body.walk()):
            raise NotLinear
        bounds.add((low, high))
        # each factor has a value, whatever the range
        there.append(Tree("cmp", (factor, factor), "=="))
        one = Tree("mul", (factor, body.put({total.text: name(INDEX)})))
        term = Tree("add", (term, one))
    apart = Tree("and", tuple(Tree("cmp", (x, number(0)), c.text) for x in (rest, term)))
    if rest == number(0) or len(bounds) != 1:
        return Tree("and", (*there, apart))
    ((low, high),) = bounds
    count = Tree("add", (Tree("add", (high, Tree("neg", (low,)))), number(1)))
    shared = Tree("add", (term, Tree("div", (rest, count))))
    together = [Tree("cmp", (count, number(0)), ">"), Tree("cmp", (shared, number(0)), c.text)]
    return Tree("and", (*there, Tree("or", (apart, Tree("and", tuple(together))))))


def _linear(e: Tree) -> list[tuple[Tree, Tree | None]]:
    """A term as factors times sums; None stands for what has none."""
    if not any(n.op == "sum" for n in e.walk()):
        return [(e, None)]
    match e.op:
        case "sum":
            return [(number(1), e)]
        case "neg":
            return [(Tree("neg", (f,)), s) for f, s in _linear(e.args[0])]
        case "add":
            return _linear(e.args[0]) + _linear(e.args[1])
        case "mul" | "div":
            left, right = (_linear(a) for a in e.args)
            if len(right) == 1 and right[0][1] is None:
                return [(Tree(e.op, (f, e.args[1])), s) for f, s in left]
            if e.op == "mul" and len(left) == 1 and left[0][1] is None:
                return [(Tree("mul", (e.args[0], f)), s) for f, s in right]
    raise NotLinear
