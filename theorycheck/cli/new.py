"""``theorycheck new``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from theorycheck.cli.templates import KINDS, render


@click.command("new")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(list(KINDS)), help="Kind of claim; asked for otherwise.")
@click.option("--id", "claim_id", help="Id of the claim; from the file's name otherwise.")
@click.option("--title", help="A few words.")
@click.option("--from", "paper", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="A paper's LaTeX source: write PATH/statements.toml.")  # fmt: skip
def command(
    path: Path, kind: str | None, claim_id: str | None, title: str | None, paper: Path | None
) -> int:
    """Write a claim module that runs as it stands, or a register from a paper."""
    from theorycheck.record.files import write_text

    if paper is not None:
        return _register(path, paper)
    if path.suffix != ".py":
        raise click.UsageError(f"{path}: a claim module is a file ending in .py")
    if path.exists():
        raise click.UsageError(f"{path} exists already; nothing is overwritten")
    if kind is None:
        if not sys.stdin.isatty():
            raise click.UsageError("say which kind: --kind " + "|".join(KINDS))
        for name, described in KINDS.items():
            click.echo(f"  {name:<14}{described}")
        kind = click.prompt("kind", type=click.Choice(list(KINDS)), default="formula")
    stem = claim_id or re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", stem):
        raise click.UsageError(f"--id {stem!r}: take lower-case letters, digits and hyphens")
    write_text(path, render(str(kind), stem, title or KINDS[str(kind)].capitalize()))
    click.echo(f"{path}: try it with `theorycheck check {path}`")
    return 0


def _register(folder: Path, paper: Path) -> int:
    from theorycheck.record.files import write_text
    from theorycheck.sources.papers import read_paper, register_text

    target = folder / "statements.toml"
    if target.exists():
        raise click.UsageError(f"{target} exists already; nothing is overwritten")
    found = read_paper(paper)
    write_text(target, register_text(found, folder.name, paper.stem))
    joined = sum(bool(s.uses) for s in found.statements)
    click.echo(f"{target}: {len(found.statements)} statements, {joined} that refer to something")
    return 0
