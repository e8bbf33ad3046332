"""`new`: every template runs as it stands, the register of a paper loads, nothing is overwritten."""

import json
from pathlib import Path

import pytest

from theorycheck.claims.functions import ClaimError
from theorycheck.cli import call
from theorycheck.cli.templates import KINDS
from theorycheck.sources.clauses import clauses_of
from theorycheck.sources.papers import read_paper, register_text
from theorycheck.sources.register import load_register

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


TRICKY = r"""
\documentclass{article}
\newtheorem{thm}{Theorem}[section]
\newtheorem{lem}[thm]{Lemma}
\newtheorem*{folk}{Theorem}
\newtheorem{defi}[thm]{Definition}
\newcommand{\bthm}{\begin{thm}}
\newcommand{\ethm}{\end{thm}}
\newcommand{\lemref}[1]{Lemma~\ref{#1}}
\def\blem{\begin{lem}}
\def\elem{\end{lem}}
\title[Short]{Rates \emph{beyond} the $L_2$ norm}
\begin{document}
\section{Introduction}
% \begin{thm}\label{thm:commented} \end{thm}
\begin{defi}\label{def:a} A thing. \end{defi}
\bthm[Main {[sharp]} "result"]\label{thm:main}
It is \begin{equation}\label{eq:main} x \le 100\% \end{equation} always.
\ethm
\section*{Without a number}
\section{Proofs}
\blem\label{lem:key} Under \cref{def:a}. \elem
\begin{proof} As in \eqref{eq:main}, but simpler. \end{proof}
\begin{lem}\label{lem:two} By \lemref{lem:key}. % see \ref{thm:main}
\end{lem}
\begin{proof}[Proof of \Cref{thm:main}] Combine \Cref{lem:key, lem:two} and \cref{eq:nowhere}. \end{proof}
\iffalse \begin{lem}\label{lem:dead} dead \end{lem} \fi
\begin{verbatim}
\begin{lem}\label{lem:shown} \end{lem}
\end{verbatim}
\begin{folk}[Folklore] No number. \end{folk}
\input{sub/more}
\input{../secret}
\end{document}
\begin{lem}\label{lem:after} after the end \end{lem}
"""

APPENDIX = r"""
\appendix
\section{More}
\begin{restatable}[Restated]{thm}{Big}\label{thm:big} Big by \cref{lem:key}. \end{restatable}
\Big*
\begin{proof}
\begin{lem}\label{lem:inner} inner \end{lem}
\begin{proof} by \cref{lem:two} \end{proof}
From \cref{lem:inner} and \autoref{thm:main}.
\end{proof}
\input{paper}
\input{sub/more}
"""


@pytest.fixture
def tricky(tmp_path):
    folder = tmp_path / "paper"
    (folder / "sub").mkdir(parents=True)
    (folder / "paper.tex").write_text(TRICKY)
    (folder / "sub" / "more.tex").write_text(APPENDIX)
    (tmp_path / "secret.tex").write_text(r"\begin{lem}\label{lem:secret} secret \end{lem}")
    return folder / "paper.tex"


def test_macros_shared_counters_inputs_and_restated_theorems(tricky):
    paper = read_paper(tricky)
    assert paper.title == "Rates beyond the L_2 norm"
    assert [(f.name, f.labels[:1]) for f in paper.statements] == [
        ("Theorem 1.2", ["thm:main"]),
        ("Lemma 2.1", ["lem:key"]),
        ("Lemma 2.2", ["lem:two"]),
        ("", []),
        ("Theorem A.1", ["thm:big"]),
        ("Lemma A.2", ["lem:inner"]),
    ]
    assert paper.statements[0].title == "Main [sharp] result"


def test_proofs_belong_to_what_they_prove(tricky, tmp_path):
    folder = tmp_path / "mine"
    assert call(["new", str(folder), "--from", str(tricky)]) == 0
    register = load_register(folder / "statements.toml")
    assert {s.id: s.uses for s in register.statements} == {
        "mine-thm-main": ("mine-lem-key", "mine-lem-two"),
        "mine-lem-key": (),  # what it recalls of the theorem would close a circle
        "mine-lem-two": ("mine-lem-key",),
        "mine-theorem-folklore": (),
        "mine-thm-big": ("mine-lem-key", "mine-lem-inner", "mine-thm-main"),
        "mine-lem-inner": ("mine-lem-two",),
    }
    assert (
        "mine-thm-main too, which would run in a circle" in (folder / "statements.toml").read_text()
    )


@pytest.mark.parametrize(
    ("definition", "name"),
    [
        (r"\declaretheorem[name=Main Lemma,numberwithin=section]{ml}", "Main Lemma 1.1"),
        (r"\declaretheorem[name={Big, Bound}]{ml}", "Big, Bound 1"),
        (r"\declaretheorem{thm}\declaretheorem[sibling=thm]{ml}", "Ml 1"),
        (r"\declaretheorem[numbered=no,name=Fact]{ml}", ""),
        (r"\newtheorem{ml}{\scshape Key Lemma}", "Key Lemma 1"),
    ],
)
def test_declared_theorems(tmp_path, definition, name):
    paper = tmp_path / "p.tex"
    paper.write_text(
        definition + r"\begin{document}\section{A}\begin{ml}[label=m,name={T, too}] x \end{ml}"
    )
    (found,) = read_paper(paper).statements
    assert found.name == name
    assert (found.labels, found.title) == (["m"], "T, too")


@pytest.mark.parametrize(
    "text",
    [
        r"\begin{lem} never closed \ref{",
        r"\begin{lem}[never closed",
        r"\begin{lem}\label{a} \cref{a,,b} \end{lem} \end{proof} \end{lem}",
        r"\begin{restatable}{lem}",
        r"\newcommand{\x}{\begin{lem}\x} \x \begin{lem} \end{lem}",
        r"\begin{proof} first \end{proof} \begin{lem} \end{lem}",
        "\\",
    ],
)
def test_broken_sources_are_read_as_far_as_they_go(tmp_path, text):
    paper = tmp_path / "p.tex"
    paper.write_text(text)
    try:
        made = register_text(read_paper(paper), "p", "p")
    except ClaimError as error:
        assert "no statement found" in str(error)
    else:
        (tmp_path / "statements.toml").write_text(made)
        assert load_register(tmp_path / "statements.toml").statements


def test_two_statements_with_one_label_have_two_ids(tmp_path):
    paper = tmp_path / "p.tex"
    paper.write_text(r"\begin{lem}\label{a} \end{lem}\begin{lem}\label{a} \end{lem}" * 2)
    (tmp_path / "statements.toml").write_text(register_text(read_paper(paper), "p", "p"))
    ids = [s.id for s in load_register(tmp_path / "statements.toml").statements]
    assert ids == ["p-a", "p-a-2", "p-a-3", "p-a-4"]


def test_from_a_paper_to_a_run_without_an_edit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store.sqlite"))
    (tmp_path / "paper.tex").write_text(r"\title{Mine}\author{Ada Author \and Ben Writer}" + PAPER)
    assert call(["new", "mine", "--from", "paper.tex"]) == 0
    register = load_register(tmp_path / "mine")
    assert register.source.authors == ("Ada Author", "Ben Writer")
    assert [len(register.clauses_of(s.id)) for s in register.statements] == [1, 1, 1]
    assert call(["new", "mine/lem_key.py"]) == 0
    assert 'states="mine-lem-key"' in (tmp_path / "mine" / "lem_key.py").read_text()
    assert call(["new", "mine/x.py", "--kind", "bound", "--id", "x"]) == 0
    capsys.readouterr()
    assert call(["run", "mine", "--profile", "smoke", "--json", "-n", "1"]) == 0
    counts = json.loads(capsys.readouterr().out)["summary"]
    assert (counts["claims"], counts["as_expected"]) == (2, 2)


def test_what_a_paper_says_keeps_its_mathematics_and_a_chance_gets_a_distribution(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("paper.tex").write_text(
        r"\documentclass{article}\newtheorem{thm}{Theorem}\begin{document}"
        r"\begin{thm}\label{t:a} With probability at least $1-\delta$ some $w$ with $\|w\| \le 1$ has "
        r"$\langle w, x\rangle \ge \frac{1}{2}$.\end{thm}\end{document}"
    )
    assert call(["new", "mine", "--from", "paper.tex"]) == 0
    assert call(["new", "mine/t-a.py"]) == 0
    (asserted,) = clauses_of(Path("mine").resolve()).values()
    assert asserted.clauses[0].says == (
        r"With probability at least $1-\delta$ some $w$ with $\|w\| \le 1$ has "
        r"$\langle w, x\rangle \ge \frac{1}{2}$."
    )
    assert "rng" in Path("mine/t-a.py").read_text(encoding="utf-8")


def test_a_placeholder_has_no_say_in_a_statement_s_status(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.tex").write_text(PAPER)
    call(["new", "mine", "--from", "paper.tex"])
    for kind in KINDS:
        call(["new", f"mine/{kind}_one.py", "--kind", kind])
        assert 'role="variant"' in (tmp_path / "mine" / f"{kind}_one.py").read_text()


@pytest.mark.parametrize("there", ["statements.toml", "clauses.toml"])
def test_no_register_and_no_clauses_are_overwritten(tmp_path, monkeypatch, capsys, there):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.tex").write_text(PAPER)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / there).write_text("precious")
    assert call(["new", "mine", "--from", "paper.tex"]) == 4
    assert [f.name for f in (tmp_path / "mine").iterdir()] == [there]
    assert "exists already" in capsys.readouterr().err
