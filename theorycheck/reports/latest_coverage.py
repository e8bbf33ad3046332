"""Coverage of the sources by the latest verdict of each claim at its present content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from theorycheck.entries.report import Entry
from theorycheck.library import listing
from theorycheck.library.loading import Loaded
from theorycheck.record.bare import bare_record
from theorycheck.record.runs import ReportError, read_report, runs
from theorycheck.reports.clause_words import clause_lines, lines_words, statement_words, status_word
from theorycheck.sources.coverage import CoverageCounts, coverage
from theorycheck.sources.plain import plain
from theorycheck.sources.register import FILE_NAME, Register, Statement, load_registers
from theorycheck.sources.standing import CLAUSE_COUNTS, STATUSES, StatementStatus, statuses

REPORTS = Path("reports")


@dataclass(frozen=True)
class LatestCoverage:
    """Registers, one record a claim, and what they amount to."""

    registers: tuple[Register, ...]
    records: Mapping[str, Entry]
    counts: CoverageCounts
    statuses: Mapping[str, StatementStatus]


def latest_coverage(sources: Iterable[str] = (), reports: Path = REPORTS) -> LatestCoverage:
    """Coverage of the bundled and installed libraries, or of the named sources only.

    A claim counts by the newest run under ``reports`` that reached a verdict (or an error) on its
    present content. Raises ReportError for a source that does not exist.
    """
    wanted = tuple(sources)
    registers = _registers()
    known = [r.source.name for r in registers]
    for name in wanted:
        if name not in known:
            raise ReportError(f"no source {name!r}; sources are {', '.join(known)}")
    chosen = tuple(r for r in registers if not wanted or r.source.name in wanted)
    records = latest_records(listing.select_cached((), sources=wanted), reports)
    return LatestCoverage(chosen, records, coverage(chosen, records), statuses(chosen, records))


def _registers() -> tuple[Register, ...]:
    from theorycheck.library.loading import libraries

    return load_registers(folder for library in libraries() for folder in library.sources())


def registers_beside(items: Iterable[Loaded]) -> tuple[Register, ...]:
    """Registers of the source folders that the given claims lie in; drafts have none."""
    folders = {i.file.parent for i in items if not i.draft}
    return load_registers(f for f in folders if (f / FILE_NAME).is_file())


def latest_records(items: Sequence[Loaded], reports: Path) -> dict[str, Entry]:
    """One record a claim: the newest entry with its present content, a bare record without one.

    A run that skipped a claim said nothing of it, so an older verdict stands.
    """
    open_ids = {i.id: i.content for i in items}
    found: dict[str, Entry] = {}
    for folder in runs(reports):
        if not open_ids:
            break
        try:
            entries = read_report(folder).claims
        except ReportError:
            continue
        for entry in entries:
            if open_ids.get(entry.id) == entry.content and entry.verdict != "skipped":
                found[entry.id] = entry
                del open_ids[entry.id]
    return {i.id: found.get(i.id) or bare_record(i) for i in items}


def table(found: LatestCoverage) -> str:
    """Counts by source, one line each, and the total; clauses and proxies below."""
    counts = found.counts
    heads = ("statements", *STATUSES)
    rows = {**counts.sources, "total": counts.total}
    wide = max(map(len, rows))
    lines = [" " * wide + "".join(f"{status_word(h):>14}" for h in heads)]
    for name, row in rows.items():
        lines.append(f"{name:<{wide}}" + "".join(f"{getattr(row, h):>14}" for h in heads))
    clauses, proxy = counts.total.clauses, counts.proxy.total
    listed = ", ".join(f"{getattr(clauses, k)} {k.replace('_', ' ')}" for k in CLAUSE_COUNTS)
    lines.append(f"{clauses.total} clauses: {listed}")
    proof = counts.provable.total
    lines.append(
        f"{proof.total} clauses are marked provable: {proof.proved} proved, {proof.refuted} refuted, "
        f"{proof.tried} decided below a proof that was tried, {proof.not_tried} below one that was not, "
        f"{proof.open} open"
    )
    lines.append(f"{sum(proxy.values())} of the statements rest on proxies only")
    return "\n".join(lines)


def statement_lines(found: LatestCoverage) -> list[str]:
    """Each statement with its status, rung, and the claims that decided it, clause by clause."""
    lines = []
    for register in found.registers:
        lines.append(f"{register.source.name}: {register.source.title}")
        for s in register.statements:
            status = found.statuses[s.id]
            word = statement_words(status)
            by = ", ".join(status.decided_by) or s.out_of_reach or "no claim with a verdict"
            label = ", ".join(s.labels) or "unnumbered"
            where = register.lines_of(s.id)
            if where:
                label += f" ({lines_words(where)})"
            lines.append(f"  {word:<28} {s.id:<40} {label}: {by}")
            for clause in status.clauses:
                lines += [f"      {line}" for line in clause_lines(clause)]
    return lines


def sources_page(found: LatestCoverage) -> str:
    """The list of sources with their coverage, as Markdown."""
    lines = ["# Sources and their coverage", ""]
    counts = found.counts.sources
    heads = ("statements", *STATUSES)
    lines.append("| source | " + " | ".join(map(status_word, heads)) + " |")
    lines.append("|---|" + "---|" * len(heads))
    rows = [(r.source.title, counts[r.source.name]) for r in found.registers]
    for title, row in [*rows, ("total", found.counts.total)]:
        lines.append(f"| {title} | " + " | ".join(str(getattr(row, h)) for h in heads) + " |")
    for register in found.registers:
        source = register.source
        lines += ["", f"## {source.title}", ""]
        how = f"{source.text[:1].upper()}{source.text[1:]}."
        lines.append(f"By {', '.join(source.authors)}. Read: {source.edition}. {how}")
        lines += ["", "| statement | status | decided by |", "|---|---|---|"]
        lines += [_source_row(s, found.statuses[s.id]) for s in register.statements]
    return "\n".join(lines) + "\n"


def _source_row(statement: Statement, status: StatementStatus) -> str:
    label = ", ".join(statement.labels) or statement.id
    word = statement_words(status)
    by = ", ".join(f"`{c}`" for c in status.decided_by) or statement.out_of_reach or ""
    cells = (f"{label}: {plain(statement.title)}", word, by)
    # Mathematics of a title, such as <w, x>, is no tag.
    return "| " + " | ".join(c.replace("|", "\\|").replace("<", "&lt;") for c in cells) + " |"
