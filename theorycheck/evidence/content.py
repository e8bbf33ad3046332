"""What evidence was made from, as a value that can be held against the world again.

A `Part` is one thing that entered: a module, a data file, the listing of a folder, a variable of the
environment, the version of an installed package. A `Content` is all of them for one claim, found when the
claim is loaded (`theorycheck.library.content`); what is read later, while its simulations run, is found by
`theorycheck.evidence.reads` and kept with the evidence. Holding a content against the world loads no
module of a claim.

Hashes are of contents. A file is not read again while size, both times, inode and device are what they
were when it was hashed, and lay further back then than a clock's grain: an edit within the grain of the
clock, of the same size, is read.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

ABSENT = "absent"

GRAIN_NS = 2_000_000_000
"""Coarsest step of the times that a file system gives (FAT: two seconds)."""

ENGINE = Path(__file__).resolve().parents[1]
"""Keyed as a whole, by `theorycheck.evidence.environment.engine_digest`."""


@dataclass(frozen=True, order=True)
class Part:
    """One thing that evidence was made from, and the digest of what was found there.

    ==============  ==============================================  ===============================
    ``kind``        ``name``                                        ``digest`` of
    ==============  ==============================================  ===============================
    ``module``      path without suffix, from the claim's folder    the syntax tree
    ``import``      absolute name of a local or editable module     the syntax tree
    ``installed``   top-level name of an installed package          its version
    ``file``        path, from the claim's folder or absolute       the bytes
    ``working``     path from the working directory                 the bytes, or the names listed
    ``folder``      path, from the claim's folder or absolute       the names that it lists
    ``variable``    name in the environment                         its value
    ==============  ==============================================  ===============================

    What is not there has the digest ``absent``.
    """

    kind: str
    name: str
    digest: str

    def path(self, folder: Path) -> Path | None:
        """Where it lies, seen from the claim's folder; None where it is no file."""
        if self.kind == "module":
            return module_file(folder / self.name)
        if self.kind == "import":
            found = find(self.name)
            return found.path if found.local else None
        if self.kind == "working":
            return Path(self.name)  # seen from where Python runs
        return folder / self.name if self.kind in ("file", "folder") else None

    def now(self, folder: Path) -> str:
        """The digest of what is there now."""
        if self.kind == "variable":
            return variable_digest(self.name)
        if self.kind == "installed":
            return version(self.name)
        path = self.path(folder)
        if path is None:
            return ABSENT
        if self.kind == "folder" or (self.kind == "working" and path.is_dir()):
            return listing_digest(path)
        return DIGESTS.of(path, "tree" if self.kind in ("module", "import") else "bytes")

    def absolute(self, folder: Path) -> Part:
        """The same part whatever folder it is seen from."""
        if self.kind not in ("file", "folder"):
            return self
        return Part(self.kind, os.path.normpath(folder / self.name), self.digest)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Content:
    """Everything that a claim was loaded from. ``never``: why evidence made from it cannot be cached,
    "" where it can."""

    parts: tuple[Part, ...] = ()
    never: str = ""

    @property
    def digest(self) -> str:
        return digest_of(self.parts)

    def files(self, folder: Path) -> dict[Part, Path]:
        """Its parts that are files, by where they lie."""
        found = {part: part.path(folder) for part in self.parts}
        return {part: path for part, path in found.items() if path is not None}

    def changed(self, folder: Path) -> Part | None:
        """The first part that is no longer what it was; None where nothing has changed. ``folder``: that
        of the claim's module."""
        return next((p for p in self.parts if p.now(folder) != p.digest), None)


def rows_of(parts: Iterable[Part]) -> list[list[str]]:
    """Parts as JSON data."""
    return [[p.kind, p.name, p.digest] for p in parts]


def parts_from(rows: Iterable[Sequence[str]]) -> tuple[Part, ...]:
    """Inverse of `rows_of`."""
    return tuple(Part(str(kind), str(name), str(digest)) for kind, name, digest in rows)


def digest_of(parts: Iterable[Part]) -> str:
    """Digest of parts, whatever their order."""
    digest = hashlib.blake2b(digest_size=16)
    for part in sorted(set(parts)):
        for text in (part.kind, part.name, part.digest):
            data = text.encode("utf-8", "surrogateescape")
            digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def named_from(path: Path, folder: Path) -> str:
    """A path as a part names it: from the claim's folder where it lies in that or beside it, so that a
    library may be moved; else absolute."""
    if path.is_relative_to(folder.parent):
        return Path(os.path.relpath(path, folder)).as_posix()
    return str(path)


# ------------------------------------------------------------ digests


class Digests:
    """Digests of files, read once as long as they are not written to."""

    def __init__(self) -> None:
        self._cache: dict[tuple[str, str], tuple[tuple[int, ...], str]] = {}

    def of(self, path: Path, how: str) -> str:
        """``how``: ``bytes``, or ``tree`` (comments and layout of a module do not count)."""
        try:
            signature = _signature(path)
        except OSError:
            return ABSENT
        cached = self._cache.get((str(path), how))
        if cached is not None and cached[0] == signature:
            return cached[1]
        began = time.time_ns()
        try:
            digest = _hashed(path, how)
        except OSError:
            return ABSENT
        # Written to a moment ago: the next write may leave the same times behind.
        if max(signature[1:3]) + GRAIN_NS < began:
            self._cache[str(path), how] = (signature, digest)
        return digest

    def to_json(self) -> list[Any]:
        """All that is cached, to be kept between runs."""
        return [[p, how, list(s), d] for (p, how), (s, d) in self._cache.items()]

    def load(self, rows: Iterable[Any]) -> None:
        """What an earlier run had cached."""
        for path, how, signature, digest in rows:
            self._cache.setdefault((path, how), (tuple(signature), digest))


DIGESTS = Digests()


def _signature(path: Path) -> tuple[int, ...]:
    s = path.stat()
    return s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_dev


def _hashed(path: Path, how: str) -> str:
    if how == "tree":
        return tree_digest(path.read_bytes())
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def tree_digest(source: bytes) -> str:
    """Digest of a module's syntax tree; of its bytes where it is no Python source."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        source = ast.dump(ast.parse(source)).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(source, digest_size=16).hexdigest()


def listing_digest(folder: Path) -> str:
    """Digest of the names in a folder; ``absent`` where there is none."""
    try:
        names = sorted(p.name for p in folder.iterdir())
    except OSError:
        return ABSENT
    names = [n for n in names if n != "__pycache__"]  # comes and goes with the interpreter
    return hashlib.blake2b("\0".join(names).encode("utf-8", "replace"), digest_size=16).hexdigest()


def variable_digest(name: str) -> str:
    """Of a variable of the environment; its value may be a secret."""
    value = os.environ.get(name)
    if value is None:
        return ABSENT
    return hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=16).hexdigest()


@cache
def version(package: str) -> str:
    """Version of the distribution that holds a top-level package; ``absent`` where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        holding = _distributions().get(package, ())
    return ", ".join(f"{d} {metadata.version(d)}" for d in sorted(set(holding))) or ABSENT


@cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


# ------------------------------------------------------------ modules


@dataclass(frozen=True)
class ModuleLocation:
    """Where an absolute name leads. ``path``: the module's file, None for a package without one;
    ``inside``: the folders of a package."""

    kind: str
    """``standard``, ``engine``, ``installed``, ``local`` or ``absent``."""
    path: Path | None = None
    inside: tuple[str, ...] | None = None

    @property
    def local(self) -> bool:
        return self.kind == "local"


def find(name: str) -> ModuleLocation:
    """Where a module would be imported from now. Imports nothing, its parent packages included."""
    return _find(name, tuple(sys.path))


@cache
def _find(name: str, searched: tuple[str, ...]) -> ModuleLocation:
    parent, _, _ = name.rpartition(".")
    inside: tuple[str, ...] | None = None
    if parent:
        above = _find(parent, searched)
        if above.kind in ("standard", "engine", "installed", "absent") or above.inside is None:
            return above if above.kind != "local" else ModuleLocation(ABSENT)
        inside = above.inside
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, inside)
        except (ImportError, AttributeError, ValueError):  # a finder of somebody's own
            continue
        if spec is not None:
            return _of_spec(spec)
    return ModuleLocation(ABSENT)


def _of_spec(spec: importlib.machinery.ModuleSpec) -> ModuleLocation:
    folders = spec.submodule_search_locations
    inside = None if folders is None else tuple(folders)
    places = [spec.origin] if spec.has_location and spec.origin else list(inside or ())
    if not places:
        return ModuleLocation("standard")  # built in or frozen
    path = Path(places[0]).resolve()
    kind = where(path)
    return ModuleLocation(kind, path if spec.has_location else None, inside)


@cache
def where(path: Path) -> str:
    """``standard`` (with Python), ``engine``, ``installed`` (keyed by version) or ``local``."""
    if path.is_relative_to(ENGINE):
        return "engine"
    if {"site-packages", "dist-packages"} & set(path.parts):
        top = next(
            path.parts[i + 1]
            for i, part in enumerate(path.parts[:-1])
            if part in ("site-packages", "dist-packages")
        )
        return "installed" if version(top.partition(".")[0]) != ABSENT else "local"
    return "standard" if any(path.is_relative_to(s) for s in _standard()) else "local"


@cache
def _standard() -> tuple[Path, ...]:
    names = ("stdlib", "platstdlib")
    return tuple({Path(sysconfig.get_path(n)).resolve() for n in names})


def module_file(stem: Path) -> Path | None:
    """The file that an import finds at a path without suffix: a package before a module, an extension
    before source, as Python looks."""
    package = stem / "__init__.py"
    if package.is_file():
        return package
    for suffix in (*importlib.machinery.EXTENSION_SUFFIXES, ".py"):
        file = stem.with_name(stem.name + suffix)
        if file.is_file():
            return file
    return None
