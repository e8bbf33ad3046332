"""Clause by clause on the page and in ``report.md``: the source's lines, our words, and what came of a proof."""

from __future__ import annotations

from dataclasses import replace

from small_entries import entry, report

from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.reports.claim_view import Beside, clause_rows
from theorycheck.reports.formats import html, md
from theorycheck.reports.present import Presentation
from theorycheck.sources.clauses import Asserted
from theorycheck.sources.register import Register, Source, Statement
from theorycheck.sources.standing import statuses

PREFIX = parse_prefix(["forall k in N"])
UPPER = Clause("s", "upper", "It is low.", "x", PREFIX, "b", "order", "holds", True, lines="7")
EXACT = Clause("s", "exact", "It is k.", "x", PREFIX, "b", "order", "holds", True, lines="8-9")
TOLD = replace(UPPER, as_printed="'some k' includes 0", tried="typed at k = 2; undecided")
SOURCE = Source("toy", "Toy", ("A. Author",), "first edition", "by hand", ())
CLAIM = entry(
    "c",
    source="toy",
    states=("s",),
    rung="certified",
    encodes="part",
    clauses=[{"id": "s/upper", "status": "checked"}, {"id": "s/exact", "status": "proved"}],
)


def register(*clauses: Clause) -> Register:
    row = Statement("s", ("Lemma 1",), "Sums", "main", "identity", "The sum is $k$.")
    return Register(SOURCE, (row,), asserted={"s": Asserted("s", "6-9", (), clauses)})


def rows(*clauses: Clause):
    made = register(*clauses)
    found = statuses([made], {"c": CLAIM})
    beside = Beside({"s": (made.statements[0], made)}, found, {"c": CLAIM})
    return clause_rows(CLAIM, beside, Presentation())


def test_a_clause_is_shown_with_its_lines_the_print_and_what_came_of_its_proof() -> None:
    bare, exact = rows(UPPER, EXACT)
    assert (bare.lines, bare.printed, bare.proof) == ("line 7", "", "no proof was tried")
    assert (exact.lines, exact.proof) == ("lines 8-9", "")
    told, _ = rows(TOLD, EXACT)
    assert told.printed == "as printed (line 7): 'some k' includes 0"
    assert told.proof == "proof tried: typed at k = 2; undecided"


def test_the_text_report_tells_the_statements_clause_by_clause() -> None:
    made = register(UPPER, EXACT)
    text = md.render(report(CLAIM), [made], statuses([made], {"c": CLAIM}))
    assert "- Lemma 1 (lines 6-9): checked (certified)\n" in text
    assert "  - upper: checked\n  - exact: proved\n" in text


def test_the_map_says_whose_words_it_has_and_each_clause() -> None:
    view = html._map(register(TOLD, EXACT), {"c": CLAIM})
    (row,) = view.rows
    assert (row.one_line, row.lines) == ("The sum is $k$.", "lines 6-9")
    assert row.clauses == ["upper: checked", "exact: proved"]
