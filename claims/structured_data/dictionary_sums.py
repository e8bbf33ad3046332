r"""Claim A.44: the sum over the relevant patterns of |<M_l, x>|.

Setting. x = sum_j phi_j M_j + zeta/sigma~ with |phi_j| <= 1/sigma~; unit columns with inner products of at most
mu/sqrt(d); a good x has |<zeta, M_l>| <= u, u = O(sigma_zeta sqrt(log k)), for all l.

Statement. sigma~ <M_l, x> is at most 1 from phi_l, X = D mu/sqrt(d) from the other patterns through their inner
products, u from the noise; k of them are at most k (1 + X + u)/sigma~.

Reference: Claim A.44, lines 5275-5287.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

ONE = formula_leg(
    "one pattern",
    typed(
        "abs(f + g + z) <= 1 + X + u",
        over=["X >= 0", "u >= 0", "f in [-1, 1]", "g in [-X, X]", "z in [-u, u]"],
    ),
    over="x",
    gives="C",
)
ALL = formula_leg(
    "k of them",
    typed(
        "k*(v/s) <= k*(1 + X + u)/s",
        over=["k in 1..oo", "s > 0", "X >= 0", "u >= 0", "v in [0, 1 + X + u]"],
    ),
    over="x",
)

total = claim(
    "structured-dictionary-sum",
    states="structured-general-claim-sumA",
    title="Sum of the relevant components of a good input",
    says=r"$\sum_{l\in A}|\langle M_l,x\rangle|\le\frac k{\tilde\sigma}\big(1+\frac{D\mu}{\sqrt d}+u\big)$ for "
    r"every $x$ with $|\langle\zeta,M_l\rangle|\le u$.",
    covers="bound",
    legs=[ONE, ALL],
    rivals=[
        *rivals_of(ONE, {
            "orthonormal": "abs(f + g + z) <= 1 + u",
            "without noise": "abs(f + g + z) <= 1 + X",
        }),
        *rivals_of(ALL, {"one of them": "k*(v/s) <= (1 + X + u)/s"}),
    ],
)  # fmt: skip
