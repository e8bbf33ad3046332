"""The parity networks cannot see a global flip of the labels (derived).

Setting. A network of heads in pairs (a, W), (a, -W): each pair adds a (relu(u) + relu(-u)), u = y^T X W x_q / M
linear in the labels y.

Statement. g(X, -y, x_q) = g(X, y, x_q) for every prompt and query, any W. So the accuracy at a share f of
independently flipped labels is that at 1 - f: seen on two features with every prompt, query and flip gone through.

Reference: derived; context of section 5.6 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    tables,
    typed,
    variant,
)

from ._parity import Head, bit_network, paired

nu, M = sp.symbols("nu M", integer=True, positive=True)


def any_prompt(rng, M):
    """Signs of two heads with their 2 x 2 matrices, M examples of two features and their labels, and a query."""
    return {
        "a": rng.signs((2,)),
        "W": rng.rational((2, 2, 2), 5),
        "X": rng.signs((M, 2)),
        "y": rng.signs((M,)),
        "x_q": rng.signs((2,)),
    }


def output_of_pairs(M, a, W, X, y, x_q, flipped=0, keep=slice(None)):
    """sum a relu((y^T X W x_q)/M) over the heads and their negatives, the first ``flipped`` labels changed.
    Shape ()."""
    heads = paired([Head(int(x), tuple(map(tuple, one))) for x, one in zip(a, W, strict=True)])
    labels = [int(label) * (-1 if n < flipped else 1) for n, label in enumerate(y)]
    mean = [
        Fraction(sum(label * int(row[c]) for label, row in zip(labels, X, strict=True)), M)
        for c in range(2)
    ]
    return value(heads[keep], mean, [int(x) for x in x_q])


def with_flipped_labels(M, a, W, X, y, x_q):
    return output_of_pairs(M, a, W, X, y, x_q, flipped=M)


def one_label_flipped(M, a, W, X, y, x_q):
    return output_of_pairs(M, a, W, X, y, x_q, flipped=1)


def heads_alone(M, a, W, X, y, x_q):
    return output_of_pairs(M, a, W, X, y, x_q, flipped=M, keep=slice(None, None, 2))


# u: the argument of a head on the prompt with labels y; -u on that with labels -y.
EVEN = formula_leg(
    "one pair",
    typed(
        "a*(Max(0, u) + Max(0, -u)) == a*(Max(0, -u) + Max(0, -(-u)))",
        over=["a in [-1, 1]", "u in R"],
    ),
)
pairs = claim(
    "icl-parity-even-pairs",
    lhs=r"g(X,y,x_q)",
    tex=r"g(X,-y,x_q)",
    states="icl-parity-even-symmetry",
    title="A pair of heads is even in the labels",
    says="A network of heads beside their negatives gives $g(X, -y, x_q) = g(X, y, x_q)$ on every prompt and query, "
    "whatever its matrices.",
    role="derived",
    covers="global-flip",
    reads={"g": "a u", "X": "u", "y": "u", "x_q": "u"},
    domain={M: integers(1)},
    where=M <= 100,
    grid={"smoke": {M: [1, 3]}, "standard": {M: [2, 8]}},
    relation=equals(),
    legs=[
        EVEN,
        leg(
            "networks",
            output_of_pairs,
            reference=with_flipped_labels,
            required=False,
            instances=instances(
                any_prompt,
                {"a": tables(2), **dict.fromkeys(("W", "X", "y", "x_q"))},
                smoke=20,
                standard=100,
            ),
        ),
    ],
    rivals=[
        *rivals_of(EVEN, {"a head alone": "a*Max(0, u) == a*Max(0, -u)"}),
        variant("heads without their negatives", reference=heads_alone, leg="networks"),
        variant("one label", reference=one_label_flipped, leg="networks"),
    ],
)


def prompts(rng, nu):
    """A prompt mean (y^T Phi)/M as d small rationals, and a query."""
    return {"mean": rng.rational((2**nu,), 9), "query": [int(x) for x in rng.signs((2**nu,))]}


def network_output(mean, query, nu, sign=1, heads=None):
    """Output of the diagonal network on a prompt with mean feature ``mean``: sum a relu(sum_c mean_c v_c phi_c)."""
    network = bit_network(nu, 2**nu) if heads is None else heads
    total = Fraction(0)
    for head in network:
        inner = sum(sign * Fraction(m) * head.v[c][c] * query[c] for c, m in enumerate(mean))
        total += head.a * max(Fraction(0), inner)
    return total


def as_it_is(mean, query, nu):
    return network_output(mean, query, nu)


def flipped(mean, query, nu):
    return network_output(mean, query, nu, sign=-1)


def unpaired(mean, query, nu):
    return network_output(mean, query, nu, sign=-1, heads=bit_network(nu, 2**nu)[::2])


even_symmetry = claim(
    "icl-parity-even-symmetry",
    lhs=r"g(X,y,x_q)",
    tex=r"g(X,-y,x_q)",
    title="The parity networks cannot see a global label flip",
    says="For every prompt and query, $g(X, -y, x_q) = g(X, y, x_q)$.",
    role="derived",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    relation=equals(),
    legs=[
        leg(
            "random prompts",
            as_it_is,
            reference=flipped,
            instances=instances(prompts, "mean query", smoke=20, standard=200),
        ),
    ],
    rivals=[variant("heads without their negatives", reference=unpaired)],
)


# ---- the curve of accuracies

f = sp.symbols("f", nonnegative=True)
QUARTER, TENTH = Fraction(1, 4), Fraction(1, 10)
LAW = {(1, 1): QUARTER + TENTH, (1, -1): QUARTER, (-1, 1): QUARTER, (-1, -1): QUARTER - TENTH}
"""Signs of two features at gamma = 1/10; the label is their product."""


def any_pairs(rng, M, f):
    """Signs of three heads and their 2 x 2 matrices, each to stand beside its negative."""
    return {"signs": rng.signs((3,)), "W": rng.rational((3, 2, 2), 5)}


def accuracy(signs, W, M, f, keep=slice(None)):
    """P(g > 0 exactly if the query's label is 1) over all prompts of M examples, their flips, and queries, and what the
    probabilities of these add up to. Shape (2,)."""
    heads = paired(
        [Head(int(a), tuple(tuple(row) for row in one)) for a, one in zip(signs, W, strict=True)]
    )[keep]
    total = mass = Fraction(0)
    for chosen in itertools.product(LAW, repeat=M):
        for flips in itertools.product((1, -1), repeat=M):
            weight, mean = Fraction(1), [Fraction(0)] * 2
            for phi, flip in zip(chosen, flips, strict=True):
                weight *= LAW[phi] * (f if flip < 0 else 1 - f)
                mean = [m + flip * phi[0] * phi[1] * s for m, s in zip(mean, phi, strict=True)]
            mass += weight
            if weight:
                total += weight * share_right(heads, mean)
    return [total, mass]


def share_right(heads, mean):
    return sum(
        chance
        for query, chance in LAW.items()
        if (value(heads, mean, query) > 0) == (query[0] == query[1])
    )


def value(heads, mean, query):
    inner = (
        (
            h.a,
            sum(
                m * Fraction(x) * q
                for m, row in zip(mean, h.v, strict=True)
                for x, q in zip(row, query, strict=True)
            ),
        )
        for h in heads
    )
    return sum((a * max(Fraction(0), u) for a, u in inner), Fraction(0))


def at_the_other_share(signs, W, M, f):
    return [accuracy(signs, W, M, 1 - f)[0], 1]


def where_half_are_flipped(signs, W, M, f):
    return [accuracy(signs, W, M, Fraction(1, 2))[0], 1]


def without_negatives(signs, W, M, f):
    return accuracy(signs, W, M, f, keep=slice(None, None, 2))


flip_curve = claim(
    "icl-parity-flip-curve",
    lhs=r"\operatorname{acc}(f)",
    tex=r"\operatorname{acc}(1-f)",
    states="icl-parity-even-symmetry",
    title="The flip curve of paired networks is symmetric",
    says=r"For heads in $\pm$ pairs the accuracy with labels flipped independently with probability $f$ is that at "
    r"$1-f$.",
    role="derived",
    covers="flip-curve-symmetric",
    reads={"g": "signs W"},
    domain={M: integers(1), f: reals(0, 1)},
    grid={"smoke": {M: [1, 2, 3], f: [0, Fraction(1, 5), 1]}},
    relation=equals(),
    legs=[
        leg(
            "every prompt, query and flip",
            accuracy,
            reference=at_the_other_share,
            inside="prompt query flips",
            where=M <= 3,
            instances=instances(any_pairs, "signs W", smoke=2, standard=6),
        )
    ],
    rivals=[
        variant("half of the labels", reference=where_half_are_flipped),
        variant("heads without their negatives", simulation=without_negatives),
    ],
)
