"""The data model and the training of the source, in coordinates of the dictionary (Definition 3.1, section 3).

x = y sum_core z_j m_j + sum_bg z_j m_j with a fair sign y and independent z_j on [0, 1]; W = (<w_k, m_j>) is drawn from
N(0, 1/d), the readout a_k = s_k/m is frozen. Core features come first.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from theorycheck.blocks.two_layer_sgd import RELU, Batch, Network, Rule, train


def signed(ns, z, y, core):
    """x from feature weights z (..., N, d0) and labels y (..., N): the core features carry the label."""
    return ns.concat([y[..., None] * z[..., :core], z[..., core:]], axis=-1)


def on_the_core(ns, core, d0, own, other):
    """``own`` on the core features, ``other`` on the background. Shape (d0,)."""
    return ns.where(ns.arange(d0) < core, ns.asarray(own), ns.asarray(other))


def whole_support(ns, lows, highs, core):
    """All examples where every z_j is one of two values with probability 1/2. Batch of 2^(d0 + 1) rows an instance.

    ``lows``, ``highs``: (B, d0)."""
    bits = ns.asarray([list(row) for row in product((0, 1), repeat=lows.shape[1])])
    z = lows[:, None, :] + bits * (highs - lows)[:, None, :]
    z = ns.concat([z, z], axis=1)
    half = z.shape[1] // 2
    y = ns.asarray([[1] * half + [-1] * half] * z.shape[0])
    return Batch(signed(ns, z, y, core), y)


def labels(ns, size, count):
    """1, -1, 1, .. for each of ``size`` trainings. Shape (size, count)."""
    return ns.broadcast_to(1 - 2 * ns.number(ns.arange(count) % 2), (size, count))


def uniform_batch(ns, rng, size, count, core, background):
    """Fresh examples with z_j ~ U[0, 1]: ``count`` for each of ``size`` trainings, half of them of each label.

    Balanced labels leave out the noise of their number, of order 1/sqrt(N T) in each class' rates."""
    d0 = core + background
    z = rng.uniform((size, count, d0))
    y = labels(ns, size, count)
    # Every training has the same labels: the signs of one, in place of a copy of all features.
    signs = ns.where(ns.arange(d0) < core, y[0, :][:, None], ns.asarray(1))
    return Batch(signs * z, y)


def initial(ns, rng, size, m, d0, d):
    """Weights N(0, 1/d) in d0 dictionary coordinates; readout +1/m and -1/m in turns (S, m)."""
    scale = ns.sqrt(ns.asarray(Fraction(1, d)))
    signs = ns.asarray([[1 - 2 * (k % 2) for k in range(m)]] * size)
    return Network(scale * rng.normal((size, m, d0)), signs / m)


def rule(core, background, m, step, activation=RELU, **more):
    """The step size that adds ``step`` to the natural time c = eta t d0/m."""
    return Rule(Fraction(step) * m / (core + background), activation=activation, **more)


def middle(ns, values):
    """Halfway between the least and the largest of the trainings. Shape ()."""
    return (ns.min(values) + ns.max(values)) / 2


def told_apart(ns, size, *outcomes):
    """1 where in each of the ``outcomes`` some trainings have a 1 and some a 0. Shape (size,).

    Of values held to their `middle` that is so unless all trainings have one value."""
    mixed = [ns.max(found) > ns.min(found) for found in outcomes]
    return ns.zeros((size,)) + ns.number(ns.all(ns.stack(mixed, axis=0)))


def trained(ns, rng, first, core, rule, steps, count, seen=None):
    """Networks after online SGD from ``first`` on uniform features; ``seen(t, net)`` is called after every step."""
    size, _, d0 = first.weights.shape

    def draw(_):
        return uniform_batch(ns, rng, size, count, core, d0 - core)

    return train(ns, first, draw, rule, range(steps), seen)
