"""``theorycheck merge``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("merge")
@click.argument("runs", nargs=-1, metavar="RUN RUN ...")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
def command(runs: tuple[str, ...], out: Path | None) -> int:
    """Make one run of several disjoint ones, such as the shards of a batch queue."""
    from theorycheck.cli.live import closing
    from theorycheck.record.files import point_latest
    from theorycheck.record.head import new_run_id, now
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.runs.merge import merge, missing
    from theorycheck.runs.run import exit_code

    if len(runs) < 2:
        raise click.UsageError("name two or more runs to merge")
    reports = Path("reports")
    folders = [find_run(name, reports) for name in runs]
    profile = read_report(folders[0]).run.profile
    folder = out or reports / new_run_id(now(), f"{profile}-merged")
    if folder.resolve() in [f.resolve() for f in folders]:
        raise click.UsageError(f"--out {folder} is one of the runs to merge; give another place")
    report = merge(folders, folder)
    if out is None:
        point_latest(reports, folder)
    for lack in missing([read_report(f) for f in folders]):
        click.echo(f"theorycheck: {lack}; the merged run is not whole", err=True)
    click.echo(closing(report, folder))
    return exit_code(report)
