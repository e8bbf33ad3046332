"""Section 8.6: the reported condition numbers, and the figure of the experiment.

Setting. d = 4, X in R^{n x d} with independent standard normal entries, kappa = cond(X^T X), ten prompts for each n;
the looped transformer with step 1/L from 0.

Statement. The reported ten-prompt averages of kappa are 4.57, 3.13, 2.07, 1.62 for n = 16, 32, 64, 128: each lies
between the 0.5% and 99.5% points of the distribution of such an average.

Reference: section 8.6, Figure 8.1 (arXiv 2410.11268). Its curves: `experiment_curves`; its gaps: `experiment_gaps`.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    figure,
    holds_with_probability,
    leg,
    panel,
    probability,
    series,
    variant,
)

from .condition_number import condition_numbers, condition_of
from .experiment_curves import TRIALS, errors

n = sp.symbols("n", integer=True, positive=True)
PRINTED = {
    16: Fraction(457, 100),
    32: Fraction(313, 100),
    64: Fraction(207, 100),
    128: Fraction(162, 100),
}


def ten_trial_means(ns, rng, size, n):
    each = condition_numbers(ns, rng, size * TRIALS, n, 4)
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1)


def not_above(ns, rng, size, n, factor=1):
    """Whether a ten-trial mean is at most ``factor`` times the reported one. Shape (size,)."""
    return ten_trial_means(ns, rng, size, n) <= ns.asarray(factor * PRINTED[n])


def not_below(ns, rng, size, n, factor=1):
    return ten_trial_means(ns, rng, size, n) >= ns.asarray(factor * PRINTED[n])


def above_twice(ns, rng, size, n):
    """Whether it is above twice the reported one."""
    return ~not_above(ns, rng, size, n, factor=2)


def below_half(ns, rng, size, n):
    return ~not_below(ns, rng, size, n, factor=Fraction(1, 2))


def one_above_twice(ns, rng, size, n):
    """The same of single prompts."""
    return condition_numbers(ns, rng, size, n, 4) > ns.asarray(2 * PRINTED[n])


def one_below_half(ns, rng, size, n):
    return condition_numbers(ns, rng, size, n, 4) < ns.asarray(PRINTED[n] / 2)


def of_x_not_below(ns, rng, size, n):
    each = ns.sqrt(condition_numbers(ns, rng, size * TRIALS, n, 4))
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1) >= ns.asarray(PRINTED[n])


def squares_not_above(ns, rng, size, n):
    each = condition_numbers(ns, rng, size * TRIALS, n, 4) ** 2
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1) <= ns.asarray(PRINTED[n])


# ---- the figure

FLOOR = 72
"""Where float64 ends: log 2^104."""

LOOPS, EVERY = 200, 4
"""Loops of the figure, as in the source, and how many lie between two points of a drawn curve."""


def convergence(ns, rng):
    """Figure 8.1 from ten prompts for each n, by the looped transformer, and its condition numbers.

    What the source plots: log of |theta_t - theta*|^2 over its start against t, step 1/L, theta_0 = 0; and the
    theory's -t/kappa. Curves and lines are means over the prompts,
    bands the least and the largest of them.
    """
    times = list(range(0, LOOPS + 1, EVERY))
    runs, theory, kappas = [], [], []
    for size in PRINTED:
        X, target = rng.normal((TRIALS, size, 4)), rng.normal((TRIALS, 4))
        kappa = condition_of(ns, X)
        logs = ns.log(errors(ns, X, target, LOOPS, EVERY))
        curve, low, high = ns.mean(logs, axis=1), ns.min(logs, axis=1), ns.max(logs, axis=1)
        runs.append(series(f"looped, n = {size}", times, curve, low=low, high=high))
        slope = Fraction(float(ns.mean(1 / kappa)))
        last = min(Fraction(LOOPS), FLOOR / slope)
        theory.append(series(f"-t/kappa, n = {size}", [0, last], [0, -last * slope], dashed=True))
        kappas.append(float(ns.mean(kappa)))
    reported = [float(value) for value in PRINTED.values()]
    return [
        panel("convergence", x="loops", y="log of the squared error", lines=runs + theory),
        panel(
            "condition numbers",
            x="n",
            y="mean kappa of ten prompts",
            log_x=True,
            marks=[
                series(f"our ten prompts: {listed(kappas)}", list(PRINTED), kappas),
                series(f"reported: {listed(reported)}", list(PRINTED), reported),
            ],
        ),
    ]


def listed(values):
    return ", ".join(f"{value:.2f}" for value in values)


# ---- the table

SELDOM = {
    "statistic": probability(),
    "block": 256,
    "relation": holds_with_probability(),
    "closed_form": sp.Rational(1, 100),
    "where": sp.Eq(n, 16),
    "grid": {"smoke": [{n: 16}]},
    "required": False,
}
"""What tells a mean of ten from a single prompt, where they differ most."""
TABLE = {"smoke": {n: [16, 128]}, "standard": {n: [16, 32, 64, 128]}}
table = claim(
    "looped-exp-convergence",
    title="Reported condition numbers",
    says=r"The reported ten-trial averages of $\kappa$ at $d = 4$ lie between the 0.5% and 99.5% points"
    " of their distribution; at $n = 16$ such an average is seldom twice or half of the reported one.",
    encodes="part",
    covers="kappa-averages",
    domain={n: choices(16, 32, 64, 128)},
    grid=TABLE,
    closed_form=sp.Rational(1, 200),
    relation=at_least(),
    legs=[
        leg(
            "not too large",
            not_above,
            statistic=probability(),
            block=256,
            draws="prompts",
            lhs=r"\Pr[\bar\kappa_n\le\text{reported}]",
        ),
        leg(
            "not too small",
            not_below,
            statistic=probability(),
            block=256,
            draws="prompts",
            lhs=r"\Pr[\bar\kappa_n\ge\text{reported}]",
        ),
        leg(
            "seldom twice as large",
            above_twice,
            lhs=r"\Pr[\bar\kappa_n>2\cdot\text{reported}]",
            **SELDOM,
        ),
        leg(
            "seldom half as large",
            below_half,
            lhs=r"\Pr[\bar\kappa_n<\text{reported}/2]",
            **SELDOM,
        ),
    ],
    rivals=[
        variant("single prompts, above", simulation=one_above_twice, leg="seldom twice as large"),
        variant("single prompts, below", simulation=one_below_half, leg="seldom half as large"),
        variant("condition numbers of X", simulation=of_x_not_below, leg="not too small"),
        variant("squares of condition numbers", simulation=squares_not_above, leg="not too large"),
    ],
    figures=[
        figure(
            "Figure 8.1",
            convergence,
            at={"smoke": {}},
            caption="d = 4, ten prompts for each n: their means, and in the bands all of them. "
            "The curves end on the floor of rounding, near log 2^-104 = -72; "
            "the theorem says nothing of it.",
        )
    ],
)
