"""AdamW on the one-hidden-layer network, batched over seeds, with its gradient written out.

An array program: it runs on whatever device the namespace has. Parameters theta (S, m, k+1, p): S seeds,
m neurons, the k embeddings and the output weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ._network import all_inputs, labels
from ._neuron import frequency_norms, squared_norm

Array = Any


@dataclass(frozen=True)
class Recipe:
    """AdamW with decoupled weight decay; moments 0.9 and 0.98 as in the source."""

    steps: int
    rate: Fraction
    decay: Fraction
    first: Fraction = Fraction(9, 10)
    second: Fraction = Fraction(49, 50)


@dataclass(frozen=True)
class Table:
    """Inputs as stacked one-hot vectors (k p, n), labels as one-hot rows (n, p) or (S, n, p), and the
    weight of every row in the loss, () or (S, n, 1)."""

    inputs: Array
    targets: Array
    weight: Array


def table(ns: Any, k: int, p: int, rows: np.ndarray | None = None) -> Table:
    """The whole table of k-sums modulo p, or the given rows of it, all with the same weight."""
    chosen = np.arange(p**k) if rows is None else rows
    grid = all_inputs(k, p)[chosen]
    hot = np.concatenate([np.eye(p, dtype=np.int64)[grid[:, i]].T for i in range(k)])
    right = np.eye(p, dtype=np.int64)[labels(k, p)[chosen]]
    return Table(ns.asarray(hot), ns.asarray(right), ns.rational(1, len(chosen)))


def train_rows(ns: Any, rng: Any, size: int, count: int, kept: int) -> Array:
    """For every seed a random choice of ``kept`` of ``count`` rows: 1 for those, else 0. (S, n, 1)."""
    order = ns.xp.argsort(rng.permutation(count, size), axis=-1)
    return ns.expand_dims(ns.number(order < kept), axis=-1)


def forward(ns: Any, theta: Array, data: Table, k: int, p: int) -> tuple[Array, Array]:
    """Sums z (S, m, n) before the activation and logits (S, n, p)."""
    S, m = theta.shape[0], theta.shape[1]
    z = ns.matmul(ns.reshape(theta[:, :, :k, :], (S, m, k * p)), data.inputs)
    return z, ns.matmul(ns.matrix_transpose(z**k), theta[:, :, k, :])


def gradient(ns: Any, theta: Array, data: Table, k: int, p: int) -> Array:
    """Gradient of the mean cross-entropy of each seed. Shape of theta."""
    S, m = theta.shape[0], theta.shape[1]
    z, logits = forward(ns, theta, data, k, p)
    slope = (ns.softmax(logits, axis=-1) - data.targets) * data.weight
    power = z ** (k - 1) if k > 1 else ns.ones(z.shape)
    out = ns.matmul(power * z, slope)
    back = k * power * ns.matmul(theta[:, :, k, :], ns.matrix_transpose(slope))
    into = ns.reshape(ns.matmul(back, ns.matrix_transpose(data.inputs)), (S, m, k, p))
    return ns.concat([into, ns.expand_dims(out, axis=2)], axis=2)


def train(
    ns: Any, theta: Array, data: Table | Callable[[], Table], k: int, p: int, recipe: Recipe
) -> Array:
    """The parameters after the recipe's steps; the rate falls linearly to a tenth of it.

    ``data``: the same rows at every step, or a function that gives the next batch.
    """
    one = ns.asarray(1)
    b1, b2 = ns.asarray(recipe.first), ns.asarray(recipe.second)
    mean, square, p1, p2 = 0 * theta, 0 * theta, one, one
    tiny = ns.rational(1, 10**8)
    for step in range(recipe.steps):
        g = gradient(ns, theta, data() if callable(data) else data, k, p)
        mean, square = b1 * mean + (one - b1) * g, b2 * square + (one - b2) * g * g
        p1, p2 = p1 * b1, p2 * b2
        rate = ns.asarray(recipe.rate * (1 - Fraction(9 * step, 10 * recipe.steps)))
        move = (mean / (one - p1)) / (ns.sqrt(square / (one - p2)) + tiny)
        theta = theta - rate * (move + ns.asarray(recipe.decay) * theta)
    return theta


def accuracy(ns: Any, theta: Array, data: Table, k: int, p: int, rows: Array) -> Array:
    """Share of the marked rows (S, n, 1) whose largest logit is the right one. Shape (S,)."""
    _, logits = forward(ns, theta, data, k, p)
    right = ns.number(ns.argmax(logits, axis=-1) == ns.argmax(data.targets, axis=-1))
    return ns.sum(right * rows[..., 0], axis=-1) / ns.sum(rows[..., 0], axis=-1)


def spectra(ns: Any, theta: Array, k: int) -> tuple[Array, Array]:
    """Weight |theta_h|^{k+1} of every neuron, normalised, (S, m), and its power shares at the
    frequencies 0 .. p//2, one-sided, (S, m, p//2 + 1)."""
    u, w = theta[:, :, :k, :], theta[:, :, k, :]
    power = ns.power(squared_norm(ns, u, w), k + 1, 2)
    return power / ns.sum(power, axis=1, keepdims=True), frequency_norms(ns, u, w) ** 2


def concentration(ns: Any, theta: Array, k: int) -> Array:
    """Weighted mean of the largest power share of a neuron. Shape (S,)."""
    weight, shares = spectra(ns, theta, k)
    return ns.sum(weight * ns.max(shares, axis=-1), axis=1)


def rarest_frequency(ns: Any, theta: Array, k: int, level: Array) -> Array:
    """Least weight of a frequency among neurons that have at least ``level`` of their power there,
    over frequencies from 1 on. Shape (S,)."""
    weight, shares = spectra(ns, theta, k)
    pure = ns.number(shares[:, :, 1:] >= level)
    return ns.min(ns.sum(ns.expand_dims(weight, axis=-1) * pure, axis=1), axis=-1)
