"""A list of tokens with a place in it, and the errors that point at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from theorycheck.check.reading.choices import Choices
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.signs import Token
from theorycheck.check.refusal import InputError, at

MAX_DEPTH = 60
"""As of the canonical grammar, times the levels of precedence that one bracket passes through."""

_LEVELS = 3


class TokenStream:
    """What all parts of the parser share. ``notes`` collects readings that were not literal."""

    def __init__(
        self,
        source: str,
        what: str,
        tokens: list[Token],
        names: Names,
        latex: bool,
        choices: Choices,
    ) -> None:
        self.source, self.what, self.latex = source, what, latex
        self.tokens = list(tokens)
        self.names, self.choices = names, choices
        self.place = 0
        self.depth = 0
        self.bound: list[str] = []  # the indices of the sums around the place
        self.notes: dict[str, None] = {}

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def ahead(self, k: int) -> Token:
        return self.tokens[min(self.place + k, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.tokens[self.place]
        if token.kind == "end":
            raise self.refuse("something is missing here")
        self.place += 1
        return token

    def accept(self, kind: str, text: str) -> bool:
        """Take the next token if it is this one."""
        if (self.next.kind, self.next.text) != (kind, text):
            return False
        self.place += 1
        return True

    def expect(self, kind: str, text: str) -> None:
        if not self.accept(kind, text):
            if (self.next.kind, self.next.text) == ("op", "_"):
                raise self.refuse("a subscript stands right behind its name, before a power")
            raise self.refuse(f"{text!r} is missing here")

    def refuse(self, message: str, token: Token | None = None) -> InputError:
        column = (token or self.next).column
        return at(self.source, self.what, min(column, len(self.source)), message)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level of nesting; too many are refused long before Python's own limit."""
        self.depth += 1
        if self.depth > _LEVELS * MAX_DEPTH:
            raise self.refuse(f"nested deeper than {MAX_DEPTH} levels")
        try:
            yield
        finally:
            self.depth -= 1

    def first_only(self) -> None:
        """Leave only the first character of the next token, as TeX takes it for an argument."""
        token = self.next
        if token.kind not in ("number", "name") or token.symbol or token.plain:
            return
        head, rest = token.text[:1], token.text[1:]
        if not rest or rest.startswith("_") or not rest.isalnum():
            return
        kind = "number" if rest[0].isdigit() else "name"
        self.tokens[self.place : self.place + 1] = [
            replace(token, text=head),
            Token(kind, rest, token.column + 1),
        ]

    def note(self, text: str) -> None:
        self.notes[text] = None


__all__ = ["MAX_DEPTH", "TokenStream"]
