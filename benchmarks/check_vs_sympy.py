"""The workbench beside SymPy on the same statements.

    python benchmarks/check_vs_sympy.py [--budget SECONDS] [--only TEXT] [--workers N] [--out FILE] [--blind [FILE]]

`--blind` takes the 300 statements of `tests/check/blind_statements.tsv`, written down by somebody who had not
seen the provers, and kept as they were written, in place of the battery; with a file, those of that file
(`tests/check/blind_statements_2.tsv` has 100 more).

SymPy's side is what a careful user would type: ``equals`` for equalities, the relational itself for
inequalities (SymPy decides it if its assumptions suffice), and where that says nothing a numeric check
in floats at 200 random points and the ends, which can refute but never prove. Each side is told the
verdict that the battery knows, only to count what is right and what is wrong.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import sympy as sp

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "check"))

from test_battery import ROWS, Row

from theorycheck.check.forms import evaluated
from theorycheck.check.guard import check_within
from theorycheck.check.limits import TimeUp, time_limit
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.text import Comparison, InputError

_RELATIONS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne}
_SECONDS = 10.0
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


BLIND = Path(__file__).parents[1] / "tests" / "check" / "blind_statements.tsv"


def blind_rows(file: Path) -> list[Row]:
    """The statements of a file that was written without sight of the provers."""
    rows = []
    for line in file.read_text().splitlines():
        if line.startswith("#"):
            continue
        _, truth, _, statement, domains, where, *_ = line.split("\t")
        given, premises = (
            tuple(p.strip() for p in text.split(";") if p.strip()) for text in (domains, where)
        )
        verdict = {"true": "holds", "false": "refuted"}[truth]
        rows.append(Row(verdict, statement, given, premises, "", "", slow=True))
    return rows


@dataclass(frozen=True)
class Result:
    """Both sides on one statement; ``seconds`` is the workbench's time."""

    row: Row
    verdict: str
    rung: str
    proved: bool
    seconds: float
    theirs: str


def both(row: Row, budget: float) -> Result:
    """The workbench as the command runs it, then SymPy; what is refused, of more than eight names for
    instance, is not decided."""
    try:
        problem = read_problem(row.statement, row.domains, row.where)
    except InputError:
        return Result(row, "inconclusive", "refused", False, 0.0, "undecided")
    start = time.monotonic()
    found = check_within(problem, budget=budget, seed=0)
    seconds = time.monotonic() - start
    return Result(row, found.verdict, found.rung, found.proved, seconds, _apart(row))


def _apart(row: Row) -> str:
    """SymPy's verdict from a process of its own, which is ended where no signal reaches it."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(sink, sympy_verdict(row).encode())
        os._exit(0)
    os.close(sink)
    ready, _, _ = select.select([source], [], [], _SECONDS + 2)
    text = os.read(source, 100).decode() if ready else ""
    os.close(source)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return text or "undecided"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--blind", type=Path, nargs="?", const=BLIND)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    chosen = blind_rows(options.blind) if options.blind else ROWS
    rows = [r for r in chosen if options.only in r.statement and r.verdict != "inconclusive"]
    results = []
    with Pool(options.workers) as pool:
        for r in pool.imap_unordered(partial(both, budget=options.budget), rows):
            results.append(r)
            mark = "" if r.verdict == r.row.verdict else "  <<<"
            print(
                f"{r.seconds:6.1f} s  {r.verdict:12} {r.rung:10} {r.row.statement}{mark}",
                flush=True,
            )
    text = _report(results, options.budget, options.workers)
    print("\n" + text)
    if options.out:
        options.out.write_text(text)


def _report(results: Sequence[Result], budget: float, workers: int) -> str:
    ours = Counter(_outcome(r.verdict, r.row.verdict, proved=r.proved) for r in results)
    theirs = Counter(_outcome(r.theirs, r.row.verdict, proved=True) for r in results)
    small = [r for r in results if len(r.row.domains) <= 2]
    decided = sum(r.verdict == "refuted" or r.proved for r in small)
    true = [r for r in small if r.row.verdict == "holds"]
    proved = sum(r.proved for r in true)
    times = sorted(r.seconds for r in results)
    return (
        "# The workbench beside SymPy\n\n"
        f"`python benchmarks/check_vs_sympy.py --workers {workers}`: budget {budget:g} s for the "
        f"workbench, {_SECONDS:g} s for SymPy; {platform.machine()}, {os.cpu_count()} cores shared with "
        f"other work, Python {platform.python_version()}, SymPy {sp.__version__}, "
        f"python-flint {version('python-flint')}, theorycheck {version('theorycheck')}.\n\n"
        + _table(ours, theirs, len(results))
        + f"\nStatements in at most two names decided by proof, exhaustion or a counterexample: "
        f"{decided} of {len(small)} ({decided / max(len(small), 1):.0%}); of the true ones among them "
        f"{proved} of {len(true)} ({proved / max(len(true), 1):.0%}). Time for a statement: median "
        f"{times[len(times) // 2]:.1f} s, slowest {times[-1]:.1f} s.\n"
    )


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
