"""Claims that are told without loading them: those of sources whose files are those that were last loaded.

What loading a source gave is kept in the store by the content of every file of the source's folder, of the
engine and of all that the claims reach elsewhere. A `CachedClaim` claim answers what a list, a run's start and a
report ask of it (id, source, content, what its evidence is filed by); it is loaded when its parts are asked
for. What cannot be told, or would be refused, is left to the way that loads the claims and says why.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from theorycheck.claims.functions import ClaimError
from theorycheck.claims.model import Claim
from theorycheck.evidence.environment import engine_digest
from theorycheck.evidence.origin import Origin
from theorycheck.evidence.store import Store, StoredKind, default_path, open_store
from theorycheck.library.content import Content
from theorycheck.library.loading import Library, Loaded, libraries, load_file, load_source
from theorycheck.library.selecting import narrowed, select, unfit


@dataclass(frozen=True)
class ListedClaim:
    """A claim in a list."""

    id: str
    source: str
    role: str
    expected: str
    states: tuple[str, ...]
    title: str


@dataclass(frozen=True)
class CachedFacts:
    """What is kept of a claim that was loaded. ``file``: its name in the source's folder."""

    row: ListedClaim
    file: str
    encodes: str
    content: str
    origin: Origin
    made_from: Content


class CachedClaim(Loaded):
    """A claim as it was when its source was last loaded from the same files.

    Its ``claim`` is loaded when it is asked for; that raises ClaimError where it cannot be.
    """

    def __init__(self, facts: CachedFacts, folder: Path) -> None:
        for name, value in (
            ("facts", facts),
            ("source", facts.row.source),
            ("file", folder / facts.file),
            ("content", facts.content),
            ("draft", False),
            ("made_from", facts.made_from),
        ):
            object.__setattr__(self, name, value)

    facts: CachedFacts

    @property
    def claim(self) -> Claim:
        return loaded_again(self.file, self.id)

    @property
    def id(self) -> str:
        return self.facts.row.id

    @property
    def title(self) -> str:
        return self.facts.row.title

    @property
    def role(self) -> str:
        return self.facts.row.role

    @property
    def encodes(self) -> str:
        return self.facts.encodes

    @property
    def expected(self) -> str:
        return self.facts.row.expected

    @property
    def states(self) -> tuple[str, ...]:
        return self.facts.row.states

    @property
    def origin(self) -> Origin:
        return self.facts.origin


@cache
def loaded_again(file: Path, claim_id: str) -> Claim:
    """The claim of a file. Raises ClaimError where the file does not hold it."""
    for item in load_file(file):
        if item.claim.id == claim_id:
            return item.claim
    raise ClaimError(f"{file.name}: no claim {claim_id}")


def select_cached(
    targets: Sequence[str],
    *,
    sources: Sequence[str] = (),
    expression: str = "",
    broken: bool = False,
) -> list[Loaded]:
    """The claims that `theorycheck.library.selecting.select` chooses, in its order; those of sources that
    have not changed are not loaded. Raises what it raises.
    """
    if not any(Path(t).exists() for t in targets):
        with open_store(default_path()) as store:
            items = [
                item for folder in _folders(sources) for item in _items(*folder, store, broken)
            ]
        if len({item.id for item in items}) == len(items) and not unfit(items, targets):
            return narrowed(items, targets, sources, expression)
    return select(targets, sources=sources, expression=expression, broken=broken)


def listed(
    targets: Sequence[str], *, sources: Sequence[str] = (), expression: str = ""
) -> list[ListedClaim]:
    """The rows of the claims that `select_cached` gives. Raises what it raises."""
    return _of(select_cached(targets, sources=sources, expression=expression))


def _folders(sources: Sequence[str]) -> Iterable[tuple[Library, Path]]:
    for library in libraries():
        for folder in library.sources():
            if not sources or folder.name in sources:
                yield library, folder


def _items(library: Library, folder: Path, store: Store, broken: bool = False) -> list[Loaded]:
    """The claims of a source, from what is kept of them where all of that still holds."""
    context = _digest(folder)
    rows = store.made(context, StoredKind.LISTING)
    if rows is not None:
        kept = msgspec.convert(rows, list[CachedFacts], dec_hook=_from_text)
        if not any(_elsewhere(k.made_from, folder) for k in kept):
            return [CachedClaim(k, folder) for k in kept]
    items = load_source(library, folder, broken=broken)
    if not any(item.made_from.never or item.broken for item in items):
        plain = msgspec.to_builtins([_kept(item) for item in items], enc_hook=str)
        store.keep_made(context, StoredKind.LISTING, plain)
    return items


def _kept(item: Loaded) -> CachedFacts:
    (row,) = _of([item])
    return CachedFacts(row, item.file.name, item.encodes, item.content, item.origin, item.made_from)


def _from_text(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind)


def _elsewhere(content: Content, folder: Path) -> bool:
    """Whether something outside of the source's folder, whose files are compared byte by byte, is no
    longer what it was."""
    root = folder.resolve()
    for part in content.parts:
        path = part.path(folder)
        if path is not None and path.resolve().is_relative_to(root):
            continue
        if part.now(folder) != part.digest:
            return True
    return False


def _of(chosen: Iterable[Loaded]) -> list[ListedClaim]:
    return [ListedClaim(i.id, i.source, i.role, i.expected, i.states, i.title) for i in chosen]


def _digest(folder: Path) -> bytes:
    """Of all that loading a source reads: its files, the engine, the interpreter."""
    head = f"{folder}\0{engine_digest(())}\0{sys.version}\0"
    digest = hashlib.blake2b(head.encode(), digest_size=16)
    for file in sorted(f for f in folder.rglob("*") if f.is_file()):
        if "__pycache__" not in file.parts:
            data = file.read_bytes()
            digest.update(f"{file.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.digest()
