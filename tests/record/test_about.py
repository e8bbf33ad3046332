"""What a verdict is about, clause by clause, in the entry, in `show` and at the end of a run of few claims."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    integers,
    leg,
    maximises,
    odd_integers,
    theorem,
)
from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.claims.covering import bind
from theorycheck.cli.live import told
from theorycheck.engine.execute import execute
from theorycheck.entries.parts import AttackEntry, ClauseEntry, Payment
from theorycheck.judge.payments import ClaimOutcome, LegOutcome, clause_entries
from theorycheck.plan.settings import Settings
from theorycheck.record.about import about
from theorycheck.reports.clause_words import (
    clause_lines,
    clause_words,
    covered_lines,
    in_short,
    left_lines,
    lines_words,
    proof_words,
)
from theorycheck.sources.clauses import Asserted
from theorycheck.sources.register import Statement
from theorycheck.sources.standing import ClauseStatus

k, p = sp.symbols("k p", integer=True, positive=True)


def clause(id: str, *lines: str) -> Clause:
    prefix = parse_prefix(lines)
    return Clause("s", id, f"{id}.", "tex", prefix, "b", "order", "holds", True, lines="1")


BEST = clause(
    "not-exceeded", "forall k in integers >= 1", "forall p in odd >= 3", "forall theta in networks"
)
ONE = clause("uniqueness", "forall k in integers >= 1")
ASSERTED = {"s": Asserted("s", "1", (), (BEST, ONE))}


def values(k: int, p: int) -> list[int]:
    return list(range(k * p + 1))


def best(k: int, p: int) -> int:
    return values(k, p)[-1]


def bound(k: int, p: int) -> int:
    return max(values(k, p))


def optimum() -> object:
    more = theorem("pigeonhole", more="every value is listed")
    made = claim("c", states="s", covers="not-exceeded", domain={k: integers(1), p: odd_integers(3)},
                 grid={"smoke": {k: [1, 2], p: [3, 5]}}, closed_form=k * p, relation=maximises(),
                 legs=[attained(best), certificate(bound, over="theta", lemma=more)])  # fmt: skip
    return bind(made, {"s": {c.id: c for c in (BEST, ONE)}})


def test_a_line_says_how_many_points_how_far_the_attack_went_and_what_is_left() -> None:
    c = optimum()
    j = execute(c, Settings("standard"), figures=False).judgement
    paid, left = about(c, j.clauses, ASSERTED)
    assert paid.startswith(
        "not-exceeded (checked): for all k in integers >= 1: k: 1 to 2, 4 points"
    )
    assert ", attacked to k = " in paid and ", attacked to p = " in paid
    assert "for all theta in networks: certificate, certificate, by pigeonhole" in paid
    assert left == "uniqueness: not checked"
    assert clause_words("checked", j.clauses[0]) == "checked at 4 points"


def test_a_derivation_in_the_text_is_told_from_a_lemma_that_is_not_named() -> None:
    def words(**paid: bool) -> str:
        payment = Payment(name="x", by="argued", detail="step", **paid)
        return clause_words("argued", ClauseEntry(id="s/c", status="argued", payments=(payment,)))

    assert (
        words(free=True)
        == "argued: proved formulas, and a derivation from them in the claim's text"
    )
    assert words() == "argued: the lemma that makes the certificate a bound is not named"


def test_an_attack_below_the_grid_s_end_is_said_without_an_end() -> None:
    made = claim("c", states="s", covers="uniqueness", domain={k: integers(1)}, closed_form=k,
                 grid={"smoke": {k: [90, 101]}}, legs=[leg("v", lambda k: k)])  # fmt: skip
    bound_claim = bind(made, {"s": {ONE.id: ONE}})
    outcome = ClaimOutcome(
        "pass", {"v": LegOutcome("certified", "pass")}, AttackEntry(required=2, reached={"k": 2})
    )
    (entry,) = clause_entries(bound_claim, outcome, "smoke")
    assert entry.payments[0].detail == "k: 90 to 101, 2 points, attacked"
    outcome = ClaimOutcome("pass", {"v": LegOutcome("certified", "pass")})
    (entry,) = clause_entries(bound_claim, outcome, "smoke")
    assert entry.payments[0].detail == "k: 90 to 101, 2 points"


def test_show_names_the_clauses_that_a_claim_leaves_alone() -> None:
    assert left_lines(optimum(), (BEST, ONE)) == [
        "s/uniqueness (line 1): not checked by this claim"
    ]
    waiting = replace(ONE, waits="a lemma on ties")
    assert left_lines(optimum(), (BEST, waiting)) == [
        "s/uniqueness (line 1): not checked by this claim; waits for a lemma on ties"
    ]


def test_our_words_are_said_to_be_ours_with_the_lines_of_the_source() -> None:
    assert lines_words("10-20") == "lines 10-20"
    assert lines_words("7") == "line 7"
    assert lines_words("derived here; cf. 3-5") == "derived here; cf. 3-5"
    assert covered_lines(optimum())[0] == "not-exceeded (line 1; ours): not-exceeded."
    short = Statement("s", ("S",), "t", "main", "bound", "It is $k$.")
    assert in_short(short, "10-20") == "(our words; the source: lines 10-20) It is k."
    assert in_short(short, "") == "(our words) It is k."
    noted = replace(ONE, as_printed="'some k' includes 0")
    assert clause_lines(ClauseStatus(noted, "proved"))[2] == (
        "  as printed (line 1): 'some k' includes 0"
    )
    made = replace(optimum(), clauses=(replace(BEST, as_printed="'some k'"),))
    assert covered_lines(made)[1] == "  as printed (line 1): 'some k'"


def test_show_says_of_a_provable_clause_without_a_proof_leg_what_was_tried() -> None:
    def line(clause: Clause) -> list[str]:
        made = replace(optimum(), clauses=(clause,))
        return [x for x in covered_lines(made) if "pro" in x and "parameter" not in x][-1:]

    assert line(BEST) == ["  marked provable; this claim types no proof"]
    assert line(replace(BEST, tried="ranges over networks")) == [
        "  proof tried: ranges over networks"
    ]
    assert not any("marked" in x for x in line(replace(BEST, provable=False)))


def test_coverage_says_whether_a_proof_was_tried_of_a_clause_decided_below_one() -> None:
    tried = replace(ONE, tried="typed at n = 2; no prover decides it")
    for status in ("checked", "supported", "argued"):
        assert clause_lines(ClauseStatus(ONE, status))[-1] == "  no proof was tried"
        assert clause_lines(ClauseStatus(tried, status))[-1] == (
            "  proof tried: typed at n = 2; no prover decides it"
        )
        assert proof_words(ClauseStatus(replace(ONE, provable=False), status)) == ""
    for status in ("proved", "refuted", "out_of_reach"):
        assert proof_words(ClauseStatus(tried, status)) == ""
        assert proof_words(ClauseStatus(ONE, status)) == ""
    said = proof_words(ClauseStatus(tried, "open"))
    assert said == "proof tried: typed at n = 2; no prover decides it"
    assert proof_words(ClauseStatus(ONE, "open")) == ""


def test_formulas_that_leave_names_out_are_a_proof_in_part() -> None:
    def words(*payments: Payment, status: str = "checked") -> str:
        entry = ClauseEntry(id=ONE.key, status=status, payments=payments)
        return proof_words(ClauseStatus(ONE, status, entry=entry))

    typed = Payment(name="k", by="proof", detail="step")
    free = Payment(name="w", by="points", detail="step, free of w, beside runs", free=True)
    tried = Payment(name="d", by="points", detail="d: 2 to 9, 3 points")
    assert words(typed, tried) == "proved in part: formulas with k"
    assert words(typed, free) == "proved in part: formulas with k; w stands in none"
    assert words(free, tried) == "proved in part: formulas; w stands in none"
    assert words(tried) == "no proof was tried"
    assert words(typed, free, status="open") == ""


def test_coverage_says_what_an_open_clause_waits_for_and_no_settled_one() -> None:
    waiting = replace(ONE, waits="a lemma on ties")
    said = clause_lines(ClauseStatus(waiting, "open"))
    assert said == [
        "uniqueness: not checked",
        "  (line 1; ours) uniqueness.",
        "  waits for a lemma on ties",
    ]
    assert clause_lines(ClauseStatus(ONE, "open")) == said[:2]
    assert not any("waits" in line for line in clause_lines(ClauseStatus(waiting, "proved")))


def test_a_run_of_few_claims_tells_them_clause_by_clause() -> None:
    from small_entries import entry

    said = told(
        entry(
            about=["a (checked): for all k: 3 points"],
            degenerate=["v: field x is 0"],
            attack={"required": 3, "far": 2, "not_reached": ["v at k=9: more than 5 operations"]},
        )
    )
    assert said[1:] == [
        "    a (checked): for all k: 3 points",
        "    never differs: v: field x is 0",
        "    attacked: 3 required and 2 far points; not reached: v at k=9: more than 5 operations",
    ]
    assert told(entry()) == []
