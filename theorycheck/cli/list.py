"""``theorycheck list``."""

from __future__ import annotations

import json
import shutil
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

import click

from theorycheck.cli.completion import ids

if TYPE_CHECKING:
    from theorycheck.library.listing import ListedClaim


@click.command("list")
@click.argument("targets", nargs=-1, metavar="[PATH|ID|GLOB ...]", shell_complete=ids)
@click.option("-k", "expression", default="", metavar="EXPR", help="Words in id, title, source.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--json", "as_json", is_flag=True)
def command(
    targets: tuple[str, ...], expression: str, sources: tuple[str, ...], as_json: bool
) -> int:
    """List claims by source: id, role, expectation, title."""
    from dataclasses import asdict

    from theorycheck.library.listing import listed

    rows = listed(targets, sources=sources, expression=expression)
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows]))
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        for source, own in groupby(rows, key=lambda r: r.source):
            click.echo(f"{source}:")
            for row in own:
                click.echo("\n".join(_lines(row, width)))
    return 0 if rows else 5


def _lines(row: ListedClaim, width: int) -> list[str]:
    """A claim in one line where it fits the width, else its title below."""
    from theorycheck.sources.plain import plain

    head, title = f"  {row.id:<42} {row.role:<12} {row.expected:<12}", plain(row.title)
    if len(head) + len(title) < width:
        return [f"{head} {title}"]
    indent = " " * 6
    below = textwrap.wrap(
        title, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [head.rstrip(), *below]
