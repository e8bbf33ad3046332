"""Lemma 8.13: the output of one masked linear attention layer.

Setting. Hidden state Z = [[X, y], [q^T, alpha]], identity query-key matrix, P = diag(I_d, 0), mask with
ones in the last row over the n context columns.

Statement. The layer's output vanishes except for its last row, which is q^T X^T X + alpha y^T X followed
by 0.

With P = I in its place the last entry would be q^T X^T y + alpha y^T y: it is P that keeps the label column at 0.

Reference: Lemma 8.13 (arXiv 2410.11268), with the sizes of Definition 8.6 corrected.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy as sp

from theorycheck import claim, equals, identity_for_all, instances, integers, leg, variant

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


def one_more(ns, X, y, q, alpha):
    return stated(ns, X, y, q, alpha) + 1


def one_less(ns, X, y, q, alpha):
    return stated(ns, X, y, q, alpha) - 1


def shapes(n, d):
    return {"X": (1, n, d), "y": (1, n), "q": (1, d), "alpha": (1,)}


def for_all_states(n, d):
    return identity_for_all(layer, stated, shapes(n, d))


def minus_for_all(n, d):
    return identity_for_all(layer, minus, shapes(n, d))


SMALL = {"smoke": {n: [1, 2, 3], d: [1, 2]}}
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
        leg(
            "exact",
            layer,
            arithmetic="rational",
            reference=stated,
            instances=instances(draw, HiddenState, smoke=3, standard=10),
        ),
        leg(
            "indeterminates",
            for_all_states,
            arithmetic="proof",
            over="X y q alpha",
            grid=SMALL,
            where=n * d <= 12,
        ),
    ],
    rivals=[
        variant("minus, for all", simulation=minus_for_all, leg="indeterminates"),
        variant("mask with the last diagonal entry", simulation=with_diagonal),
        variant("transposed mask", simulation=transposed),
        variant("value matrix I", simulation=keeping_labels),
        variant("minus in front of the labels", reference=minus),
        variant("one more", reference=one_more),
        variant("one less", reference=one_less),
    ],
)


# ---- what the value matrix is for


def last_column(ns, X, y, q, alpha):
    """Last column of the output with P, and its last entry with P = I: n + 2 numbers. Shape (B, n + 2)."""
    dropped = layer(ns, X, y, q, alpha)[:, :, -1]
    kept = keeping_labels(ns, X, y, q, alpha)[:, -1, -1:]
    return ns.concat([dropped, kept], axis=-1)


def stated_column(ns, X, y, q, alpha, labels=1):
    """n + 1 zeros and q^T X^T y + alpha y^T y. Shape (B, n + 2)."""
    predictions = ns.matmul(X, ns.expand_dims(q, axis=-1))[:, :, 0]
    kept = ns.sum(predictions * y, axis=-1) + labels * alpha * ns.sum(y**2, axis=-1)
    zeros = ns.concat([0 * y, 0 * y[:, :1]], axis=-1)
    return ns.concat([zeros, ns.expand_dims(kept, axis=-1)], axis=-1)


def without_labels(ns, X, y, q, alpha):
    return stated_column(ns, X, y, q, alpha, labels=0)


def column_and_one(ns, X, y, q, alpha):
    return stated_column(ns, X, y, q, alpha) + 1


def column_less_one(ns, X, y, q, alpha):
    return stated_column(ns, X, y, q, alpha) - 1


def column_for_all(n, d):
    return identity_for_all(last_column, stated_column, shapes(n, d))


def column_without_labels(n, d):
    return identity_for_all(last_column, without_labels, shapes(n, d))


label_column = claim(
    "looped-single-layer-labels",
    lhs=r"\big(\operatorname{Attn}_{\cdot,d+1},\ \operatorname{Attn}^{P=I}_{n+1,d+1}\big)",
    tex=r"\big(0,\ q^\top X^\top y+\alpha\,y^\top y\big)",
    states="looped-single-layer",
    title="The value matrix keeps the label column at zero",
    says=r"The last column of the output vanishes; with $P=I$ its last entry is $q^\top X^\top y+\alpha\,y^\top y$.",
    role="derived",
    covers="label-column-kept-zero",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [1, 2, 4], d: [1, 3]}},
    relation=equals(),
    legs=[
        leg(
            "exact",
            last_column,
            arithmetic="rational",
            reference=stated_column,
            instances=instances(draw, HiddenState, smoke=3, standard=10),
        ),
        leg(
            "indeterminates",
            column_for_all,
            arithmetic="proof",
            over="X y q alpha",
            grid=SMALL,
            where=n * d <= 12,
        ),
    ],
    rivals=[
        variant("without the labels' own term", reference=without_labels),
        variant("one more", reference=column_and_one),
        variant("one less", reference=column_less_one),
        variant("without it, for all", simulation=column_without_labels, leg="indeterminates"),
    ],
)
