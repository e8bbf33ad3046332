"""Payments by quantifier, and what a clause is worth by them."""

from typing import Any

import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    Proof,
    attained,
    certificate,
    choices,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    maximises,
    mean,
    odd_integers,
    theorem,
    typed,
)
from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.claims.covering import bind
from theorycheck.judge.payments import ClaimOutcome, LegOutcome, clause_entries
from theorycheck.stats import bounded

k = sp.Symbol("k", integer=True)


def value(k):
    return k


def bound(k):
    return k


def entry_of(
    prefix, legs, verdict="pass", rung="certified", moved_by=None, rungs=(), verdicts=(), **parts
):
    """The entry of the only clause of a claim that was judged so."""
    clause = Clause("s", "c", "says", "tex", parse_prefix(prefix), "b", "order", "holds", True)
    options = {"domain": {k: integers(1)}, "grid": {"smoke": {k: [1, 5]}}, "closed_form": k}
    c = bind(
        claim("c", states="s", covers="c", legs=legs, **{**options, **parts}),
        {"s": {"c": clause}},
    )
    seen = {
        lg.name: LegOutcome(
            dict(rungs).get(lg.name, rung), dict(verdicts).get(lg.name, verdict), 40, moved_by
        )
        for lg in c.legs
    }
    return clause_entries(c, ClaimOutcome(verdict, seen), "smoke")[0]


def paid(entry):
    return {p.name: p.by for p in entry.payments}


def test_points_are_points():
    entry = entry_of(["forall k in integers >= 1"], [leg("v", value)])
    assert (entry.id, entry.status) == ("s/c", "checked")
    assert entry.payments[0].by == "points"
    assert entry.payments[0].detail == "k: 1 to 5, 2 points"


@pytest.mark.parametrize(
    ("rung", "status"),
    [
        ("certified", "checked"),
        ("computed", "supported"),
        ("sampled", "supported"),
        ("searched", "supported"),
        ("fitted", "supported"),
    ],
)
def test_a_clause_is_worth_its_weakest_leg(rung, status):
    assert entry_of(["forall k in integers >= 1"], [leg("v", value)], rung=rung).status == status


def test_a_proxy_is_argued_however_well_it_is_proved():
    legs = [leg("v", value)]
    assert entry_of(["forall k in integers >= 1"], legs, encodes="proxy").status == "argued"


FINITE = {"domain": {k: choices(2, 3)}, "grid": {"smoke": {k: [2, 3]}}, "rung": "exhaustive"}


def test_exhausting_a_part_does_not_pay_for_all():
    entry = entry_of(["forall k in integers >= 1"], [leg("v", value)], **FINITE)
    assert (entry.status, paid(entry)) == ("checked", {"k": "points"})
    assert "the clause has 1 too" in entry.payments[0].detail


def test_exhausting_the_clause_s_own_domain_is_complete():
    entry = entry_of(["forall k in {2, 3}"], [leg("v", value)], **FINITE)
    assert (entry.status, paid(entry)) == ("proved", {"k": "exhaustion"})


def test_exhausting_another_quantity_is_points():
    entry = entry_of(
        ["forall kappa in reals > 1"], [leg("v", value)], reads={"kappa": "k"}, **FINITE
    )
    assert (entry.status, paid(entry)) == ("checked", {"kappa": "points"})


def test_odd_integers_do_not_pay_for_integers():
    entry = entry_of(["forall k in integers >= 1"], [leg("v", value)], domain={k: odd_integers(1)})
    assert "the clause has 2 too" in entry.payments[0].detail


def test_a_certificate_without_a_lemma_is_argued():
    legs = [attained(value), certificate(bound, over="theta")]
    prefix = ["forall k in integers >= 1", "forall theta in networks"]
    assert entry_of(prefix, legs, relation=maximises()).status == "argued"
    met = theorem("weak duality", feasible="the multipliers are squares")
    legs = [attained(value), certificate(bound, over="theta", lemma=met)]
    entry = entry_of(prefix, legs, relation=maximises())
    assert (entry.status, paid(entry)["theta"]) == ("checked", "certificate")
    assert "by weak duality (feasible: the multipliers are squares)" in entry.payments[1].detail


BOUNDED = ["forall k in integers >= 1", "forall theta in networks"]
PROVED: dict[str, Any] = {"rung": "proved", "domain": {}, "grid": None}


def proved():
    return Proof(True, "letters", {})


STEPS = formula_leg("sum", typed("2*Sum(j, (j, 1, k)) == k*(k + 1)", over="k in 1..oo"))


def test_steps_of_a_program_and_of_formulas_are_joined_by_nothing():
    legs = [leg("v", proved, arithmetic="proof", over="k theta"), STEPS]
    entry = entry_of(BOUNDED, legs, **PROVED)
    assert (entry.status, paid(entry)) == ("argued", {"k": "argued", "theta": "argued"})
    assert "steps that nothing runs from end to end" in entry.payments[0].detail


@pytest.mark.parametrize(
    ("form", "by", "words"),
    [(k * (k + 1), "proof", "run from end to end in run"), (k + 1, "points", "beside run")],
)
def test_a_run_held_to_a_formula_of_theirs_joins_them(form, by, words):
    legs = [
        leg("v", proved, arithmetic="proof", over="k theta"),
        STEPS,
        leg("run", value, closed_form=form, required=False),
    ]
    rungs = {"v": "proved", "sum": "proved"}
    entry = entry_of(BOUNDED, legs, rungs=rungs)
    assert paid(entry) == {"k": by, "theta": by}
    assert words in entry.payments[0].detail
    assert entry.status == ("proved" if by == "proof" else "checked")
    failed = entry_of(BOUNDED, legs, rungs=rungs, verdicts={"run": "inconclusive"})
    assert paid(failed) == {"k": "argued", "theta": "argued"}


TWO_NAMES = ["forall k in integers >= 1", "forall x in R"]
OF_X = formula_leg("square", typed("x**2 >= 0", over="x in R"))
OF_BOTH = formula_leg("both", typed("k*x**2 >= 0", over=["k in 1..oo", "x in R"]))


def test_formulas_of_which_none_has_all_of_the_names_are_steps():
    entry = entry_of(TWO_NAMES, [STEPS, OF_X], **PROVED)
    assert (entry.status, paid(entry)) == ("argued", {"k": "argued", "x": "argued"})
    assert "steps that nothing runs from end to end" in entry.payments[1].detail
    run = leg("run", value, closed_form=k * (k + 1), required=False)
    rungs = {"sum": "proved", "square": "proved"}
    assert entry_of(TWO_NAMES, [STEPS, OF_X, run], rungs=rungs).status == "proved"


def test_a_formula_with_all_of_the_names_may_have_lemmas_beside_it():
    entry = entry_of(TWO_NAMES, [STEPS, OF_X, OF_BOTH], **PROVED)
    assert (entry.status, paid(entry)) == ("proved", {"k": "proof", "x": "proof"})


def test_a_theorem_of_whose_hypotheses_nothing_is_said_is_argued():
    legs = [attained(value), certificate(bound, over="theta", lemma="Jensen")]
    entry = entry_of(BOUNDED, legs, relation=maximises())
    assert (entry.status, paid(entry)["theta"]) == ("argued", "argued")
    assert "its hypotheses (convex, weights)" in entry.payments[1].detail


def test_a_certificate_that_nothing_moves_is_argued_whatever_its_lemma():
    met = theorem("pigeonhole", more="k + 1 things in k places")
    legs = [attained(value), certificate(bound, over="theta", lemma=met)]
    entry = entry_of(BOUNDED, legs, relation=maximises(), moved_by="")
    assert (entry.status, paid(entry)["theta"]) == ("argued", "argued")
    for seen in ("model", None):
        entry = entry_of(BOUNDED, legs, relation=maximises(), moved_by=seen)
        assert (entry.status, paid(entry)["theta"]) == ("checked", "certificate")


@pytest.mark.parametrize(("rung", "status"), [("proved", "checked"), ("searched", "argued")])
def test_a_proof_leg_of_the_claim_may_be_the_lemma(rung, status):
    lemma = formula_leg("AM-GM of two", typed("(a + b)^2 >= 4*a*b", over="a in R; b in R"))
    legs = [attained(value), certificate(bound, over="theta", lemma="AM-GM of two"), lemma]
    rungs = {"AM-GM of two": rung}
    entry = entry_of(BOUNDED, legs, relation=maximises(), rungs=rungs)
    if rung == "proved":
        assert paid(entry)["theta"] == "certificate"
    else:
        assert "which is not proved" in entry.payments[1].detail
    assert entry.status == status or rung == "searched"
    assert not entry.once_proved


def test_a_claim_may_be_the_lemma_and_is_waited_for():
    legs = [attained(value), certificate(bound, over="theta", lemma="other-claim")]
    entry = entry_of(BOUNDED, legs, relation=maximises())
    assert (entry.status, entry.once_proved) == ("argued", "checked")
    assert entry.payments[1].lemma == "other-claim"
    unmoved = entry_of(BOUNDED, legs, relation=maximises(), moved_by="")
    assert (unmoved.status, unmoved.once_proved) == ("argued", "")


def test_a_proof_names_the_theorem_it_rests_on():
    met = theorem("spectral theorem", symmetric="X^T X")
    entry = entry_of(
        BOUNDED, [leg("v", proved, arithmetic="proof", over="k theta", lemma=met)], **PROVED
    )
    assert (entry.status, paid(entry)["theta"]) == ("proved", "proof")
    assert "by spectral theorem (symmetric: X^T X)" in entry.payments[1].detail


@pytest.mark.parametrize(
    ("lemma", "words"),
    [
        ("spectral theorem", "its hypotheses (symmetric)"),
        ("other-claim", "by claim other-claim once that is proved"),
        ("AM-GM of two", "which is not proved"),
    ],
)
def test_a_proof_that_rests_on_what_is_not_shown_is_argued(lemma, words):
    beside = formula_leg("AM-GM of two", typed("(a + b)^2 >= 4*a*b", over="a in R; b in R"))
    legs = [leg("v", proved, arithmetic="proof", over="k theta", lemma=lemma), beside]
    entry = entry_of(BOUNDED, legs, **{**PROVED, "rungs": {"AM-GM of two": "searched"}})
    assert (entry.status, paid(entry)["theta"]) == ("argued", "argued")
    assert words in entry.payments[1].detail


@pytest.mark.parametrize(
    ("name", "met", "words"),
    [
        ("obvious", {}, "is none of weak duality"),
        ("Jensen", {"convex": "a square"}, "weights='...'"),
        ("Parseval", {"orthonormal": " "}, "asks how orthonormal is met"),
        ("Parseval", {"orthonormal": "yes", "convex": "no"}, "it has no hypothesis convex"),
    ],
)
def test_a_theorem_asks_for_its_hypotheses(name, met, words):
    with pytest.raises(ClaimError, match=words):
        theorem(name, **met)


ROOT = ["forall k in integers >= 1", "exists p in (0, 1)"]


def test_what_there_is_by_intermediate_values_is_not_called_constructed():
    met = theorem("intermediate values", continuous="a polynomial", ends="-1 at 0, 1 at 1")
    entry = entry_of(ROOT, [leg("v", value, gives="p", lemma=met)])
    assert (entry.status, paid(entry)["p"]) == ("checked", "witness")
    detail = entry.payments[1].detail
    assert detail.startswith("by intermediate values (continuous: a polynomial; ends: -1 at 0")
    bare = entry_of(ROOT, [leg("v", value, gives="p", lemma="intermediate values")])
    assert (bare.status, paid(bare)["p"]) == ("argued", "argued")
    assert "its hypotheses (continuous, ends)" in bare.payments[1].detail


def test_intermediate_values_bound_nothing():
    met = theorem("intermediate values", continuous="yes", ends="yes")
    for paying in ({"over": "p"}, {"over": "p", "gives": "q"}, {}):
        with pytest.raises(ClaimError, match=r"intermediate values goes with gives=\.\.\."):
            leg("v", value, lemma=met, **paying)


def test_a_lemma_is_a_theorem_or_a_name():
    with pytest.raises(ClaimError, match=r"lemma is theorem\(...\)"):
        certificate(bound, over="theta", lemma=3)


def test_a_proof_pays_for_the_whole():
    c = formula("c", states="s", says="n + 1 > n", over="n in 1..oo", covers="c")
    entry = entry_of(["forall n in integers >= 1"], c.legs, rung="proved", domain={}, grid=None)
    assert (entry.status, paid(entry)) == ("proved", {"n": "proof"})
    searched = entry_of(
        ["forall n in integers >= 1"], c.legs, rung="searched", domain={}, grid=None
    )
    assert (searched.status, paid(searched)) == ("supported", {"n": "search"})


def test_a_name_left_open_leaves_the_clause_open():
    prefix = ["forall k in integers >= 1", "forall m in widths"]
    entry = entry_of(prefix, [leg("v", value)], left={"m": "only the least width is built"})
    assert (entry.status, paid(entry)["m"]) == ("open", "open")
    assert entry.payments[1].detail == "only the least width is built"


def test_finite_sizes_do_not_pay_for_eventually():
    entry = entry_of(["eventually k"], [leg("v", value)])
    assert entry.status == "asymptotic"
    assert entry_of(["eventually k"], [leg("v", value)], rung="fitted").status == "supported"


def test_a_given_constant_is_a_witness_at_this_constant():
    def program(k):
        return k

    entry = entry_of(
        ["const C() in reals", "forall k in integers >= 1"],
        [leg("v", program, gives="C", chosen_by=lambda: 3)],
    )
    assert (entry.status, paid(entry)["C"]) == ("checked", "witness")
    assert entry.payments[0].detail.startswith("at this constant")


def test_a_constant_whose_value_has_what_comes_after_it_is_open():
    entry = entry_of(
        ["const C() in reals", "forall k in integers >= 1"],
        [leg("v", lambda k: k, gives="C", chosen_by=lambda: 3 + k)],
    )
    assert (entry.status, paid(entry)["C"]) == ("open", "open")
    assert entry.payments[0].detail == "its value has k, which its chooser does not take"


def half_of(k):
    """What there is: k/2."""
    return k / 2


def by_choice(k):
    return 2 * half_of(k)


HALF = typed("k/2 < k", over="k in 1..oo")


@pytest.mark.parametrize(
    ("given", "how"),
    [
        (leg("v", by_choice, gives="w", chosen_by=half_of), "witness"),
        (leg("v", by_choice, gives="w"), "witness"),  # what the program itself constructs
        (leg("v", value, gives="w", chosen_by=half_of), "argued"),
        (leg("v", value, gives="w", chosen_by=lambda k: None), "argued"),
        (leg("v", lambda k: k / 2, closed_form=k / 2, gives="w", chosen_by=half_of), "witness"),
        (formula_leg("v", HALF, gives="w", chosen_by=half_of), "witness"),
        (formula_leg("v", HALF, gives="w", chosen_by=lambda k: k / 3), "argued"),
        (formula_leg("v", HALF, gives="w"), "argued"),
        (formula_leg("v", typed("x >= k/2", over=["k in 1..oo", "x in [k/2, oo)"]), gives="w", chosen_by=half_of),
         "witness"),
    ],
)  # fmt: skip
def test_what_there_is_is_run_or_stands_in_the_formula(given, how):
    """A chooser that nothing runs could say anything: before, it paid whatever it was."""
    entry = entry_of(["forall k in integers >= 1", "exists w in reals"], [given], rung="proved")
    assert paid(entry)["w"] == how
    assert (entry.status == "argued") == (how == "argued")
    if how == "argued":
        assert "formula has it" in entry.payments[1].detail


def test_what_a_chooser_says_of_names_in_place_of_numbers_is_told():
    def by_steps(k):
        if k != int(k):
            raise ValueError("whole numbers only")
        return k

    for chooser, told in (
        (by_steps, "(given names for numbers it stops: TypeError: "),
        (half_of, ""),
    ):
        one = leg("v", value, gives="w", chosen_by=chooser)
        entry = entry_of(["forall k in integers >= 1", "exists w in reals"], [one])
        assert paid(entry)["w"] == "argued"
        detail = entry.payments[1].detail
        assert told in detail
        assert bool(told) == ("it stops" in detail)


def test_a_draw_may_be_what_chooses():
    def drawn_with(rng, k):
        return {"w": half_of(k)}

    seen = instances(drawn_with, "w", smoke=2)
    one = leg("v", lambda ns, w, k: 2 * w, instances=seen, gives="w", chosen_by=half_of)
    entry = entry_of(["forall k in integers >= 1", "exists w in reals"], [one])
    assert paid(entry)["w"] == "witness"


def test_a_proof_for_every_choice_gives_none():
    """That x falls in p shows no root p."""
    monotone = formula_leg("falls", typed("x >= 0", over="x in [0, oo)"), over="p")
    read = formula_leg("falls", typed("p >= 0", over="p in [0, oo)"))
    for one in (monotone, read):
        prefix = ["exists p in (0, 1)"]
        entry = entry_of(prefix, [one], rung="proved")
        assert (entry.status, paid(entry)["p"]) == ("argued", "argued")
        assert "for every p, and no leg gives one" in entry.payments[0].detail


def test_a_constant_chosen_from_everything_asserts_nothing():
    entry = entry_of(
        ["forall k in integers >= 1", "const C in reals"],
        [leg("v", value, gives="C", chosen_by=lambda k: k)],
    )
    assert (entry.status, paid(entry)["C"]) == ("open", "open")


def test_a_constant_before_what_varies_asserts_something():
    entry = entry_of(
        ["forall k in integers >= 1", "const C in reals", "forall n in integers >= 1"],
        [leg("v", value, gives="C", chosen_by=lambda k: k)],
        left={"n": "not tried"},
    )
    assert paid(entry)["C"] == "witness"


def test_instances_and_draws():
    drawn = instances(lambda rng, k: {"w": 1}, "w", smoke=3)

    def program(ns, w, k):
        return w

    legs = [leg("v", program, arithmetic="rational", instances=drawn)]
    entry = entry_of(["forall k in integers >= 1", "forall w in R^d"], legs)
    assert paid(entry) == {"k": "points", "w": "instances"}
    assert entry.payments[1].detail == "6 of them"

    def sampled(rng, size, k):
        return rng.signs(size)

    legs = [leg("v", sampled, statistic=mean(bounded(-1, 1)), draws="seed")]
    entry = entry_of(["forall k in integers >= 1", "prob seed ~ law"], legs, rung="sampled")
    assert (entry.status, paid(entry)["seed"]) == ("supported", "sampling")
    assert entry.payments[1].detail == "40 draws (v)"


def test_a_failing_point_refutes_for_alls_and_no_witness():
    assert entry_of(["forall k in N"], [leg("v", value)], verdict="fail").status == "refuted"
    entry = entry_of(
        ["forall k in N", "exists theta in networks"],
        [leg("v", value, gives="theta")],
        verdict="fail",
    )
    assert entry.status == "inconclusive"


def test_a_leg_that_fails_speaks_of_its_clauses_only():
    two = [
        Clause("s", id, "says", "tex", parse_prefix(["forall k in N"]), "b", "order", "holds", True)
        for id in ("a", "b")
    ]
    c = bind(
        claim(
            "c",
            states="s",
            covers="a b",
            domain={k: integers(1)},
            grid={"smoke": {k: [1]}},
            closed_form=k,
            legs=[leg("v", value, covers="a"), leg("w", bound, covers="b")],
        ),
        {"s": {x.id: x for x in two}},
    )
    seen = {"v": LegOutcome("certified", "pass"), "w": LegOutcome("certified", "fail")}
    found = {e.id: e.status for e in clause_entries(c, ClaimOutcome("fail", seen), "smoke")}
    assert found == {"s/a": "open", "s/b": "refuted"}


def test_an_undecided_claim_leaves_its_clauses_undecided():
    for verdict, status in (("inconclusive", "inconclusive"), ("error", "open")):
        assert entry_of(["forall k in N"], [leg("v", value)], verdict=verdict).status == status


def settled(k):
    return Proof(True, "the same polynomials", {})


SIZES_AND_VALUES = ["forall k in integers >= 1", "forall x in reals"]


@pytest.mark.parametrize(
    ("rung", "status", "by"),
    [
        ("proved", "checked", "proof"),
        ("certified", "checked", "proof"),
        ("searched", "supported", "argued"),
    ],
)
def test_a_proof_at_each_point_pays_for_what_it_is_over(rung, status, by):
    legs = [leg("polynomials", settled, arithmetic="proof", over="x")]
    entry = entry_of(SIZES_AND_VALUES, legs, rung=rung, closed_form=None)
    assert paid(entry) == {"k": "points", "x": by}
    assert entry.status == ("argued" if by == "argued" else status)


def value_again(k):
    return k * k


def one_more(k, x):
    return k + x - (k + x) + 1


@pytest.mark.parametrize(
    ("says", "form", "ran", "rung", "by", "status"),
    [
        ("k + 1 > k", None, "", "", "argued", "argued"),  # no program
        ("k + 1 > k", k**2, "inconclusive", "certified", "argued", "argued"),
        (
            "k + 1 > k",
            k**2,
            "pass",
            "certified",
            "points",
            "checked",
        ),  # of the clause, but of what else?
        ("k + 1 > k", k**2, "pass", "computed", "points", "supported"),
        (
            "k + 1 > k",
            k,
            "pass",
            "certified",
            "points",
            "checked",
        ),  # a name alone stands in anything
        ("k + 1 > k", sp.Integer(1), "pass", "certified", "points", "checked"),
        (
            "2*k**2 > k - 1",
            k**2,
            "pass",
            "certified",
            "proof",
            "proved",
        ),  # the program's closed form
        ("k + 1 > k and k**2 >= k", k**2, "pass", "certified", "proof", "proved"),
    ],
)
def test_a_formula_without_the_name_is_worth_what_the_program_beside_it_is(
    says, form, ran, rung, by, status
):
    """What ties ``k + 1 > k`` to every x is the author's text alone, a program that was run as well, or one whose
    closed form stands in the formula. A formula and a program that had nothing in common were *proved* once."""
    step = formula_leg("step", typed(says, over="k in 1..oo"), over="x")
    entry = entry_of(
        ["forall k in integers >= 1", "forall x in reals"],
        [step, leg("run", value, required=False)] if ran else [step],
        rungs={"step": "proved", "run": rung},
        verdicts={"run": ran},
        **({"closed_form": form} if ran else {"domain": {}, "grid": {}, "closed_form": None}),
    )
    assert entry.status == status and paid(entry) == {"k": "proof", "x": by}
    (x,) = (p for p in entry.payments if p.name == "x")
    assert x.free and x.detail == "step, free of x" + ", beside run" * (by == "points")


def test_a_closed_form_that_the_program_is_not_held_to_ties_nothing():
    """A program beside a procedure, in a claim with a closed form for its other legs."""
    step = formula_leg("step", typed("2*k**2 > k - 1", over="k in 1..oo"), over="x")
    program = leg("run", value, reference=value_again, required=False)
    entry = entry_of(
        ["forall k in integers >= 1", "forall x in reals"],
        [step, program],
        rungs={"step": "proved", "run": "certified"},
        closed_form=k**2,
    )
    assert entry.status == "checked" and paid(entry) == {"k": "proof", "x": "points"}


def test_a_proof_at_points_does_not_hold_for_all_of_its_parameter():
    legs = [leg("polynomials", settled, arithmetic="proof", over="k x")]
    with pytest.raises(ClaimError, match="takes k"):
        entry_of(SIZES_AND_VALUES, legs, closed_form=None)


def test_a_proof_over_less_than_the_clause_is_points():
    narrow = formula_leg("proof", typed("k*k >= k", over="k in 1..100"))
    whole = formula_leg("proof", typed("k*k >= k", over="k in 1..oo"))
    prefix, bare = ["forall k in integers >= 1"], {"domain": {}, "grid": {}, "closed_form": None}
    assert entry_of(prefix, [whole], rung="proved", **bare).status == "proved"
    entry = entry_of(prefix, [narrow], rung="proved", **bare)
    assert entry.status == "checked" and paid(entry) == {"k": "points"}
    assert "the clause has k = " in entry.payments[0].detail


def test_a_step_over_a_name_does_not_hide_how_far_another_has_it():
    free = formula_leg("one variable", typed("x*x >= 0", over="x in R"), over="k")
    narrow = formula_leg("k of them", typed("k*k >= k", over="k in 1..100"))
    whole = formula_leg("k of them", typed("k*k >= k", over="k in 1..oo"))
    prefix, bare = ["forall k in integers >= 1"], {"domain": {}, "grid": {}, "closed_form": None}
    for legs, by in (([free], "argued"), ([free, whole], "proof")):
        entry = entry_of(prefix, legs, rung="proved", **bare)
        status = "proved" if by == "proof" else "argued"
        assert (entry.status, paid(entry)) == (status, {"k": by})
    entry = entry_of(prefix, [free, narrow], rung="proved", **bare)
    assert (entry.status, paid(entry)) == ("checked", {"k": "points"})
    assert "the clause has k = 101 too" in entry.payments[0].detail


def test_a_range_that_depends_on_names_does_not_hide_how_far_another_step_goes():
    between = formula_leg("from p on", typed("k >= p", over=["p in 1..oo", "k in p..oo"]))
    narrow = formula_leg("k of them", typed("k*k >= k", over="k in 1..1"))
    whole = formula_leg("k of them", typed("k*k >= k", over="k in 1..oo"))
    prefix, bare = ["forall k in integers >= 1"], {"domain": {}, "grid": {}, "closed_form": None}
    entry = entry_of(prefix, [between, narrow], rung="proved", **bare)
    assert (entry.status, paid(entry)) == ("checked", {"k": "points"})
    assert entry_of(prefix, [between, whole], rung="proved", **bare).status == "proved"


@pytest.mark.parametrize("half", ["x in (0, oo)", "x in (-oo, 0)", "x in [0, 5]"])
def test_a_half_line_is_less_than_the_line(half):
    one = formula_leg("proof", typed("x*x >= 0", over=half))
    entry = entry_of(
        ["forall x in reals"], [one], rung="proved", domain={}, grid={}, closed_form=None
    )
    assert (entry.status, paid(entry)) == ("checked", {"x": "points"})


@pytest.mark.parametrize(
    ("rung", "way", "status"),
    [("exhaustive", "exhaustion", "proved"), ("searched", "search", "supported")],
)
def test_a_typed_statement_tried_at_every_point_is_exhausted(rung, way, status):
    every = formula_leg("every", typed("k*k >= k", over="k in 1..9"))
    bare = {"domain": {}, "grid": {}, "closed_form": None}
    entry = entry_of(["forall k in {1..9}"], [every], rung=rung, **bare)
    assert (entry.status, paid(entry)) == (status, {"k": way})


def test_proofs_that_leave_a_hole_between_them_are_points():
    legs = [
        formula_leg("near", typed("k*k >= k", over="k in [1, 30]")),
        formula_leg("far", typed("k*k >= k", over="k in [40, oo)")),
    ]
    bare = {"domain": {}, "grid": {}, "closed_form": None, "reads": {"r": "k"}}
    entry = entry_of(["forall r in reals >= 1"], legs, rung="proved", **bare)
    assert (entry.status, paid(entry)) == ("checked", {"r": "points"})
    assert "leave k in (30, 40) out" in entry.payments[0].detail


def test_a_statement_without_names_that_was_evaluated_pays_for_what_it_lists():
    legs = [formula_leg("printed", typed("0 < 0.125 < 0.198"), over="row")]
    bare = {"domain": {}, "grid": {}, "closed_form": None}
    entry = entry_of(["forall row in middle, largest"], legs, rung="exhaustive", **bare)
    assert (entry.status, paid(entry)) == ("proved", {"row": "exhaustion"})
