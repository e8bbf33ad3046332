"""``theorycheck report``."""

from __future__ import annotations

from pathlib import Path

import click

from theorycheck.cli.claims_of import claims_of, from_library
from theorycheck.cli.opening import open_page
from theorycheck.reports.formats import formats


@click.command("report")
@click.argument("run", required=False, metavar="[RUN]")
@click.option("--format", "form", type=click.Choice(formats()), default="html", show_default=True)
@from_library
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def command(run: str | None, form: str, library: Path | None, show: bool) -> int:
    """Write a run's report in another format; the latest run where none is named."""
    from theorycheck.reports import find_run, write_format

    folder = find_run(run, Path("reports"))
    path = write_format(folder, form, claims_of(library))
    click.echo(f"report: {path}")
    if show:
        open_page(path)
    return 0
