"""Coverage: what verdicts amount to, and what they must never be made to say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace
from small_entries import entry

from theorycheck.claims.model import ENCODES, ROLES
from theorycheck.entries.report import Entry
from theorycheck.entries.rungs import RUNGS, VERIFIED
from theorycheck.sources.coverage import (
    coverage,
    theory_graph,
    unregistered,
)
from theorycheck.sources.errata import errata
from theorycheck.sources.register import GRADES, Register, Source, Statement
from theorycheck.sources.standing import (
    CLAUSE_COUNTS,
    PROOF_STATES,
    STATUSES,
    Records,
    StatementStatus,
    statuses,
)

CONTRACT = {
    "statements",
    "proved",
    "verified",
    "supported",
    "refuted",
    "partial",
    "inconclusive",
    "open",
    "asymptotic",
    "out_of_reach",
    "clauses",
}


def source(name: str) -> Source:
    return Source(name, name, ("A",), "first", "typed", ())


def statement(id: str, **parts: Any) -> Statement:
    values = {"labels": (id.upper(),), "title": id, "role": "main", "kind": "bound"}
    return Statement(id=id, one_line=id, **(values | parts))


def register(*statements: Statement, name: str = "demo") -> Register:
    return Register(source(name), statements)


def record(
    *states: str,
    role: str = "as_printed",
    encodes: str = "whole",
    verdict: str = "pass",
    rung: str | None = "proved",
    **more: Any,
) -> Entry:
    return entry(
        states=list(states),
        role=role,
        encodes=encodes,
        verdict=verdict,
        rung=rung if verdict == "pass" else None,
        **more,
    )


def status_of(records: Records, **parts: Any) -> StatementStatus:
    return statuses([register(statement("s", **parts))], records)["s"]


@pytest.mark.parametrize("rung", RUNGS)
def test_the_rung_of_a_pass_decides(rung: str) -> None:
    found = status_of({"c": record("s", rung=rung)})
    whole = rung in ("proved", "exhaustive")
    assert found.status == ("proved" if whole else "verified" if rung in VERIFIED else "supported")
    assert (found.decided_by, found.rung, found.partial) == (("c",), rung, False)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("fail", "refuted"),
        ("inconclusive", "inconclusive"),
        ("error", "open"),
        ("skipped", "open"),
        ("not run", "open"),
    ],
)
def test_the_other_verdicts(verdict: str, expected: str) -> None:
    assert status_of({"c": record("s", verdict=verdict)}).status == expected


@pytest.mark.parametrize("role", ["corrected", "derived", "beyond_scope", "variant"])
@pytest.mark.parametrize("verdict", ["pass", "fail", "inconclusive"])
def test_other_roles_do_not_decide(role: str, verdict: str) -> None:
    found = status_of({"c": record("s", role=role, verdict=verdict)})
    assert (found.status, found.decided_by, found.counted) == ("open", (), ())
    assert [e.claim for e in found.beside] == ["c"]


def test_a_correction_that_passes_does_not_mend_what_is_printed() -> None:
    found = status_of({"c": record("s", verdict="fail"), "d": record("s", role="corrected")})
    assert (found.status, found.decided_by) == ("refuted", ("c",))


def test_a_derived_statement_is_decided_by_derived_claims() -> None:
    claims = {"c": record("s", role="derived", rung="sampled")}
    assert status_of(claims, role="derived").status == "supported"
    claims["d"] = record("s", role="corrected", verdict="fail")
    assert status_of(claims, role="derived").status == "supported"
    claims["e"] = record("s", role="derived", verdict="fail")
    assert status_of(claims, role="derived").decided_by == ("e",)


@pytest.mark.parametrize("weak", ["sampled", "inconclusive", "error"])
def test_the_weakest_claim_decides(weak: str) -> None:
    parts: dict[str, Any] = {"rung": weak} if weak == "sampled" else {"verdict": weak}
    found = status_of({"strong": record("s"), "weak": record("s", **parts)})
    wanted = {"sampled": "supported", "inconclusive": "inconclusive", "error": "open"}
    assert (found.status, found.decided_by) == (wanted[weak], ("weak",))


def test_the_rung_shown_is_the_weakest() -> None:
    claims = {"a": record("s", rung="certified"), "b": record("s", rung="proved")}
    assert status_of(claims).rung == "certified"


def test_one_failing_claim_refutes_whatever_else_passes() -> None:
    claims = {str(i): record("s") for i in range(5)} | {"x": record("s", verdict="fail")}
    assert (status_of(claims).status, status_of(claims).decided_by) == ("refuted", ("x",))


def test_readings_refute_only_together() -> None:
    claims = {
        "a": record("s", role="reading", verdict="fail"),
        "b": record("s", role="reading", rung="sampled"),
    }
    found = status_of(claims)
    assert (found.status, found.decided_by) == ("partial", ("b",))
    assert found.refuted_readings == ("a",)
    claims["b"] = replace(claims["b"], verdict="fail")
    assert (status_of(claims).status, status_of(claims).decided_by) == ("refuted", ("a", "b"))


@pytest.mark.parametrize("verdict", ["error", "skipped", "inconclusive"])
def test_a_reading_without_a_verdict_is_no_refutation(verdict: str) -> None:
    claims = {
        "a": record("s", role="reading", verdict="fail"),
        "b": record("s", role="reading", verdict=verdict),
    }
    assert status_of(claims).status == ("inconclusive" if verdict == "inconclusive" else "open")


def test_printed_claims_and_readings_together() -> None:
    claims = {
        "a": record("s"),
        "b": record("s", role="reading", verdict="fail"),
        "c": record("s", role="reading", rung="computed"),
    }
    assert status_of(claims).status == "partial"
    claims["c"] = replace(claims["c"], verdict="fail")
    assert status_of(claims).decided_by == ("b", "c")


@pytest.mark.parametrize("encodes", ["part", "special-case", "proxy"])
@pytest.mark.parametrize(
    ("verdict", "status"),
    [("pass", "partial"), ("fail", "refuted"), ("inconclusive", "inconclusive")],
)
def test_partial_evidence_is_marked(encodes: str, verdict: str, status: str) -> None:
    found = status_of({"c": record("s", encodes=encodes, verdict=verdict)})
    assert found.status == status
    assert found.partial == (verdict != "inconclusive")
    assert found.proxy == (encodes == "proxy")


def test_partial_evidence_beside_the_whole_is_not_marked() -> None:
    claims = {"a": record("s", encodes="part"), "b": record("s")}
    assert not status_of(claims).partial


def test_proxies_beside_a_part_are_partial_but_not_proxy() -> None:
    claims = {"a": record("s", encodes="proxy"), "b": record("s", encodes="part")}
    assert (status_of(claims).partial, status_of(claims).proxy) == (True, False)


def test_a_reading_that_dropped_out_does_not_make_the_rest_whole() -> None:
    claims = {
        "a": record("s", role="reading", verdict="fail"),
        "b": record("s", role="reading", encodes="part"),
    }
    assert status_of(claims).partial


def test_nothing_open_is_partial() -> None:
    assert not status_of({"c": record("s", encodes="proxy", verdict="error")}).partial
    assert not status_of({}).partial


@pytest.mark.parametrize("verdict", ["not run", "error", "skipped"])
def test_out_of_reach_without_a_verdict(verdict: str) -> None:
    reason = "needs named weights"
    assert status_of({}, out_of_reach=reason).status == "out_of_reach"
    claims = {"c": record("s", verdict=verdict)}
    assert status_of(claims, out_of_reach=reason).status == "out_of_reach"
    claims["d"] = record("s", role="corrected")
    assert status_of(claims, out_of_reach=reason).status == "out_of_reach"


def test_a_verdict_beats_out_of_reach() -> None:
    claims = {"c": record("s", encodes="proxy", rung="sampled")}
    assert status_of(claims, out_of_reach="needs named weights").status == "partial"


def test_a_claim_that_states_two_counts_for_both() -> None:
    r = register(statement("s"), statement("t"))
    found = statuses([r], {"c": record("s", "t", "s", verdict="fail")})
    assert [found[id].status for id in ("s", "t")] == ["refuted", "refuted"]
    assert [e.claim for e in found["s"].counted] == ["c"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"role": "printed"}, "role"),
        ({"encodes": "half"}, "encodes"),
        ({"rung": None}, "rung"),
        ({"rung": "believed"}, "rung"),
    ],
)
def test_refuses_a_record_that_it_cannot_read(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"claim c: .*{said}"):
        status_of({"c": record("s", **parts)})


def test_claims_about_nothing_registered_are_named() -> None:
    claims = {"c": record("s", "t"), "d": record("u")}
    assert unregistered([register(statement("s"))], claims) == [("c", "t"), ("d", "u")]


def test_counts_have_the_contract_shape() -> None:
    registers = [register(statement("s")), register(statement("t"), name="other")]
    table = to_builtins(coverage(registers, {"c": record("s", encodes="part")}))
    assert list(table["sources"]) == ["demo", "other"]
    assert set(table["total"]) == CONTRACT
    assert table["total"]["statements"] == 2
    assert (table["sources"]["demo"]["partial"], table["sources"]["other"]["open"]) == (1, 1)
    assert table["proxy"]["total"]["partial"] == 0
    assert json.loads(json.dumps(table)) == table


verdicts = st.sampled_from(["pass", "fail", "inconclusive", "error", "skipped", "not run"])
claims_ = st.dictionaries(
    st.sampled_from([f"c{i}" for i in range(8)]),
    st.builds(
        lambda states, role, encodes, verdict, rung: record(
            *states, role=role, encodes=encodes, verdict=verdict, rung=rung
        ),
        st.lists(st.sampled_from("abcdx"), min_size=1, max_size=3),
        st.sampled_from(ROLES),
        st.sampled_from(ENCODES),
        verdicts,
        st.sampled_from(RUNGS),
    ),
)
REGISTERS = [
    register(
        statement("a", uses=("b",)),
        statement("b", grade="false as stated", note="n"),
        statement("c", role="derived"),
    ),
    register(statement("d", out_of_reach="why"), name="other"),
]


@given(claims_)
def test_numbers_add_up(records: Records) -> None:
    table = to_builtins(coverage(REGISTERS, records))
    rows = [*table["sources"].values(), table["total"]]
    for row in rows:
        assert set(row) == CONTRACT
        assert row["statements"] == sum(row[status] for status in STATUSES)
    for key in CONTRACT - {"clauses"}:
        assert table["total"][key] == sum(row[key] for row in table["sources"].values())
    for row in rows:
        clauses = row["clauses"]
        assert clauses["total"] == sum(clauses[k] for k in CLAUSE_COUNTS)
    for row in [*table["provable"]["sources"].values(), table["provable"]["total"]]:
        assert row["total"] == sum(row[k] for k in PROOF_STATES)
    for name in ("demo", "other"):
        for status, n in table["proxy"]["sources"][name].items():
            assert n <= table["sources"][name][status]


@given(claims_)
def test_no_status_says_more_than_some_verdict(records: Records) -> None:
    for id, found in statuses(REGISTERS, records).items():
        about = [r for r in records.values() if id in r.states]
        roles = {"as_printed", "reading"} | ({"derived"} if id == "c" else set())
        counting = [r for r in about if r.role in roles]
        passed = [r for r in counting if r.verdict == "pass"]
        if found.status in ("proved", "verified"):
            assert passed
            assert all(r.rung in VERIFIED for r in passed)
        if found.status in ("proved", "verified", "supported"):
            assert passed
            assert all(r.verdict == "pass" for r in counting if r.role != "reading")
        if found.status == "refuted":
            assert any(r.verdict == "fail" for r in counting)
        if not counting:
            assert found.status == ("out_of_reach" if id == "d" else "open")
        assert all(records[claim].role in roles for claim in found.decided_by)


@given(claims_)
def test_more_claims_that_fall_short_never_raise_a_status(records: Records) -> None:
    worse = dict(records) | {"z": record("a", verdict="error")}
    before, after = statuses(REGISTERS, records)["a"], statuses(REGISTERS, worse)["a"]
    assert after.status == ("refuted" if before.status == "refuted" else "open")


@given(claims_)
def test_the_order_of_records_does_not_matter(records: Records) -> None:
    turned = dict(reversed(list(records.items())))
    assert statuses(REGISTERS, records) == statuses(REGISTERS, turned)


FALSE = {"grade": "false as stated", "note": "n"}


def footing(records: Records, *statements: Statement) -> dict[str, str]:
    r = register(*statements)
    return {n.id: n.footing for n in theory_graph(r, statuses([r], records)).nodes}


def test_nothing_wrong_below_is_sound() -> None:
    found = footing({}, statement("t", uses=("l",)), statement("l"))
    assert found == {"t": "sound", "l": "sound"}


def test_a_wrong_lemma_leaves_what_needs_it_open() -> None:
    top, middle = statement("t", uses=("m",)), statement("m", uses=("l",))
    assert footing({}, top, middle, statement("l", **FALSE)) == {
        "t": "open",
        "m": "open",
        "l": "sound",
    }
    refuted = {"c": record("l", verdict="fail")}
    assert footing(refuted, top, middle, statement("l"))["t"] == "open"


def test_the_corrected_form_carries_what_names_it() -> None:
    top = statement("t", uses=("m",))
    middle = statement("m", uses=("l",), uses_corrected=("l",))
    lemma = statement("l", **FALSE)
    found = footing({}, top, middle, lemma)
    assert (found["m"], found["t"]) == ("with correction", "with correction")


def test_one_wrong_lemma_in_printed_form_is_enough() -> None:
    top = statement("t", uses=("l", "k"), uses_corrected=("l",))
    assert footing({}, top, statement("l", **FALSE), statement("k", **FALSE))["t"] == "open"


def test_a_correction_that_fails_carries_nothing() -> None:
    top = statement("t", uses=("l",), uses_corrected=("l",), survives="with correction")
    lemma = statement("l", **FALSE)
    fails = {"c": record("l", role="corrected", verdict="fail")}
    assert footing({}, top, lemma)["t"] == "with correction"
    assert footing(fails, top, lemma)["t"] == "open"


@pytest.mark.parametrize("survives", ["unaffected", "with correction", "open"])
def test_the_register_may_say_what_survives(survives: str) -> None:
    top = statement("t", uses=("l",), survives=survives)
    assert footing({}, top, statement("l", **FALSE))["t"] == survives
    gap = statement("l", grade="proof gap", note="n")
    assert footing({}, top, gap)["t"] == survives


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"rung": "proved"}, "unaffected"),
        ({"rung": "exhaustive"}, "unaffected"),
        ({"rung": "certified"}, "open"),
        ({"rung": "proved", "encodes": "part"}, "open"),
        ({"rung": "proved", "role": "corrected"}, "open"),
    ],
)
def test_own_proof_of_the_whole_stands_alone(parts: dict[str, Any], expected: str) -> None:
    top = statement("t", uses=("m",))
    middle = statement("m", uses=("l",))
    found = footing({"c": record("m", **parts)}, top, middle, statement("l", **FALSE))
    assert found["m"] == expected
    assert found["t"] == ("sound" if expected == "unaffected" else "open")


def test_edges_say_which_form_is_used() -> None:
    r = register(
        statement("t", uses=("l", "k"), uses_corrected=("l",)),
        statement("l", **FALSE),
        statement("k"),
    )
    edges = theory_graph(r, statuses([r], {})).edges
    assert [(e.premise, e.conclusion, e.form, e.wrong) for e in edges] == [
        ("l", "t", "corrected", True),
        ("k", "t", "printed", False),
    ]


@given(claims_)
def test_a_wrong_premise_is_never_passed_over_in_silence(records: Records) -> None:
    found = statuses(REGISTERS, records)
    nodes = {n.id: n for n in theory_graph(REGISTERS[0], found).nodes}
    if nodes["a"].footing == "unaffected":
        assert found["a"].status == "proved"
    else:
        assert nodes["a"].footing == "open"


def test_errata_list_what_is_wrong_gravest_first() -> None:
    graded = [statement(f"g{i}", grade=grade, note="n") for i, grade in enumerate(GRADES)]
    r = register(statement("fine"), *reversed(graded))
    assert [e.statement.id for e in errata([r], {})] == [s.id for s in graded]


def test_errata_say_whether_the_engine_agrees() -> None:
    r = register(statement("s", **FALSE))
    told = {
        verdict: errata([r], {"c": record("s", verdict=verdict)})[0].engine
        for verdict in ("pass", "fail", "inconclusive", "error")
    }
    assert told == {
        "pass": "contradicted",
        "fail": "confirmed",
        "inconclusive": "not judged",
        "error": "not judged",
    }


def test_errata_show_a_refutation_that_no_register_lists() -> None:
    (entry,) = errata([register(statement("s"))], {"c": record("s", verdict="fail")})
    assert (entry.engine, entry.statement.grade) == ("unlisted", None)


@pytest.mark.parametrize(
    ("cause", "engine"), [("vacuous", "confirmed"), ("budget", "not judged"), (None, "not judged")]
)
def test_errata_of_vacuous_statements(cause: str | None, engine: str) -> None:
    r = register(statement("s", grade="vacuous at simulable sizes", note="n"))
    claims = {"c": record("s", verdict="inconclusive", reason="value: why", cause=cause)}
    assert errata([r], claims)[0].engine == engine


def test_an_erratum_holds_its_evidence() -> None:
    r = register(statement("t", uses=("s",), uses_corrected=("s",)), statement("s", **FALSE))
    claims = {
        "part": record("s", encodes="part", verdict="fail", counterexample={"point": {"n": 9}}),
        "whole": record("s", verdict="fail", counterexample={"point": {"n": 2}}),
        "literal": record("s", role="reading", verdict="fail"),
        "kind": record("s", role="reading"),
        "fixed": record("s", role="corrected", rung="sampled", closed_form="2*n"),
    }
    claims = {id: replace(entry, id=id) for id, entry in claims.items()}
    (entry,) = errata([r], claims)
    assert entry.counterexample.point == {"n": 2}
    assert [c.id for c in entry.as_printed] == ["part", "whole"]
    assert [(c.id, c.verdict) for c in entry.readings] == [
        ("kind", "pass"),
        ("literal", "fail"),
    ]
    assert entry.corrected[0].closed_form == "2*n"
    assert [(a.statement.id, a.footing) for a in entry.above] == [("t", "with correction")]


@given(claims_)
def test_errata_are_complete(records: Records) -> None:
    found = statuses(REGISTERS, records)
    listed = {e.statement.id for e in errata(REGISTERS, records)}
    assert listed == {"b"} | {id for id, s in found.items() if s.status == "refuted"}
