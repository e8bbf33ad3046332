"""Statements by their clauses: what is counted, and what no claim may make of a statement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_entries import entry

from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.reports.clause_words import clause_lines
from theorycheck.sources.clauses import Asserted
from theorycheck.sources.coverage import ClauseCounts, ProofCount, coverage
from theorycheck.sources.register import Register, Source, Statement
from theorycheck.sources.standing import StatementStatus, statuses

SOURCE = Source("demo", "demo", ("A",), "first", "typed", ())


def clause(id: str, *lines: str) -> Clause:
    return Clause("s", id, id, "tex", parse_prefix(lines), "b", "order", "holds", True)


def register(*clauses: Clause, **parts: Any) -> Register:
    values = {"labels": ("S",), "title": "s", "role": "main", "kind": "bound"}
    statement = Statement(id="s", one_line="s", **(values | parts))
    return Register(SOURCE, (statement,), asserted={"s": Asserted("s", "1", (), clauses)})


A, B = clause("a", "forall k in N"), clause("b", "forall k in N")
LATE = clause("late", "eventually d")


def covering(role: str = "as_printed", verdict: str = "pass", **clauses: str) -> Any:
    listed = [{"id": f"s/{id}", "status": status} for id, status in clauses.items()]
    rung = "certified" if verdict == "pass" else None
    return entry(
        states=["s"], role=role, verdict=verdict, rung=rung, encodes="part", clauses=listed
    )


def found(*clauses: Clause, records: dict[str, Any], **parts: Any) -> StatementStatus:
    return statuses([register(*clauses, **parts)], records)["s"]


@pytest.mark.parametrize(
    ("a", "b", "status"),
    [
        ("proved", "proved", "proved"),
        ("proved", "checked", "verified"),
        ("checked", "supported", "supported"),
        ("checked", "open", "partial"),
        ("checked", "argued", "partial"),
        ("proved", "asymptotic", "partial"),
        ("argued", "argued", "partial"),
    ],
)
def test_a_statement_is_worth_its_weakest_clause(a: str, b: str, status: str) -> None:
    assert found(A, B, records={"c": covering(a=a, b=b)}).status == status


def test_a_clause_that_nobody_covers_leaves_it_partial() -> None:
    status = found(A, B, records={"c": covering(a="proved")})
    assert (status.status, status.checked, len(status.clauses)) == ("partial", 1, 2)


def test_of_several_claims_the_strongest_speaks() -> None:
    records = {"c": covering(a="supported"), "d": covering(a="proved")}
    status = found(A, records=records)
    assert (status.status, status.clauses[0].by) == ("proved", ("d",))


@pytest.mark.parametrize(
    ("lemma", "status"),
    [
        ({"verdict": "pass", "rung": "proved", "proved": True}, "verified"),
        ({"verdict": "pass", "rung": "certified"}, "partial"),
        ({"verdict": "fail", "rung": "certified"}, "partial"),
        (None, "partial"),
    ],
)
def test_a_certificate_waits_for_the_claim_that_it_names(
    lemma: dict[str, Any] | None, status: str
) -> None:
    paid = [{"name": "theta", "by": "argued", "detail": "by claim l", "lemma": "l"}]
    listed = [{"id": "s/a", "status": "argued", "once_proved": "checked", "payments": paid}]
    bound = entry(states=["s"], rung="certified", encodes="part", clauses=listed)
    records = {"c": bound} | ({} if lemma is None else {"l": entry(states=["other"], **lemma)})
    decided = found(A, records=records)
    assert decided.status == status
    (known,) = decided.clauses
    assert known.entry is not None
    assert known.entry.payments[0].by == ("certificate" if status == "verified" else "argued")


def test_a_claim_that_names_no_clause_makes_it_partial_at_best() -> None:
    whole = entry(states=["s"], encodes="whole", rung="proved")
    assert found(A, records={"c": whole}).status == "partial"


def test_derived_and_corrected_claims_cover_clauses_and_decide_nothing_else() -> None:
    records = {"c": covering(a="checked"), "d": covering("derived", b="proved")}
    assert found(A, B, records=records).status == "verified"
    refuted = covering("derived", "fail", b="refuted")
    assert found(A, B, records={"c": covering(a="checked", b="checked"), "d": refuted}).status == (
        "verified"
    )
    far = {"c": covering(a="checked"), "d": covering("beyond_scope", b="proved")}
    assert found(A, B, records=far).status == "partial"


def test_what_corrected_claims_alone_have_settled_has_their_rung() -> None:
    status = found(A, B, records={"d": covering("corrected", a="checked")})
    assert (status.status, status.rung) == ("partial", "certified")


def test_a_refuted_clause_refutes_and_a_failed_witness_does_not() -> None:
    assert found(A, records={"c": covering(verdict="fail", a="refuted")}).status == "refuted"
    status = found(A, records={"c": covering(verdict="fail", a="inconclusive")})
    assert status.status != "refuted"


def test_readings_that_disagree_make_it_depend_on_the_reading() -> None:
    records = {"c": covering("reading", "fail", a="refuted"), "d": covering("reading", b="checked")}
    status = found(A, B, records=records)
    assert (status.status, status.refuted_readings) == ("partial", ("c",))
    assert [c.status for c in status.clauses] == ["refuted", "checked"]
    same = {"c": covering("reading", "fail", a="refuted"), "d": covering("reading", a="checked")}
    assert found(A, records=same).clauses[0].status == "inconclusive"
    both = {**records, "d": covering("reading", "fail", b="refuted")}
    assert found(A, B, records=both).status == "refuted"


def test_a_proof_beside_a_refutation_is_an_alarm() -> None:
    records = {"c": covering(verdict="fail", a="refuted"), "d": covering(a="proved")}
    assert found(A, records=records).clauses[0].status == "inconclusive"


def test_only_asymptotic_clauses_left_is_asymptotic() -> None:
    assert found(LATE, records={"c": covering(late="asymptotic")}).status == "asymptotic"
    assert found(LATE, records={}).status == "open"
    assert found(LATE, A, records={"c": covering(late="asymptotic")}).status == "partial"


def test_counts_of_clauses_add_up() -> None:
    table = coverage(
        [register(A, B, LATE)], {"c": covering(a="proved", b="argued", late="asymptotic")}
    )
    assert table.total.clauses == ClauseCounts(
        total=3, proved=1, checked=0, supported=0, refuted=0, argued=1, asymptotic=1, out_of_reach=0,
        open=0,
    )  # fmt: skip


def test_provable_clauses_are_counted_by_what_became_of_their_proof() -> None:
    tried = replace(B, tried="typed")
    hard = replace(LATE, provable=False)
    table = coverage(
        [register(A, tried, hard, replace(A, id="c"), replace(B, id="d"))],
        {"c": covering(a="proved", b="checked", late="checked", d="supported")},
    )
    assert table.provable.total == table.provable.sources["demo"]
    assert table.provable.total == ProofCount(
        total=4, proved=1, refuted=0, tried=1, not_tried=1, open=1
    )


def test_a_repair_that_is_proved_leaves_the_printed_clause_refuted() -> None:
    printed = {"c": covering(verdict="fail", a="refuted")}
    known = found(A, records={**printed, "d": covering("corrected", a="proved")})
    assert (known.status, known.clauses[0].status) == ("refuted", "refuted")
    assert known.clauses[0].by == ("c",)
    derived = found(A, records={**printed, "d": covering("derived", a="proved")})
    assert derived.clauses[0].status == "inconclusive"


def test_a_clause_may_be_out_of_reach_alone() -> None:
    far = replace(B, out_of_reach="needs weights")
    table = coverage([register(A, far)], {"c": covering(a="proved")})
    assert (table.total.clauses.out_of_reach, table.total.clauses.open) == (1, 0)
    status = found(A, far, records={"c": covering(a="proved")})
    assert status.status == "partial"
    assert clause_lines(status.clauses[1])[0] == "b: out of reach"
    assert clause_lines(status.clauses[1])[-1] == "  needs weights"
    assert found(A, far, records={"c": covering(a="proved", b="checked")}).status == "verified"
    whole = found(A, records={}, out_of_reach="needs weights")
    assert (whole.status, whole.clauses[0].status) == ("out_of_reach", "out_of_reach")
