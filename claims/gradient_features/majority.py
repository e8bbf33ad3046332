r"""Equations (B.480) and (B.547): the Fourier coefficients of the majority of d signs.

Setting. d odd, S of size k, xi_k = E[Maj(x) prod_S x].

Statements. (1) For odd k, xi_k = (-1)^((k-1)/2) C((d-1)/2, (k-1)/2)/C(d-1, k-1) 2^-(d-1) C(d-1, (d-1)/2). (2) (B.480)
has (d-1)/2 for (k-1)/2 in the first numerator, which agrees at k = 1 and k = d only. (3) xi_(k+1) (d - k) = -(k - 1)
xi_(k-1) for even k: with d = 2n + 1, k = 2j a quotient of binomials. (4) For even k > 0 it is 0: Maj is odd and the
product even.

Reference: lines 7267-7269, 7519-7521.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    even_integers,
    formula_leg,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._cube import majority_mean

d, k = sp.symbols("d k", integer=True, positive=True)


def coefficient(top):
    """The closed form with this lower index of the first numerator."""
    half = (d - 1) / 2
    return (
        (-1) ** ((k - 1) / 2)
        * sp.binomial(half, top)
        / sp.binomial(d - 1, k - 1)
        * sp.binomial(d - 1, half)
        / 2 ** (d - 1)
    )


XI = coefficient((k - 1) / 2)
ODD = {d: odd_integers(1), k: odd_integers(1)}
SIZES = {
    "smoke": [{d: 1, k: 1}, {d: 5, k: 3}, {d: 9, k: 7}],
    "standard": [{d: 9, k: 3}, {d: 13, k: 5}, {d: 31, k: 9}, {d: 41, k: 41}],
}


def mean(d, k):
    """E[Maj(x) prod_S x]. Shape ()."""
    return majority_mean(d, k)


formula_claim = claim(
    "gradfeat-majority-coefficient",
    lhs=r"\mathbb E\Big[\mathrm{Maj}(x)\prod_{l\in S}x_l\Big]",
    tex=r"(-1)^{\frac{k-1}2}\frac{\binom{(d-1)/2}{(k-1)/2}}{\binom{d-1}{k-1}}2^{-(d-1)}\binom{d-1}{(d-1)/2}",
    states="gradfeat-majority-coefficients",
    title="Fourier coefficients of majority",
    says=r"(B.547) is the coefficient of majority on every set of odd size $k\le d$, $d$ odd.",
    covers="formula",
    reads={"S": "k"},
    domain=ODD,
    where=sp.And(k <= d, d <= 200),
    grid=SIZES,
    closed_form=XI,
    legs=[leg("counting", mean)],
    rivals=[
        variant("without the sign", closed_form=abs(XI)),
        variant("C(d, k)", closed_form=XI * sp.binomial(d - 1, k - 1) / sp.binomial(d, k)),
    ],
)

printed = claim(
    "gradfeat-majority-coefficient-printed",
    lhs=r"\mathbb E\Big[\mathrm{Maj}(x)\prod_{l\in S}x_l\Big]",
    tex=r"(-1)^{\frac{k-1}2}\frac{\binom{(d-1)/2}{(d-1)/2}}{\binom{d-1}{k-1}}2^{-(d-1)}\binom{d-1}{(d-1)/2}",
    states="gradfeat-majority-coefficients",
    title="(B.480) as printed",
    says="(B.480) is the same coefficient.",
    expect="fail",
    covers="printed-B480",
    domain=ODD,
    where=sp.And(k <= d, d <= 200),
    grid={"smoke": [{d: 5, k: 3}]},
    closed_form=coefficient((d - 1) / 2),
    legs=[leg("counting", mean)],
)

RATIO = formula_leg(
    "quotient of binomials",
    typed(
        "binomial(n, j)/binomial(2*n, 2*j)*(2*n + 1 - 2*j) == (2*j - 1)*binomial(n, j - 1)/binomial(2*n, 2*j - 2)",
        over=["n in 1..oo", "j in 1..n"],
    ),
)


def neighbours(d, k):
    """xi_(k+1) (d - k) + (k - 1) xi_(k-1). Shape ()."""
    return majority_mean(d, k + 1) * (d - k) + (k - 1) * majority_mean(d, k - 1)


ratio = claim(
    "gradfeat-majority-ratio",
    lhs=r"(d-k)\,\xi_{k+1}+(k-1)\,\xi_{k-1}",
    tex="0",
    states="gradfeat-majority-coefficients",
    title="Neighbouring coefficients of majority",
    says=r"$(d-k)\xi_{k+1}=-(k-1)\xi_{k-1}$ for even $k<d$.",
    covers="ratio",
    reads={"k": "j", "d": "n"},
    domain={d: odd_integers(3), k: even_integers(2)},
    where=sp.And(k < d, d <= 200),
    grid={"smoke": [{d: 3, k: 2}, {d: 9, k: 4}], "standard": [{d: 21, k: 6}, {d: 41, k: 40}]},
    closed_form=sp.Integer(0),
    mutate=False,
    legs=[leg("counting", neighbours, unit=1, required=False), RATIO],
    rivals=rivals_of(
        RATIO,
        {
            "k/(d - k)": "binomial(n, j)/binomial(2*n, 2*j)*(2*n + 1 - 2*j) == 2*j*binomial(n, j - "
            "1)/binomial(2*n, 2*j - 2)",
        },
    ),
)

PAIR = formula_leg(
    "x and -x",
    typed("m*q + (-m)*((-1)**(2*n)*q) == 0", over=["m in R", "q in R", "n in 1..oo"]),
    over="d S",
)


def of_even_size(d, k):
    """E[Maj(x) prod_S x] for |S| = k. Shape ()."""
    return majority_mean(d, k)


def one_more(d, k):
    """The same for |S| = k - 1."""
    return majority_mean(d, k - 1)


even = claim(
    "gradfeat-majority-even",
    states="gradfeat-majority-coefficients",
    title="Majority has no coefficients of even size",
    says=r"$\mathbb E[\mathrm{Maj}(x)\prod_Sx]=0$ for $|S|$ even.",
    covers="even-zero",
    domain={d: odd_integers(3), k: even_integers(2)},
    where=sp.And(k < d, d <= 200),
    grid={"smoke": [{d: 3, k: 2}, {d: 9, k: 4}], "standard": [{d: 21, k: 6}, {d: 41, k: 40}]},
    closed_form=sp.Integer(0),
    mutate=False,
    legs=[PAIR, beside("counting", of_even_size, r"\mathbb E[\mathrm{Maj}(x)\prod_Sx]", "0")],
    rivals=[
        *rivals_of(PAIR, {"odd sizes": "m*q + (-m)*((-1)**(2*n + 1)*q) == 0"}),
        variant("odd sizes, counted", simulation=one_more, leg="counting"),
    ],
)
