"""`new`: every template runs as it stands, the register of a paper loads, nothing is overwritten."""

import json

import pytest

from theorycheck.claims import ClaimError
from theorycheck.cli import call
from theorycheck.papers import read_paper
from theorycheck.statement import load_register
from theorycheck.templates import KINDS

PAPER = r"""
\begin{theorem}[Main result]\label{thm:main} All is well. \end{theorem}
\begin{proof} By \cref{lem:key} and \ref{lem:other}. \end{proof}
\begin{lemma}\label{lem:key} A key. % \begin{lemma} not this one
\end{lemma}
\begin{lemma}\label{lem:other} Another, by \cref{lem:key}. \end{lemma}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_templates_hold_as_they_stand(tmp_path, capsys, kind):
    path = tmp_path / "my_claim.py"
    assert call(["new", str(path), "--kind", kind, "--title", "Mine"]) == 0
    capsys.readouterr()
    assert call(["check", str(path), "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == "holds"
    assert answer["claim"] == "my-claim"
    assert set(answer) >= {"statement", "proved", "rung", "counterexample", "kind", "lhs", "rhs",
                           "covered", "resolution", "reason", "seconds"}  # fmt: skip


def test_a_wrong_formula_is_refuted_with_its_smallest_counterexample(tmp_path, capsys):
    path = tmp_path / "wrong.py"
    call(["new", str(path), "--kind", "formula"])
    path.write_text(path.read_text().replace("closed_form=n**2,", "closed_form=n**2 + n - 1,"))
    capsys.readouterr()
    assert call(["check", str(path), "--json"]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == "refuted"
    assert answer["counterexample"] == {"n": "2"}
    assert (answer["lhs"], answer["rhs"]) == ("4", "5")


@pytest.mark.parametrize("options", [["x.txt", "--kind", "formula"], ["x.py", "--kind", "no"],
                                     ["x.py", "--kind", "formula", "--id", "A b"]])  # fmt: skip
def test_bad_options_write_nothing(tmp_path, monkeypatch, capsys, options):
    monkeypatch.chdir(tmp_path)
    assert call(["new", *options]) == 4
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text("precious")
    assert call(["new", str(path), "--kind", "formula"]) == 4
    assert path.read_text() == "precious"


def test_a_register_from_a_paper(tmp_path, capsys):
    paper = tmp_path / "paper.tex"
    paper.write_text(PAPER)
    folder = tmp_path / "my_source"
    assert call(["new", str(folder), "--from", str(paper)]) == 0
    register = load_register(folder / "statements.toml")
    uses = {s.id: s.uses for s in register.statements}
    assert uses == {
        "my-source-thm-main": ("my-source-lem-key", "my-source-lem-other"),
        "my-source-lem-key": (),
        "my-source-lem-other": ("my-source-lem-key",),
    }
    assert register.statements[0].title == "Main result"


def test_a_paper_without_statements(tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text("nothing here")
    with pytest.raises(ClaimError, match="no statement found"):
        read_paper(paper)
