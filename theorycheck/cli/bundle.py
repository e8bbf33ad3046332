"""``theorycheck bundle``."""

from __future__ import annotations

from pathlib import Path

import click

from theorycheck.cli.claims_of import claims_of, from_library


@click.command("bundle")
@click.argument("run", metavar="RUN")
@click.option("--anonymous", is_flag=True, help="Without names, machine, paths or dates.")
@from_library
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The archive; by default RUN.zip here.",
)
def command(run: str, anonymous: bool, library: Path | None, out: Path | None) -> int:
    """Pack claims, observations, versions and citations of a run for a paper's supplement."""
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.reports.bundle import bundle

    folder = find_run(run, Path("reports"))
    report = read_report(folder)
    name = "supplement" if anonymous else str(report.run.id)
    path = bundle(report, folder, out or Path(f"{name}.zip"), claims_of(library), anonymous)
    click.echo(f"bundle: {path}")
    return 0
