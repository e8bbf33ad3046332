"""A claim's entry and the report of a run, with their way to and from plain data.

The contract is DESIGN 7: fields are added, none changes. Reports of earlier versions lack some and are
read with the defaults; unknown ones of later versions are left out, except in legs, where every relation
may say more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from theorycheck.entries.parts import (
    AttackEntry,
    Cause,
    ClauseEntry,
    Counterexample,
    DiagnosisEntry,
    HypothesisEntry,
    LegEntry,
    MutantsEntry,
    Resolution,
    RivalEntry,
    Tightness,
    Verdict,
)

SCHEMA: Literal[1] = 1


class Entry(Struct, frozen=True, kw_only=True):
    """All that a report says of a claim.

    ``expected``: the verdict that the author expects. ``content``: hash of what the claim reaches.
    ``lhs`` and ``tex``: what is measured and the formula that it is held to, in LaTeX as the author wrote
    them, without dollar signs; "" where the author did not.
    ``cached``: why its evidence is never cached, "" where it is.
    ``cause``: what kind of reason that is, where it is one of `Cause`.
    ``uniform_factor``: the largest factor of all points alike that would not have been refuted.
    ``within``: how far a bound that is touched may yet be passed. ``undiagnosed``: why a fail has no
    diagnosis. ``alpha_spent``: its share of the run's alpha. ``degenerate``: what of the evidence never
    differs, one line each. ``about``: what it is a verdict about, a line for each clause of its statements:
    what paid for each name, and the clauses that it leaves alone.
    """

    id: str
    source: str
    states: tuple[str, ...]
    role: str
    title: str
    verdict: Verdict
    expected: str
    encodes: str = "whole"
    says: str = ""
    kind: str = ""
    corrects: str | None = None
    relation: str = ""
    domain: str = ""
    tested: str = ""
    closed_form: str | None = None
    lhs: str = ""
    tex: str = ""
    reproduce: str = ""
    content: str = ""
    cached: str = ""
    reason: str = ""
    would_decide: str = ""
    cause: Cause | None = None
    rung: str | None = None
    proved: bool = False
    resolution: Resolution | None = None
    uniform_factor: Resolution | None = None
    within: Resolution | None = None
    tightness: Tightness | None = None
    points: int = 0
    samples: int = 0
    seconds: float
    legs: tuple[LegEntry, ...]
    rivals: tuple[RivalEntry, ...]
    mutants: MutantsEntry
    hypotheses: tuple[HypothesisEntry, ...] = ()
    counterexample: Counterexample | None = None
    diagnosis: DiagnosisEntry | None = None
    undiagnosed: str = ""
    alpha_spent: float = 0.0
    clauses: tuple[ClauseEntry, ...] = ()
    attack: AttackEntry | None = None
    degenerate: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one that the author expects; a skipped claim's is not."""
        return self.verdict == self.expected


class Asked(Struct, frozen=True, kw_only=True):
    """What selected the claims of a run, so that it can be resumed."""

    targets: tuple[str, ...] = ()
    everything: bool = False
    expression: str = ""
    sources: tuple[str, ...] = ()
    shard: str | None = None
    no_cache: bool = False


class RunHead(Struct, frozen=True, kw_only=True):
    """Which run, under which settings, with which versions, on which machine. ``complete``: whether
    every claim that was asked for has been judged."""

    id: str
    seed: int
    alpha: float
    profile: str
    device: str
    started: str
    versions: Mapping[str, str]
    machine: Mapping[str, int | str]
    alpha_spent: float = 0.0
    seconds: float = 0.0
    complete: bool = False
    asked: Asked | None = None


class Summary(Struct, frozen=True, kw_only=True):
    """Counts by verdict. Skipped claims are counted apart and are not as expected."""

    claims: int = 0
    as_expected: int = 0
    passed: int = field(name="pass", default=0)
    fail: int = 0
    inconclusive: int = 0
    error: int = 0
    skipped: int = 0

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Summary:
        def count(verdict: str) -> int:
            return sum(e.verdict == verdict for e in entries)

        return cls(
            claims=len(entries),
            as_expected=sum(e.as_expected for e in entries),
            passed=count("pass"),
            fail=count("fail"),
            inconclusive=count("inconclusive"),
            error=count("error"),
            skipped=count("skipped"),
        )


class Report(Struct, frozen=True, kw_only=True):
    """The whole of ``report.json``; claims in order of source and id."""

    schema: Literal[1] = SCHEMA
    run: RunHead
    summary: Summary
    claims: tuple[Entry, ...]

    @classmethod
    def of(cls, head: RunHead, entries: Sequence[Entry]) -> Report:
        ordered = tuple(sorted(entries, key=lambda e: (e.source, e.id)))
        return cls(run=head, summary=Summary.of(ordered), claims=ordered)


def entry_to_json(entry: Entry) -> Mapping[str, object]:
    """An entry as plain data, as it stands in ``report.json``."""
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(entry, legs=()))
    return data | {"legs": [_leg_to_json(leg) for leg in entry.legs]}


def _leg_to_json(leg: LegEntry) -> Mapping[str, object]:
    """The leg's fields, and among them what its relation says beside."""
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(leg, further={}))
    del data["further"]
    return data | dict(leg.further)


def to_json(report: Report) -> Mapping[str, object]:
    """A report as plain data, as it stands in ``report.json``."""
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(report, claims=()))
    return data | {"claims": [entry_to_json(e) for e in report.claims]}


def entry_from_json(data: Any) -> Entry:
    """An entry from plain data. Raises `msgspec.ValidationError` naming the field that is wrong."""
    return msgspec.convert(_read(data), Entry)


def from_json(data: Any) -> Report:
    """A report from plain data. Raises `msgspec.ValidationError` naming the field that is wrong."""
    if isinstance(data, Mapping) and isinstance(data.get("claims"), list | tuple):
        data = {**data, "claims": [_read(entry) for entry in data["claims"]]}
    return msgspec.convert(data, Report)


def _read(entry: Any) -> Any:
    """An entry with what relations say of its legs set apart, and survivors as tables, which early
    reports held as bare names."""
    if not isinstance(entry, Mapping):
        return entry
    entry = dict(entry)
    if isinstance(entry.get("legs"), list | tuple):
        entry["legs"] = [
            leg_fields(leg) if isinstance(leg, Mapping) else leg for leg in entry["legs"]
        ]
    mutants = entry.get("mutants")
    if isinstance(mutants, Mapping) and isinstance(mutants.get("survivors"), list | tuple):
        named = [{"name": s} if isinstance(s, str) else s for s in mutants["survivors"]]
        entry["mutants"] = {**mutants, "survivors": named}
    return entry


def leg_fields(leg: Mapping[str, object]) -> dict[str, object]:
    """The fields of a leg as plain data, all that are not every leg's under ``further``."""
    own = LegEntry.__struct_fields__
    further = {k: v for k, v in leg.items() if k not in own}
    return {k: v for k, v in leg.items() if k in own} | {"further": further}
