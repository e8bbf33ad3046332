"""Lemma B.5 with a constant: the core projection of every neuron is at most d_0/m.

Setting. As in `feature_projections`. y times minus the gradient along sum_core mu_j m_j is at most S_c/m, and S_c <=
d_core <= d_0 as every mu_j <= 1: C = 1 for every neuron, in N_y or not, at all weights.

Reference: Lemma B.5, lines 660-670 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from .feature_projections import along_core
from .gradient_projection import DRAWN, FIELDS, SETTING, SIZES, SMALL, TWO, d_bg, d_core, m


def per_feature(W, s, values, weights, m, d_core, d_bg):
    """m y/d_0 times minus the gradient along the core sum. Shape (m,)."""
    found = along_core(W, s, values, weights, m, d_core, d_bg)
    return [m * y * value / (d_core + d_bg) for y, value in zip(s, found, strict=True)]


def one():
    """C = 1."""
    return 1


def nearly_ones(rng, m, d_core, d_bg):
    """Neurons that are on for both classes, features that are nearly always 1."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 40 * size)] * d_core + [Fraction(1, 10)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 1000), Fraction(999, 1000)]] * size,
    }


ONES = instances(nearly_ones, FIELDS, smoke=1)
PER_FEATURE = "(a*d_core)/(d_core + d_bg)"
"""S_c/d_0, a the mean of the mu_j^2 on the core."""
OF_ALL = formula_leg(
    "S_c per feature",
    typed(f"{PER_FEATURE} <= {one()}", over=["d_core in 1..oo", "d_bg in 1..oo", "a in [0, 1]"]),
    over="y k t",
)

ordered = claim(
    "contamination-core-gradient-order",
    states="contamination-core-gradient-all",
    lhs=r"-\tfrac{m\,y}{d_0}\langle\nabla_{w_k}\mathbb E\,\ell,\textstyle\sum_{\mathrm{core}}\mu_jm_j\rangle",
    tex="1",
    title="The core projection of every neuron is of order d0/m",
    says=r"For every neuron with $\operatorname{sign}(a_k)=y$, in $N_y$ or not, $y$ times minus the gradient along "
    r"the core sum is at most $d_0/m$.",
    covers="all-neurons-bound",
    domain=SETTING["domain"],
    reads=SETTING["reads"],
    closed_form=sp.Integer(1),
    relation=at_most(),
    legs=[
        leg(
            "population",
            per_feature,
            instances=DRAWN,
            inside="y k",
            where=SMALL,
            gives="C",
            chosen_by=one,
        ),
        # Drawn neurons stay below 2/5; these come to d_core/d_0.
        leg(
            "nearly ones",
            per_feature,
            instances=ONES,
            inside="y k",
            where=SMALL,
            gives="C",
            chosen_by=one,
            grid={"smoke": [{m: 1, d_core: 6, d_bg: 1}]},
        ),
        OF_ALL,
    ],
    rivals=[
        *rivals_of(OF_ALL, {"19/20, as if some were background": f"{PER_FEATURE} <= 19/20"}),
        variant(
            "a quarter", leg="population", closed_form=sp.Rational(1, 4), instances=ONES, at=TWO
        ),
        variant("five sixths", leg="nearly ones", closed_form=sp.Rational(5, 6)),
    ],
    mutate=False,
    **SIZES,
)
