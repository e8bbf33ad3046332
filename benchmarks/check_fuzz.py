"""Thousands of statements at random against the workbench: no crash, none over its budget.

    python benchmarks/check_fuzz.py [--count N] [--first SEED] [--budget SECONDS] [--workers N] [--json FILE]

Even seeds make statements of the canonical grammar, odd ones statements as they are typed: signs of paper,
LaTeX, laws, vectors, growth, rubbish. Each goes the way of the command line, in a process of its own. Counted
are verdicts, refusals, internal errors (which would be exit code 3), steps that broke off, and statements that
computed for over two seconds longer than their budget. The time is the processor's, of reading and of the
process that checks, so that it does not depend on what else the machine does. Exit code 1 if there is any of
the last three.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "check"))

from generated_statements import Made, arbitrary
from typed_statements import typed

from theorycheck.check.guard import check_within
from theorycheck.check.precheck import precheck
from theorycheck.check.problem import read_problem
from theorycheck.check.text import InputError

_OVER = 2.0


def computed() -> float:
    """Seconds that this process and those it has waited for have computed."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(who) for who in whose]
    return sum(u.ru_utime + u.ru_stime for u in used)


def made_of(seed: int) -> Made:
    """The statement of a seed."""
    return typed(seed) if seed % 2 else arbitrary(seed)


def outcome(seed: int, budget: float) -> tuple[str, str, float, Made]:
    """What became of one statement, the reason, and by how much it computed beyond its budget."""
    made = made_of(seed)
    given = (made.statement, made.domains, made.where, made.laws, made.let, made.steps)
    started = computed()
    try:
        precheck(*given)
        verdict = check_within(read_problem(*given), budget=budget, seed=0)
    except InputError as error:
        kind, reason = ("refused", str(error)) if "\n" not in str(error) else ("error", str(error))
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        kind, reason = "error", f"{type(error).__name__}: {error}"
    else:
        kind = "proved" if verdict.proved else verdict.verdict
        kind, reason = ("broke off" if "broke off" in verdict.reason else kind), verdict.reason
    return kind, reason, computed() - started - budget, made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=10_000)
    parser.add_argument("--budget", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, help="a line for each statement is added to this file")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.count)
    kinds: Counter[str] = Counter()
    bad, worst = 0, 0.0
    with Pool(options.workers) as pool:
        work = partial(outcome, budget=options.budget)
        for seed, (kind, reason, over, made) in zip(seeds, pool.imap(work, seeds), strict=True):
            kinds[kind] += 1
            late = over > _OVER
            kinds["late"] += late
            worst = max(worst, over)
            if late or kind in ("error", "broke off"):
                bad += 1
                print(f"{seed} {kind} {over:+.1f} s: {made}: {reason}", flush=True)
            if options.json:
                line = [seed, kind, round(over, 2), reason, made.statement, made.domains, made.laws]
                with options.json.open("a") as stream:
                    stream.write(json.dumps(line) + "\n")
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    print(f"most beyond its budget: {worst:+.1f} s of computing")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
