"""Importing theorycheck, and asking the command for help, load no numerical library."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = "print([m for m in ('sympy', 'numpy', 'flint', 'scipy', 'msgspec') if m in sys.modules])"


@pytest.mark.parametrize(
    "code",
    [
        "import theorycheck",
        "import theorycheck; dir(theorycheck); theorycheck.UserError",
        "from theorycheck.cli import call; call(['--help'])",
    ],
)
def test_a_start_loads_no_numerical_library(code: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\n{HEAVY}"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert run.stdout.splitlines()[-1] == "[]"
