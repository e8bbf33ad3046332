"""Selecting claims by path, id, glob, source or words. Light: loads claims and nothing that runs them."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from pathlib import Path

from theorycheck.claims import ClaimError
from theorycheck.loading import Loaded, load_all, load_file
from theorycheck.statement import Register, load_register


class SelectionError(ValueError):
    """What was asked for names nothing that exists."""


def select(
    targets: Sequence[str], *, sources: Sequence[str] = (), expression: str = ""
) -> list[Loaded]:
    """Claims by path, id or glob; all of every library where no target is given.

    Raises SelectionError where a target fits nothing, ClaimError where a claim is malformed.
    """
    paths = [t for t in targets if Path(t).exists()]
    patterns = [t for t in targets if not Path(t).exists()]
    chosen: list[Loaded] = []
    for path in paths:
        p = Path(path)
        chosen += load_file(p) if p.is_file() else load_all([p])
    if patterns or not targets:
        everything = load_all(sources=sources)
        if not targets:
            chosen += everything
        for pattern in patterns:
            fitting = [i for i in everything if fnmatch.fnmatch(i.claim.id, pattern)]
            if not fitting:
                raise SelectionError(
                    f"{pattern!r} is no file, no claim id and no glob that fits one; "
                    "`theorycheck list` shows the ids"
                )
            chosen += fitting
    if sources:
        chosen = [i for i in chosen if i.source in sources]
    unique = list({i.claim.id: i for i in chosen}.values())
    return [i for i in unique if matches(expression, i)]


def matches(expression: str, item: Loaded) -> bool:
    """``-k``: words joined by ``and``, ``or``, ``not``, each looked for in id, title and source."""
    if not expression.strip():
        return True
    text = f"{item.claim.id} {item.claim.title} {item.source}".lower()
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
        if statement.id in item.claim.states:
            return statement.kind
    raise ClaimError(
        f"{folder.name}/{item.file.name}: claim {item.claim.id} states "
        f"{', '.join(item.claim.states)}, which {folder.name}/statements.toml does not hold"
    )
