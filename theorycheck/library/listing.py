"""What `list` prints, without loading the claims of a source whose files are those that were last loaded.

Rows are kept in the store by the content of every file of the source's folder and of the engine, so that
they are those that loading gave; where none are kept, the claims are loaded. Nothing else uses them: a run
always loads its claims.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from theorycheck.evidence.store import Store, default_path, engine_digest, open_store
from theorycheck.library.loading import Library, libraries, load_source
from theorycheck.library.selecting import narrowed, select, unfit

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded


@dataclass(frozen=True)
class Row:
    """A claim in a list."""

    id: str
    source: str
    role: str
    expected: str
    states: tuple[str, ...]
    title: str


def listed(
    targets: Sequence[str], *, sources: Sequence[str] = (), expression: str = ""
) -> list[Row]:
    """The rows of the claims that `theorycheck.library.selecting.select` chooses, in its order.

    Raises what it raises.
    """
    if not any(Path(t).exists() for t in targets):
        with open_store(default_path()) as store:
            rows = [row for folder in _folders(sources) for row in _rows(*folder, store)]
        # What would be refused is left to the way that says why.
        if len({row.id for row in rows}) == len(rows) and not unfit(rows, targets):
            return narrowed(rows, targets, sources, expression)
    return _of(select(targets, sources=sources, expression=expression))


def _folders(sources: Sequence[str]) -> Iterable[tuple[Library, Path]]:
    for library in libraries():
        for folder in library.sources():
            if not sources or folder.name in sources:
                yield library, folder


def _rows(library: Library, folder: Path, store: Store) -> list[Row]:
    context = _digest(folder)
    known = store.listing(context)
    if known is not None:
        return [Row(**row | {"states": tuple(row["states"])}) for row in known]
    rows = _of(load_source(library, folder))
    store.keep_listing(context, [asdict(row) for row in rows])
    return rows


def _of(chosen: Iterable[Loaded]) -> list[Row]:
    return [
        Row(c.id, i.source, c.role, c.expect, c.states, c.title) for i in chosen for c in [i.claim]
    ]


def _digest(folder: Path) -> bytes:
    """Of all that loading a source reads: its files, the engine, the interpreter."""
    head = f"{folder}\0{engine_digest(())}\0{sys.version}\0"
    digest = hashlib.blake2b(head.encode(), digest_size=16)
    for file in sorted(f for f in folder.rglob("*") if f.is_file()):
        if "__pycache__" not in file.parts:
            data = file.read_bytes()
            digest.update(f"{file.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.digest()
