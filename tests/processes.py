"""The command as a process that can be stopped, and what a run of it left behind."""

import json
import os
import subprocess
import sys
import time

COMMAND = [sys.executable, "-c", "from theorycheck.cli import main; main()"]
CLOCKS = {"id", "started", "seconds", "machine"}


def environment(folder, **more):
    return os.environ | {"THEORYCHECK_STORE": str(folder / "store.sqlite")} | more


def begin(folder, *words, **more):
    return subprocess.Popen(
        [*COMMAND, "run", *words],
        cwd=folder,
        env=environment(folder, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(folder, *words, **more):
    process = begin(folder, *words, **more)
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def report(folder):
    return json.loads((folder / "report.json").read_text())


def timeless(data):
    """A report without what differs between any two runs."""
    if isinstance(data, dict):
        return {k: timeless(v) for k, v in data.items() if k not in CLOCKS}
    return [timeless(v) for v in data] if isinstance(data, list) else data


def wait_until(there, seconds=200.0):  # a start-up of a machine with much else to do
    deadline = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def lines(file):
    return len(file.read_text()) if file.exists() else 0
