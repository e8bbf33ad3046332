"""Surds as numbers: equality, order, hashes."""

import itertools
from fractions import Fraction

import pytest

from theorycheck import Surd, sqrt

NUMBERS = [
    Fraction(-3), -sqrt(8), -sqrt(Fraction(1, 2)), Fraction(-1, 2), Fraction(0), Fraction(1, 3),
    sqrt(Fraction(1, 2)), 1, sqrt(2), Fraction(3, 2), sqrt(3), 2, sqrt(5), 3 * sqrt(7),
]  # fmt: skip
"""In increasing order."""


def test_order_is_that_of_the_numbers():
    for (i, a), (j, b) in itertools.product(enumerate(NUMBERS), repeat=2):
        if isinstance(a, Surd) or isinstance(b, Surd):
            assert (a < b, a <= b, a > b, a >= b, a == b) == (i < j, i <= j, i > j, i >= j, i == j)


def test_the_usual_functions_take_them():
    assert max(sqrt(2), sqrt(3), 1) == sqrt(3)
    assert sorted([2, sqrt(2), Fraction(3, 2)]) == [sqrt(2), Fraction(3, 2), 2]
    assert abs(-sqrt(2)) == sqrt(2)
    assert not sqrt(2) - sqrt(2)


def test_equal_numbers_are_equal_however_they_are_written():
    assert sqrt(4) == 2 == sqrt(2) * sqrt(2)
    assert sqrt(2) * 0 == 0 == sqrt(3) * 0
    assert len({sqrt(4), 2, Fraction(2), Surd(Fraction(2))}) == 1
    assert len({sqrt(2) * 0, sqrt(3) * 0, 0}) == 1


def test_they_are_not_compared_with_floats_or_text():
    for other in (1.5, "1"):
        assert sqrt(2) != other
        with pytest.raises(TypeError):
            sqrt(2) < other  # noqa: B015 - the comparison itself is what raises
