"""Section G.2: generation of SnapKV and H2O on the positions they keep, against their rules written out.

Setting. The transformer of `_transformer`. Of each layer and head SnapKV keeps the k positions with the largest
products with the last query, H2O those that received the most attention (`_h2o`); what is generated stands at
positions n, n + 1, ..., as in the prompt. Written out: the state of each layer (`composition`), each head's keys and
values as a list, a softmax over the list for each new token.

Statements. The programs give the tokens of the rules written out. Where H2O goes on dropping, the keys and values that
are left after t tokens are those of the rule: of k + 1 positions the one that received least so far is dropped.

Reference: sections 9.2 and G.2 (arXiv 2409.17422).
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._h2o import evicting, h2o
from ._machine import Arrays
from ._transformer import snapkv, tokens_of
from .algorithm import DIMENSION, WIDTH, best_of, points, sizes
from .composition import ROUNDING, after_attention, projections, written_out, written_out_layer

n, m, h, k, t = sp.symbols("n m h k t", integer=True, positive=True)


def attention(query, keys):
    weights = np.exp(np.array(keys) @ query / np.sqrt(query.size))
    return weights / weights.sum()


def kept_of_head(Q, K, V, k, by_received):
    """Keys, values and received attention of the k positions that the rule keeps. Three lists."""
    weights = [attention(query, K[: i + 1]) for i, query in enumerate(Q)]
    received = [sum(row[i] for row in weights if i < row.size) for i in range(len(K))]
    best = best_of(received if by_received else [float(key @ Q[-1]) for key in K], k)
    return [[list(K)[i] for i in best], [list(V)[i] for i in best], [received[i] for i in best]]


def head_steps(kept, query, key, value, drop):
    """What a head gives for a new token, which is appended; then ``drop`` may name a position that is dropped."""
    for one, new in zip(kept, (key, value, 0), strict=True):
        one.append(new)
    weights = attention(query, kept[0])
    out = weights @ np.array(kept[1])
    kept[2] = [a + b for a, b in zip(kept[2], weights, strict=True)]
    if drop is not None:
        at = drop(kept[2])
        for one in kept:
            one.pop(at)
    return out


def generate(n, m, h, k, t, by_received=True, drop=None, first=None, last=None):
    """t tokens by the rule, at positions from ``first`` (n) on; and each layer's lists, head by head. ``last``: what
    the last head of the last layer drops, ``drop`` unless given."""
    ops, width = Arrays(), h * DIMENSION
    heads = [slice(j * DIMENSION, (j + 1) * DIMENSION) for j in range(h)]
    layers = [written_out_layer(n, layer, h, DIMENSION, WIDTH) for layer in range(m)]
    kept = [
        [kept_of_head(*(X[:, at] for X in QKV), k, by_received) for at in heads] for QKV in layers
    ]

    def drop_of(layer, at):
        return last if last and (layer, at) == (m - 1, heads[-1]) else drop

    token, made = ops.next_token(written_out(n, m, h, DIMENSION, WIDTH)), []
    for step in range(t):
        made += token
        row = ops.embedded(token, (n if first is None else first) + step, width)[0]
        for layer in range(m):
            query, key, value = projections(ops, layer, row)
            mixed = [
                head_steps(lists, query[at], key[at], value[at], drop_of(layer, at))
                for at, lists in zip(heads, kept[layer], strict=True)
            ]
            row = after_attention(ops, layer, row, np.concatenate(mixed), WIDTH)
        token = ops.next_token(row[None, :])
    return made, kept


def off(found, expected):
    return sum(a != b for a, b in zip(found, expected, strict=True))


def snapkv_tokens(n, m, h, k, t, **other):
    """Tokens of SnapKV that are not those of its rule."""
    found = snapkv(Arrays(), sizes(n, m, h), tokens_of(n), k, t)[1]
    return off(found, generate(n, m, h, k, t, by_received=False, **other)[0])


def h2o_tokens(n, m, h, k, t, **other):
    found = h2o(Arrays(), sizes(n, m, h), tokens_of(n), k, t)[1]
    return off(found, generate(n, m, h, k, t, **other)[0])


def snapkv_as_said(n, m, h, k, t):
    return snapkv_tokens(n, m, h, k, t)


def snapkv_from_k(n, m, h, k, t):
    return snapkv_tokens(n, m, h, k, t, first=k)


def h2o_as_said(n, m, h, k, t):
    return h2o_tokens(n, m, h, k, t)


def h2o_from_k(n, m, h, k, t):
    return h2o_tokens(n, m, h, k, t, first=k)


def h2o_by_the_last(n, m, h, k, t):
    return h2o_tokens(n, m, h, k, t, by_received=False)


def least(received):
    return min(range(len(received)), key=lambda i: received[i])


def oldest(received):
    return 0


def newest(received):
    return len(received) - 1


def least_of_the_old(received):
    return least(received[:-1])


def left(n, m, h, k, t, drop=least, last=None):
    """Numbers of the caches that are left by H2O which goes on dropping, and are not those of the rule; and how many
    were compared. Shape (2,)."""
    caches = evicting(Arrays(), sizes(n, m, h), tokens_of(n), k, t)
    kept = generate(n, m, h, k, t, drop=drop, last=last)[1]
    wrong = compared = 0
    for cache, heads in zip(caches, kept, strict=True):
        for which, array in enumerate(cache):
            rule = np.concatenate([np.array(lists[which]) for lists in heads], axis=1)
            wrong += int((~(abs(array[:k] - rule) <= ROUNDING)).sum())
            compared += rule.size
    return [wrong, compared]


def left_as_said(n, m, h, k, t):
    return left(n, m, h, k, t)


def left_without_the_oldest(n, m, h, k, t):
    return left(n, m, h, k, t, drop=oldest)


def left_by_another_last_head(n, m, h, k, t):
    return left(n, m, h, k, t, last=oldest)


def left_without_the_new(n, m, h, k, t):
    return left(n, m, h, k, t, drop=newest)


def left_with_the_new(n, m, h, k, t):
    return left(n, m, h, k, t, drop=least_of_the_old)


written = claim(
    "gemfilter-generation-written-out",
    lhs=r"\#\{\text{tokens that are not those of the rule}\}",
    states="gemfilter-vs-others",
    title="SnapKV and H2O generate by their rules",
    says="SnapKV and H2O give the tokens of their rules written out, what is generated standing at positions $n, n+1, "
    r"\dots$; where H2O goes on dropping, what is left after $t$ tokens is what the rule leaves.",
    role="derived",
    domain={n: integers(1), m: integers(1), h: integers(1), k: integers(1), t: integers(1)},
    where=sp.Le(k, n),
    grid={
        "smoke": points(
            (1, 1, 1, 1, 2),
            (7, 2, 2, 3, 6),
            (9, 2, 1, 4, 6),
            (8, 3, 2, 1, 4),
            (12, 2, 2, 12, 6),  # old positions are dropped as well
            names=(n, m, h, k, t),
        )
    },
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[
        leg("SnapKV", snapkv_as_said),
        leg("H2O", h2o_as_said),
        leg(
            "H2O that goes on dropping",
            left_as_said,
            closed_form=sp.Matrix([0, 2 * m * h * k * DIMENSION]),
            lhs=r"(\#\{\text{numbers left that are not the rule's}\},\ \#\{\text{compared}\})",
            tex=r"(0,\ 2mhkd)",
        ),
    ],
    rivals=[
        variant("positions from k on", simulation=snapkv_from_k, leg="SnapKV"),
        variant("positions from k on, H2O", simulation=h2o_from_k, leg="H2O"),
        variant("by the last query", simulation=h2o_by_the_last, leg="H2O"),
        variant(
            "the oldest dropped",
            simulation=left_without_the_oldest,
            leg="H2O that goes on dropping",
        ),
        variant(
            "another rule in the last head",
            simulation=left_by_another_last_head,
            leg="H2O that goes on dropping",
        ),
        variant(
            "the new one dropped",
            simulation=left_without_the_new,
            leg="H2O that goes on dropping",
        ),
        variant("the new one stays", simulation=left_with_the_new, leg="H2O that goes on dropping"),
    ],
)
