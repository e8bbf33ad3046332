"""The files of a claim, packed so that a worker elsewhere can load it from content."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from theorycheck.evidence.content import Content, Part
from theorycheck.executors import ExecutorError
from theorycheck.library.loading import REGISTER

PACKAGES = "../.packages"
"""Where local packages are put, from the source folder."""

LARGEST = 64 * 2**20
"""Bytes of a source folder; data beyond that belongs on a file system that the workers share."""


@dataclass(frozen=True)
class Shipment:
    """A source folder: its name, and its files by their path from it: those inside, and the modules that
    it reaches outside; local packages under ``path``, for the worker to import from."""

    folder: str
    files: tuple[tuple[str, bytes], ...]

    @property
    def digest(self) -> str:
        digest = hashlib.blake2b(self.folder.encode(), digest_size=16)
        for name, data in self.files:
            digest.update(f"\0{name}\0{len(data)}\0".encode() + data)
        return digest.hexdigest()

    def unpack(self) -> Path:
        """The folder, written once in this process's temporary place."""
        root = _place(self.digest) / self.folder
        if not root.is_dir():
            root.mkdir(parents=True)
            for name, data in self.files:
                file = Path(os.path.normpath(root / name))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        packages = os.path.normpath(root / PACKAGES)
        if packages not in sys.path:
            sys.path.insert(0, packages)
        return root


def pack(file: Path, made_from: Content) -> Shipment:
    """What a claim module needs: its source folder (of a draft: the modules and data that it reaches
    there), and what it was loaded from outside.

    Raises ExecutorError for files that are too large to send.
    """
    folder = file.parent
    files = {part: path for part, path in made_from.files(folder).items() if path.is_file()}
    names = {_name(part, path, folder): path for part, path in files.items()}
    if (folder / REGISTER).exists():
        names |= {path.relative_to(folder).as_posix(): path for path in _inside(folder)}
    size = sum(path.stat().st_size for path in names.values())
    if size > LARGEST:
        raise ExecutorError(
            f"{folder.name} holds {size / 2**20:.0f} MiB; a source folder that is sent to workers "
            f"holds at most {LARGEST // 2**20}"
        )
    sent = sorted((name, path.read_bytes()) for name, path in names.items() if name)
    return Shipment(folder.name, tuple(sent))


def _name(part: Part, path: Path, folder: Path) -> str:
    """Where a file is put, from the source folder; "" for one that only a shared file system can give."""
    if part.kind == "import":
        package = path.stem == "__init__"
        return (
            f"{PACKAGES}/{part.name.replace('.', '/')}{'/__init__' if package else ''}{path.suffix}"
        )
    if part.kind == "module" or (part.kind == "file" and not Path(part.name).is_absolute()):
        return Path(os.path.relpath(path, folder)).as_posix()
    return ""


@cache
def _inside(folder: Path) -> tuple[Path, ...]:
    return tuple(f for f in folder.rglob("*") if f.is_file() and "__pycache__" not in f.parts)


@cache
def _here() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="theorycheck-")  # removed when the process ends


@cache
def _place(digest: str) -> Path:
    return Path(_here().name) / digest
