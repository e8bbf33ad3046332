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
    from theorycheck.selecting import select

    chosen = select(targets, sources=sources, expression=expression)
    if as_json:
        rows = [
            {
                "id": i.claim.id,
                "source": i.source,
                "role": i.claim.role,
                "expected": i.claim.expect,
                "states": list(i.claim.states),
                "title": i.claim.title,
            }
            for i in chosen
        ]
        click.echo(json.dumps(rows))
    else:
        for i in chosen:
            c = i.claim
            click.echo(f"{c.id:<44} {i.source:<22} {c.role:<12} {c.expect:<5} {c.title}")
    return 0 if chosen else 5
