"""Theorem 9.3 and H2O: which positions are kept, and what would change if it went on dropping them.

Setting. The instrumented transformer of `_transformer` with H2O (`_h2o`): of each layer and head the k positions are
kept that received the most attention, added up over all queries of the prompt. The column "SnapKV and H2O" of the
theorem appends to these what is generated, k + t positions in all; its counts are in `complexity` and `memory`. The
source calls both methods static. The greedy rule that H2O is named for drops a position for each one that is added.

Statements. What is kept is what the sums choose. With a position dropped after each token, t tokens cost
2 m h d t (k + 1) multiply-adds of attention, and at most mw + 2mhkd + 2hd numbers are held: both below the column,
whose generation time no constant makes a lower bound of this (t far above k). So the column is that of a cache that
is compressed once.

Reference: Theorem 9.3, sections 9.2 and G.2 (arXiv 2409.17422).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import sympy as sp

from theorycheck import claim, counts, formula_leg, integers, leg, rivals_of, typed, variant

from ._h2o import evicting, h2o_prompt
from ._machine import Arrays, identity
from ._transformer import Sizes, prompt_layer, tokens_of
from .algorithm import DIMENSION, sizes
from .complexity import KEPT_STEPS_FROM, WIDTH, d, h, k, m, n, prompt, stepwise, t, w
from .memory import DOMAIN, F, report, shaped


def received_by(Q, K, at):
    """What each key of a head receives in total, query by query. A list of n floats."""
    total = np.zeros(len(K))
    for i, query in enumerate(Q[:, at]):
        weights = np.exp(K[: i + 1, at] @ query / np.sqrt(query.size))
        total[: i + 1] += weights / weights.sum()
    return total.tolist()


def received_by_the_last(Q, K, at):
    return (K[:, at] @ Q[-1, at]).tolist()


def not_kept(n, m, h, k, scores_of=received_by):
    """Numbers of H2O's caches that are not the keys and values of the k positions with the largest sums, head by
    head, over some sizes of tiles."""
    tiles = [replace(sizes(n, m, h), q=n // B, B=B, s=n % B) for B in sorted({1, min(2, n), n})]
    return sum(not_kept_in_tiles(z, k, scores_of) for z in tiles)


def not_kept_in_tiles(z, k, scores_of):
    ops, n = Arrays(), z.n
    state, wrong = ops.embedded(tokens_of(n), 0, z.D), 0
    for layer, kept in enumerate(h2o_prompt(Arrays(), z, tokens_of(n), k)[1]):
        state, Q, K, V = prompt_layer(ops, z, layer, state)
        for at in (slice(j * DIMENSION, (j + 1) * DIMENSION) for j in range(z.h)):
            scores = scores_of(Q, K, at)
            best = sorted(sorted(range(n), key=lambda i: -scores[i])[:k])
            wrong += sum(
                int((a[:, at] != b[best, at]).sum()) for a, b in zip(kept, (K, V), strict=True)
            )
    return wrong


def not_kept_by_the_last(n, m, h, k):
    return not_kept(n, m, h, k, received_by_the_last)


kept_positions = claim(
    "gemfilter-h2o-kept",
    lhs=r"\#\{\text{numbers kept that are not of the }k\text{ largest sums}\}",
    states="gemfilter-vs-others",
    title="What H2O keeps",
    says="For each layer and head H2O keeps the keys and values of the $k$ positions that received the most attention, "
    "added up over all queries of the prompt, in tiles of any size.",
    role="derived",
    domain={n: integers(1), m: integers(1), h: integers(1), k: integers(1)},
    where=sp.Le(k, n),
    grid={
        "smoke": [
            {n: 1, m: 1, h: 1, k: 1},
            {n: 6, m: 2, h: 1, k: 3},
            {n: 9, m: 2, h: 2, k: 4},
            {n: 11, m: 3, h: 2, k: 1},
        ]
    },
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[leg("caches", not_kept)],
    rivals=[variant("by the last query", simulation=not_kept_by_the_last)],
)


def evicting_steps(ops, k, b, m, h, d, t):
    z = Sizes(k + b, 1, 0, m, h, d, WIDTH)
    evicting(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.done["attention"]


def evicting_attention():
    """Attention of t tokens with a position dropped after each, for all sizes (n = k + b)."""
    return identity(
        evicting_steps, lambda k, b, m, h, d, t: 2 * m * h * d * t * (k + 1), **KEPT_STEPS_FROM
    )


def as_where_all_is_appended():
    return identity(
        evicting_steps, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t), **KEPT_STEPS_FROM
    )


def evicting_peak(n, m, h, d, F, k, t):
    """Most numbers held while t tokens are generated; and in one layer."""
    ops = Arrays()
    evicting(ops, shaped(n, m, h, d, F), tokens_of(n), k, t)
    return report(ops.meter.peak, h, d, F)


# at t = 4 C k with k >= 1: the row of the theorem over C times this count
LOWER = formula_leg(
    "no lower bound",
    typed(
        "k*t + t**2 > C*(2*t*(k + 1))",
        over="C in 1..oo; k in 1..oo; t in 1..oo",
        where="t >= 4*C*k",
    ),
)

dropped_one_by_one = claim(
    "gemfilter-h2o-evicting",
    lhs=r"\text{peak}",
    tex=r"mw+2mhkd+2hd",
    states="gemfilter-complexity",
    title="H2O with a position dropped after each token",
    says="If H2O goes on dropping positions while it generates, $t$ tokens cost $2mhd\\,t(k + 1)$ multiply-adds of "
    "attention and hold at most $mw + 2mhkd + 2hd$ numbers: not of the order of the printed row $mh(kt + t^2)d$ when "
    "$t$ is far above $k$. The printed column is that of a cache which is compressed once.",
    role="derived",
    domain={**DOMAIN, k: integers(1), t: integers(1)},
    where=sp.Le(k, n),
    grid={
        "smoke": [
            {n: 1, m: 1, h: 1, d: 1, F: 1, k: 1, t: 1},
            {n: 7, m: 3, h: 2, d: 2, F: 3, k: 4, t: 3},
            {n: 5, m: 2, h: 1, d: 3, F: 2, k: 1, t: 5},
            {n: 6, m: 1, h: 2, d: 3, F: 5, k: 6, t: 2},
        ]
    },
    closed_form=m * w + 2 * m * h * k * d + 2 * h * d,
    relation=counts(),
    legs=[
        leg("held", evicting_peak, observed=[w]),
        leg("attention", evicting_attention, arithmetic="proof"),
        LOWER,
    ],
    rivals=[
        variant("all appended", closed_form=m * w + 2 * m * h * (k + t) * d, leg="held"),
        variant("k alone", closed_form=m * w + 2 * m * h * k * d, leg="held"),
        variant("attention as printed", simulation=as_where_all_is_appended, leg="attention"),
        *rivals_of(LOWER, {"at t = C k": {"where": "t >= C*k"}}),
    ],
)
