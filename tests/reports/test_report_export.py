"""Stand-alone scripts: short, without theorycheck, and giving the numbers of the run."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass, replace

import pytest

from theorycheck.library.selecting import select
from theorycheck.record.files import read_observations
from theorycheck.record.runs import ReportError, read_report
from theorycheck.reports import export as ex
from theorycheck.reports.source import ALLOWED, NotStandAlone, extract

NUMERIC = ("toy-sum", "toy-power-sum", "toy-power-sum-corrected", "toy-mean", "toy-bound",
           "toy-descent")  # fmt: skip


@pytest.fixture(scope="module")
def items(done):
    return select([str(done.folder.parent.parent / "library")])


@pytest.fixture(scope="module")
def made(done, items):
    report = read_report(done.folder)
    return {id: ex.export(report, done.folder, id, items) for id in NUMERIC}


@pytest.mark.parametrize("claim", NUMERIC)
def test_scripts_are_short_simulate_and_import_nothing_of_ours(made, claim):
    script = made[claim].script
    assert made[claim].simulates, made[claim].why_not
    assert len(script.splitlines()) <= 40
    assert "theorycheck" not in script
    modules = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            modules |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    assert modules <= ALLOWED | {"types"}


def test_the_script_of_a_fail_shows_both_sides_apart(made):
    assert made["toy-power-sum"].output.splitlines() == [
        "measured 1.0  closed form 0.333333333333333",
        "agree: False",
    ]


@pytest.mark.parametrize("claim", ["toy-sum", "toy-mean", "toy-descent"])
def test_the_script_of_a_pass_agrees(made, claim):
    assert made[claim].output.splitlines()[-1] == "agree: True"


def test_bounds_are_compared_as_bounds(made):
    assert made["toy-bound"].output.splitlines()[-1] == "at most it: True"


def test_a_script_runs_by_itself(made, tmp_path):
    file = tmp_path / "alone.py"
    file.write_text(made["toy-descent"].script, encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True,
                          cwd=tmp_path, check=True)  # fmt: skip
    assert done.stdout == made["toy-descent"].output


def test_the_paragraph_is_latex_of_the_claim(made):
    text = made["toy-power-sum"].paragraph
    assert r"\frac{n^{3}}{3}" in text
    assert "Counterexample: n=1: 1 against 1/3." in text
    assert "includegraphics" not in text


def case_of(done, items, id):
    report = read_report(done.folder)
    entry = next(e for e in report.claims if e.id == id)
    claim = next(i.claim for i in items if i.claim.id == id)
    seen = read_observations(done.folder / "observations", id)
    return claim, ex.decisive(claim, seen, entry, report.run), entry


def test_the_decisive_case_of_a_fail_is_its_counterexample(done, items):
    _, case, entry = case_of(done, items, "toy-power-sum")
    assert {k: str(v) for k, v in case.row.point.items()} == {"n": "1"}
    assert entry.counterexample.point == {"n": 1}


def test_a_wrong_number_in_the_output_is_noticed(done, items):
    _, case, _ = case_of(done, items, "toy-sum")
    right = float(case.row.measured.lo.p) / float(case.row.measured.lo.q)
    assert ex.agrees(f"measured {right} closed form {right}", case)
    assert not ex.agrees(f"measured {right * 1.000001} closed form {right}", case)
    assert not ex.agrees(f"measured {right} closed form {right * 1.000001}", case)
    assert not ex.agrees(f"measured nan closed form {right}", case)
    assert not ex.agrees("nothing of the kind", case)


def test_what_is_too_long_is_not_written_out(done, items, monkeypatch):
    claim, case, entry = case_of(done, items, "toy-descent")
    monkeypatch.setattr(ex, "MOST_LINES", 5)
    with pytest.raises(NotStandAlone, match="it takes"):
        ex.simulating(claim, case, read_report(done.folder).run)
    script = ex.recorded(claim, case, entry, "too long")
    assert len(script.splitlines()) <= 15  # no simulation in it
    assert "too long" in script
    assert "--no-cache" in script


def test_a_recorded_script_still_tells_the_sides_apart(done, items):
    claim, case, entry = case_of(done, items, "toy-power-sum")
    output = ex._tried(ex.recorded(claim, case, entry, "x"))
    assert output.splitlines()[-1] == "agree: False"


def test_a_wrong_closed_form_turns_the_script(done, items):
    claim, case, _entry = case_of(done, items, "toy-sum")
    wrong = replace(claim, closed_form=claim.closed_form + 1)
    output = ex._tried(ex.simulating(wrong, case, read_report(done.folder).run))
    assert output.splitlines()[-1] == "agree: False"


def test_proofs_and_broken_claims_have_no_script(done, items):
    report = read_report(done.folder)
    assert ex.export(report, done.folder, "toy-broken", items).script is None
    with pytest.raises(ReportError, match="has no claim"):
        ex.export(report, done.folder, "nope", items)


CONSTANT = 3


def uses_a_constant(n):
    """Docstring that goes."""
    return CONSTANT * n


def uses_pytest(n):
    return pytest.approx(n)


def annotated(n: Outside) -> Outside:  # noqa: F821
    total: int = n
    return total


def test_extracts_bring_their_constants_and_lose_their_docstrings():
    got = extract([uses_a_constant])
    assert got.pieces == ["CONSTANT = 3", "def uses_a_constant(n):\n    return CONSTANT * n"]


def test_annotations_go():
    assert extract([annotated]).pieces == ["def annotated(n):\n    total = n\n    return total"]


@dataclass(frozen=True)
class Pair:
    """Docstring that goes."""

    left: int
    right: int = CONSTANT

    @property
    def total(self) -> int:
        """Their sum."""
        return self.left + self.right


def uses_a_class(n):
    return Pair(n).total


def test_plain_classes_come_along(tmp_path):
    got = extract([uses_a_class])
    assert got.imports == ["from dataclasses import dataclass"]
    text = "\n".join([*got.imports, *got.pieces, "print(uses_a_class(4))"])
    assert "Docstring" not in text
    (tmp_path / "alone.py").write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", "alone.py"], capture_output=True, text=True,
                          cwd=tmp_path, check=True)  # fmt: skip
    assert done.stdout == "7\n"


def closure(k):
    return lambda n: n + k


def test_what_a_script_cannot_have_is_refused_where_it_is_reached():
    assert extract([uses_pytest]).missing == {"pytest": "it imports pytest"}
    reached = "def f():\n    return pytest.approx(1)\nprint(f())\n"
    with pytest.raises(NotStandAlone, match="it imports pytest"):
        ex._shortened(reached, {"pytest": "it imports pytest"})
    spared = "def f(n):\n    if n:\n        return pytest.approx(1)\n    return 2\nprint(f(0))\n"
    assert "pytest" not in ex._shortened(f'"""Doc."""\n{spared}', {"pytest": "it imports pytest"})


@pytest.mark.parametrize("function", [closure(1), len])
def test_what_cannot_stand_alone_is_refused(function):
    with pytest.raises(NotStandAlone):
        extract([function])
