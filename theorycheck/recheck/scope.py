"""Scopes as they are printed: ``n in 1..oo, x in (0, n]; f[j] in R for j in 1..n where P; g ~ N(0, 1)``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from theorycheck.recheck.tree import Tree, Unreadable, read

LAWS = ("N", "U", "Exp", "Laplace", "Bernoulli", "Rademacher", "Bin", "Poisson", "Geometric")


@dataclass(frozen=True)
class Range:
    """One name and what it ranges over: ``kind`` is integer, real, prime or set."""

    name: str
    kind: str
    low: Tree | None = None
    high: Tree | None = None
    low_open: bool = False
    high_open: bool = False
    values: tuple[Tree, ...] = ()


@dataclass(frozen=True)
class NamedMembers:
    """``f[j]`` in ``member`` for every j from ``low`` to ``high``."""

    member: Range
    low: Tree
    high: Tree


@dataclass(frozen=True)
class EachIndex:
    """A hypothesis for every ``index`` from ``low`` to ``high``."""

    condition: Tree
    index: str
    low: Tree
    high: Tree


@dataclass(frozen=True)
class NamedLaw:
    """The law of a random name: ``kind`` with its parameters."""

    name: str
    kind: str
    given: tuple[Tree, ...] = ()


@dataclass(frozen=True)
class Scope:
    """What a statement ranges over, and its hypotheses."""

    ranges: tuple[Range, ...] = ()
    families: tuple[NamedMembers, ...] = ()
    where: tuple[Tree, ...] = ()
    every: tuple[EachIndex, ...] = ()
    laws: tuple[NamedLaw, ...] = field(default=())

    @property
    def declared(self) -> frozenset[str]:
        """Every name that has a range, a family or a law."""
        named = {r.name for r in self.ranges} | {f.member.name for f in self.families}
        return frozenset(named | {law.name for law in self.laws})


def read_scope(text: str, laws: Iterable[str] = ()) -> Scope:
    """The scope that a text says. Raises Unreadable."""
    if text.startswith("some "):
        raise Unreadable("a constant that is not given")
    head, behind = _around(text, " where ")
    ranges: list[Range] = []
    families: list[NamedMembers] = []
    declared: set[str] = set()
    for section in _cut(head, ";"):
        for part in _phrases(section):
            loose = re.fullmatch(r"(\w+)\[(\w+)\] in (.+) for (\w+) in (.+)\.\.(.+)", part)
            known = frozenset(declared)
            if loose:
                member = _range(loose[1], loose[3], known)
                inner = [e for e in (member.low, member.high, *member.values) if e is not None]
                if loose[2] != loose[4] or any(loose[4] in e.names() for e in inner):
                    raise Unreadable("members whose range depends on their index")
                ends = (read(loose[5], known), read(loose[6], known))
                families.append(NamedMembers(member, *ends))
                declared.add(loose[1])
                continue
            name, body = _around(part, " in ")
            if not re.fullmatch(r"[A-Za-z_]\w*", name.strip()) or body is None:
                raise Unreadable(f"no range: {part[:60]!r}")
            ranges.append(_range(name.strip(), body, known))
            declared.add(name.strip())
    drawn = tuple(law for phrase in laws for law in _laws(phrase, frozenset(declared)))
    names = frozenset(declared | {law.name for law in drawn})
    where, every = _hypotheses(behind or "", names)
    return Scope(tuple(ranges), tuple(families), where, every, drawn)


def _hypotheses(text: str, names: frozenset[str]) -> tuple[tuple[Tree, ...], tuple[EachIndex, ...]]:
    where: list[Tree] = []
    every: list[EachIndex] = []
    pieces = _cut(text, " and ") if text else []
    if any(" or " in _flat(p) for p in pieces) and len(pieces) > 1:
        raise Unreadable("hypotheses joined by 'and' beside an 'or' without brackets")
    for piece in pieces:
        loose = re.fullmatch(r"(.+) for (\w+) in (.+)\.\.(.+)", piece.strip())
        if loose:
            condition = read(loose[1], names)
            every.append(
                EachIndex(condition, loose[2], read(loose[3], names), read(loose[4], names))
            )
        else:
            where.append(read(piece, names))
    return tuple(where), tuple(every)


def _laws(text: str, names: frozenset[str]) -> list[NamedLaw]:
    found = []
    for part in _cut(text, ";"):
        heads, _, law = part.partition("~")
        shape = re.fullmatch(r"\s*([A-Za-z]+)\s*(?:\((.*)\))?\s*", law)
        if not shape or shape[1] not in LAWS:
            raise Unreadable(f"no law: {part[:60]!r}")
        given = tuple(read(g, names) for g in _cut(shape[2], ",")) if shape[2] else ()
        found += [NamedLaw(h.strip(), shape[1], given) for h in heads.split(",")]
    return found


def _range(name: str, text: str, declared: frozenset[str]) -> Range:
    body = text.strip()
    if body.startswith("{") and body.endswith("}"):
        return Range(name, "set", values=tuple(read(v, declared) for v in _cut(body[1:-1], ",")))
    if body.startswith("primes(") and body.endswith(")"):
        low, high = _around(body[7:-1], "..")
        return Range(name, "prime", read(low, declared), read(high or "", declared))
    low, high = _around(body, "..")
    if high is not None:
        return Range(name, "integer", read(low, declared), read(high, declared))
    ends = _cut(body[1:-1], ",")
    if body[:1] in "[(" and body[-1:] in "])" and len(ends) == 2:
        low_end, high_end = (read(e, declared) for e in ends)
        return Range(name, "real", low_end, high_end, body[0] == "(", body[-1] == ")")
    raise Unreadable(f"no range: {body[:60]!r}")


def _phrases(section: str) -> list[str]:
    """Declarations between commas; a comma stands between names only where another `` in `` follows."""
    found: list[str] = []
    for piece in _cut(section, ","):
        if " in " not in piece:
            raise Unreadable(f"no range: {piece[:60]!r}")
        found.append(piece.strip())
    return found


def _depths(text: str) -> list[int]:
    depths, depth = [], 0
    for char in text:
        if char in "([{":
            depth += 1
        depths.append(depth)
        if char in ")]}":
            depth -= 1
    return depths


def _cut(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that stand outside of all brackets; none of an empty text."""
    depths, parts, start, i = _depths(text), [], 0, 0
    while i < len(text):
        if depths[i] == 0 and text.startswith(mark, i):
            parts.append(text[start:i])
            start = i = i + len(mark)
        else:
            i += 1
    last = text[start:]
    return [*parts, last] if parts or last.strip() else []


def _around(text: str, mark: str) -> tuple[str, str | None]:
    parts = _cut(text, mark)
    return (parts[0] if parts else "", mark.join(parts[1:]) if len(parts) > 1 else None)


def _flat(text: str) -> str:
    """A text without what stands in brackets."""
    return "".join(c for c, depth in zip(text, _depths(text), strict=True) if depth == 0)
