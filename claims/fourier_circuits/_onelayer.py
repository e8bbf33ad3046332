"""The one-hidden-layer network in training, batched over seeds, with its gradient written out.

An array program. Parameters theta (S, m, k+1, p): S seeds, m neurons, the k embeddings and the output
weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorycheck.blocks.adamw import Recipe, adamw

from ._network import all_inputs, labels
from ._neuron import frequency_norms, squared_norm

Array = Any


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


def forward(ns: Any, theta: Array, data: Table, k: int, p: int) -> tuple[Array, Array, Array]:
    """Activations z^k and z^{k-1} of the sums z, (S, m, n) each, and logits (S, n, p)."""
    S, m = theta.shape[0], theta.shape[1]
    z = ns.matmul(ns.reshape(theta[:, :, :k, :], (S, m, k * p)), data.inputs)
    below = ns.pow(z, k - 1)
    above = below * z
    return above, below, ns.matmul(ns.matrix_transpose(above), theta[:, :, k, :])


def gradient(ns: Any, theta: Array, data: Table, k: int, p: int) -> Array:
    """Gradient of the weighted cross-entropy of each seed. Shape of theta."""
    S, m = theta.shape[0], theta.shape[1]
    above, below, logits = forward(ns, theta, data, k, p)
    slope = (ns.softmax(logits, axis=-1) - data.targets) * data.weight
    out = ns.matmul(above, slope)
    back = below * ns.matmul(k * theta[:, :, k, :], ns.matrix_transpose(slope))
    into = ns.reshape(ns.matmul(back, ns.matrix_transpose(data.inputs)), (S, m, k, p))
    return ns.concat([into, ns.expand_dims(out, axis=2)], axis=2)


def train(ns: Any, theta: Array, data: Table, k: int, p: int, recipe: Recipe) -> Array:
    """The parameters after AdamW with the same rows at every step."""

    def slope(now: dict[str, Array]) -> dict[str, Array]:
        return {"theta": gradient(ns, now["theta"], data, k, p)}

    return adamw(ns, {"theta": theta}, slope, recipe)["theta"]


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
