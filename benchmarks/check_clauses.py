"""Clauses of theorems and near-lies of them (tests/check/clauses.txt): proved, searched, open, wrong.

python benchmarks/check_clauses.py [--budget SECONDS] [--file FILE] [CLAUSE ...]

`clauses_held_out.txt` are those that were written down before the provers saw them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from theorycheck.check.guard import check_within
from theorycheck.check.problem import read_problem

CLAUSES = Path(__file__).parents[1] / "tests" / "check" / "clauses.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clauses", nargs="*")
    parser.add_argument("--budget", type=float, default=10.0)
    parser.add_argument("--file", type=Path, default=CLAUSES)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for line in options.file.read_text().splitlines():
        if line.startswith("#"):
            continue
        clause, truth, statement, *rest = (p.strip() for p in line.split(" ;"))
        if options.clauses and clause not in options.clauses:
            continue
        parts = [[p.strip() for p in text.split(" | ") if p.strip()] for text in rest]
        found = check_within(read_problem(statement, *parts), budget=options.budget, seed=0)
        kind = "proved" if found.proved else "searched" if found.verdict == "holds" else None
        kind = kind or found.verdict
        wrong = (truth == "T" and kind == "refuted") or (truth == "F" and kind == "proved")
        counts[f"{truth} {kind}{' WRONG' if wrong else ''}"] += 1
        print(f"{truth} {kind:12} {found.seconds:5.1f} s  {clause}: {statement}", flush=True)
    for key, count in sorted(counts.items()):
        print(f"{count:5} {key}")


if __name__ == "__main__":
    main()
