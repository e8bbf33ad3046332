"""What the engine itself costs, and how costs grow: claims, replicates, p**k, workers.

Run it with ``python benchmarks/overhead.py`` (a few minutes) or with ``--quick``. Every number is printed
beside what it is to be compared with; nothing fails for being slow.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from theorycheck.executors import Job
from theorycheck.executors.cached import found
from theorycheck.executors.local import here, local
from theorycheck.library.loading import load_all, load_file
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import run

GOAL_MS = 2.0  # engine overhead of a trivial claim
GOAL_RECALLED = 2.0  # seconds: an unchanged library of 300 claims again
CLAIMS_A_FILE = 10  # of a library for `recalled`; the bundled one has about three

HEAD = """
import time
from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import bounded, claim, integers, mean, variant

n = sp.symbols("n", integer=True, positive=True)
k, p = sp.symbols("k p", integer=True, positive=True)
"""

TRIVIAL = """
@claim("trivial-{i}", domain={{n: integers(1)}}, grid={{"smoke": {{n: [{i} + 1]}}}}, closed_form=n,
       mutate=False, rivals=[variant("one more", closed_form=n + 1)])
def trivial_{i}(n):
    return n
"""

BUSY = """
@claim("busy-{i}", domain={{n: integers(1)}}, grid={{"smoke": {{n: [1]}}}}, closed_form=n,
       mutate=False, rivals=[variant("one more", closed_form=n + 1)])
def busy_{i}(n):
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    return n
"""

MEAN = """
@claim("mean", domain={{n: integers(1)}}, grid={{"smoke": {{n: [1]}}}}, closed_form=n / 2,
       statistic=mean(bounded(0, 1)), budget={{"smoke": {samples}}}, block=65536, mutate=False,
       rivals=[variant("a hair more", closed_form=n / 2 + Fraction(1, 10**6))])
def uniform_mean(rng, n, size):
    return rng.uniform((size,))
"""

COUNT = """
@claim("count", domain={{k: integers(1), p: integers(2)}}, grid={{"smoke": [{{k: {k}, p: {p}}}]}},
       closed_form=p ** (k - 1), mutate=False, rivals=[variant("all", closed_form=p**k)])
def zero_sums(k, p):
    total = np.zeros(1, dtype=np.int64)
    for _ in range(k):
        total = np.add.outer(total, np.arange(p)).reshape(-1) % p
    return int(np.count_nonzero(total == 0))
"""


def written(folder: Path, *parts: str, name: str = "claims_of_benchmark") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(HEAD + "".join(parts), encoding="utf-8")
    return file


def jobs_of(file: Path, store: Path | None) -> list[Job]:
    items = load_file(file)
    found(items)
    return [Job(file, i.claim.id, "conjecture", Settings("smoke"), store) for i in items]


def timed(action: object) -> float:
    began = time.perf_counter()
    action()  # type: ignore[operator]
    return time.perf_counter() - began


def overhead(folder: Path, counts: list[int]) -> None:
    print(f"\nEngine overhead of a trivial claim, ms a claim (goal {GOAL_MS:g} in this process)")
    print("processor time: load, execute, execute and keep, judge again from what is kept;")
    print("wall time: one worker process, a whole run() with its report, the same run again")
    print(
        f"{'claims':>8} {'load':>7} {'execute':>8} {'keep':>7} {'again':>7} "
        f"{'worker':>8} {'run()':>8} {'run 2':>8}"
    )
    for count in counts:
        place = folder / f"trivial-{count}"
        file = written(place, *(TRIVIAL.format(i=i) for i in range(count)))
        began = time.process_time()
        items = load_file(file)
        cells = [time.process_time() - began]
        for store, action in (
            (None, here),
            (place / "store.sqlite", here),
            (place / "store.sqlite", local),
        ):
            began = time.process_time()
            list(action(jobs_of(file, store), 1))
            cells.append(time.process_time() - began)
        list(local(jobs_of(file, None)[:1], 1))  # the server of workers has started
        cells.append(timed(lambda file=file: list(local(jobs_of(file, None), 1))))
        whole = partial(run, items, Settings("smoke"), place / "out", store=place / "store.sqlite")
        cells += [timed(whole), timed(whole)]
        print(
            f"{count:>8} "
            + " ".join(
                f"{1e3 * c / count:>{w}.2f}"
                for c, w in zip(cells, (7, 8, 7, 7, 8, 8, 8), strict=True)
            )
        )


def replicates(folder: Path, counts: list[int]) -> None:
    print("\nReplicates: seconds and memory of one sampled claim (memory is to stay flat)")
    print(f"{'samples':>10} {'seconds':>9} {'ns/sample':>10} {'peak MiB':>9} {'ratio':>6}")
    base = None
    for count in counts:
        file = written(folder / f"mean-{count}", MEAN.format(samples=count))
        seconds, peak = measured(file)
        base = base or peak
        print(
            f"{count:>10} {seconds:>9.2f} {1e9 * seconds / count:>10.0f} "
            f"{peak / 2**20:>9.0f} {peak / base:>6.2f}"
        )


def enumeration(folder: Path, sizes: list[tuple[int, int]]) -> None:
    print("\nEnumeration of all p**k inputs: seconds (to grow in proportion)")
    print(f"{'k':>3} {'p':>4} {'p**k':>10} {'seconds':>9} {'ns/input':>9} {'peak MiB':>9}")
    for k, p in sizes:
        file = written(folder / f"count-{k}-{p}", COUNT.format(k=k, p=p))
        seconds, peak = measured(file)
        print(
            f"{k:>3} {p:>4} {p**k:>10} {seconds:>9.3f} {1e9 * seconds / p**k:>9.1f} "
            f"{peak / 2**20:>9.0f}"
        )


def measured(file: Path) -> tuple[float, int]:
    """Seconds of executing the only claim of a file in a process of its own, and its peak memory."""
    words = [sys.executable, __file__, "--one", str(file)]
    out = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), int(out[1])


def one(file: Path) -> None:
    jobs = jobs_of(file, None)
    seconds = timed(lambda: list(here(jobs, 1)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, peak * (1 if sys.platform == "darwin" else 1024))


def workers(folder: Path, seconds: float, claims: int) -> None:
    cores = os.cpu_count() or 1
    print(f"\nWorkers: {claims} claims of {seconds:g} s of processor time each, on {cores} cores")
    print(f"{'workers':>8} {'seconds':>9} {'speed-up':>9} {'of ideal':>9}")
    file = written(folder / "busy", *(BUSY.format(i=i, seconds=seconds) for i in range(claims)))
    jobs = jobs_of(file, None)
    list(local(jobs[:1], 1))
    base = None
    for count in [c for c in (1, 2, 4, 8, 16, 32) if c <= cores]:
        took = timed(lambda count=count: list(local(jobs, count)))
        base = base or took
        print(f"{count:>8} {took:>9.2f} {base / took:>9.2f} {base / took / count:>9.0%}")


def recalled(folder: Path, counts: list[int]) -> None:
    print(
        f"\nA run of the command beside the same run again, seconds of wall time, start-up included "
        f"(goal {GOAL_RECALLED:g} for 300 claims)"
    )
    print(f"{'claims':>16} {'fresh':>8} {'recalled':>9} {'ms/claim':>9}")
    bundled = len(load_all())
    row(f"{bundled} bundled", bundled, folder / "bundled", ["--all"])
    for count in counts:
        place = folder / f"library-{count}"
        for start in range(0, count, CLAIMS_A_FILE):
            end = min(start + CLAIMS_A_FILE, count)
            written(place, *(TRIVIAL.format(i=i) for i in range(start, end)), name=f"part_{start}")
        row(f"{count} trivial", count, place, [str(place)])


def row(title: str, claims: int, place: Path, targets: list[str]) -> None:
    """Runs the command twice on one store; a line of both times."""
    place.mkdir(parents=True, exist_ok=True)
    options = ["--profile", "smoke", "-n", str(os.cpu_count() or 1)]
    environment = os.environ | {"THEORYCHECK_STORE": str(place / "store.sqlite")}
    code = "import sys; from theorycheck.cli import main; sys.exit(main(sys.argv[1:]))"
    seconds = []
    for turn in ("fresh", "recalled"):
        words = [sys.executable, "-c", code, "run", *targets, *options]
        words += ["--out", str(place / turn)]
        call = partial(subprocess.run, words, env=environment, capture_output=True, check=True)
        seconds.append(timed(call))
    fresh, again = seconds
    print(f"{title:>16} {fresh:>8.2f} {again:>9.2f} {1e3 * again / claims:>9.1f}", flush=True)


def startup() -> None:
    print("\nStart-up, seconds")
    for words in (["--help"], ["list"], ["list", "--source", "gemfilter"]):
        code = f"from theorycheck.cli import main; main({words!r})"
        took = min(
            timed(
                lambda code=code: subprocess.run([sys.executable, "-c", code], capture_output=True)
            )
            for _ in range(3)
        )
        print(f"  theorycheck {' '.join(words):<28} {took:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, under a minute")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one)
        return
    quick = options.quick
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        startup()
        recalled(folder, [300] if quick else [300, 1000])
        overhead(folder, [10, 100] if quick else [10, 100, 1000])
        replicates(folder, [10**5, 10**6] if quick else [10**5, 10**6, 10**7, 3 * 10**7])
        enumeration(folder, [(3, 31), (4, 31)] if quick else [(2, 97), (3, 97), (4, 47), (5, 23)])
        workers(folder, 0.2 if quick else 1.0, 8)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
