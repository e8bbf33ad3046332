"""Reports of runs. Every format is one module of `theorycheck.reports.formats`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theorycheck.entries.report import Report
from theorycheck.record.files import write_report
from theorycheck.record.runs import ReportError, find_run, read_report
from theorycheck.reports.formats import formats, writer

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

__all__ = ["ReportError", "find_run", "formats", "write_format", "write_reports"]

WITH_EVERY_RUN = ("md", "junit", "html")
"""Formats written at the end of every run, beside ``report.json``."""


def write_reports(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> None:
    """``report.json``, ``report.md``, ``junit.xml`` and ``report.html`` in a run's folder.

    ``items``: the claims of the run where they are loaded already; they are loaded otherwise.
    """
    write_report(folder / "report.json", report)
    for form in WITH_EVERY_RUN:
        writer(form)(report, folder, items)


def write_format(folder: Path, form: str, items: Sequence[Loaded] | None = None) -> Path:
    """Write a run's report in one format beside its ``report.json``; returns the file.

    Raises ReportError for a run without a readable report or an unknown format.
    """
    return writer(form)(read_report(folder), folder, items)
