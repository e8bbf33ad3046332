r"""Definition 3.1: the labels <w*, z>.

Setting. z_j independent, symmetric in {-1, 0, 1}, q = P[z_j != 0]; y = <w*, z>.

Statements. (1) Var y = q |w*|^2. (2) P[y != 0] is at least (1 - (1 - q)^d)/2 for every w* without zeros, since one
sign of a non-zero z_j at most makes y 0, and at most 1 - (1 - q)^d. For equal moduli y = 0 also where as many terms
cancel: with k non-zero entries in the share binom(k, k/2)/2^k of the signs, k even.

Reference: lines 188-204. Without equalities among the signed sums of w* it is 1 - (1 - q)^d.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

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
    typed,
    variant,
)

from ._dictionary import codes, dot

d = sp.Symbol("d", integer=True, positive=True)
q = sp.Symbol("q", nonnegative=True)
SIZES = {
    "domain": {d: integers(1), q: reals(0, 1)},
    "grid": {
        "smoke": [{d: 1, q: Fraction(1, 3)}, {d: 3, q: Fraction(1, 2)}, {d: 4, q: Fraction(1, 5)}],
        "standard": {d: [2, 5], q: [Fraction(1, 10), Fraction(9, 10), 1]},
    },
}


def spread(w_star, d, q):
    """E y^2 over all codes; E y = 0 by symmetry. Shape ()."""
    return sum((p * dot(w_star, z) ** 2 for z, p in codes(d, q)), Fraction(0))


v, first = sp.symbols("v first", nonnegative=True)
SPREAD = q * v


def draw(rng, d, q):
    w = [Fraction(int(rng.signs()) * int(rng.integers(1, 7)), 2) for _ in range(d)]
    return {"w_star": w, "v": dot(w, w), "first": w[0] ** 2}


# v is |w*|^2 with the entry w
SQUARE = formula_leg(
    "an entry",
    typed(
        f"{SPREAD} == q*(v - w**2) + E[(w*R*B)**2]",
        over=["q in [0, 1]", "w in R", "v in [w**2, oo)", "R ~ Rademacher", "B ~ Bernoulli(q)"],
    ),
    over="w_star",
)
CROSS = formula_leg(
    "two entries",
    typed("E[R*B*S*C] == 0", over=["q in [0, 1]", "R, S ~ Rademacher", "B, C ~ Bernoulli(q)"]),
    over="w_star",
)

variance = claim(
    "decoupling-label-variance",
    lhs=r"\operatorname{Var}y",
    tex=r"q\|w^\star\|^2",
    states="decoupling-downstream-tasks",
    title="Variance of the label",
    says=r"$\operatorname{Var}\langle w^\star,z\rangle=q\|w^\star\|^2$.",
    covers="variance",
    closed_form=SPREAD,
    legs=[
        leg(
            "all codes",
            spread,
            required=False,
            where=d <= 7,
            unit=1,
            instances=instances(draw, "w_star v first", smoke=2, standard=4),
        ),
        SQUARE,
        CROSS,
    ],
    rivals=[
        variant("without q", closed_form=v, leg="all codes"),
        variant("equal moduli", closed_form=q * d * first, leg="all codes"),
        *rivals_of(SQUARE, {"q^2": "q**2*v == q**2*(v - w**2) + E[(w*R*B)**2]"}),
        *rivals_of(CROSS, {"one entry": "E[R*B*R*B] == 0"}),
    ],
    **SIZES,
)


def labelled(w_star, d, q):
    """P[y != 0] over all codes. Shape ()."""
    return sum((p for z, p in codes(d, q) if dot(w_star, z)), Fraction(0))


def equal_moduli(rng, d, q):
    size = Fraction(int(rng.integers(1, 9)), 4)
    return {"w_star": [size * int(rng.signs()) for _ in range(d)]}


def by_supports(w_star, q):
    """The share of supports of every size times that of signs that do not cancel. Shape ()."""
    d, q = len(w_star), Fraction(q)
    return sum(
        comb(d, k)
        * q**k
        * (1 - q) ** (d - k)
        * (1 - (Fraction(comb(k, k // 2), 2**k) if k % 2 == 0 else 0))
        for k in range(d + 1)
    )


def not_empty(w_star, q):
    return 1 - (1 - Fraction(q)) ** len(w_star)


nonzero = claim(
    "decoupling-label-nonzero",
    lhs=r"\Pr[y\ne0]",
    tex=r"\sum_k\tbinom dkq^k(1-q)^{d-k}\big(1-\tbinom k{k/2}2^{-k}\mathbf 1_{2|k}\big)",
    states="decoupling-downstream-tasks",
    title="How often there is a label",
    says=r"For $|w^\star_j|=1$, $\Pr[y\ne0]$ is the sum over $k$ of the chance of $k$ entries that are "
    r"not 0 times that of signs that do not cancel: "
    r"below $\Pr[z\ne0]$.",
    role="derived",
    covers="nonzero-label",
    relation=equals(),
    legs=[
        leg(
            "all codes",
            labelled,
            reference=by_supports,
            where=d <= 7,
            unit=1,
            instances=instances(equal_moduli, "w_star", smoke=2, standard=4),
        )
    ],
    rivals=[variant("no cancellation", reference=not_empty, leg="all codes")],
    **SIZES,
)
