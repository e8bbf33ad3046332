r"""Lemma B.51: the size of the structured parities' bump network, printed and trimmed.

Setting. As in `parity_reference`; second-layer weights are given in units of sqrt k, biases in units of 1/sqrt k.

Statements. (1) The printed network has 3 r (k + 1) neurons, weights up to 2 sqrt k and biases up to (k + 1)/sqrt k.
(2) Its norm is printed as at most 2 sqrt(r k (k + 1)); it is sqrt(6 r k (k + 1)), and sqrt(r k (4 k + 6)) after
neurons with the same knot are merged, larger either way. (3) Since the block's function is odd in m_j, knots 0, 1, 3,
..., k - 2 for +D_j and for -D_j suffice: r (k + 1) neurons with biases from 0 to (k - 2)/sqrt k and norm sqrt(r k (4
k - 2)), below the printed bound, with the same values on the support.

Reference: lines 7196-7206.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, formula_leg, leg, odd_integers, rivals_of, typed, variant

from ._parity import blocks
from .parity_reference import bumps, relu, support

r, k = sp.symbols("r k", integer=True, positive=True)
ODD = {r: odd_integers(1), k: odd_integers(1)}
SMALL = {
    "smoke": [{r: 1, k: 1}, {r: 1, k: 3}, {r: 3, k: 5}],
    "standard": {r: [1, 3, 7], k: [1, 3, 9]},
}


def neurons(r, k):
    """(weight, bias) of every neuron of the printed network, in units of sqrt k and 1/sqrt k."""
    return [
        ((-1) ** (i + 1) * size, 2 * i - k + shift)
        for _ in range(r)
        for i in range(k + 1)
        for size, shift in ((1, -1), (-2, 0), (1, 1))
    ]


def sizes(r, k):
    """Number of neurons, max |a|^2, max |b|^2. Shape (3,)."""
    found = neurons(r, k)
    return [len(found), k * max(a * a for a, _ in found), Fraction(max(b * b for _, b in found), k)]


KNOTS = formula_leg(
    "knots",
    typed("-(k + 1) <= 2*i - k + s <= k + 1", over=["k in 1..oo", "i in 0..k", "s in [-1, 1]"]),
)
NUMBER = formula_leg(
    "number",
    typed("Sum(3*(k + 1), (j, 1, r)) == 3*r*(k + 1)", over=["r in 1..oo", "k in 1..oo"]),
)

class_size = claim(
    "gradfeat-parity-reference-size",
    lhs=r"\big(\#,\ \max a_i^2,\ \max b_i^2\big)",
    tex=r"\big(3r(k+1),\ 4k,\ \tfrac{(k+1)^2}k\big)",
    states="gradfeat-parity-gstar",
    title="Neurons, weights and biases of the bump network",
    says=r"$3r(k+1)$ neurons, $\max|a_i|=2\sqrt k$ and $\max|b_i|=(k+1)/\sqrt k$.",
    covers="class-size",
    domain=ODD,
    grid=SMALL,
    closed_form=sp.Matrix([3 * r * (k + 1), 4 * k, (k + 1) ** 2 / k]),
    legs=[leg("network", sizes, where=r * k <= 300, required=False), KNOTS, NUMBER],
    rivals=[
        variant("r (k + 3) neurons", closed_form=sp.Matrix([r * (k + 3), 4 * k, (k + 1) ** 2 / k])),
        variant("biases up to k/sqrt k", closed_form=sp.Matrix([3 * r * (k + 1), 4 * k, k])),
        *rivals_of(KNOTS, {"k": "-k <= 2*i - k + s <= k"}),
        *rivals_of(NUMBER, {"k knots": "Sum(3*k, (j, 1, r)) == 3*r*(k + 1)"}),
    ],
)


def norm_squared(r, k):
    """|a|^2 of the printed network. Shape ()."""
    return k * sum(a * a for a, _ in neurons(r, k))


norm = claim(
    "gradfeat-parity-reference-norm",
    lhs=r"\|a^*\|_2^2",
    tex=r"4rk(k+1)",
    states="gradfeat-parity-gstar",
    title="Printed norm of the bump network",
    says=r"$\|a^*\|_2\le2\sqrt{rk(k+1)}$.",
    expect="fail",
    covers="norm2",
    domain=ODD,
    grid=SMALL,
    relation=at_most(),
    closed_form=4 * r * k * (k + 1),
    legs=[leg("network", norm_squared, where=r * k <= 300)],
)


def trimmed(k):
    """(weight, bias) of the neurons along +D_j; those along -D_j have the same with the other sign."""
    first = (-1) ** ((k + 1) // 2 + 1)
    return [(first, 0), *((-2 * first * (-1) ** i, 2 * i + 1) for i in range((k - 1) // 2))]


def trimmed_value(m, k):
    """The trimmed network's part for a block of sum m."""
    return sum(a * (relu(m - b) - relu(-m - b)) for a, b in trimmed(k))


def described(r, k):
    """Neurons, largest bias, |a|^2, and the largest difference of values from the printed network. Shape (4,)."""
    apart = max(
        abs(sum(trimmed_value(sum(b), k) - bumps(sum(b), k) for b in blocks(phi, k)))
        for phi in support(r, k)
    )
    pairs = trimmed(k)
    return [
        2 * r * len(pairs),
        max(b for _, b in pairs),
        2 * r * k * sum(a * a for a, _ in pairs),
        apart,
    ]


# a block of sum m = 2 n + 1 > 0 has, from knot to knot, slopes +-1 of alternating sign on pieces of length 2: values
# alternate, as those of the parity do; m = 0 gives 0 and the function is odd
LAST = sp.Max(k - 2, 0)
TRIMMED = sp.Matrix([r * (k + 1), LAST, r * k * (4 * k - 2), 0])

short = claim(
    "gradfeat-parity-reference-trimmed",
    lhs=r"\big(\#,\ \sqrt k\max b,\ \|a\|_2^2,\ \max|g-g^*|\big)",
    tex=r"\big(r(k+1),\ (k-2)_+,\ rk(4k-2),\ 0\big)",
    states="gradfeat-parity-gstar",
    title="A smaller network with the same values",
    says=r"$r(k+1)$ neurons with biases in $[0,(k-2)_+/\sqrt k]$ and norm $\sqrt{rk(4k-2)}$ have the values of "
    r"$g^*$ on the "
    r"support.",
    role="corrected",
    corrects="gradfeat-parity-reference-norm",
    covers="trimmed",
    domain=ODD,
    where=r * k <= 13,
    grid={
        "smoke": [{r: 1, k: 1}, {r: 1, k: 3}, {r: 3, k: 3}],
        "standard": [{r: 1, k: 9}, {r: 3, k: 1}, {r: 5, k: 1}],
    },
    closed_form=TRIMMED,
    legs=[leg("network", described, gives="trimmed_net", chosen_by=trimmed, unit=1)],
    rivals=[
        variant(
            "norm 2 sqrt(r k (k + 1))",
            closed_form=sp.Matrix([r * (k + 1), LAST, 4 * r * k * (k + 1), 0]),
        ),
        variant(
            "one knot more", closed_form=sp.Matrix([r * (k + 3), LAST, r * k * (4 * k - 2), 0])
        ),
        variant(
            "biases up to k/sqrt k", closed_form=sp.Matrix([r * (k + 1), k, r * k * (4 * k - 2), 0])
        ),
    ],
)
