"""Winning neurons on whole populations: every z_j takes two values, all examples are enumerated, steps are exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from theorycheck.blocks.two_layer_sgd import Network, Rule, gradient, outputs

from ._training import whole_support


class Laws(NamedTuple):
    """Two values of every feature, weights and signs of m neurons, the step; S_c and S_b follow from the values."""

    lows: Any
    highs: Any
    weights: Any
    s: Any
    eta: Any
    S_c: Any
    S_b: Any


def mean_squares(lows, highs):
    return sum(((a + b) / 2) ** 2 for a, b in zip(lows, highs, strict=True))


def winning(rng, core, background, signs):
    """Neurons whose core part outweighs any background, small enough for margins below 1 and for patterns that last."""

    def between(low, high, shape):
        whole = rng.integers(0, 60, shape)
        return [[low + (high - low) * Fraction(int(k), 59) for k in row] for row in whole]

    m, d0 = len(signs), core + background
    (lows,) = between(Fraction(1, 4), Fraction(1, 2), (1, d0))
    (highs,) = between(Fraction(3, 5), Fraction(1), (1, d0))
    small = Fraction(1, 3 * (core + 1))  # |<w, x>| <= small (2 core + core/8) < 1
    slack = (
        small * core / 8
    )  # silent neurons are below -slack; a step adds at most eta background/(2m)
    own = between(small, 2 * small, (m, core))
    other = between(-slack / background, slack / background, (m, background))
    return Laws(
        lows=lows,
        highs=highs,
        weights=[[s * w for w in a] + b for s, a, b in zip(signs, own, other, strict=True)],
        s=signs,
        eta=slack * m / background * Fraction(1 + int(rng.integers(0, 9, ())), 5),
        S_c=mean_squares(lows[:core], highs[:core]),
        S_b=mean_squares(lows[core:], highs[core:]),
    )


def winners(rng, core, background, m):
    return winning(rng, core, background, [1 - 2 * int(k) for k in rng.integers(0, 2, (m,))])


def stepped(ns, lows, highs, weights, s, eta, core, steps=1, lam=0, **more):
    """The network of readout s/m before and after steps on the population with decay ``lam``, and the population."""
    first = net = Network(weights, s / weights.shape[1])
    data, rule, rate = (
        whole_support(ns, lows, highs, core),
        Rule(Fraction(1), **more),
        eta[:, None, None],
    )
    for _ in range(steps):  # eta is an instance's own, a rule's rate one for all
        slope = gradient(ns, net, data, rule).weights
        net = Network((1 - rate * lam) * net.weights - rate * slope, net.readout)
    return first, net, data


def mean_margin(ns, net, data, y):
    """E[y h | y] over the population, whose first half has the label 1. Shape (B,)."""
    half = data.labels.shape[1] // 2
    own = slice(None, half) if y == 1 else slice(half, None)
    return y * ns.mean(outputs(ns, net, data.inputs)[:, own], axis=-1)


def team(rng, core, background, plus, minus, y):
    signs = [1] * plus + [-1] * minus
    return winning(rng, core, background, [signs[int(i)] for i in rng.permutation(plus + minus)])
