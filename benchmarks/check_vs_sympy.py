"""The workbench beside SymPy on the same statements.

    python benchmarks/check_vs_sympy.py [--budget SECONDS] [--only TEXT] [--out FILE]

SymPy's side is what a careful user would type: ``equals`` for equalities, the relational itself for
inequalities (SymPy decides it if its assumptions suffice), and where that says nothing a numeric check
in floats at 200 random points and the ends, which can refute but never prove. Each side is told the
verdict that the battery knows, only to count what is right and what is wrong.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import sympy as sp

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "check"))

from test_battery import ROWS, Row

from theorycheck.check.forms import evaluated
from theorycheck.check.limits import TimeUp, time_limit
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.run import check_text
from theorycheck.check.text import Comparison

_RELATIONS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne}
_SECONDS = 20.0
_SAMPLES = 200


def sympy_verdict(row: Row) -> str:
    """holds (proved), refuted, supported (floats saw nothing), or undecided."""
    problem = read_problem(row.statement, row.domains, row.where)
    try:
        with time_limit(_SECONDS):
            return _symbolic(problem) or _numeric(problem)
    except (TimeUp, Exception):  # noqa: BLE001 - whatever SymPy raises is "undecided" here
        return "undecided"


def _symbolic(problem: Problem) -> str | None:
    goal = problem.goal
    if not isinstance(goal, Comparison):
        return None
    lhs, rhs = evaluated(goal.lhs), evaluated(goal.rhs)
    if goal.op == "==":
        equal = lhs.equals(rhs)
        return None if equal is None else "holds" if equal else "refuted"
    value = sp.simplify(_RELATIONS[goal.op](lhs, rhs))
    return "holds" if value == True else "refuted" if value == False else None  # noqa: E712


def _numeric(problem: Problem) -> str:
    goal = problem.goal
    if not isinstance(goal, Comparison) or problem.hypotheses:
        return "undecided"
    names = [v.symbol for v in problem.domains.variables]
    side = sp.lambdify(names, (evaluated(goal.lhs), evaluated(goal.rhs)), "math")
    rng = random.Random(0)
    tested = 0
    for _ in range(_SAMPLES):
        point = [_draw(v, rng) for v in problem.domains.variables]
        try:
            a, b = side(*point)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        tested += 1
        close = math.isclose(a, b, rel_tol=1e-9)
        holds = {"<": a < b, "<=": a <= b or close, ">": a > b, ">=": a >= b or close,
                 "==": close, "!=": a != b}[goal.op]  # fmt: skip
        if not holds:
            return "refuted"
    return "supported" if tested else "undecided"


def _draw(v: Any, rng: random.Random) -> float | int:
    low = float(v.low) if v.low is not None and v.low.is_number and v.low.is_finite else -10.0
    high = float(v.high) if v.high is not None and v.high.is_number and v.high.is_finite else 100.0
    if v.kind == "real":
        return rng.uniform(low, high)
    return rng.randint(int(low), max(int(high), int(low)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    rows = [r for r in ROWS if options.only in r.statement and r.verdict != "inconclusive"]
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    decided = finite_or_small = slowest = 0.0
    for row in rows:
        start = time.monotonic()
        found = check_text(
            row.statement, row.domains, row.where, budget=options.budget, explained=False
        )
        seconds = time.monotonic() - start
        slowest = max(slowest, seconds)
        ours[_outcome(found.verdict, row.verdict, proved=found.proved)] += 1
        theirs[_outcome(sympy_verdict(row), row.verdict, proved=True)] += 1
        if len(row.domains) <= 2:
            finite_or_small += 1
            decided += found.verdict == "refuted" or found.proved
        print(f"{seconds:6.1f} s  {found.verdict:12} {found.rung:10} {row.statement}", flush=True)
    table = _table(ours, theirs, len(rows))
    share = f"{decided / max(finite_or_small, 1):.0%}"
    note = (
        f"Statements in at most two names decided by proof, exhaustion or a counterexample: {share}. "
        f"Slowest statement: {slowest:.1f} s.\n"
    )
    print("\n" + table + "\n" + note)
    if options.out:
        options.out.write_text("# The workbench beside SymPy\n\n" + table + "\n" + note)


def _outcome(verdict: str, truth: str, *, proved: bool) -> str:
    if verdict in ("inconclusive", "undecided"):
        return "not decided"
    if verdict == "supported" or (verdict == "holds" and not proved):
        return f"no counterexample found, {'true' if truth == 'holds' else 'but false'}"
    return "right, decided" if verdict == truth else "wrong"


def _table(ours: Counter[str], theirs: Counter[str], total: int) -> str:
    lines = ["| of " + str(total) + " statements | theorycheck check | SymPy |", "|---|---|---|"]
    for kind in (
        "right, decided",
        "no counterexample found, true",
        "no counterexample found, but false",
        "not decided",
        "wrong",
    ):
        lines.append(f"| {kind} | {ours[kind]} | {theirs[kind]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
