"""One claim of the page as plain data: its entry, how it is shown, what it states and what corrects it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from theorycheck.entries.parts import ClauseEntry, DiagnosisEntry, LegEntry
from theorycheck.entries.report import Entry
from theorycheck.reports import words
from theorycheck.reports.clause_words import (
    as_printed_words,
    clause_words,
    lines_words,
    payment_words,
    proof_words,
    waiting_words,
)
from theorycheck.reports.present import Presentation
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Register, Statement
from theorycheck.sources.standing import StatementStatus

_SHOWN_APART = ("constant", "trends", "uniform_factor", "violation_at_most", "kind")
"""What a relation says of a leg that `implied_constant` and `words.leg_sharpness` word."""


@dataclass(frozen=True)
class Beside:
    """What a claim is shown beside: the statements of the registers by id with their status in this run,
    and the entries of the run by id."""

    statements: Mapping[str, tuple[Statement, Register]]
    statuses: Mapping[str, StatementStatus]
    entries: Mapping[str, Entry]

    def corrections(self, entry: Entry) -> list[Entry]:
        """The claims that correct a claim."""
        return [e for e in self.entries.values() if e.corrects == entry.id]


ClaimView = Mapping[str, object]
"""What the template of a claim reads: the fields of its `Entry`, and more by name."""


@dataclass(frozen=True)
class Listed:
    """A claim that another one names, with what it came to."""

    id: str
    title: str
    stands: str
    standing: str

    @classmethod
    def of(cls, e: Entry) -> Listed:
        return cls(e.id, e.title, words.stands(e), words.standing(e))


@dataclass(frozen=True)
class Stated:
    """A statement that a claim is about. ``lines``: where the source has it, in words, or empty."""

    label: str
    title: str
    lines: str
    grade: str | None
    note: str
    source: str
    edition: str


@dataclass(frozen=True)
class ClauseRow:
    """A clause of a claim's statements. ``words``: what its status says; ``lines``: where the source has it, in words;
    ``printed``: what the print has where it differs; ``proof``: what came of its proof, of a provable one that
    no claim proves; ``payments``: what paid for each name, in words; ``by``: the other
    claims that cover it."""

    id: str
    says: str
    lines: str
    printed: str
    formula: str
    covered: bool
    status: str
    words: str
    proof: str
    payments: tuple[str, ...]
    by: tuple[str, ...]


def claim_view(entry: Entry, shown: Presentation, beside: Beside) -> ClaimView:
    """Everything that the page says of a claim."""
    stated = [beside.statements[s] for s in entry.states if s in beside.statements]
    labels = [", ".join(s.labels) or "unnumbered" for s, _ in stated]
    text = " ".join([entry.id, entry.title, entry.says, entry.source, *labels])
    return {
        **asdict(entry),
        "stands": words.stands(entry),
        "standing": words.standing(entry),
        "sharpness": words.sharpness(entry),
        "resolution_words": words.resolution_words(entry),
        "rung_words": words.RUNG_WORDS.get(words.grounds(entry), ""),
        "unexpected": words.unexpected(entry),
        "shown": shown,
        "labels": labels,
        "stated": [
            Stated(
                label,
                s.title,
                lines_words(r.lines_of(s.id)),
                s.grade,
                s.note,
                r.source.title,
                r.source.edition,
            )
            for label, (s, r) in zip(labels, stated, strict=True)
        ],
        "clauses": clause_rows(entry, beside, shown),
        "clauses_known": any(_clauses(beside, s) for s in entry.states),
        "corrected_by": [Listed.of(e) for e in beside.corrections(entry)],
        "corrects_entry": Listed.of(beside.entries[entry.corrects])
        if entry.corrects is not None and entry.corrects in beside.entries
        else None,
        "legs": [_leg(leg, shown.legs.get(leg.name, "")) for leg in entry.legs],
        "constants": [c for leg in entry.legs if (c := implied_constant(leg))],
        "survivors": entry.mutants.survivors,
        "search": plain(text).lower(),
        "duration": words.duration(entry.seconds),
        "counted": words.count(entry.samples),
    }


def _clauses(beside: Beside, statement: str) -> Sequence[Any]:
    found = beside.statuses.get(statement)
    return found.clauses if found is not None else ()


def clause_rows(entry: Entry, beside: Beside, shown: Presentation) -> list[ClauseRow]:
    """The clauses of a claim's statements in their order: those that it covers with what paid for each
    name, the others with what is known of them from other claims. Empty where it names none."""
    own = {c.id: c for c in entry.clauses}
    if not own:
        return []
    rows = []
    for id in entry.states:
        for found in _clauses(beside, id):
            clause = found.clause
            mine: ClauseEntry | None = own.get(clause.key)
            status = found.status if mine is None else mine.status
            words = (
                clause_words(status, found.entry if mine is None else mine),
                waiting_words(clause, found.status),
            )
            rows.append(
                ClauseRow(
                    id=clause.id,
                    says=clause.says,
                    lines=lines_words(clause.lines),
                    printed=as_printed_words(clause),
                    formula=shown.clauses.get(clause.key, ""),
                    covered=mine is not None,
                    status=status,
                    words="; ".join(w for w in words if w),
                    proof=proof_words(found),
                    payments=tuple(payment_words(clause, p) for p in mine.payments) if mine else (),
                    by=tuple(c for c in found.by if c != entry.id),
                )
            )
    return rows


def _leg(leg: LegEntry, text: str) -> Mapping[str, object]:
    further = {k: v for k, v in leg.further.items() if k not in _SHOWN_APART and v is not None}
    hint = f"hint: {leg.hint}" if leg.hint else ""
    unmoved = leg.side == "certificate" and leg.moved_by == ""
    seen = "no change of the model was seen to move it at its first point" if unmoved else ""
    parts = (text, leg.statistic, leg.reason, seen, hint, readable(further))
    return {
        **asdict(leg),
        "standing": words.leg_standing(leg),
        "text": "; ".join(part for part in parts if part),
        "sharpness": words.leg_sharpness(leg),
    }


def implied_constant(leg: LegEntry) -> str:
    """What an up-to-constant law says of its constant over the sweep; empty for other legs."""
    found = leg.further.get("constant")
    if not isinstance(found, list | tuple) or len(found) != 2:
        return ""
    trends = "; ".join(map(str, leg.further.get("trends") or ()))
    said = f"between {found[0]:.3g} and {found[1]:.3g} over the sweep"
    return f"{said}, {trends}" if trends else said


def readable(data: Any) -> str:
    """Nested plain data in one line: ``constants: low 0.8, high 1.1; flat: yes``."""
    if isinstance(data, Mapping):
        return "; ".join(f"{str(k).replace('_', ' ')}: {readable(v)}" for k, v in data.items())
    if isinstance(data, list | tuple):
        return ", ".join(readable(v) for v in data)
    if isinstance(data, bool):
        return "yes" if data else "no"
    if isinstance(data, float):
        return f"{data:.6g}"
    return "" if data is None else str(data)


def rest_of(diagnosis: DiagnosisEntry) -> Mapping[str, object]:
    """What a diagnosis says beside its text and the corrected form."""
    said = ("text", "corrected")
    fields = asdict(diagnosis).items()
    return {k: v for k, v in fields if k not in said and v not in (None, "", ())}
