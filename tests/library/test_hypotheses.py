"""What a typed statement presumes of parameters is what its claim presumes."""

import pytest
import sympy as sp

from theorycheck import ClaimError, claim, formula_leg, integers, leg, reals, typed
from theorycheck.library.statements import check_hypotheses

n = sp.Symbol("n", integer=True)
x = sp.Symbol("x", real=True)


def value(n):
    return n * n


RUN = leg("run", value)


def made(*legs, **parts):
    options = {"domain": {n: integers(1)}, "grid": {"smoke": {n: [6, 9]}}, "closed_form": n**2}
    return claim("c", says="s", legs=[RUN, *legs], **{**options, **parts})


def step(over, given=(), says="n*n >= n", **options):
    return formula_leg("step", typed(says, over=over, where=given), **options)


@pytest.mark.parametrize("where", ["n >= 3", "n != 2", "n >= 1 and n**2 >= 9"])
def test_a_hypothesis_of_a_step_is_one_of_the_claim(where):
    with pytest.raises(ClaimError, match="narrow the claim's domain or its where="):
        check_hypotheses(made(step("n in 1..oo", where)))


def test_a_hypothesis_that_the_claim_has_or_that_always_holds_is_none_of_its_own():
    check_hypotheses(made(step("n in 1..oo", "n**2 >= 1")))
    check_hypotheses(made(step("n in 1..oo", "n >= 3"), where=n >= 3))
    check_hypotheses(made(step("n in 1..oo", "n >= 3", where=n >= 3)))
    check_hypotheses(made(step("n, m in 1..oo", "m <= n")))  # of another name


def test_conditions_between_parameters_are_looked_for_beside_the_grid():
    both = {"domain": {n: integers(1), x: reals(0)}, "grid": {"smoke": {n: [6], x: [1]}}}
    both["closed_form"] = n**2 + x
    narrow = step("n in 1..oo; x in R", "x <= n", says="n*x <= n*n")
    with pytest.raises(ClaimError, match="typed for x <= n, and the claim speaks of n = "):
        check_hypotheses(made(narrow, **both))
    check_hypotheses(made(narrow, where=x <= n, **both))


@pytest.mark.parametrize(
    ("ends", "told"), [("[0, n]", "x <= n"), ("(1/n, oo)", "x > 1/n"), ("[0, 2*n)", "x < 2*n")]
)
def test_ends_that_other_names_give_are_hypotheses_as_well(ends, told):
    both = {"domain": {n: integers(1), x: reals(0)}, "grid": {"smoke": {n: [6], x: [1]}}}
    both["closed_form"] = n**2 + x
    linked = step(["n in 1..oo", f"x in {ends}"], says="x <= x + n")
    with pytest.raises(ClaimError, match="narrow the claim's domain or its where=") as error:
        check_hypotheses(made(linked, **both))
    assert told in str(error.value)
    whole = step(["n in 1..oo", "x in [0, oo)", "m in 1..n"], says="x*m <= x*n")
    check_hypotheses(made(whole, **both))
