"""``theorycheck run``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from theorycheck.claims import PROFILES
from theorycheck.cli.live import watcher


@click.command("run")
@click.argument("targets", nargs=-1, metavar="[PATH|ID|GLOB ...]")
@click.option("--all", "everything", is_flag=True, help="All claims of all libraries.")
@click.option("-k", "expression", default="", metavar="EXPR", help="Words in id, title, source.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--profile", type=click.Choice(PROFILES), default="standard", show_default=True)
@click.option("--device", type=click.Choice(["cpu", "gpu", "auto"]), default="cpu")
@click.option("-n", "workers", default="1", metavar="WORKERS", help="Processes, or 'auto'.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=1e-6,
              help="Probability of any false verdict in the run.", show_default=True)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Neither use nor keep remembered evidence.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Per claim.")
@click.option("-x", "first", is_flag=True, help="Stop at the first unexpected verdict.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON and nothing else.")
def command(
    targets: tuple[str, ...],
    everything: bool,
    expression: str,
    sources: tuple[str, ...],
    profile: str,
    device: str,
    workers: str,
    seed: int,
    alpha: float,
    no_cache: bool,
    time_limit: float | None,
    first: bool,
    out: Path | None,
    as_json: bool,
) -> int:
    """Check claims and write a report."""
    from theorycheck import record
    from theorycheck.execute import Settings
    from theorycheck.run import exit_code, run, select
    from theorycheck.store import default_path

    if not (targets or everything or expression or sources):
        raise click.UsageError("name claims, files or globs, or say --all")
    chosen = select(targets, sources=sources, expression=expression)
    if not chosen:
        click.echo("theorycheck: nothing selected", err=True)
        return 5
    settings = Settings(profile, seed, alpha, device)
    reports = Path("reports")
    folder = out or reports / record.new_run_id(record.now(), profile)
    watch = watcher(quiet=as_json)
    finished = run(
        chosen,
        settings,
        folder,
        workers=_workers(workers),
        store=None if no_cache else default_path(),
        stop_at_first=first,
        time_limit=time_limit,
        watch=watch,
    )
    if out is None:
        record.point_latest(reports, folder)
    if as_json:
        click.echo(json.dumps(finished.report))
    return exit_code(finished.report)


def _workers(text: str) -> int:
    if text == "auto":
        return os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise click.UsageError(f"-n takes a number of processes or 'auto', got {text!r}")
    return int(text)
