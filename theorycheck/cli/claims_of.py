"""Which claims a command is about: the option ``--from PATH``, and what is said where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

NOTHING_SELECTED = (
    "theorycheck: nothing selected; a file's claims are names of its module, as in c = claim(...), "
    "and `theorycheck list` shows those of the libraries"
)

from_library = click.option(
    "--from",
    "library",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="File or folder of the run's claims, if they are in no installed library.",
)


def claims_of(library: Path | None) -> list[Loaded] | None:
    """Claims at the given place; None (all installed ones) where none is given."""
    if library is None:
        return None
    from theorycheck.library.selecting import select

    return select([str(library)])
