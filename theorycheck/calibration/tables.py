"""Tables and numbers of the published page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; numbers to the right."""
    body = [[str(cell) for cell in row] for row in rows]
    numeric = [
        all(row[i].replace("%", "")[:1] in "-0123456789<" for row in body if row[i])
        for i in range(len(head))
    ]
    rule = ["---:" if right else "---" for right in numeric]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(head), rule, *body]) + "\n"


def number(value: float | None, digits: int = 3) -> str:
    """A number for a table, empty where there is none."""
    return "" if value is None else f"{value:.{digits}g}"


__all__ = ["number", "table"]
