"""The reference run: one run of the whole library, kept in the repository without its observations.

It says what the library's verdicts were, on which machine and with which versions, and the tests hold
the present library against it.
"""

from __future__ import annotations

from pathlib import Path

from theorycheck.entries.report import Report
from theorycheck.record.files import write_report, write_text
from theorycheck.record.runs import read_report
from theorycheck.reports.words import standing

KEPT = ("report.md", "report.html")


def keep(folder: Path, out: Path) -> None:
    """Copy a run's report as JSON, Markdown and HTML. Raises ReportError where there is none."""
    report = read_report(folder)
    write_report(out / "report.json", report)
    for name in KEPT:
        write_text(out / name, (folder / name).read_text(encoding="utf-8"))


def disagreements(reference: Report, current: Report) -> list[str]:
    """Claims whose verdict in the current run is another than in the reference, or that one of the
    two does not have; one line each. Skipped claims said nothing and agree with everything."""
    old = {e.id: e for e in reference.claims}
    new = {e.id: e for e in current.claims}
    lines = [f"{id}: not in the reference run" for id in sorted(new.keys() - old.keys())]
    lines += [f"{id}: not in the library any more" for id in sorted(old.keys() - new.keys())]
    for id in sorted(old.keys() & new.keys()):
        pair = (old[id], new[id])
        if "skipped" not in {e.verdict for e in pair} and pair[0].verdict != pair[1].verdict:
            lines.append(f"{id}: {standing(pair[0])} in the reference, {standing(pair[1])} now")
    return lines
