"""One report, however it came about: killed and resumed, with other workers, in shards, on a cluster.

Run it with ``python benchmarks/faults.py`` (ten minutes on two cores) or name claims or files, as `run`
takes them. Each trial starts with no cached evidence and is compared with one clean run, in every
field but the id, start, seconds and machine of a run and the seconds of its claims; observations likewise.
The exit code is 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-c", "from theorycheck.cli import main; main()"]
CLOCKED = ("id", "started", "seconds", "machine")
LIMIT = 3600.0  # seconds for one run; a machine that needs longer is not the one to try this on


@dataclass
class Bench:
    """A folder for the runs of all trials, and what they run."""

    folder: Path
    targets: list[str]
    profile: str
    kills: int
    dice: random.Random
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def start(self, trial: str, *words: str, log: bool = False) -> subprocess.Popen[bytes]:
        """A run of its own session, with the trial's own store and output folder."""
        place = self.folder / trial
        place.mkdir(exist_ok=True)
        told = (place / "log").open("ab") if log else subprocess.DEVNULL
        return subprocess.Popen(
            [*COMMAND, *words],
            env=os.environ | {"THEORYCHECK_STORE": str(place / "store.sqlite")},
            stdout=told,
            stderr=told,
        )

    def begin(self, trial: str, *words: str, out: str = "out") -> subprocess.Popen[bytes]:
        return self.start(
            trial, "run", *self.targets, "--profile", self.profile, "--out",
            str(self.folder / trial / out), *words, log=True,
        )  # fmt: skip

    def whole(self, trial: str, *words: str, out: str = "out") -> float:
        """A run to its end; seconds of wall time."""
        began = time.monotonic()
        code = self.begin(trial, *words, out=out).wait(LIMIT)
        self.notes.append(f"{trial} {out}: exit code {code}")
        return time.monotonic() - began


def clean(bench: Bench) -> None:
    bench.seconds = bench.whole("clean")


def interrupted(number: signal.Signals, *words: str) -> Callable[[Bench], None]:
    """Signals at moments drawn from the whole length of a clean run, each followed by --resume."""

    def trial(bench: Bench) -> None:
        name = f"{number.name}{''.join(words)}"
        out = bench.folder / name / "out"

        def going_on() -> tuple[str, ...]:  # killed during its start-up a run has left nothing
            return (*words, "--resume") if (out / "report.json").exists() else words

        for _ in range(bench.kills):
            process = bench.begin(name, *going_on())
            # At least the start-up: what is killed before it has begun says nothing.
            time.sleep(bench.dice.uniform(1.0, max(2.0, 0.4 * bench.seconds)))
            process.send_signal(number)
            process.wait(LIMIT)
            if (out / "report.json").exists():  # readable at any moment
                done = len(json.loads((out / "report.json").read_text())["claims"])
                bench.notes.append(f"{name}: stopped with {done} claims in the report")
        bench.whole(name, *going_on())

    return trial


def workers(bench: Bench) -> None:
    bench.whole("two workers", "-n", "2")


def cluster(bench: Bench) -> None:
    bench.whole("dask", "--executor", "dask", "-n", "2")


def shards(bench: Bench) -> None:
    parts = [f"part-{i}" for i in (1, 2)]
    for i, part in enumerate(parts, 1):
        bench.whole("shards", "--shard", f"{i}/2", out=part)
    place = bench.folder / "shards"
    words = ["merge", *(str(place / part) for part in parts), "--out", str(place / "out")]
    bench.start("shards", *words, log=True).wait(LIMIT)


TRIALS: dict[str, tuple[str, Callable[[Bench], None]]] = {
    "kill": ("SIGKILL", interrupted(signal.SIGKILL)),
    "kill-2": ("SIGKILL-n2", interrupted(signal.SIGKILL, "-n", "2")),
    "term": ("SIGTERM", interrupted(signal.SIGTERM)),
    "ctrl-c": ("SIGINT", interrupted(signal.SIGINT)),
    "workers": ("two workers", workers),
    "shards": ("shards", shards),
    "dask": ("dask", cluster),
}


def differences(folder: Path, other: Path) -> list[str]:
    """Where two runs differ beside their clocks: paths into the report, and observation files."""
    found = list(_unlike("", _report(folder), _report(other)))
    names = {f.name for place in (folder, other) for f in (place / "observations").glob("*.json")}
    for name in sorted(names):
        ours, theirs = (_observed(place / "observations" / name) for place in (folder, other))
        if ours != theirs:
            found.append(f"observations/{name}")
    return found


def _report(folder: Path) -> dict[str, Any]:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    report["run"] = {k: v for k, v in report["run"].items() if k not in CLOCKED}
    report["claims"] = {e["id"]: e | {"seconds": None} for e in report["claims"]}
    return report


def _observed(file: Path) -> list[dict[str, Any]] | None:
    if not file.exists():
        return None
    return [o | {"seconds": None} for o in json.loads(file.read_text(encoding="utf-8"))]


def _unlike(path: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from _unlike(f"{path}/{key}", one.get(key), other.get(key))
    elif one != other:
        yield f"{path}: {one!r:.80} and {other!r:.80}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="claims or files; by default --all")
    parser.add_argument("--profile", default="smoke")
    parser.add_argument("--kills", type=int, default=10, help="signals of one kind")
    parser.add_argument("--only", action="append", choices=TRIALS, help="a trial; may be repeated")
    parser.add_argument("--seed", type=int, default=0, help="of the moments of the signals")
    parser.add_argument("--keep", type=Path, help="keep all runs in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = (options.keep or Path(name)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        dice = random.Random(options.seed)
        bench = Bench(folder, options.targets or ["--all"], options.profile, options.kills, dice)
        return compare(bench, options.only or list(TRIALS))


def compare(bench: Bench, names: list[str]) -> int:
    """Run the trials and print the table; 1 where anything differs, else 0."""
    print(
        f"- Python {platform.python_version()}, theorycheck {version('theorycheck')}, "
        f"{os.cpu_count()} cores, profile {bench.profile}, {bench.kills} signals a trial"
    )
    clean(bench)
    summary = _report(bench.folder / "clean" / "out")["summary"]
    print(f"- the clean run: {bench.seconds:.0f} s, {json.dumps(summary)}\n")
    print("| trial | seconds | differences from the clean run |\n|---|---:|---|", flush=True)
    worst = 0
    for name in names:
        folder, trial = TRIALS[name]
        began = time.monotonic()
        trial(bench)
        seconds = time.monotonic() - began
        try:
            unlike = differences(bench.folder / "clean" / "out", bench.folder / folder / "out")
        except OSError as error:
            unlike = [f"no report ({error.strerror})"]
        worst |= bool(unlike)
        shown = "; ".join(unlike[:3]) + ("; ..." if len(unlike) > 3 else "")
        print(f"| {name} | {seconds:.0f} | {shown or 'none'} |", flush=True)
    print("\n" + "\n".join(f"- {note}" for note in bench.notes))
    return worst


if __name__ == "__main__":
    sys.exit(main())
