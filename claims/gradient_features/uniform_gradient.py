r"""Lemma B.63: the first gradient on the uniform parity at sign weights.

Setting. x uniform on {-1, 1}^d, d odd, y the parity of A, |A| = k even; w in {-1, 1}^d, |b| < 1; xi_j as in
`majority`.

Statements. Since <w, x> is odd, the indicator of <w, x> > b is (1 + Maj(w x))/2. So (1) g_j = xi_(k-1) prod_{A - j}
w/2 for j in A and (2) g_j = xi_(k+1) prod_{A + j} w/2 for the others; printed are xi_(k-1) prod without the 1/2 in
both. (3) |G|^2 = (k xi_(k-1)^2 + (d - k) xi_(k+1)^2)/4. (4) E[y relu(<w, x> - b)] = <w, G> = xi_(k-1) prod_A w/2, as
k xi_(k-1) + (d - k) xi_(k+1) = xi_(k-1) by the ratio of the two. The gradient is the same for every such b.

Reference: lines 7513-7531, 7250-7265.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

import sympy as sp

from theorycheck import (
    claim,
    even_integers,
    formula_leg,
    instances,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._cube import gradient, gradient_counted, majority_mean, response

d, k = sp.symbols("d k", integer=True, positive=True)
ODD = {d: odd_integers(3), k: even_integers(2)}
RANGE = sp.And(k < d, d <= 9)
SIZES = {
    "smoke": [{d: 3, k: 2}, {d: 7, k: 4}],
    "standard": [{d: 9, k: 2}, {d: 9, k: 4}, {d: 7, k: 6}],
}


def signs_and_bias(rng, d, k):
    """Weights and a bias inside (-1, 1)."""
    return {"w": rng.signs((d,)), "b": Fraction(int(rng.integers(-9, 10)), 10)}


DRAWN = instances(signs_and_bias, "w b", smoke=4, standard=6)


def measured(w, b, d, k):
    """G by enumeration. Length d."""
    return gradient(w, b, k)


def coordinates(w, d, k, on, off):
    """``on`` times the product of the other weights of A, ``off`` times that of A and j. Length d."""
    whole = prod(int(v) for v in w[:k])
    return [(on if j < k else off) * whole * int(w[j]) for j in range(d)]


def corrected(w, b, d, k):
    return coordinates(w, d, k, majority_mean(d, k - 1) / 2, majority_mean(d, k + 1) / 2)


def without_signs(w, b, d, k):
    """As if every weight were 1."""
    return coordinates([1] * d, d, k, majority_mean(d, k - 1) / 2, majority_mean(d, k + 1) / 2)


def printed(w, b, d, k):
    return coordinates(w, d, k, majority_mean(d, k - 1), majority_mean(d, k - 1))


def on_A(w, b, d, k):
    """G on A, by counting. Length k."""
    return gradient_counted(w, b, k)[:k]


def counted(w, b, d, k):
    """G by counting. Length d."""
    return gradient_counted(w, b, k)


def printed_on(w, b, d, k):
    return printed(w, b, d, k)[:k]


def off_A(w, b, d, k):
    """G off A, by counting. Length d - k."""
    return gradient_counted(w, b, k)[k:]


def printed_off(w, b, d, k):
    return printed(w, b, d, k)[k:]


NAMES = {"j": "d k"}
# the lemma asks d >= 2 (k + 1)^2
LEMMA = sp.And(d >= 2 * (k + 1) ** 2, d <= 60)
LARGE = {"smoke": [{d: 19, k: 2}], "standard": [{d: 19, k: 2}, {d: 51, k: 4}]}

on = claim(
    "gradfeat-uniform-gradient-on",
    lhs=r"g_j,\ j\in A",
    tex=r"\xi_{k-1}\prod_{l\in A\setminus j}w_l",
    states="gradfeat-uniform-parity-gradient",
    title="Printed gradient on the parity's support",
    says=r"$g_j=\xi_{k-1}\prod_{A\setminus j}w_l$ for $j\in A$.",
    expect="fail",
    covers="on-A",
    reads=NAMES,
    domain=ODD,
    where=LEMMA,
    grid=LARGE,
    legs=[leg("enumeration", on_A, reference=printed_on, instances=DRAWN)],
)

off = claim(
    "gradfeat-uniform-gradient-off",
    lhs=r"g_j,\ j\notin A",
    tex=r"\xi_{k-1}\prod_{l\in A\cup j}w_l",
    states="gradfeat-uniform-parity-gradient",
    title="Printed gradient off the parity's support",
    says=r"$g_j=\xi_{k-1}\prod_{A\cup j}w_l$ for $j\notin A$.",
    expect="fail",
    covers="off-A",
    reads=NAMES,
    domain=ODD,
    where=LEMMA,
    grid=LARGE,
    legs=[leg("enumeration", off_A, reference=printed_off, instances=DRAWN)],
)

# <w, x> is odd: 2 n + 1 or -(2 n + 1), above b or below it by its sign alone
HALF = formula_leg(
    "indicator",
    typed("2*n + 1 > b and -(2*n + 1) <= b", over=["n in 0..oo", "b in (-1, 1)"]),
    over="w d k j",
)

gradient_claim = claim(
    "gradfeat-uniform-gradient",
    lhs="g",
    tex=r"\tfrac12\Big(\xi_{k-1}\prod_{A\setminus j}w_l\Big)_{j\in A},\ \tfrac12\Big(\xi_{k+1}\prod_{A\cup "
    r"j}w_l\Big)_{j\notin A}",
    states="gradfeat-uniform-parity-gradient",
    title="The first gradient on the uniform parity",
    says=r"$g_j=\frac12\xi_{k-1}\prod_{A\setminus j}w_l$ on $A$ and $\frac12\xi_{k+1}\prod_{A\cup j}w_l$ off it.",
    role="corrected",
    corrects="gradfeat-uniform-gradient-on",
    covers="on-A off-A",
    reads=NAMES,
    domain=ODD,
    where=sp.And(k < d, d <= 60),
    grid=SIZES,
    legs=[
        leg("enumeration", measured, reference=corrected, instances=DRAWN, where=d <= 9),
        leg("counting", counted, reference=corrected, instances=DRAWN, grid=LARGE),
        HALF,
    ],
    rivals=[
        variant("as printed", reference=printed, leg="enumeration"),
        variant("without the signs of w", reference=without_signs, leg="enumeration"),
        variant("without the signs of w, counted", reference=without_signs, leg="counting"),
        *rivals_of(HALF, {"b = 1": {"over": ["n in 0..oo", "b in (-1, 1]"]}}),
    ],
)


def length_and_response(w, b, d, k):
    """|G|^2, and E[y relu(<w, x> - b)]. Shape (2,)."""
    return [sum(v * v for v in gradient(w, b, k)), response(w, b, k)]


def by_coefficients(w, b, d, k):
    low, high = majority_mean(d, k - 1), majority_mean(d, k + 1)
    return [(k * low**2 + (d - k) * high**2) / 4, low * prod(int(v) for v in w[:k]) / 2]


def without_off(w, b, d, k):
    low = majority_mean(d, k - 1)
    return [k * low**2 / 4, low**2]


# with xi_(k+1) = -(k - 1)/(d - k) xi_(k-1)
SUM = formula_leg(
    "sum of the coordinates",
    typed(
        "k*xi + (d - k)*(-(k - 1)/(d - k)*xi) == xi", over=["d in 3..oo", "k in 2..d-1", "xi in R"]
    ),
    over="w b",
)

norm = claim(
    "gradfeat-uniform-gradient-norm",
    lhs=r"\big(\|G\|^2,\ \mathbb E[y\,\mathrm{relu}(\langle w,x\rangle-b)]\big)",
    tex=r"\big(\tfrac{k\xi_{k-1}^2+(d-k)\xi_{k+1}^2}4,\ \tfrac{\xi_{k-1}}2\prod_Aw\big)",
    states="gradfeat-uniform-parity-gradient",
    title="Length of the first gradient, and the response to the parity",
    says=r"$\|G\|^2=\frac14(k\xi_{k-1}^2+(d-k)\xi_{k+1}^2)$ and $\mathbb E[y\,\mathrm{relu}(\langle "
    r"w,x\rangle-b)]=\frac12\xi_{k-1}"
    r"\prod_Aw$ for all signs $w$ and $|b|<1$.",
    covers="norm relu-correlation",
    domain=ODD,
    where=RANGE,
    grid=SIZES,
    legs=[leg("enumeration", length_and_response, reference=by_coefficients, instances=DRAWN), SUM],
    rivals=[
        variant("coordinates on A alone", reference=without_off, leg="enumeration"),
        *rivals_of(SUM, {"the same sign": "k*xi + (d - k)*((k - 1)/(d - k)*xi) == xi"}),
    ],
)
