"""Statements that floats get wrong or that random sampling misses, with their known verdicts.

The fast ones run here; ``benchmarks/check_vs_sympy.py`` runs all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from theorycheck.check.run import check_text

FILE = Path(__file__).with_name("battery.txt")


@dataclass(frozen=True)
class Row:
    """One line of the battery; ``slow`` rows take longer than a second or two."""

    verdict: str
    statement: str
    domains: tuple[str, ...]
    where: tuple[str, ...]
    counterexample: str
    kind: str
    slow: bool


def battery() -> Iterator[Row]:
    for line in FILE.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        verdict, statement, *rest = [part.strip() for part in line.lstrip("~ ").split("|")]
        domains, where, counterexample, kind = [*rest, "", "", "", ""][:4]
        yield Row(
            verdict,
            statement,
            tuple(d.strip() for d in domains.split(";") if d.strip()),
            tuple(w.strip() for w in where.split(";") if w.strip()),
            counterexample,
            kind,
            line.startswith("~"),
        )


ROWS = list(battery())


def test_the_battery_is_large_and_mixed() -> None:
    assert len(ROWS) >= 200
    for verdict in ("holds", "refuted"):
        assert sum(r.verdict == verdict for r in ROWS) >= 80


@pytest.mark.parametrize(
    "row", [r for r in ROWS if not r.slow], ids=lambda r: f"{r.statement} | {', '.join(r.domains)}"
)
def test_verdict(row: Row) -> None:
    found = check_text(row.statement, row.domains, row.where, budget=60, explained=False)
    assert found.verdict == row.verdict
    if row.counterexample:
        point = found.counterexample or {}
        assert ", ".join(f"{n}={v}" for n, v in point.items()) == row.counterexample
    if row.verdict == "refuted":
        assert found.kind == (row.kind or "value")
        assert found.lhs is not None
        assert not found.proved
