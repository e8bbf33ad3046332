r"""Section 2.2: the covariance of the label in three laws of the relevant patterns.

Setting. phi_A in {0, 1}^k, s the number of ones, i in A. Given phi_i = 1 and j ones among the other k - 1 fair ones,
s = j + 1, with weight C(k - 1, j)/2^k.

Statements, with gamma = E[y phi_i] - E[y] E[phi_i]. (1) Fair patterns, y = 1 for s > k/2, k = 2r + 1: E y = 0 and
gamma = C(2r, r)/2^k. (2) Fair patterns, y = (-1)^(s + 1) (P the odd counts), k >= 2: E y = 0 = gamma: uniform parity
is not in the structured family. (3) The mixture of (2), weight alpha, with all 0 or all 1, k odd >= 3: E y = 0, gamma
= (1 - alpha)/2.

Reference: Examples 1 and 2, lines 582-606, and the mixture of lines 2837-2841, 3829-3839.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import ONE_POINT
from ._family import parity as label_of


def covariances(law):
    """E y, and Cov(y, phi_i) for every i; a law has (pattern, label) with its chance. Shape (k + 1,)."""
    mean = sum((w * y for (_, y), w in law.items()), Fraction(0))
    size = len(next(iter(law))[0])
    return [
        mean,
        *(
            sum((w * y * f[i] for (f, y), w in law.items()), Fraction(0))
            - mean * sum((w * f[i] for (f, _), w in law.items()), Fraction(0))
            for i in range(size)
        ),
    ]


def by_majority(width):
    """Fair patterns, their majority. Shape (width + 1,)."""
    return covariances(
        {
            (f, 1 if 2 * sum(f) > width else -1): Fraction(1, 2**width)
            for f in product((0, 1), repeat=width)
        }
    )


def majority_stated(width):
    return [0] + [Fraction(comb(width - 1, (width - 1) // 2), 2**width)] * width


def twice_the_majority(width):
    return [2 * x for x in majority_stated(width)]


def by_parity(width):
    """Parity of fair patterns. Shape (width + 1,)."""
    return by_mixture(width, 1)


def by_mixture(width, weight):
    """Parity of fair patterns with weight ``weight``, else all 0 or all 1. Shape (width + 1,)."""
    law = {(f, label_of(f)): Fraction(weight) / 2**width for f in product((0, 1), repeat=width)}
    for end in ((0,) * width, (1,) * width):
        law[end, label_of(end)] += Fraction(1 - weight) / 2
    return covariances(law)


def uncorrelated(width):
    return [0] * (width + 1)


def covariance(alpha):
    """gamma of the mixture, for what is run and in what is proved."""
    return (1 - alpha) / 2


def half_of_the_ends(width, weight):
    """(1 - alpha)/2. Shape (width + 1,)."""
    return [0] + [covariance(Fraction(weight))] * width


def all_of_the_ends(width, weight):
    return [2 * x for x in half_of_the_ends(width, weight)]


def as_one_pattern(width):
    """As if y were the first pattern."""
    return [0, Fraction(1, 2)] + [0] * (width - 1)


def odd_width(rng):
    return {"width": 2 * int(rng.integers(0, 4)) + 1}


def any_width(rng):
    return {"width": int(rng.integers(2, 7))}


def a_mixture(rng):
    return {
        "width": 2 * int(rng.integers(1, 4)) + 1,
        "weight": Fraction(int(rng.integers(0, 9)), 9),
    }


FAIR = "Sum(binomial(2*r, j), (j, r, 2*r)) - Sum(binomial(2*r, j), (j, 0, r - 1))"
MAJORITY = formula_leg(
    "given the pattern",
    typed(f"({FAIR})/2**(2*r + 1) == binomial(2*r, r)/2**(2*r + 1)", over="r in 0..oo"),
    over="i",
)
MAJORITY_BALANCE = formula_leg(
    "balance",
    typed(
        "Sum(binomial(2*r + 1, s), (s, r + 1, 2*r + 1)) - Sum(binomial(2*r + 1, s), (s, 0, r)) == 0",
        over="r in 0..oo",
    ),
    over="i",
)

majority = claim(
    "structured-majority-gamma",
    lhs=r"(\mathbb Ey,\operatorname{Cov}(y,\phi_i))",
    tex=r"\Big(0,\tbinom{k-1}{(k-1)/2}2^{-k}\Big)",
    states="structured-data-family",
    title="Covariance under the majority rule",
    says=r"With fair patterns and the majority label, $k$ odd, classes are balanced and "
    r"$\gamma=\binom{k-1}{(k-1)/2}/2^k$.",
    covers="majority-gamma",
    reads={"k": "r"},
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            by_majority,
            reference=majority_stated,
            required=False,
            unit=1,
            instances=instances(odd_width, "width", smoke=3, standard=5),
        ),
        MAJORITY,
        MAJORITY_BALANCE,
    ],
    rivals=[
        variant("over 2^(k - 1), all patterns", reference=twice_the_majority, leg="all patterns"),
        *rivals_of(
            MAJORITY, {"over 2^(k - 1)": f"({FAIR})/2**(2*r + 1) == binomial(2*r, r)/2**(2*r)"}
        ),
        *rivals_of(
            MAJORITY_BALANCE,
            {
                "k even": "Sum(binomial(2*r + 2, s), (s, r + 2, 2*r + 2)) - Sum(binomial(2*r + 2, s), (s, 0, r + "
                "1)) == 0",
            },
        ),
    ],
)

SEEN = formula_leg(
    "given the pattern",
    typed("Sum(binomial(k - 1, j)*(-1)**j, (j, 0, k - 1))/2**k == 0", over="k in 2..oo"),
    over="i",
)
ALTERNATING = "Sum(binomial(k, s)*(-1)**(s + 1), (s, 0, k))/2**k"
BALANCE = formula_leg("balance", typed(f"{ALTERNATING} == 0", over="k in 1..oo"), over="i")

parity = claim(
    "structured-parity-gamma",
    lhs=r"(\mathbb Ey,\operatorname{Cov}(y,\phi_i))",
    tex="(0,0)",
    states="structured-data-family",
    title="Uniform parity has no covariance",
    says=r"Uniform patterns with parity labels have $\gamma=0$ for $k\ge2$.",
    covers="parity-not-member",
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            by_parity,
            reference=uncorrelated,
            required=False,
            unit=1,
            instances=instances(any_width, "width", smoke=3, standard=5),
        ),
        SEEN,
        BALANCE,
    ],
    rivals=[
        variant("the first pattern", reference=as_one_pattern, leg="all patterns"),
        *rivals_of(SEEN, {"k = 1": {"over": "k in 1..oo"}}),
        *rivals_of(BALANCE, {"signs dropped": "Sum(binomial(k, s), (s, 0, k))/2**k == 0"}),
    ],
)

SIZES = ["alpha in [0, 1]", "r in 1..oo"]
UNIFORM = "alpha*Sum(binomial(2*r, j)*(-1)**j, (j, 0, 2*r))/2**(2*r + 1)"
MIXED = formula_leg(
    "given the pattern",
    typed(f"{UNIFORM} + (1 - alpha)/2*1 == {covariance(sp.Symbol('alpha'))}", over=SIZES),
    over="i",
)
EVEN = "alpha*Sum(binomial(2*r + 1, s)*(-1)**(s + 1), (s, 0, 2*r + 1))/2**(2*r + 1)"
MIXED_BALANCE = formula_leg(
    "balance",
    typed(f"{EVEN} + (1 - alpha)*((-1)**(0 + 1)/2 + (-1)**(2*r + 1 + 1)/2) == 0", over=SIZES),
    over="i",
)

mixture = claim(
    "structured-mixture-gamma",
    lhs=r"(\mathbb Ey,\operatorname{Cov}(y,\phi_i))",
    tex=r"\big(0,\tfrac{1-\alpha}2\big)",
    states=["structured-data-family", "structured-parity-mixture"],
    title="Covariance of the mixture of parity and constant blocks",
    says=r"With weight $\alpha$ on uniform parity and the rest all 0 or all 1, $k$ odd $\ge3$, classes are "
    r"balanced and "
    r"$\gamma=(1-\alpha)/2$.",
    covers="structured-data-family/mixture-gamma structured-parity-mixture/balance-gamma",
    reads={"k": "r", "p_o": "alpha"},
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            by_mixture,
            reference=half_of_the_ends,
            required=False,
            unit=1,
            instances=instances(a_mixture, "width weight", smoke=3, standard=6),
        ),
        MIXED,
        MIXED_BALANCE,
    ],
    rivals=[
        variant("1 - alpha, all patterns", reference=all_of_the_ends, leg="all patterns"),
        *rivals_of(
            MIXED,
            {
                "alpha/2": f"{UNIFORM} + (1 - alpha)/2*1 == alpha/2",
                "k = 1": {"over": ["alpha in [0, 1]", "r in 0..oo"]},
            },
        ),
        *rivals_of(
            MIXED_BALANCE,
            {
                "k even": f"{EVEN} + (1 - alpha)*((-1)**(0 + 1)/2 + (-1)**(2*r + 2 + 1)/2) == 0",
            },
        ),
    ],
)
