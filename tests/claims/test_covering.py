"""What a claim may be a verdict about: unpaid names, wrong orders and empty refutations are refused."""

from dataclasses import replace

import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    at_least,
    at_most,
    attained,
    certificate,
    choices,
    claim,
    formula,
    instances,
    integers,
    leg,
    maximises,
    mean,
    vectors,
)
from theorycheck.claims.clauses import FALSE, FALSE_HERE, Clause, parse_prefix
from theorycheck.claims.covering import bind, payers, refutes
from theorycheck.stats import bounded

k, p = sp.symbols("k p", integer=True)


def clause(id, *lines, statement="s"):
    return Clause(statement, id, "says", "tex", parse_prefix(lines), "b", "equality", "holds", True)


def known(*clauses):
    found = {}
    for c in clauses:
        found.setdefault(c.statement, {})[c.id] = c
    return found


def value(k):
    return k


def bound(k):
    return k


def made(*legs, **parts):
    options = {"domain": {k: integers(1)}, "grid": {"smoke": {k: [1, 2]}}, "closed_form": k}
    return claim("c", states="s", legs=list(legs) or [leg("v", value)], **{**options, **parts})


def how(bound_claim):
    return {q.quantifier.name: q.how for q in payers(bound_claim, bound_claim.clauses[0])}


MARGIN = clause(
    "not-exceeded", "forall k in integers >= 1", "forall m in widths", "forall theta in networks"
)
ATTAINED = clause("attained", "forall k in integers >= 1", "exists theta in networks")


def test_every_name_has_its_payer():
    legs = [
        attained(value, covers="attained", gives="theta"),
        certificate(bound, covers="not-exceeded", over="theta", lemma="weak duality"),
    ]
    c = made(*legs, relation=maximises(), covers="attained not-exceeded", left={"m": "least only"})
    found = bind(c, known(ATTAINED, MARGIN))
    assert found.encodes == "whole"
    assert how(found) == {"k": "parameter", "theta": "gives"}
    assert [q.how for q in payers(found, found.clauses[1])] == ["parameter", "left", "over"]


def test_a_certificate_gives_nothing():
    c = made(certificate(bound, gives="theta"), relation=maximises(), covers="attained")
    with pytest.raises(ClaimError, match="a certificate constructs nothing; give theta by the leg"):
        bind(c, known(ATTAINED))


EQUAL = clause("equal", "forall k in integers >= 1")


@pytest.mark.parametrize("relation", [at_most(), at_least(), at_most(strict=True)])
def test_an_equality_is_not_paid_from_one_side(relation):
    with pytest.raises(ClaimError, match=r"s/equal is an equality, and .* bounds it from one side"):
        bind(made(covers="equal", relation=relation), known(EQUAL))


def test_an_equality_is_paid_by_both_sides_by_a_proof_and_by_equality():
    both = [leg("above", value, relation=at_most()), leg("below", value, relation=at_least())]
    for c in (
        made(*both, covers="equal"),
        made(covers="equal"),
        made(covers="equal", expect="fail"),
    ):
        assert bind(c, known(EQUAL)).clauses
    proof = formula("c", says="2*k == k + k", over="k in 1..oo", rivals={"r": "k > 1"}, states="s",
                    covers="equal", relation=at_most())  # fmt: skip
    assert bind(proof, known(EQUAL)).clauses


def test_a_bound_is_paid_from_one_side():
    bounded_above = replace(EQUAL, kind="upper bound")
    assert bind(made(covers="equal", relation=at_most()), known(bounded_above)).clauses


def test_a_part_of_the_clauses_is_a_part():
    c = made(covers="attained", left={"theta": "not built"})
    assert bind(c, known(ATTAINED, MARGIN)).encodes == "part"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"covers": "attained"}, "nothing pays for theta of s/attained"),
        ({"covers": "attain"}, "which is no clause"),
        ({"covers": "attained", "left": {"theta": "x", "m": "y"}}, "m: no covered clause"),
        ({"left": {"theta": "x"}}, "covers no clause, and says"),
    ],
)
def test_what_a_claim_may_not_leave_out(parts, text):
    with pytest.raises(ClaimError, match=text):
        bind(made(**parts), known(ATTAINED))


def test_names_are_read_as_parameters_and_fields():
    spectra = clause("all", "forall Lambda in covariances", "forall w in R^d")
    drawn = instances(lambda rng, k: {"Q": [[1]], "w": [1]}, "Q w", smoke=1)

    def program(ns, Q, w, k):
        return w

    c = made(
        leg("v", program, arithmetic="rational", instances=drawn),
        covers="all",
        reads={"Lambda": "k Q"},
    )
    assert how(bind(c, known(spectra))) == {"Lambda": "field", "w": "field"}


ORDER = ("forall Psi in maps", "exists A in subsets", "forall w in R^N")


def order_claim(chooser, **leg_parts):
    drawn = instances(
        lambda rng, k: {"Psi": 1, "w": 1, "A": 1}, {"Psi": None, "A": None, "w": None}, smoke=1
    )

    def program(ns, Psi, w, k):
        return w

    return made(
        leg("v", program, arithmetic="rational", instances=drawn, gives="A", chosen_by=chooser),
        covers="c",
    )


def test_a_choice_may_use_what_stands_before_it():
    def worst(Psi):
        return Psi

    assert how(bind(order_claim(worst), known(clause("c", *ORDER))))["A"] == "gives"


def test_a_choice_from_what_stands_after_it_is_refused():
    def worst(Psi, w):
        return w

    with pytest.raises(ClaimError, match="is chosen by 'worst', which takes w"):
        bind(order_claim(worst), known(clause("c", *ORDER)))


def test_what_a_chooser_may_use_by_default_counts():
    def worst(Psi, w=None):
        return w

    with pytest.raises(ClaimError, match="is chosen by 'worst', which takes w"):
        bind(order_claim(worst), known(clause("c", *ORDER)))


def test_the_leg_itself_is_the_chooser_unless_another_is_named():
    with pytest.raises(ClaimError, match=r"takes w; .* say chosen_by"):
        bind(order_claim(None), known(clause("c", *ORDER)))


def test_a_search_inside_a_program_that_takes_what_stands_after_is_refused():
    """The least over A for each w is "for all w some A", not "some A for all w"."""
    drawn = instances(lambda rng, k: {"Psi": 1, "w": 1}, {"Psi": None, "w": None}, smoke=1)

    def least_over_A(ns, Psi, w, k):
        return w

    def least_over_A_of_the_worst(ns, Psi, k):
        return Psi

    def searching(program, **parts):
        searched = leg("v", program, arithmetic="rational", instances=drawn, **parts)
        return made(searched, covers="c")

    swapped = clause("c", "forall Psi in maps", "forall w in R^N", "exists A in subsets")
    with pytest.raises(ClaimError, match=r"looks for A of s/c inside a program that takes w"):
        bind(searching(least_over_A, inside="A"), known(clause("c", *ORDER)))
    assert how(bind(searching(least_over_A, inside="A"), known(swapped)))["A"] == "inside"
    whole = bind(searching(least_over_A_of_the_worst, inside="A w"), known(clause("c", *ORDER)))
    assert how(whole)["A"] == "inside"


def test_the_other_order_of_the_quantifiers_accepts_it():
    def worst(Psi, w):
        return w

    swapped = clause("c", "forall Psi in maps", "forall w in R^N", "exists A in subsets")
    assert how(bind(order_claim(worst), known(swapped)))["A"] == "gives"


def test_a_choice_drawn_beside_later_names_is_refused():
    drawn = instances(lambda rng, k: {"A": 1, "w": 1}, {"A": vectors(2), "w": vectors(2)}, smoke=1)

    def program(ns, A, w, k):
        return w

    c = made(leg("v", program, arithmetic="rational", instances=drawn), covers="c")
    with pytest.raises(ClaimError, match="A of s/c is drawn in one instance with w"):
        bind(c, known(clause("c", "exists A in vectors", "forall w in vectors")))


def test_over_needs_a_certificate_or_a_proof():
    with pytest.raises(ClaimError, match="needs a certificate or a proof"):
        bind(made(leg("v", value, over="m theta"), covers="not-exceeded"), known(MARGIN))


def test_a_certificate_that_takes_the_name_bounds_that_one_only():
    def of_one(theta, k):
        return k

    theta = sp.Symbol("theta", integer=True)
    c = made(
        certificate(of_one, over="m theta"),
        relation=maximises(),
        covers="not-exceeded",
        domain={k: integers(1), theta: integers(1)},
        grid={"smoke": {k: [1], theta: [1]}},
    )
    with pytest.raises(ClaimError, match="a bound over all theta takes theta"):
        bind(c, known(MARGIN))


def test_an_expected_failure_of_there_is_owes_the_negated_prefix():
    c = made(attained(value, gives="theta"), relation=maximises(), covers="attained", expect="fail")
    with pytest.raises(ClaimError, match="paid for in the negated prefix"):
        bind(c, known(ATTAINED))


ANY_K = clause("value", "forall k in integers >= 1")


def test_what_is_false_as_printed_is_not_passed_as_printed():
    false = known(replace(ANY_K, status=FALSE))
    with pytest.raises(
        ClaimError, match="expected to pass as printed, and s/value is false as printed"
    ):
        bind(made(covers="value"), false)


@pytest.mark.parametrize(
    ("status", "parts"),
    [
        ("holds", {}),
        (FALSE_HERE, {}),
        (FALSE, {"expect": "fail"}),
        (FALSE, {"role": "corrected", "corrects": "printed"}),
        (FALSE, {"role": "reading"}),
        (FALSE, {"encodes": "special-case"}),
    ],
)
def test_what_is_false_as_printed_is_refuted_or_said_otherwise(status, parts):
    found = bind(made(covers="value", **parts), known(replace(ANY_K, status=status)))
    assert [c.status for c in found.clauses] == [status]


COVERS = {"relation": maximises(), "covers": "attained", "expect": "fail"}


@pytest.mark.parametrize(
    "one",
    [certificate(bound, over="theta"), attained(value, inside="theta")],
    ids=["over", "inside"],
)
def test_the_negated_prefix_is_paid_by_a_bound_or_by_all_of_them(one):
    found = bind(made(one, **COVERS), known(ATTAINED))
    assert refutes(found, found.clauses[0])


def test_one_value_of_a_parameter_that_fails_is_not_all_of_them():
    theta = sp.Symbol("theta", integer=True)

    def program(k, theta):
        return k

    c = made(
        leg("v", program),
        covers="attained",
        expect="fail",
        domain={k: integers(1), theta: choices(0, 1)},
        grid={"smoke": {k: [1], theta: [0, 1]}},
    )
    with pytest.raises(ClaimError, match="theta is paid for in the negated prefix"):
        bind(c, known(ATTAINED))


def test_a_failing_witness_refutes_nothing():
    c = bind(
        made(attained(value, gives="theta"), relation=maximises(), covers="attained"),
        known(ATTAINED),
    )
    assert not refutes(c, c.clauses[0])


@pytest.mark.parametrize("line", ["eventually d in sizes", "prob seed ~ law, level 1 - delta"])
def test_a_small_size_or_a_bad_draw_refutes_nothing(line):
    name = line.split()[1]
    c = made(covers="c", reads={name: "k"}, grid={"smoke": {k: [1]}}, domain={k: integers(1)})
    found = bind(c, known(clause("c", line)))
    assert not refutes(found, found.clauses[0])


def test_a_stream_pays_for_chances():
    def draws(rng, size, k):
        return rng.signs(size)

    c = made(
        leg("v", draws, statistic=mean(bounded(-1, 1)), draws="seed"), closed_form=k, covers="c"
    )
    found = bind(c, known(clause("c", "forall k in integers", "prob seed ~ law")))
    assert how(found) == {"k": "parameter", "seed": "draws"}
    assert refutes(found, found.clauses[0])


def test_a_typed_statement_pays_for_the_names_that_it_quantifies():
    c = formula("c", states="s", says="n + 1 > n", over="n in 1..oo", covers="c", rivals={})
    assert how(bind(c, known(clause("c", "forall n in integers >= 1")))) == {"n": "typed"}


def test_a_typed_family_pays_for_its_name():
    sums = "Sum(a[i]**2, (i, 1, n)) >= 0"
    families = ["n in 1..oo", "a[i], b[i] in R for i in 1..n"]
    c = formula("c", states="s", says=sums, over=families, covers="c", rivals={})
    lines = ("forall n in integers >= 1", "forall a in reals", "forall b in reals")
    assert how(bind(c, known(clause("c", *lines)))) == dict.fromkeys("nab", "typed")
    with pytest.raises(ClaimError, match="nothing pays for i"):
        bind(c, known(clause("c", "forall i in integers >= 1")))


def test_clauses_of_one_name_in_two_statements_are_told_apart():
    two = known(clause("c", "forall k in N"), clause("c", "forall k in N", statement="t"))
    with pytest.raises(ClaimError, match="several of its statements"):
        bind(two_states("c"), two)
    assert bind(two_states("t/c"), two).clauses[0].key == "t/c"


def two_states(covers):
    return claim(
        "c",
        states=["s", "t"],
        covers=covers,
        legs=[leg("v", value)],
        closed_form=k,
        domain={k: integers(1)},
        grid={"smoke": {k: [1]}},
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"over": "m", "gives": "m"}, "m is paid for twice"),
        ({"chosen_by": value}, "name what it gives"),
        ({"lemma": "Bessel"}, "goes with over"),
        ({"overs": "m"}, "unknown option overs"),
    ],
)
def test_payments_that_cannot_be(options, text):
    with pytest.raises(ClaimError, match=text):
        leg("v", value, **options)


def depends_on_what_is_read(scale):
    """A constant that takes k by the name that the clause has for it."""


def test_a_choice_is_known_by_the_names_of_the_clause_too():
    """Where ``scale`` is read off k, ``scale`` is still what the constant may not depend on."""
    absolute = clause("bounded", "const C() in reals > 0", "forall scale in integers >= 1")
    late = leg("v", value, gives="C", chosen_by=depends_on_what_is_read)
    with pytest.raises(ClaimError, match=r"C .* may depend on nothing only"):
        bind(made(late, covers="bounded", reads={"scale": "k"}), known(absolute))


def grows_with_k(k):
    """No constant: k is a size of the claim, which no clause names."""


@pytest.mark.parametrize("encodes", ["special-case", "proxy"])
def test_functions_that_a_number_tells_apart_are_a_special_case(encodes):
    every = clause("every", "forall ell in convex decreasing")
    options = {"covers": "every", "reads": {"ell": "k"}}
    with pytest.raises(ClaimError, match="ell is read off k: functions that numbers tell apart"):
        bind(made(**options), known(every))
    bind(made(**options, encodes=encodes), known(every))
    numbers = clause("every", "forall ell in all real numbers > 0")
    bind(made(**options), known(numbers))


def test_what_depends_on_nothing_depends_on_no_parameter():
    """Sizes that the register speaks of in words only are parameters of the claim."""
    absolute = clause("bounded", "const C() in reals > 0, not on k", "forall n in integers >= 1")
    late = leg("v", value, gives="C", chosen_by=grows_with_k)
    with pytest.raises(ClaimError, match=r"which takes k; .* may depend on nothing only"):
        bind(made(late, covers="bounded", left={"n": "not tried"}), known(absolute))
    free = clause("bounded", "const C in reals > 0", "forall n in integers >= 1")
    bind(made(late, covers="bounded", left={"n": "not tried"}), known(free))
