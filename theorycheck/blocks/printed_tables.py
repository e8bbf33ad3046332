"""Numbers of a source's tables as they are printed, exact: one row a line, labels first."""

from __future__ import annotations

from fractions import Fraction

Cells = tuple[Fraction, ...]


def printed_rows(text: str, labels: int = 1) -> dict[tuple[str, ...], Cells]:
    """The rows of a table by their labels, in order. ``text``: a row a line, its first ``labels`` words its
    labels and every further one a decimal; empty lines are left out.

    Raises ValueError where a row occurs twice, has no numbers, or a word is no number.
    """
    found: dict[tuple[str, ...], Cells] = {}
    for line in filter(None, map(str.split, text.splitlines())):
        name, cells = tuple(line[:labels]), tuple(map(Fraction, line[labels:]))
        if name in found or not cells:
            problem = "occurs twice" if name in found else "has no numbers"
            raise ValueError(f"row {' '.join(name)!r} {problem}")
        found[name] = cells
    return found
