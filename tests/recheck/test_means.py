"""Means at a point, against what is known of them in closed form, and against what is false."""

import pytest

from theorycheck.recheck.files import KeptProof
from theorycheck.recheck.judge import recheck

TRUE = [
    ("E[g**4] == 3*s**4", "s in (0, oo)", ["g ~ N(0, s**2)"]),
    ("E[(g + h)**2] == m**2 + s + 1", "m in (-oo, oo), s in (0, oo)", ["g ~ N(m, s)", "h ~ N(0, 1)"]),
    ("E[Max(0, g)] == s/sqrt(2*pi)", "s in (0, oo)", ["g ~ N(0, s**2)"]),
    ("P[abs(g) > t] == 2*Q(t)", "t in [0, oo)", ["g ~ N(0, 1)"]),
    ("E[abs(Min(1, Max(g, -1)))] <= 1", "t in [0, 1]", ["g ~ N(t, 1)"]),
    ("Var[B] == q*(1 - q)", "q in [0, 1]", ["B ~ Bernoulli(q)"]),
    ("E[R*B] == 0 and E[(R*B)**2] == q", "q in [0, 1]", ["R ~ Rademacher", "B ~ Bernoulli(q)"]),
    ("E[K] == n*q", "n in 1..9, q in [0, 1]", ["K ~ Bin(n, q)"]),
    ("Cov[g, g + h] == s", "s in (0, oo)", ["g ~ N(1, s)", "h ~ N(2, 1)"]),
]  # fmt: off

FALSE = [
    ("E[g**4] == 2*s**4", "s in (0, oo)", ["g ~ N(0, s**2)"]),
    ("E[Max(0, g)] == s/2", "s in (0, oo)", ["g ~ N(0, s**2)"]),
    ("P[g >= t] == Phi(t)", "t in [0, oo)", ["g ~ N(0, 1)"]),
    ("P[B >= t] == P[B > t]", "t in [0, 1], q in [0, 1]", ["B ~ Bernoulli(q)"]),
    ("E[R*B] == q", "q in [0, 1]", ["R ~ Rademacher", "B ~ Bernoulli(q)"]),
    ("Var[B] > 0", "q in [0, 1]", ["B ~ Bernoulli(q)"]),
    ("E[g**3] > 0", "m in [0, oo)", ["g ~ N(m, 1)"]),
]  # fmt: off


def answer(statement, scope, laws):
    return recheck(
        KeptProof(statement, scope, tuple(laws), True, "proved", ""), seconds=2, tries=40
    )


@pytest.mark.parametrize(("statement", "scope", "laws"), TRUE)
def test_a_mean_is_evaluated(statement, scope, laws):
    found = answer(statement, scope, laws)
    assert found.answer in ("held", "rechecked") and found.points >= 5


def test_moments_and_finite_laws_are_proved_again():
    assert answer(*TRUE[0]).answer == answer(*TRUE[6]).answer == "rechecked"


@pytest.mark.parametrize(("statement", "scope", "laws"), FALSE)
def test_a_false_mean_disagrees(statement, scope, laws):
    assert answer(statement, scope, laws).answer == "disagrees"


def test_a_law_that_is_not_told_is_not_guessed():
    found = answer("E[g] == 0", "x in R", [])
    assert found.answer == "cannot read"
    assert answer("E[g] == 0", "x in (0, 1)", []).reason == "no range or law of g"
    assert answer("E[g] == 0", "x in (0, 1)", ["g ~ Cauchy(1)"]).answer == "cannot read"


def test_integrals_that_reach_far_do_not_disagree():
    """The cut of a range to infinity lay before the mass of the integrand; a mean grew beyond the cut."""
    assert (
        answer(
            "Integral(exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == Phi(t)", "t in {1, 100}", []
        ).false
        is None
    )
    assert (
        answer("E[exp(s*g**2)] == 1/sqrt(1 - 2*s)", "s in {1/4, 2/5}", ["g ~ N(0, 1)"]).false
        is None
    )
