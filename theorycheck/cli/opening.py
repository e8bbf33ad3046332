"""``--open``: a written report in the browser of who asked."""

from __future__ import annotations

from pathlib import Path

import click


def open_page(page: Path) -> None:
    """Open a file in the browser; one line on the error stream where none can be had. The exit code stays
    that of the verdicts: the report is written either way."""
    import webbrowser

    try:
        opened = webbrowser.open(page.resolve().as_uri())
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        click.echo(f"theorycheck: no browser could be opened here; the report is {page}", err=True)
