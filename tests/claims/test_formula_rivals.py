"""Rivals of typed statements in the statement's own words."""

import pytest

from theorycheck import (
    claim,
    exactly,
    formula,
    formula_leg,
    leg,
    nowhere,
    reaching,
    sharpened,
    typed,
)
from theorycheck.claims.functions import ClaimError
from theorycheck.testing import judged


def sharper(says, **how):
    (rival,) = sharpened(formula_leg("step", typed(says, over="x in [0, 1]")), **how)
    assert rival.leg == "step"
    return rival.changes["simulation"].says


@pytest.mark.parametrize(
    ("says", "rival"),
    [
        ("x <= 1", "x <= 1 - (1/100)"),
        ("x < 2", "x < 2 - (1/100)"),
        ("x >= 0", "x >= 0 + (1/100)"),
        ("x > -1", "x > -1 + (1/100)"),
        ("x == x**1 and 0 <= x <= 1", "x == x**1 and 0 <= x <= 1 - (1/100)"),
        (
            "Max(x, 0) >= Sum(x*(1 < 2), (j, 1, 1))",
            "Max(x, 0) >= Sum(x*(1 < 2), (j, 1, 1)) + (1/100)",
        ),
    ],
)
def test_the_last_comparison_says_more(says, rival):
    assert sharper(says) == rival


def test_by_how_much_is_an_expression():
    assert sharper("x**2 <= x", by="x/2") == "x**2 <= x - (x/2)"


def test_a_multiple_is_of_the_whole_right_side():
    assert sharper("0 <= x <= 1 + x", times="99/100") == "0 <= x <= (1 + x)*(99/100)"


@pytest.mark.parametrize("over", ["n in 1..oo", "n in 1..9", "n in 2..oo"])
def test_a_range_that_lost_a_part_leaves_a_rival_standing(over):
    step = formula_leg("step", typed("n**2 >= n", over=over))
    parts = ("n == 1", "n > 1000")
    found = judged(claim("squares", says="", legs=[step], rivals=reaching(step, *parts)))
    assert [r.name for r in found.rivals] == [f"step: nowhere {part}" for part in parts]
    assert (
        (found.verdict == "pass") == all(r.refuted for r in found.rivals) == (over == "n in 1..oo")
    )
    same = judged(formula("same", says="n**2 >= n", over=over, rivals=nowhere(*parts)))
    assert same.verdict == found.verdict


@pytest.mark.parametrize("says", ["x != 2", "implies(x > 0, x >= 0)", "x <= 1 and x == x**1"])
def test_what_does_not_end_in_a_bound_is_refused(says):
    with pytest.raises(ClaimError, match="end in a bound; see exactly"):
        sharper(says)


def test_an_equality_has_another_right_side():
    step = formula_leg("step", typed("x == x**1 and x + 1 == 1 + x", over="x in [0, 1]"))
    (rival,) = exactly(step)
    assert rival.changes["simulation"].says == "x == x**1 and x + 1 == 1 + x + (1/100)"


@pytest.mark.parametrize("says", ["x <= x**1", "x >= x**1 and x + 1 == 1 + x", "x != 2"])
def test_an_equality_that_became_a_bound_is_refused(says):
    with pytest.raises(ClaimError, match="exactly is for formula legs of equalities"):
        exactly(formula_leg("step", typed(says, over="x in [0, 1]")))


def test_a_program_is_refused():
    def program(x):
        return x

    with pytest.raises(ClaimError, match="sharpened is for formula legs"):
        sharpened(leg("program", program))


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("x**2 <= x", "pass"),
        ("x**2 <= x + 1/10", "inconclusive"),  # true, and looser than it could be: the rival stands
        ("x*(1 - x) <= 1/4", "pass"),
        ("(x + 1)**2 <= x**2 + 2*x + 1", "pass"),  # reached
        ("(x + 1)**2 >= x**2 + x", "inconclusive"),
    ],
)
def test_a_leg_that_was_loosened_is_seen(says, verdict):
    step = formula_leg("step", typed(says, over="x in [0, 1]"))
    found = judged(claim("bound", says=says, legs=[step], rivals=sharpened(step)))
    assert found.verdict == verdict


def test_an_equality_passes_beside_its_rival():
    step = formula_leg("step", typed("(x + 1)**2 == x**2 + 2*x + 1", over="x in [0, 1]"))
    says = "the square of a sum"
    assert judged(claim("square", says=says, legs=[step], rivals=exactly(step))).verdict == "pass"
