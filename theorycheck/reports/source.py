"""The source text of a simulation and of all that it reaches, freed from theorycheck.

For `theorycheck.reports.export`: functions and constants are taken from the claim's module and its
neighbours as they are written there; only the decorators that make a function a claim are dropped. What
cannot stand alone (a closure, a class of ours, a library beyond NumPy and the standard one) raises
NotStandAlone, or is named as missing where the simulation may do without it at its point.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theorycheck import blocks

ALLOWED = frozenset({"math", "cmath", "fractions", "itertools", "functools", "collections"}) | {
    "dataclasses",
    "typing",
    "numpy",
    "operator",
    "mpmath",
}
"""Modules that a stand-alone script may import; DESIGN 3.4 asks for NumPy and mpmath at most."""

STAND_INS = {
    "Surd": "def Surd(c, n=1):\n    return as_mpf(c) * mpmath.sqrt(n)",
    "fmpq": "fmpq = Fraction",
    "sqrt": "def sqrt(x):\n    return mpmath.sqrt(as_mpf(x))",
    "fmpz_poly": """class fmpz_poly(list):
    def __init__(self, coefficients):
        super().__init__(int(v) for v in np.trim_zeros(np.rint(coefficients), "b"))

    def degree(self):
        return len(self) - 1

    def coeffs(self):
        return self

    def __mod__(self, other):
        return fmpz_poly(np.polydiv(self[::-1], other[::-1])[1][::-1])

    @staticmethod
    def cyclotomic(n):
        roots = [np.exp(2j * np.pi * j / n) for j in range(n) if np.gcd(j, n) == 1]
        return fmpz_poly(np.poly(roots)[::-1].real)""",
}
"""Names of theorycheck and of libraries that scripts do without, and what stands for them (`as_mpf` is
in the script's head; coefficients of cyclotomic polynomials are small, so that rounding gives them)."""


class NotStandAlone(Exception):
    """Why a simulation cannot be written down in a few lines."""


@dataclass
class Extract:
    """Pieces of code in the order in which they must stand."""

    imports: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    stand_ins: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    missing: dict[str, str] = field(default_factory=dict)
    """Names that the script cannot have, and why: it may still do without them at its point."""


def extract(functions: Iterable[Callable[..., Any]]) -> Extract:
    """Everything that the functions need. Raises NotStandAlone."""
    out = Extract()
    seen: set[tuple[Path, str]] = set()
    for function in functions:
        code = getattr(function, "__code__", None)
        if code is None or function.__closure__:
            raise NotStandAlone("the simulation is no plain function of a module")
        _take(Path(code.co_filename), name_of(function), code.co_firstlineno, out, seen)
    return out


def name_of(function: Callable[..., Any]) -> str:
    """The name under which the script holds it: a lambda is named by its line."""
    code = function.__code__
    return f"on_line_{code.co_firstlineno}" if code.co_name == "<lambda>" else code.co_name


def _take(
    file: Path, name: str, line: int | None, out: Extract, seen: set[tuple[Path, str]]
) -> None:
    if (file, name) in seen:
        return
    seen.add((file, name))
    node, tree, source = _definition(file, name, line)
    if isinstance(node, ast.Import | ast.ImportFrom):
        _import(file, name, node, out, seen)
        return
    bare = _bare(node)
    out.names |= set(_names_of(node))
    defined = {n for top in tree.body for n in _names_of(top)}
    for needed in _loaded(bare):
        if needed in defined and needed != name:
            _take(file, needed, None, out, seen)
        elif needed not in defined and not hasattr(builtins, needed):
            raise NotStandAlone(f"{name} uses {needed}, which is defined nowhere in sight")
    out.arguments |= {a.arg for a in ast.walk(bare) if isinstance(a, ast.arg)}
    text = _written(node, source)
    if text not in out.pieces:
        out.pieces.append(text)


def _written(node: ast.stmt, source: str) -> str:
    """A definition as it stands in its file, under the decorators that a script keeps."""
    text = "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno])
    if isinstance(node, ast.FunctionDef) and not text.startswith("def "):
        return ast.unparse(node)  # a lambda that `_definition` has named
    return "".join(f"@{ast.unparse(d)}\n" for d in _kept_decorators(node)) + text


def _definition(file: Path, name: str, line: int | None) -> tuple[ast.stmt, ast.Module, str]:
    """The statement that defines a name at the top of its module, the module, and its text."""
    try:
        source = file.read_text(encoding="utf-8")
    except OSError as error:
        raise NotStandAlone(f"the source of {name} is not at hand") from error
    tree = ast.parse(source)
    for node in tree.body:
        if name in _names_of(node) and (line is None or _begins(node, line)):
            return node, tree, source
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == line]
    if line is not None and name == f"on_line_{line}" and len(found) == 1:
        lone = found[0]
        named = ast.FunctionDef(name, lone.args, [ast.Return(lone.body)], [])
        return ast.copy_location(named, lone), tree, source
    raise NotStandAlone(f"{name} is not defined at the top of its module")


def _begins(node: ast.stmt, line: int) -> bool:
    """Whether a definition is the one at that line (decorators count to it)."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return bool(first <= line <= (node.end_lineno or node.lineno))


def _names_of(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name).split(".")[0]
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _import(
    file: Path,
    name: str,
    node: ast.Import | ast.ImportFrom,
    out: Extract,
    seen: set[tuple[Path, str]],
) -> None:
    alias = next(a for a in node.names if (a.asname or a.name).split(".")[0] == name)
    if isinstance(node, ast.Import):
        module, text = alias.name, f"import {alias.name}"
    elif node.level:
        other = file.parent / f"{node.module or alias.name}.py"
        if node.module is None or alias.asname is not None:
            raise NotStandAlone(f"it imports {name} as a module")
        _take(other, alias.name, None, out, seen)
        return
    else:
        module, text = node.module or "", f"from {node.module} import {alias.name}"
    if module.startswith(f"{blocks.__name__}.") and alias.asname is None:
        # What claims share is as plain as they are: it comes along as it is written.
        other = Path(blocks.__path__[0]) / f"{module.rpartition('.')[2]}.py"
        _take(other, alias.name, None, out, seen)
        return
    home = module.split(".")[0]
    if isinstance(node, ast.ImportFrom) and home in ("theorycheck", "flint", "array_api_compat"):
        if alias.name not in STAND_INS or alias.asname is not None:
            out.missing[name] = f"it needs {alias.name} of {home}"
        else:
            out.stand_ins.add(alias.name)
        return
    if home not in ALLOWED:
        out.missing[name] = f"it imports {module}"
        return
    text += f" as {alias.asname}" if alias.asname else ""
    if text not in out.imports:
        out.imports.append(text)


class _Bare(ast.NodeTransformer):
    """Drops annotations, which the script does not evaluate."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _kept_decorators(node: ast.AST) -> list[ast.expr]:
    """Of a class all; of a function plain names such as ``cache``: the others are ``claim(...)``."""
    written: list[ast.expr] = getattr(node, "decorator_list", [])
    return written if isinstance(node, ast.ClassDef) else [d for d in written if _is_name(d)]


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def _bare(node: ast.stmt) -> ast.stmt:
    """A copy that reads the names that the script must have, and no others."""
    copied = copy.deepcopy(node)
    if isinstance(copied, ast.FunctionDef):
        copied.decorator_list = _kept_decorators(copied)
    changed = ast.fix_missing_locations(_Bare().visit(copied))
    if not isinstance(changed, ast.stmt):
        raise NotStandAlone("its source cannot be read")
    return changed


def _loaded(node: ast.AST) -> list[str]:
    """Names that a definition reads from outside of itself."""
    if isinstance(node, ast.ClassDef):
        parts = [*node.bases, *node.decorator_list, *node.body]
        own = {n for part in node.body for n in _names_of(part)} | {node.name}
        return list(dict.fromkeys(n for part in parts for n in _loaded(part) if n not in own))
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    bound = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
    bound |= {f.name for f in ast.walk(node) if isinstance(f, ast.FunctionDef)}
    if isinstance(node, ast.FunctionDef):
        bound |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    for loop in ast.walk(node):
        if isinstance(loop, ast.comprehension):
            bound |= {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    loaded = [n.id for n in names if isinstance(n.ctx, ast.Load)]
    return [n for n in dict.fromkeys(loaded) if n not in bound]
