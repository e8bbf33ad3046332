"""Clauses of a source: what the reader takes, what it refuses, and that the library's can be read."""

import copy
from pathlib import Path

import pytest

from theorycheck.library.loading import bundled
from theorycheck.sources.clauses import check_against, clauses_from_table, clauses_of
from theorycheck.sources.entries import RegisterError
from theorycheck.sources.register import load_register

GOOD = {
    "statement": [
        {
            "id": "max-margin",
            "lines": "10-20",
            "confused_with": [{"says": "for every p", "truth": "false at 9"}],
            "hypothesis": [{"id": "odd", "says": "p is odd", "printed": True}],
            "clause": [
                {
                    "id": "attained",
                    "says": "the margin is attained",
                    "tex": "\\exists\\theta",
                    "prefix": ["forall p in primes", "exists theta in networks"],
                    "body": "margin == gamma",
                    "kind": "optimality",
                    "status": "holds",
                    "provable": True,
                }
            ],
        }
    ]
}


def changed(**entries):
    table = copy.deepcopy(GOOD)
    table["statement"][0]["clause"][0].update(entries)
    return table


def test_a_statement_is_read():
    asserted = clauses_from_table(GOOD)["max-margin"]
    clause = asserted.by_id()["attained"]
    assert clause.key == "max-margin/attained"
    assert clause.names == ("p", "theta")
    assert clause.lines == "10-20"
    assert asserted.hypotheses[0].printed
    assert (clause.waits, clause.out_of_reach) == ("", "")
    waiting = clauses_from_table(changed(waits="a proof"))["max-margin"].by_id()["attained"]
    assert waiting.waits == "a proof"
    assert (clause.tried, waiting.tried) == ("", "")
    tried = clauses_from_table(changed(tried="typed at p = 3"))["max-margin"].by_id()["attained"]
    assert tried.tried == "typed at p = 3"
    assert asserted.confused_with[0].truth == "false at 9"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (changed(kind="theorem"), "kind is 'theorem'"),
        (changed(status="true"), "status is 'true'"),
        (changed(provable="yes"), "provable is a"),
        (changed(prefix=["forall p in primes", "forall p in primes"]), "quantified twice"),
        (changed(prefix=["every p"]), "cannot be read"),
        (changed(extra="x"), "unknown key 'extra'"),
        (changed(body=""), "body is empty"),
        (changed(waits=""), "waits is empty"),
        (changed(waits="a proof", out_of_reach="needs weights"), "out_of_reach and waits"),
        (changed(tried=""), "tried is empty"),
        (changed(tried="typed", provable=False), "tried: the clause is not marked provable"),
        ({"statement": GOOD["statement"] * 2}, "occurs twice"),
        ({"statements": []}, "unknown key"),
    ],
)
def test_what_is_refused(table, text):
    with pytest.raises(RegisterError, match=text):
        clauses_from_table(table)


def test_two_clauses_of_one_name_are_refused():
    table = copy.deepcopy(GOOD)
    table["statement"][0]["clause"] *= 2
    with pytest.raises(RegisterError, match="clause 'attained' occurs twice"):
        clauses_from_table(table)


def test_clauses_of_strangers_are_refused():
    with pytest.raises(RegisterError, match=r"is not in statements\.toml"):
        check_against(clauses_from_table(GOOD), ["min-margin"])


def test_a_source_without_clauses_has_none(tmp_path):
    assert clauses_of(tmp_path) == {}


SOURCES = [f for f in sorted(bundled().iterdir()) if (f / "statements.toml").is_file()]


@pytest.mark.parametrize("folder", SOURCES, ids=lambda f: f.name)
def test_every_statement_of_the_library_has_clauses(folder: Path):
    asserted = clauses_of(folder)
    known = load_register(folder).by_id()
    check_against(asserted, list(known))
    silent = {id for id in known if not asserted[id].clauses}
    assert {id for id in silent if not known[id].out_of_reach} == set()


@pytest.mark.parametrize("folder", SOURCES, ids=lambda f: f.name)
def test_an_absolute_constant_stands_before_everything_that_varies(folder: Path):
    for asserted in clauses_of(folder).values():
        for clause in asserted.clauses:
            for place, q in enumerate(clause.prefix):
                if q.kind == "const" and q.depends == ():
                    assert {p.kind for p in clause.prefix[:place]} <= {"const"}, clause.key
