"""``report.html``."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from theorycheck.reports import markdown


def render(report: Mapping[str, Any], folder: Path) -> str:
    return f"<!doctype html><title>theorycheck</title><pre>{escape(markdown.render(report))}</pre>"
