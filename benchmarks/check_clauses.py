"""Clauses of theorems and near-lies of them (tests/check/clauses.txt): proved, searched, open, wrong.

python benchmarks/check_clauses.py [BUDGET] [CLAUSE ...]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from theorycheck.check.guard import check_within
from theorycheck.check.problem import read_problem

CLAUSES = Path(__file__).parents[1] / "tests" / "check" / "clauses.txt"


def main(budget: float, wanted: set[str]) -> None:
    counts: Counter[str] = Counter()
    for line in CLAUSES.read_text().splitlines():
        if line.startswith("#"):
            continue
        clause, truth, statement, domains, where = (p.strip() for p in line.split(" ;"))
        if wanted and clause not in wanted:
            continue
        parts = [[p.strip() for p in text.split(" | ") if p.strip()] for text in (domains, where)]
        found = check_within(read_problem(statement, *parts), budget=budget, seed=0)
        kind = "proved" if found.proved else "searched" if found.verdict == "holds" else None
        kind = kind or found.verdict
        wrong = (truth == "T" and kind == "refuted") or (truth == "F" and kind == "proved")
        counts[f"{truth} {kind}{' WRONG' if wrong else ''}"] += 1
        print(f"{truth} {kind:12} {found.seconds:5.1f} s  {clause}: {statement}", flush=True)
    for key, count in sorted(counts.items()):
        print(f"{count:5} {key}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0, set(sys.argv[2:]))
