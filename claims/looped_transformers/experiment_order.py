"""Section 8.6: the order of the reported condition numbers, and that no run crosses the theory's line.

Setting. d = 4, n in {16, 32, 64, 128}, X with independent standard normal entries, ten prompts for each n; gradient
descent with step 1/L from 0.

Statements. The ten-prompt means of kappa fall as n doubles, all three times in more than 99 of 100 repetitions (a
single prompt of 2n examples has the smaller kappa in five of six only). Every run lies below the theory, |theta_t -
theta*|^2 < exp(-t/kappa) |theta_0 - theta*|^2 for t >= 1, even at or below (1 - 1/kappa)^(2t): that is no matter of
chance.

Reference: section 8.6, Figure 8.1 (arXiv 2410.11268).
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    probability,
    rivals_of,
    typed,
    variant,
)

from .condition_number import condition_numbers
from .descent import DOMAIN, GRID, Regression, T, distance, kappa, problem
from .experiment_table import ten_trial_means

n = sp.symbols("n", integer=True, positive=True)
SIZES = (16, 32, 64, 128)


def falls_throughout(ns, rng, size, n):
    """Whether the ten-prompt means fall all the way from 16 to n examples. Booleans, shape (size,)."""
    return falling([ten_trial_means(ns, rng, size, m) for m in SIZES if m <= n])


def rises_throughout(ns, rng, size, n):
    return falling([ten_trial_means(ns, rng, size, m) for m in reversed(SIZES) if m <= n])


def of_single_prompts(ns, rng, size, n):
    return falling([condition_numbers(ns, rng, size, m, 4) for m in SIZES if m <= n])


def falling(values):
    held = values[0] == values[0]
    for before, after in pairwise(values):
        held = held & (after < before)
    return held


def ratio(ns, X, y, theta_star, theta0, eta, T):
    """|theta_T - theta*|^2 / |theta_0 - theta*|^2. Shape (B,)."""
    return distance(ns, X, y, theta_star, theta0, eta, T) / ns.sum(
        (theta0 - theta_star) ** 2, axis=-1
    )


kappa_falls = claim(
    "looped-exp-convergence-order",
    lhs=r"\Pr[\bar\kappa_{16}>\bar\kappa_{32}>\bar\kappa_{64}>\bar\kappa_{128}]",
    states="looped-exp-convergence",
    title="The mean condition number falls as examples double",
    says=r"In more than 99 of 100 repetitions the ten-prompt means of $\kappa$ at $d=4$ fall from $n=16$ to 32, 64 "
    r"and 128.",
    covers="kappa-falls-with-n",
    domain={n: choices(*SIZES)},
    grid={"smoke": {n: [128]}},
    closed_form=sp.Rational(99, 100),
    relation=at_least(),
    legs=[
        leg(
            "repetitions",
            falls_throughout,
            statistic=probability(),
            block=256,
            draws="prompts",
            inside="n",
            budget={"smoke": 12288, "standard": 24576},
        )
    ],
    rivals=[
        variant("single prompts", simulation=of_single_prompts),
        variant("the other way round", simulation=rises_throughout),
    ],
)

strictly = formula_leg(
    "strictly below the line",
    typed("(1 - 1/kappa)**(2*t) < exp(-t/kappa)", over=["kappa in [1, oo)", "t in 1..oo"]),
    lhs=r"(1-1/\kappa)^{2t}",
    tex=r"e^{-t/\kappa}",
)
below_theory = claim(
    "looped-exp-convergence-below",
    lhs=r"\|\theta^{(t)}-\theta^*\|^2/\|\theta^{(0)}-\theta^*\|^2",
    tex=r"\Big(1-\frac1\kappa\Big)^{2t}<e^{-t/\kappa}",
    states="looped-exp-convergence",
    title="Every run lies below the theory",
    says=r"For every $X$ of full column rank and every $t\ge1$ the squared error over its start is at most "
    r"$(1-1/\kappa)^{2t}$, "
    r"which is less than $e^{-t/\kappa}$.",
    covers="empirical-below-theory",
    reads={"X": "d kappa X", "t": "T"},
    domain={**DOMAIN, T: integers(1)},
    grid=GRID,
    closed_form=(1 - 1 / kappa) ** (2 * T),
    relation=at_most(),
    legs=[
        leg(
            "lowest eigenvector",
            ratio,
            arithmetic="rational",
            instances=instances(problem(0), Regression, smoke=1),
        ),
        leg(
            "random start",
            ratio,
            arithmetic="rational",
            instances=instances(problem(), Regression, smoke=2, standard=4),
        ),
        strictly,
    ],
    rivals=[
        variant(
            "(1 - 1/kappa)^(3t)", closed_form=(1 - 1 / kappa) ** (3 * T), leg="lowest eigenvector"
        ),
        variant(
            "(1 - 1/kappa)^(3t) from a random start",
            closed_form=(1 - 1 / kappa) ** (3 * T),
            leg="random start",
        ),
        variant(
            "one step more", closed_form=(1 - 1 / kappa) ** (2 * T + 2), leg="lowest eigenvector"
        ),
        *rivals_of(
            strictly,
            {"below -3t/kappa": {"says": "(1 - 1/kappa)**(2*t) < exp(-3*t/kappa)", "steps": ()}},
        ),
    ],
)
