"""What the trained claims on feature contamination bound from the weights, against examples."""

from __future__ import annotations

import importlib
from fractions import Fraction
from itertools import product
from math import erfc, exp, log, pi, sqrt

import array_api_compat.numpy as numpy_api
import numpy as np
import pytest

from theorycheck.arrays import FloatNamespace
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU, Network, outputs
from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())
NS = FloatNamespace(numpy_api, "float64")
CORE, BACKGROUND, M = 3, 2, 4


def model(name):
    load_source(LIBRARY, bundled() / "feature_contamination")
    return importlib.import_module(f"{LIBRARY.package}.feature_contamination.{name}")


def networks(size=20):
    """Random weights; neurons 0, 2, .. have the sign 1."""
    W = np.random.default_rng(5).standard_normal((size, M, CORE + BACKGROUND))
    signs = np.tile([1.0, -1.0], M // 2) * np.ones((size, 1))
    return Network(W, signs / M)


def corners(y, side):
    """All examples of label y whose weights are 0 or 1, the background times ``side``. (32, d0)."""
    z = np.array(list(product((0, 1), repeat=CORE + BACKGROUND)), dtype=float)
    return np.concatenate([y * z[:, :CORE], side * z[:, CORE:]], axis=1)


@pytest.mark.parametrize("activation", [RELU, LINEAR], ids=lambda a: a.name)
@pytest.mark.parametrize("out", [False, True])
def test_no_example_has_more_loss_than_the_weights_allow(activation, out):
    net = networks()
    most = np.zeros(net.weights.shape[0])
    for y in (1, -1):
        x = np.broadcast_to(corners(y, -1 if out else 1), (len(most), 32, CORE + BACKGROUND))
        h = outputs(NS, net, x, activation)
        most = np.maximum(most, np.maximum(1 - y * h, 0).max(axis=1))
    bound = model("_risks").largest_loss(NS, net, CORE, out, activation)
    assert (most <= bound + 1e-12).all()
    if activation is LINEAR:  # one weight vector: the bound is met
        assert np.allclose(most, bound)
    assert not (most <= bound - 0.5).all()


def test_a_background_moves_a_linear_network_by_no_more_than_its_reach():
    net = networks()
    x = corners(1, -1)[:, CORE:]
    reach = model("_risks").background_reach(NS, net, CORE)
    v = (net.readout[:, :, None] * net.weights).sum(axis=1)[:, CORE:]
    assert np.allclose(np.abs(v @ x.T).max(axis=1), reach)


def test_neurons_misfire_no_more_often_than_their_weights_allow():
    net, n = networks(), 20_000
    z = np.random.default_rng(6).random((n, CORE + BACKGROUND))
    own, other = model("activation_asymmetry").misfires(NS, net.weights, CORE)
    distance = sqrt(log(1e9) / (2 * n))  # Hoeffding, at 1e-9 for each of 160
    signs = np.tile([1, -1], M // 2)
    for k, s in enumerate(signs):
        for label, bound in ((s, own), (-s, other)):
            x = np.concatenate([label * z[:, :CORE], z[:, CORE:]], axis=1)
            active = (net.weights[:, k] @ x.T >= 0).mean(axis=1)
            wrong = 1 - active if label == s else active
            assert (wrong <= bound[:, k] + distance).all()
    assert (own < 1).any()
    assert (other < 1).any()


def test_unsaturated_networks_have_no_margin_above_one():
    trainings = model("background_gradient_trainings")
    seen = set()
    for size in (0.5, 2.0):
        net = networks()
        net = Network(size * net.weights, net.readout)
        most = np.full(net.weights.shape[0], -np.inf)
        for y in (1, -1):
            x = np.broadcast_to(corners(y, 1), (len(most), 32, CORE + BACKGROUND))
            most = np.maximum(most, (y * outputs(NS, net, x)).max(axis=1))
        calm = trainings.unsaturated(NS, net.weights, CORE)
        assert (most[calm] <= 1 + 1e-12).all()
        seen |= set(calm.tolist())
    assert seen == {True, False}


@pytest.mark.parametrize("blocks", [(40, 24), (32, 32), (16, 48)])
def test_the_rates_of_the_closure_solve_its_equations(blocks):
    core, background = blocks
    p, rate_core, rate_bg = model("fixed_point_trainings").closure(core, background)
    d0, sigma = core + background, sqrt(1 / 12)
    alpha, beta = 2 * d0 * rate_core / core, 2 * d0 * rate_bg / background
    q = sigma * sqrt(core * alpha**2 + background * beta**2)
    r = (background * beta - core * alpha) / (2 * q)
    density = exp(-r * r / 2) / sqrt(2 * pi)
    assert p == pytest.approx(erfc(-r / sqrt(2)) / 2, abs=1e-12)
    assert alpha == pytest.approx(((1 + p) / 2 - sigma**2 * alpha * density / q) / 2, rel=1e-12)
    assert beta == pytest.approx(((1 - p) / 2 - sigma**2 * beta * density / q) / 2, rel=1e-12)


def test_one_example_to_fall_silent_is_one_step_of_rounding():
    passage_time = model("passage_time")
    values, weights = [[Fraction(1, 2)]] * 3, [[Fraction(1)]] * 3
    start = [Fraction(1), Fraction(1), Fraction(5)]
    found = passage_time.flow(start, values, weights, 2)
    # Both examples active: F = (1/2, 1/2, 0)/1, and <V, x> = 3/2 falls by 1/2 a unit of time.
    assert (found.time, found.early, found.late) == (3, 0, 1)
    silent = [Fraction(1), Fraction(1), Fraction(-5)]
    assert passage_time.flow(silent, values, weights, 2) is None
