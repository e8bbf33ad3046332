"""The examples: true claims stand, near-lies fall, each with the verdict that its file expects; what needs a
package that is not installed is skipped, with the reason."""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from theorycheck.cli import call
from theorycheck.library.loading import load_file

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.py"))


def test_there_are_a_dozen():
    assert len(FILES) >= 12


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_an_example_has_the_verdicts_that_it_expects(file, tmp_path):
    out = tmp_path / "out"
    expected = {item.id: item.claim for item in load_file(file)}
    absent = {id for id, c in expected.items() if not all(map(find_spec, c.needs))}
    asked = ["run", str(file), "--profile", "smoke", "--no-cache", "--out", str(out)]
    assert call(asked) == (5 if set(expected) == absent else 0)
    report = json.loads((out / "report.json").read_text())
    for entry in report["claims"]:
        if entry["id"] in absent:
            assert entry["verdict"] == "skipped" and "not installed here" in entry["reason"]
        else:
            assert entry["verdict"] == entry["expected"], entry["reason"]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_an_example_has_a_true_claim_and_a_near_lie(file):
    verdicts = {item.claim.expect for item in load_file(file)}
    assert verdicts == {"pass", "fail"}
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
