"""What a claim reaches by imports, found by reading its modules and not by what happens to be loaded.

Imports are followed from the claim's module, at any depth of its statements: relative ones through its
folder, sub-packages and the folder above, absolute ones wherever Python would find them now. Local and
editable modules are followed on and keyed by their syntax trees, installed packages by their version;
the standard library belongs to Python's version and theorycheck to the engine's own digest.

Known limit: a name that is put together at run time cannot be followed. Such a claim is loaded and judged,
and its evidence is not cached (`Content.never`); so is that of claims whose code is native, or whose
packages read files in native code, where what they read is seen by nobody.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from theorycheck.evidence.content import (
    ABSENT,
    DIGESTS,
    Content,
    Part,
    find,
    module_file,
    version,
)

__all__ = ["Content", "Part", "content_of", "imported", "modules_of"]

READS_NATIVELY = frozenset(
    {"cv2", "duckdb", "h5py", "lmdb", "netCDF4", "polars", "pyarrow", "rasterio", "safetensors"}
    | {"soundfile", "tables", "tensorstore", "zarr"}
)
"""Packages that open files in native code, which no audit event tells of."""

SEVERAL_PROCESSES = frozenset({"multiprocessing", "joblib", "ray", "dask", "distributed"})
"""What another process reads is not seen from this one."""


def content_of(file: Path) -> Content:
    """Everything that a claim's module reaches by imports."""
    walk = _Walk(file.parent)
    walk.from_module(file.stem)
    return Content(tuple(sorted(walk.parts)), walk.never)


def modules_of(file: Path) -> set[Path]:
    """The module's file and those of the local modules that it reaches."""
    return set(content_of(file).files(file.parent).values())


_imported: dict[Path, _Stamp] = {}
"""Files whose modules this process has imported, as they were then. A file that is edited during a long
run stays what it was: evidence is filed under the content that made it."""

_Stamp = tuple[int, ...]


def imported(file: Path) -> None:
    """Tell that this process has now imported a module and what it reaches."""
    for path in modules_of(file):
        _imported.setdefault(path, _stamp(path))


def _stamp(path: Path) -> _Stamp:
    s = path.stat()
    return _imported.get(path) or (s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino)


@dataclass(frozen=True)
class _Import:
    """An import statement: ``from .module import names``; ``level`` dots, 0 for an absolute one."""

    level: int
    module: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Source:
    """What a module's text says. ``computed``: line of an import of a computed name, 0 where there is none."""

    digest: str
    imports: tuple[_Import, ...]
    computed: int


@dataclass
class _Walk:
    """The modules that a claim's module reaches, seen from its folder."""

    folder: Path
    parts: set[Part] = field(default_factory=set)
    never: str = ""
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def from_module(self, name: str) -> bool:
        """Follow a module beside the claim's; ``name``: its path without suffix. Whether it is there."""
        file = module_file(self.folder / name)
        if ("module", name) not in self._seen:
            self._seen.add(("module", name))
            self._add("module", name, file)
            if file is not None and not _native(file):
                for item in _source(file, _stamp(file)).imports:
                    self._relative(name, file, item) if item.level else self._absolute(item)
        return file is not None

    def _relative(self, name: str, file: Path, item: _Import) -> None:
        package = name if file.stem == "__init__" else posixpath.dirname(name)
        base = posixpath.normpath(posixpath.join(package, *[".."] * (item.level - 1)))
        for step in filter(None, item.module.split(".")):
            base = posixpath.normpath(posixpath.join(base, step))
            self.from_module(base)
        inside = self.folder / base
        if inside.is_dir():
            names = _members(inside) if "*" in item.names else item.names
            for member in names:
                if item.module == "" or module_file(inside / member) is not None:
                    self.from_module(posixpath.normpath(posixpath.join(base, member)))

    def _absolute(self, item: _Import) -> None:
        self._named(item.module)
        found = find(item.module)
        if found.local and found.inside is not None:
            for folder in found.inside:
                names = _members(Path(folder)) if "*" in item.names else item.names
                for member in names:
                    if find(f"{item.module}.{member}").kind != ABSENT:
                        self._named(f"{item.module}.{member}")

    def _named(self, name: str) -> None:
        """Follow an absolute name and the packages above it."""
        above = name.rpartition(".")[0]
        if above:
            self._named(above)
        if ("import", name) in self._seen:
            return
        self._seen.add(("import", name))
        found, top = find(name), name.partition(".")[0]
        if top in SEVERAL_PROCESSES:
            self._refuse(f"it may start processes ({top}), whose reading is not seen")
        if found.kind == "installed":
            self.parts.add(Part("installed", top, version(top)))
            if top in READS_NATIVELY:
                self._refuse(f"{top} reads files in native code, which is not seen")
        elif found.kind == ABSENT:
            self.parts.add(Part("import", name, ABSENT))
        elif found.local and found.path is not None:
            self._add("import", name, found.path)
            if not _native(found.path):
                package = found.path.stem == "__init__"
                for item in _source(found.path, _stamp(found.path)).imports:
                    self._absolute(_resolved(item, name, package) if item.level else item)

    def _add(self, kind: str, name: str, file: Path | None) -> None:
        if file is None:
            if not (self.folder / name).is_dir():  # else a package without a file of its own
                self.parts.add(Part(kind, name, ABSENT))
        elif _native(file):
            self.parts.add(Part(kind, name, DIGESTS.of(file, "tree")))
            self._refuse(f"{file.name} is native code, whose reading is not seen")
        else:
            source = _source(file, _stamp(file))
            self.parts.add(Part(kind, name, source.digest))
            if source.computed:
                self._refuse(
                    f"{file.name}:{source.computed} imports a module by a computed name, which "
                    "cannot be followed"
                )

    def _refuse(self, why: str) -> None:
        self.never = self.never or why


def _resolved(item: _Import, name: str, package: bool) -> _Import:
    """A relative import inside the module of an absolute name, as an absolute one."""
    up = item.level - package
    base = name.rsplit(".", up)[0] if up else name
    return _Import(0, f"{base}.{item.module}" if item.module else base, item.names)


def _native(file: Path) -> bool:
    return file.name.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))


def _members(folder: Path) -> list[str]:
    """Modules that ``import *`` of a package may bring, by its ``__all__``."""
    return sorted(
        p.stem for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()
    )


@cache
def _source(path: Path, stamp: _Stamp) -> _Source:
    text = path.read_bytes()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):  # importing it says where
        return _Source(hashlib.blake2b(text, digest_size=16).hexdigest(), (), 0)
    digest = hashlib.blake2b(ast.dump(tree).encode("utf-8", "surrogateescape"), digest_size=16)
    imports = [i for node in _statements(tree) for i in _of_statement(node)]
    computed = 0
    if b"import_module" in text or b"__import__" in text:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _calls_import(node.func):
                named = _of_call(node)
                imports += [named] if named else []
                computed = computed or (0 if named else node.lineno)
    return _Source(digest.hexdigest(), tuple(dict.fromkeys(imports)), computed)


def _of_statement(node: ast.AST) -> Iterator[_Import]:
    if isinstance(node, ast.ImportFrom):
        yield _Import(node.level, node.module or "", tuple(a.name for a in node.names))
    elif isinstance(node, ast.Import):
        yield from (_Import(0, a.name) for a in node.names)


def _calls_import(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def _of_call(node: ast.Call) -> _Import | None:
    """``import_module("name")``, also relative; None where the name is computed."""
    if not node.args or not isinstance(node.args[0], ast.Constant):
        return None
    name = str(node.args[0].value)
    level = len(name) - len(name.lstrip("."))
    return _Import(level, name.lstrip("."))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module at any depth; expressions, which are most of a tree, hold none."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, name, None)
            if isinstance(inside, list):
                waiting += inside
