"""Theorem 5.5.1: the claimed optimal multi-head networks for sparse parities.

Setting. d = 2^nu2 features, k = 2^nu1 important ones; tasks inside [k] with probability 1 - p_T, others with
probability p_T below the printed threshold; hinge loss, N -> infinity, weight decay lambda -> 0.

As printed, the network of 2 (nu1 + 1) bit heads is optimal for the small model and that of 2 (nu2 + 1) heads
for the large one. Both are false: four heads already solve every task, so the small network's positive loss
is not the least; and networks of the large one's size solve every task at a smaller norm. The literal limit
lim L^lambda drops the regulariser (every zero-loss network is then optimal), so the large network is true but
empty under it and false under the limit of the minimisers.

What is true: the bit networks solve their tasks with margin exactly the Hamming distance
(`parity_construction`), and they are optimal among heads in +- pairs of one modulus each, where the small one
needs the scale nu1 + 1 (`parity_paired_class`).

Reference: Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    claim,
    counts,
    equals,
    integers,
    leg,
    minimises,
    reals,
    variant,
)

from ._parity import (
    admitted,
    bit_network,
    cost,
    diagonal,
    four_heads,
    paired,
    printed_norm,
    scaled_norm,
    small_loss,
    smallest_margin,
    total_loss,
)

nu1, nu2 = sp.symbols("nu1 nu2", integer=True, nonnegative=True)
gamma, pT = sp.symbols("gamma p_T", positive=True)
d, k = 2**nu2, 2**nu1
TENTH = Fraction(1, 10)
SIZES = {
    nu1: integers(1),
    nu2: integers(1),
    gamma: reals(0, Fraction(1, 4), low_open=True, high_open=True),
    pT: reals(0, 1, low_open=True),
}


def four_head_loss(nu1, nu2, gamma, p_T):
    """Total loss of the four-head network, padded with zero heads to 2 (nu1 + 1). Shape ()."""
    if not admitted(nu1, nu2, gamma, p_T):
        raise ValueError("the theorem says nothing beyond its threshold")
    return total_loss(four_heads(2**nu2), nu1, nu2, gamma, p_T)


SMALL = {
    "smoke": [{nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)}],
    "standard": [
        {nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)},
        {nu1: 2, nu2: 3, gamma: TENTH, pT: Fraction(1, 100)},
    ],
}

small_network = claim(
    "icl-parity-optimum",
    lhs=r"\mathcal{L}(g)",
    tex=r"\mathcal{L}(g_1^*)",
    title="The small bit network has the least loss, as printed",
    says=r"Among networks of $2(\nu_1+1)$ heads, the printed bit network has the least total hinge "
    "loss.",
    covers="small-network-optimal",
    expect="fail",
    domain=SIZES,
    where=admitted,
    grid=SMALL,
    relation=minimises(),
    legs=[attained(four_head_loss, name="four heads", reference=small_loss, gives="g")],
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
    refused if it has more. Shape ()."""
    heads = COMPETITORS[nu2]
    if len(heads) > 2 * (nu2 + 1):
        raise ValueError("the competitor has too many heads")
    return scaled_norm(heads, 2**nu2)


large_network = claim(
    "icl-parity-optimum-norm",
    lhs=r"\|\theta\|",
    tex=r"2\cdot 2^{\nu_2}\,\nu_2(\nu_2+1)",
    states="icl-parity-optimum",
    title="The large bit network has the least norm, as printed",
    says=r"Among networks of $2(\nu_2+1)$ heads with zero loss on all tasks, the printed one has the "
    r"least norm, $2d\nu_2(\nu_2+1)$ in $v$-units.",
    role="reading",
    covers="large-network-least-norm",
    expect="fail",
    domain={nu2: integers(2)},
    grid={"smoke": {nu2: [2, 3]}},
    closed_form=2 * d * nu2 * (nu2 + 1),
    relation=minimises(),
    legs=[
        attained(printed_norm, name="the printed network"),
        attained(competing_norm, name="an explicit competitor", gives="g"),
    ],
)


# ---- what stands, and what else is false


def large_loss(nu1, nu2, gamma, p_T):
    """Total loss of the printed large network. Shape ()."""
    return total_loss(bit_network(nu2, 2**nu2), nu1, nu2, gamma, p_T)


zero_loss = claim(
    "icl-parity-optimum-large",
    lhs=r"\mathcal{L}(g_2^*)",
    states="icl-parity-optimum",
    title="The large bit network has loss 0",
    says=r"With $2(\nu_2+1)$ heads the bit network has total loss 0, the least there is; so have four "
    "heads.",
    role="derived",
    covers="large-network-least-loss",
    domain=SIZES,
    where=admitted,
    grid=SMALL,
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("every task and pattern", large_loss, unit=1)],
    rivals=[variant("the small network", simulation=small_loss)],
)


def strangers(nu1, nu2, scale=1):
    """Heads of the printed small network that are no heads of the large one, the large one's positive scale times
    ``scale``. Shape ()."""
    large = bit_network(nu2, 2**nu2, positive=nu2 * Fraction(scale))
    return sum(head not in large for head in bit_network(nu1, 2**nu2))


subset = claim(
    "icl-parity-optimum-subset",
    lhs=r"\#\{\text{heads of }g_1^*\text{ outside }g_2^*\}",
    states="icl-parity-optimum",
    title="The small optimum is a part of the large one, as printed",
    says=r"Every head of $g_1^*$ is a head of $g_2^*$. The positive heads carry the scales $\nu_1$ and "
    r"$\nu_2$.",
    expect="fail",
    covers="small-is-subset-of-large",
    domain={nu1: integers(1), nu2: integers(1)},
    where=nu1 < nu2,
    grid={"smoke": [{nu1: 1, nu2: 2}, {nu1: 2, nu2: 3}]},
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[leg("compared", strangers)],
)


def relabelled(nu2):
    """Heads of a network of the large one's loss and norm that are no heads of it, features 3 and 4 exchanged; -1 if
    its loss or norm differs. Shape ()."""
    d, printed = 2**nu2, bit_network(nu2, 2**nu2)
    order = [0, 1, 3, 2, *range(4, d)]
    other = [
        type(h)(h.a, tuple(tuple(h.v[order[m]][order[n]] for n in range(d)) for m in range(d)))
        for h in printed
    ]
    if smallest_margin(other, d) < 1 or cost(other) != cost(printed):
        return -1
    return sum(head not in printed for head in other)


unique = claim(
    "icl-parity-optimum-unique",
    lhs=r"\#\{\text{heads that are not printed}\}",
    states="icl-parity-optimum",
    title="The optimum is unique up to the order of heads, as printed",
    says="Every network of the printed one's loss and norm has its heads. Relabelling the features gives another.",
    expect="fail",
    covers="unique-up-to-permutation",
    left={"nu1": "the large network", "gamma": "free of it", "p_T": "free of it"},
    domain={nu2: integers(2)},
    grid={"smoke": {nu2: [2, 3]}},
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[leg("features exchanged", relabelled, gives="g")],
)
