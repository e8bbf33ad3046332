"""``report.md``: the run as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from theorycheck.entries.report import Entry, Report
from theorycheck.record.bare import bare_record
from theorycheck.record.files import write_text
from theorycheck.reports import paper_order, references
from theorycheck.reports.clause_words import clause_words, lines_words, statement_words
from theorycheck.reports.latest_coverage import registers_beside
from theorycheck.reports.paper_order import Repair
from theorycheck.reports.present import claims_of_report
from theorycheck.reports.words import (
    STANDING_WORDS,
    STANDINGS,
    brief,
    sharpness,
    standing,
    stands,
    unexpected,
)
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Register
from theorycheck.sources.standing import StatementStatus, statuses

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``report.md`` in a run's folder."""
    known = list(claims_of_report(report, items).values())
    registers = registers_beside(known)
    records = {i.id: bare_record(i) for i in known} | {e.id: e for e in report.claims}
    write_text(folder / "report.md", render(report, registers, statuses(registers, records)))
    return folder / "report.md"


def render(
    report: Report,
    registers: Sequence[Register] = (),
    found: Mapping[str, StatementStatus] = MappingProxyType({}),
) -> str:
    """Headline, key, what needs a look, what fails as printed beside what survives, then one table a source
    in the order of its paper and its statements clause by clause. ``found``: the statuses of the registers'
    statements."""
    run, counts = report.run, report.summary
    groups = paper_order.by_source(report.claims, registers)
    lines = [
        f"# {paper_order.overall(report, registers, found)}",
        "",
        f"Run {run.id}: profile {run.profile}, seed {run.seed}, device {run.device}, "
        f"alpha {run.alpha:g} (spent {run.alpha_spent:.2g}), {run.seconds:.1f} s. "
        f"{counts.claims} claims, {counts.as_expected} with the verdict that was expected.",
        "",
        *_key(report),
    ]
    attention = [e for e in report.claims if unexpected(e)]
    if attention:
        lines += ["## Not as expected", ""]
        lines += [
            f"- `{e.id}`: {standing(e)}, expected {e.expected}. {e.reason}" for e in attention
        ]
        lines.append("")
    failing = paper_order.repairs(e for g in groups for e in g.entries)
    if failing:
        lines += ["## What fails as printed, and what survives", ""]
        lines += [line for repair in failing for line in _repair(repair)]
        lines.append("")
    for group in groups:
        source = None if group.register is None else group.register.source
        named = [] if source is None else [references.in_full(source), ""]
        lines += [f"## {group.title}", "", *named, *_table(list(group.entries))]
        if group.register is not None:
            lines += _clauses(group.register, group.entries, found)
    return "\n".join(lines) + "\n"


def _key(report: Report) -> list[str]:
    words = [stands(e) for e in report.claims]
    rows = [f"- **{words.count(w)} {w}**: {STANDING_WORDS[w]}" for w in STANDINGS if w in words]
    return [*rows, ""] if rows else []


def _repair(repair: Repair) -> list[str]:
    failed = repair.failed
    at = f": {brief(failed.counterexample)}" if failed.counterexample else ""
    lines = [f"- `{failed.id}` ({plain(failed.title)}){at}"]
    return lines + [
        f"  - survives: `{c.id}` ({plain(c.title)}), {standing(c)}" for c in repair.corrected
    ]


def _clauses(
    register: Register, entries: Sequence[Entry], found: Mapping[str, StatementStatus]
) -> list[str]:
    """The statements that these claims speak of, clause by clause."""
    stated = {id for e in entries for id in e.states}
    lines = []
    for s in register.statements:
        if s.id not in stated or s.id not in found or not found[s.id].clauses:
            continue
        label = ", ".join(s.labels) or plain(s.title)
        where = lines_words(register.lines_of(s.id))
        lines.append(f"- {label} ({where}): {statement_words(found[s.id])}")
        lines += [
            f"  - {c.clause.id}: {clause_words(c.status, c.entry)}" for c in found[s.id].clauses
        ]
    return (
        ["Clause by clause, at the lines of the text that was read:", "", *lines, ""]
        if lines
        else []
    )


def _table(entries: list[Entry]) -> list[str]:
    rows = [
        "| claim | role | standing | sharpness | rivals | points | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for e in entries:
        rivals = f"{sum(r.refuted for r in e.rivals)}/{len(e.rivals)}" if e.rivals else ""
        cells = [
            f"`{e.id}`",
            e.role,
            standing(e),
            sharpness(e),
            rivals,
            str(e.points),
            f"{e.seconds:.2f}",
        ]
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return [*rows, ""]
