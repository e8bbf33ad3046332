"""Report formats: one module each, a function of ``report.json``'s data to text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theorycheck import record
from theorycheck.reports import junit, markdown
from theorycheck.reports.runs import ReportError, find_run, read_report

if TYPE_CHECKING:
    from theorycheck.loading import Loaded

__all__ = ["FORMATS", "ReportError", "find_run", "write_format", "write_reports"]

FORMATS = ("html", "md", "junit", "latex", "csv")


def write_reports(
    report: Mapping[str, Any], folder: Path, items: Sequence[Loaded] | None = None
) -> None:
    """``report.json``, ``report.md``, ``junit.xml`` and ``report.html`` in a run's folder.

    ``items``: the claims of the run where they are loaded already; they are loaded otherwise.
    """
    record.write_json(folder / "report.json", report)
    record.write_text(folder / "report.md", markdown.render(report))
    record.write_text(folder / "junit.xml", junit.render(report))
    from theorycheck.reports import html

    record.write_text(folder / "report.html", html.render(report, folder, items))


def write_format(folder: Path, form: str) -> Path:
    """Write a run's report in one format beside its ``report.json``; returns the file.

    Raises ReportError for a run without a readable report or an unknown format.
    """
    report = read_report(folder)
    if form == "html":
        from theorycheck.reports import html

        return _text(folder / "report.html", html.render(report, folder))
    if form == "md":
        return _text(folder / "report.md", markdown.render(report))
    if form == "junit":
        return _text(folder / "junit.xml", junit.render(report))
    if form == "csv":
        from theorycheck.reports import table

        return _text(folder / "report.csv", table.render(report))
    if form == "latex":
        from theorycheck.reports import latex

        return latex.write(report, folder)
    raise ReportError(f"no format {form!r}; formats are {', '.join(FORMATS)}")


def _text(path: Path, text: str) -> Path:
    record.write_text(path, text)
    return path
