"""Answers of the second program: rechecked, held, disagrees, cannot read."""

import pytest

from theorycheck.recheck.files import KeptProof
from theorycheck.recheck.judge import recheck


def answer(statement, scope, *, holds=True, laws=(), point=None, rung="proved"):
    return recheck(
        KeptProof(statement, scope, laws, holds, rung, "", point), seconds=0.5, tries=120
    )


def test_what_is_proved_again_says_by_what():
    found = answer("x**2 + 1 > 0", "x in (-oo, oo)")
    assert (found.answer, found.reason) == ("rechecked", "signs") and found.points > 20


def test_what_only_held_says_at_how_many_points():
    found = answer("gamma(x) >= 4/5", "x in [1, oo)")
    assert found.answer == "held" and found.points > 20 and found.reason == ""


@pytest.mark.parametrize(
    ("statement", "scope"),
    [
        ("x**2 > 0", "x in (-oo, oo)"),
        ("exp(x) > 1 + x", "x in [0, oo)"),
        ("(1 + x)**n >= 1 + n*x", "n in 1..oo, x in [-3, oo)"),
        ("t**((n + 1)/2) < t", "n in 1..oo, t in (0, 1)"),
        ("w <= x", "x in (-oo, oo), w in (-oo, oo), a in (0, 1] where w*a == x"),
        ("Sum(p[i], (i, 1, n)) < 1", "n in 1..oo; p[j] in [0, 1] for j in 1..n"),
        ("h[n] == 2**n", "n in 0..oo; h[j] in (-oo, oo) for j in 0..oo where h[0] == 0 and "
         "h[i+1] == 2*h[i] + 1 for i in 0..oo"),
    ],
)  # fmt: off
def test_a_false_statement_disagrees_with_a_point(statement, scope):
    found = answer(statement, scope)
    assert found.answer == "disagrees" and found.false


def test_a_side_without_a_value_disagrees():
    found = answer("(n - 7)/(n - 7) == 1", "n in 0..oo")
    assert found.answer == "disagrees" and found.false == {"n": "7"}


@pytest.mark.parametrize(
    ("statement", "scope"),
    [
        ("f(x) >= 0", "x in [0, 1]"),
        ("x >= ", "x in [0, 1]"),
        ("x >= y", "x in [0, 1]"),
        ("x >= 0", "x in [0, 1"),
        ("log(n) = o(n)", "n in 1..oo"),
        ("__import__('os').getcwd() == 0", ""),
        ("", ""),
    ],
)
def test_what_is_outside_of_the_grammar_is_said(statement, scope):
    found = answer(statement, scope)
    assert found.answer == "cannot read" and found.reason


def test_nothing_that_was_only_searched_is_taken_for_a_proof():
    assert answer("x**2 >= 0", "x in (-oo, oo)", rung="searched").answer == "cannot read"


REFUTED = {
    "statement": "x <= n",
    "scope": "n in 1..oo, x in [0, n + 1] where x != 3",
    "holds": False,
}


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ({"n": "1", "x": "2"}, "rechecked"),
        ({"n": "1", "x": "1"}, "disagrees"),
        ({"n": "1", "x": "5"}, "disagrees"),
        ({"n": "1/2", "x": "1"}, "disagrees"),
        ({"n": "2", "x": "3"}, "disagrees"),
        ({"n": "1", "x": "the zero of cos(x)"}, "cannot read"),
        ({"n": "1"}, "cannot read"),
        (None, "cannot read"),
    ],
)
def test_a_refutation_is_its_point(point, expected):
    assert answer(**REFUTED, point=point).answer == expected


@pytest.mark.parametrize(
    ("p", "expected"), [("7", "rechecked"), ("9", "disagrees"), ("5", "disagrees")]
)
def test_a_refutation_for_primes_is_at_a_prime(p, expected):
    """9 was taken for a member of the range."""
    found = answer("p <= 6", "p in primes(2..20)", holds=False, point={"p": p})
    assert found.answer == expected
