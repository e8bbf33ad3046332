"""A one-layer attention-only transformer on k-sums, batched over seeds, with its gradient written out.

Tokens a_1, .., a_k have embeddings E; every head h has key-query and value-projection matrices. In token
space a head is two p x p tables: scores T_h = E K_h Q_h^T E^T (key, query) and contributions
U_h = E V_h P_h. With the attention of query j on key i, alpha_h(i, j), a softmax over the keys, the logits
are sum_h sum_i (sum_j alpha_h(i, j)) U_h[a_i], pooled over queries: the labels do not depend on the order
of the inputs, so there are no positions. An array program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorycheck.blocks.adamw import Parameters

from ._network import all_inputs, labels

Array = Any


@dataclass(frozen=True)
class Shape:
    """Modulus, inputs, embedding dimension, heads, and the inner dimension of a head."""

    p: int
    k: int
    d: int
    heads: int
    inner: int


def start(ns: Any, rng: Any, size: int, s: Shape) -> Parameters:
    """Gaussian parameters, each matrix scaled by its fan-in; E has unit entries."""

    def draw(shape: tuple[int, ...], fan: int) -> Array:
        return rng.normal((size, *shape)) / ns.sqrt(ns.asarray(fan))

    return {
        "E": draw((s.p, s.d), s.d),
        "K": draw((s.heads, s.d, s.inner), s.inner),
        "Q": draw((s.heads, s.d, s.inner), s.inner),
        "V": draw((s.heads, s.d, s.inner), s.d),
        "P": draw((s.heads, s.inner, s.p), s.inner),
    }


def tables(ns: Any, theta: Parameters) -> tuple[Array, Array]:
    """Scores T and contributions U, each (S, heads, p, p)."""
    E = ns.expand_dims(theta["E"], axis=1)
    keys, queries = ns.matmul(E, theta["K"]), ns.matmul(E, theta["Q"])
    scores = ns.matmul(keys, ns.matrix_transpose(queries))
    return scores, ns.matmul(ns.matmul(E, theta["V"]), theta["P"])


@dataclass(frozen=True)
class Table:
    """Rows of k-sums: one-hot tokens ``hot`` (n, p, k), places ``pairs`` (k k n) of (key token, query token)
    among p p, one-hot ``spots`` of these (k k n, p p), one-hot labels (n, p) or (S, n, p), and each row's
    weight in the loss, (), (n, 1) or (S, n, 1)."""

    hot: Array
    pairs: Array
    spots: Array
    targets: Array
    weight: Array


def table(
    ns: Any, s: Shape, weight: Array, targets: Array = None, rows: np.ndarray | None = None
) -> Table:
    """All inputs, or the given ``rows`` of them, with their own labels, or with the given ``targets``."""
    chosen = np.arange(s.p**s.k) if rows is None else rows
    grid = all_inputs(s.k, s.p)[chosen]
    one, two = np.eye(s.p, dtype=np.int64), np.eye(s.p**2, dtype=np.int64)
    pairs = (grid.T[:, None] * s.p + grid.T[None, :]).reshape(-1)  # key i, query j
    right = ns.asarray(one[labels(s.k, s.p)[chosen]]) if targets is None else targets
    hot = ns.asarray(np.moveaxis(one[grid], 1, 2))
    return Table(hot, ns.indices(pairs), ns.asarray(two[pairs]), right, weight)


def unordered(k: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """One row for every multiset of inputs, and to which of them each of the p**k inputs belongs. The
    model does not see the order: rows of one multiset have the same logits, so their weights add up."""
    _, rows, which = np.unique(
        np.sort(all_inputs(k, p), axis=1), axis=0, return_index=True, return_inverse=True
    )
    return rows, which.reshape(-1)


def forward(ns: Any, theta: Parameters, data: Table, s: Shape) -> tuple[Array, Array, Array, Array]:
    """Attention (k, k, n, S H), weight of each token (S, n, H p), U (S, H p, p), logits (S, n, p).

    Seeds and heads come last where sums run over the inputs of a row: such sums are fast.
    """
    scores, gains = tables(ns, theta)
    S, n = scores.shape[0], data.hot.shape[0]
    columns = ns.matrix_transpose(ns.reshape(scores, (S * s.heads, s.p**2)))
    z = ns.reshape(ns.take(columns, data.pairs, axis=0), (s.k, s.k, n, S * s.heads))
    alpha = ns.softmax(z, axis=0)
    mass = ns.moveaxis(ns.sum(alpha, axis=1), 0, 1)  # over queries; (n, k, S H)
    spread = ns.reshape(ns.matmul(data.hot, mass), (n, s.p, S, s.heads))
    spread = ns.reshape(ns.permute_dims(spread, (2, 0, 3, 1)), (S, n, s.heads * s.p))
    gains = ns.reshape(gains, (S, s.heads * s.p, s.p))
    return alpha, spread, gains, ns.matmul(spread, gains)


def gradient(ns: Any, theta: Parameters, data: Table, s: Shape) -> Parameters:
    """Gradient of the weighted cross-entropy of each seed."""
    alpha, spread, gains, logits = forward(ns, theta, data, s)
    S, n = logits.shape[0], data.hot.shape[0]
    slope = (ns.softmax(logits, axis=-1) - data.targets) * data.weight
    d_gains = ns.reshape(ns.matmul(ns.matrix_transpose(spread), slope), (S, s.heads, s.p, s.p))
    d_spread = ns.matmul(slope, ns.matrix_transpose(gains))
    d_spread = ns.permute_dims(ns.reshape(d_spread, (S, n, s.heads, s.p)), (1, 3, 0, 2))
    d_spread = ns.reshape(d_spread, (n, s.p, S * s.heads))
    d_mass = ns.moveaxis(ns.matmul(ns.matrix_transpose(data.hot), d_spread), 1, 0)
    d_alpha = ns.expand_dims(d_mass, axis=1)
    d_z = alpha * (d_alpha - ns.expand_dims(ns.sum(d_alpha * alpha, axis=0), axis=0))
    lines = ns.matrix_transpose(ns.reshape(d_z, (s.k**2 * n, S * s.heads)))
    d_scores = ns.reshape(ns.matmul(lines, data.spots), (S, s.heads, s.p, s.p))
    E = ns.expand_dims(theta["E"], axis=1)
    turned = ns.matrix_transpose(E)
    outer = {
        "K": ns.matmul(d_scores, ns.matmul(E, theta["Q"])),
        "Q": ns.matmul(ns.matrix_transpose(d_scores), ns.matmul(E, theta["K"])),
        "V": ns.matmul(d_gains, ns.matrix_transpose(theta["P"])),
    }
    found = {name: ns.matmul(turned, d) for name, d in outer.items()}
    found["P"] = ns.matmul(ns.matrix_transpose(ns.matmul(E, theta["V"])), d_gains)
    into = sum(ns.matmul(d, ns.matrix_transpose(theta[name])) for name, d in outer.items())
    return {**found, "E": ns.sum(into, axis=1)}


def planar_share(ns: Any, theta: Parameters) -> Array:
    """Weighted mean over heads of the largest share of the power of T_h at one pair of frequencies.

    T_h without its mean over the keys, which the softmax does not see; a pair (f, g) counts with its
    conjugate (-f, -g); heads count by their power. Shape (S,).
    """
    scores, _ = tables(ns, theta)
    p = scores.shape[-1]
    seen = scores - ns.mean(scores, axis=2)[:, :, None, :]
    re, im = ns.dft(seen, axis=-1)
    re, im = ns.dft(re, im, axis=-2)
    power = ns.reshape(re**2 + im**2, (*scores.shape[:2], p * p))
    partner = [(-f % p) * p + (-g % p) for f in range(p) for g in range(p)]
    both = (power + ns.take(power, ns.indices(partner), axis=-1))[..., 1:]
    total = ns.sum(power, axis=-1)
    return ns.sum(ns.max(both, axis=-1), axis=1) / ns.sum(total, axis=1)
