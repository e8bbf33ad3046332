"""Claims in the order of the paper, failing ones with what corrects them, and the headline."""

from __future__ import annotations

import pytest
from small_entries import entry

from theorycheck.reports import paper_order, references
from theorycheck.sources.register import Citation, Register, Source, Statement


def register(*ids):
    source = Source("toy", "Toy", ("A. Author", "B. Writer"), "first edition", "by hand", ())
    rows = tuple(Statement(i, (), i, "main", "identity", "one line") for i in ids)
    return Register(source, rows)


def claimed(id, states, role="as_printed", verdict="pass", corrects=None):
    return entry(id, source="toy", states=(states,), role=role, verdict=verdict, corrects=corrects)


def test_claims_follow_the_paper_and_corrections_what_they_correct():
    entries = [
        claimed("a-last", "late"),
        claimed("b-reading", "early", "reading"),
        claimed("c-corrected", "late", "corrected", corrects="z-printed"),
        claimed("d-derived", "early", "derived"),
        claimed("z-printed", "early", verdict="fail"),
    ]
    (group,) = paper_order.by_source(entries, [register("early", "late")])
    assert [e.id for e in group.entries] == [
        "z-printed",
        "c-corrected",
        "b-reading",
        "d-derived",
        "a-last",
    ]
    assert group.title == "Toy"


def test_corrections_of_corrections_stay_behind_each_other():
    entries = [
        claimed("c", "s", "corrected", corrects="b"),
        claimed("b", "s", "corrected", corrects="a"),
        claimed("a", "s", verdict="fail"),
    ]
    (group,) = paper_order.by_source(entries, [register("s")])
    assert [e.id for e in group.entries] == ["a", "b", "c"]


def test_no_claim_is_lost_without_a_register():
    entries = [claimed("b", "x"), claimed("a", "y", "corrected", corrects="gone")]
    (group,) = paper_order.by_source(entries, [])
    assert sorted(e.id for e in group.entries) == ["a", "b"]
    assert group.register is None and group.title == "toy"


def test_what_fails_as_printed_is_listed_with_its_correction():
    mended = claimed("printed", "s", verdict="fail")
    fixed = claimed("fixed", "s", "corrected", corrects="printed")
    border = claimed("border", "s", "beyond_scope", "fail")
    (repair,) = paper_order.repairs([mended, fixed, border])
    assert repair.failed is mended and repair.corrected == (fixed,) and repair.holds
    broken = claimed("fixed", "s", "corrected", "inconclusive", corrects="printed")
    assert not paper_order.repairs([mended, broken])[0].holds


@pytest.mark.parametrize(
    ("verdicts", "statements", "said"),
    [
        (["pass"], {}, "1 claim holds"),
        (["pass", "pass"], None, "2 claims hold"),
        (["pass", "fail"], None, "1 claim holds; 1 is refuted"),
        (["pass", "fail"], {"s": False}, "1 claim holds; 1 statement fails as printed"),
        (["pass", "fail"], {"s": True},
         "1 claim holds; 1 statement fails as printed, and a corrected form of it holds"),
        (["fail", "fail"], {"s": True, "t": True},
         "0 claims hold; 2 statements fail as printed, and a corrected form of each of them holds"),
        (["fail", "fail", "inconclusive"], {"s": True, "t": False},
         "0 claims hold; 2 statements fail as printed, and a corrected form of 1 of them holds; "
         "1 is not decided"),
    ],
)  # fmt: skip
def test_the_headline_is_one_sentence_in_words_of_the_field(verdicts, statements, said):
    entries = [entry(str(i), verdict=v) for i, v in enumerate(verdicts)]
    assert paper_order.headline(entries, statements) == said


def test_a_correction_that_does_not_hold_mends_nothing():
    entries = [
        claimed("printed", "s", verdict="fail"),
        claimed("fixed", "s", "corrected", "inconclusive", corrects="printed"),
    ]
    assert paper_order.printed_failures(["s"], entries) == {"s": False}
    held = [entries[0], claimed("fixed", "t", "corrected", corrects="printed")]
    assert paper_order.printed_failures(["s"], held) == {"s": True}


def cited(type="article", **fields):
    source = Source("toy", "Toy", ("A. Author",), "first edition", "by hand",
                    (Citation(type, "key", {"author": "A", "title": "T", **fields}),))  # fmt: skip
    return references.links(source)


@pytest.mark.parametrize(
    ("fields", "text", "href"),
    [
        ({"journal": "arXiv preprint arXiv:2410.11268", "year": "2024"},
         "arXiv preprint arXiv:2410.11268, 2024", "https://arxiv.org/abs/2410.11268"),
        ({"booktitle": "Proc.", "year": "2023", "eprint": "2303.07527v2"},
         "Proc., 2023 (arXiv:2303.07527)", "https://arxiv.org/abs/2303.07527"),
        ({"journal": "J.", "year": "2020", "doi": "https://doi.org/10.1000/x"},
         "J., 2020", "https://doi.org/10.1000/x"),
        ({"booktitle": "C.", "year": "2022", "url": "https://openreview.net/forum?id=x"},
         "C., 2022", "https://openreview.net/forum?id=x"),
        ({"booktitle": "C.", "year": "2022", "url": "javascript:alert(1)"}, "C., 2022", ""),
        ({"booktitle": "C.", "year": "2022", "eprint": "not one"}, "C., 2022", ""),
    ],
)  # fmt: skip
def test_sources_are_linked_where_they_say_where(fields, text, href):
    assert cited(**fields) == [references.Link(text, href)]


def test_a_source_is_named_in_full():
    assert references.in_full(register("s").source) == "A. Author, B. Writer. Read: first edition."
    assert cited("phdthesis", school="U--M", year="2024")[0].text == "PhD thesis, U–M, 2024"


def test_what_a_drafted_register_leaves_open_is_not_shown():
    draft = Source("toy", "Toy", ("...",), "...", "by hand",
                   (Citation("misc", "key", {"author": "...", "title": "T", "year": "..."}),))  # fmt: skip
    assert references.in_full(draft) == ""
    assert references.links(draft) == []
