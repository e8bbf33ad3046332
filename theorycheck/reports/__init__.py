"""Report formats: one module each, a function of ``report.json``'s data to text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from theorycheck import record
from theorycheck.reports import junit, markdown


def write_reports(report: Mapping[str, Any], folder: Path) -> None:
    """``report.json``, ``report.md``, ``junit.xml`` and ``report.html`` in a run's folder."""
    record.write_json(folder / "report.json", report)
    record.write_text(folder / "report.md", markdown.render(report))
    record.write_text(folder / "junit.xml", junit.render(report))
    from theorycheck.reports import html

    record.write_text(folder / "report.html", html.render(report, folder))
