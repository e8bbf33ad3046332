"""An audit of a small library with planted weaknesses: each is found, the sound claim has no survivor."""

import json
from dataclasses import replace

import pytest
import sympy as sp

from theorycheck import at_least, at_most, claim, integers, leg, variant
from theorycheck.audit.baseline import Baseline
from theorycheck.audit.declared import declared_changes
from theorycheck.audit.figures import added, clean_sources, read_figures
from theorycheck.audit.noticed import _known, keep_noticed, lost, read_noticed, unexplained
from theorycheck.audit.run import audit
from theorycheck.audit.summary import as_json, clean, counted, report, text
from theorycheck.audit.trial import Finding, TrialResult
from theorycheck.claims.formula import formula
from theorycheck.claims.functions import ClaimError
from theorycheck.cli import call
from theorycheck.cli.audit import _gated
from theorycheck.library.loading import load_all
from theorycheck.plan.settings import Settings

MODEL = '''
"""A shared model."""


def squares(n):
    slack = sum(k * (k - n) * (n - n) for k in range(n))
    return sum(k * k for k in range(n + 1)) + slack
'''

CLAIMS = '''
"""Claims of the small library."""

import sympy as sp
from theorycheck import at_most, claim, integers, variant

from ._model import squares

n = sp.symbols("n", integer=True, positive=True)


def cubes(n):
    return sum(k**3 for k in range(n + 1))


sums = claim(
    "small-sums", domain={n: integers(1)}, grid={"smoke": {n: [2, 3, 5]}},
    closed_form=n * (n + 1) * (2 * n + 1) / 6,
    rivals=[variant("n^3/3", closed_form=n**3 / 3)],
)(squares)


def measured(n):
    return squares(n)


blunt = claim(
    "small-bound", domain={n: integers(1)}, grid={"smoke": {n: [1]}},
    relation=at_most(), closed_form=50 * n**3, rivals=[variant("n/2", closed_form=n / 2)],
)(cubes)
'''


HEAD = """
import sympy as sp
from theorycheck import claim, integers, variant

n = sp.symbols("n", integer=True, positive=True)
"""

DRAWN = """
from theorycheck import equals, instances, leg


def drawn(rng, n):
    return {"v": [1, 3, 2]}


def total(v, n):
    return n * sum(x * x for x in v)


def one_by_one(v, n):
    return n * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)


def twice(v, n):
    return 2 * one_by_one(v, n)


drawn_sums = claim(
    "small-drawn", domain={n: integers(1)}, grid={"smoke": {n: [2]}}, relation=equals(),
    legs=[leg("x", total, arithmetic="exact", reference=one_by_one, instances=instances(drawn, "v", smoke=2))],
    rivals=[variant("twice", reference=twice)],
)
"""


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library" / "small"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text("")
    (folder / "_model.py").write_text(MODEL)
    (folder / "claims.py").write_text(CLAIMS)
    return folder


def audited(folder, **how):
    return audit(load_all([folder.parent]), Settings("smoke"), **how)


def by_line(mutants, word):
    return [m for m in mutants if word in m.old]


def test_lines_without_effect_are_told_from_lines_that_count(library):
    found = audited(library)
    lines = MODEL.splitlines()
    of_model = [m for m in found if m.file == "_model.py"]
    empty = [m for m in of_model if "slack =" in lines[m.line - 1] or "slack" in m.old]
    counts = [m for m in of_model if m not in empty and m.kind != "constant"]
    assert any(m.finding.found is TrialResult.NO_EFFECT for m in empty)
    assert counts and {m.finding.found for m in counts} <= {TrialResult.NOTICED, TrialResult.BROKEN}


def test_a_bound_that_could_be_anything_says_how_large_its_slack_is(library):
    found = [m for m in audited(library) if m.function == "cubes"]
    assert any(m.finding.found is TrialResult.SLACK and "tightness" in m.finding.why for m in found)


def test_an_equality_whose_rivals_lie_on_one_side_can_be_weakened_unseen(library):
    weakened = [m for m in audited(library) if m.kind == "equality weakened"]
    assert {m.new: m.finding.found for m in weakened} == {
        "equals -> at_most": TrialResult.SURVIVED,  # its only rival is smaller: it falls anyway
        "equals -> at_least": TrialResult.NOTICED,
    }


def test_a_proof_states_its_relation_itself_and_so_may_a_leg():
    def weakened(a_claim):
        return [c for c in declared_changes(a_claim) if c.kind == "equality weakened"]

    proved = formula("proved", says="n + 1 > n", over="n in 1..oo", rivals={"r": "n > 1"})
    assert not weakened(proved)
    n = sp.symbols("n", integer=True, positive=True)

    def one(n):
        return n

    def between(*legs):
        grid = {"smoke": {n: [1, 2]}}
        rival = [variant("n + 1", closed_form=n + 1)]
        return claim(
            "between",
            domain={n: integers(1)},
            closed_form=n,
            legs=list(legs),
            grid=grid,
            rivals=rival,
        )

    above, below = leg("above", one, relation=at_most()), leg("below", one, relation=at_least())
    assert not weakened(between(above, below))
    assert len(weakened(between(above, leg("equal", one)))) == 2


def test_any_number_of_workers_and_a_journal_give_the_same(library, tmp_path):
    journal = tmp_path / "findings.jsonl"
    alone = audited(library, journal=journal)
    together = audited(library, workers=2)
    assert alone == together
    kept = journal.read_text().splitlines()
    assert audited(library, journal=journal) == alone
    assert journal.read_text().splitlines() == kept  # nothing was tried again
    journal.write_text("\n".join(kept[:5]) + '\n{"key": "cut')
    assert audited(library, journal=journal) == alone


def test_the_cheapest_changes_are_tried_first(library, monkeypatch):
    cost = {"small-sums": 5.0, "small-bound": 1.0}
    monkeypatch.setattr(Baseline, "seconds", lambda base, legs: cost[base.item.id])
    order = []
    found = audited(library, watch=lambda done, total, mutant: order.append(mutant))
    files = [m.file for m in order if m and m.line]
    assert files == sorted(files, reverse=True) and len(set(files)) == 2
    assert [m.file for m in found if m.line] == files[::-1]  # what is told keeps its order


def test_an_error_of_the_engine_is_no_success(library, monkeypatch):
    monkeypatch.setattr("theorycheck.audit.trial.make_plan", lambda *a: {}["plan"])
    found = [m.finding for m in audited(library)]
    assert {f.found for f in found} == {TrialResult.UNREACHED}
    assert {f.why for f in found} == {"internal error: KeyError: 'plan'"}


def test_what_is_not_reached_is_no_success(library):
    found = audited(library, budget=1e-9)
    assert found and all(m.finding.found is TrialResult.UNREACHED for m in found)
    assert not clean(found)
    row = counted(found)
    assert row["unreached"] == row["changes"] == len(found)


def test_an_author_explains_a_line_by_its_text(library):
    (weakened,) = [m for m in audited(library) if m.unexplained and "at_most" in m.new]
    (library / "audit.toml").write_text(
        f'[[change]]\nfunction = "small-sums"\nold = "{weakened.old}"\nnew = "{weakened.new}"\n'
        'why = "the rival below is enough here"\n'
    )
    again = [m for m in audited(library) if (m.function, m.new) == ("small-sums", weakened.new)]
    assert [m.explained for m in again] == ["the rival below is enough here"]
    assert not again[0].unexplained


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("change = 3", "only \\[\\[change\\]\\] tables"),
        ("[[change]]\nfunction = 'f'", "write function, old, new, why"),
        ("[[change]", "is not TOML"),
    ],
)
def test_explanations_that_are_none_end_in_one_line(library, content, line):
    (library / "audit.toml").write_text(content)
    with pytest.raises(ClaimError, match=line):
        audited(library)


def test_the_figures_add_up_and_survivors_are_named_by_line(library):
    found = audited(library)
    shown = as_json(found)
    for row in (
        shown["total"],
        *(r for parts in shown["sources"].values() for r in parts.values()),
    ):
        assert row["changes"] == sum(v for k, v in row.items() if k != "changes")
    unnoticed = {k: v for k, v in shown["total"].items() if k not in ("changes", "noticed")}
    assert len(shown["left"]) == sum(unnoticed.values())
    assert "equality weakened" in text(found)


def test_the_command_ends_with_6_where_something_survives(library, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert call(["audit", str(library.parent), "--json", "--out", "kept"]) == 6
    shown = json.loads(capsys.readouterr().out)
    assert shown["total"]["unexplained"] > 0
    assert json.loads((tmp_path / "kept" / "audit.json").read_text()) == shown
    assert "| all |" in (tmp_path / "kept" / "audit.md").read_text()


def test_the_report_groups_by_what_was_changed_and_adds_up(library):
    found = audited(library)
    shown = report(found)
    rows = [line.split(" | ") for line in shown.splitlines() if line.startswith("| ")]
    by_kind = {r[0][2:]: r for r in rows}
    assert by_kind["shared models"][-1] == "126 of 409 |"
    assert by_kind["equality weakened"][1:3] == ["2", "1"]
    (first_total, *_) = [r for r in rows if r[0] == "| all"]
    kinds = rows[1 : rows.index(first_total)]
    assert sum(int(r[1]) for r in kinds) == int(first_total[1]) == len(found)
    assert "Explained" not in shown


def test_figures_of_whole_sources_are_kept_beside_each_other(library, tmp_path):
    kept = tmp_path / "figures"
    row = dict(counted([]), changes=3, noticed=2, unexplained=1)
    kept.mkdir()
    before = {"schema": 1, "sources": {"other": {"simulations": row}}}
    (kept / "figures.json").write_text(json.dumps(before))
    assert call(["audit", str(library), "--report", str(kept)]) == 6
    figures = read_figures(kept)
    assert list(figures) == ["other", "small"] and clean_sources(figures) == frozenset()
    page = (kept / "README.md").read_text()
    total, of_kind = (added(r.values())["changes"] for r in figures.values()), {}
    assert f"| all | {sum(total)} |" in page
    for rows in figures.values():
        for kind, one in rows.items():
            of_kind[kind] = of_kind.get(kind, 0) + one["changes"]
    assert f"| simulations | {of_kind['simulations']} |" in page and "| 173 of 599 |" in page
    assert "| equality weakened | 2 |" in (kept / "small.md").read_text()


def test_figures_are_kept_of_whole_sources_only(library, tmp_path, capsys):
    kept = str(tmp_path / "figures")
    assert call(["audit", str(library / "claims.py"), "--report", kept]) == 4
    assert call(["audit", str(library), "--since", "HEAD", "--report", kept]) == 4
    assert "whole sources" in capsys.readouterr().err
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "figures.json").write_text('{"schema": 1}')
    assert call(["audit", str(library), "--report", kept]) == 4
    assert "delete it and audit again" in capsys.readouterr().err


def test_only_a_source_that_was_clean_is_held_to_it(library, tmp_path, capsys):
    kept = tmp_path / "figures"
    kept.mkdir()

    def gate(unexplained, **more):
        row = dict(counted([]), changes=1, unexplained=unexplained, noticed=1 - unexplained)
        figures = {"schema": 1, "sources": {"small": {"simulations": row}}} if more else None
        (kept / "figures.json").write_text(json.dumps(figures or {"schema": 1, "sources": {}}))
        return call(["audit", str(library), "--gate", str(kept)])

    assert gate(0) == 0  # never audited to the end
    assert gate(1, known=True) == 0
    assert gate(0, known=True) == 1
    assert "small: nothing survived unexplained before this" in capsys.readouterr().err


def test_the_gate_does_not_count_what_a_point_left_out_might_have_noticed(library):
    (weakened,) = [m for m in audited(library) if m.unexplained and "at_most" in m.new]
    partly = replace(weakened, finding=replace(weakened.finding, left=1))
    assert [_gated([m], (), {"small"}, {}) for m in (weakened, partly)] == [1, 0]


def test_evidence_that_gets_weaker_is_seen_by_what_it_no_longer_notices(library, tmp_path, capsys):
    kept, claims = tmp_path / "figures", library / "claims.py"
    claims.write_text(CLAIMS + DRAWN)
    call(["audit", str(library), "--report", str(kept)])
    assert call(["audit", str(library), "--gate", str(kept)]) == 0
    capsys.readouterr()
    # The claim stays true and passes; but whether it squares or not cannot be seen in ones.
    claims.write_text(CLAIMS + DRAWN.replace("[1, 3, 2]", "[1, 1, 1]"))
    draft = tmp_path / "draft.py"
    draft.write_text(HEAD + DRAWN.replace("[1, 3, 2]", "[1, 1, 1]"))
    out = str(tmp_path / "run")
    assert call(["run", str(draft), "--profile", "smoke", "--no-cache", "--out", out]) == 0
    assert call(["audit", str(library), "--gate", str(kept)]) == 1
    shown = capsys.readouterr().err
    assert "no longer noticed:\nsmall/claims.py" in shown and "in total" in shown


def test_lines_that_are_new_were_never_noticed(library, tmp_path):
    kept, model = tmp_path / "figures", library / "_model.py"
    assert call(["audit", str(library), "--report", str(kept)]) == 6
    model.write_text(MODEL.replace("return sum(k * k", "more = 0 * n\n    return sum(k * k"))
    assert call(["audit", str(library), "--gate", str(kept)]) == 0


def test_what_was_noticed_is_told_by_its_text_and_not_by_its_line(library, tmp_path):
    found = audited(library)
    keep_noticed(tmp_path, found)
    kept = read_noticed(tmp_path)
    (seen, *_) = [m for m in found if m.finding.found is TrialResult.NOTICED and m.line]
    by = {m.finding.claim for m in found}
    assert lost(found, kept, by) == []
    silent = Finding(TrialResult.NO_EFFECT, seen.finding.claim, "the same")
    moved = replace(seen, line=seen.line + 7, finding=silent)
    assert lost([moved], kept, by) == [moved]
    assert lost([replace(moved, explained="it is right")], kept, by) == []
    assert lost([replace(moved, finding=replace(silent, left=1))], kept, by) == []
    assert lost([replace(moved, old=seen.old + " ")], kept, by) == []
    assert lost([moved], {}, by) == [] and lost([replace(moved, source="other")], kept, by) == []
    ran_away = replace(seen, finding=Finding(TrialResult.RUNAWAY, seen.finding.claim))
    keep_noticed(tmp_path, [ran_away])
    assert lost([moved], read_noticed(tmp_path), by) == []  # that hangs on the machine


def test_a_claim_that_is_not_looked_at_noticed_what_it_did(library, tmp_path):
    """A change of a shared model, tried with the touched claim alone: another one noticed it, and still does."""
    found = audited(library)
    keep_noticed(tmp_path, found)
    kept = read_noticed(tmp_path)
    (seen, *_) = [m for m in found if m.finding.found is TrialResult.NOTICED and m.line]
    kind = (TrialResult.NO_EFFECT, TrialResult.SURVIVED)
    silent, survived = (replace(seen, finding=Finding(k, "small-other", "the same")) for k in kind)
    alone, both = {"small-other"}, {"small-other", seen.finding.claim}
    assert (lost([silent], kept, alone), lost([silent], kept, both)) == ([], [silent])
    assert unexplained([survived], kept, alone) == []
    assert unexplained([survived], kept, both) == unexplained([survived], {}, alone) == [survived]


def test_a_gate_names_what_is_no_longer_noticed(library, capsys):
    found = [m for m in audited(library) if m.finding.found is TrialResult.NOTICED and m.line]
    silent = [replace(found[0], finding=Finding(TrialResult.NO_EFFECT, "small-sums", "the same"))]
    (digest,) = [d for m, d in _known(silent)]
    kept, by = {"small": {"small-sums": digest}}, {"small-sums"}
    assert _gated(silent, by, set(), kept) == 1
    shown = capsys.readouterr().err
    assert "no longer noticed" in shown and f"{found[0].file}:{found[0].line}" in shown
    assert _gated(found[:1], by, set(), kept) == 0


def test_kept_digests_that_cannot_be_read_are_told(library, tmp_path, capsys):
    (tmp_path / "noticed.json").write_text('{"schema": 1}')
    assert call(["audit", str(library), "--gate", str(tmp_path)]) == 4
    assert "delete it and audit again" in capsys.readouterr().err


def test_touched_evidence_tries_again_what_it_has_to_notice(library):
    file = library / "draws.py"
    file.write_text(HEAD + DRAWN)
    line = file.read_text().splitlines().index("def drawn(rng, n):") + 1
    found = audited(library, touched={file: [(line, line + 1)]})
    assert {"total", "one_by_one"} <= {m.function for m in found}
    assert "squares" not in {m.function for m in found}


def test_what_the_gate_does_not_reach_is_no_failure(library, tmp_path, capsys):
    row = dict(counted([]), changes=1, noticed=1)
    (tmp_path / "figures.json").write_text(
        json.dumps({"schema": 1, "sources": {"small": {"simulations": row}}})
    )
    assert call(["audit", str(library), "--gate", str(tmp_path), "--budget", "1e-9"]) == 0
    assert "not reached: not tried within the budget: a larger --budget" in capsys.readouterr().out


def test_nothing_selected_and_nothing_named(library, capsys):
    assert call(["audit"]) == 4
    assert call(["audit", "--source", "nowhere"]) in (4, 5)
