"""Formats of a report: one module each, named as on the command line.

A module has ``write(report, folder, items)``, which writes into a run's folder and returns the file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theorycheck.entries.report import Report
from theorycheck.record.runs import ReportError

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

Writer = Callable[[Report, Path, "Sequence[Loaded] | None"], Path]


def formats() -> list[str]:
    """Names of all formats."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__))


def writer(form: str) -> Writer:
    """The function that writes a format. Raises ReportError for one that does not exist."""
    if form not in formats():
        raise ReportError(f"no format {form!r}; formats are {', '.join(formats())}")
    write: Writer = importlib.import_module(f"{__name__}.{form}").write
    return write
