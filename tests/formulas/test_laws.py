"""Laws through intervals: the true law is never outside, and points that cannot tell say nothing."""

import numpy as np
import sympy as sp
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.formulas.laws import Feature, extent, features_of, fit, spread
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import as_float

P, K = Feature("power", ("p",)), Feature("power", ("k",))
GRID = [{"k": a, "p": b} for a in (2, 3, 5, 8) for b in (3, 5, 7, 11)]


def enclosure(value, relative, shift=0.0):
    ends = sorted((value * (1 + shift - relative), value * (1 + shift + relative)))
    return Enclosure(*(fmpq(*e.as_integer_ratio()) for e in ends))


@settings(max_examples=80, deadline=None)
@given(
    constant=st.floats(0.01, 100),
    a=st.floats(-3, 3),
    b=st.floats(-3, 3),
    relative=st.sampled_from([1e-10, 1e-5, 1e-2, 0.2]),
    seed=st.integers(0, 999),
)
def test_the_true_law_lies_inside(constant, a, b, relative, seed):
    rng = np.random.default_rng(seed)
    values = [
        enclosure(
            constant * q["k"] ** a * q["p"] ** b, relative, rng.uniform(-0.99, 0.99) * relative
        )
        for q in GRID
    ]
    law = fit(GRID, values, [K, P])
    if law is None:  # an exponent named 0 is left to the law without it
        assert min(abs(a), abs(b)) < 0.02
        return
    for named, true in zip(law.exponents, (a, b), strict=True):
        low, high = (
            float(named.interval.lo.p) / float(named.interval.lo.q),
            float(named.interval.hi.p) / float(named.interval.hi.q),
        )
        assert low - 1e-9 <= true <= high + 1e-9
    if law.constant.name is None and all(e.name is None for e in law.exponents):
        ends = law.constant.interval
        assert as_float(ends.lo) * (1 - 1e-9) <= constant <= as_float(ends.hi) * (1 + 1e-9)


def test_an_empty_set_is_none():
    values = [enclosure(1.0 + (i % 2), 0.01) for i in range(len(GRID))]
    assert fit(GRID, values, []) is None
    assert fit(GRID, values, [P]) is None


def test_points_that_cannot_tell_say_nothing():
    same = [{"k": v, "p": v} for v in (2, 3, 5, 7, 11)]
    values = [enclosure(float(q["p"]), 1e-6) for q in same]
    assert fit(same, values, [K, P]) is None
    assert fit(same, values, [P]).text() == "p"
    assert fit(GRID[:2], [enclosure(float(q["p"]), 1e-6) for q in GRID[:2]], [P]) is None


def test_signs_zeros_and_bases_without_logarithm():
    values = [enclosure(-2.0 * q["p"], 1e-9) for q in GRID]
    assert fit(GRID, values, [P]).text() == "-2 * p"
    assert fit(GRID, [*values[:-1], enclosure(1.0, 0.1)], [P]) is None
    assert fit(GRID, [*values[:-1], Enclosure(fmpq(-1), fmpq(0))], [P]) is None
    shifted = [{"p": q["p"] - 4} for q in GRID]
    assert fit(shifted, values, [P]) is None


def test_extent_of_a_known_polytope():
    design = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    low, high = extent(design, np.array([0.0, 1.0, 2.0]), np.array([0.1, 0.1, 0.1]))
    assert np.allclose([*low, *high], [-0.1, 0.1, 0.9, 1.1], atol=1e-5)
    assert extent(design, np.array([0.0, 1.0, 0.0]), np.array([0.1, 0.1, 0.1])) is None
    assert extent(design[:, :1].repeat(2, axis=1), np.zeros(3), np.ones(3)) is None


def test_the_law_at_a_point_keeps_its_width():
    values = [enclosure(0.54 * q["p"] ** 0.37, 0.02) for q in GRID]
    law = fit(GRID, values, [P])
    assert law.expression({"p": sp.Symbol("p")}) is None
    assert law.at({"p": 100}).contains(fmpq(*(0.54 * 100**0.37).as_integer_ratio()))
    assert not law.at({"p": 100}).contains(fmpq(*(0.54 * 100**0.6).as_integer_ratio()))
    assert law.at({"p": -1}) is None


def test_held_out_rows_are_spread():
    assert spread(5) == []
    for count in (6, 12, 30, 100):
        kept = spread(count)
        assert len(kept) == count // 3 == len(set(kept))
        assert max(b - a for a, b in zip([-1, *kept], [*kept, count], strict=True)) <= 7
    assert len({i % 3 for i in spread(12)}) > 1  # no column of a 3-column grid as a whole


def test_parameters_that_do_not_move_or_are_names_are_left_out():
    points = [{"k": 2, "p": v, "m": "a"} for v in (3, 5, 7)]
    used = {n for s in features_of(points, ["k", "p", "m"], ["p"]) for f in s for n in f.names}
    assert used == {"p"}
