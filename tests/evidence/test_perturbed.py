"""Changes of a model in copies of the programs that run it: what they move, and that nothing else is touched."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from theorycheck.arrays import BallNamespace, RationalNamespace
from theorycheck.evidence.perturbed import moved, reached, shared, with_changed


def weights(n):
    return [Fraction(1, j) for j in range(1, n + 1)]


@cache
def remembered(n):
    return weights(n)


def helper(n):
    return max(remembered(n))


def bound(n):
    return helper(n) + 1


def attained(n):
    return sum(weights(n))


def alone(n):
    return 2**n


def scaled(n):
    """A share: no common factor of the weights moves it."""
    w = weights(n)
    return max(w) / sum(w)


def names(functions):
    return [f.__name__ for f in functions]


def test_what_two_programs_share_is_found_behind_caches_and_helpers():
    assert names(reached(bound)) == ["bound", "helper", "remembered", "weights"]
    assert names(shared(bound, [attained])) == ["weights"]
    assert shared(alone, [attained]) == []


def test_the_program_itself_is_not_what_it_shares():
    assert names(shared(bound, [bound])) == ["helper", "remembered", "weights"]
    assert shared(alone, [alone]) == []


@pytest.mark.parametrize("program", [bound, attained, scaled])
def test_a_changed_model_moves_the_program_and_leaves_the_original(program):
    before = program(3)
    changed = with_changed(program, weights)
    assert changed(3) != before
    assert program(3) == before
    assert remembered(3) == weights(3)  # no cache holds what was changed


def above(n):
    """What is attained, and nothing else."""
    return attained(n)


def corrected(n):
    """What is attained, and the largest weight."""
    return attained(n) + max(weights(n))


def test_what_a_program_has_from_a_construction_alone_is_not_its_own():
    assert with_changed(above, weights)(3) != above(3)
    assert with_changed(above, weights, [attained])(3) == above(3)
    assert with_changed(corrected, weights, [attained])(3) != corrected(3)
    assert names(shared(above, [attained], [attained])) == ["weights"]


def test_an_unrelated_change_moves_nothing():
    assert with_changed(alone, weights)(3) == alone(3)


@pytest.mark.parametrize(
    "value",
    [0, 3, True, Fraction(1, 3), 0.5, [1, [2, 3]], (1, 2), {"a": 1}, np.arange(4), np.ones(3),
     np.array([True, False]), np.array([Fraction(1, 2), 3], dtype=object)],
    ids=repr,
)  # fmt: skip
def test_numbers_of_every_kind_are_moved(value):
    once, again = moved(value), moved(value)
    assert np.array_equal(np.asarray(once, dtype=object), np.asarray(again, dtype=object))
    assert not np.array_equal(np.asarray(once, dtype=object), np.asarray(value, dtype=object))


@pytest.mark.parametrize("ns", [RationalNamespace(), BallNamespace(64)])
def test_arrays_of_a_namespace_are_moved_by_no_common_factor(ns):
    x = ns.asarray([[1, 2], [0, 4]])
    y = moved(x)
    assert y.shape == x.shape
    share = y / ns.sum(y)
    assert ns.all(share != x / 7)


def test_numbers_of_a_set_are_moved_whatever_its_order():
    once = moved(frozenset({(1, 2), (0, -1)}))
    assert isinstance(once, frozenset) and once == moved(frozenset({(0, -1), (1, 2)}))
    assert not once & {(1, 2), (0, -1)}


def test_what_is_no_number_stays():
    assert moved("name") == "name" and moved(None) is None
