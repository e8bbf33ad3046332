"""Weight decay decides whether the training set is ever fitted (derived).

Setting. `_population`: n_y of m neurons have sign y, every neuron fires on its own class only, margins are at most 1.

Statement. T steps with decay lambda take H_y = E[y h | y] to (1 - eta lambda)^T H_y + (1 - (1 - eta lambda)^T) h_y with
h_y = n_y S/(2 m^2 lambda), S = S_c + S_b: the mean margin of class y tends to h_y while no margin passes 1. With m/2
neurons of each sign that is S/(4 m lambda), below 1 exactly if lambda > S/(4m).

Reference: derived (bears on the hypothesis lambda = O(d_0/m^1.01), line 120, and on lines 936-1004; ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import choices, claim, equals, formula, instances, integers, leg, reals, variant

from ._population import Laws, mean_margin, stepped, team

core, background, plus, minus, T = sp.symbols(
    "core background plus minus T", integer=True, positive=True
)
y = sp.Symbol("y", integer=True)
eta, lam, S_c, S_b, H_0 = sp.symbols("eta lam S_c S_b H_0", positive=True)


def margin_after(ns, lows, highs, weights, s, eta, core, y, T, lam):
    """E[y h | y] after T steps, and before them."""
    before, after, data = stepped(
        ns, lows, highs, weights, s, eta, core, steps=T, lam=ns.asarray(lam)
    )
    return {"value": mean_margin(ns, after, data, y), "H_0": mean_margin(ns, before, data, y)}


def gentle(rng, core, background, plus, minus, y, T, lam):
    """Steps so small that the patterns last for T of them."""
    one = team(rng, core, background, plus, minus, y)
    return one._replace(eta=one.eta / (T * (1 + lam) * (plus + minus)))


n_y, m = sp.Piecewise((plus, sp.Eq(y, 1)), (minus, True)), plus + minus
LEFT = (1 - eta * lam) ** T
LIMIT = n_y * (S_c + S_b) / (2 * m**2 * lam)

per_class = claim(
    "contamination-weight-decay-per-class",
    states="contamination-weight-decay-threshold",
    lhs=r"\mathbb E[yh\mid y]",
    tex=r"(1-\eta\lambda)^T H_y+\big(1-(1-\eta\lambda)^T\big)\frac{n_yS}{2m^2\lambda}",
    title="The mean margin of a class under weight decay",
    says=r"Under weight decay the mean margin of class $y$ moves towards $n_yS/(2m^2\lambda)$, by the factor "
    r"$1-\eta\lambda$ per step, while every neuron fires on its own class only and no margin passes 1.",
    role="derived",
    covers="per-class-law",
    reads={"n_y": "plus minus"},
    domain={
        core: integers(1),
        background: integers(1),
        plus: integers(1),
        minus: integers(1),
        y: choices(1, -1),
        T: integers(1),
        lam: reals(0, low_open=True),
    },
    grid={
        "smoke": {
            core: [2],
            background: [1],
            plus: [2],
            minus: [1, 3],
            y: [1, -1],
            T: [1, 3],
            lam: [Fraction(1, 7)],
        },
        "standard": {
            core: [1, 3],
            background: [2],
            plus: [1, 4],
            minus: [3],
            y: [1, -1],
            T: [2],
            lam: [1, 3],
        },
    },
    closed_form=LEFT * H_0 + (1 - LEFT) * LIMIT,
    relation=equals(),
    legs=[
        leg(
            "whole population",
            margin_after,
            arithmetic="rational",
            observed=["H_0"],
            instances=instances(gentle, Laws, smoke=3, standard=4),
        )
    ],
    rivals=[
        variant(
            "half of the neurons", closed_form=LEFT * H_0 + (1 - LEFT) * (S_c + S_b) / (4 * m * lam)
        ),
        variant("S/(m lambda)", closed_form=LEFT * H_0 + (1 - LEFT) * 2 * LIMIT),
        variant(
            "the core alone", closed_form=LEFT * H_0 + (1 - LEFT) * n_y * S_c / (2 * m**2 * lam)
        ),
    ],
)

threshold = formula(
    "contamination-weight-decay-threshold-constant",
    states="contamination-weight-decay-threshold",
    title="The constant at the threshold for uniform features",
    role="derived",
    covers="threshold-constant",
    # S = d_0/4; lambda = C d_0/m^1.01 with C = m^0.01/16 equals S/(4m).
    says="m**(1/100)/16*d/m**(101/100) == (d/4)/(4*m)",
    over=["m >= 1", "d > 0"],
    rivals={"m^0.01/8": "m**(1/100)/8*d/m**(101/100) == (d/4)/(4*m)"},
)
