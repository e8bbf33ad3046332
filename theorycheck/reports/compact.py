"""A long script made short: specialised to the point at which it was run, and set in fewer lines.

`specialised` runs a script once and keeps of every condition the side that was taken, where it was always
the same one, and of the loops those that were entered; what is then called by nothing goes. `compact`
sets simple statements beside one another and turns plain data classes into named tuples. Both give a
script that computes the same numbers; the caller runs it again before it is handed out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

WIDTHS = (100, 140, 180, 240, 300)
"""Characters to which statements are joined, tried in turn; a longer single one stays as it is."""

_MARK = "conditions seen:"

_PROBE = """
_hits = {}
def _seen(i, v):
    v = bool(v)
    _hits.setdefault(i, set()).add(v)
    return v
"""


def specialised(script: str, run: Callable[[str], str | None]) -> str:
    """The script without the branches that are not taken. ``run``: what a script prints, or None where
    it fails; the script is then returned as it was."""
    tree = ast.parse(script)
    number = {id(node): i for i, node in enumerate(_turns(tree))}
    probed = ast.parse(script)
    for i, node in enumerate(list(_turns(probed))):
        if isinstance(node, ast.For):
            node.body.insert(0, ast.Expr(_seen(i, ast.Constant(True))))
        else:
            node.test = _seen(i, node.test)
    report = (
        f"import json\nprint({_MARK!r}, json.dumps({{i: sorted(v) for i, v in _hits.items()}}))\n"
    )
    text = ast.unparse(ast.fix_missing_locations(probed))
    output = run(_PROBE + text + "\n" + report)
    if output is None or _MARK not in output:
        return script
    hits = json.loads(output.rsplit(_MARK, 1)[1])
    taken = {id_: hits.get(str(i), []) for id_, i in number.items()}
    pruned = _Pruned(taken).visit(tree)
    kept = ast.fix_missing_locations(_needed(pruned))
    return f'"""{ast.get_docstring(tree)} Only the branches taken there."""\n' + "".join(
        ast.unparse(node) + "\n" for node in kept.body[1:]
    )


def _turns(tree: ast.AST) -> Iterator[Any]:
    """Places where the script may go one way or another."""
    yield from (n for n in ast.walk(tree) if isinstance(n, ast.If | ast.IfExp | ast.For))


def _seen(index: int, value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("_seen", ast.Load()), [ast.Constant(index), value], [])


class _Pruned(ast.NodeTransformer):
    """``taken``: id of a condition -> the sides that it took; of a loop -> whether it was entered."""

    def __init__(self, taken: dict[int, list[bool]]) -> None:
        self.taken = taken

    def visit_If(self, node: ast.If) -> Any:
        sides = self.taken.get(id(node), [])
        self.generic_visit(node)
        if len(sides) != 1:
            return node
        return (node.body if sides[0] else node.orelse) or [ast.Pass()]

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        sides = self.taken.get(id(node), [])
        self.generic_visit(node)
        return node if len(sides) != 1 else node.body if sides[0] else node.orelse

    def visit_For(self, node: ast.For) -> Any:
        entered = self.taken.get(id(node), [])
        self.generic_visit(node)
        return node if entered or node.orelse else ast.Pass()


def _needed(tree: ast.Module) -> ast.Module:
    """Without the statements that do nothing, and the definitions that nothing reads."""
    nodes: Iterator[Any] = ast.walk(tree)
    for node in nodes:
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1:
            node.body = [s for s in body if not isinstance(s, ast.Pass)] or body[:1]
    while True:
        read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_read(n)}
        kept = [s for s in tree.body if not _defined(s) or _defined(s) & read]
        if len(kept) == len(tree.body):
            return tree
        tree.body = kept


def names_read(script: str) -> set[str]:
    """Names that a script reads, and functions of ``ns`` as ``ns.name``."""
    tree = ast.parse(script)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_read(n)}
    attributes = (n for n in ast.walk(tree) if isinstance(n, ast.Attribute))
    return names | {
        f"ns.{a.attr}" for a in attributes if isinstance(a.value, ast.Name) and a.value.id == "ns"
    }


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _defined(node: ast.stmt) -> set[str]:
    """Names that a definition or an assignment of a constant makes; empty for other statements."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        names = (n for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name))
        return {n.id for n in names if not _is_read(n)}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).split(".")[0] for a in node.names}
    return set()


# ---------------------------------------------------------------- fewer lines


def compact(script: str, width: int = WIDTHS[0]) -> str:
    """The same statements in fewer lines, joined up to a width in characters."""
    tree = ast.parse(script)
    tuples = [n for n in tree.body if _plain_class(n)]
    tree.body = [_as_tuple(n) if n in tuples else n for n in tree.body]
    if tuples:
        tree.body.insert(1, ast.ImportFrom("collections", [ast.alias("namedtuple")], 0))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):  # at a single point nothing is asked for often
            node.decorator_list = [d for d in node.decorator_list if ast.unparse(d) != "cache"]
    made = {
        name
        for node in tree.body
        for name in _defined(node)
        if not isinstance(node, ast.Import | ast.ImportFrom)
    }
    tree.body.sort(key=lambda n: _rank(n, made))
    tree = _needed(ast.fix_missing_locations(tree))
    head, rest = tree.body[0], tree.body[1:]
    lines = [f'"""{ast.get_docstring(tree)}"""'] if ast.get_docstring(tree) else [ast.unparse(head)]
    modules = [n for n in rest if isinstance(n, ast.Import)]
    unique = {ast.unparse(a): a for n in modules for a in n.names}
    together = [ast.Import(list(unique.values()))] if unique else []
    lines += _lines([*together, *(n for n in rest if n not in modules)], "", width)
    return "\n".join(lines) + "\n"


def _rank(node: ast.stmt, made: set[str]) -> int:
    """Where a statement of the script goes: docstring, imports, constants that need nothing of the
    script's own, the rest as it stands."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return 0
    if isinstance(node, ast.Import | ast.ImportFrom):
        return 1
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_read(n)}
    return 2 if isinstance(node, ast.Assign) and not read & made else 3


def _plain_class(node: ast.stmt) -> bool:
    """A class of named fields and nothing else."""
    return isinstance(node, ast.ClassDef) and all(
        isinstance(part, ast.AnnAssign) and part.value is None for part in node.body
    )


def _as_tuple(node: Any) -> ast.stmt:
    fields = " ".join(part.target.id for part in node.body)
    return ast.parse(f"{node.name} = namedtuple({node.name!r}, {fields!r})").body[0]


def _lines(body: Sequence[ast.stmt], indent: str, width: int) -> list[str]:
    """Statements as lines, simple ones joined as long as they fit."""
    lines: list[str] = []
    joined = ""
    for node in body:
        if _is_simple(node):
            text = ast.unparse(node)
            together = f"{joined}; {text}" if joined else indent + text
            if joined and len(together) > width:
                lines.append(joined)
                together = indent + text
            joined = together
            continue
        lines += [joined] if joined else []
        joined = ""
        lines += _compound(node, indent, width)
    return [*lines, joined] if joined else lines


def _is_simple(node: ast.stmt) -> bool:
    return not hasattr(node, "body")


def _compound(node: Any, indent: str, width: int) -> list[str]:
    if not isinstance(
        node, ast.FunctionDef | ast.ClassDef | ast.For | ast.While | ast.With | ast.If
    ):
        return [indent + line for line in ast.unparse(node).splitlines()]
    lines = [indent + "@" + ast.unparse(d) for d in getattr(node, "decorator_list", [])]
    for header, body in _parts(node):
        inside = _lines(body, "", width)
        one_line = f"{indent}{header} {inside[0]}"
        if len(inside) == 1 and all(map(_is_simple, body)) and len(one_line) <= width:
            lines.append(one_line)
        else:
            lines += [indent + header, *_lines(body, indent + "    ", width)]
    return lines


def _parts(node: Any) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Headers and bodies of a compound statement."""
    if isinstance(node, ast.If):
        yield f"if {ast.unparse(node.test)}:", node.body
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            yield f"elif {ast.unparse(rest[0].test)}:", rest[0].body
            rest = rest[0].orelse
        if rest:
            yield "else:", rest
        return
    bare: Any = ast.parse(ast.unparse(node)).body[0]
    bare.body, bare.decorator_list = [ast.Pass()], []
    if getattr(bare, "orelse", None):
        bare.orelse = []
    yield ast.unparse(bare).splitlines()[0], node.body
    if getattr(node, "orelse", None):
        yield "else:", node.orelse


__all__ = ["WIDTHS", "compact", "names_read", "specialised"]
