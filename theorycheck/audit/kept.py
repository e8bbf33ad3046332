"""What is kept of an audit in a folder as JSON: read as what it was written as, or refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from theorycheck.numbers.errors import UserError
from theorycheck.record.files import write_json

T = TypeVar("T")


class _Kept(msgspec.Struct, Generic[T], forbid_unknown_fields=True):
    schema: int
    sources: dict[str, T]


def read_kept(file: Path, kind: type[T]) -> dict[str, T]:
    """What a file has by source, each of this kind; nothing where there is no such file. Raises UserError."""
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept[kind]).sources  # type: ignore[valid-type]  # by msgspec
    except msgspec.DecodeError as error:
        raise UserError(f"{file.name}: {error}; delete it and audit again") from None


def write_kept(file: Path, sources: dict[str, T]) -> None:
    """All sources in alphabetical order, all of it or nothing."""
    write_json(file, {"schema": 1, "sources": dict(sorted(sources.items()))})
