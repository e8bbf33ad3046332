r"""Lemma A.2: 3(k + 1) truncated ReLUs that are the label.

Setting. s active patterns of A, mu the mean of s, <sigma~ sum over A of M_j, x> = s - mu; y = 1 for s in P, a subset
of {1, .., k}, else -1. Each count p in 0..k has a tent of half-width 1/2 around p - mu + t with the sign of its
label: slope 2 and t = 0, or slope 4 and t = 1/4. Weights and biases are divided by 4k, read-outs multiplied.

Statement. Both are y on the support: of the tents at s the own one is 1 and the others 0, and no argument reaches 1,
so that sigma is the ReLU. |b| <= 7/16, |<w, x> + b| <= 7/16, |a| <= 32k for both, and one of them has |b| >= 1/(32k)
throughout: the biases of the first are (mu - j/2)/(4k), of the second (mu - 1/4 - l/2)/(4k), with integers j, l.

Reference: Lemmas 2.5 and A.2, lines 670-674, 2890-2922.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, counts, formula_leg, integers, leg, reals, rivals_of, typed, variant

from ._good_network import label, label_sets, least_bias, output, tents

k = sp.Symbol("k", integer=True, positive=True)
mu = sp.Symbol("mu", nonnegative=True)
QUARTER = Fraction(1, 4)


def chosen(k, mu, positive, slopes=(2, 4), scale=4, shift=QUARTER):
    """That of the two networks whose biases stay away from 0, or the second."""
    first = tents(k, mu, positive, slopes[0], Fraction(0), Fraction(scale) * k)
    if least_bias(first) >= Fraction(1, 32 * k):
        return first
    return tents(k, mu, positive, slopes[1], shift, Fraction(scale) * k)


def within(k, mu, s, network, scale=4):
    """The printed bounds on read-outs, biases and pre-activations."""
    projection = (s - mu) / (scale * k)
    return len(network) == 3 * (k + 1) and all(
        abs(a) <= 32 * k
        and Fraction(1, 32 * k) <= abs(b) <= Fraction(1, 2)
        and abs(projection + b) <= 1
        for a, b in network
    )


def fitted(k, mu, slopes=(2, 4), scale=4, shift=QUARTER, blind=False):
    """How many pairs of a label set and a count have output = label and keep all bounds; ``blind``: with the
    network of P empty. Shape ()."""
    mu, scale = Fraction(mu), Fraction(scale)
    found = 0
    for positive in label_sets(k):
        seen = frozenset() if blind else positive
        network = chosen(k, mu, seen, slopes, scale, shift)
        for s in range(k + 1):
            right = output(network, (s - mu) / (scale * k)) == label(s, positive)
            found += right and within(k, mu, s, network, scale)
    return found


PAIRS = ["k in 1..oo", "s in 0..k", "p in 0..k", "o in [-3/4, 1/2]"]
"""o: what a neuron's bias adds to mu - p."""

FIRST = formula_leg(
    "tents of slope 2",
    typed("2*Max(1/2 - abs(n), 0) == Piecewise((1, n == 0), (0, True))", over="n in Z"),
    over="A P mu x i",
)
SECOND = formula_leg(
    "tents of slope 4",
    typed("4*Max(1/2 - abs(n - 1/4), 0) == Piecewise((1, n == 0), (0, True))", over="n in Z"),
    over="A P mu x i",
)
ARGUMENT = formula_leg(
    "pre-activations", typed("abs((s - p + o)/(4*k)) <= 7/16", over=PAIRS), over="A P mu x i"
)
BIAS = formula_leg(
    "biases",
    typed("abs((mu - p + o)/(4*k)) <= 7/16", over=["k in 1..oo", "mu in [0, k]", *PAIRS[2:]]),
    over="A P x i",
)
PICKED = formula_leg(
    "one of the two",
    typed("Max(abs(mu - j/2), abs(mu - 1/4 - l/2)) >= 1/8", over=["mu in R", "j in Z", "l in Z"]),
)
LARGER = {"1/7": "Max(abs(mu - j/2), abs(mu - 1/4 - l/2)) >= 1/7"}

exact_fit = claim(
    "structured-good-network-fit",
    lhs=r"\#\{(P,s):g^*=y\text{ and all bounds}\}",
    states="structured-good-network",
    title="A network that is the label",
    says=r"For all $k$, $P$ and $\mu\in[0,k]$ the picked network of $3(k+1)$ neurons has $g^*(x)=y$ on the support, "
    r"$|a^*|\le32k$, $\frac1{32k}\le|b^*|\le\frac12$ and pre-activations of at most 1.",
    covers="exact-fit",
    reads={"A": "k"},
    domain={k: integers(1), mu: reals(0)},
    where=mu <= k,
    grid={
        "smoke": [
            {k: 1, mu: QUARTER},
            {k: 2, mu: Fraction(9, 8)},
            {k: 4, mu: Fraction(5, 8)},
            {k: 5, mu: 3},
        ],
        "standard": {k: range(1, 7), mu: [Fraction(i, 8) for i in (0, 1, 2, 3, 5, 7)]},
    },
    closed_form=2**k * (k + 1),
    relation=counts(),
    legs=[
        leg(
            "every label set",
            fitted,
            gives="a_star b_star",
            chosen_by=chosen,
            inside="P x i",
            where=k <= 8,
        ),
        FIRST,
        SECOND,
        ARGUMENT,
        BIAS,
        PICKED,
    ],
    rivals=[
        variant("slopes 2 and 2", call=fitted, slopes=(2, 2)),
        variant("slopes 1 and 4", call=fitted, slopes=(1, 4)),
        variant("steeper tents beside the knots", call=fitted, slopes=(2, 8), shift=Fraction(3, 8)),
        variant("one network for every P", call=fitted, blind=True),
        variant("scale k/4", call=fitted, scale=QUARTER),
        variant("0 in P as well", closed_form=2 ** (k + 1) * (k + 1)),
        *rivals_of(
            FIRST, {"half-width 1": "2*Max(1 - abs(n), 0) == Piecewise((1, n == 0), (0, True))"}
        ),
        *rivals_of(
            SECOND, {"slope 2": "2*Max(1/2 - abs(n - 1/4), 0) == Piecewise((1, n == 0), (0, True))"}
        ),
        *rivals_of(ARGUMENT, {"arguments up to 3/8": "abs((s - p + o)/(4*k)) <= 3/8"}),
        *rivals_of(BIAS, {"biases up to 3/8": "abs((mu - p + o)/(4*k)) <= 3/8"}),
        *rivals_of(PICKED, LARGER),
    ],
)

picked = claim(
    "structured-good-network-picked",
    states="structured-good-network",
    title="One of the two candidates keeps its biases away from 0",
    says=r"For every $\mu$ the biases $\mu-j/2$ of the first or $\mu-\frac14-l/2$ of the second candidate are "
    r"all at least "
    r"$\frac18$ in modulus.",
    covers="picked-net",
    legs=[PICKED],
    rivals=[
        *rivals_of(
            PICKED, {**LARGER, "shift 1/8": "Max(abs(mu - j/2), abs(mu - 1/8 - l/2)) >= 1/8"}
        )
    ],
)
