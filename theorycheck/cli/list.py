"""``theorycheck list``."""

from __future__ import annotations

import json

import click


@click.command("list")
@click.argument("targets", nargs=-1, metavar="[PATH|ID|GLOB ...]")
@click.option("-k", "expression", default="", metavar="EXPR", help="Words in id, title, source.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--json", "as_json", is_flag=True)
def command(
    targets: tuple[str, ...], expression: str, sources: tuple[str, ...], as_json: bool
) -> int:
    """List claims: id, source, role, expectation, title."""
    from dataclasses import asdict

    from theorycheck.library.listing import listed

    rows = listed(targets, sources=sources, expression=expression)
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows]))
    else:
        for r in rows:
            click.echo(f"{r.id:<44} {r.source:<22} {r.role:<12} {r.expected:<5} {r.title}")
    return 0 if rows else 5
