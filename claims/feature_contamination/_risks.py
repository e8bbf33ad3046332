"""Hinge risks of trained networks from fresh examples: uniform features, with a mirrored or shifted background.

A risk of n fresh examples is off by more than ``largest_loss`` sqrt(log(1/p)/(2 n)) to one side with probability p at
most (Hoeffding; labels are balanced, which keeps the examples independent).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from theorycheck.blocks.two_layer_sgd import RELU, Batch

from ._training import on_the_core, uniform_batch

FRESH = 2000
"""Examples for a risk."""


def fresh(ns, rng, size, core, background):
    """Fresh examples of the training law."""
    return uniform_batch(ns, rng, size, FRESH, core, background)


def mirrored(ns, examples, core):
    """The same with the background mirrored."""
    sides = on_the_core(ns, core, examples.inputs.shape[-1], 1, -1)
    return Batch(sides * examples.inputs, examples.labels)


def without_background(ns, examples, core, constant=0):
    """The same with ``constant`` on all of the background."""
    d0 = examples.inputs.shape[-1]
    kept = on_the_core(ns, core, d0, 1, 0) * examples.inputs
    if constant:
        kept = kept + on_the_core(ns, core, d0, 0, constant)
    return Batch(kept, examples.labels)


def largest_loss(ns, net, core, out, activation=RELU):
    """No example of the training law, or (``out``) of one with background in [-1, 0], has more loss. Shape (size,).

    y h is at least minus the largest <a_k w_k, -y x> summed over the neurons that pull the other way, each x_j
    between 0 and its end; with the identity all neurons together have one weight vector."""
    W, m = net.weights, net.weights.shape[1]
    side = -1 if out else 1
    ends = [[y] * core + [side] * (W.shape[2] - core) for y in (1, -1)]
    worst = []
    for y, row in zip((1, -1), ends, strict=True):
        if activation is RELU:  # sign 1 has the neurons 0, 2, ..
            most = ns.sum(ns.relu(W * ns.asarray(row)), axis=-1)
            worst.append(ns.sum(most[:, (1 if y == 1 else 0) :: 2], axis=-1) / m)
        else:
            v = ns.sum(net.readout[:, :, None] * W, axis=1)
            worst.append(ns.sum(ns.relu(-y * v * ns.asarray(row)), axis=-1))
    return 1 + ns.maximum(*worst)


def distance(ns, share):
    """sqrt(log(1/share)/(2 n)). Shape ()."""
    return ns.sqrt(ns.log(ns.asarray(1 / Fraction(share))) / (2 * FRESH))


def coins_passed(ns, share, factor=1):
    """P[the mean of `FRESH` fair losses of 0 and 1 is ``factor`` times the distance above 1/2, or more]. Shape ()."""
    losses, level = range(FRESH + 1), factor * distance(ns, share)
    ways = ns.asarray([Fraction(comb(FRESH, k), 2**FRESH) for k in losses])
    over = ns.asarray([Fraction(k, FRESH) - Fraction(1, 2) for k in losses]) >= level
    return ns.sum(ns.where(over, ways, 0 * ways))


def background_reach(ns, net, core):
    """The most that a background in [-1, 0] adds to |h| of a linear network. Shape (size,)."""
    v = ns.sum(net.readout[:, :, None] * net.weights, axis=1)[:, core:]
    return ns.maximum(ns.sum(ns.relu(v), axis=-1), ns.sum(ns.relu(-v), axis=-1))
