"""Importing theorycheck, asking the command for help, and telling what has not changed load no numerical library."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scale_claims import EXACT, FALSE, SAMPLED, write

HEAVY = "print([m for m in ('sympy', 'numpy', 'flint', 'scipy', 'msgspec') if m in sys.modules])"

REGISTER = """
[source]
name = "odd"
title = "Odd numbers"
authors = ["A. Author"]
edition = "first edition"
text = "typed"

[[source.citation]]
type = "article"
key = "author2024odd"
author = "Author, A."
title = "Odd numbers"
year = "2024"
""" + "".join(
    f'''
[[statement]]
id = "{name}"
labels = ["Lemma"]
title = "{name}"
role = "main"
kind = "identity"
one_line = "{name}."
'''
    for name in ("odd-numbers", "odd-numbers-wrong", "coin")
)


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
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert run.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "module",
    ["runs.run", "executors.local", "library.listing", "record.runs", "reports.errata",
     "reports.latest_coverage", "reports.present", "reports.formats.html"],
)  # fmt: skip
def test_what_recalls_loads_no_numerical_library(module: str) -> None:
    """What is made and not recalled is imported where it is made."""
    code = f"import sys, theorycheck.{module}\nsys.modules.pop('msgspec')\n{HEAVY}"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert run.stdout.splitlines()[-1] == "[]"


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of which every claim has been run, shown and reported once."""
    place = tmp_path_factory.mktemp("unchanged")
    folder = place / "library" / "odd"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text(REGISTER)
    write(folder, EXACT, FALSE, SAMPLED, name="sums.py")
    heavy, printed = command(place, "run", "--all", "--profile", "smoke", "--out", "out")
    assert "sympy" in heavy, printed
    command(place, "show", "*")
    return place


def command(place: Path, *words: str) -> tuple[list[str], str]:
    """The numerical libraries that a command ends with, in a process of its own, and what it printed."""
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from theorycheck.library import listing, loading\nfrom theorycheck.cli import call\n"
        "found = [loading.Library(Path('library').resolve())]\n"
        "for module in (listing, loading):\n    module.libraries = lambda: found\n"
        "code = call(sys.argv[1:])\n"
        "print([m for m in ('sympy', 'numpy', 'flint', 'scipy', 'matplotlib') if m in sys.modules])\n"
        "sys.exit(code)\n"
    )
    environment = os.environ | {"THEORYCHECK_STORE": str(place / "store")}
    run = subprocess.run([sys.executable, "-c", code, *words], cwd=place, env=environment,
                         capture_output=True, text=True, timeout=300)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    *printed, heavy = run.stdout.splitlines()
    return ast.literal_eval(heavy), "\n".join(printed)


@pytest.mark.parametrize(
    "words",
    [
        "list",
        "run --all --profile smoke --out again",
        "show *",
        "coverage",
        "errata",
        *(f"report out --format {form}" for form in ("html", "md", "junit", "csv")),
    ],
)
def test_what_has_not_changed_is_told_without_a_numerical_library(
    unchanged: Path, words: str
) -> None:
    heavy, printed = command(unchanged, *words.split())
    assert heavy == [], printed
    assert printed
