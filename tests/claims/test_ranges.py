"""Ranges of the register in words, held against domains."""

from fractions import Fraction

import pytest

from theorycheck.claims.ranges import exhausts, left_out, range_domain
from theorycheck.numbers.domain import choices, integers, odd_integers, primes, reals


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("integers >= 2", [2, 3], [1, Fraction(5, 2)]),
        ("integers > 2 (printed >= 2)", [3], [2]),
        ("odd integers >= 3", [3, 9], [2, 4]),
        ("odd >= 3", [3], [4]),
        ("primes", [2, 3], [4]),
        ("positive integers", [1], [0]),
        ("reals > 0", [Fraction(1, 9)], [0]),
        ("reals != 0", [-1], [0]),
        ("{2, 5}", [2, 5], [3]),
        ("1 .. 3", [1, 3], [0, 4]),
        ("(0, 1/2]", [Fraction(1, 2)], [0, 1]),
    ],
)
def test_ranges_that_are_read(text, inside, outside):
    domain = range_domain(text)
    assert all(v in domain for v in inside)
    assert not any(v in domain for v in outside)


@pytest.mark.parametrize(
    "text", ["", "R^d", "integers", "integers >= 1, k < p", "k-subsets of [D]", "(1, 0)", "all"]
)
def test_ranges_in_words_are_left_alone(text):
    assert range_domain(text) is None
    assert left_out(integers(3), text) == ""


def test_a_finite_range_is_exhausted_by_a_domain_that_holds_it():
    assert exhausts(choices(2, 3), "{2, 3}")
    assert exhausts(integers(1, 9), "1..3")
    assert not exhausts(choices(2, 3), "{2, 3, 4}")
    assert not exhausts(choices(2, 3), "reals > 1")
    assert not exhausts(choices(16, 32), "{16, 32}, d = 4")


def test_what_a_domain_leaves_out_is_named():
    assert left_out(choices(2, 3), "integers >= 1") == "1"
    assert left_out(primes(3), "odd integers >= 3") == "9"
    assert left_out(odd_integers(3), "primes >= 3") == ""
    assert left_out(integers(1), "reals > 0") == "a half"
    assert left_out(reals(1), "reals > 0") == "1/1000000"
