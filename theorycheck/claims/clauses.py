"""Clauses: what a statement asserts, one assertion each, with its quantifiers in order as data.

A prefix is written one quantifier a line, the outermost first::

    prefix = [
        "forall k, p in integers >= 1, p prime",  # every value; several names may share a range
        "exists A(k, p) in k-subsets of 1..p",    # there is one, that may depend on k and p only
        "exists B in k-subsets of 1..p",          # ... on everything that stands before it
        "prob W ~ Gaussian, level 1 - delta",     # with probability over W
        "eventually d",                           # for all d from some size on
        "const C() in reals > 0",                 # a constant left unstated; C() depends on nothing
    ]

This module holds and reads the data; the register of a source lists them (`theorycheck.sources.clauses`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

QUANTIFIERS = ("forall", "exists", "prob", "eventually", "const")
_WORDS = {
    "forall": "for all",
    "exists": "there is",
    "prob": "with probability over",
    "eventually": "for large",
    "const": "with a constant",
}

FALSE = "false as printed"
"""The status of a clause that no claim may pass as it is printed."""

FALSE_HERE = "false at a constant"
"""The status of a clause that is false at the constant that its source uses, and may hold at another."""

_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_ITEM = rf"{_NAME}(?:\([^()]*\))?"
_LINE = re.compile(
    rf"(?P<kind>{'|'.join(QUANTIFIERS)})\s+(?P<names>{_ITEM}(?:\s*,\s*{_ITEM})*)"
    r"(?:\s+(?:in|~)\s+(?P<range>.+))?"
)


class PrefixError(ValueError):
    """A quantifier that cannot be read, or names in a wrong order. One line."""


@dataclass(frozen=True)
class Quantifier:
    """One name of a prefix. ``depends``: what it may be chosen from, None for all that stands before."""

    kind: str
    name: str
    range: str = ""
    depends: tuple[str, ...] | None = None

    def text(self) -> str:
        """As a person reads it: ``there is A(k, p) in k-subsets of 1..p``."""
        on = "" if self.depends is None else f"({', '.join(self.depends)})"
        join = " ~ " if self.kind == "prob" else " in "
        return f"{_WORDS[self.kind]} {self.name}{on}" + (join + self.range if self.range else "")


@dataclass(frozen=True)
class StatementHypothesis:
    """A hypothesis of a statement; ``printed`` says whether the source prints it."""

    id: str
    says: str
    printed: bool


@dataclass(frozen=True)
class Clause:
    """One assertion of a statement, in our own words.

    ``statement`` is the id of the statement, ``lines`` where the source has it, ``body`` the matrix
    behind the prefix, ``evidence`` what would convince a sceptic of this prefix, ``lies_hide`` where a
    wrong version looks right on small grids. ``provable`` was judged by reading. ``out_of_reach``: why no
    machine of ours can check it, "" where one can. ``waits``: what an open clause waits for, in words that
    follow "waits for"; "" where nobody has said. ``tried``: what came of the proof of a provable clause that
    is decided below one, in words that follow "proof tried:"; "" where none was tried.
    """

    statement: str
    id: str
    says: str
    tex: str
    prefix: tuple[Quantifier, ...]
    body: str
    kind: str
    status: str
    provable: bool
    lines: str = ""
    evidence: str = ""
    lies_hide: str = ""
    note: str = ""
    as_printed: str = ""
    out_of_reach: str = ""
    waits: str = ""
    tried: str = ""

    @property
    def key(self) -> str:
        return f"{self.statement}/{self.id}"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(q.name for q in self.prefix)

    @property
    def outer(self) -> tuple[Quantifier, ...]:
        """The for-alls that stand before everything else: where they fail a clause is refuted."""
        leading = []
        for q in self.prefix:
            if q.kind != "forall":
                break
            leading.append(q)
        return tuple(leading)

    @property
    def inner(self) -> tuple[Quantifier, ...]:
        """What a failing point says nothing of: there is, with probability, eventually, constants."""
        return tuple(q for q in self.prefix if q.kind != "forall")

    @property
    def asymptotic(self) -> bool:
        return any(q.kind == "eventually" for q in self.prefix)

    def before(self, name: str) -> tuple[str, ...]:
        """The names that a choice of ``name`` may use: its own list, else all that stand before it."""
        place = self.names.index(name)
        chosen = self.prefix[place].depends
        return self.names[:place] if chosen is None else chosen

    def text(self) -> str:
        """The clause with its prefix, on one line."""
        return "; ".join([*(q.text() for q in self.prefix), self.body])


def parse_prefix(lines: Iterable[str]) -> tuple[Quantifier, ...]:
    """The quantifiers of a prefix, one a name. Raises PrefixError."""
    found: list[Quantifier] = []
    for line in lines:
        found += parse_line(line)
    _check_order(found)
    return tuple(found)


def parse_line(line: str) -> list[Quantifier]:
    """The quantifiers of one line. Raises PrefixError."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise PrefixError(
            f"quantifier {line!r:.80} cannot be read; write `forall k in integers >= 1` "
            f"with one of {', '.join(QUANTIFIERS)}"
        )
    range_text = (match["range"] or "").strip()
    return [
        _quantifier(match["kind"], item, range_text) for item in re.findall(_ITEM, match["names"])
    ]


def _quantifier(kind: str, item: str, range_text: str) -> Quantifier:
    name, bracket, inside = item.partition("(")
    depends = None
    if bracket:
        depends = tuple(n.strip() for n in inside.rstrip(")").split(",") if n.strip())
        if kind == "forall":
            raise PrefixError(f"quantifier `forall {item}`: a for-all depends on nothing before it")
    return Quantifier(kind, name, range_text, depends)


def _check_order(found: Sequence[Quantifier]) -> None:
    seen: set[str] = set()
    for q in found:
        if q.name in seen:
            raise PrefixError(f"{q.name} is quantified twice; give the second another name")
        late = [n for n in q.depends or () if n not in seen]
        if late:
            raise PrefixError(
                f"{q.name} may depend on {', '.join(late)}, which does not stand before it"
            )
        seen.add(q.name)
