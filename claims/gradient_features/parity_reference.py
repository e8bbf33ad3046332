r"""Lemma 3.21 = Lemma B.51: the bump network of the structured parities.

Setting. r and k odd; block A_j of x has the coordinates phi_l in {-1, 0, 1}; D_j is the unit vector of the block and
m_j = sqrt k <D_j, x> its sum. In these units the printed network is sum_j sum_{i <= k} (-1)^(i+1) (relu(m_j - (2i - k)
+ 1) - 2 relu(m_j - (2i - k)) + relu(m_j - (2i - k) - 1)).

Statements. (1) On the support, where m_j is odd or the block is 0, it equals the sum of the block parities: the three
terms are the hat max(0, 1 - |m - (2i - k)|), which at m = 2q - k is 1 for i = q and 0 for the other i, and q ones give
the parity (-1)^(k-q) = (-1)^(q+1); at m = 0 all hats vanish, 2i - k being odd. (2) y g* >= 1 with equality somewhere,
so the hinge loss is 0: a sum of an odd number of signs is at least 1 in size.

Reference: lines 1018-1022, 7196-7216.
"""

from __future__ import annotations

from itertools import product
from math import prod

import sympy as sp

from theorycheck import claim, formula_leg, leg, odd_integers, rivals_of, typed, variant

from ._parity import biased, blocks, label

r, k = sp.symbols("r k", integer=True, positive=True)
ODD = {r: odd_integers(1), k: odd_integers(1)}
SMALL = {
    "smoke": [{r: 1, k: 3}, {r: 3, k: 1}, {r: 3, k: 3}],
    "standard": [{r: 1, k: 7}, {r: 3, k: 3}, {r: 5, k: 1}],
}


def relu(x):
    return max(x, 0)


def bumps(m, k, shift=1):
    """The network's part for a block of sum m."""
    return sum(
        (-1) ** (i + shift) * (relu(m - c + 1) - 2 * relu(m - c) + relu(m - c - 1))
        for i, c in enumerate(range(-k, k + 1, 2))
    )


def support(r, k):
    """All inputs on A."""
    yield from biased(r, k)
    yield from product((1, -1), repeat=r * k)


def worst_value(r, k):
    """max over the support of |g* - sum of block parities|. Shape ()."""
    return max(
        abs(sum(bumps(sum(b), k) for b in blocks(phi, k)) - sum(prod(b) for b in blocks(phi, k)))
        for phi in support(r, k)
    )


def wrong_sign(r, k):
    """With (-1)^i."""
    return max(
        abs(sum(bumps(sum(b), k, 0) for b in blocks(phi, k)) - sum(prod(b) for b in blocks(phi, k)))
        for phi in support(r, k)
    )


HAT = formula_leg(
    "hat",
    typed("relu(t + 1) - 2*relu(t) + relu(t - 1) == Max(0, 1 - abs(t))", over="t in R"),
    over="r d x",
)
# n = |q - i|
ELSEWHERE = formula_leg(
    "hats at the other knots",
    typed("Max(0, 1 - 2*n) == 0", over="n in 1..oo"),
    over="r k d x",
)
AT_ZERO = formula_leg(
    "hats at 0", typed("Max(0, 1 - abs(2*n + 1)) == 0", over="n in -oo..oo"), over="r k d x"
)
SIGN = formula_leg(
    "sign",
    typed("(-1)**(2*n + 1 - q) == (-1)**(q + 1)", over=["n in 0..oo", "q in 0..oo"]),
    over="r k d x",
)
CLOSE = {"knots half as far apart": "Max(0, 1 - n/2) == 0"}

values = claim(
    "gradfeat-parity-reference-values",
    lhs=r"\max_x\Big|g^*(x)-\sum_j\prod_{l\in A_j}\phi_l\Big|",
    tex="0",
    states="gradfeat-parity-gstar",
    title="The bump network is the sum of parities",
    says=r"$g^*(x)=\sum_j\prod_{l\in A_j}\phi_l$ on the whole support, for all odd $r$ and $k$.",
    covers="values",
    domain=ODD,
    where=r * k <= 15,
    grid=SMALL,
    closed_form=sp.Integer(0),
    legs=[leg("enumeration", worst_value, unit=1, required=False), HAT, ELSEWHERE, AT_ZERO, SIGN],
    mutate=False,
    rivals=[
        variant("signs (-1)^i", simulation=wrong_sign, leg="enumeration"),
        *rivals_of(
            HAT, {"half the width": "relu(t + 1) - 2*relu(t) + relu(t - 1) == Max(0, 1 - 2*abs(t))"}
        ),
        *rivals_of(ELSEWHERE, CLOSE),
        *rivals_of(AT_ZERO, {"even k": "Max(0, 1 - abs(2*n)) == 0"}),
        *rivals_of(SIGN, {"a sign less": "(-1)**(2*n - q) == (-1)**(q + 1)"}),
    ],
)


def least_margin(r, k):
    """min over the support of y g*(x). Shape ()."""
    return min(
        label(phi, k) * sum(bumps(sum(b), k) for b in blocks(phi, k)) for phi in support(r, k)
    )


def least_without_label(r, k):
    return min(sum(bumps(sum(b), k) for b in blocks(phi, k)) for phi in support(r, k))


ODD_SUM = formula_leg(
    "an odd number of signs", typed("abs(2*n + 1) >= 1", over="n in -oo..oo"), over="r k x"
)

margin = claim(
    "gradfeat-parity-reference-margin",
    lhs=r"\min_x\,y\,g^*(x)",
    tex="1",
    states="gradfeat-parity-gstar",
    title="The bump network has margin 1",
    says=r"$\min yg^*=1$ over the support, so that the hinge loss is 0.",
    covers="margin",
    domain=ODD,
    where=r * k <= 15,
    grid=SMALL,
    closed_form=sp.Integer(1),
    legs=[leg("enumeration", least_margin, required=False), ODD_SUM],
    rivals=[
        variant("margin r", closed_form=r),
        variant("without the label", simulation=least_without_label, leg="enumeration"),
        *rivals_of(ODD_SUM, {"even r": "abs(2*n) >= 1"}),
    ],
)
