#!/usr/bin/env python3
"""Set up and run theorycheck from a checkout, with nothing but Python 3.11+ and pip.

    python3 do.py run [options of `theorycheck run`]     check the bundled claims, write a report
    python3 do.py test [options of pytest]                lint, types, floors and tests
    python3 do.py audit [options of `theorycheck audit`]  change the claims' parts: what notices? (hours for all)
    python3 do.py audit --changed [REVISION]              the same of what differs from REVISION (HEAD~1), four minutes
    python3 do.py docs                                    build the documentation in build/site
    python3 do.py shell COMMAND ...                       any command inside the environment

The environment lives in .venv beside this file and is made, or brought up to date, on first use.
Versions are pinned in requirements/.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENV = HERE / ".venv"
BIN = ENV / ("Scripts" if os.name == "nt" else "bin")
PINS = {"run": HERE / "requirements" / "run.txt", "test": HERE / "requirements" / "test.txt"}


def ready(kind: str) -> None:
    """Make the environment, install the pinned versions and this checkout, once per content."""
    wanted = hashlib.sha256(
        PINS["run"].read_bytes() + PINS[kind].read_bytes() + (HERE / "pyproject.toml").read_bytes()
    ).hexdigest()
    stamp = ENV / f"ready-{kind}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"setting up {ENV.name} ({kind}) ...", flush=True)
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        venv.create(ENV, with_pip=True)
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(PINS[kind])], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(HERE)], check=True)
    stamp.write_text(wanted)


def call(*command: str) -> int:
    program = BIN / command[0]
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return subprocess.call([str(program), *command[1:]], cwd=HERE, env={**os.environ, "PATH": path})


CHANGED_SECONDS = 240
"""Budget of `audit --changed`, from the first change on: what continuous integration can spend."""

FIGURES = HERE / "reports" / "audit"
"""Figures of the audit: sources in which nothing survived unexplained are held to it."""


def audit(rest: list[str]) -> int:
    """Audit source by source and write ``reports/audit``, or what a revision touched (1 where something survives
    unexplained in a source that had nothing of the kind), or what is asked for."""
    ready("run")
    if rest[:1] == ["--changed"]:
        revision = rest[1] if rest[1:] else "HEAD~1"
        known = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
        if not rest[1:] and subprocess.run(known, cwd=HERE, stdout=subprocess.DEVNULL).returncode:
            print("audit: there is no revision before this one")
            return 0
        budget = ("--budget", str(CHANGED_SECONDS))
        gate = ("--gate", str(FIGURES))
        return call("theorycheck", "audit", "--since", revision, "-n", "auto", *budget, *gate)
    if rest:
        return call("theorycheck", "audit", *rest)
    codes = []
    for source in sorted(file.parent.name for file in HERE.glob("claims/*/statements.toml")):
        if not [m for m in (HERE / "claims" / source).glob("*.py") if not m.stem.startswith("_")]:
            continue  # a register without claims
        out = HERE / "build" / "audit" / source
        chosen = ("--source", source, "-n", "auto", "--out", str(out), "--report", str(FIGURES))
        codes.append(call("theorycheck", "audit", *chosen))
    return next((code for code in codes if code), 0)


def main(argv: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is run before anything is installed
        print("theorycheck needs Python 3.11 or newer", file=sys.stderr)
        return 4
    verb, rest = (argv[0], argv[1:]) if argv else ("", [])
    if verb == "run":
        ready("run")
        return call("theorycheck", "run", *(rest or ["--all", "--profile", "smoke", "-n", "auto"]))
    if verb == "test":
        ready("test")
        checks = [
            ("ruff", "format", "--check", "."),
            ("ruff", "check", "."),
            ("mypy",),
            ("lint-imports",),
            ("pytest", "-n", "auto", *rest),
        ]
        codes = [call(*c) for c in checks]
        return next((code for code in codes if code), 0)
    if verb == "audit":
        return audit(rest)
    if verb == "docs" and not rest:
        ready("test")
        code = call("mkdocs", "build", "--strict", "--quiet")
        if code == 0:
            print("open build/site/index.html")
        return code
    if verb == "shell" and rest:
        ready("test")
        return call(*rest)
    print(__doc__, file=sys.stderr)
    return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
