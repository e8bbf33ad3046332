"""Errata: what is wrong as printed in a source, worded for its authors to read.

What our own runs decided comes first, with the command that decides it again; what only a reader noted
is shown when it is asked for. In an entry what survives comes first. An entry that rests on a sign, an
index or a constant says *as transcribed* where the text at hand was read by a machine and has not been
compared with a published version. The same data makes the page, the Markdown and the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from theorycheck.entries.parts import Counterexample
from theorycheck.entries.report import Entry
from theorycheck.reports.graph import FOOTING_WORDS
from theorycheck.reports.words import place, resolution_words, standing
from theorycheck.sources.coverage import errata
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Register, Statement
from theorycheck.sources.standing import statuses

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


def sections(registers: Sequence[Register], records: Mapping[str, Entry]) -> list[dict[str, Any]]:
    """One section a source with errata: the source, how it was read, and its entries; plain data.

    Inside a section what a run decided comes before what only a reader noted, there the gravest first.
    Each entry is one of `coverage.errata` with words added: ``survives``, ``evidence`` of every claim,
    ``found``, ``decided`` (by a run of ours), ``transcribed`` and ``reproduce``.
    """
    entries = errata(registers, records)
    found = statuses(registers, records)
    out = []
    for register in registers:
        own = [e for e in entries if e["source"] == register.source.name]
        if not own:
            continue
        known = register.by_id()
        worded = [_worded(e, register, records) for e in own]
        out.append(
            {
                "source": register.source.name,
                "title": register.source.title,
                "authors": list(register.source.authors),
                "edition": register.source.edition,
                "text": register.source.text,
                "statements": len(register.statements),
                "open": sum(found[id].status == "open" for id in known),
                "entries": sorted(worded, key=lambda e: not e["decided"]),
            }
        )
    return out


def _worded(
    entry: Mapping[str, Any], register: Register, records: Mapping[str, Entry]
) -> dict[str, Any]:
    known = register.by_id()
    above = [
        {**a, "label": ", ".join(known[a["id"]].labels) or known[a["id"]].title, "title": known[a["id"]].title,
         "words": FOOTING_WORDS[a["footing"]]}
        for a in entry["above"]
    ]  # fmt: skip
    out = dict(entry) | {"above": above, "found": found_words(entry), "decided": decided(entry)}
    out["transcribed"] = transcribed(known[entry["id"]], register)
    claims = (*entry["as_printed"], *entry["readings"])
    failing = (c["reproduce"] for c in claims if c["verdict"] == "fail" and c.get("reproduce"))
    out["reproduce"] = next(failing, "")
    for group in ("as_printed", "readings", "corrected"):
        out[group] = [
            dict(c)
            | {"standing": standing(records[c["claim"]]), "evidence": evidence(records[c["claim"]])}
            for c in entry[group]
        ]
    out["survives"] = survives(out)
    found = entry["counterexample"]
    out["at"] = "" if found is None else place(convert(found, Counterexample))
    return out


def decided(entry: Mapping[str, Any]) -> bool:
    """Whether a run of ours found it wrong, in one reading at least."""
    return entry["engine"] in ("confirmed", "unlisted") or entry["counterexample"] is not None


def found_words(entry: Mapping[str, Any]) -> str:
    """Who found it, and whether a check has decided it."""
    engine = entry["engine"]
    return ENGINE_WORDS["reading" if engine == "not judged" and decided(entry) else engine]


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


def survives(entry: Mapping[str, Any]) -> list[str]:
    """Sentences on what stands: the corrected form, the readings that hold, the results above."""
    out = []
    for claim in entry["corrected"]:
        if claim["verdict"] == "pass":
            out.append(f"The corrected statement ({plain(claim['title'])}) is {claim['standing']}.")
    for claim in entry["readings"]:
        if claim["verdict"] == "pass":
            out.append(f"Read as \u201c{plain(claim['title'])}\u201d it is {claim['standing']}.")
    for footing, one, several in ABOVE:
        labels = [a["label"] for a in entry["above"] if a["footing"] == footing]
        if labels:
            out.append(f"{'; '.join(labels)} {one if len(labels) == 1 else several}.")
    if not out:
        out.append("Nothing in this source rests on it, as far as its proofs were followed.")
    return out


def only_decided(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The sections with what our own runs decided; ``noted`` counts what is left out of each."""
    out = []
    for section in found:
        kept = [e for e in section["entries"] if e["decided"]]
        out.append(dict(section) | {"entries": kept, "noted": len(section["entries"]) - len(kept)})
    return out


def markdown(found: Sequence[Mapping[str, Any]]) -> str:
    """The errata of all sections as Markdown."""
    lines = ["# Errata", ""]
    if not found:
        lines += ["Nothing that is wrong as printed is known.", ""]
    for section in found:
        lines += [
            f"## {section['title']}",
            "",
            f"By {', '.join(section['authors'])}. {reading_note(section)}",
            "",
        ]
        for entry in section["entries"]:
            lines += _entry_markdown(entry)
        if section.get("noted"):
            lines += [
                f"{section['noted']} more noted by a reader only: `--unconfirmed` shows them.",
                "",
            ]
    return "\n".join(lines)


def reading_note(section: Mapping[str, Any]) -> str:
    """Which edition was read, how, and how many of its statements are listed."""
    n, of = len(section["entries"]), section["statements"]
    return (
        f"Read: {section['edition']}. Text: {section['text']}. "
        f"{n} of its {of} statements {'is' if n == 1 else 'are'} listed here, "
        f"{section['open']} {'is' if section['open'] == 1 else 'are'} open (no check has decided "
        "anything of them); the remarks concern the text as printed, and are meant to help its readers."
    )


def heading(entry: Mapping[str, Any]) -> str:
    """Label, title and grade of an entry in one line."""
    label = ", ".join(entry["labels"]) or "Unnumbered statement"
    grade = entry["grade"] or "refuted by a check"
    said = ", as transcribed" if entry["transcribed"] else ""
    return f"{label}: {entry['title']} ({grade}{said})"


def _entry_markdown(entry: Mapping[str, Any]) -> list[str]:
    lines = [f"### {heading(entry)}", "", "**What survives.** " + " ".join(entry["survives"]), ""]
    lines += [f"**As printed** (in our words). {entry['one_line']}", ""]
    for claim in entry["as_printed"]:
        lines += [f"- `{claim['claim']}`: {claim['evidence']}"]
    for claim in entry["readings"]:
        lines += [
            f"- read as \u201c{plain(claim['title'])}\u201d (`{claim['claim']}`): {claim['evidence']}"
        ]
    if entry["as_printed"] or entry["readings"]:
        lines.append("")
    if entry["note"]:
        lines += [f"**What is wrong.** {entry['note']}", ""]
    lines += [f"*{entry['found']}*", ""]
    if entry["counterexample"]:
        lines += [f"**Smallest counterexample.** {entry['at']}", ""]
    if entry["reproduce"]:
        lines += ["```", entry["reproduce"], "```", ""]
    for claim in entry["corrected"]:
        form = f"`{claim['closed_form']}`. " if claim.get("closed_form") else ""
        lines += [
            f"**Corrected.** {plain(claim['title'])} (`{claim['claim']}`): {form}{claim['evidence']}",
            "",
        ]
    return lines
