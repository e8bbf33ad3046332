"""``theorycheck run``."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from theorycheck.claims.functions import PROFILES
from theorycheck.cli.claims_of import NOTHING_SELECTED
from theorycheck.cli.completion import ids
from theorycheck.cli.opening import open_page

if TYPE_CHECKING:
    from theorycheck.entries.report import Asked
    from theorycheck.executors import Executor
    from theorycheck.library.loading import Loaded
    from theorycheck.plan.settings import Settings
    from theorycheck.runs.run import Finished


@click.command("run")
@click.argument("targets", nargs=-1, metavar="[PATH|ID|GLOB ...]", shell_complete=ids)
@click.option("--all", "everything", is_flag=True, help="All claims of all libraries.")
@click.option("-k", "expression", default="", metavar="EXPR", help="Words in id, title, source.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--profile", type=click.Choice(PROFILES), default="standard", show_default=True)
@click.option("--device", type=click.Choice(["cpu", "gpu", "auto"]), default="cpu")
@click.option("-n", "workers", default="1", metavar="WORKERS", help="Processes, or 'auto'.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=1e-6,
    help="Probability of any false verdict in the run.",
    show_default=True,
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write the evidence cache.")
@click.option("--executor", type=click.Choice(["local", "dask"]), default="local")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Of a Dask cluster; by default one is started."
)
@click.option("--shard", metavar="I/N", help="Only the I-th of N equal parts; see `merge`.")
@click.option("--memory", metavar="SIZE", help="Of all workers together, such as 8G.")
@click.option(
    "--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Per claim."
)
@click.option("--resume", is_flag=True, help="Go on with the latest run, or with that in --out.")
@click.option("--plan", "only_plan", is_flag=True, help="Print what it would take; run nothing.")
@click.option("-x", "first", is_flag=True, help="Stop at the first unexpected verdict.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON and nothing else.")
@click.option("--open", "opens", is_flag=True, help="Open the report in the browser at the end.")
@click.pass_context
def command(ctx: click.Context, /, **words: Any) -> int:
    """Check claims and write a report."""
    from theorycheck.library.listing import select_cached
    from theorycheck.runs.merge import in_shard

    options, reports = Options(**words), Path("reports")
    if options.device == "auto":  # the report says which it was
        from theorycheck.arrays.backends import select as device_of

        options = replace(options, device=device_of("auto").device)
    resumed = None
    if options.resume:
        resumed, options = _resumed(ctx, options, reports)
    options.check()
    chosen = select_cached(
        options.targets, sources=options.sources, expression=options.expression, broken=True
    )
    if not chosen:
        click.echo(NOTHING_SELECTED, err=True)
        return 5
    chosen = in_shard(chosen, *_shard(options.shard))
    if options.only_plan:
        return _forecast(options, chosen)
    return _run(options, chosen, reports, resumed)


@dataclass(frozen=True)
class Options:
    """The words of the command line as click reads them; the names are those of its parameters."""

    targets: tuple[str, ...]
    everything: bool
    expression: str
    sources: tuple[str, ...]
    profile: str
    device: str
    workers: str
    seed: int
    alpha: float
    no_cache: bool
    executor: str
    scheduler: str | None
    shard: str | None
    memory: str | None
    time_limit: float | None
    resume: bool
    only_plan: bool
    first: bool
    out: Path | None
    as_json: bool
    opens: bool

    def check(self) -> None:
        """Raises click.UsageError for words that do not go together or cannot be read."""
        if not (self.targets or self.everything or self.expression or self.sources):
            raise click.UsageError("name claims, files or globs, or say --all")
        if self.scheduler and self.executor != "dask":
            raise click.UsageError("--scheduler names a Dask cluster: add --executor dask")
        if self.only_plan and self.opens:
            raise click.UsageError("--plan writes no report: leave out --open")
        workers_of(self.workers)
        _bytes(self.memory)
        _shard(self.shard)

    @property
    def settings(self) -> Settings:
        from theorycheck.plan.settings import Settings

        return Settings(self.profile, self.seed, self.alpha, self.device)

    @property
    def asked(self) -> Asked:
        """What selects the claims, as the report keeps it for resuming."""
        from theorycheck.entries.report import Asked

        return Asked(**{name: getattr(self, name) for name in Asked.__struct_fields__})


def _forecast(options: Options, chosen: list[Loaded]) -> int:
    """``--plan``: what the run would take."""
    from theorycheck.evidence.store import default_path
    from theorycheck.runs import forecast

    workers = workers_of(options.workers)
    store = None if options.no_cache else default_path()
    plan = forecast.plan(chosen, options.settings, store)
    click.echo((forecast.as_json if options.as_json else forecast.render)(plan, workers))
    return 0 if chosen else 5


def _run(options: Options, chosen: list[Loaded], reports: Path, resumed: Path | None) -> int:
    """Run what was chosen, say what came of it; the exit code."""
    from theorycheck.cli.live import watcher
    from theorycheck.entries.report import to_json
    from theorycheck.evidence.store import default_path
    from theorycheck.record.head import new_run_id, now
    from theorycheck.runs.run import interruptible, run

    folder = resumed or options.out or reports / new_run_id(now(), options.profile)
    # Of a run without the shared store, so that it can resume.
    private = folder / ".evidence.sqlite"
    with interruptible():
        finished = run(
            chosen,
            options.settings,
            folder,
            workers=workers_of(options.workers),
            executor=_executor(options.executor, options.scheduler),
            store=private if options.no_cache else default_path(),
            stop_at_first=options.first,
            time_limit=options.time_limit,
            memory_limit=_bytes(options.memory),
            asked=options.asked,
            resumed=resumed is not None,
            watch=watcher(folder, quiet=options.as_json),
            latest=None if options.out else reports,
        )
    if options.as_json:
        click.echo(json.dumps(to_json(finished.report)))
    if options.no_cache and finished.report.run.complete and not finished.interrupted:
        for file in folder.glob(f"{private.name}*"):
            file.unlink()
    code = _ended(finished, len(chosen), options.out)
    if options.opens and not finished.interrupted:
        open_page(finished.folder / "report.html")
    return code


def _ended(finished: Finished, chosen: int, out: Path | None) -> int:
    """Say what kept the run from its end, and how to go on; the exit code."""
    from theorycheck.runs.run import exit_code

    for trace in finished.internal:
        click.echo(trace, err=True)
    if finished.interrupted:
        done, where = len(finished.report.claims), f" --out {finished.folder}" if out else ""
        click.echo(
            f"theorycheck: {finished.interrupted} after {done} of {chosen} claims; what has "
            f"finished is kept. To go on: theorycheck run --resume{where}",
            err=True,
        )
    if finished.internal:
        return 3
    return 2 if finished.interrupted else exit_code(finished.report)


SETTINGS = ("profile", "seed", "alpha", "device")


def _resumed(ctx: click.Context, options: Options, reports: Path) -> tuple[Path, Options]:
    """The run to go on with, and the options as it was begun; refuses any that differ."""
    from msgspec.structs import asdict

    from theorycheck.record.runs import find_run, read_report

    folder = find_run(None if options.out is None else str(options.out), reports)
    head = read_report(folder).run
    if head.asked is None:
        raise click.UsageError(
            f"{folder.name} does not say what was selected: it cannot be resumed"
        )
    begun = asdict(head.asked) | {k: getattr(head, k) for k in SETTINGS}
    for name, value in begun.items():
        source = ctx.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and getattr(options, name) != value:
            option = next(p for p in ctx.command.params if p.name == name)
            raise click.UsageError(
                f"{folder.name} was begun with another {option.opts[0]} ({value or 'none'}); "
                "leave it out to go on with that run, or leave out --resume"
            )
    return folder, replace(options, **begun)


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
    """A number of processes, ``auto`` for as many as this process may use. Raises click.UsageError."""
    if text == "auto":
        if hasattr(os, "sched_getaffinity"):  # as many as this process may use
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise click.UsageError(f"-n takes a number of processes or 'auto', got {text!r}")
    return int(text)
