"""Section 9.4.3, the model built by hand: layer 1 by a convolution is its softmax summed row by row; and the pooling.

Setting. As in `needle`: n tokens, the score of row i for token j <= i depends on the distance i - j alone and peaks at
1; the first token sees itself only. ``along`` are the tokens' entries in one direction.

Statements. The transforms of weights and entries, multiplied and transformed back, give what the softmax of each row,
written out, gives. Each token's scores are averaged over the five tokens at most 2 away, 0 beyond the ends.

Reference: sections 9.4.3, G.4.4 (arXiv 2409.17422); the model is ours.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    choices,
    claim,
    equals,
    holds_with_probability,
    instances,
    integers,
    leg,
    probability,
    variant,
    vectors,
)

from .needle import SHARPNESS, pooled, previous, profiles

n = sp.Symbol("n", integer=True, positive=True)


def off_the_sum(ns, rng, size, n, behind=1, sharpness=SHARPNESS):
    """Whether layer 1 differs from its softmax summed row by row, which peaks ``behind`` tokens before. Booleans, shape
    (size,). The transforms round by about 1e-13; a weight that stands elsewhere is of order 1."""
    profile, along = profiles(ns, rng, size, n), rng.normal((size, n))
    distances = ns.indices([abs(i - min(i, j) - behind) for i in range(n) for j in range(n)])
    scores = ns.reshape(ns.take(profile, distances, axis=1), (size, n, n))
    seen = ns.tril(ns.exp(sharpness * (scores - 1)))
    summed = ns.einsum("bij,bj->bi", seen, along) / ns.sum(seen, axis=2)
    return ns.max(ns.abs(previous(ns, along, profile) - summed), axis=1) > 1e-9


layer_one = claim(
    "gemfilter-layer-one",
    lhs=r"\Pr[\text{the convolution is another sum}]",
    states="gemfilter-needle",
    title="Layer 1 by a convolution",
    says="For 12, 33 and 64 tokens layer 1 by a convolution is off its softmax summed row by row with probability at "
    "most 5 percent.",
    encodes="special-case",
    role="derived",
    domain={n: choices(12, 33, 64)},
    grid={"smoke": {n: [12, 33, 64]}},
    closed_form=sp.Rational(1, 20),
    relation=holds_with_probability(),
    legs=[leg("row by row", off_the_sum, statistic=probability(), block=32)],
    rivals=[
        variant("two tokens before", call=off_the_sum, behind=2),
        variant("a sixth of the sharpness", call=off_the_sum, sharpness=SHARPNESS / 6),
    ],
)


def averaged(ns, scores, n):
    """The model's pooling of a row of scores. Shape (B, n)."""
    return pooled(ns, scores)


def five_by_five(ns, scores, n, away=2, shares=5):
    """A fifth of each token's score to every token at most 2 away."""
    near = [[int(abs(i - j) <= away) for j in range(n)] for i in range(n)]
    return ns.matmul(scores, ns.asarray(near)) / shares


def three_by_three(ns, scores, n):
    return five_by_five(ns, scores, n, away=1, shares=3)


def largest_of_five(ns, scores, n):
    zeros = ns.zeros((scores.shape[0], 2))
    padded = ns.concat([zeros, scores, zeros], axis=1)
    return ns.max(ns.stack([padded[:, i : i + n] for i in range(5)]), axis=0)


def least_of_five(ns, scores, n):
    return -largest_of_five(ns, -scores, n)


def of_those_inside(ns, scores, n):
    """Divided by how many of the five there are."""
    inside = [min(i + 2, n - 1) - max(i - 2, 0) + 1 for i in range(n)]
    return five_by_five(ns, scores, n, shares=1) / ns.asarray(inside)


averages = claim(
    "gemfilter-needle-pooling",
    lhs=r"\operatorname{avg}(s)_i",
    tex=r"\tfrac15\textstyle\sum_{|j-i|\le2}s_j",
    states="gemfilter-needle",
    title="The pooling averages five neighbours",
    says="The pooled score of a token is a fifth of the sum of the scores at most 2 away, 0 beyond the ends.",
    encodes="special-case",
    role="derived",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 3, 8, 13]}},
    relation=equals(),
    legs=[
        leg(
            "neighbour by neighbour",
            averaged,
            arithmetic="rational",
            reference=five_by_five,
            instances=instances({"scores": vectors(n)}, smoke=4),
            unit=1,
        )
    ],
    rivals=[
        variant("maxima of five", reference=largest_of_five, at={n: [8]}),
        variant("minima of five", reference=least_of_five, at={n: [8]}),
        variant("averages of three", reference=three_by_three, at={n: [8]}),
        variant("divided by what is inside", reference=of_those_inside, at={n: [8]}),
    ],
)
