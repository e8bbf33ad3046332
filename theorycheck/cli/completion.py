"""What a shell completes beside commands and options: ids of claims."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def ids(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Ids of the libraries' claims that begin so; names of files where none does."""
    from theorycheck.library.listing import listed
    from theorycheck.numbers.errors import UserError
    from theorycheck.sources.plain import plain

    try:
        found = [row for row in listed((), sources=(), expression="") if row.id.startswith(begun)]
    except UserError:  # what is wrong is said by the command itself
        found = []
    if not found:
        return [CompletionItem(begun, type="file")]
    return [CompletionItem(row.id, help=plain(row.title)) for row in found]
