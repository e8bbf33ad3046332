"""Stand-alone scripts: short, without theorycheck, and giving the numbers of the run."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from dataclasses import dataclass, replace

import flint
import pytest
from msgspec.structs import replace as replace_fields

from theorycheck.claims.formula import formula
from theorycheck.entries.parts import Counterexample
from theorycheck.executors.local import here
from theorycheck.library.selecting import select
from theorycheck.plan.settings import Settings
from theorycheck.record.observations import observations_of
from theorycheck.record.runs import ReportError, read_report
from theorycheck.reports import export as ex
from theorycheck.reports.alone import run_alone
from theorycheck.reports.source import ALLOWED, NotStandAlone, extract
from theorycheck.runs.run import run as run_claims

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
def test_scripts_are_readable_simulate_and_import_nothing_of_ours(made, claim):
    script = made[claim].script
    assert made[claim].simulates, made[claim].why_not
    assert max(map(len, script.splitlines())) <= 120
    begun = [n.lineno for n in ast.walk(ast.parse(script)) if isinstance(n, ast.stmt)]
    assert len(set(begun)) == len(begun)  # a statement a line
    assert "theorycheck" not in script
    modules = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            modules |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    assert modules <= ALLOWED | {"__future__"}


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
    done = subprocess.run(
        [sys.executable, "-I", str(file)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout == made["toy-descent"].output


def test_the_paragraph_is_latex_of_the_claim(made):
    text = made["toy-power-sum"].paragraph
    assert r"\frac{n^{3}}{3}" in text
    assert "Counterexample: n=1: measured 1, claimed 1/3." in text
    assert r"{figures/toy-power-sum}" in text
    assert made["toy-power-sum"].shown.figure is not None


def case_of(done, items, id):
    report = read_report(done.folder)
    entry = next(e for e in report.claims if e.id == id)
    claim = next(i.claim for i in items if i.claim.id == id)
    seen = observations_of(done.folder, id)
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
    monkeypatch.setattr(ex, "MOST_LINES", 2)
    with pytest.raises(NotStandAlone, match="it takes"):
        ex.simulating(claim, case, read_report(done.folder).run)
    script = ex.recorded(claim, case, entry, "too long")
    assert len(script.splitlines()) <= 15  # no simulation in it
    assert "too long" in script
    assert "--no-cache" in script


def test_a_recorded_script_still_tells_the_sides_apart(done, items):
    claim, case, entry = case_of(done, items, "toy-power-sum")
    output = run_alone(ex.recorded(claim, case, entry, "x")).output
    assert output.splitlines()[-1] == "agree: False"


def test_a_wrong_closed_form_turns_the_script(done, items):
    claim, case, _entry = case_of(done, items, "toy-sum")
    wrong = replace(claim, closed_form=claim.closed_form + 1)
    output = run_alone(ex.simulating(wrong, case, read_report(done.folder).run).text).output
    assert output.splitlines()[-1] == "agree: False"


def test_proofs_and_broken_claims_have_no_script(done, items):
    report = read_report(done.folder)
    assert ex.export(report, done.folder, "toy-broken", items).script is None
    with pytest.raises(ReportError, match="has no claim"):
        ex.export(report, done.folder, "nope", items)


TYPED = formula("typed", says="n**2/3 <= 10*n", over=["n in 1..oo"], expect="fail")


def typed_counterexample(**more):
    return Counterexample(point={"n": "31"}, leg=TYPED.legs[0].name, lhs="961/3", rhs="310", **more)


def test_a_typed_statement_is_shown_to_fail_at_its_counterexample():
    script = ex.refuting(TYPED, typed_counterexample())
    assert "theorycheck" not in script
    output = run_alone(script).output
    assert output == "left 320.333333333333  right 310.0\nholds: False\n"
    assert ex._sides_agree(output, typed_counterexample())
    wrong = replace_fields(typed_counterexample(), lhs="962/3")
    assert not ex._sides_agree(output, wrong)
    holds = replace_fields(typed_counterexample(), point={"n": "29"})
    assert run_alone(ex.refuting(TYPED, holds)).output.endswith("holds: True\n")


def test_sides_of_any_size_are_compared():
    """A fraction with such an exponent would be written out digit by digit."""
    tiny = replace_fields(typed_counterexample(), lhs="0e-2039745862625311695889432294877036373971")
    assert ex._sides_agree("left 0.0  right 310.0\n", tiny)
    assert not ex._sides_agree("left 0.001  right 310.0\n", tiny)


@pytest.mark.parametrize(
    "point, says, words",
    [
        ({"n": "sqrt(2)"}, "n**2/3 <= 10*n", "no rational number"),
        ({"n": "4"}, "isprime(n)", "no single comparison"),
        ({"n": "4"}, "n < 4 or n > 4", "no single comparison"),
    ],
)
def test_what_is_no_comparison_of_rational_points_has_no_such_script(point, says, words):
    typed = formula("typed", says=says, over=["n in 1..oo"], expect="fail")
    with pytest.raises(NotStandAlone, match=words):
        ex.refuting(typed, replace_fields(typed_counterexample(), point=point))


CONSTANT = 3


def uses_a_constant(n):
    """Docstring."""
    return CONSTANT * n  # and a comment


def uses_pytest(n):
    return pytest.approx(n)


def annotated(n: Outside) -> Outside:  # noqa: F821
    total: int = n
    return total


def test_extracts_bring_their_constants_and_stand_as_they_are_written():
    got = extract([uses_a_constant])
    written = inspect.getsource(uses_a_constant).rstrip()
    assert got.pieces == ["CONSTANT = 3", written]


def test_what_only_an_annotation_names_is_not_looked_for():
    assert extract([annotated]).pieces == [inspect.getsource(annotated).rstrip()]


def test_the_simulation_stands_in_its_script_as_it_is_written(made, items):
    for item in items:
        if item.claim.id in NUMERIC:
            lines = inspect.getsource(item.claim.legs[0].simulation).splitlines()
            body = lines[next(i for i, line in enumerate(lines) if line.startswith("def ")) :]
            assert "\n".join(body) in made[item.claim.id].script


@dataclass(frozen=True)
class Pair:
    """Two numbers."""

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
    assert got.pieces[1].startswith("@dataclass(frozen=True)\nclass Pair:")
    head = "from __future__ import annotations"
    text = "\n".join([head, *got.imports, *got.pieces, "print(uses_a_class(4))"])
    (tmp_path / "alone.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "alone.py"], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout == "7\n"


def closure(k):
    return lambda n: n + k


def spared(n):
    return pytest.approx(n) if n > 10**9 else 1


@pytest.mark.parametrize("simulation", [uses_pytest, spared])
def test_what_a_script_cannot_have_is_named_and_costs_it_only_where_it_is_reached(
    done, items, simulation
):
    assert extract([simulation]).missing == {"pytest": "it imports pytest"}
    claim, case, _entry = case_of(done, items, "toy-power-sum")
    case = replace(case, leg=replace(case.leg, simulation=simulation))
    script = ex.simulating(claim, case, read_report(done.folder).run)
    assert "not defined here: pytest\n" in script.text
    failed = run_alone(script.text).failed
    expected = (
        "" if simulation is spared else "by itself it breaks: NameError: name 'pytest' is not"
    )
    assert failed[: len(expected)] == expected and bool(failed) is bool(expected)


NEEDY = """
import sympy as sp
from flint import ctx
from theorycheck import claim, integers, leg

n = sp.Symbol("n", integer=True, positive=True)

def doubled(n):
    with ctx.workprec(200):
        return n + n

made = claim("needy", says="Twice n is 3 n.", domain={n: integers(1)}, grid={"smoke": {n: [1, 2]}},
             closed_form=3 * n, expect="fail", legs=[leg("added", doubled)])
"""


def test_the_reason_is_what_the_script_cannot_have_and_not_how_it_broke(tmp_path):
    (tmp_path / "needy.py").write_text(NEEDY, encoding="utf-8")
    items = select([str(tmp_path / "needy.py")])
    out = run_claims(items, Settings("smoke"), tmp_path / "run", executor=here)
    made = ex.export(out.report, out.folder, "needy", items)
    assert not made.simulates
    assert made.why_not == "it needs ctx of flint"
    assert "it needs ctx of flint" in made.script


def uses_flint(n):
    return flint.arb(n)


def test_a_module_that_a_script_cannot_have_is_named_as_one():
    assert extract([uses_flint]).missing == {"flint": "it imports flint"}


@pytest.mark.parametrize("function", [closure(1), len])
def test_what_cannot_stand_alone_is_refused(function):
    with pytest.raises(NotStandAlone):
        extract([function])
