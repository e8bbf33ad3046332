"""Every refuted claim of the library comes with a script that finds both sides by itself."""

import ast
import subprocess
import sys

import pytest

from theorycheck.cli import call
from theorycheck.library.loading import load_all
from theorycheck.record.runs import read_report
from theorycheck.reports import export as ex
from theorycheck.reports.source import ALLOWED

PARTS = 3
WITHOUT_A_SCRIPT = {
    "contamination-negative-correlation-printed",  # decided by a proof: there is no number
    "granularity-norm-is-sum-printed",  # a step of the network, which runs on FLINT's balls as well
    "granularity-projections-printed",  # both sides lie below the slack for rounding
    "nuclear-negative-part",  # an optimum in FLINT's balls, which a script does without
    "decoupling-weight-gradient-printed",  # dual numbers in FLINT's balls
    "decoupling-winners-above-printed",  # Gaussian tails in FLINT's balls
    "structured-sim-parity-cosines-printed",  # erf of millions of pre-activations: NumPy has none
    "structured-sim-dims-one-step-printed",  # the same
    "structured-two-step-bias-printed",  # a proof: two comparisons, no number that is measured
    "contamination-padding-resized",  # decided by a proof: there is no number
    "looped-error-bound-any-step",  # runs in pieces that fit the processor's cache, cut by the engine
}


@pytest.mark.parametrize(
    "part", [pytest.param(i, marks=pytest.mark.slow if i else ()) for i in range(PARTS)]
)
def test_scripts_of_refuted_claims_recompute_both_sides(part, tmp_path):
    """`export` compares both numbers with the run's before it says that a script simulates."""
    items = [item for item in load_all() if item.claim.expect == "fail"][part::PARTS]
    folder = tmp_path / "run"
    call(["run", *(i.claim.id for i in items), "--profile", "smoke", "--out", str(folder)])
    report = read_report(folder)
    assert len(items) >= 20
    without = {}
    for item in items:
        made = ex.export(report, folder, item.claim.id, items)
        if not made.simulates:
            without[item.claim.id] = made.why_not
            continue
        assert len(made.script.splitlines()) <= ex.MOST_LINES + 120
        begun = [n.lineno for n in ast.walk(ast.parse(made.script)) if isinstance(n, ast.stmt)]
        assert len(set(begun)) == len(begun)  # a statement a line
        modules = {
            (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
            for node in ast.walk(ast.parse(made.script))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert modules <= ALLOWED | {"__future__"}, item.claim.id
        file = tmp_path / f"{item.claim.id}.py"
        file.write_text(made.script, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", str(file)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=True,
        )
        assert done.stdout == made.output
        assert done.stdout.splitlines()[-1].endswith("False"), item.claim.id
    assert without.keys() == WITHOUT_A_SCRIPT & {i.claim.id for i in items}, without
