"""``theorycheck coverage``."""

from __future__ import annotations

import json

import click


@click.command("coverage")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option("--json", "as_json", is_flag=True)
@click.option("--statements", is_flag=True, help="Each statement with what decided it.")
@click.option("--markdown", is_flag=True, help="The list of sources as a page.")
def command(sources: tuple[str, ...], as_json: bool, statements: bool, markdown: bool) -> int:
    """Which statements of the sources are proved, checked, supported, refuted, inconclusive, open."""
    from msgspec import to_builtins

    from theorycheck.reports.latest_coverage import (
        latest_coverage,
        sources_page,
        statement_lines,
        table,
    )

    found = latest_coverage(sources)
    if as_json:
        click.echo(json.dumps(to_builtins(found.counts)))
    elif markdown:
        click.echo(sources_page(found), nl=False)
    elif statements:
        click.echo("\n".join(statement_lines(found)))
    else:
        click.echo(table(found))
    return 0
