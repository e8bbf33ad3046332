"""``theorycheck show``."""

from __future__ import annotations

import click


@click.command("show")
@click.argument("target", metavar="ID")
def command(target: str) -> int:
    """Print a claim as the theorem reads: the full quantified statement, to proofread it."""
    from theorycheck.library.selecting import register_of, select
    from theorycheck.reports.statement import full_statement

    for item in select([target]):
        click.echo(full_statement(item.claim, register_of(item)))
    return 0
