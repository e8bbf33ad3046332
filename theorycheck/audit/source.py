"""Changes of a function's source, one at a time.

Every change replaces one span of the text, so that what is shown is the author's line and what it became.
The operators are those that found most in claims: a term or factor dropped, an exponent or an index off by
one, a maximum for a minimum, a maximum for a sum, a comparison turned, a sign.

Left alone, because a change there says nothing about the evidence: guards that raise, docstrings and other
strings, annotations, defaults, and the arguments named in `_QUIET` (shapes are checked by what uses them,
and a wrong axis breaks the program).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_QUIET = frozenset({"strict", "dtype", "axis", "axes", "chunk", "block", "key", "where", "shape"})

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
}

_EXCHANGED = {
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "minimum": "maximum",
    "argmax": "argmin",
    "argmin": "argmax",
    "sum": "max",
    "prod": "sum",
    "mean": "max",
    "cos": "sin",
    "sin": "cos",
    "floor": "ceil",
    "ceil": "floor",
    "any": "all",
    "all": "any",
}
"""Names of functions, bare or as attributes, and what a slip of the author would have written."""


@dataclass(frozen=True)
class Change:
    """One replaced span. ``line`` from 1; ``start`` and ``end`` are offsets into the file's UTF-8 bytes."""

    kind: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self, source: str) -> str:
        raw = source.encode("utf-8")
        return (raw[: self.start] + self.new.encode("utf-8") + raw[self.end :]).decode("utf-8")

    @property
    def text(self) -> str:
        """``k + 1 -> k``: what stood there and what stands there now."""
        return f"{_short(self.old)} -> {_short(self.new)}"


def changes(source: str, first_lines: frozenset[int]) -> list[Change]:
    """Every change of the functions that begin at the given lines (of ``def`` or its first decorator), in
    the order of the text. Nested functions belong to the one that holds them."""
    tree = ast.parse(source)
    text = _Text(source)
    found: dict[tuple[int, int, str], Change] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda) and _begins(node) in first_lines:
            body = node.body if isinstance(node.body, list) else [node.body]
            for change in _Changes(text).of_body(body):
                found.setdefault((change.start, change.end, change.new), change)
    return sorted(found.values(), key=lambda c: (c.start, c.end, c.new))


def ends(source: str) -> dict[int, int]:
    """Last line of every function, by the line where it begins."""
    functions = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef))
    return {_begins(f): f.end_lineno or f.lineno for f in functions}


def _begins(node: ast.FunctionDef | ast.Lambda) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(d.lineno for d in decorators)])


class _Text:
    """A source with the byte offset of each line."""

    def __init__(self, source: str) -> None:
        self.raw = source.encode("utf-8")
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr) -> tuple[int, int]:
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError("a node that was parsed has an end")
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.raw[start:end].decode("utf-8")


class _Changes:
    def __init__(self, text: _Text) -> None:
        self.text = text

    def of_body(self, body: list[ast.stmt] | list[ast.expr]) -> Iterator[Change]:
        for statement in body:
            if isinstance(statement, ast.expr):
                yield from self.of(statement)
            elif not _is_quiet(statement):
                yield from self.of_statement(statement)

    def of_statement(self, statement: ast.stmt) -> Iterator[Change]:
        for name, value in ast.iter_fields(statement):
            if name in ("annotation", "decorator_list", "returns", "args", "targets"):
                continue
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.expr):
                    yield from self.of(item)
                elif isinstance(item, ast.stmt) and not _is_quiet(item):
                    yield from self.of_statement(item)
                elif isinstance(item, ast.ExceptHandler | ast.match_case):
                    yield from self.of_body(item.body)

    def of(self, node: ast.expr) -> Iterator[Change]:
        """The changes of an expression and of everything inside of it."""
        yield from self.here(node)
        for name, value in ast.iter_fields(node):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.keyword):
                    if item.arg not in _QUIET:
                        yield from self.of(item.value)
                elif isinstance(item, ast.comprehension):
                    yield from self.of(item.iter)
                    for condition in item.ifs:
                        yield from self.of(condition)
                elif isinstance(item, ast.expr) and not (
                    isinstance(node, ast.Lambda) and name == "args"
                ):
                    yield from self.of(item)

    def here(self, node: ast.expr) -> Iterator[Change]:
        if isinstance(node, ast.Constant):
            yield from self._constant(node)
        elif isinstance(node, ast.BinOp):
            yield from self._operation(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield self._made("sign", node, self.text.of(node.operand))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from self._comparison(node)
        elif isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.Subscript):
            yield from self._index(node)
        elif isinstance(node, ast.BoolOp):
            for part in node.values:
                others = [self.text.of(v) for v in node.values if v is not part]
                word = " and " if isinstance(node.op, ast.And) else " or "
                yield self._made("condition dropped", node, f"({word.join(others)})")
        elif isinstance(node, ast.IfExp):
            yield self._made("branch", node, f"({self.text.of(node.body)})")
            yield self._made("branch", node, f"({self.text.of(node.orelse)})")

    def _constant(self, node: ast.Constant) -> Iterator[Change]:
        value = node.value
        if isinstance(value, bool):
            yield self._made("constant", node, str(not value))
        elif isinstance(value, int):
            yield self._made("constant", node, str(value + 1))
        elif isinstance(value, float):
            yield self._made("constant", node, repr(value * 1.5 if value else 0.5))

    def _operation(self, node: ast.BinOp) -> Iterator[Change]:
        left, right = self.text.of(node.left), self.text.of(node.right)
        if isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.right, ast.Constant):
            yield self._made(
                "term dropped", node, f"({left})"
            )  # the constant itself is changed as well
        elif isinstance(node.op, ast.Add | ast.Sub):
            sign = "-" if isinstance(node.op, ast.Add) else "+"
            yield self._made("sign", node, f"({left} {sign} ({right}))")
            yield self._made("term dropped", node, f"({left})")
            yield self._made("term dropped", node, f"({right})")
        elif isinstance(node.op, ast.Mult | ast.Div | ast.MatMult | ast.FloorDiv | ast.Mod):
            if not isinstance(node.left, ast.List | ast.Constant | ast.Tuple):
                yield self._made("factor dropped", node, f"({left})")
            if isinstance(node.op, ast.Mult) and not isinstance(
                node.right, ast.List | ast.Constant
            ):
                yield self._made("factor dropped", node, f"({right})")
        elif isinstance(node.op, ast.Pow):
            if not isinstance(node.right, ast.Constant):
                yield self._made("exponent", node, f"({left}) ** (({right}) + 1)")
            elif node.right.value == 2:
                yield self._made("exponent", node, f"({left})")

    def _comparison(self, node: ast.Compare) -> Iterator[Change]:
        turned = _COMPARED.get(type(node.ops[0]))
        if turned is not None:
            left, right = self.text.of(node.left), self.text.of(node.comparators[0])
            yield self._made("comparison", node, f"({left} {turned} {right})")

    def _call(self, node: ast.Call) -> Iterator[Change]:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in _EXCHANGED:
            _, end = self.text.span(function)
            length = len(name.encode("utf-8"))
            new = _EXCHANGED[name]
            yield Change(
                "function", function.end_lineno or node.lineno, end - length, end, name, new
            )
        if name == "range" and node.args:
            last = node.args[min(1, len(node.args) - 1)]
            if not isinstance(last, ast.Constant):
                yield self._made("range", last, f"{self.text.of(last)} - 1")
        if name == "abs" and len(node.args) == 1:
            yield self._made("factor dropped", node, f"({self.text.of(node.args[0])})")

    def _index(self, node: ast.Subscript) -> Iterator[Change]:
        index = node.slice
        if isinstance(index, ast.Name | ast.BinOp) and isinstance(node.ctx, ast.Load):
            yield self._made("index", index, f"({self.text.of(index)}) - 1")

    def _made(self, kind: str, node: ast.expr, new: str) -> Change:
        start, end = self.text.span(node)
        return Change(kind, node.lineno, start, end, self.text.of(node), new)


def _is_quiet(statement: ast.stmt) -> bool:
    """Docstrings and other loose constants, guards that only raise, assertions, imports."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.If):
        return not statement.orelse and all(isinstance(s, ast.Raise) for s in statement.body)
    return isinstance(statement, ast.Assert | ast.Raise | ast.Import | ast.ImportFrom | ast.Pass)


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 60 else f"{one_line[:57]}..."
