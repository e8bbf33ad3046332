"""What a claim was made from, apart from what only people read: a finding outlives another wording.

Left out of a module's syntax tree are docstrings, and titles, formulas as they are shown and notes where they
are texts written out in a call of the engine's own names. What is computed stays, and so does ``says`` of a typed
statement, which is the statement.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from theorycheck.library.loading import Loaded

_SHOWN = frozenset({"lhs", "tex"})
_TEXTS: Mapping[str, frozenset[str]] = {
    "claim": _SHOWN | {"title", "says", "notes"},
    "formula": _SHOWN | {"title", "notes"},
    **dict.fromkeys(("leg", "attained", "certificate", "formula_leg", "search"), _SHOWN),
}
"""Arguments that only people read, by the public name that takes them."""


def content_without_wording(item: Loaded) -> str:
    """Digest of all that a claim was loaded from and of the quantifiers that it covers."""
    files = item.made_from.files(item.file.parent)
    parts = [
        f"{p.kind} {p.name} {module_without_wording(files[p]) if _local(p.kind, files.get(p)) else p.digest}"
        for p in item.made_from.parts
    ]
    clauses = [f"{c.key} {c.kind} {c.prefix}" for c in item.claim.clauses]
    return _digest([*parts, *clauses])


def module_without_wording(file: Path) -> str:
    """Digest of a module of Python; of one that cannot be parsed, of its text."""
    stamp = file.stat()
    return _of_module(file, stamp.st_mtime_ns, stamp.st_size)


@cache
def _of_module(file: Path, modified: int, size: int) -> str:
    text = file.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return _digest([text])
    own = {
        alias.asname or alias.name: _TEXTS[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "theorycheck" and not node.level
        for alias in node.names
        if alias.name in _TEXTS
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            _leave_out(node, own.get(node.func.id, frozenset()))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = _without_docstring(node.body)
    return _digest([ast.dump(tree)])


def _leave_out(call: ast.Call, names: frozenset[str]) -> None:
    """Put one word in the place of texts: whether there is one is asked by the engine."""
    for keyword in call.keywords:
        value = keyword.value
        if (
            keyword.arg in names
            and isinstance(value, ast.Constant)
            and isinstance(value.value, str)
        ):
            keyword.value = ast.Constant("text" if value.value.strip() else "")


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if text else body


def _local(kind: str, file: Path | None) -> bool:
    return kind in ("module", "import") and file is not None and file.suffix == ".py"


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()
