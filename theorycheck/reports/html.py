"""``report.html``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theorycheck.reports import markdown

if TYPE_CHECKING:
    from theorycheck.loading import Loaded


def render(report: Mapping[str, Any], folder: Path, items: Sequence[Loaded] | None = None) -> str:
    return f"<!doctype html><title>theorycheck</title><pre>{escape(markdown.render(report))}</pre>"
