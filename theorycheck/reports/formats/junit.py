"""``junit.xml``: for continuous integration. A claim is a test that fails when its verdict is not
the expected one; skipped claims are skipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from theorycheck.entries.report import Report
from theorycheck.record.files import write_text
from theorycheck.reports.words import place, standing, unexpected

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``junit.xml`` in a run's folder."""
    write_text(folder / "junit.xml", render(report))
    return folder / "junit.xml"


def render(report: Report) -> str:
    """A report as JUnit's XML."""
    entries = report.claims
    suite = ET.Element(
        "testsuite",
        name="theorycheck",
        tests=str(len(entries)),
        failures=str(sum(unexpected(e) and e.verdict != "error" for e in entries)),
        errors=str(sum(e.verdict == "error" for e in entries)),
        skipped=str(sum(e.verdict == "skipped" for e in entries)),
        time=str(report.run.seconds),
        timestamp=report.run.started,
    )
    for e in entries:
        case = ET.SubElement(suite, "testcase", classname=e.source, name=e.id, time=str(e.seconds))
        if e.verdict == "skipped":
            ET.SubElement(case, "skipped", message=e.reason)
        elif e.verdict == "error":
            ET.SubElement(case, "error", message=e.reason)
        elif unexpected(e):
            detail = f"{standing(e)}, expected {e.expected}: {e.reason}"
            failure = ET.SubElement(case, "failure", message=detail)
            if e.counterexample:
                failure.text = f"{place(e.counterexample)}\n{e.reproduce}"
    ET.indent(suite)
    root = ET.Element("testsuites")
    root.append(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
