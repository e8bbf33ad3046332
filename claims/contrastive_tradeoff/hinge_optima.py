"""Theorem 7.2(1) for a loss that only weakly decreases: other optima (the hinge).

Setting. As in `invariance`, with the hinge (1 - t)_+, two equally likely values of z_R and of z_U, B = 6/5.

Statement. Codes at the angles +-e and pi +- e are optimal for every e up to 1/2: the loss is 1/2, and at least ell(0)/2
for all, by Jensen on the pairs of one value of z_R with itself.

Reference: Theorem 7.2(1) = F.2(1), lines 1976-1991 and 9488-9506.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula_leg, leg, reals, rivals_of, typed, variant

from ._views import contrastive_loss

e = sp.Symbol("e", nonnegative=True)


def unit_hinge(ns, t):
    """(1 - t)_+."""
    return ns.relu(1 - t)


def at_angles(ns, e, square=Fraction(36, 25)):
    """Loss of the codes at angles +-e for a = 1, pi +- e for a = 2; uniform laws. Shape ()."""
    e = ns.asarray(e)
    c, s = ns.cos(e), ns.sin(e)
    rows = [ns.stack([c, s], axis=0), ns.stack([c, -s], axis=0)]
    phi = ns.sqrt(ns.asarray(square)) * ns.stack(
        [ns.stack(rows, axis=0), -ns.stack(rows, axis=0)], axis=0
    )
    half = ns.asarray([[Fraction(1, 2)] * 2])
    return contrastive_loss(ns, half, half, phi[None], unit_hinge)[0]


def at_norm_one_half(ns, e):
    return at_angles(ns, e, square=Fraction(1, 4))


ALL_TRIPLES = formula_leg(
    "all triples",
    typed(
        "1/2*(1/2*Max(0, 1) + 1/4*Max(0, 1 - 36/25*(1 - cos(2*e))) + 1/4*Max(0, 1 + 36/25*(1 - cos(2*e))))"
        " + 1/2*0 == 1/2",
        over="e in [0, 1/2]",
    ),
)
OTHERS = formula_leg(
    "other values lose nothing",
    typed(
        "Max(0, 1 - 36/25*(cos(a) + cos(b))) == 0",
        over=["e in [0, 1/2]", "a in [0, 2*e]", "b in [0, 2*e]"],
    ),
)

weak = claim(
    "contrastive-hinge-optima",
    lhs=r"\mathrm{loss}(\phi_e)",
    states="contrastive-invariance",
    title="With the hinge loss other representations are optimal, too",
    says=r"Codes at the angles $\pm e$ and $\pi \pm e$, $B = 6/5$, have hinge loss 1/2 for every "
    r"$e \in [0, 1/2]$, the least by Jensen.",
    covers="weak-decrease-fails",
    domain={e: reals(0, Fraction(1, 2))},
    grid={
        "smoke": {e: [0, Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)]},
        "standard": {e: [Fraction(i, 20) for i in range(11)]},
    },
    closed_form=sp.Rational(1, 2) + 0 * e,
    legs=[
        leg("enumeration", at_angles, gives="instance", required=False),
        ALL_TRIPLES,
        OTHERS,
        formula_leg(
            "equal values", typed("Max(0, 1 - t) >= 1 - t", over=["t in R", "e in [0, 1/2]"])
        ),
    ],
    rivals=[
        variant("the logistic value", closed_form=sp.log(2) / 2),
        variant("the code that sends all to 0", closed_form=1 + 0 * e),
        variant("norm 1/2", simulation=at_norm_one_half, leg="enumeration"),
        variant(
            "at the square 9 of the norm",
            leg="all triples",
            simulation=typed(
                "1/2*(1/2*Max(0, 1) + 1/4*Max(0, 1 - 9*(1 - cos(2*e))) + 1/4*Max(0, 1 + 9*(1 - cos(2*e))))"
                " + 1/2*0 == 1/2",
                over="e in [0, 1/2]",
            ),
        ),
        variant(
            "up to the angle 1",
            leg="other values lose nothing",
            simulation=typed(
                "Max(0, 1 - 36/25*(cos(a) + cos(b))) == 0",
                over=["e in [0, 1]", "a in [0, 2*e]", "b in [0, 2*e]"],
            ),
        ),
        *rivals_of(
            ALL_TRIPLES,
            {
                "at the square 11/5, up to e = .49": "1/2*(1/2*Max(0, 1) + 1/4*Max(0, 1 - 11/5*(1 - cos(2*e)))"
                " + 1/4*Max(0, 1 + 11/5*(1 - cos(2*e)))) + 1/2*0 == 1/2"
            },
        ),
        *rivals_of(
            OTHERS,
            {"at the square 9/10, up to e = .49": "Max(0, 1 - 9/10*(cos(a) + cos(b))) == 0"},
        ),
        variant(
            "equality",
            leg="equal values",
            simulation=typed("Max(0, 1 - t) == 1 - t", over=["t in R", "e in [0, 1/2]"]),
        ),
    ],
)
