"""Selecting claims by path, id, glob, source or words. Light: loads claims and nothing that runs them."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from theorycheck.check.refusal import nearest
from theorycheck.claims.functions import ClaimError
from theorycheck.library.loading import Loaded, load_all, load_file
from theorycheck.numbers.errors import UserError
from theorycheck.sources.register import Register, load_register


class SelectionError(UserError):
    """What was asked for names nothing that exists."""


class Selectable(Protocol):
    """A claim by the words that it is selected by."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def source(self) -> str: ...


Kind = TypeVar("Kind", bound=Selectable)


def select(
    targets: Sequence[str],
    *,
    sources: Sequence[str] = (),
    expression: str = "",
    broken: bool = False,
) -> list[Loaded]:
    """Claims by path, id or glob; all of every library where no target is given. With ``broken`` a file of a
    folder that cannot be loaded costs its own claims and not the others: one in error stands for them.

    Raises SelectionError where a target fits nothing, ClaimError where a claim is malformed.
    """
    paths = [t for t in targets if Path(t).exists()]
    patterns = [t for t in targets if not Path(t).exists()]
    chosen: list[Loaded] = []
    for path in paths:
        p = Path(path)
        chosen += load_file(p) if p.is_file() else load_all([p], broken=broken)
    if patterns or not targets:
        everything = load_all(sources=sources, broken=broken)
        wrong = unfit(everything, patterns)
        if wrong:
            near = nearest(wrong[0], (item.id for item in everything))
            unread = [item.claim.says for item in everything if item.broken]
            raise SelectionError(
                f"{wrong[0]!r} is no file, no claim id and no glob that fits one; "
                f"`theorycheck list` shows the ids{near}"
                + "".join(f"; cannot be loaded: {why}" for why in unread)
            )
        chosen += fitting(everything, patterns)
    return narrowed(chosen, (), sources, expression)


def unfit(items: Iterable[Selectable], patterns: Iterable[str]) -> list[str]:
    """The patterns that fit the id of no item."""
    ids = [item.id for item in items]
    return [p for p in patterns if not fnmatch.filter(ids, p)]


def fitting(items: Sequence[Kind], patterns: Sequence[str]) -> list[Kind]:
    """Items by pattern in turn; all where there is no pattern."""
    if not patterns:
        return list(items)
    return [i for p in patterns for i in items if fnmatch.fnmatch(i.id, p)]


def narrowed(
    items: Sequence[Kind], patterns: Sequence[str], sources: Sequence[str], expression: str
) -> list[Kind]:
    """What patterns, sources and words leave, each id once."""
    chosen = [i for i in fitting(items, patterns) if not sources or i.source in sources]
    return [i for i in {i.id: i for i in chosen}.values() if matches(expression, i)]


def matches(expression: str, item: Selectable) -> bool:
    """``-k``: words joined by ``and``, ``or``, ``not``, each looked for in id, title and source."""
    if not expression.strip():
        return True
    text = f"{item.id} {item.title} {item.source}".lower()
    return any(
        all(_term(term, text) for term in part.split(" and "))
        for part in f" {expression} ".lower().split(" or ")
    )


def _term(term: str, text: str) -> bool:
    word = term.strip()
    if word.startswith("not "):
        return word[4:].strip() not in text
    return word in text


def register_of(item: Loaded) -> Register | None:
    """The register beside a claim; None for a draft, and where there is none. Raises RegisterError."""
    path = item.file.parent / "statements.toml"
    return load_register(path) if path.exists() and not item.draft else None


def kind_of(item: Loaded, registers: dict[Path, Register | None]) -> str:
    """Kind of the first statement that a claim encodes, from its register."""
    folder = item.file.parent
    if folder not in registers:
        registers[folder] = register_of(item)
    register = registers[folder]
    if register is None:
        return "conjecture"
    for statement in register.statements:
        if statement.id in item.states:
            return statement.kind
    raise ClaimError(
        f"{folder.name}/{item.file.name}: claim {item.id} states "
        f"{', '.join(item.states)}, which {folder.name}/statements.toml does not hold"
    )
