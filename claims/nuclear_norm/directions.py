"""Limit directions of weight decay and of the nuclear norm (derived from section 6.2).

Setting. Linear features with a frozen head of ones. Under strong weight decay the optimum points along the mean of
z, where beta/alpha = 2 gamma; under lambda sqrt(w^T C w), C = E[z z^T], along C^{-1} mu, where beta/alpha =
gamma/(6(1/3 - gamma^2)).

Statement. For every gamma in (0, 1/2) the second is smaller; at gamma = 1/2 both are 1. It is not at most half of
the first for every gamma: only up to gamma^2 = 1/6.

Reference: derived from lines 1642-1660 and 1783.
"""

from __future__ import annotations

from theorycheck import formula

below = formula(
    "nuclear-nu-below-l2",
    states="nuclear-small-weights-limit",
    title="The nuclear norm weighs the environment less",
    says="0 < gamma/(6*(1/3 - gamma**2)) < 2*gamma",
    over="gamma in (0, 1/2)",
    covers="nu-below-l2",
    rivals={
        "at most half": "0 < gamma/(6*(1/3 - gamma**2)) <= gamma",
        "up to 1": {"over": "gamma in (0, 1]"},
    },
)
