"""How far typed statements reach: as far as the claim speaks, and to the far end of what a clause chooses from."""

from dataclasses import replace

import pytest
import sympy as sp

from theorycheck import ClaimError, claim, formula_leg, integers, leg, typed
from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.claims.covering import bind
from theorycheck.claims.reach import far_ends

n = sp.Symbol("n", integer=True)
x = sp.Symbol("x", real=True)


def value(n):
    return n * n


def clause(*prefix):
    return Clause("s", "c", "says", "tex", parse_prefix(prefix), "b", "order", "holds", True)


def bound(*legs, prefix=("forall n in sizes",), low=1, **parts):
    options = {"domain": {n: integers(low)}, "grid": {"smoke": {n: [6, 9]}}, "closed_form": n**2}
    found = claim("c", states="s", covers="c", legs=legs, **{**options, **parts})
    return bind(found, {"s": {"c": clause(*prefix)}})


RUN = leg("run", value)


def step(over, given=(), name="step", **options):
    return formula_leg(name, typed("n*n >= n", over=over, where=given), **options)


def test_a_step_that_is_narrower_than_the_claim_is_refused():
    """A claim widened beyond its typed steps passed: the points that it tries lay inside them."""
    with pytest.raises(
        ClaimError, match=r"leg 'step' is typed for n in 5\.\.oo, and the claim .* n = 1 "
    ):
        bound(RUN, step("n in 5..oo"))


@pytest.mark.parametrize(
    ("legs", "parts"),
    [
        ([step("n in 1..oo")], {}),
        ([step("n in 5..oo")], {"low": 5}),
        ([step("n in 5..oo")], {"where": n >= 5}),
        ([step("n in 5..oo", where=n >= 5)], {}),
        ([step("n in 5..oo"), step("n in 1..5", name="few")], {}),
        (
            [step("n in -oo..-1")],
            {},
        ),  # nothing of what the claim speaks of: another thing of that name
        ([step("n in 1..oo", "n**2 >= 1")], {}),
    ],
)
def test_a_step_is_as_wide_as_what_the_claim_or_its_leg_speaks_of(legs, parts):
    assert bound(RUN, *legs, **parts).clauses


def test_steps_that_leave_something_between_are_refused():
    with pytest.raises(
        ClaimError, match=r"'few' is typed for n in 1\.\.4, and the claim speaks of n = 6 too"
    ):
        bound(RUN, step("n in 1..4", name="few"), step("n in 7..oo", name="many"))


@pytest.mark.parametrize(
    ("over", "ends"),
    [
        ("K in (0, oo)", ("K >= 1000000", "K <= 1/1000000")),
        ("K > 0 real", ("K >= 1000000", "K <= 1/1000000")),
        ("n in 1..oo; K in [2*n, oo)", ("K >= 1000000",)),
        ("J, K in R", ("K <= -1000000", "K >= 1000000")),
        ("K in 3..oo", ("K >= 1000000",)),
        ("K in (0, 1/2]", ("K <= 1/1000000",)),
        ("K in [1, 2]", ()),
        ("K in {4}", ()),
        ("n in 1..oo", ()),
    ],
)
def test_far_ends_are_where_a_range_goes_to_infinity_or_to_0(over, ends):
    assert far_ends(typed("K >= 0", over=over), "K") == ends


def refuted_at(over, *prefix):
    return bound(
        formula_leg("proof", typed("n <= K", over=over)),
        prefix=prefix,
        expect="fail",
        domain={},
        grid={},
        closed_form=0,
    )


CONST = ("const K in unstated", "forall n in sizes")


def test_what_is_false_at_some_constants_is_asked_for_far_ones():
    found = refuted_at("K in [1, oo); n in 1..oo", *CONST)
    assert found.legs[0].simulation.far == ("K >= 1000000",)


@pytest.mark.parametrize("over", ["K in [1, 2]; n in 1..oo", "K in {4}; n in 1..oo"])
def test_a_constant_between_two_ends_refutes_no_other(over):
    with pytest.raises(
        ClaimError, match=r"types K between two ends, where s/c says `with a constant K"
    ):
        refuted_at(over, *CONST)


def test_what_the_clause_itself_bounds_may_end():
    found = refuted_at("K in {2, 3}; n in 1..oo", "exists K in {2, 3}", "forall n in sizes")
    assert found.legs[0].simulation.far == ()


@pytest.mark.parametrize(
    ("status", "refused"), [("false as printed", True), ("false at a constant", False)]
)
def test_a_constant_that_is_given_refutes_the_clause_of_that_constant(status, refused):
    proof = formula_leg("proof", typed("n <= 4", over="n in 1..oo"), gives="K")
    stated = replace(clause(*CONST), status=status)
    found = claim("c", states="s", covers="c", legs=[proof], expect="fail", reads={"n": "n"})
    if refused:
        with pytest.raises(ClaimError, match="K is paid for in the negated prefix"):
            bind(found, {"s": {"c": stated}})
    else:
        assert bind(found, {"s": {"c": stated}}).clauses
