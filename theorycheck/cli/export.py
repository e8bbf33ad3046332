"""``theorycheck export``."""

from __future__ import annotations

from pathlib import Path

import click

from theorycheck.cli.claims_of import claims_of, from_library
from theorycheck.cli.completion import ids


@click.command("export")
@click.argument("run", metavar="RUN")
@click.argument("claim_id", metavar="ID", shell_complete=ids)
@from_library
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write there instead of the run's folder.",
)
def command(run: str, claim_id: str, library: Path | None, out: Path | None) -> int:
    """A short script without theorycheck that reproduces a claim's decisive case, and a LaTeX
    paragraph with its figures."""
    from theorycheck.record.files import write_text
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.reports.export import export
    from theorycheck.reports.formats.latex import write_figures

    folder = find_run(run, Path("reports"))
    made = export(read_report(folder), folder, claim_id, claims_of(library))
    place = out or folder / "export"
    write_text(place / f"{claim_id}.tex", made.paragraph)
    write_figures(place, claim_id, made.shown)
    if made.script is not None:
        write_text(place / f"{claim_id}.py", made.script)
        click.echo(made.output.strip())
        if not made.simulates:
            click.echo(f"the measured side is the recorded one: {made.why_not}")
        click.echo(f"script: {place / f'{claim_id}.py'}")
    else:
        click.echo(f"no script: {made.why_not}")
    click.echo(f"paragraph: {place / f'{claim_id}.tex'}")
    return 0
