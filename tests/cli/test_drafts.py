"""`check FILE.py`: its budget is kept whatever the claim's code does, and a terminal sees what is looked at."""

from __future__ import annotations

import json
import sys

from theorycheck.cli import call

HANGS = """import time
import sympy as sp
from theorycheck import claim, integers
n = sp.symbols("n", integer=True, positive=True)


@claim("hangs", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n)
def hangs(n):
    time.sleep(600)
    return n


@claim("quick", domain={n: integers(1)}, grid={"smoke": {n: [1, 2]}}, closed_form=n)
def quick(n):
    return sum(1 for _ in range(n))
"""


def test_a_budget_ends_what_takes_longer_and_the_next_claim_is_judged(tmp_path, capsys):
    file = tmp_path / "hangs.py"
    file.write_text(HANGS)
    assert call(["check", str(file), "--budget", "1", "--json"]) == 6
    hangs, quick = json.loads(capsys.readouterr().out)
    assert hangs["verdict"] == "inconclusive" and "--budget 1 was over" in hangs["reason"]
    assert hangs["covered"].endswith("tried nothing") and hangs["seconds"] < 600
    assert (quick["claim"], quick["verdict"]) == ("quick", "holds")


def test_a_claim_within_its_budget_has_the_verdict_that_it_has_without(tmp_path, capsys):
    file = tmp_path / "quick.py"
    file.write_text(HANGS.replace("time.sleep(600)", "pass"))
    found = []
    for further in ([], ["--budget", "300"]):
        assert call(["check", str(file), "--json", *further]) == 0
        found.append([a | {"seconds": 0} for a in json.loads(capsys.readouterr().out)])
    assert found[0] == found[1]


def test_what_is_absent_is_skipped_under_a_budget_too(tmp_path, capsys):
    file = tmp_path / "absent.py"
    file.write_text(HANGS.replace('@claim("hangs",', '@claim("hangs", needs="no_such_package",'))
    assert call(["check", str(file), "--budget", "300", "--json"]) == 0
    hangs, _ = json.loads(capsys.readouterr().out)
    assert hangs["verdict"] == "skipped" and "no_such_package, not installed" in hangs["reason"]


def test_a_terminal_sees_what_is_looked_at_and_a_pipe_sees_none_of_it(
    tmp_path, monkeypatch, capsys
):
    file = tmp_path / "quick.py"
    file.write_text(HANGS.replace("time.sleep(600)", "pass"))
    assert call(["check", str(file)]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert call(["check", str(file)]) == 0
    seen = capsys.readouterr()
    assert "quick (smoke): look 2, value at n = 2" in seen.err
    assert seen.err.endswith("\r\033[K") and "look" not in seen.out
