"""Blocked margins and margins at one input of every orbit, against all inputs at once."""

from __future__ import annotations

import importlib
import itertools
import math

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.arrays import FloatNamespace, IntervalNamespace, enclose
from theorycheck.library.loading import _package, bundled, libraries, load_file

load_file(bundled() / "fourier_circuits" / "max_margin.py")
PACKAGE = _package(libraries()[0], bundled() / "fourier_circuits")
enumeration, formula, network = (
    importlib.import_module(f"{PACKAGE}._{name}") for name in ("enumeration", "formula", "network")
)
FLOATS = FloatNamespace(np)


def brute(design, k, p, turn):
    return network.margin_range(FLOATS, network.cosine_network(FLOATS, design, p, turn), k, p)


@pytest.mark.parametrize("ns", [FLOATS, FloatNamespace(array_api_strict)], ids=["numpy", "strict"])
@pytest.mark.parametrize("block", [1, 60, 10**6])
@pytest.mark.parametrize(("k", "p"), [(1, 5), (2, 4), (3, 3)])
def test_blocks_give_the_margins_of_the_definition(ns, block, k, p):
    rng = np.random.default_rng(k)
    net = network.Network(
        ns.from_float64(rng.standard_normal((7, k, p))),
        ns.from_float64(rng.standard_normal((7, p))),
    )
    gaps = np.asarray(network.margins(ns, net, k, p))
    whole = np.asarray(enumeration.margin_extent(ns, net, k, p, block=block))
    assert np.allclose(whole, [gaps.min(), gaps.max()], rtol=1e-12)
    some = np.array([[1] * k, [0] * k, [2] * k])
    rows = some @ p ** np.arange(k - 1, -1, -1)
    part = np.asarray(enumeration.margin_extent(ns, net, k, p, some, block=block))
    assert np.allclose(part, [gaps[rows].min(), gaps[rows].max()], rtol=1e-12)


@st.composite
def designs(draw):
    """Designs of few neurons, with none, some or all of the symmetries."""
    k, p = draw(st.sampled_from([(1, 5), (2, 3), (2, 4), (2, 5), (2, 8), (2, 9), (3, 3), (3, 4)]))
    turn = draw(st.sampled_from([2, 4, 6]))
    phase = st.integers(-turn, 2 * turn)
    design = draw(
        st.lists(
            st.builds(network.Neuron, st.integers(0, p - 1), st.tuples(*[phase] * k), phase),
            min_size=1,
            max_size=3,
        )
    )
    if draw(st.booleans()):
        design = [
            network.Neuron(x * n.frequency % p, n.phases, n.out)
            for n in design
            for x in range(1, p)
            if math.gcd(x, p) == 1
        ]
    if draw(st.booleans()):
        design = [
            network.Neuron(n.frequency, order, n.out)
            for n in design
            for order in itertools.permutations(n.phases)
        ]
    return design, k, p, turn


@given(designs())
@settings(max_examples=150, deadline=None)
def test_representatives_stand_for_all_inputs(case):
    design, k, p, turn = case
    net = network.cosine_network(FLOATS, design, p, turn)
    units, any_order = enumeration.symmetries(design, k, p, turn)
    inputs = enumeration.representatives(k, p, units, any_order)
    gaps = network.margins(FLOATS, net, k, p)
    found = enumeration.margin_extent(FLOATS, net, k, p, inputs)
    assert np.allclose(found, [gaps.min(), gaps.max()], atol=1e-11)
    # Every input is the image of exactly one representative.
    images = {}
    for a in inputs.tolist():
        orders = set(itertools.permutations(a)) if any_order else [tuple(a)]
        images[tuple(a)] = {tuple(x * b % p for b in order) for order in orders for x in units}
    assert sum(len(orbit) for orbit in images.values()) == p**k
    assert set().union(*images.values()) == set(itertools.product(range(p), repeat=k))


def test_symmetries_of_the_designs_are_found_and_those_of_spoilt_ones_are_not():
    units = [1, 2, 4, 5, 7, 8]
    assert enumeration.symmetries(network.source_design(2, 9), 2, 9) == (units, True)
    assert enumeration.symmetries(network.small_design(3, 9), 3, 9, 8) == (units, True)
    no_third = [n for n in network.source_design(2, 9) if n.frequency != 3]
    assert enumeration.symmetries(no_third, 2, 9) == (units, True)
    no_first = [n for n in network.source_design(2, 9) if n.frequency != 1]
    assert enumeration.symmetries(no_first, 2, 9) == ([1, 8], True)
    spoilt = network.source_design(2, 9)
    spoilt[0] = network.Neuron(1, (0, 1), 0)
    assert enumeration.symmetries(spoilt, 2, 9) == ([1], False)
    with pytest.raises(ValueError, match="half a turn"):
        enumeration.symmetries(spoilt, 2, 9, turn=5)


def test_a_symmetry_that_is_not_there_would_be_noticed():
    """Using the full group on a design without it gives another margin: the search is needed."""
    design = [n for n in network.source_design(2, 5) if n.frequency != 1]
    design[0] = network.Neuron(2, (1, 0), 1)
    net = network.cosine_network(FLOATS, design, 5)
    wrong = enumeration.representatives(2, 5, [1, 2, 3, 4], True)
    gaps = network.margins(FLOATS, net, 2, 5)
    found = enumeration.margin_extent(FLOATS, net, 2, 5, wrong)
    assert not np.allclose(found, [gaps.min(), gaps.max()])


@pytest.mark.parametrize(("k", "p"), [(1, 5), (2, 9), (3, 5), (3, 7)])
def test_margins_of_designs_agree_with_all_inputs(k, p):
    source = network.source_design(k, p)
    for design, turn in [
        (source, 4),
        (network.small_design(k, p), 2 * (k + 1)),
        (source[::2], 4),
        ([n for n in source if n.frequency != 1], 4),
    ]:
        found = enumeration.design_margins(FLOATS, design, k, p, turn)
        assert np.allclose(found, brute(design, k, p, turn), rtol=1e-10, atol=1e-13)


def test_intervals_at_a_size_of_the_source():
    """p**k = 912673 inputs of 1536 neurons, by 1636 representatives."""
    k, p = 3, 97
    ns = IntervalNamespace(np)
    with ns.working():
        ends = enclose(enumeration.design_margins(ns, network.source_design(k, p), k, p))
    gamma = float(formula.gamma.subs({formula.k: k, formula.p: p}))
    for end in ends:
        assert float(end.lo) <= gamma <= float(end.hi)
        assert float(end.hi - end.lo) < 1e-11 * gamma
