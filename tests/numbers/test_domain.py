"""Domains: membership, listing, text, and what is refused."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.numbers.domain import (
    DomainError,
    as_json,
    choices,
    even_integers,
    exact,
    from_text,
    integers,
    odd_integers,
    point_key,
    primes,
    product_points,
    reals,
    structured,
    to_text,
)

numbers = st.one_of(st.integers(-(10**9), 10**9), st.fractions())


@given(st.one_of(numbers, st.lists(numbers, max_size=4).map(tuple)))
def test_text_round_trips(value):
    assert from_text(to_text(exact(value))) == exact(value)


@pytest.mark.parametrize("name", ["(1,1) (1,0)", "(a, b)", "(1, x)", "(", ")"])
def test_what_is_no_tuple_of_numbers_is_a_name(name):
    assert from_text(to_text(exact(name))) == name


@pytest.mark.parametrize("value", [0.1, 1e300, float("nan"), None, [1, [2]], object()])
def test_floats_and_strangers_are_no_values(value):
    with pytest.raises(DomainError):
        exact(value)


def test_float_error_says_what_to_write():
    with pytest.raises(DomainError, match=r"write Fraction\(1/10\)"):
        exact(0.1)


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [
        (integers(2), [2, 3, 10**9], [1, Fraction(5, 2), "a", 2.0]),
        (integers(None, 4), [-7, 4], [5]),
        (odd_integers(3), [3, 9], [1, 4]),
        (odd_integers(4, 9), [5, 9], [4, 6, 11]),
        (even_integers(1), [2, 4], [1, 3]),
        (primes(3, 20), [3, 19], [2, 9, 23]),
        (reals(0, 1), [0, 1, Fraction(1, 3)], [2, Fraction(-1, 3)]),
        (reals(0, 1, low_open=True, high_open=True), [Fraction(1, 2)], [0, 1]),
        (choices(1, "a"), [1, "a"], [2, "b"]),
    ],
)
def test_membership(domain, inside, outside):
    assert all(v in domain for v in inside)
    assert not any(v in domain for v in outside)


@pytest.mark.parametrize(
    "make",
    [
        lambda: integers(3, 2),
        lambda: reals(1, 1, low_open=True),
        lambda: primes(8, 10),
        choices,
        lambda: reals(0.5, 1),
        lambda: integers("3"),
        lambda: structured(" "),
    ],
)
def test_domains_that_cannot_be(make):
    with pytest.raises(DomainError):
        make()


@given(st.integers(-5, 5), st.integers(0, 6))
def test_members_of_finite_integers_are_all_of_them(low, width):
    assert list(integers(low, low + width).members()) == list(range(low, low + width + 1))


def test_members_start_with_the_simplest():
    assert list(itertools.islice(integers().members(), 5)) == [0, 1, -1, 2, -2]
    assert list(itertools.islice(odd_integers(3).members(), 3)) == [3, 5, 7]
    few = list(itertools.islice(reals(0, 1).members(), 4))
    assert few == [0, 1, Fraction(1, 2), Fraction(1, 3)]


def test_product_and_key():
    points = product_points({"k": [1, 2], "p": [Fraction(1, 2)]})
    assert points == [{"k": 1, "p": Fraction(1, 2)}, {"k": 2, "p": Fraction(1, 2)}]
    assert point_key({"p": 3, "k": 2}) == "k=2, p=3"
    assert as_json(points[0]) == {"k": 1, "p": "1/2"}


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        (integers(2), "integer >= 2"),
        (odd_integers(3), "odd integer >= 3"),
        (even_integers(2), "even integer >= 2"),
        (primes(2, 7), "prime in 2..7"),
        (reals(0, Fraction(1, 4), low_open=True), "real in (0, 1/4]"),
        (choices("a", 1), "{a, 1}"),
    ],
)
def test_text(domain, text):
    assert domain.text() == text
