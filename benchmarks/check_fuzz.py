"""Thousands of statements at random against the workbench: no crash, none over its budget.

    python benchmarks/check_fuzz.py [--count N] [--first SEED] [--budget SECONDS] [--workers N]

Each statement goes the way of the command line, in a process of its own. Counted are verdicts, refusals,
internal errors (which would be exit code 3), steps that broke off, and runs that took over two seconds
longer than their budget. Exit code 1 if there is any of the last three.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "check"))

from generated_statements import Made, arbitrary

from theorycheck.check.guard import check_within
from theorycheck.check.problem import read_problem
from theorycheck.check.text import InputError

_OVER = 2.0


def outcome(seed: int, budget: float) -> tuple[str, str, float, Made]:
    """What became of one statement, the reason, and by how much it ran over its budget."""
    made = arbitrary(seed)
    started = time.monotonic()
    try:
        verdict = check_within(
            read_problem(made.statement, made.domains, made.where), budget=budget, seed=0
        )
    except InputError as error:
        return "refused", str(error), 0.0, made
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        return "error", f"{type(error).__name__}: {error}", 0.0, made
    over = time.monotonic() - started - budget
    kind = "broke off" if "broke off" in verdict.reason else verdict.verdict
    return kind, verdict.reason, over, made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=10_000)
    parser.add_argument("--budget", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.count)
    kinds: Counter[str] = Counter()
    bad = 0
    with Pool(options.workers) as pool:
        work = partial(outcome, budget=options.budget)
        for seed, (kind, reason, over, made) in zip(seeds, pool.imap(work, seeds), strict=True):
            kinds[kind] += 1
            late = over > _OVER
            kinds["late"] += late
            if late or kind in ("error", "broke off"):
                bad += 1
                print(f"{seed} {kind} {over:+.1f} s: {made}: {reason}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
