"""A claim that needs a package which is not installed is skipped, with the reason, and counted as that."""

from __future__ import annotations

import json

import pytest

from theorycheck import ClaimError, claim
from theorycheck.cli import call
from theorycheck.engine.execute import execute
from theorycheck.numbers.errors import Absent
from theorycheck.plan.settings import Settings

pytest_plugins = ["pytester"]

FILE = """
from theorycheck import claim

@claim("absent", closed_form=2, needs="no_such_package")
def absent():
    import no_such_package
    return no_such_package.two

@claim("wrong", closed_form=3, needs="no_such_package", expect="fail")
def wrong():
    return 2
"""

PRESENT = """
@claim("present", closed_form=2, needs=["json", "math"])
def present():
    import math
    return math.isqrt(4)
"""


def two():
    return 2


def test_the_engine_names_every_package_that_is_missing():
    c = claim("x", closed_form=2, needs="json no_such_package nor_this")(two)
    with pytest.raises(Absent, match="needs no_such_package, nor_this, not installed here"):
        execute(c, Settings("smoke"))


@pytest.mark.parametrize(
    ("text", "code", "verdicts"),
    [
        (FILE, 5, {"absent": "skipped", "wrong": "skipped"}),
        (FILE + PRESENT, 0, {"absent": "skipped", "wrong": "skipped", "present": "pass"}),
    ],
)
def test_a_run_counts_it_as_skipped_and_says_why(tmp_path, monkeypatch, text, code, verdicts):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(text)
    asked = ["run", "mine.py", "--profile", "smoke", "--no-cache", "--out", "out"]
    assert call(asked) == code
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert {e["id"]: e["verdict"] for e in report["claims"]} == verdicts
    assert report["summary"]["skipped"] == 2
    assert "no_such_package" in report["claims"][0]["reason"]
    assert call(["check", "mine.py"]) == code


def test_check_says_so_in_json_too(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(FILE)
    assert call(["check", str(tmp_path / "mine.py"), "--json"]) == 5
    answers = json.loads(capsys.readouterr().out)
    assert [a["verdict"] for a in answers] == ["skipped", "skipped"]
    assert answers[0]["reason"] == "needs no_such_package, not installed here"


def test_pytest_skips_it(pytester):
    pytester.makepyfile(mine=FILE + PRESENT)
    result = pytester.runpytest_subprocess("--theorycheck", "-p", "no:xdist", "mine.py")
    result.assert_outcomes(passed=1, skipped=2)


@pytest.mark.parametrize("wrong", ["torch.nn", "my-package", [1], 3])
def test_names_that_cannot_be_imported_are_refused(wrong):
    with pytest.raises(ClaimError, match="needs must be names that are imported"):
        claim("x", closed_form=2, needs=wrong)(two)
