"""Theorem 5.5.1: the claimed optimal multi-head networks for sparse parities.

Setting. d = 2^nu2 features, k = 2^nu1 important ones; tasks inside [k] with probability 1 - p_T, others with
probability p_T below the printed threshold; hinge loss, N -> infinity, weight decay lambda -> 0.

As printed, the network of 2 (nu1 + 1) bit heads is optimal for the small model and that of 2 (nu2 + 1) heads
for the large one. Both are false: four heads already solve every task, so the small network's positive loss
is not the least; and networks of the large one's size solve every task at a smaller norm. The literal limit
lim L^lambda drops the regulariser (every zero-loss network is then optimal), so the large network is true but
empty under it and false under the limit of the minimisers.

What is true: the bit networks solve their tasks with margin exactly the Hamming distance
(`parity_construction`), and they are optimal among heads in +- pairs, diagonal, of one modulus each, where the
small one needs the scale nu1 + 1.

Reference: Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    equals,
    integers,
    leg,
    minimises,
    reals,
    variant,
)

from ._parity import (
    bit_network,
    cost,
    diagonal,
    four_heads,
    hinge_loss,
    minor_tasks,
    paired,
    smallest_margin,
)

nu1, nu2 = sp.symbols("nu1 nu2", integer=True, nonnegative=True)
gamma, pT = sp.symbols("gamma p_T", positive=True)
d, k = 2**nu2, 2**nu1
TENTH = Fraction(1, 10)
SIZES = {nu1: integers(1), nu2: integers(1), gamma: reals(0, Fraction(1, 4), low_open=True, high_open=True),
         pT: reals(0, 1, low_open=True)}  # fmt: skip


def threshold(nu2, gamma):
    """The printed bound on p_T."""
    quarter, pairs = Fraction(1, 4), 2**nu2 * (2**nu2 - 1) // 2
    return (quarter - gamma) / (pairs * (quarter + gamma) + quarter - gamma)


def admitted(nu1, nu2, gamma, p_T):
    return nu1 < nu2 and p_T < threshold(nu2, gamma)


def small_loss(nu1, nu2, gamma, p_T, scale=None):
    """Total loss of the printed small network: nothing on the important tasks, its S2 hinge otherwise."""
    d, k = 2**nu2, 2**nu1
    network = bit_network(nu1, d, positive=scale)
    inside = [(i, j) for i, j in itertools.combinations(range(k), 2)]
    first = hinge_loss(network, d, inside, Fraction(gamma)) if inside else Fraction(0)
    return (1 - p_T) * first + p_T * hinge_loss(network, d, minor_tasks(d, k), Fraction(gamma))


def four_head_loss(nu1, nu2, gamma, p_T):
    """Total loss of the four-head network, padded with zero heads to 2 (nu1 + 1). Shape ()."""
    d, k = 2**nu2, 2**nu1
    network = four_heads(d)
    return sum(
        share * hinge_loss(network, d, tasks, Fraction(gamma))
        for share, tasks in (
            (1 - p_T, list(itertools.combinations(range(k), 2))),
            (p_T, minor_tasks(d, k)),
        )
    )


SMALL = {"smoke": [{nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)}],
         "standard": [{nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)},
                      {nu1: 2, nu2: 3, gamma: TENTH, pT: Fraction(1, 100)}]}  # fmt: skip

small_network = claim(
    "icl-parity-optimum",
    title="The small bit network has the least loss, as printed",
    says="Among networks of 2 (nu1 + 1) heads, the printed bit network has the least total hinge loss.",
    encodes="part",
    expect="fail",
    domain=SIZES,
    where=admitted,
    grid=SMALL,
    relation=minimises(),
    legs=[attained(four_head_loss, name="four heads", reference=small_loss)],
)

# ---- the large network: least norm among those that solve every task

COMPETITORS = {
    2: paired(
        [diagonal(-1, (1, -1, 0, 0)), diagonal(-1, (0, 0, 1, -1)), diagonal(1, (2, 2, 2, 2))]
    ),
    3: [
        *paired([diagonal(1, [1] * 8), diagonal(1, [1] * 8)]),
        *(
            diagonal(-1, [Fraction(x, 2) for x in row])
            for row in (
                (-1, 1, 1, -3, 3, 1, -1, -1),
                (-1, -3, 1, 1, -1, 1, 3, -1),
                (-1, 1, 1, 1, -1, -3, -1, 3),
                (3, 1, -3, 1, -1, 1, -1, -1),
            )
        ),
    ],
}


def competing_norm(nu2):
    """Norm of an explicit network with 2 (nu2 + 1) heads, scaled to margin 1 on every task and sign pattern;
    refused if it solves not all of them. Shape ()."""
    heads, d = COMPETITORS[nu2], 2**nu2
    margin = smallest_margin(heads, d)
    if margin <= 0 or len(heads) > 2 * (nu2 + 1):
        raise ValueError("the competitor is not feasible")
    return cost(heads) / margin**2


def printed_norm(nu2):
    """Norm of the printed network, scaled likewise."""
    heads = bit_network(nu2, 2**nu2)
    return cost(heads) / smallest_margin(heads, 2**nu2) ** 2


large_network = claim(
    "icl-parity-optimum-norm",
    states="icl-parity-optimum",
    title="The large bit network has the least norm, as printed",
    says="Among networks of 2 (nu2 + 1) heads with zero loss on all tasks, the printed one has the least norm, "
    "2 d nu2 (nu2 + 1) in v-units.",
    role="reading",
    encodes="part",
    expect="fail",
    domain={nu2: integers(2)},
    grid={"smoke": {nu2: [2, 3]}},
    closed_form=2 * d * nu2 * (nu2 + 1),
    relation=minimises(),
    legs=[
        attained(printed_norm, name="the printed network"),
        attained(competing_norm, name="an explicit competitor"),
    ],
)

# ---- the class in which it is optimal


def codes(d, count):
    """All choices of ``count`` sign vectors of length d up to sign, first entry 1."""
    vectors = [(1, *rest) for rest in itertools.product((-1, 1), repeat=d - 1)]
    return itertools.combinations_with_replacement(vectors, count)


def paired_minimum(nu2):
    """Least norm over heads in +- pairs, diagonal, one modulus each, that solve every task, by running
    through every sign code; for a feasible code the moduli solve a small linear problem with the least
    element c_b = 1, c_+ = 1 + sum c_b - min c_b. Shape ()."""
    d, best = 2**nu2, None
    for code in codes(d, nu2):
        network = paired([*(diagonal(-1, row) for row in code), diagonal(1, [nu2] * d)])
        if smallest_margin(network, d) < 1:
            continue
        value = cost(network)
        best = value if best is None else min(best, value)
    return best


def paired_bound(nu2):
    """A lower bound for the class: with distinct codes some two features differ in one bit b only, so that
    the negative pair b alone must give c_b >= 1 there, and on equal signs the positive pair must exceed the
    others' sum by 1. Every bit is such a b for some pair, since the codes are all of {-1, 1}^nu2. Shape ()."""
    d = 2**nu2
    needed = set()
    words = list(itertools.product((-1, 1), repeat=nu2))
    for one, other in itertools.combinations(words, 2):
        differing = [b for b in range(nu2) if one[b] != other[b]]
        if len(differing) == 1:
            needed.add(differing[0])
    negatives = [1 if b in needed else 0 for b in range(nu2)]
    positive = 1 + sum(negatives) - min(negatives)
    return 2 * d * (sum(c * c for c in negatives) + positive**2)


paired_class = claim(
    "icl-parity-paired-class",
    title="Where the bit network is optimal",
    says="Among networks of 2 (nu2 + 1) heads in +- pairs, diagonal, of one modulus each, that solve every task, "
    "the least norm is 2 d nu2 (nu2 + 1).",
    role="derived",
    encodes="part",
    domain={nu2: integers(1)},
    grid={"smoke": {nu2: [1, 2]}},
    closed_form=2 * d * nu2 * (nu2 + 1),
    relation=minimises(),
    legs=[
        attained(printed_norm, name="the printed network", grid={"smoke": {nu2: [1, 2, 3]}}),
        attained(paired_minimum, name="every sign code"),
        certificate(paired_bound, grid={"smoke": {nu2: [1, 2, 3, 4]}}),
    ],
    rivals=[
        variant("d nu2 (nu2 + 1)", closed_form=d * nu2 * (nu2 + 1)),
        variant("2 d nu2^2", closed_form=2 * d * nu2**2),
    ],
)


def small_scaled_loss(nu1, nu2, gamma, p_T):
    """Loss of the small network with positive scale nu1 + 1. Shape ()."""
    return small_loss(nu1, nu2, gamma, p_T, scale=nu1 + 1)


s2_share = d * (d / k - 1) / (d * (d - 1) - k * (k - 1))
small_in_class = claim(
    "icl-parity-paired-class-small",
    states=["icl-parity-paired-class", "icl-parity-optimum"],
    title="The small network at its right scale",
    says="With positive scale nu1 + 1 the small bit network has total loss p_T/2 times the share of S2 pairs with "
    "equal codes, half of what it has at the printed scale nu1.",
    role="corrected",
    corrects="icl-parity-optimum",
    encodes="part",
    domain=SIZES,
    where=admitted,
    grid={"smoke": [*SMALL["smoke"], {nu1: 1, nu2: 3, gamma: Fraction(1, 5), pT: Fraction(1, 300)},
                   {nu1: 2, nu2: 3, gamma: TENTH, pT: Fraction(1, 100)}],
          "standard": [{nu1: a, nu2: b, gamma: g, pT: Fraction(1, 5000)}
                       for b in (2, 3, 4) for a in range(1, b) for g in (TENTH, Fraction(1, 5))]},
    closed_form=pT * s2_share / 2,
    relation=equals(),
    legs=[leg("scale nu1 + 1", small_scaled_loss)],
    rivals=[
        variant("the printed scale nu1", simulation=small_loss),
        variant("no factor 1/2", closed_form=pT * s2_share),
    ],
)  # fmt: skip
