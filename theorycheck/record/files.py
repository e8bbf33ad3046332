"""The files that a run leaves behind.

They are written to a temporary name beside their place and renamed, so that a killed run leaves a
readable report of what had finished, and never half a file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from theorycheck.entries.report import Report, to_json


def write_text(path: Path, text: str) -> None:
    """Write atomically: all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """JSON data, all of it or nothing."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=True) + "\n")


def write_report(path: Path, report: Report) -> None:
    """``report.json``, all of it or nothing."""
    write_json(path, to_json(report))


def observations_file(run: Path, claim_id: str) -> Path:
    """``observations/<claim id>.json`` of a run, as `theorycheck.record.observations` writes and reads it."""
    return run / "observations" / f"{claim_id}.json"


def point_latest(reports: Path, run: Path) -> None:
    """``reports/latest``: a link to the run, or a file holding its name where links cannot be."""
    link = reports / "latest"
    temporary = reports / f".latest.{os.getpid()}"
    try:
        temporary.symlink_to(run.name, target_is_directory=True)
        temporary.replace(link)
    except OSError:
        temporary.unlink(missing_ok=True)
        write_text(reports / "latest.txt", run.name + "\n")
