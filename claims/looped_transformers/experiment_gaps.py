"""Section 8.6: whether the gap between the empirical and the theoretical rate narrows as examples double.

Setting. The error shrinks by 1 - 1/kappa a step along the lowest eigenvector, kappa as reported for n = 16, 32, 64
and 128.

Statements. The source says that the gap narrows as n grows. That depends on the gap: per step, in the logarithm that is
plotted, -2 log(1 - 1/kappa) - 1/kappa widens; in iterations to a given accuracy, kappa + 1/(2 log(1 - 1/kappa))
narrows.

Reference: section 8.6, Figure 8.1 (arXiv 2410.11268).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_most, choices, claim, formula_leg, leg, rivals_of, typed, variant

from .experiment_table import PRINTED

n = sp.symbols("n", integer=True, positive=True)


def rates(ns, kappa, steps=4):
    """Decrease of log |theta_t - theta*|^2 per step along the lowest eigenvector (mu = 1, L = kappa), by
    running gradient descent, and the theory's 1/kappa. Shape (2,)."""
    start = ns.asarray(1)
    error = start
    for _ in range(steps):
        error = error - error / ns.asarray(kappa)
    return ns.log(start**2 / error**2) / steps, 1 / ns.asarray(kappa)


def vertical_change(ns, n):
    """Change of the gap per step in the logarithm, from n to 2n, at the reported averages. Shape ()."""
    gaps = [
        empirical - theory
        for empirical, theory in (rates(ns, PRINTED[n]), rates(ns, PRINTED[2 * n]))
    ]
    return gaps[1] - gaps[0]


def horizontal_change(ns, n):
    """Change of the gap in iterations per unit of log(1/accuracy), from n to 2n. Shape ()."""
    gaps = [
        1 / theory - 1 / empirical
        for empirical, theory in (rates(ns, PRINTED[n]), rates(ns, PRINTED[2 * n]))
    ]
    return gaps[1] - gaps[0]


# kappa + 1/(2 log(1 - 1/kappa)) has the slope 1 - 1/(2 kappa (kappa - 1) log(1 - 1/kappa)^2), below 0 under 1.0533
RISING = formula_leg(
    "its slope",
    typed("2*kappa*(kappa - 1)*log(1 - 1/kappa)**2 > 1", over="kappa in [53/50, oo)"),
    lhs=r"2\kappa(\kappa-1)\log^2(1-1/\kappa)",
    tex="1",
)


def narrows(suffix, title, says, simulation, expect, change, *more, role="reading"):
    return claim(
        f"looped-exp-convergence-{suffix}",
        lhs=rf"\Big[{change}\Big]_n^{{2n}}",
        states="looped-exp-convergence",
        title=title,
        says=says,
        role=role,
        covers=f"gap-narrows-{suffix}",
        reads={"kappa": "n"},
        expect=expect,
        domain={n: choices(16, 32, 64)},
        grid={"smoke": {n: [16, 32, 64]}},
        closed_form=sp.Integer(0),
        relation=at_most(),
        legs=[leg("at the reported averages", simulation, unit=1), *more],
        rivals=[
            *[variant("the other gap", leg="at the reported averages", simulation=vertical_change)]
            * len(more),
            *(r for one in more for r in rivals_of(one, {"from 1 on": {"over": "kappa > 1"}})),
        ],
    )


vertical = narrows(
    "vertical",
    "The gap per step narrows with $n$",
    "From $n$ to $2n$ the gap between empirical and theoretical decrease of the log error per step does not grow.",
    vertical_change,
    "fail",
    r"-2\log\Big(1-\frac1\kappa\Big)-\frac1\kappa",
)
horizontal = narrows(
    "horizontal",
    "The gap in iterations narrows with $n$",
    "From $n$ to $2n$ the gap between theoretical and empirical iterations to a given accuracy does not grow.",
    horizontal_change,
    "pass",
    r"\kappa+\frac1{2\log(1-1/\kappa)}",
    RISING,
)
