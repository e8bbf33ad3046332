"""Typed text scanned: as it stands where it is canonical, else as `theorycheck.check.reading` reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from theorycheck.check.reading.domains import printed
from theorycheck.check.reading.names import VECTOR_FUNCTIONS, Names
from theorycheck.check.reading.reader import bare, read
from theorycheck.check.reading.tokens import Lexer
from theorycheck.check.refusal import Ambiguous, InputError, NotParsed, TooLarge
from theorycheck.check.text import Scanned, scan
from theorycheck.check.vocabulary import BRACKETS, CONSTANTS

_FORALL = re.compile(r"\s*(?:\\forall|∀|\bforall\b|\bfor (?:all|every|each|any)\b)", re.IGNORECASE)
_WORDS = re.compile(r"\\text\s*\{\s*(for(?: all| every)?)\s*\}")
_OF_VECTORS = re.compile(r"\b(" + "|".join(VECTOR_FUNCTIONS) + r")\s*\(")
_SPACES = re.compile(r"\A(?:\s|\\[ ,;:!]|\\q?quad\b)+")
_BEHIND = re.compile(
    r"[,;]?\s*(?:\\forall|∀|\bfor (?:all|every|each|any)\b|\bfor\b)", re.IGNORECASE
)


@dataclass(frozen=True)
class Understood:
    """A scanned text and what is to be echoed of its reading."""

    scanned: Scanned
    notes: tuple[str, ...] = ()


def understand(text: str, names: Names, what: str = "statement") -> Understood:
    """Scan a text, read first if it is not canonical.

    Raises:
        Ambiguous: where it can be read in several ways.
        InputError: one line that points at the place.
    """
    literal: Scanned | None = None
    refusal: InputError | None = None
    try:
        literal = scan(text, what, names.families)
    except TooLarge:
        raise
    except InputError as error:
        refusal = error
    if literal is not None and not _needs_reading(literal, names):
        return Understood(literal, tuple(_overridden(literal, names)))
    try:
        reading = read(text, names, what)
        scanned = scan(reading.text, what, names.families)
    except Ambiguous:
        raise
    except InputError as error:
        raise _better(text, refusal, error) from None
    notes = reading.notes
    if _squeezed(reading.text) != _squeezed(text):
        notes = (f"read as {reading.text}", *notes)
    return Understood(scanned, notes)


def _needs_reading(literal: Scanned, names: Names) -> bool:
    """Whether canonical text still has names that only a reading explains: e, xy, a vector, or a
    declared name that is called like a function."""
    for node in ast.walk(literal.tree):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        if called and called in names.known:
            return True
    return bool(names.vectors) or any(
        name not in names.known and name not in BRACKETS for name in literal.names
    )


def _overridden(literal: Scanned, names: Names) -> Iterator[str]:
    """Declared names that are also constants."""
    used = {n.id for n in ast.walk(literal.tree) if isinstance(n, ast.Name)}
    for name in sorted(used & names.declared & set(CONSTANTS)):
        yield f"{name} is the declared name"


def _better(text: str, literal: InputError | None, reading: InputError) -> InputError:
    """The error of the canonical grammar where the text has nothing of any other."""
    if literal is None or re.search(r"[^ -~]|[\\^|{}$!]", text.replace("!=", "")):
        return reading
    if _OF_VECTORS.search(text):
        return reading
    other = isinstance(literal, NotParsed) and re.search(r"(?<![=!<>:])=(?!=)", text)
    return reading if other else literal


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def quantified(text: str) -> tuple[list[str], str]:
    """Domains that stand in front of a statement, ``\\forall n \\ge 2:``, or behind it, ``for x > 0``.

    What stands behind has a sign of comparison or membership.
    """
    source = _WORDS.sub(r" \1 ", bare(text))
    if match := _FORALL.match(source):
        head, colon, rest = source[match.end() :].partition(":")
        if colon and re.search(r"\\exists|∃|\bexists\b|there (is|are)", head):
            raise InputError("statement: only statements for all values are read; give the value")
        if colon:
            return [p for p in map(_phrase, _FORALL.split(head)) if p], _SPACES.sub("", rest)
    behind = list(_BEHIND.finditer(source))
    if behind:
        phrase = _phrase(source[behind[-1].end() :])
        if behind[-1].start() > 0 and phrase:
            return [phrase], source[: behind[-1].start()].rstrip(" ,;")
    return [], text


def _phrase(text: str) -> str:
    """The domain without spaces of LaTeX; '' where names stand alone (``for all n, d``).

    Raises:
        InputError: for anything else.
    """
    phrase = printed(text).strip(" ,:\\")
    if re.search(r"[<>=≤≥]|\\(le|ge|ne|lt|gt)|\bin\b", phrase):
        return phrase
    tokens = Lexer(phrase, "statement").cut()[:-1]
    if any(t.kind not in ("name", "comma") for t in tokens):
        raise InputError(f"statement: {phrase[:40]!r} says no domain; write n >= 1 or x in R")
    return ""


def readable(texts: Sequence[str], names: Names, what: str) -> list[Understood]:
    """Several texts of one kind."""
    return [understand(text, names, what) for text in texts]


__all__ = ["Understood", "quantified", "readable", "understand"]
