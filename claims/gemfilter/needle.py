"""Figures 9.1, 9.2, 9.5, G.3 without pretrained weights: needle selection in a model built by hand.

Setting. Tokens are random unit vectors in R^256. Layer 1 writes beside each token the content of the one before it (a
head whose scores depend on positions through random frequencies). Layer 2 is an induction head, whose query is a token
and whose keys are the contents written by layer 1, with a recency head that peaks at the last position. The prompt has
n - 2 random distinct tokens, the pair (A, V) hidden at position p, and A at the end; the answer is V. The filter
layer is the second; scores of its two heads are summed, averaged over 5 neighbours, and the k best are kept in order.

Statement. Selection by the last row keeps A, V and the query, and the second pass answers V. Without pooling, without
the sort, with the listing's permutation, with a middle row, with layer 1 as the filter, or without the recency head
most answers are lost.

The answers of trained models (Figure 9.5: which layers find the needle) are out of reach here.

Reference: sections 9.4.3, 9.4.4, G.4.4 (arXiv 2409.17422).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    holds_with_probability,
    leg,
    probability,
    variant,
)

n, k = sp.symbols("n k", integer=True, positive=True)
depth, ablation = sp.symbols("depth ablation")
WIDTH, FREQUENCIES, SHARPNESS, KERNEL = 256, 1024, 60, 5


def kernel(positions, shift, frequencies):
    """Mean of cos(omega (i - shift)) over the frequencies, 1 at i = shift. Shape of ``positions``."""
    return np.cos(np.multiply.outer(positions - shift, frequencies)).mean(axis=-1)


def previous(content, profile):
    """Layer 1: each token's softmax over the tokens up to it, peaked at the one before. Shape (n, WIDTH)."""
    size = len(content)
    offsets = np.arange(size)[:, None] - np.arange(size)[None, :]
    scores = np.where(offsets >= 0, SHARPNESS * profile[np.abs(offsets - 1)], -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ content


def last_row(content, before, profile, row):
    """Layer 2's scores of the query in ``row``: induction, recency. Two arrays of shape (n,)."""
    return before @ content[row], profile[np.abs(np.arange(len(content)) - row)]


def answer(content, profile, ablation):
    """The content that layer 2 copies for the last row. Shape (WIDTH,)."""
    before = content if ablation == "no layer 1" else previous(content, profile)
    scores = SHARPNESS * (before @ content[-1])
    weights = np.exp(scores - scores.max())
    return weights @ content / weights.sum()


def pooled(scores):
    return np.convolve(scores, np.full(KERNEL, 1 / KERNEL), mode="same")


def kept(content, profile, k, ablation):
    """Indices that the filter layer keeps, in the order of the second pass."""
    size = len(content)
    row = size // 2 if ablation == "middle row" else size - 1
    if ablation == "layer 1":
        scores = profile[np.abs(np.arange(size) - row + 1)]
    else:
        induction, recency = last_row(content, previous(content, profile), profile, row)
        scores = induction if ablation == "no recency" else induction + recency
    if ablation != "no pooling":
        scores = pooled(scores)
    best = np.argsort(-scores, kind="stable")[:k]
    if ablation == "no sort":
        return best
    return np.argsort(best, kind="stable") if ablation == "permutation" else np.sort(best)


def before_the_query(ns, rng, size, n, k, ablation):
    """Whether layer 1 as the filter keeps the token before the query. Booleans, shape (size,)."""
    return kept_near_the_end(rng, size, n, k, "layer 1")


def before_the_query_in_the_middle(ns, rng, size, n, k, ablation):
    return kept_near_the_end(rng, size, n, k, "middle row")


def kept_near_the_end(rng, size, n, k, ablation):
    stream, found = np.random.default_rng(int(rng.integers(0, 2**62))), []
    for _ in range(size):
        profile = kernel(np.arange(n + 1), 0, stream.uniform(0, np.pi, size=FREQUENCIES))
        found.append(n - 2 in kept(unit_vectors(stream, n), profile, k, ablation))
    return np.array(found)


def unit_vectors(rng, n):
    content = rng.normal(size=(n, WIDTH))
    return content / np.linalg.norm(content, axis=1, keepdims=True)


def position(n, depth):
    """Where V stands, after A, from 0."""
    return 2 + int(depth * (n - 5))


def trial(rng, n, k, depth, ablation):
    """The position of the answer, after selection (k < n) or from the whole prompt (k = n)."""
    content = unit_vectors(rng, n)
    place = 1 + int(depth * (n - 5))
    content[place] = content[-1]
    profile = kernel(np.arange(n + 1), 0, rng.uniform(0, np.pi, size=FREQUENCIES))
    chosen = kept(content, profile, k, ablation) if k < n else np.arange(n)
    found = answer(content[chosen], profile, ablation)
    return int(np.argmax(content @ found))


def answered(rng, size, n, k, depth, ablation, ahead=0):
    """Whether the answer stands where V is, or ``ahead`` tokens before it. Booleans, shape (size,)."""
    stream = np.random.default_rng(int(rng.integers(0, 2**62)))
    found = [trial(stream, n, k, depth, ablation) for _ in range(size)]
    return np.array(found) == position(n, depth) - ahead


def lost(ns, rng, size, n, k, depth):
    """Whether the answer is not V. Booleans, shape (size,)."""
    return ~answered(rng, size, n, k, depth, "")


def lost_unpooled(ns, rng, size, n, k, depth):
    return ~answered(rng, size, n, k, depth, "no pooling")


def lost_for_a(ns, rng, size, n, k, depth):
    """Whether the answer is not A, which is kept as well."""
    return ~answered(rng, size, n, k, depth, "", ahead=1)


def lost_early(ns, rng, size, n, k, depth):
    return ~answered(rng, size, n, k, depth, "layer 1")


def lost_in_full(ns, rng, size, n, k, depth):
    """The same of the whole prompt, with no selection."""
    return ~answered(rng, size, n, n, depth, "")


def lost_in_full_without_layer_1(ns, rng, size, n, k, depth):
    return ~answered(rng, size, n, n, depth, "no layer 1")


def as_many_as_said(ns, rng, size, n, k, depth, more=0):
    """Whether k indices are kept, and ``more``. Booleans, shape (size,)."""
    stream, found = np.random.default_rng(int(rng.integers(0, 2**62))), []
    for _ in range(size):
        profile = kernel(np.arange(n + 1), 0, stream.uniform(0, np.pi, size=FREQUENCIES))
        found.append(len(kept(unit_vectors(stream, n), profile, k, "")) == k + more)
    return np.array(found)


def one_more_than_said(ns, rng, size, n, k, depth):
    return as_many_as_said(ns, rng, size, n, k, depth, more=1)


DEPTHS = (0, Fraction(1, 2), Fraction(97, 100))
GRID = {"smoke": {n: [128], k: [16], depth: list(DEPTHS)}}

needle = claim(
    "gemfilter-needle",
    lhs=r"\Pr[\text{needle lost}]",
    title="The needle is kept and answered",
    says="In the model built by hand the last row of layer 2 keeps what the second pass needs: the answer is lost "
    "with probability at most 5 percent, at depths 0, 50 and 97 percent, with 16 of 128 tokens.",
    encodes="special-case",
    covers="keeps-needle",
    domain={n: choices(128), k: choices(16), depth: choices(*DEPTHS)},
    grid=GRID,
    closed_form=sp.Rational(1, 20),
    relation=holds_with_probability(),
    legs=[
        leg("selected", lost, statistic=probability(), draws="haystack", block=64),
        leg("whole prompt", lost_in_full, statistic=probability(), draws="haystack", block=64),
        leg(
            "how many",
            as_many_as_said,
            statistic=probability(),
            block=64,
            relation=at_least(),
            required=False,
            closed_form=sp.Rational(19, 20),
            lhs=r"\Pr[|J|=k]",
            grid={"smoke": [{n: 128, k: 16, depth: 0}]},
        ),
    ],
    rivals=[
        variant("one more", simulation=one_more_than_said, leg="how many"),
        variant("without pooling", simulation=lost_unpooled, leg="selected"),
        variant("layer 1 as the filter", simulation=lost_early, leg="selected"),
        variant("A for V", simulation=lost_for_a, leg="selected"),
        variant(
            "tokens matched with themselves",
            simulation=lost_in_full_without_layer_1,
            leg="whole prompt",
        ),
    ],
)

ABLATIONS = ("no pooling", "no sort", "permutation", "middle row", "layer 1", "no recency")


def answered_without(ns, rng, size, n, k, ablation):
    """Whether the answer is V although a part is missing. Booleans, shape (size,)."""
    return answered(rng, size, n, k, Fraction(1, 2), ablation)


def answered_with_all(ns, rng, size, n, k, ablation):
    return answered(rng, size, n, k, Fraction(1, 2), "")


ablations = claim(
    "gemfilter-needle-ablations",
    lhs=r"\Pr[\text{answered without}]",
    states="gemfilter-needle",
    title="Each part is needed",
    says="Without pooling, without the sort, with the listing's permutation, with a middle row, with layer 1 as the "
    "filter, or without the recency head, more than half of the answers are lost.",
    encodes="special-case",
    covers="ablations-fail",
    domain={n: choices(128), k: choices(16), ablation: choices(*ABLATIONS)},
    grid={"smoke": {n: [128], k: [16], ablation: list(ABLATIONS)}},
    closed_form=sp.Rational(1, 2),
    relation=holds_with_probability(),
    legs=[
        leg("sampled", answered_without, statistic=probability(), block=64),
        leg(
            "what layer 1 keeps",
            before_the_query,
            statistic=probability(),
            block=64,
            relation=at_least(),
            closed_form=sp.Rational(19, 20),
            grid={"smoke": {n: [128], k: [16], ablation: ["layer 1"]}},
            lhs=r"\Pr[n-2\in J]",
        ),
    ],
    rivals=[
        variant("nothing missing", simulation=answered_with_all, leg="sampled"),
        variant(
            "what a middle row keeps",
            simulation=before_the_query_in_the_middle,
            leg="what layer 1 keeps",
        ),
    ],
)
