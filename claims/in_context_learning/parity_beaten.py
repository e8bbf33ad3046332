"""Beside Theorem 5.5.1: for every pair of sizes both printed networks are beaten (derived).

Setting. As in `parity_optimum`, any nu1 < nu2.

Statements. Four heads, padded to 2 (nu1 + 1), have loss 0, and the printed small network has p_T times a positive
share. Let R be the least number with binom(R, floor(R/2)) >= d = 2^nu2: R negative heads of entries +-1 whose
columns are different sets of floor(R/2) signs cover every pattern of label -1, and the positive heads floor(R/2) I
and -ceil(R/2) I give margin 1 on the others. For nu2 >= 3, R <= 2 nu2 - 1, so that these are at most 2 nu2 + 1
heads of norm at most 2 nu2^2 d, where 2 d nu2 (nu2 + 1) is printed. At nu2 = 2 two sparse pairs and one of modulus
2 have 40 for 48.

Reference: repairs Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024); the networks are ours.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

from theorycheck import at_most, claim, formula_leg, leg, rivals_of, typed, variant

from ._parity import (
    NEVER,
    admitted,
    bit_network,
    cost,
    diagonal,
    small_loss,
    smallest_margin,
)
from .parity_optimum import (
    COMPETITORS,
    SIZES,
    TENTH,
    d,
    four_head_loss,
    gamma,
    nu1,
    nu2,
    pT,
)


def sperner_network(size):
    """R negative heads with the first ``size`` columns of floor(R/2) plus signs, and the two positive heads."""
    count = next(r for r in range(1, size + 1) if comb(r, r // 2) >= size)
    chosen = list(itertools.islice(itertools.combinations(range(count), count // 2), size))
    negative = [diagonal(-1, [1 if r in plus else -1 for plus in chosen]) for r in range(count)]
    return [
        *negative,
        diagonal(1, [count // 2] * size),
        diagonal(1, [-(count - count // 2)] * size),
    ]


def cheaper_norm(nu2, without=0):
    """Norm of a network of at most 2 (nu2 + 1) heads with margin at least 1 on every task; beyond all norms if it is
    none. ``without``: so many heads are left out. Shape ()."""
    size = 2**nu2
    heads = (COMPETITORS[2] if nu2 == 2 else sperner_network(size))[without:]
    if smallest_margin(heads, size) < 1 or len(heads) > 2 * (nu2 + 1):
        return NEVER
    return cost(heads)


def norm_of_printed(nu2):
    return cost(bit_network(nu2, 2**nu2))


def points(*sizes):
    return [{nu1: a, nu2: b, gamma: TENTH, pT: Fraction(1, 10 ** (b + 2))} for a, b in sizes]


enough_columns = formula_leg(
    "columns for every feature",
    typed("binomial(2*m - 1, m) >= 2**m", over="m in 3..oo"),
    required=False,
    lhs=r"\binom{2\nu-1}{\nu}",
    tex=r"2^\nu",
)
smaller = formula_leg(
    "and the norm is smaller",
    typed("D*((2*m - 1) + (m - 1)**2 + m**2) < 2*D*m*(m + 1)", over=["m in 1..oo", "D in 1..oo"]),
    required=False,
    lhs=r"d\,\big(2\nu-1+(\nu-1)^2+\nu^2\big)",
    tex=r"2d\,\nu(\nu+1)",
)
beaten = claim(
    "icl-parity-optimum-beaten",
    lhs=r"\mathcal{L}(g)",
    tex=r"\mathcal{L}(g_1^*)",
    states="icl-parity-optimum",
    title="Both printed networks are beaten at every size",
    says=r"For all $1\le\nu_1<\nu_2$ a network of $2(\nu_1+1)$ heads has loss $0<\mathcal{L}(g_1^*)$, and one of "
    r"at most $2(\nu_2+1)$ "
    "heads that solves every task has a norm below the printed one's.",
    role="derived",
    covers="strictly-beaten-always",
    domain=SIZES,
    where=admitted,
    grid={
        "smoke": points((1, 2), (1, 3), (2, 3), (3, 4)),
        "standard": points((1, 5), (3, 5), (5, 6)),
    },
    relation=at_most(strict=True),
    legs=[
        leg("four heads", four_head_loss, reference=small_loss, gives="g", unit=1),
        leg(
            "norm",
            cheaper_norm,
            closed_form=2 * d * nu2 * (nu2 + 1),
            gives="g",
            lhs=r"\|\theta\|",
            tex=r"2\cdot2^{\nu_2}\,\nu_2(\nu_2+1)",
        ),
        enough_columns,
        smaller,
    ],
    rivals=[
        variant("the printed small network", simulation=small_loss, leg="four heads"),
        variant("the printed large network", simulation=norm_of_printed, leg="norm"),
        variant(
            "a negative head less", leg="norm", call=cheaper_norm, without=1, at=points((1, 3))
        ),
        variant("below 2 d nu2^2", closed_form=2 * d * nu2**2, leg="norm"),
        *rivals_of(enough_columns, {"one negative head less": "binomial(2*m - 2, m - 1) >= 2**m"}),
    ],
)
