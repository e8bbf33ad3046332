"""``theorycheck report``."""

from __future__ import annotations

from pathlib import Path

import click

FORMATS = ("html", "md", "junit", "latex", "csv")


@click.command("report")
@click.argument("run", required=False, metavar="[RUN]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="html", show_default=True)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def command(run: str | None, form: str, show: bool) -> int:
    """Write a run's report in another format; the latest run where none is named."""
    from theorycheck.reports import find_run, write_format

    folder = find_run(run, Path("reports"))
    path = write_format(folder, form)
    click.echo(f"report: {path}")
    if show:
        click.launch(str(path.resolve()))
    return 0
