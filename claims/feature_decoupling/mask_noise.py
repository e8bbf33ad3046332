r"""What masks take from the signal: Lemma C.2 for flat dictionaries, the first error term of Lemma E.7, hidden columns.

Setting. Flat orthonormal columns, |M_jk| = 1/sqrt d1. A singleton w = alpha M_1 whose gate is open exactly where z_1
!= 0; no noise.

Statements. (1) The positive gradient of C.2 along M_j is q alpha_j (1 - d/d1): its error is -q (d/d1) alpha_j, of the
sign of -alpha_j. (2) The positive part of E1 along M_1 is E 1{z_1 != 0}(alpha (z_1 + Sb) - b z_1)(-Sb) = -alpha q (1
+ (d - 1) q)/d1, Sb = <M_1, (I - 2 D) M z>, and 0 along the other columns. (3) A column of support s is hidden from a
view with probability 2^-s.

Reference: lines 152-162, 575-583 and 1456-1458.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes, flat_columns
from .masked_gradient import masked

d, e, n = sp.symbols("d e n", integer=True, positive=True)
q = sp.Symbol("q", nonnegative=True)
alpha, b = sp.symbols("alpha b", positive=True)


def of_all_masks(alpha, beta, d, q):
    """E <w, x++><x+, v> - q <w, M_j> along each flat column of R^4, w of coordinates alpha along them and beta beside
    them. Shape (d,)."""
    flat = [[x / 2 for x in column] for column in flat_columns(4, 4)]
    w = [
        sum(a * c[k] for a, c in zip([*alpha[:d], *beta[d:]], flat, strict=True)) for k in range(4)
    ]
    return [masked(w, flat[j], flat[:d], q) - Fraction(q) * alpha[j] for j in range(d)]


D, a = sp.symbols("D a")
LOST = -q * d * a / D


def of_one_column(alpha, beta, d, q, j):
    """The same along one of them. Shape ()."""
    return of_all_masks(alpha, beta, d, q)[j]


def coordinates(rng):
    d, alpha = int(rng.integers(1, 4)), rng.rational((4,), 3)
    j = int(rng.integers(0, d))
    return {
        "alpha": alpha,
        "beta": rng.rational((4,), 3),
        "d": d,
        "j": j,
        "a": alpha[j],
        "D": 4,
        "q": Fraction(1, int(rng.integers(2, 6))),
    }


LOSS = formula_leg(
    "loss",
    typed(
        f"q*(a - (d/D)*a) - q*a == {LOST}",
        over=["q in [0, 1]", "a in R", "d in 1..oo", "D in d..oo"],
    ),
    over="M",
)
SIGN = formula_leg(
    "sign",
    typed(
        "-q*(d/D)*alpha*alpha <= 0", over=["q in [0, 1]", "alpha in R", "d in 1..oo", "D in d..oo"]
    ),
    over="M",
)

systematic = claim(
    "decoupling-systematic-loss",
    lhs=r"\mathbb E\langle w,x^{++}\rangle\langle x^+,M_j\rangle-q\alpha_j",
    tex=r"-q\tfrac d{d_1}\alpha_j",
    states="decoupling-stage1-gradient",
    title="The error is a loss of signal",
    says=r"For flat $M$ the error along $M_j$ is $-q\frac d{d_1}\alpha_j$, of the sign of $-\alpha_j$.",
    role="derived",
    covers="systematic",
    **ONE_POINT,
    closed_form=LOST,
    legs=[
        leg(
            "all masks and codes",
            of_one_column,
            required=False,
            unit=1,
            instances=instances(coordinates, "alpha beta d q j a D", smoke=3, standard=6),
        ),
        LOSS,
        SIGN,
    ],
    rivals=[
        variant("half of one column's", closed_form=-q * a / (2 * D), leg="all masks and codes"),
        *rivals_of(LOSS, {"1/D": "q*(a - (d/D)*a) - q*a == -q/D*a"}),
        *rivals_of(SIGN, {"a gain": "-q*(d/D)*alpha*alpha >= 0"}),
    ],
)


def first_error(alpha, b, d, e, q):
    """E 1{z_1 != 0}(alpha <M_1, x++> - b sign z_1) <M_k, (2 D - I) M z> for every column k, over masks and codes,
    times the
    ambient dimension. Shape (d,)."""
    size = 2**e
    columns = flat_columns(d, size)
    total = [Fraction(0)] * d
    for z, p in codes(d, q):
        if not z[0]:
            continue
        x = [sum(z[j] * columns[j][i] for j in range(d)) for i in range(size)]
        for D in product((0, 1), repeat=size):
            # columns and x are scaled by sqrt(size), so that products are by the size
            unit = (
                alpha
                * Fraction(sum(columns[0][i] * 2 * (1 - D[i]) * x[i] for i in range(size)), size)
                - b * z[0]
            )
            for k in range(d):
                part = Fraction(
                    sum(columns[k][i] * (2 * D[i] - 1) * x[i] for i in range(size)), size
                )
                total[k] += p * unit * part / 2**size
    return [t * size for t in total]


OWN = -alpha * q * (1 + (d - 1) * q)


def along_its_own(alpha, b, d, e, q):
    """Along the first column. Shape ()."""
    return first_error(alpha, b, d, e, q)[0]


def along_the_others(alpha, b, d, e, q):
    """Along the others. Shape (d - 1,)."""
    return first_error(alpha, b, d, e, q)[1:]


def two_of_its_own(alpha, b, d, e, q):
    return [along_its_own(alpha, b, d, e, q)] * 2


# the mean of |z|^2 given z_1 != 0
SQUARE = formula_leg(
    "mean of a square",
    typed(
        f"-alpha*q*(1 + (d - 1)*E[(R*B)**2]) == {OWN}",
        over=["alpha > 0", "q in [0, 1]", "d in 1..oo", "R ~ Rademacher", "B ~ Bernoulli(q)"],
    ),
    over="M",
)
# given z and D: z_1 Sb and Sb have mean 0, Sb^2 the mean |z|^2/d1
ODD = formula_leg(
    "odd terms",
    typed(
        "E[(alpha*(z + m*(1 - 2*D)) - b*z)*(-(m*(1 - 2*D)))] == -alpha*m**2",
        over=["alpha in R", "b in R", "z in R", "m in R", "D ~ Bernoulli(1/2)"],
    ),
    over="M",
)

winner = claim(
    "decoupling-mask-error",
    lhs=r"d_1\,\mathcal E_1^+",
    tex=r"-\alpha q(1+(d-1)q)",
    states="decoupling-e1-bound",
    title="The mask's part of a winner's gradient",
    says=r"For a flat singleton $\alpha M_1$ the positive part of $\mathcal E_1$ is $-\alpha "
    r"q\frac{1+(d-1)q}{d_1}$ along $M_1$ and "
    r"0 along the other columns.",
    role="derived",
    covers="winner-value",
    domain={
        alpha: reals(0, low_open=True),
        b: reals(0),
        d: integers(1),
        e: integers(0),
        q: reals(0, 1),
    },
    where=d <= 2**e,
    grid={
        "smoke": [
            {alpha: 2, b: 1, d: 2, e: 2, q: Fraction(1, 3)},
            {alpha: 1, b: Fraction(1, 2), d: 3, e: 2, q: Fraction(1, 5)},
        ],
        "standard": [
            {alpha: 3, b: 1, d: k, e: 2, q: h} for k in (1, 2, 4) for h in (Fraction(1, 10), 1)
        ],
    },
    closed_form=OWN,
    legs=[
        leg(
            "all masks and codes", along_its_own, required=False, where=(d <= 4) & (e <= 2), unit=1
        ),
        leg(
            "the other columns",
            along_the_others,
            closed_form=sp.Integer(0),
            required=False,
            where=(d >= 2) & (d <= 4) & (e <= 2),
            unit=1,
            lhs=r"\mathcal E_1^+",
            tex="0",
        ),
        SQUARE,
        ODD,
    ],
    rivals=[
        variant("of the column alone", closed_form=-alpha * q, leg="all masks and codes"),
        variant("a gain", closed_form=-OWN, leg="all masks and codes"),
        variant("all columns alike", simulation=two_of_its_own, leg="the other columns"),
        *rivals_of(SQUARE, {"q d": "-alpha*q*(1 + (d - 1)*E[(R*B)**2]) == -alpha*q*q*d"}),
        *rivals_of(
            ODD, {"a plus": "E[(alpha*(z + m*(1 - 2*D)) - b*z)*(-(m*(1 - 2*D)))] == alpha*m**2"}
        ),
    ],
)


def hidden_share(column):
    """Share of the masks that leave nothing of a column. Shape ()."""
    every = list(product((0, 1), repeat=len(column)))
    return Fraction(
        sum(1 for D in every if not any(s * x for s, x in zip(D, column, strict=True))), len(every)
    )


s = sp.Symbol("s", integer=True, positive=True)
NOTHING_LEFT = 2 ** (-s)


def a_column(rng):
    column = [Fraction(1), *[Fraction(int(rng.integers(-1, 3)), 3) for _ in range(7)]]
    return {"column": column, "s": sum(1 for x in column if x)}


HIDDEN = formula_leg(
    "one entry more",
    typed(f"{NOTHING_LEFT} == 2**(1 - s)*E[1 - D]", over=["s in 1..oo", "D ~ Bernoulli(1/2)"]),
    over="M_j",
)

hidden = claim(
    "decoupling-hidden-column",
    lhs=r"\Pr[DM_j=0]",
    tex=r"2^{-|\operatorname{supp}M_j|}",
    states="decoupling-mask-recovery",
    title="Columns that a mask hides",
    says=r"A column with $s$ entries that are not 0 is hidden completely from a view with probability $2^{-s}$.",
    role="derived",
    covers="full-mask",
    **ONE_POINT,
    closed_form=NOTHING_LEFT,
    legs=[
        leg(
            "all masks",
            hidden_share,
            required=False,
            instances=instances(a_column, "column s", smoke=4, standard=8),
        ),
        HIDDEN,
    ],
    rivals=[
        variant("hidden twice", closed_form=4 ** (-s), leg="all masks"),
        *rivals_of(HIDDEN, {"4^-s": "4**(-s) == 4**(1 - s)*E[1 - D]"}),
    ],
)
