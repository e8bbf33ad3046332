"""The files of a claim, packed so that a worker elsewhere can load it from content."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from theorycheck.executors import ExecutorError
from theorycheck.library.content import modules_of
from theorycheck.library.loading import REGISTER

LARGEST = 64 * 2**20
"""Bytes of a source folder; data beyond that belongs on a file system that the workers share."""


@dataclass(frozen=True)
class Shipment:
    """A source folder: its name, and its files by their path inside it."""

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
            for name, data in self.files:
                file = root / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        return root


def pack(file: Path) -> Shipment:
    """What a claim module needs: its source folder, or for a draft the modules that it reaches.

    Raises ExecutorError for a folder that is too large to send.
    """
    if (file.parent / REGISTER).exists():
        return _folder(file.parent)
    return Shipment(
        file.parent.name, tuple((f.name, f.read_bytes()) for f in sorted(modules_of(file)))
    )


@cache
def _folder(folder: Path) -> Shipment:
    names = [
        f.relative_to(folder)
        for f in sorted(folder.rglob("*"))
        if f.is_file() and "__pycache__" not in f.parts
    ]
    size = sum((folder / name).stat().st_size for name in names)
    if size > LARGEST:
        raise ExecutorError(
            f"{folder.name} holds {size / 2**20:.0f} MiB; a source folder that is sent to workers "
            f"holds at most {LARGEST // 2**20}"
        )
    return Shipment(folder.name, tuple((n.as_posix(), (folder / n).read_bytes()) for n in names))


@cache
def _here() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="theorycheck-")  # removed when the process ends


@cache
def _place(digest: str) -> Path:
    return Path(_here().name) / digest
