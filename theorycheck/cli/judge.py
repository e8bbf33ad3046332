"""``theorycheck judge``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click

from theorycheck.cli.claims_of import claims_of, from_library

MOST_NOTES = 8
"""Claims that changed since the run are named while they are few, else counted."""


@click.command("judge")
@click.argument("run", required=False, metavar="[RUN]")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Another error budget than the run's.",
)
@from_library
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the report of the new verdicts there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report and nothing else.")
def command(
    run: str | None, alpha: float | None, library: Path | None, out: Path | None, as_json: bool
) -> int:
    """Verdicts again from a run's kept observations; nothing is simulated."""
    from msgspec.structs import replace

    from theorycheck.entries.report import to_json
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.reports import write_reports
    from theorycheck.reports.compare import CHANGED, compare
    from theorycheck.runs.again import judge_again
    from theorycheck.runs.run import exit_code

    folder = find_run(run, Path("reports"))
    before = read_report(folder)
    items = claims_of(library)
    judged = judge_again(before, folder, items, alpha)
    after = judged.report
    if out is not None:
        if out.resolve() == folder.resolve():
            raise click.UsageError("--out is the run itself; name another folder")
        after = replace(after, run=replace(after.run, id=out.name))
        shutil.copytree(folder / "observations", out / "observations", dirs_exist_ok=True)
        write_reports(after, out, items)
    if as_json:
        click.echo(json.dumps(to_json(after)))
        return exit_code(after)
    shown = judged.notes if len(judged.notes) <= MOST_NOTES else []
    for note in shown:
        click.echo(note)
    if not shown and judged.notes:
        click.echo(f"{len(judged.notes)} claims have changed since the run, or could not be judged")
    changes = [c for c in compare(before, after) if c.worse or set(c.other) - {CHANGED}]
    for change in changes:
        click.echo(f"{change.id}: {change.text()}")
    counts = after.summary
    whole = f"{counts.claims - len(judged.left)} of " if judged.left else ""
    click.echo(
        f"{whole}{counts.claims} claims judged at alpha {after.run.alpha:g}: "
        f"{counts.as_expected} as expected, {len(changes)} differ from the run"
    )
    if out is not None:
        click.echo(f"report: {out / 'report.html'}")
    return exit_code(after)
