"""Runs on disk: finding one by name, reading it back, and the run before it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from theorycheck.entries.report import SCHEMA, Entry, Report, from_json
from theorycheck.numbers.errors import UserError

SHOWN_RUNS = 8
"""Runs named in an error message: enough to find one's own, short enough for one line."""

_STAMPED = re.compile(r"(\d{8})-(\d{6})-")


class ReportError(UserError):
    """A run, a claim of a run or a format that does not exist; one line that says what does."""


def find_run(name: str | None, reports: Path) -> Path:
    """Folder of a run: by id, by the unique beginning of one, by path, or the latest.

    Raises ReportError naming the runs that exist.
    """
    if name is None or name == "latest":
        return _latest(reports)
    given = Path(name)
    for folder in (given.parent if given.name == "report.json" else given, reports / name):
        if (folder / "report.json").is_file():
            return folder
    fitting = [f for f in runs(reports) if f.name.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ReportError(f"run {name!r} fits {_some([f.name for f in fitting])}; say which")
    raise ReportError(f"no run {name!r}; {_there_is(reports)}")


def _latest(reports: Path) -> Path:
    link = reports / "latest"
    if (link / "report.json").is_file():
        return link.resolve()
    note = reports / "latest.txt"
    if note.is_file():
        folder = reports / note.read_text(encoding="utf-8").strip()
        if (folder / "report.json").is_file():
            return folder
    newest = next(iter(runs(reports)), None)
    if newest is None:
        raise ReportError(f"no run yet; {_there_is(reports)}")
    return newest


def runs(reports: Path) -> list[Path]:
    """Folders of all runs under ``reports``, the newest first."""
    found = [p.parent for p in reports.glob("*/report.json") if not p.parent.is_symlink()]
    return sorted(found, key=lambda f: (_started(f), f.name), reverse=True)


def _started(folder: Path) -> str:
    """When a run started, as sortable text; read off its name where that says so."""
    stamp = _STAMPED.match(folder.name)
    if stamp:
        return "".join(stamp.groups())
    try:
        started = read_report(folder).run.started
    except ReportError:
        return ""
    return re.sub(r"\D", "", started)[:14]


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN_RUNS} more" if len(names) > SHOWN_RUNS else ""
    return ", ".join(names[:SHOWN_RUNS]) + more


def _there_is(reports: Path) -> str:
    names = [f.name for f in runs(reports)]
    if not names:
        return f"{reports}/ holds none; `theorycheck run` makes one"
    return f"{reports}/ holds {_some(names)}"


def read_report(folder: Path) -> Report:
    """``report.json`` of a run.

    Raises ReportError where it is missing, unreadable or of another schema.
    """
    file = folder / "report.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ReportError(f"{folder}: holds no report.json") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ReportError(f"{file}: cannot be read ({error})") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ReportError(f"{file}: is no report of schema {SCHEMA}")
    try:
        return from_json(data)
    except msgspec.ValidationError as error:
        raise ReportError(f"{file}: is damaged: {error}") from None


def find_entry(report: Report, claim_id: str) -> Entry:
    """The entry of a claim in a report. Raises ReportError naming claims with similar ids."""
    for entry in report.claims:
        if entry.id == claim_id:
            return entry
    import difflib

    ids = [e.id for e in report.claims]
    near = difflib.get_close_matches(claim_id, ids, n=3, cutoff=0.4) or ids[:SHOWN_RUNS]
    holds = f"it holds {_some(near)}" if near else "it holds no claim"
    raise ReportError(f"run {report.run.id} has no claim {claim_id!r}; {holds}")


def earlier(folder: Path, report: Report) -> Report | None:
    """The report of the last run before this one beside it, of the same profile and with a claim in
    common; None where there is none."""
    mine = (re.sub(r"\D", "", report.run.started)[:14], report.run.id)
    ids = {e.id for e in report.claims}
    for other in _before(folder, mine):
        try:
            found = read_report(other)
        except ReportError:
            continue
        same_profile = found.run.profile == report.run.profile
        if same_profile and any(e.id in ids for e in found.claims):
            return found
    return None


LOOK_BACK = 20
"""Earlier runs that are opened in search of one to compare with: a second's reading at most."""


def _before(folder: Path, mine: tuple[str, str]) -> Iterator[Path]:
    older = [
        f for f in runs(folder.parent) if f.name != folder.name and (_started(f), f.name) < mine
    ]
    yield from older[:LOOK_BACK]
