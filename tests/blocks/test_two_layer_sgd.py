"""Online SGD of two-layer networks: gradients, steps, resumption, and the arithmetics it runs in."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import array_api_compat.numpy as xp
import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.arrays import (
    BallNamespace,
    FloatNamespace,
    IntervalNamespace,
    RationalNamespace,
    enclose,
)
from theorycheck.blocks.two_layer_sgd import (
    GELU,
    HINGE,
    LINEAR,
    LOGISTIC,
    RELU,
    SIGMOID,
    SOFTPLUS,
    TANH,
    UNSATURATED_HINGE,
    Batch,
    Network,
    Rule,
    gradient,
    outputs,
    risk,
    step,
    train,
)

SHAPE = (2, 3, 4, 5)  # trainings, samples, neurons, inputs


def drawn(seed, scale=1, shape=SHAPE):
    """Exact weights, readout, inputs and labels as nested lists of fractions."""
    rng = np.random.default_rng(seed)
    S, N, m, d = shape

    def fractions(*sizes):
        whole = rng.integers(-999, 1000, sizes)
        return np.vectorize(lambda k: Fraction(int(k) * scale, 1001), otypes=[object])(whole)

    labels = np.vectorize(lambda k: Fraction(2 * int(k) - 1), otypes=[object])(
        rng.integers(0, 2, (S, N))
    )
    return fractions(S, m, d), fractions(S, m), fractions(S, N, d), labels


def made(ns, seed, scale=1, shape=SHAPE):
    W, a, x, y = (ns.asarray(part.tolist()) for part in drawn(seed, scale, shape))
    return Network(W, a), Batch(x, y)


def moved(ns, net, W, a, by):
    return Network(
        net.weights + by * ns.asarray(W.tolist()), net.readout + by * ns.asarray(a.tolist())
    )


def along(ns, slope, W, a):
    """<slope, direction> of every training."""
    return ns.sum(slope.weights * ns.asarray(W.tolist()), axis=(-2, -1)) + ns.sum(
        slope.readout * ns.asarray(a.tolist()), axis=-1
    )


@pytest.mark.parametrize("activation", [RELU, LINEAR])
@pytest.mark.parametrize("loss", [HINGE, UNSATURATED_HINGE])
@pytest.mark.parametrize("trained", ["weights", "readout"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=12, deadline=None)
def test_the_gradient_is_the_exact_difference_quotient(activation, loss, trained, seed):
    """Away from kinks the risk is affine in the weights alone and in the readout alone."""
    ns = RationalNamespace()
    with ns.working():
        net, data = made(ns, seed)
        W, a, _, _ = drawn(seed + 1)
        W, a = (W, 0 * a) if trained == "weights" else (0 * W, a)
        rule = Rule(Fraction(1), activation=activation, loss=loss, trains_readout=True)
        tiny = Fraction(1, 10**12)  # a kink nearer than that is one draw in a million
        up, down = (risk(ns, moved(ns, net, W, a, by), data, rule) for by in (tiny, -tiny))
        quotient = (up - down) / (2 * tiny)
        assert ns.all(quotient == along(ns, gradient(ns, net, data, rule), W, a))


@pytest.mark.parametrize("activation", [SOFTPLUS, TANH, SIGMOID, GELU], ids=lambda a: a.name)
def test_smooth_gradients_in_balls(activation):
    """The quotient of differences of 2^-60 is off by 2^-120 times a third derivative below 2^20."""
    ns = BallNamespace(400)
    with ns.working():
        net, data = made(ns, 3)
        W, a, _, _ = drawn(4)
        rule = Rule(Fraction(1), activation=activation, loss=LOGISTIC, trains_readout=True)
        tiny = Fraction(1, 2**60)
        up, down = (risk(ns, moved(ns, net, W, a, by), data, rule) for by in (tiny, -tiny))
        off = ns.abs((up - down) / (2 * tiny) - along(ns, gradient(ns, net, data, rule), W, a))
        assert ns.all(off < ns.rational(1, 2**100))


@pytest.mark.parametrize("activation", [RELU, LINEAR])
def test_a_wrong_sign_of_the_label_is_seen(activation):
    """The difference quotient tells the gradient from that of the indicator without the label."""
    ns = RationalNamespace()
    with ns.working():
        net, data = made(ns, 5, scale=10)
        rule = Rule(Fraction(1), activation=activation)
        printed = replace(HINGE, slope=lambda ns, margin: -ns.number(margin * data.labels <= 1))
        right = gradient(ns, net, data, rule).weights
        assert not ns.all(gradient(ns, net, data, replace(rule, loss=printed)).weights == right)


def by_hand(net, batches, rule):
    """The same training of one seed in plain Python."""
    W, a = net
    for x, y in batches:
        slope_W = [[Fraction(0)] * len(W[0]) for _ in W]
        for xi, yi in zip(x, y, strict=True):
            pre = [sum(p * q for p, q in zip(w, xi, strict=True)) for w in W]
            h = sum(ak * max(p, 0) for ak, p in zip(a, pre, strict=True))
            if yi * h <= 1:
                for k, p in enumerate(pre):
                    if p >= 0:
                        for j, xj in enumerate(xi):
                            slope_W[k][j] -= yi * a[k] * xj / len(x)
        W = [
            [
                (1 - rule.rate * rule.decay) * w - rule.rate * g
                for w, g in zip(row, slope, strict=True)
            ]
            for row, slope in zip(W, slope_W, strict=True)
        ]
    return W


def test_steps_are_those_of_a_loop_in_fractions():
    ns = RationalNamespace()
    rule = Rule(Fraction(1, 3), Fraction(1, 7))
    with ns.working():
        net, _ = made(ns, 0)
        batches = [made(ns, 10 + t)[1] for t in range(4)]
        ended = train(ns, net, batches.__getitem__, rule, range(4))
        for seed in range(SHAPE[0]):
            W, a, _, _ = drawn(0)
            plain = [
                (drawn(10 + t)[2][seed].tolist(), drawn(10 + t)[3][seed].tolist()) for t in range(4)
            ]
            W = by_hand((W[seed].tolist(), a[seed].tolist()), plain, rule)
            assert ns.all(ended.weights[seed] == ns.asarray(W))
        assert ns.all(ended.readout == net.readout)


def test_a_training_goes_on_where_it_was_left():
    ns = FloatNamespace(xp)
    rule = Rule(Fraction(1, 10), Fraction(1, 100), SOFTPLUS, LOGISTIC, trains_readout=True)
    net, _ = made(ns, 1)

    def draw(number):
        return made(ns, number)[1]

    seen = []
    whole = train(ns, net, draw, rule, range(9), lambda t, now: seen.append((t, now)))
    resumed = train(ns, dict(seen)[3], draw, rule, range(4, 9))
    assert [t for t, _ in seen] == list(range(9))
    assert ns.all(whole.weights == resumed.weights) and ns.all(whole.readout == resumed.readout)
    assert not ns.all(whole.readout == net.readout)


def test_trainings_share_nothing():
    ns = FloatNamespace(xp)
    rule = Rule(Fraction(1, 10))
    net, data = made(ns, 2)
    both = step(ns, net, data, rule).weights
    for s in range(SHAPE[0]):
        one = slice(s, s + 1)
        alone = step(
            ns,
            Network(net.weights[one], net.readout[one]),
            Batch(data.inputs[one], data.labels[one]),
            rule,
        )
        assert ns.all(both[one] == alone.weights)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_intervals_hold_the_floats_and_the_exact_run(seed):
    """The float trajectory is within the enclosure that the same program has in intervals."""
    rule = Rule(Fraction(1, 10), Fraction(1, 50))
    ends = {}
    for ns in (FloatNamespace(xp), IntervalNamespace(xp), RationalNamespace()):
        with ns.working():
            net, _ = made(ns, seed)
            ends[ns.kind] = train(
                ns, net, lambda t, ns=ns: made(ns, seed + 1 + t)[1], rule, range(5)
            ).weights
    floats = [Fraction(float(w)) for w in ends["float"].reshape(-1)]
    for near, exact, number in zip(
        enclose(ends["interval"]), enclose(ends["rational"]), floats, strict=True
    ):
        assert near.lo <= exact.lo <= near.hi
        assert near.lo <= fmpq(number.numerator, number.denominator) <= near.hi


def test_below_the_margin_one_the_neurons_decouple():
    """The linear loss gives the hinge's step while no margin passes 1, and another one after that."""
    ns = RationalNamespace()
    with ns.working():
        for scale, same in ((Fraction(1, 100), True), (100, False)):
            net, data = made(ns, 8, scale=scale)
            rule = Rule(Fraction(1, 5))
            margins = data.labels * outputs(ns, net, data.inputs)
            assert bool(ns.all(margins <= 1)) is same
            hinge, linear = (
                step(ns, net, data, replace(rule, loss=loss)).weights
                for loss in (HINGE, UNSATURATED_HINGE)
            )
            assert bool(ns.all(hinge == linear)) is same


@pytest.mark.parametrize("trains_readout", [False, True])
@pytest.mark.parametrize("loss", [HINGE, UNSATURATED_HINGE])
def test_trainings_stepped_in_parts_are_the_ones_stepped_at_once(monkeypatch, loss, trains_readout):
    """Seven trainings, two at a time and one at the end: the same numbers."""
    ns = FloatNamespace(xp)
    net, batch = made(ns, 3, shape=(7, 3, 4, 5))
    rule = Rule(Fraction(1, 2), Fraction(1, 10), loss=loss, trains_readout=trains_readout)
    whole = step(ns, net, batch, rule)
    monkeypatch.setattr("theorycheck.arrays.slices.IN_CACHE", 2 * 3 * 4)
    parts = step(ns, net, batch, rule)
    for one, other in zip(parts, whole, strict=True):
        assert one.shape == other.shape and np.allclose(one, other, rtol=1e-14, atol=1e-15)
