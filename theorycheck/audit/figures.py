"""Figures of whole sources, kept beside each other: what ``reports/audit`` holds.

``figures.json`` has, source by source, how many changes of each kind there were and what became of them;
``README.md`` is made of it: by source, and by kind beside the figures of the experiment that came before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from theorycheck.audit import summary
from theorycheck.audit.kept import read_kept, write_kept
from theorycheck.audit.run import Mutant
from theorycheck.audit.summary import EXPERIMENT, Row
from theorycheck.record.files import write_text

NAME = "figures.json"

Figures = Mapping[str, Mapping[str, Row]]
"""Rows of `summary.counted` by source and kind of change."""


def read_figures(folder: Path) -> Figures:
    """What is kept in a folder, nothing where there is no such file. Raises UserError."""
    return read_kept(folder / NAME, dict[str, Row])


def keep_figures(folder: Path, mutants: Sequence[Mutant]) -> None:
    """Write a page for every source of the mutants, which are all of its, put its figures in the place of
    those that were kept, and make the summary anew. Raises UserError."""
    figures = dict(read_figures(folder))
    for source in sorted({m.source for m in mutants}):
        own = [m for m in mutants if m.source == source]
        figures[source] = summary.by_kind(own)
        write_text(folder / f"{source}.md", summary.report(own))
    write_kept(folder / NAME, figures)
    write_text(folder / "README.md", summary_of(dict(sorted(figures.items()))))


def clean_sources(figures: Figures) -> frozenset[str]:
    """Those in which nothing survived unexplained; they are held to it."""
    return frozenset(s for s, kinds in figures.items() if not added(kinds.values())["unexplained"])


def summary_of(figures: Figures) -> str:
    """The page that sums up: by source, then by kind beside the figures of the experiment."""
    names = list(summary.counted([]))
    head = " | ".join(n.replace("_", " ") for n in names)
    kinds = dict.fromkeys([*EXPERIMENT, *(k for rows in figures.values() for k in rows)])
    by_source = {s: added(rows.values()) for s, rows in figures.items()}
    by_kind = {k: added(rows[k] for rows in figures.values() if k in rows) for k in kinds}
    lines = [
        "# Audit of the claims",
        "",
        "What became of changes in the claims of each source that was audited (`docs/audit.md`); the figures",
        "of each are on its page. Made by `python3 do.py audit`.",
        "",
        f"| source | {head} |",
        "|---|" + "---:|" * len(names),
        *(_line(f"[{s}]({s}.md)", row, names) for s, row in by_source.items()),
        _line("all", added(by_source.values()), names),
        "",
        "By kind of change. Last column: what survived of how many when the same was tried on the 142 claims of",
        "an earlier day, before there was an audit and before the engine looked at points of its own.",
        "",
        f"| what was changed | {head} | survived before |",
        "|---|" + "---:|" * (len(names) + 1),
    ]
    for kind, row in by_kind.items():
        survived, of = EXPERIMENT.get(kind, (0, 0))
        before = f"{survived} of {of}" if of else ""
        lines.append(f"{_line(kind, row, names)} {before} |")
    return "\n".join(lines) + "\n"


def added(rows: Iterable[Row]) -> Row:
    """The sum of rows, name by name."""
    total = Counter[str](dict.fromkeys(summary.counted([]), 0))
    for row in rows:
        total.update(row)
    return dict(total)


def _line(name: str, row: Mapping[str, Any], names: Sequence[str]) -> str:
    return f"| {name} | " + " | ".join(str(row.get(n, 0)) for n in names) + " |"
