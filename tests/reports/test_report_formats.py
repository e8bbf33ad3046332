"""CSV, JUnit, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_entries import edited

from theorycheck.library.selecting import select
from theorycheck.reports import ReportError, write_format
from theorycheck.reports.formats import csv as table
from theorycheck.reports.formats import formats, junit, latex, md
from theorycheck.reports.typeset import latex_escape, latex_text
from theorycheck.reports.words import resolution_words


@pytest.fixture(scope="module")
def items(done):
    return select([str(done.folder.parent.parent / "library")])


def test_formats_are_those_of_the_contract():
    assert formats() == ["csv", "html", "junit", "latex", "md"]


def test_an_unknown_format_says_which_there_are(done):
    with pytest.raises(ReportError, match="formats are csv, html, junit, latex, md"):
        write_format(done.folder, "pdf")


def test_csv_has_a_row_a_claim(done):
    rows = list(csv.DictReader(io.StringIO(table.render(done.report))))
    assert [r["id"] for r in rows] == [e.id for e in done.report.claims]
    failing = next(r for r in rows if r["id"] == "toy-power-sum")
    assert failing["standing"] == "refuted"
    assert failing["counterexample_at"] == "n=1"
    assert failing["counterexample_closed_form"] == "1/3"


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "@x"])
def test_csv_holds_no_formula_for_a_spreadsheet(done, text):
    titled = edited(done.report, lambda e: {"title": text})
    row, *_ = csv.DictReader(io.StringIO(table.render(titled)))
    assert row["title"] == "'" + text


def test_junit_counts_what_is_not_as_expected(done):
    root = ET.fromstring(junit.render(done.report))
    suite = root.find("testsuite")
    assert suite.get("tests") == "7"
    assert suite.get("errors") == "1"
    assert suite.get("failures") == "0"
    (broken,) = [c for c in suite if c.find("error") is not None]
    assert broken.get("name") == "toy-broken"


def test_junit_fails_for_an_unexpected_verdict(done):
    wanted = edited(done.report, lambda e: {"expected": "pass"})
    suite = ET.fromstring(junit.render(wanted)).find("testsuite")
    assert suite.get("failures") == "1"
    (failed,) = [c for c in suite if c.find("failure") is not None]
    assert "measured 1, claimed 1/3" in failed.find("failure").text


def test_markdown_tables_survive_bars_in_titles(done):
    text = md.render(done.report)
    assert "## What fails as printed, and what survives" in text
    assert "  - survives: `toy-power-sum-corrected`" in text
    assert "**1 refuted**: false: a counterexample" in text
    assert "n=1: measured 1, claimed 1/3" in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(rows) == 7
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {8}


@given(st.text(max_size=40))
def test_escaped_text_holds_no_active_character(text):
    escaped = latex_escape(text)
    assert escaped.isascii()
    bare = re.sub(r"\\[a-zA-Z]+\{?\}?|\\[{}$&#%_^~,]", "", escaped)
    assert not set(bare) & set("$&#%_^\\") - set()


@pytest.fixture(scope="module")
def written(done, items):
    return latex.write(done.report, done.folder, items).parent


def test_latex_has_a_row_and_a_paragraph_a_claim_and_a_figure_for_each_drawn(done, written):
    table_text = (written / "table.tex").read_text(encoding="utf-8")
    appendix = (written / "appendix.tex").read_text(encoding="utf-8")
    assert table_text.count(r"\\") >= 7
    assert appendix.count(r"\subsection*{") == 7
    assert r"A factorial under its bound \& more" in appendix
    for name in re.findall(r"\{figures/([^}]+)\}", appendix):
        assert (written / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    assert appendix.count("includegraphics") == 5


def test_statements_have_a_row_each_with_number_and_verdict(written):
    text = (written / "statements.tex").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.endswith(r"\\") and " & " in line]
    assert len(rows) == 6
    assert any("Theorem 3" in row for row in rows)


def test_verdicts_are_macros_by_id(written):
    text = (written / "verdicts.tex").read_text(encoding="utf-8")
    assert r"\csname tc@v@toy-power-sum\endcsname{refuted" in text
    assert r"\providecommand\tcverdict[1]" in text and r"\providecommand\tcbadge[1]" in text


def test_claims_are_named_by_the_numbers_of_their_statements(written):
    appendix = (written / "appendix.tex").read_text(encoding="utf-8")
    assert re.search(r"\\subsection\*\{(Theorem|Lemma|Proposition) \d", appendix)


def test_what_holds_says_in_latex_how_sharply(done):
    for entry in done.report.claims:
        if entry.verdict == "pass" and entry.resolution is not None:
            assert latex_text(resolution_words(entry)) in latex.verdict_sentence(entry), entry.id


def test_a_command_is_not_broken_inside_of_an_option(written):
    appendix = (written / "appendix.tex").read_text(encoding="utf-8")
    assert r"toy-\allowbreak{}sum -{}-profile smoke" in appendix
    assert r"-{}-no-\allowbreak{}cache" in appendix


def test_mathematics_passes_through_to_latex():
    assert latex_text(r"at most $2^{2k-2}$ & more") == r"at most $2^{2k-2}$ \& more"


def test_latex_braces_balance(written):
    for file in written.glob("*.tex"):
        text = re.sub(r"\\[{}]", "", file.read_text(encoding="utf-8"))
        assert text.count("{") == text.count("}"), file.name


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_compiles(written):
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=written,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Undefined control sequence" not in done.stdout
