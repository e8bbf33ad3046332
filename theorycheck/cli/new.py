"""``theorycheck new``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from theorycheck.cli.templates import KINDS, render

if TYPE_CHECKING:
    from theorycheck.sources.register import Statement


@click.command("new")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(list(KINDS)), help="Kind of claim; asked for otherwise.")
@click.option("--id", "claim_id", help="Id of the claim; from the file's name otherwise.")
@click.option("--title", help="A few words.")
@click.option(
    "--from",
    "paper",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A paper's LaTeX source: write PATH/statements.toml.",
)
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
    statement = _beside(path)
    if kind is None and statement is not None:
        kind = KIND_OF.get(statement.kind, "formula")
    if kind is None:
        if not sys.stdin.isatty():
            raise click.UsageError("say which kind: --kind " + "|".join(KINDS))
        for name, described in KINDS.items():
            click.echo(f"  {name:<14}{described}")
        kind = click.prompt("kind", type=click.Choice(list(KINDS)), default="formula")
    stem = claim_id or re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", stem):
        raise click.UsageError(f"--id {stem!r}: take lower-case letters, digits and hyphens")
    text = render(str(kind), stem, title or KINDS[str(kind)].capitalize())
    write_text(path, text if statement is None else _stating(text, statement))
    if statement is not None:
        click.echo(f"{path}: a placeholder beside {statement.id}; `theorycheck run {path.parent}`")
    else:
        click.echo(f"{path}: try it with `theorycheck check {path}`")
    return 0


def _register(folder: Path, paper: Path) -> int:
    from theorycheck.record.files import write_text
    from theorycheck.sources.papers import clauses_text, read_paper, register_text

    target, clauses = folder / "statements.toml", folder / "clauses.toml"
    for file in (target, clauses):
        if file.exists():
            raise click.UsageError(f"{file} exists already; nothing is overwritten")
    found = read_paper(paper)
    write_text(target, register_text(found, folder.name, paper.stem))
    write_text(clauses, clauses_text(found, folder.name))
    joined = sum(bool(s.uses) for s in found.statements)
    click.echo(f"{target}: {len(found.statements)} statements, {joined} that refer to something")
    click.echo(
        f"{clauses}: a first draft of what they assert; next: `theorycheck new {folder}/x.py`"
    )
    return 0


KIND_OF = {
    "bound": "bound",
    "lower-bound": "bound",
    "optimality": "optimum",
    "high-probability": "distribution",
    "empirical": "distribution",
}
"""The template for a statement of a kind; a formula for the others."""


def _beside(path: Path) -> Statement | None:
    """The statement of a register beside the module that a new claim is to speak of: the one that the file
    is named after, else the first; None where there is no register."""
    from theorycheck.sources.register import FILE_NAME, load_register

    if not (path.parent / FILE_NAME).is_file():
        return None
    statements = load_register(path.parent).statements
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    return next((s for s in statements if s.id.endswith(f"-{name}")), statements[0])


def _stating(text: str, statement: Statement) -> str:
    """A template that speaks of a statement, without a say in its status until its author gives it one."""
    said = f'    states="{statement.id}",\n    role="variant",  # as_printed, once this is what it states\n'
    return re.sub(r'(\n    "[^"\n]+",\n)', lambda found: found[1] + said, text, count=1)
