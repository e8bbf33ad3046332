"""Theorem 7.2(1) for strictly decreasing losses: every optimum depends on z_R only.

Setting. As in `invariance`, whose selections these are.

Statement. If ell strictly decreases, a representation that depends on z_U loses strictly against its selections: hinges
with c > 2 B^2 gain |h - h+|^2/2 on every pair a != b, and no hinge loses. Run for shifted logistic losses.

Reference: Theorem 7.2(1) = F.2(1), lines 1976-1991 and 9488-9506.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    reaching,
    rivals_of,
    typed,
    variant,
)

from .invariance import (
    APART_FIELDS,
    gain_of_selecting,
    k,
    logistic_by_pairs,
    logistic_of_one_draw,
    logistic_selected,
    n_R,
    n_U,
    triple,
    triple_rival,
)

STRICT = formula_leg(
    "beyond 2 B^2",
    typed(
        "Max(0, c - (B**2 - t)) == Max(0, c - (B**2 - D - t)) - D",
        over=["B in (0, oo)", "c in (2*B**2, oo)", "t in [-B**2, B**2]", "D in [0, 2*B**2]"],
    ),
)
LOGISTIC = formula_leg(
    "logistic",
    typed(
        "log(1 + exp(-(B**2 - D - t))) >= log(1 + exp(-(B**2 - t))) + D/(1 + exp(B**2 - t))",
        over=["B in (0, oo)", "t in [-B**2, B**2]", "D in [0, 2*B**2]"],
    ),
)

# the share of D at the least slope, of t = -B^2
LEAST_SLOPE = formula_leg(
    "least slope",
    typed(
        "1/(1 + exp(B**2 - t)) >= 1/(1 + exp(2*B**2))",
        over=["B in (0, oo)", "t in [-B**2, B**2]"],
    ),
)

every = claim(
    "contrastive-every-invariant",
    states="contrastive-invariance",
    title="Every optimum depends on $z_R$ only, if the loss strictly decreases",
    lhs=r"\mathrm{loss}(\phi)-\mathbb E_u\,\mathrm{loss}(f_u)",
    says=r"A $\phi$ that depends on $z_U$ is no optimum: selections gain strictly, for logistic "
    r"losses. Hinges with $c > 2B^2$ gain $|h - h^+|^2/2$ on each pair $a \ne b$, the "
    "logistic loss at least $1/(1 + e^{2B^2})$ of it, and no hinge loses.",
    covers="every-optimum-invariant",
    reads={"D_R": "p", "D_U": "q", "g": "phi", "phi_star": "phi", "ell": "c"},
    relation=at_least(strict=True),
    closed_form=0 * k,
    domain={n_R: integers(2), n_U: integers(2), k: integers(2)},
    grid={
        "smoke": [{n_R: 2, n_U: 2, k: 2}, {n_R: 3, n_U: 2, k: 3}],
        "standard": {n_R: [2, 3], n_U: [2, 3], k: [2, 3]},
    },
    legs=[
        leg("enumeration", gain_of_selecting, instances=APART_FIELDS, inside="z", unit=1),
        leg(
            "pair by pair",
            logistic_selected,
            reference=logistic_by_pairs,
            relation=equals(),
            required=False,
            lhs=r"\mathbb E_u\,\mathrm{loss}(f_u)",
            tex=r"\sum_{a\ne b}p_ap_b\mathbb E_{u,v}\ell(B^2-h_{a,u}^\top h_{b,v})+\sum_ap_a^2\ell(0)",
            instances=APART_FIELDS,
        ),
        triple(APART_FIELDS),
        STRICT,
        LOGISTIC,
        LEAST_SLOPE,
        formula_leg(
            "no hinge loses",
            typed(
                "Max(0, c - (B**2 - t)) <= Max(0, c - (B**2 - D - t))",
                over=["c in R", "B in (0, oo)", "t in R", "D in [0, oo)"],
            ),
        ),
    ],
    rivals=[
        variant("by 1/2", closed_form=sp.Rational(1, 2) + 0 * k, leg="enumeration"),
        variant("one for all", simulation=logistic_of_one_draw, leg="pair by pair"),
        triple_rival(),
        *reaching(STRICT, "B > 10 and c > 1000"),
        *reaching(LOGISTIC, "B > 10"),
        *rivals_of(
            STRICT,
            {
                "from B^2 on": {
                    "over": [
                        "B in (0, oo)",
                        "c in (B**2, oo)",
                        "t in [-B**2, B**2]",
                        "D in [0, 2*B**2]",
                    ]
                }
            },
        ),
        *rivals_of(
            LOGISTIC, {"D/2": "log(1 + exp(-(B**2 - D - t))) >= log(1 + exp(-(B**2 - t))) + D/2"}
        ),
        *rivals_of(LEAST_SLOPE, {"that at t = 0": "1/(1 + exp(B**2 - t)) >= 1/(1 + exp(B**2))"}),
        *reaching(LEAST_SLOPE, "B > 10", "t == -B**2"),
        variant(
            "every hinge gains",
            leg="no hinge loses",
            simulation=typed(
                "Max(0, c - (B**2 - t)) < Max(0, c - (B**2 - D - t))",
                over=["c in R", "B in (0, oo)", "t in R", "D in (0, oo)"],
            ),
        ),
    ],
)
