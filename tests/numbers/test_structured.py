"""Structured domains: what belongs to them, which members are tried, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.arrays.streams import Stream
from theorycheck.numbers.domain import DomainError, choices, integers, odd_integers, primes, reals
from theorycheck.numbers.matrices import covariances, four_squares, matrices, orthogonal
from theorycheck.numbers.structured import (
    angles,
    simplex,
    spectra,
    steps,
    subsets,
    tables,
    vectors,
)

HALF = Fraction(1, 2)
d = sp.Symbol("d", integer=True)

EVERY = [
    (spectra(), {}),
    (spectra(d, positive=True, squares=True), {"d": 3}),
    (spectra("d", 1), {"d": 2}),
    (spectra(2, nonzero=True), {}),
    (vectors("d"), {"d": 3}),
    (vectors("d", unit=True), {"d": 4}),
    (vectors("d", unit=True), {"d": 1}),
    (vectors(2, nonzero=True), {}),
    (orthogonal(d), {"d": 3}),
    (orthogonal(), {}),
    (matrices("n", "d"), {"n": 2, "d": 3}),
    (matrices("n", "d", "columns"), {"n": 4, "d": 2}),
    (matrices(3, 3, "r"), {"r": 1}),
    (matrices(4 * d, d, spectrum="lam"), {"d": 2, "lam": (Fraction(9, 2), HALF)}),
    (matrices(None, None, spectrum="lam"), {"lam": (3, 1, 1)}),
    (covariances("d"), {"d": 3}),
    (covariances("d", "lam"), {"d": 2, "lam": (2, 1)}),
    (steps("T"), {"T": 3}),
    (steps("T", "L", positive=True), {"T": 2, "L": Fraction(7, 2)}),
    (simplex("n"), {"n": 3}),
    (simplex("n", positive=True), {"n": 1}),
    (tables(2**d), {"d": 3}),
    (tables(5, (0, 1, 2)), {}),
    (subsets("n", "k"), {"n": 5, "k": 2}),
    (subsets("n"), {"n": 3}),
    (angles(), {}),
    (integers(2), {}),
    (integers(None, 7), {}),
    (odd_integers(3, 9), {}),
    (primes(3), {}),
    (reals(0, 1, low_open=True), {}),
    (reals(without=[0]), {}),
    (reals(5), {}),
    (choices("a", 2), {}),
]
NAMES = [f"{domain.text()} at {point}" for domain, point in EVERY]


def stream(purpose="draw"):
    return Stream(0, "c", purpose, "", {}, 0)


@pytest.mark.parametrize(("domain", "point"), EVERY, ids=NAMES)
def test_special_members_lie_inside_and_carry_a_label(domain, point):
    members = list(domain.special(point))
    assert members
    assert all(domain.contains(m.value, point) and m.label for m in members)
    assert len({m.value for m in members}) == len(members)


@pytest.mark.parametrize(("domain", "point"), EVERY, ids=NAMES)
def test_draws_lie_inside_vary_and_repeat(domain, point):
    rng, again = stream(), stream()
    drawn = [domain.draw(rng, point) for _ in range(12)]
    assert all(domain.contains(v, point) for v in drawn)
    assert drawn == [domain.draw(again, point) for _ in range(12)]
    if point not in ({"d": 1}, {"n": 1}):
        assert len(set(drawn)) > 1


@pytest.mark.parametrize(("domain", "point"), EVERY, ids=NAMES)
def test_shrinking_stays_inside_and_never_returns_the_value(domain, point):
    value = domain.draw(stream("shrink"), point)
    simpler = list(domain.shrink(value, point))
    assert value not in simpler
    assert all(domain.contains(v, point) for v in simpler)


@pytest.mark.parametrize(
    ("domain", "point", "outside"),
    [
        (spectra(), {}, [(1, 2), (1, -1), (), 3, (1.5, 0.5), "a"]),
        (spectra(positive=True), {}, [(1, 0)]),
        (spectra(squares=True), {}, [(2, 1), (HALF,)]),
        (spectra(nonzero=True), {}, [(0, 0)]),
        (spectra("d"), {"d": 2}, [(1,), (1, 1, 1)]),
        (spectra(most=1), {}, [(2, 1)]),
        (vectors(2, unit=True), {}, [(1, 1), (HALF, HALF), (1,)]),
        (orthogonal(2), {}, [((1, 1), (0, 1)), ((1, 0),), ((2, 0), (0, HALF))]),
        (matrices(2, 2, "columns"), {}, [((1, 1), (1, 1))]),
        (matrices(2, 2, "r"), {"r": 1}, [((1, 0), (0, 1))]),
        (matrices(None, 2, spectrum="lam"), {"lam": (4, 1)}, [((2, 0), (0, 2)), ((1, 0), (0, 1))]),
        (covariances(2), {}, [((1, 2), (2, 1)), ((1, 1), (0, 1)), ((-1, 0), (0, 1))]),
        (simplex(2), {}, [(1, 1), (2, -1), (1,)]),
        (simplex(2, positive=True), {}, [(1, 0)]),
        (tables(2), {}, [(0, 1), (1,)]),
        (subsets("n", 2), {"n": 3}, [(1, 4), (2, 1), (1, 1), (1,)]),
        (angles(), {}, [1, -1]),
        (reals(without=[0]), {}, [0]),
    ],
)
def test_what_does_not_belong(domain, point, outside):
    assert not any(domain.contains(v, point) for v in outside)


def labels(domain, point=None):
    return [m.label for m in domain.special(point or {})]


@pytest.mark.parametrize(
    ("domain", "point", "wanted"),
    [
        (spectra("d"), {"d": 3}, ["all equal", "tie at the top", "tie at the bottom", "one zero"]),
        (spectra("d"), {"d": 3}, ["rank one", "ratio 10^6", "geometric", "tiny", "zero"]),
        (vectors("d"), {"d": 3}, ["zero", "first axis", "last axis", "ones", "alternating"]),
        (orthogonal("d"), {"d": 3}, ["identity", "permutation", "reflection, determinant -1"]),
        (matrices(2, 3), {}, ["n < d", "duplicate rows", "zero row", "duplicate columns"]),
        (steps("T"), {"T": 3}, ["1/L", "zero", "2/L", "alternating"]),
        (simplex(3), {}, ["uniform", "point mass", "two points"]),
        (tables(8), {}, ["constant", "parity", "majority"]),
        (subsets(5, 2), {}, ["first", "last"]),
        (angles(), {}, ["0", "pi/2", "pi"]),
    ],
)
def test_members_that_false_statements_fall_at(domain, point, wanted):
    found = labels(domain, point)
    assert set(wanted) <= set(found)


def test_odd_integers_reach_the_first_that_is_no_prime():
    members = {m.value: m.label for m in odd_integers(3).special()}
    assert members[9] == "class, odd, prime power"
    assert members[15] == "class, odd, composite"
    assert members[3] == "smallest, odd, prime"


def test_integers_try_every_class_and_the_border():
    members = {m.value: m.label for m in integers(2, 50).special()}
    assert {2, 3, 4, 6, 50} <= set(members)
    assert not any(m.value % 2 for m in integers(2, 50).special() if "even" in m.label)


def test_reals_try_both_sides_of_their_ends():
    open_end = [m.value for m in reals(0, 1, low_open=True).special()]
    assert 0 not in open_end
    assert min(open_end) == Fraction(1, 10**6)
    assert 1 in open_end
    assert Fraction(1, 10**6) in [m.value for m in reals(without=[0]).special()]


def test_kernel_vectors_are_tried_where_a_matrix_is_named():
    members = {m.label: m.value for m in vectors(2, inside="X").special({"X": [[1, 2], [2, 4]]})}
    assert members["in the kernel of X"] == (
        -2,
        1,
    )


def test_free_sizes_begin_with_one_and_try_one_size_whole():
    found = labels(spectra())
    assert found[0] == "all equal, 1"
    assert found[1:4] == ["all equal, 3", "distinct, 3", "tie at the top, 3"]


def test_membership_reads_arrays_and_nested_lists():
    assert orthogonal(2).contains([[0, 1], [1, 0]])
    assert matrices(1, 2).contains(np.array([[1, Fraction(1, 2)]], dtype=object))
    assert not matrices(1, 2).contains(np.array([[0.1, 0.2]]))


def test_a_prescribed_spectrum_needs_its_rows():
    with pytest.raises(DomainError, match="give n = 4 d"):
        list(matrices(1, 2, spectrum="lam").special({"lam": (1, 1)}))


@pytest.mark.parametrize(
    "make", [lambda: tables(2, [1]), lambda: spectra(1.5), lambda: spectra(0, 0.5)]
)
def test_domains_that_cannot_be(make):
    with pytest.raises(DomainError):
        make()


def test_a_size_without_a_value_is_said():
    with pytest.raises(DomainError, match="asks for d"):
        list(vectors("d").special({}))


@given(st.integers(0, 3000))
def test_four_squares_add_up(n):
    assert sum(x * x for x in four_squares(n)) == n


def test_negative_numbers_have_no_four_squares():
    with pytest.raises(ValueError, match="negative"):
        four_squares(-1)


@pytest.mark.parametrize("unit", [False, True])
def test_no_vector_is_tried_where_there_are_no_coordinates(unit):
    """A border moved by one leads there: an isqrt of 0 was divided by."""
    assert list(vectors("d", unit=unit).special({"d": 0})) == []
    assert not vectors("d", unit=unit).contains((), {"d": 0})
