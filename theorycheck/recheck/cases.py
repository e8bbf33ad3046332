"""Max, Min, absolute values, signs and cases of a statement taken apart: branches with what is true on each."""

from __future__ import annotations

from collections.abc import Iterator

from theorycheck.recheck.tree import BOUND, Tree, number

_SPLIT = {"Max", "max", "Min", "min", "abs", "Abs", "relu", "ReLU", "sign", "sgn"}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
MAX_BRANCHES = 128


class TooMany(ValueError):
    """More branches than are gone through."""


def branches(c: Tree) -> list[tuple[Tree, tuple[Tree, ...]]]:
    """Branches that cover everything: the condition there, and the comparisons that are true there."""
    done: list[tuple[Tree, tuple[Tree, ...]]] = []
    open_: list[tuple[Tree, tuple[Tree, ...]]] = [(c, ())]
    while open_:
        node, known = open_.pop()
        found = _innermost(node)
        if found is None:
            done.append((node, known))
        else:
            for value, true in _ways(found):
                open_.append((replaced(node, found, value), (*known, *true)))
        if len(done) + len(open_) > MAX_BRANCHES:
            raise TooMany
    return done


def _innermost(e: Tree) -> Tree | None:
    if e.op in BOUND or e.op in ("mean", "member"):
        return None
    for part in e.args:
        found = _innermost(part)
        if found is not None:
            return found
    if e.op == "pieces" or (e.op == "call" and e.text in _SPLIT):
        return e
    return None


def _ways(e: Tree) -> Iterator[tuple[Tree, tuple[Tree, ...]]]:
    zero = number(0)
    if e.op == "pieces":
        yield from _pieces(e)
        return
    x = e.args[0]
    match e.text:
        case "abs" | "Abs":
            yield x, (Tree("cmp", (x, zero), ">="),)
            yield Tree("neg", (x,)), (Tree("cmp", (x, zero), "<="),)
        case "relu" | "ReLU":
            yield x, (Tree("cmp", (x, zero), ">="),)
            yield zero, (Tree("cmp", (x, zero), "<="),)
        case "sign" | "sgn":
            for value, how in ((1, ">"), (0, "=="), (-1, "<")):
                yield number(value), (Tree("cmp", (x, zero), how),)
        case _:
            how = ">=" if e.text in ("Max", "max") else "<="
            for i, y in enumerate(e.args):
                others = [z for j, z in enumerate(e.args) if j != i]
                yield y, tuple(Tree("cmp", (y, z), how) for z in others)


def _pieces(e: Tree) -> Iterator[tuple[Tree, tuple[Tree, ...]]]:
    before: list[tuple[Tree, ...]] = [()]
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        for known in before:
            for true in _alternatives(condition):
                yield value, (*known, *true)
        before = [(*k, *f) for k in before for f in _alternatives(negated(condition))]
        if len(before) > 16:
            raise TooMany
    for known in before:
        yield Tree("call", (), "nothing"), known


def _alternatives(c: Tree) -> list[tuple[Tree, ...]]:
    """A condition as alternatives of comparisons that hold together."""
    match c.op:
        case "true":
            return [()]
        case "false":
            return []
        case "or":
            return [a for p in c.args for a in _alternatives(p)]
        case "and":
            found: list[tuple[Tree, ...]] = [()]
            for p in c.args:
                found = [(*f, *a) for f in found for a in _alternatives(p)]
            return found
        case "not":
            return _alternatives(negated(c.args[0]))
        case "implies":
            return _alternatives(Tree("or", (negated(c.args[0]), c.args[1])))
    return [(c,)]


def negated(c: Tree) -> Tree:
    """The contrary of a condition."""
    match c.op:
        case "true":
            return Tree("false")
        case "false":
            return Tree("true")
        case "cmp":
            return Tree("cmp", c.args, _OPPOSITE[c.text])
        case "and":
            return Tree("or", tuple(negated(p) for p in c.args))
        case "or":
            return Tree("and", tuple(negated(p) for p in c.args))
        case "not":
            return c.args[0]
        case "implies":
            return Tree("and", (c.args[0], negated(c.args[1])))
    return Tree("not", (c,))


def replaced(e: Tree, old: Tree, new: Tree) -> Tree:
    """A tree with one part in the place of another, wherever it stands outside of sums."""
    if e == old:
        return new
    if not e.args or e.op in BOUND or e.op in ("mean", "member"):
        return e
    return Tree(e.op, tuple(replaced(a, old, new) for a in e.args), e.text, e.value)
