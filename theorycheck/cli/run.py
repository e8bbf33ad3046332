"""``theorycheck run``."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from theorycheck.claims.model import PROFILES

if TYPE_CHECKING:
    from theorycheck.executors import Executor


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
@click.option("--executor", type=click.Choice(["local", "dask"]), default="local")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Of a Dask cluster; by default one is started."
)
@click.option("--shard", metavar="I/N", help="Only the I-th of N equal parts; see `merge`.")
@click.option("--memory", metavar="SIZE", help="Of all workers together, such as 8G.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS",
              help="Per claim.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the latest run, or with that in --out.")
@click.option("--plan", "only_plan", is_flag=True, help="Print what it would take; run nothing.")
@click.option("-x", "first", is_flag=True, help="Stop at the first unexpected verdict.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON and nothing else.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Check claims and write a report."""
    from msgspec import convert

    from theorycheck.cli.live import watcher
    from theorycheck.entries.report import Asked, to_json
    from theorycheck.evidence.store import default_path
    from theorycheck.library.listing import known
    from theorycheck.plan.settings import Settings
    from theorycheck.record.head import new_run_id, now
    from theorycheck.runs.merge import in_shard
    from theorycheck.runs.run import exit_code, interruptible, run

    if options["device"] == "auto":  # the report says which it was
        from theorycheck.arrays.backends import select as device_of

        options["device"] = device_of("auto").device
    reports = Path("reports")
    resumed = _resumed(ctx, options, reports) if options["resume"] else None
    asked = {k: options[k] for k in SELECTING}
    if not any(asked[k] for k in ("targets", "everything", "expression", "sources")):
        raise click.UsageError("name claims, files or globs, or say --all")
    if options["scheduler"] and options["executor"] != "dask":
        raise click.UsageError("--scheduler names a Dask cluster: add --executor dask")
    workers, memory = workers_of(options["workers"]), _bytes(options["memory"])
    shard = _shard(options["shard"])
    executor = _executor(options["executor"], options["scheduler"])
    chosen = known(
        options["targets"],
        sources=options["sources"],
        expression=options["expression"],
        broken=True,
    )
    if not chosen:
        click.echo("theorycheck: nothing selected", err=True)
        return 5
    chosen = in_shard(chosen, *shard)
    settings = Settings(options["profile"], options["seed"], options["alpha"], options["device"])
    if options["only_plan"]:
        from theorycheck.runs import forecast

        plan = forecast.plan(chosen, settings, None if options["no_cache"] else default_path())
        click.echo(
            forecast.as_json(plan, workers)
            if options["as_json"]
            else forecast.render(plan, workers)
        )
        return 0 if chosen else 5
    folder = resumed or options["out"]
    if folder is None:
        folder = reports / new_run_id(now(), options["profile"])
    private = (
        folder / ".evidence.sqlite"
    )  # of a run without the shared store, so that it can resume
    with interruptible():
        finished = run(
            chosen,
            settings,
            folder,
            workers=workers,
            executor=executor,
            store=private if options["no_cache"] else default_path(),
            stop_at_first=options["first"],
            time_limit=options["time_limit"],
            memory_limit=memory,
            asked=convert(asked, Asked),
            resumed=resumed is not None,
            watch=watcher(folder, quiet=options["as_json"]),
            latest=None if options["out"] else reports,
        )
    if options["as_json"]:
        click.echo(json.dumps(to_json(finished.report)))
    for trace in finished.internal:
        click.echo(trace, err=True)
    if finished.interrupted:
        done, where = len(finished.report.claims), f" --out {folder}" if options["out"] else ""
        click.echo(
            f"theorycheck: {finished.interrupted} after {done} of {len(chosen)} claims; what has "
            f"finished is kept. To go on: theorycheck run --resume{where}",
            err=True,
        )
    elif options["no_cache"] and finished.report.run.complete:
        for file in folder.glob(f"{private.name}*"):
            file.unlink()
    if finished.internal:
        return 3
    return 2 if finished.interrupted else exit_code(finished.report)


SELECTING = ("targets", "everything", "expression", "sources", "shard", "no_cache")
SETTINGS = ("profile", "seed", "alpha", "device")


def _resumed(ctx: click.Context, options: dict[str, Any], reports: Path) -> Path:
    """The run to go on with. Fills in ``options`` as it was begun; refuses any that differ."""
    from msgspec.structs import asdict

    from theorycheck.record.runs import find_run, read_report

    folder = find_run(None if options["out"] is None else str(options["out"]), reports)
    head = read_report(folder).run
    if head.asked is None:
        raise click.UsageError(
            f"{folder.name} does not say what was selected: it cannot be resumed"
        )
    begun = asdict(head.asked) | {k: getattr(head, k) for k in SETTINGS}
    for name, value in begun.items():
        source = ctx.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and options[name] != value:
            option = next(p for p in ctx.command.params if p.name == name)
            raise click.UsageError(
                f"{folder.name} was begun with another {option.opts[0]} ({value or 'none'}); "
                "leave it out to go on with that run, or leave out --resume"
            )
        options[name] = value
    return folder


def _executor(name: str, scheduler: str | None) -> Executor:
    if name == "local":
        from theorycheck.executors.local import local

        return local
    from theorycheck.executors.cluster import cluster

    return cluster(scheduler)


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    part, slash, parts = text.partition("/")
    if slash and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts):
        return int(part), int(parts)
    raise click.UsageError(f"--shard takes I/N with 1 <= I <= N, such as 2/8; got {text!r}")


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _bytes(text: str | None) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None or not float(match[1]):
        raise click.UsageError(f"--memory takes a size such as 8G or 500M; got {text!r}")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def workers_of(text: str) -> int:
    if text == "auto":
        if hasattr(os, "sched_getaffinity"):  # as many as this process may use
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise click.UsageError(f"-n takes a number of processes or 'auto', got {text!r}")
    return int(text)
