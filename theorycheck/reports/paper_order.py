"""Claims under their source in the order in which the paper has its statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from theorycheck.claims.model import ROLES
from theorycheck.entries.report import Entry, Report
from theorycheck.sources.register import Register
from theorycheck.sources.standing import StatementStatus


@dataclass(frozen=True)
class SourceGroup:
    """The claims of a source; ``register`` is None for drafts and for sources that are gone."""

    name: str
    register: Register | None
    entries: tuple[Entry, ...]

    @property
    def title(self) -> str:
        return self.name if self.register is None else self.register.source.title


def by_source(entries: Sequence[Entry], registers: Iterable[Register]) -> list[SourceGroup]:
    """Claims by source. Inside one by the place of the first statement that they speak of, there as
    printed before readings before corrections; a corrected claim stands right behind what it corrects."""
    known = {r.source.name: r for r in registers}
    groups = []
    for name in dict.fromkeys(e.source for e in entries):
        register = known.get(name)
        own = [e for e in entries if e.source == name]
        groups.append(SourceGroup(name, register, tuple(_ordered(own, register))))
    return groups


def _ordered(entries: Sequence[Entry], register: Register | None) -> list[Entry]:
    places = {s.id: i for i, s in enumerate(register.statements)} if register else {}
    role = {name: i for i, name in enumerate(ROLES)}

    def place(e: Entry) -> tuple[int, int, str]:
        at = min((places[s] for s in e.states if s in places), default=len(places))
        return at, role.get(e.role, len(role)), e.id

    ordered = sorted(entries, key=place)
    ids = {e.id for e in entries}
    behind = [e for e in ordered if e.corrects in ids]
    out = [e for e in ordered if e not in behind]
    for e in reversed(behind):
        at = next((i for i, other in enumerate(out) if other.id == e.corrects), None)
        out.insert(len(out) if at is None else at + 1, e)
    return out


@dataclass(frozen=True)
class Repair:
    """A claim that fails, with the claims that correct it."""

    failed: Entry
    corrected: tuple[Entry, ...]

    @property
    def holds(self) -> bool:
        return any(c.verdict == "pass" for c in self.corrected)


PRINTED = frozenset({"as_printed", "reading"})
"""Roles of claims that say what a source prints."""


def repairs(entries: Iterable[Entry]) -> list[Repair]:
    """The claims of a source that fail as printed, in the order given, each with its corrected forms."""
    listed = list(entries)
    return [
        Repair(e, tuple(c for c in listed if c.corrects == e.id))
        for e in listed
        if e.verdict == "fail" and e.role in PRINTED
    ]


def headline(entries: Sequence[Entry], statements: Mapping[str, bool] | None = None) -> str:
    """What a run came to in one sentence, in words of the field.

    ``statements``: of every statement of a register that fails as printed, whether a corrected form of
    it holds; None where there is no register, so that only claims are counted.
    """
    holding = sum(e.verdict == "pass" for e in entries)
    said = [f"{holding} claim{' holds' if holding == 1 else 's hold'}"]
    failing = sum(e.verdict == "fail" for e in entries)
    if statements is None:
        if failing:
            said.append(f"{failing} {'is' if failing == 1 else 'are'} refuted")
    elif statements:
        n, mended = len(statements), sum(statements.values())
        one = n == 1
        text = f"{n} statement{' fails' if one else 's fail'} as printed"
        if mended:
            for_each = "it" if one else "each of them" if mended == n else f"{mended} of them"
            text += f", and a corrected form of {for_each} holds"
        said.append(text)
    rest = len(entries) - holding - failing
    if rest:
        said.append(f"{rest} {'is' if rest == 1 else 'are'} not decided")
    return "; ".join(said)


def printed_failures(refuted: Iterable[str], entries: Sequence[Entry]) -> dict[str, bool]:
    """Of each refuted statement, whether a claim that corrects it holds."""
    out = {}
    for id in refuted:
        failing = {e.id for e in entries if id in e.states and e.verdict == "fail"}
        out[id] = any(
            e.verdict == "pass"
            and e.role == "corrected"
            and (e.corrects in failing or id in e.states)
            for e in entries
        )
    return out


def overall(
    report: Report, registers: Sequence[Register], found: Mapping[str, StatementStatus]
) -> str:
    """What a run came to in one sentence; ``found``: the statuses of the registers' statements in it."""
    refuted = [id for id, status in found.items() if status.status == "refuted"]
    failures = printed_failures(refuted, report.claims) if registers else None
    return headline(report.claims, failures)
