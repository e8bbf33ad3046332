"""Entries and reports for tests, from the fields that a test is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from theorycheck.entries.report import Entry, Report, entry_from_json, from_json

BLANK: dict[str, Any] = {
    "source": "toy", "states": [], "role": "as_printed", "encodes": "whole", "title": "T",
    "verdict": "pass", "expected": "pass", "seconds": 0.1, "legs": [], "rivals": [], "mutants": {},
}  # fmt: skip
HEAD: dict[str, Any] = {
    "id": "one", "seed": 0, "alpha": 1e-6, "profile": "smoke", "device": "cpu", "seconds": 1.0,
    "started": "2023-06-01T00:00:00+00:00", "versions": {}, "machine": {},
}  # fmt: skip


def entry(id: str = "a", **fields: Any) -> Entry:
    """An entry with these fields, as they would stand in ``report.json``."""
    return entry_from_json(BLANK | {"id": id} | fields)


def report(*entries: Entry, **head: Any) -> Report:
    """A report of these entries in their order."""
    empty = from_json({"schema": 1, "run": HEAD | head, "summary": {}, "claims": []})
    return replace(Report.of(empty.run, entries), claims=entries)


def edited(report: Report, edit: Callable[[Entry], dict[str, Any]]) -> Report:
    """A report with the fields of its entries that ``edit`` gives."""
    return replace(report, claims=tuple(replace(e, **edit(e)) for e in report.claims))
