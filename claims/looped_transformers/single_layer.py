"""Lemma 8.13: the output of one masked linear attention layer.

Setting. Hidden state Z = [[X, y], [q^T, alpha]], identity query-key matrix, P = diag(I_d, 0), mask with
ones in the last row over the n context columns.

Statement. The layer's output vanishes except for its last row, which is q^T X^T X + alpha y^T X followed
by 0.

Reference: Lemma 8.13 (arXiv 2410.11268), with the sizes of Definition 8.6 corrected.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, variant

from ._models import attention, initial_state, last_row_mask

n, d = sp.symbols("n d", integer=True, positive=True)


class HiddenState(NamedTuple):
    """[[X, y], [q^T, alpha]], exact: X (n, d), y (n,), q (d,), alpha a number."""

    X: Any
    y: Any
    q: Any
    alpha: Any


def draw(rng, n, d):
    """An arbitrary rational hidden state."""
    return HiddenState(
        X=rng.rational((n, d), 5),
        y=rng.rational((n,), 5),
        q=rng.rational((d,), 5),
        alpha=rng.rational((), 5),
    )


def layer(ns, X, y, q, alpha):
    """All (n+1)(d+1) entries of the attention output. Shape (B, n+1, d+1)."""
    return attention(ns, initial_state(ns, X, y, q, alpha))


def stated(ns, X, y, q, alpha, sign=1):
    """Zero rows, then q^T X^T X + alpha y^T X and 0. Shape (B, n+1, d+1)."""
    Xq = ns.matmul(X, ns.expand_dims(q, axis=-1))[:, :, 0]
    coefficients = Xq + sign * ns.expand_dims(alpha, axis=-1) * y
    row = ns.matmul(ns.expand_dims(coefficients, axis=1), X)
    row = ns.concat([row, row[:, :, :1] * 0], axis=-1)
    zeros = ns.broadcast_to(row * 0, (row.shape[0], X.shape[1], row.shape[2]))
    return ns.concat([zeros, row], axis=1)


def with_diagonal(ns, X, y, q, alpha):
    size = X.shape[1] + 1
    mask = ns.asarray([[int(i == size - 1)] * size for i in range(size)])
    return attention(ns, initial_state(ns, X, y, q, alpha), mask=mask)


def transposed(ns, X, y, q, alpha):
    mask = ns.matrix_transpose(last_row_mask(ns, X.shape[1]))
    return attention(ns, initial_state(ns, X, y, q, alpha), mask=mask)


def keeping_labels(ns, X, y, q, alpha):
    return attention(ns, initial_state(ns, X, y, q, alpha), P=ns.eye(X.shape[2] + 1))


def minus(ns, X, y, q, alpha):
    return stated(ns, X, y, q, alpha, sign=-1)


single_layer = claim(
    "looped-single-layer",
    lhs=r"\operatorname{Attn}(Z)",
    tex=r"\begin{pmatrix}0&0\\q^\top X^\top X+\alpha\,y^\top X&0\end{pmatrix}",
    title="Output of one masked linear attention layer",
    says=r"For every hidden state, one layer gives zero context rows and the last row $(q^\top X^\top"
    r" X + \alpha y^\top X, 0)$.",
    covers="layer-output",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [1, 2, 4], d: [1, 3]}, "standard": {n: [1, 2, 4, 7], d: [1, 2, 4]}},
    relation=equals(),
    legs=[
        leg("exact", layer, arithmetic="rational", reference=stated,
            instances=instances(draw, HiddenState, smoke=3, standard=10)),
    ],
    rivals=[
        variant("mask with the last diagonal entry", simulation=with_diagonal),
        variant("transposed mask", simulation=transposed),
        variant("value matrix I", simulation=keeping_labels),
        variant("minus in front of the labels", reference=minus),
    ],
)  # fmt: skip
