"""One text, typed or pasted, to canonical text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from theorycheck.check.reading.choices import Choices, every
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.parser import parse
from theorycheck.check.reading.tokens import Lexer
from theorycheck.check.reading.tree import (
    Apply,
    Binary,
    Chain,
    Name,
    Node,
    children,
    rebuilt,
    text_of,
)
from theorycheck.check.reading.vectors import expanded
from theorycheck.check.reading.words import Words
from theorycheck.check.refusal import Ambiguous, InputError, TooLarge

MAX_LENGTH = 4000


@dataclass(frozen=True)
class Reading:
    """``text`` is canonical; ``notes`` say what was not literal beside the signs."""

    text: str
    notes: tuple[str, ...] = ()


def read(source: str, names: Names, what: str = "statement") -> Reading:
    """The canonical text of a statement or number.

    Raises:
        Ambiguous: where it can be read in several ways, with all of them.
        InputError: one line that points at the part that is in the way.
    """
    text = re.sub(r"(?<=[\w)])\.T\b", "^T", bare(source))
    if len(text) > MAX_LENGTH:
        raise TooLarge(f"{what}: {len(text)} characters; at most {MAX_LENGTH} are allowed")
    _transposes(text, names, what)
    lexer = Lexer(text, what)
    tokens = lexer.cut()

    def once(choices: Choices) -> Reading:
        node, notes = parse(text, what, tokens, names, lexer.latex, choices)
        try:
            return Reading(text_of(expanded(_plain(node, names), names.vectors)), notes)
        except InputError as error:
            raise InputError(f"{what}: {error}") from None

    try:
        found = every(once)
    except RecursionError:
        raise TooLarge(f"{what}: nested too deeply") from None
    texts = tuple(dict.fromkeys(reading.text for reading, _ in found))
    if len(texts) > 1:
        column = min((c for _, columns in found for c in columns), default=0)
        raise Ambiguous(what, _part(text, column), texts)
    return found[0][0]


def _transposes(text: str, names: Names, what: str) -> None:
    """Raises InputError where A^T could be a power."""
    matrices = [
        a for a in names.vectors.values() if isinstance(a, Words) or getattr(a, "matrix", False)
    ]
    as_sign = re.search(r"(?:\^|\*\*)\s*\{?\s*T\b", text)
    if matrices and as_sign and "T" in names.declared:
        raise InputError(f"{what}: T is declared, so A^T is not a transpose; take another name")


def _part(text: str, column: int) -> str:
    """The piece of the text around a doubtful place."""
    start = max(text.rfind(" ", 0, column), text.rfind("(", 0, column)) + 1
    return text[start : start + 24].strip() or text[:24]


_GROWTH = {"O": "big_o", "Theta": "big_theta", "Omega": "big_omega", "o": "little_o"}
_SIDES = {"==": ["O", "Theta", "Omega", "o"], "<=": ["O", "o"], ">=": ["Omega"]}


def _plain(node: Node, names: Names) -> Node:
    """Words of the reading only, put into those of the grammar."""
    parts = tuple(_plain(child, names) for child in children(node))
    match node:
        case Apply(name="mod"):
            return Apply("Mod", parts)
        case Binary(op="**") if parts[0] == Name("E") and "E" not in names.known:
            return Apply("exp", (parts[1],))
        case Chain(ops=(op,)):
            left, right = parts
            if op == "~":
                return Apply("asymptotic", parts)
            if not (isinstance(right, Apply) and right.name in _SIDES.get(op, ())):
                return Chain(parts, (op,))
            if right.name not in names.known and len(right.args) == 1:
                return Apply(_GROWTH[right.name], (left, right.args[0]))
    return rebuilt(node, parts) if parts else node


def bare(source: str) -> str:
    """Without the signs that only say where a display begins and ends."""
    text = re.sub(r"[\t\r\n]", " ", source).strip()
    for opening, closing in ((r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("$", "$")):
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
            text = text[len(opening) : len(text) - len(closing)].strip()
    return text.rstrip(".,; ") if "\\" in text else text


__all__ = ["Reading", "bare", "read"]
