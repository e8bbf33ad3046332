"""Running a script by itself, as its reader will."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SECONDS_TO_TRY = 60.0


@dataclass
class Tried:
    """What a script printed, run by itself; ``failed``: why it did not get to its end, or empty;
    ``undefined``: the name that it asked for in vain, where that is why."""

    output: str
    failed: str = ""
    undefined: str = ""


_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")


def run_alone(script: str) -> Tried:
    """Run a script in an empty folder, without theorycheck."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.py"
        file.write_text(script, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-I", str(file)],
                capture_output=True,
                text=True,
                timeout=SECONDS_TO_TRY,
                cwd=folder,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Tried("", f"by itself it takes more than {SECONDS_TO_TRY:g} s")
    if done.returncode == 0:
        return Tried(done.stdout)
    said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    asked = _UNDEFINED.match(said[-1])
    return Tried("", f"by itself it breaks: {said[-1]}", asked[1] if asked else "")
