"""Statements as trees of one kind of node, read from text by a grammar of its own. Nothing is executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

MAX_NODES = 6000


class Unreadable(ValueError):
    """Text outside of the grammar of the second program."""


@dataclass(frozen=True, slots=True)
class Tree:
    """``op`` with its arguments; ``text`` is a name, ``value`` a number.

    Terms: ``num name const add mul div pow neg call member sum product integral pieces mean``.
    Conditions: ``cmp and or not implies true``. The text of a ``cmp`` is its sign, of a ``call`` the function, of a
    ``sum`` its index, of a ``member`` the family, of a ``mean`` one of E, P, Var, Cov.
    """

    op: str
    args: tuple[Tree, ...] = ()
    text: str = ""
    value: fmpq | None = None

    def walk(self) -> Iterator[Tree]:
        """This node and all below it."""
        yield self
        for part in self.args:
            yield from part.walk()

    def names(self) -> frozenset[str]:
        """The free names, families among them; those of laws as well."""
        found: set[str] = set()
        _names(self, frozenset(), found)
        return frozenset(found)

    def put(self, values: dict[str, Tree]) -> Tree:
        """The tree with nodes in the place of free names."""
        if self.op == "name":
            return values.get(self.text, self)
        if self.op in BOUND and self.text in values:
            values = {k: v for k, v in values.items() if k != self.text}
        if not self.args:
            return self
        return Tree(self.op, tuple(a.put(values) for a in self.args), self.text, self.value)


BOUND = ("sum", "product", "integral")
"""Nodes of three arguments (term, low, high) whose text is a bound name."""

CONSTANTS = frozenset({"pi", "E", "EulerGamma", "GoldenRatio", "Catalan", "oo"})
MEANS = frozenset({"E", "P", "Var", "Cov"})
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
REPEATED = {"Sum": "sum", "Product": "product", "Integral": "integral"}


def number(value: int | Fraction | fmpq) -> Tree:
    """A number as a node."""
    exact = fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)
    return Tree("num", value=exact)


def name(text: str) -> Tree:
    """A free name as a node."""
    return Tree("name", text=text)


def _names(node: Tree, bound: frozenset[str], found: set[str]) -> None:
    if node.op in ("name", "member") and node.text not in bound:
        found.add(node.text)
    if node.op in BOUND:
        _names(node.args[0], bound | {node.text}, found)
        for end in node.args[1:]:
            _names(end, bound, found)
        return
    for part in node.args:
        _names(part, bound, found)


def read(text: str, declared: frozenset[str] = frozenset()) -> Tree:
    """A statement or a term; a declared name wins over a constant of that name. Raises Unreadable."""
    source = " ".join(text.split())
    source = re.sub(r"\bimplies\s*\(", "_implies_(", source)
    if re.search(r"[^ -~]", source) or "lambda" in source or re.search(r"[\\^|!](?!=)", source):
        raise Unreadable("characters outside of the printed grammar")
    try:
        tree = ast.parse(source, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise Unreadable(f"not of the printed grammar: {source[:60]!r}") from None
    reader = _Reader(source, declared)
    return reader.node(tree)


class _Reader:
    def __init__(self, source: str, declared: frozenset[str]) -> None:
        self.source, self.declared, self.count = source, declared, 0

    def node(self, e: ast.expr) -> Tree:
        self.count += 1
        if self.count > MAX_NODES:
            raise Unreadable("too long")
        match e:
            case ast.Constant(value=True):
                return Tree("true")
            case ast.Constant():
                return self.literal(e)
            case ast.Name(id=text):
                known = text in CONSTANTS and text not in self.declared
                return Tree("const" if known else "name", text=text)
            case ast.UnaryOp(op=ast.USub(), operand=x):
                return Tree("neg", (self.node(x),))
            case ast.UnaryOp(op=ast.UAdd(), operand=x):
                return self.node(x)
            case ast.UnaryOp(op=ast.Not(), operand=x):
                return Tree("not", (self.node(x),))
            case ast.BinOp(left=a, op=op, right=b):
                return self.binary(op, self.node(a), self.node(b))
            case ast.BoolOp(op=op, values=parts):
                kind = "and" if isinstance(op, ast.And) else "or"
                return Tree(kind, tuple(self.node(p) for p in parts))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.chain(left, ops, others)
            case ast.Call(func=ast.Name(id=head), args=given, keywords=[]):
                return self.call(head, given)
            case ast.Subscript(value=ast.Name(id=head), slice=inside):
                return self.subscript(head, inside)
        raise Unreadable(f"not of the printed grammar: {ast.unparse(e)[:60]!r}")

    def literal(self, e: ast.Constant) -> Tree:
        text = self.source[e.col_offset : e.end_col_offset].replace("_", "")
        if not re.fullmatch(r"\d*\.?\d*([eE][+-]?\d{1,5})?", text):
            raise Unreadable(f"no number: {text[:40]!r}")
        return number(Fraction(text))

    def binary(self, op: ast.operator, a: Tree, b: Tree) -> Tree:
        match op:
            case ast.Add():
                return Tree("add", (a, b))
            case ast.Sub():
                return Tree("add", (a, Tree("neg", (b,))))
            case ast.Mult():
                return Tree("mul", (a, b))
            case ast.Div():
                return Tree("div", (a, b))
            case ast.Pow():
                return Tree("pow", (a, b))
            case ast.Mod():
                return Tree("call", (a, b), "Mod")
            case ast.FloorDiv():
                return Tree("call", (Tree("div", (a, b)),), "floor")
        raise Unreadable("an operator outside of the grammar")

    def chain(self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> Tree:
        sides = [self.node(s) for s in (left, *others)]
        parts = []
        for i, op in enumerate(ops):
            if type(op) not in SIGNS:
                raise Unreadable("a comparison outside of the grammar")
            parts.append(Tree("cmp", (sides[i], sides[i + 1]), SIGNS[type(op)]))
        return parts[0] if len(parts) == 1 else Tree("and", tuple(parts))

    def call(self, head: str, given: list[ast.expr]) -> Tree:
        if head in REPEATED and len(given) >= 2:
            return self.repeated(REPEATED[head], given)
        if head == "_implies_" and len(given) == 2:
            return Tree("implies", tuple(self.node(g) for g in given))
        if head == "Piecewise":
            flat: list[Tree] = []
            for piece in given:
                if not (isinstance(piece, ast.Tuple) and len(piece.elts) == 2):
                    raise Unreadable("a Piecewise has pairs of a value and a condition")
                flat += [self.node(p) for p in piece.elts]
            return Tree("pieces", tuple(flat))
        return Tree("call", tuple(self.node(g) for g in given), head)

    def repeated(self, op: str, given: list[ast.expr]) -> Tree:
        result = self.node(given[0])
        for limit in given[1:]:
            match limit:
                case ast.Tuple(elts=[ast.Name(id=index), low, high]):
                    result = Tree(op, (result, self.node(low), self.node(high)), index)
                case _:
                    raise Unreadable("a range is (k, first, last)")
        return result

    def subscript(self, head: str, inside: ast.expr) -> Tree:
        if head in MEANS and head not in self.declared:
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            return Tree("mean", tuple(self.node(p) for p in parts), head)
        return Tree("member", (self.node(inside),), head)
