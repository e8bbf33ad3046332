"""Figures 9.1, 9.2, 9.5, G.3 without pretrained weights: needle selection in a model built by hand.

Setting. Tokens are random unit vectors in R^256. Layer 1 writes beside each token the content of the one before it (a
head whose scores depend on positions through random frequencies). Layer 2 is an induction head, whose query is a token
and whose keys are the contents written by layer 1, with a recency head that peaks at the last position. The prompt has
n - 2 random distinct tokens, the pair (A, V) hidden at the share ``depth`` of it, and A at the end; the answer is V.
The filter layer is the second; scores of its two heads are summed, averaged over 5 neighbours, and the k best are kept
in order.

Statement. Selection by the last row keeps A, V and the query, and the second pass answers V, for n = 256 and 1024
and needles from the beginning to the end. Without pooling, without the sort, with the listing's permutation, with a
middle row, with layer 1 as the filter, or without the recency head most answers are lost.

What is computed. Layer 1's weights depend on distances only, and layer 2 needs its outputs in one direction q: the
weights times (content q), a convolution (`layer_one`), in place of (weights times content) q. Every haystack is drawn
afresh; that it is shows in pairs of haystacks, and where the needle stands in the median of where the answer is found.

The answers of trained models (Figure 9.5: which layers find the needle) are out of reach here.

Reference: sections 9.4.3, 9.4.4, G.4.4 (arXiv 2409.17422).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    holds_with_probability,
    leg,
    probability,
    quantile,
    variant,
)

n, k = sp.symbols("n k", integer=True, positive=True)
depth, ablation = sp.symbols("depth ablation")
WIDTH, FREQUENCIES, SHARPNESS, KERNEL = 256, 512, 60, 5


def profiles(ns, rng, size, n):
    """Means over random frequencies w in [0, pi] of cos(w i), i = 0, .., n: 1 at 0, about 0 elsewhere. i = a + side b,
    and the cosine of a sum. Shape (size, n + 1)."""
    side = isqrt(n) + 1
    angles = ns.pi * rng.uniform((size, 1, FREQUENCIES)) * ns.number(ns.arange(side))[:, None]
    far, near = side * angles, ns.matrix_transpose(angles)
    table = ns.cos(far) @ ns.cos(near) - ns.sin(far) @ ns.sin(near)
    return ns.reshape(table, (size, side * side))[:, : n + 1] / FREQUENCIES


def previous(ns, along, profile):
    """Layer 1 in one direction: each token's softmax over the tokens up to it, peaked at the one before, of their
    entries ``along``. Both of shape (size, n or more), shape (size, n)."""
    size, n = along.shape
    # the weight at distance 0, 1, 2, ..; the first token sees itself only
    at_distance = ns.concat([profile[:, 1:2], profile[:, : n - 1]], axis=1)
    weights = ns.exp(SHARPNESS * (at_distance - 1))
    padding = ns.zeros((size, n))
    a, b = (ns.dft(ns.concat([x, padding], axis=1)) for x in (weights, along))
    product = (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])
    summed = ns.dft(product[0], -product[1])[0][:, :n] / (2 * n)
    seen = summed / ns.cumulative_sum(weights, axis=1)
    return ns.concat([along[:, :1], seen[:, 1:]], axis=1)


def induction(ns, content, query, profile, layer_1=True):
    """Layer 2's scores of a query (size, WIDTH) with the contents that layer 1 wrote. Shape (size, n)."""
    along = ns.einsum("bnw,bw->bn", content, query)
    return previous(ns, along, profile) if layer_1 else along


def away_from(ns, profile, n, row):
    """The recency head's scores, which peak at ``row``. Shape (size, n)."""
    return ns.take(profile, ns.indices([abs(i - row) for i in range(n)]), axis=1)


def pooled(ns, scores):
    """Means over 5 neighbours, 0 beyond the ends. Shape (size, n)."""
    n, side = scores.shape[1], KERNEL // 2
    padding = ns.zeros((scores.shape[0], side))
    padded = ns.concat([padding, scores, padding], axis=1)
    return ns.sum(ns.stack([padded[:, i : i + n] for i in range(KERNEL)]), axis=0) / KERNEL


def kept(ns, content, profile, k, ablation):
    """Indices that the filter layer keeps, in the order of the second pass. Shape (size, k)."""
    n = content.shape[1]
    row = n // 2 if ablation == "middle row" else n - 1
    if ablation == "layer 1":
        scores = away_from(ns, profile, n, row - 1)
    else:
        scores = induction(ns, content, content[:, row, :], profile)
        if ablation != "no recency":
            scores = scores + away_from(ns, profile, n, row)
    if ablation != "no pooling":
        scores = pooled(ns, scores)
    best = ns.argsort(-scores, axis=-1)[:, :k]
    if ablation == "no sort":
        return best
    return ns.argsort(best, axis=-1) if ablation == "permutation" else ns.sort(best, axis=-1)


def answer(ns, content, profile, ablation):
    """The content that layer 2 copies for the last row. Shape (size, WIDTH)."""
    scores = induction(ns, content, content[:, -1, :], profile, layer_1=ablation != "no layer 1")
    return ns.einsum("bn,bnw->bw", ns.softmax(SHARPNESS * scores), content)


def place_of_a(n, depth):
    """Where A stands, from 0; V comes next."""
    place = 1 + int(depth * (n - 5))
    if abs(place - depth * n) > 5:
        raise ValueError("the needle is not at its depth")
    return place


def haystack(ns, rng, size, n, depth):
    """Random tokens, A at its place and at the end. Shape (size, n, WIDTH)."""
    content, place = rng.sphere((size, n, WIDTH)), place_of_a(n, depth)
    return ns.concat([content[:, :-1, :], content[:, place : place + 1, :]], axis=1)


def run(ns, rng, size, n, k, depth, ablation=""):
    """Indices that the filter keeps (size, k), of all for k = n; where the answer stands (size,); the haystacks and the
    positional profiles."""
    content = haystack(ns, rng, size, n, depth)
    profile = profiles(ns, rng, size, n)
    chosen, second = ns.arange(n)[None, :], content
    if k < n:
        chosen = kept(ns, content, profile, k, ablation)
        at = ns.broadcast_to(ns.expand_dims(chosen, axis=2), (size, k, WIDTH))
        second = ns.take_along_axis(content, at, axis=1)
    found = answer(ns, second, profile, ablation)
    place = ns.argmax(ns.einsum("bnw,bw->bn", content, found), axis=-1)
    return chosen, place, (content, profile)


def answered(ns, rng, size, n, k, depth, ablation, ahead=0):
    """Whether the answer stands where V is, or ``ahead`` tokens before it. Booleans, shape (size,)."""
    return run(ns, rng, size, n, k, depth, ablation)[1] == place_of_a(n, depth) + 1 - ahead


def lost(ns, rng, size, n, k, depth, ablation="", ahead=0, also=()):
    """Whether A, V, the query or a token of ``also`` is not kept, or the answer is not V. Booleans, shape (size,)."""
    chosen, found, _ = run(ns, rng, size, n, k, depth, ablation)
    place, good = place_of_a(n, depth), found == place_of_a(n, depth) + 1 - ahead
    for needed in (place, place + 1, n - 1, *also):
        good = good & ns.any(chosen == needed, axis=1)
    return ~good


def lost_unpooled(ns, rng, size, n, k, depth):
    return lost(ns, rng, size, n, k, depth, "no pooling")


def lost_with_another(ns, rng, size, n, k, depth):
    """A token in the first half that nothing selects is asked for as well."""
    return lost(ns, rng, size, n, k, depth, also=(n // 3,))


def lost_for_a(ns, rng, size, n, k, depth):
    """Whether the answer is not A, which is kept as well."""
    return lost(ns, rng, size, n, k, depth, ahead=1)


def lost_early(ns, rng, size, n, k, depth):
    return lost(ns, rng, size, n, k, depth, "layer 1")


def lost_in_full(ns, rng, size, n, k, depth):
    """The same of the whole prompt, with no selection."""
    return ~answered(ns, rng, size, n, n, depth, "")


def lost_in_full_without_layer_1(ns, rng, size, n, k, depth):
    return ~answered(ns, rng, size, n, n, depth, "no layer 1")


def found_at(ns, rng, size, n, k, depth, ablation=""):
    """Where the answer of the second pass stands in the prompt, from 0. Shape (size,)."""
    return ns.number(run(ns, rng, size, n, k, depth, ablation)[1])


def found_at_early(ns, rng, size, n, k, depth):
    return found_at(ns, rng, size, n, k, depth, "layer 1")


def sharing(ns, rng, size, n, k, depth):
    """Whether two haystacks that follow each other have an entry in common, or their profiles have, but for the 1 at
    distance 0. Booleans, shape (size,)."""
    content, profile = run(ns, rng, 2 * size, n, k, depth)[2]
    profile = profile[:, 1:, None]
    both = (shared(ns, x[::2, :, :], x[1::2, :, :]) for x in (content, profile))
    return next(both) | next(both)


def sharing_with_itself(ns, rng, size, n, k, depth):
    content, _ = run(ns, rng, size, n, k, depth)[2]
    return shared(ns, content, content)


def sharing_profiles(ns, rng, size, n, k, depth):
    _, profile = run(ns, rng, size, n, k, depth)[2]
    return shared(ns, profile[:, :, None], profile[:, :, None])


def repeating(ns, rng, size, n, k, depth, last=-1):
    """Whether two tokens of a haystack are the same, of all but the ``last``, which is A again: seen at their first
    entries. Booleans, shape (size,)."""
    content, _ = run(ns, rng, size, n, k, depth)[2]
    entries = ns.sort(content[:, :last, 0], axis=-1)
    return ns.any(entries[:, 1:] == entries[:, :-1], axis=1)


def repeating_at_the_end(ns, rng, size, n, k, depth):
    return repeating(ns, rng, size, n, k, depth, last=n)


def shared(ns, one, other):
    return ns.any(ns.any(one == other, axis=2), axis=1)


def as_many_as_said(ns, rng, size, n, k, depth, more=0):
    """Whether k indices, and ``more``, are kept, all different, of n tokens in R^256. Booleans, shape (size,)."""
    chosen, _, (content, _) = run(ns, rng, size, n, k, depth)
    different = ns.all(chosen[:, 1:] > chosen[:, :-1], axis=1)
    return different & (chosen.shape[1] == k + more) & (content.shape[1:] == (n, 256))


def one_more_than_said(ns, rng, size, n, k, depth):
    return as_many_as_said(ns, rng, size, n, k, depth, more=1)


DEPTHS = (0, Fraction(1, 2), Fraction(97, 100))
IN_THE_MIDDLE = sp.Eq(depth, sp.Rational(1, 2))
MIDDLE = {n: 256, k: 16, depth: Fraction(1, 2)}
FOUND = 2 + sp.floor(depth * (n - 5))
NEARER = FOUND.subs(depth, sp.Min(depth, sp.Rational(1, 2)))
"""Wrong in the second half alone."""
WHERE = {
    "statistic": quantile("1/2"),
    "block": 8,
    "relation": equals(),
    "closed_form": FOUND,
    "lhs": r"\operatorname{median}(\text{position of the answer})",
    "tex": r"2+\lfloor\text{depth}\,(n-5)\rfloor",
}


def elsewhere(name):
    """Wrong places, for the leg so called."""
    return [
        variant("always in the middle", closed_form=2 + sp.floor((n - 5) / 2), leg=name),
        variant("where A stands", closed_form=FOUND - 1, leg=name),
        variant("nowhere beyond the middle", closed_form=NEARER, leg=name),
        variant("found by layer 1", simulation=found_at_early, leg=name),
    ]


needle = claim(
    "gemfilter-needle",
    lhs=r"\Pr[\text{needle lost}]",
    title="The needle is kept and answered",
    says="In the model built by hand the last row of layer 2 keeps the needle's pair and the query, and the second "
    "pass answers: it fails with probability at most 5 percent, with 16 of 256 tokens; where the answer is found "
    "follows the needle's depth, from 0 to 97 percent.",
    encodes="special-case",
    covers="keeps-needle",
    domain={n: choices(256), k: choices(16), depth: choices(*DEPTHS)},
    grid={"smoke": {n: [256], k: [16], depth: list(DEPTHS)}},
    closed_form=sp.Rational(1, 20),
    relation=holds_with_probability(),
    legs=[
        leg("selected", lost, statistic=probability(), draws="haystack", block=8),
        leg(
            "whole prompt",
            lost_in_full,
            statistic=probability(),
            draws="haystack",
            block=8,
            where=IN_THE_MIDDLE,
            grid={"smoke": [MIDDLE]},
        ),
        leg("where it is found", found_at, **WHERE),
        leg(
            "nothing shared",
            sharing,
            statistic=probability(),
            block=4,
            required=False,
            where=IN_THE_MIDDLE,
            lhs=r"\Pr[\exists i,j:\ z_{ij}=z'_{ij}]",
            grid={"smoke": [MIDDLE]},
        ),
        leg(
            "all different",
            repeating,
            statistic=probability(),
            block=8,
            required=False,
            where=IN_THE_MIDDLE,
            lhs=r"\Pr[\exists i<j<n:\ z_i=z_j]",
            grid={"smoke": [MIDDLE]},
        ),
        leg(
            "how many",
            as_many_as_said,
            statistic=probability(),
            block=8,
            relation=at_least(),
            required=False,
            closed_form=sp.Rational(19, 20),
            where=IN_THE_MIDDLE,
            lhs=r"\Pr[|J|=k]",
            grid={"smoke": [MIDDLE]},
        ),
    ],
    rivals=[
        variant("one more", simulation=one_more_than_said, leg="how many"),
        variant("itself", simulation=sharing_with_itself, leg="nothing shared"),
        variant("its own profile", simulation=sharing_profiles, leg="nothing shared"),
        variant("A at the end, too", simulation=repeating_at_the_end, leg="all different"),
        *elsewhere("where it is found"),
        variant("without pooling", simulation=lost_unpooled, leg="selected"),
        variant("layer 1 as the filter", simulation=lost_early, leg="selected"),
        variant("another token, too", simulation=lost_with_another, leg="selected"),
        variant("A for V", simulation=lost_for_a, leg="selected"),
        variant(
            "tokens matched with themselves",
            simulation=lost_in_full_without_layer_1,
            leg="whole prompt",
        ),
    ],
)


long_prompts = claim(
    "gemfilter-needle-long",
    states="gemfilter-needle",
    lhs=r"\Pr[\text{needle lost}]",
    title="The needle among 1024 tokens",
    says="With 16 of 1024 tokens the needle at the beginning is lost with probability at most 5 percent, and at every "
    "depth the median of where the answer is found is where V stands.",
    encodes="special-case",
    covers="keeps-needle",
    domain={n: choices(1024), k: choices(16), depth: choices(*DEPTHS)},
    grid={"smoke": {n: [1024], k: [16], depth: list(DEPTHS)}},
    closed_form=sp.Rational(1, 20),
    relation=holds_with_probability(),
    legs=[
        leg(
            "selected",
            lost,
            statistic=probability(),
            draws="haystack",
            block=8,
            where=sp.Eq(depth, 0),
            grid={"smoke": [{n: 1024, k: 16, depth: 0}]},
        ),
        leg("where it is found", found_at, **WHERE),
    ],
    rivals=[
        variant("without pooling", simulation=lost_unpooled, leg="selected"),
        *elsewhere("where it is found"),
    ],
)


ABLATIONS = ("no pooling", "no sort", "permutation", "middle row", "layer 1", "no recency")
if len({*ABLATIONS}) != 6:
    raise ValueError("six parts are left out, one at a time")


def answered_without(ns, rng, size, n, k, ablation):
    """Whether the answer is V although a part is missing. Booleans, shape (size,)."""
    return answered(ns, rng, size, n, k, Fraction(1, 2), ablation)


def answered_with_all(ns, rng, size, n, k, ablation):
    return answered(ns, rng, size, n, k, Fraction(1, 2), "")


def kept_as_named(ns, rng, size, n, k, ablation, missing=None):
    """Whether what is kept is what it is without the part named: without pooling V and not A; without the sort the pair
    and the query in another order; with the permutation 0..k-1 in another order; with a middle row that row, with layer
    1 the token before the query, without recency the pair, and not the query. Booleans, shape (size,)."""
    run_without = ablation if missing is None else missing
    chosen = run(ns, rng, size, n, k, Fraction(1, 2), run_without)[0]
    place = place_of_a(n, Fraction(1, 2))
    a, v, query, before, middle = (
        ns.any(chosen == at, axis=1) for at in (place, place + 1, n - 1, n - 2, n // 2)
    )
    in_order = ns.all(chosen[:, 1:] > chosen[:, :-1], axis=1)
    first = ns.all(ns.sort(chosen, axis=-1) == ns.arange(k)[None, :], axis=1)
    return {
        "no pooling": v & ~a,
        "no sort": a & v & query & ~in_order,
        "permutation": first & ~in_order,
        "middle row": middle & ~query,
        "layer 1": before & ~v,
        "no recency": a & v & ~query,
    }[ablation]


def kept_with_all(ns, rng, size, n, k, ablation):
    return kept_as_named(ns, rng, size, n, k, ablation, missing="")


def kept_without_the_next(ns, rng, size, n, k, ablation):
    """Without the part that is named next."""
    other = ABLATIONS[(ABLATIONS.index(ablation) + 1) % len(ABLATIONS)]
    return kept_as_named(ns, rng, size, n, k, ablation, missing=other)


ablations = claim(
    "gemfilter-needle-ablations",
    lhs=r"\Pr[\text{answered without}]",
    states="gemfilter-needle",
    title="Each part is needed",
    says="Without pooling, without the sort, with the listing's permutation, with a middle row, with layer 1 as the "
    "filter, or without the recency head, more than half of the answers are lost; what is kept is what the part "
    "named leaves.",
    encodes="special-case",
    covers="ablations-fail",
    domain={n: choices(256), k: choices(16), ablation: choices(*ABLATIONS)},
    grid={"smoke": {n: [256], k: [16], ablation: list(ABLATIONS)}},
    closed_form=sp.Rational(1, 2),
    relation=holds_with_probability(),
    legs=[
        leg("sampled", answered_without, statistic=probability(), block=16),
        leg(
            "what is kept",
            kept_as_named,
            statistic=probability(),
            block=16,
            relation=at_least(),
            # besides, one of two tokens that nothing selects is among k of n with a chance of 2 k/n
            closed_form=1 - 2 * k / n,
            lhs=r"\Pr[J\text{ as the part's absence leaves it}]",
            tex=r"1-\frac{2k}n",
        ),
    ],
    rivals=[
        variant("nothing missing", simulation=answered_with_all, leg="sampled"),
        variant("kept with all parts", simulation=kept_with_all, leg="what is kept"),
        variant("another part missing", simulation=kept_without_the_next, leg="what is kept"),
    ],
)
