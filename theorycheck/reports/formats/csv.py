"""``report.csv``: one row a claim, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theorycheck.entries.report import Entry, Report
from theorycheck.record.files import write_text
from theorycheck.reports.words import point_words, standing

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded


COLUMNS = (
    "id",
    "source",
    "states",
    "role",
    "encodes",
    "kind",
    "title",
    "verdict",
    "expected",
    "standing",
    "rung",
    "resolution",
    "resolution_kind",
    "tightness",
    "points",
    "samples",
    "seconds",
    "rivals",
    "rivals_refuted",
    "mutants",
    "mutants_refuted",
    "closed_form",
    "counterexample_at",
    "counterexample_measured",
    "counterexample_closed_form",
    "reason",
)


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``report.csv`` in a run's folder."""
    write_text(folder / "report.csv", render(report))
    return folder / "report.csv"


def render(report: Report) -> str:
    """RFC 4180 text with a header; lists are joined by semicolons, what is unknown is empty.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for entry in report.claims:
        writer.writerow({k: _inert(v) for k, v in _row(entry).items()})
    return buffer.getvalue()


def _row(e: Entry) -> dict[str, object]:
    found = e.counterexample
    same = (
        "id",
        "source",
        "role",
        "encodes",
        "kind",
        "title",
        "verdict",
        "expected",
        "rung",
        "points",
        "samples",
        "seconds",
        "closed_form",
        "reason",
    )
    return {k: getattr(e, k) for k in same} | {
        "states": ";".join(e.states),
        "standing": standing(e),
        "resolution": e.resolution and e.resolution.value,
        "resolution_kind": e.resolution and e.resolution.kind,
        "tightness": e.tightness and e.tightness.value,
        "rivals": len(e.rivals),
        "rivals_refuted": sum(r.refuted for r in e.rivals),
        "mutants": e.mutants.made,
        "mutants_refuted": e.mutants.refuted,
        "counterexample_at": point_words(found) if found else "",
        "counterexample_measured": found and found.lhs,
        "counterexample_closed_form": found and found.rhs,
    }


def _inert(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("=", "+", "@", "\t", "\r"):
        return "'" + value
    return value
