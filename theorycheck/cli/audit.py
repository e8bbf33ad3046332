"""``theorycheck audit``."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from theorycheck.cli.claims_of import NOTHING_SELECTED
from theorycheck.cli.completion import ids

if TYPE_CHECKING:
    from theorycheck.audit.noticed import Noticed
    from theorycheck.audit.run import Mutant


@click.command("audit")
@click.argument("targets", nargs=-1, metavar="[PATH|ID|GLOB ...]", shell_complete=ids)
@click.option("--all", "everything", is_flag=True, help="All claims of all libraries.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--since", metavar="REVISION", help="Only what differs from this revision of git.")
@click.option("-n", "workers", default="1", metavar="WORKERS", help="Processes, or 'auto'.")
@click.option(
    "--budget",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End after so long.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where findings are kept, and taken up again.",
)
@click.option(
    "--report",
    "kept",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the figures of whole sources there, with a page each and a summary.",
)
@click.option(
    "--gate",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Fail where something survives in a source that had none in the figures there, or is no longer noticed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(
    targets: tuple[str, ...],
    everything: bool,
    sources: tuple[str, ...],
    since: str | None,
    workers: str,
    budget: float | None,
    seed: int,
    out: Path | None,
    kept: Path | None,
    gate: Path | None,
    as_json: bool,
) -> int:
    """Change the claims' own parts, one at a time: does their evidence notice?

    Exit code 6 where a survivor is explained neither by the engine nor by its author, or where a change
    was not reached; with --gate 1 where one survives in a source that had none, or a change is no longer
    noticed that was, else 0.
    """
    from theorycheck.arrays.backends import keep_memory, pin_threads
    from theorycheck.audit import summary
    from theorycheck.audit.figures import clean_sources, read_figures
    from theorycheck.audit.noticed import read_noticed
    from theorycheck.audit.run import audit
    from theorycheck.audit.touched import reaching
    from theorycheck.audit.touched import since as lines_since
    from theorycheck.cli.run import workers_of
    from theorycheck.evidence.store import default_path
    from theorycheck.library.selecting import select
    from theorycheck.plan.settings import Settings

    if not (targets or everything or sources or since):
        raise click.UsageError("name claims, files or globs, a --source, --since or --all")
    if kept is not None:
        if since or any(not Path(t).is_dir() for t in targets):
            raise click.UsageError("--report keeps whole sources: name --source or folders")
        for read in (read_figures, read_noticed):
            read(kept)  # what cannot be read is said before the hours
    held = None if gate is None else (clean_sources(read_figures(gate)), read_noticed(gate))
    chosen = select(targets, sources=sources, expression="")
    if not chosen:
        click.echo(NOTHING_SELECTED, err=True)
        return 5
    touched = None if since is None else lines_since(since, chosen[0].file.parent)
    if touched is not None and not (chosen := reaching(chosen, touched)):
        click.echo(f"no claim reaches what differs from {since}")
        return 0
    keep_memory()
    with pin_threads():
        mutants = audit(
            chosen,
            Settings("smoke", seed),
            workers=workers_of(workers),
            budget=budget,
            journal=None if out is None else out / "findings.jsonl",
            store=default_path(),
            touched=touched,
            watch=_shown(as_json),
            told=_looked_at(as_json),
        )
    _write(mutants, out, kept)
    click.echo(json.dumps(summary.as_json(mutants)) if as_json else summary.text(mutants))
    if held is None:
        return 0 if summary.clean(mutants) else 6
    return _gated(mutants, frozenset(item.id for item in chosen), *held)


def _write(mutants: list[Mutant], out: Path | None, kept: Path | None) -> None:
    """The findings of this audit, and the figures of whole sources."""
    from theorycheck.audit import summary
    from theorycheck.audit.figures import keep_figures
    from theorycheck.audit.noticed import keep_noticed
    from theorycheck.record.files import write_json, write_text

    if out is not None:
        write_json(out / "audit.json", summary.as_json(mutants))
        write_text(out / "audit.md", summary.report(mutants))
    if kept is not None:
        keep_figures(kept, mutants)
        keep_noticed(kept, mutants)


def _gated(
    mutants: list[Mutant], looked_at: Collection[str], held: Collection[str], noticed: Noticed
) -> int:
    """Exit code of the gate: 1 where something survives in one of the sources that it holds clean, or is not noticed
    that was noticed before, all that might have noticed it looked at."""
    from theorycheck.audit import summary
    from theorycheck.audit.noticed import lost, unexplained

    spoilt = sorted({m.source for m in unexplained(mutants, noticed, looked_at)}.intersection(held))
    if spoilt:
        click.echo(f"{', '.join(spoilt)}: nothing survived unexplained before this", err=True)
    gone = lost(mutants, noticed, looked_at)
    if gone:
        click.echo(f"no longer noticed:\n{summary.by_line(gone)}", err=True)
    return 1 if spoilt or gone else 0


def _shown(quiet: bool) -> Any:
    """Progress on the terminal's error stream, every twentieth trial and at the end."""

    def watch(done: int, total: int, mutant: Mutant | None) -> None:
        if not quiet and (mutant is None or done % 20 == 0 or done == total):
            click.echo(f"\r{done} of {total} changes tried", nl=done == total, err=True)

    return watch


def _looked_at(quiet: bool) -> Any:
    """Progress before the first trial: the claims as they are."""

    def told(done: int, total: int) -> None:
        if not quiet:
            click.echo(f"\r{done} of {total} claims looked at", nl=done == total, err=True)

    return told
