"""Section 9.4.3, the model built by hand: layer 1 by a convolution is its softmax summed row by row.

Setting. As in `needle`: n tokens, the score of row i for token j <= i depends on the distance i - j alone and peaks at
1; the first token sees itself only. ``along`` are the tokens' entries in one direction.

Statement. The transforms of weights and entries, multiplied and transformed back, give what the softmax of each row,
written out, gives.

Reference: sections 9.4.3, G.4.4 (arXiv 2409.17422); the model is ours.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import choices, claim, holds_with_probability, leg, probability, variant

from .needle import SHARPNESS, previous, profiles

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
