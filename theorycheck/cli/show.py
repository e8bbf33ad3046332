"""``theorycheck show``."""

from __future__ import annotations

import click


@click.command("show")
@click.argument("target", metavar="ID")
def command(target: str) -> int:
    """Print a claim as the theorem reads: the full quantified statement, to proofread it."""
    from theorycheck.reports.statement import full_statement
    from theorycheck.selecting import register_of, select

    for item in select([target]):
        click.echo(full_statement(item.claim, register_of(item)))
    return 0
