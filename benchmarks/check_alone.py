"""The provers alone on false statements: nothing looks for a counterexample first, so all rests on them.

    python benchmarks/check_alone.py [--seconds S] [--skip N] [--stride N]

In a check the search for counterexamples comes before the proofs, and lemmas are looked at in a few points,
so that a prover that is wrong may go unnoticed for long. Here both are left out. The statements are the
false ones of the battery, of both files of blind statements, of the clauses and of families. Exit code 1 if any
is proved.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from check_clauses import CLAUSES
from check_vs_sympy import BLIND, ROWS, blind_rows

from theorycheck.check import prove
from theorycheck.check.families import proving
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.text import InputError

FAMILIES = CLAUSES.with_name("families.txt")
Given = tuple[str, tuple[str, ...], tuple[str, ...]]
# The clock counts computing; so many seconds later by the wall a prover that listens to no signal is ended.
_GRACE = 120.0


def false_statements() -> Iterator[Given]:
    """Statement, domains and hypotheses of all that is known to be false."""
    rows = [*ROWS, *(row for n in ("", "_2") for row in blind_rows(_blind(n)))]
    yield from ((r.statement, r.domains, r.where) for r in rows if r.verdict == "refuted")
    for file in (CLAUSES, CLAUSES.with_name("clauses_held_out.txt"), FAMILIES):
        for line in file.read_text().splitlines():
            if not line.startswith("#"):
                _, truth, statement, *rest = (p.strip() for p in line.split(" ;"))
                parts = [tuple(p.strip() for p in t.split(" | ") if p.strip()) for t in rest]
                domains, where = [*parts, (), ()][:2]
                if truth == "F":
                    yield statement, domains, where


def _blind(number: str) -> Path:
    return BLIND.with_name(f"{BLIND.stem}{number}{BLIND.suffix}")


def proof_of(given: Given, seconds: float) -> tuple[str, ...]:
    """The lines of a proof by the provers alone; empty where there is none."""
    problem = read_problem(*given)
    if problem.domains.families:
        return proving.prove(problem, Clock(seconds), of_names).lines
    return of_names(problem, seconds)


def of_names(problem: Problem, seconds: float) -> tuple[str, ...]:
    """The same of a statement without families."""
    prover = prove.Prover(problem, trusting=True)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses, prover.constant_zero)
    outcome = prover.prove(Clock(seconds))
    return tuple(line for p in outcome.proofs for line in p.lines())


def apart(given: Given, seconds: float) -> str:
    """What a process of its own says: a proof, nothing, "refused" or "hung"."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        try:
            text = "\n".join(proof_of(given, seconds)) or "not proved"
        except InputError:
            text = "refused"
        except Exception as error:  # noqa: BLE001 - counted and shown
            text = f"error: {type(error).__name__}: {error}"
        os.write(sink, text.encode()[:60_000])
        os._exit(0)
    os.close(sink)
    ready, _, _ = select.select([source], [], [], seconds + _GRACE)
    text = os.read(source, 60_000).decode(errors="replace") if ready else "hung"
    os.close(source)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--stride", type=int, default=1, help="every so many statements only")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for given in list(false_statements())[options.skip :: options.stride]:
        text = apart(given, options.seconds)
        kind = text if text in ("not proved", "refused", "hung") else "PROVED"
        kind = "error" if text.startswith("error: ") else kind
        counts[kind] += 1
        if kind in ("PROVED", "error", "hung"):
            print(f"{kind} {given}\n{text}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))
    return 1 if counts["PROVED"] or counts["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
