"""What a function reaches: everything that its code names, globals, closures, defaults, helpers in the same
package, attributes of its modules, imports inside functions.

Data of a module (a table, a list of numbers) count as what they were computed from: the statements that
fill them are read as well.

Known limits: a formula retyped in plain arithmetic cannot be told from a computation, numbers copied
from elsewhere cannot be told from data, and names put together at run time are not followed.
"""

from __future__ import annotations

import ast
import dis
import functools
import re
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from theorycheck.claims.iteration import Iterated
from theorycheck.claims.model import Claim

FORBIDDEN = ("sympy",)

_BY_NAME = frozenset(
    {"getattr", "attrgetter", "vars", "globals", "locals", "eval", "exec", "__import__"}
    | {"import_module", "modules", "__dict__"}
)
"""What reads names given as text: the identifiers in the strings of such code count as read."""


def reaches(function: Callable[..., Any], package: str) -> list[str] | None:
    """Path of names from the function to something forbidden, None where there is none."""
    return _visit(function, [_label(function)], package, set())


def functions_of(function: Callable[..., Any], package: str) -> list[types.FunctionType]:
    """The functions of the package that a function reaches, itself among them, each once."""
    found: list[types.FunctionType] = []
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        obj = waiting.pop()
        if id(obj) in seen:
            continue
        seen.add(id(obj))
        if isinstance(obj, types.FunctionType) and ours(obj.__module__, package):
            found.append(obj)
        waiting += [item for _, item in _children(obj, package)]
    return found


def _visit(obj: Any, path: list[str], package: str, seen: set[int]) -> list[str] | None:
    if id(obj) in seen:
        return None
    seen.add(id(obj))
    found = _forbidden(obj)
    if found is not None:
        return path if path[-1] == found else [*path, found]
    for name, item in _children(obj, package):
        deeper = _visit(item, [*path, name], package, seen)
        if deeper is not None:
            return deeper
    return None


def _forbidden(obj: Any) -> str | None:
    if isinstance(obj, types.ModuleType):
        return obj.__name__ if obj.__name__.split(".")[0] in FORBIDDEN else None
    if isinstance(obj, Claim):
        return f"claim {obj.id}"
    if isinstance(obj, types.FunctionType) and obj.__code__.co_filename.startswith("<lambdify"):
        return "a function made by lambdify"
    module = obj.__module__ if isinstance(obj, type | types.FunctionType) else type(obj).__module__
    if str(module).split(".")[0] in FORBIDDEN:
        return f"the SymPy object {obj!s:.40}"
    return None


def _children(obj: Any, package: str) -> Iterator[tuple[str, Any]]:
    if isinstance(obj, types.FunctionType):
        if not ours(obj.__module__, package):
            return
        yield from _of_function(obj)
    elif isinstance(obj, Iterated):
        yield from obj.parts()
    elif isinstance(obj, functools.partial):
        yield "partial", obj.func
        yield from ((f"argument {i}", a) for i, a in enumerate(obj.args))
        yield from obj.keywords.items()
    elif isinstance(obj, types.MethodType):
        yield "method", obj.__func__
        yield "self", obj.__self__
    elif isinstance(obj, list | tuple | set | frozenset):
        yield from (("item", item) for item in obj)
    elif isinstance(obj, Mapping):
        yield from ((f"entry {key!s:.20}", item) for key, item in obj.items())
    elif type(obj).__module__ == "numpy":  # not imported here: an array or a vectorized function
        yield from (("item", item) for item in (obj.flat if _of_objects(obj) else ()))
        yield from ((n, v) for n, v in getattr(obj, "__dict__", {}).items() if n == "pyfunc")
    elif isinstance(obj, types.SimpleNamespace) or (
        isinstance(obj, type) and ours(obj.__module__, package)
    ):
        yield from vars(obj).items()
    elif isinstance(obj, staticmethod | classmethod):
        yield "function", obj.__func__
    elif isinstance(obj, property):
        yield "getter", obj.fget
    elif ours(type(obj).__module__, package):
        yield from getattr(obj, "__dict__", {}).items()
        yield type(obj).__name__, type(obj)
    elif hasattr(obj, "__wrapped__"):
        yield "wrapped", obj.__wrapped__


def _of_objects(array: Any) -> bool:
    return getattr(getattr(array, "dtype", None), "kind", "") == "O" and hasattr(array, "flat")


def _of_function(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    names, attributes, imported = _read_by(function.__code__)
    for module in imported:
        if module.split(".")[0] in FORBIDDEN:
            yield module, types.ModuleType(module)
    scope = function.__globals__
    for name in names & set(scope):
        yield from _of_name(name, scope, attributes)
    for cell in function.__closure__ or ():
        try:
            yield "closure", cell.cell_contents
        except ValueError:  # a cell that is not filled yet holds nothing
            continue
    yield from ((f"default {i}", d) for i, d in enumerate(function.__defaults__ or ()))
    yield from (function.__kwdefaults__ or {}).items()


def _of_name(
    name: str, scope: Mapping[str, Any], attributes: frozenset[str]
) -> Iterator[tuple[str, Any]]:
    """What a global name stands for; of a module only the attributes that the code may take from it;
    of data also what they were made from."""
    item = scope[name]
    if isinstance(item, types.ModuleType) and not _forbidden(item):
        for attribute in attributes & set(vars(item)):
            deeper = _of_name(attribute, vars(item), attributes - {attribute})
            yield from ((f"{name}.{label}", found) for label, found in deeper)
        return
    yield name, item
    if not (callable(item) or isinstance(item, types.ModuleType)):
        for source in _made_from(str(scope.get("__file__", ""))).get(name, ()):
            if source in scope:
                yield f"{name}, made from {source}", scope[source]


@functools.cache
def _made_from(file: str) -> Mapping[str, frozenset[str]]:
    """For each name that statements of a module fill with data: the names that these read."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    # Typed into a notebook, or compiled: nothing is known of how it was made.
    except (OSError, SyntaxError, UnicodeDecodeError):
        return {}
    found: dict[str, set[str]] = {}
    apart = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    for statement in tree.body:
        if isinstance(statement, apart):
            continue
        read: set[str] = set()
        filled: set[str] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else filled).add(node.id)
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                filled |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = node.value.func  # table.append(...), table.update(...)
                if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                    filled.add(called.value.id)
        for name in filled:
            found.setdefault(name, set()).update(read - {name})
    changed = True
    while changed:  # data made from other data
        changed = False
        for read in found.values():
            more = set().union(*(found[name] for name in read if name in found)) - read
            changed = changed or bool(more)
            read |= more
    return {name: frozenset(read) for name, read in found.items()}


@functools.cache
def _read_by(code: types.CodeType) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Global names, attributes and modules that the code may read. Many claims share a model."""
    names, attributes, imported, texts = set(), set(), set(), set()
    for part in _codes(code):
        for instruction in dis.get_instructions(part):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
                names.add(str(instruction.argval))
            elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"):
                attributes.add(str(instruction.argval))
            elif instruction.opname == "IMPORT_NAME":
                imported.add(str(instruction.argval))
            elif instruction.opname == "LOAD_CONST" and isinstance(instruction.argval, str):
                texts |= set(re.findall(r"[A-Za-z_]\w*", instruction.argval))
    if (names | attributes) & _BY_NAME:
        names, attributes = names | texts, attributes | texts
        imported |= texts & set(FORBIDDEN)
    return frozenset(names), frozenset(attributes), frozenset(imported)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def ours(module: str | None, package: str) -> bool:
    """Whether a module is the package or lies in it."""
    return module is not None and (module == package or module.startswith(package + "."))


def _label(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", function))
