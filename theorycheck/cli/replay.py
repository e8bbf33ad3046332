"""``theorycheck replay``."""

from __future__ import annotations

from pathlib import Path

import click

from theorycheck.cli.claims_of import claims_of, from_library
from theorycheck.cli.completion import ids


@click.command("replay")
@click.argument("run", metavar="RUN")
@click.argument("claim_id", metavar="ID", shell_complete=ids)
@from_library
def command(run: str, claim_id: str, library: Path | None) -> int:
    """Run a claim of a run again: the same numbers, or what differs; exit code 1 if they differ."""
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.runs.again import replay

    folder = find_run(run, Path("reports"))
    report = read_report(folder)
    found = replay(report, folder, claim_id, claims_of(library))
    for line in found.notes:
        click.echo(line)
    if found.same:
        click.echo(
            f"{claim_id}: the same numbers again ({found.compared} observations), "
            f"verdict {found.verdict}"
        )
        for line in found.environment:
            click.echo(f"  although {line}")
        return 0
    click.echo(f"{claim_id}: not the same numbers")
    for line in found.differences:
        click.echo(f"  {line}")
    for line in found.environment or ["nothing else that is recorded differs"]:
        click.echo(f"  {line}")
    return 1
