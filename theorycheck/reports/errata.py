"""Errata: what is wrong as printed in a source, worded for its authors to read.

What our own runs decided comes first, with the command that decides it again; what only a reader noted
is shown when it is asked for. In an entry what survives comes first. An entry that rests on a sign, an
index or a constant says *as transcribed* where the text at hand was read by a machine and has not been
compared with a published version. The same data makes the page, the Markdown and the JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType, structs

from theorycheck.entries.parts import Counterexample, Resolution, Tightness, Verdict
from theorycheck.entries.report import Entry
from theorycheck.reports.clause_words import lines_words
from theorycheck.reports.graph import FOOTING_WORDS
from theorycheck.reports.words import place, resolution_words, standing
from theorycheck.sources.errata import Erratum, errata
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Register, Statement
from theorycheck.sources.standing import Records, statuses

ENGINE_WORDS = {
    "confirmed": "Confirmed here by a check that anybody can run again.",
    "contradicted": "The checks made here did not find it wrong: the remark, or the check, is at fault.",
    "reading": "One reading of it is refuted here by a check that anybody can run again; others hold.",
    "not judged": "Noted by a reader; no check made here has decided it yet.",
    "unlisted": "Found by a check made here; no reader had remarked on it.",
}

ABOVE = (
    ("unaffected", "is unaffected by it", "are unaffected by it"),
    ("with correction", "survives with the correction", "survive with the correction"),
    ("open", "rests on it, and is open", "rest on it, and are open"),
)
"""What is said of the statements above a wrong one, by their footing."""


NOTHING_ABOVE = "Nothing in this source rests on it, as far as its proofs were followed."


class ErratumClaim(Struct, frozen=True, kw_only=True):
    """What an erratum repeats of a claim's entry, with its standing and what its check came to in words."""

    claim: str
    role: str
    encodes: str
    title: str
    says: str
    corrects: str | None
    verdict: Verdict
    rung: str | None
    resolution: Resolution | None
    tightness: Tightness | None
    reason: str
    closed_form: str | None
    counterexample: Counterexample | None
    reproduce: str
    standing: str
    evidence: str

    @classmethod
    def of(cls, entry: Entry) -> ErratumClaim:
        own = {n: getattr(entry, n) for n in cls.__struct_fields__ if hasattr(entry, n)}
        return cls(claim=entry.id, standing=standing(entry), evidence=evidence(entry), **own)


class ErratumAbove(Struct, frozen=True, kw_only=True):
    """A statement that rests on a wrong one, and in ``words`` what becomes of it."""

    id: str
    footing: str
    label: str
    title: str
    words: str


class ErratumEntry(Struct, frozen=True, kw_only=True):
    """An erratum in words. ``lines``: where the source has it, in words; ``found``: who found it; ``decided``:
    by a run of ours; ``transcribed``: a slip of the transcription could make it; ``survives``: sentences on
    what stands; ``at``: the counterexample."""

    id: str
    source: str
    labels: tuple[str, ...]
    pages: str
    title: str
    role: str
    one_line: str
    lines: str
    grade: str | None
    note: str
    status: str
    partial: bool
    engine: str
    as_printed: tuple[ErratumClaim, ...]
    readings: tuple[ErratumClaim, ...]
    corrected: tuple[ErratumClaim, ...]
    counterexample: Counterexample | None
    above: tuple[ErratumAbove, ...]
    found: str
    decided: bool
    transcribed: bool
    reproduce: str
    survives: tuple[str, ...]
    at: str


class ErrataSection(Struct, frozen=True, kw_only=True):
    """The errata of one source, and how it was read. ``statements``: how many it has, ``open`` of them
    undecided; ``noted``: entries left out that only a reader noted, None where none are left out."""

    source: str
    title: str
    authors: tuple[str, ...]
    edition: str
    text: str
    statements: int
    open: int
    entries: tuple[ErratumEntry, ...]
    noted: int | UnsetType = UNSET


def sections(registers: Sequence[Register], records: Records) -> list[ErrataSection]:
    """One section a source with errata.

    Inside a section what a run decided comes before what only a reader noted, there the gravest first.
    """
    entries = errata(registers, records)
    found = statuses(registers, records)
    out = []
    for register in registers:
        own = [e for e in entries if e.status.source == register.source.name]
        if not own:
            continue
        out.append(
            ErrataSection(
                source=register.source.name,
                title=register.source.title,
                authors=register.source.authors,
                edition=register.source.edition,
                text=register.source.text,
                statements=len(register.statements),
                open=sum(found[id].status == "open" for id in register.by_id()),
                entries=tuple(
                    _worded(e, register) for e in sorted(own, key=lambda e: not e.decided)
                ),
            )
        )
    return out


def _worded(e: Erratum, register: Register) -> ErratumEntry:
    s = e.statement
    failing = (c.reproduce for c in (*e.as_printed, *e.readings) if c.verdict == "fail")
    return ErratumEntry(
        id=s.id,
        source=e.status.source,
        labels=s.labels,
        pages=s.pages,
        title=s.title,
        role=s.role,
        one_line=s.one_line,
        lines=lines_words(register.lines_of(s.id)),
        grade=s.grade,
        note=s.note,
        status=e.status.status,
        partial=e.status.partial,
        engine=e.engine,
        as_printed=tuple(map(ErratumClaim.of, e.as_printed)),
        readings=tuple(map(ErratumClaim.of, e.readings)),
        corrected=tuple(map(ErratumClaim.of, e.corrected)),
        counterexample=e.counterexample,
        above=tuple(
            ErratumAbove(
                id=a.statement.id,
                footing=a.footing,
                label=", ".join(a.statement.labels) or plain(a.statement.title),
                title=a.statement.title,
                words=FOOTING_WORDS[a.footing],
            )
            for a in e.above
        ),
        found=ENGINE_WORDS["reading" if e.engine == "not judged" and e.decided else e.engine],
        decided=e.decided,
        transcribed=transcribed(s, register),
        reproduce=next(filter(None, failing), ""),
        survives=tuple(_survives(e)) or (NOTHING_ABOVE,),
        at="" if e.counterexample is None else place(e.counterexample),
    )


MACHINE_READ = "machine-read"
_GARBLED = frozenset({"false as stated", "false at a hidden constant", "misprint", None})
"""Grades that rest on a sign, an index or a constant; the others rest on what is said or left out."""


def transcribed(statement: Statement, register: Register) -> bool:
    """Whether a slip of whoever transcribed the text could make the entry: the text was read by a machine,
    the entry rests on its letters, and nobody has compared them with a published version."""
    from_machine = register.source.text.startswith(MACHINE_READ)
    return from_machine and statement.grade in _GARBLED and not statement.compared


def evidence(claim: Entry) -> str:
    """What the check of a claim came to: ``verified (certified). Exact: ...``."""
    if claim.verdict == "not run":
        return "not run yet"
    words = standing(claim)
    if claim.verdict == "pass":
        return f"{words}. {resolution_words(claim)}".strip()
    if claim.verdict == "fail" and claim.counterexample:
        return f"{words} at {place(claim.counterexample)}"
    return f"{words}: {claim.reason}" if claim.reason else words


def _survives(e: Erratum) -> Iterator[str]:
    """Sentences on what stands: the corrected form, the readings that hold, the results above."""
    for c in e.corrected:
        if c.verdict == "pass":
            yield f"The corrected statement ({c.title}) is {standing(c)}."
    for c in e.readings:
        if c.verdict == "pass":
            yield f"Read as \u201c{c.title}\u201d it is {standing(c)}."
    for footing, one, several in ABOVE:
        resting = [a.statement for a in e.above if a.footing == footing]
        labels = [", ".join(s.labels) or s.title for s in resting]
        if labels:
            yield f"{'; '.join(labels)} {one if len(labels) == 1 else several}."


def only_decided(found: Sequence[ErrataSection]) -> list[ErrataSection]:
    """The sections with what our own runs decided; ``noted`` counts what is left out of each."""
    out = []
    for section in found:
        kept = tuple(e for e in section.entries if e.decided)
        noted = len(section.entries) - len(kept)
        out.append(structs.replace(section, entries=kept, noted=noted))
    return out


def markdown(found: Sequence[ErrataSection]) -> str:
    """The errata of all sections as Markdown."""
    lines = ["# Errata", ""]
    if not found:
        lines += ["Nothing that is wrong as printed is known.", ""]
    for section in found:
        lines += [
            f"## {section.title}",
            "",
            f"By {', '.join(section.authors)}. {reading_note(section)}",
            "",
        ]
        for entry in section.entries:
            lines += _entry_markdown(entry)
        if section.noted:
            lines += [
                f"{section.noted} more noted by a reader only: `--unconfirmed` shows them.",
                "",
            ]
    return "\n".join(lines)


def reading_note(section: ErrataSection) -> str:
    """Which edition was read, how, and how many of its statements are listed."""
    n, of = len(section.entries), section.statements
    return (
        f"Read: {section.edition}. Text: {section.text}. "
        f"{n} of its {of} statements {'is' if n == 1 else 'are'} listed here, "
        f"{section.open} {'is' if section.open == 1 else 'are'} open (no check has decided "
        "anything of them); the remarks concern the text as printed, and are meant to help its readers."
    )


def heading(entry: ErratumEntry) -> str:
    """Label, where it stands, title and grade of an entry in one line."""
    label = ", ".join(entry.labels) or "Unnumbered statement"
    if entry.pages:
        label += f" ({entry.pages})"
    grade = entry.grade or "refuted by a check"
    said = ", as transcribed" if entry.transcribed else ""
    return f"{label}: {entry.title} ({grade}{said})"


def _entry_markdown(entry: ErratumEntry) -> list[str]:
    lines = [
        f"### {plain(heading(entry))}",
        "",
        "**What survives.** " + plain(" ".join(entry.survives)),
        "",
    ]
    where = f"; the source: {entry.lines}" if entry.lines else ""
    lines += [f"**As printed** (in our words{where}). {plain(entry.one_line)}", ""]
    for claim in entry.as_printed:
        lines += [f"- `{claim.claim}`: {claim.evidence}"]
    for claim in entry.readings:
        lines += [f"- read as \u201c{plain(claim.title)}\u201d (`{claim.claim}`): {claim.evidence}"]
    if entry.as_printed or entry.readings:
        lines.append("")
    if entry.note:
        lines += [f"**What is wrong.** {plain(entry.note)}", ""]
    lines += [f"*{entry.found}*", ""]
    if entry.counterexample:
        lines += [f"**Smallest counterexample.** {entry.at}", ""]
    if entry.reproduce:
        lines += ["```", entry.reproduce, "```", ""]
    for claim in entry.corrected:
        form = f"`{claim.closed_form}`. " if claim.closed_form else ""
        lines += [
            f"**Corrected.** {plain(claim.title)} (`{claim.claim}`): {form}{claim.evidence}",
            "",
        ]
    return lines
