"""The tree of a statement as it was read, and its canonical text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number as it was typed."""

    text: str


@dataclass(frozen=True)
class Name:
    """A name as it was typed."""

    text: str


@dataclass(frozen=True)
class Apply:
    """A function of the grammar, by its canonical name."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True)
class Binary:
    """``op`` is one of ``+ - * / // % **``."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Minus:
    """A negation."""

    part: Node


@dataclass(frozen=True)
class Group:
    """A tuple: the limits of a sum, the pieces of a Piecewise, a vector written out."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Chain:
    """``parts[0] ops[0] parts[1] ...``"""

    parts: tuple[Node, ...]
    ops: tuple[str, ...]


@dataclass(frozen=True)
class Junction:
    """``and``, ``or`` of several parts, ``not`` of one, ``implies`` of two."""

    kind: str
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Bracket:
    """``E[value]``, ``P[statement]``: expectation or probability."""

    head: str
    body: Node


Node = Number | Name | Apply | Binary | Minus | Group | Chain | Junction | Bracket

STATEMENTS = (Chain, Junction)
_LEVEL = {"+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "**": 8}
_OR, _AND, _NOT, _COMPARE, _SIGN, _ATOM = 1, 2, 3, 4, 7, 10


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a node, in order."""
    match node:
        case Apply(args=parts) | Group(parts) | Chain(parts=parts) | Junction(parts=parts):
            return parts
        case Binary(left=a, right=b):
            return (a, b)
        case Minus(a) | Bracket(body=a):
            return (a,)
    return ()


def rebuilt(node: Node, parts: Iterable[Node]) -> Node:
    """The node with other parts."""
    new = tuple(parts)
    match node:
        case Apply(name=name):
            return Apply(name, new)
        case Group():
            return Group(new)
        case Chain(ops=ops):
            return Chain(new, ops)
        case Junction(kind=kind):
            return Junction(kind, new)
        case Binary(op=op):
            return Binary(op, new[0], new[1])
        case Minus():
            return Minus(new[0])
        case Bracket(head=head):
            return Bracket(head, new[0])
    return node


def text_of(node: Node) -> str:
    """Canonical text with the brackets that its precedences need."""
    return _print(node)[0]


def _print(node: Node) -> tuple[str, int]:
    match node:
        case Number(text) | Name(text):
            return text, _ATOM
        case Apply(name=name, args=args):
            return f"{name}({', '.join(text_of(a) for a in args)})", _ATOM
        case Bracket(head=head, body=body):
            return f"{head}[{text_of(body)}]", _ATOM
        case Group(parts):
            return f"({', '.join(text_of(p) for p in parts)})", _ATOM
        case Minus(part):
            return f"-{_inside(part, _SIGN)}", _SIGN
        case Binary(op=op, left=left, right=right):
            return _operation(op, left, right), _LEVEL[op]
        case Chain(parts=parts, ops=ops):
            words = [_inside(parts[0], _COMPARE + 1)]
            for op, part in zip(ops, parts[1:], strict=True):
                words += [op, _inside(part, _COMPARE + 1)]
            return " ".join(words), _COMPARE
        case Junction(kind=kind, parts=parts):
            if kind == "implies":
                return f"implies({', '.join(text_of(p) for p in parts)})", _ATOM
            if kind == "not":
                return f"not {_inside(parts[0], _NOT)}", _NOT
            level = _OR if kind == "or" else _AND
            return f" {kind} ".join(_inside(p, level + 1) for p in parts), level
    raise AssertionError(node)


def _operation(op: str, left: Node, right: Node) -> str:
    level = _LEVEL[op]
    if op == "**":
        above = f"-{_inside(right.part, level)}" if isinstance(right, Minus) else None
        return f"{_inside(left, level + 1)}**{above or _inside(right, level)}"
    spaced = f" {op} " if level == _LEVEL["+"] else op
    return f"{_inside(left, level)}{spaced}{_inside(right, level + 1)}"


def _inside(node: Node, least: int) -> str:
    text, level = _print(node)
    return text if level >= least else f"({text})"
