"""``theorycheck show``."""

from __future__ import annotations

import click

from theorycheck.cli.completion import ids


@click.command("show")
@click.argument("target", metavar="ID", shell_complete=ids)
def command(target: str) -> int:
    """Print a claim as the theorem reads: the full quantified statement, to proofread it."""
    from theorycheck.evidence.store import default_path, open_store
    from theorycheck.library.listing import select_cached
    from theorycheck.reports.statement import shown

    with open_store(default_path()) as store:
        for item in select_cached([target]):
            click.echo(shown(item, store))
    return 0
