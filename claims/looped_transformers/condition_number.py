"""After Theorem 8.1, and section 8.6: condition numbers of Gaussian contexts, and the experiment's table.

Setting. X in R^{n x d} with independent standard normal entries, n = d / eps^2, kappa = cond(X^T X).

Statements. 1 <= kappa <= 1 + O(eps) with high probability; the edge formula ((1+eps)/(1-eps))^2 = 1 + 4 eps + .. gives
the constant. Explicitly (derived, Davidson and Szarek): kappa <= ((1 + 2 eps)/(1 - 2 eps))^2 with probability at
least 1 - 2 exp(-d/2). The experiment reports average kappa 4.57, 3.13, 2.07, 1.62 over ten draws at d = 4,
n = 16, 32, 64, 128, and that the gap between empirical and theoretical rate narrows as n grows. That depends
on the gap: per step, in the logarithm that is plotted, it widens; in iterations to a given accuracy it narrows.

Reference: section 8.1 and 8.6, Figure 8.1 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    holds_with_probability,
    integers,
    leg,
    probability,
    variant,
)

d, s, n = sp.symbols("d s n", integer=True, positive=True)


def condition_numbers(ns, rng, count, n, d):
    """kappa of ``count`` independent Gaussian contexts. Shape (count,)."""
    X = rng.normal((count, n, d))
    spectrum = ns.eigvalsh(ns.matmul(ns.matrix_transpose(X), X))
    return spectrum[:, -1] / spectrum[:, 0]


def beyond(ns, rng, size, d, s):
    """Whether kappa passes ((1 + 2 eps)/(1 - 2 eps))^2 at n = d s, eps = s^(-1/2). Booleans, shape (size,)."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, d * s, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_the_edge(ns, rng, size, d, s):
    reach = ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, d * s, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_second_order(ns, rng, size, d, s):
    return condition_numbers(ns, rng, size, d * s, d) > 1 + 16 * ns.rational(1, s)


def with_few_examples(ns, rng, size, d, s):
    """n = d + s instead of n = d s: no longer proportional to d."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, d + s, d) > ((1 + reach) / (1 - reach)) ** 2


kappa_gaussian = claim(
    "looped-kappa-gaussian",
    title="Condition number of Gaussian contexts",
    says="With n = d/eps^2 examples, kappa <= ((1 + 2 eps)/(1 - 2 eps))^2 = 1 + O(eps) with probability at least "
    "1 - 2 exp(-d/2): the printed order with an explicit constant.",
    encodes="special-case",
    domain={d: integers(1), s: integers(5)},
    grid={"smoke": {d: [4, 6], s: [16, 64]}, "standard": {d: [4, 8, 12], s: [16, 64, 256]}},
    closed_form=2 * sp.exp(-d / sp.Integer(2)),
    relation=holds_with_probability(),
    legs=[leg("sampled", beyond, statistic=probability(), block=512)],
    rivals=[
        variant("1 + 16 eps^2", simulation=beyond_second_order, at={d: [4], s: [64]}),
        variant("d + 1/eps^2 examples", simulation=with_few_examples, at={d: [12], s: [16]}),
        variant("the edge formula itself holds up to exp(-3d)", closed_form=sp.exp(-3 * d),
                simulation=beyond_the_edge, at={d: [4], s: [16]}),
    ],
)  # fmt: skip


# ---- the experiment

PRINTED = {
    16: Fraction(457, 100),
    32: Fraction(313, 100),
    64: Fraction(207, 100),
    128: Fraction(162, 100),
}
TRIALS = 10


def ten_trial_means(ns, rng, size, n):
    each = condition_numbers(ns, rng, size * TRIALS, n, 4)
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1)


def not_above(ns, rng, size, n):
    """Whether a ten-trial mean is at most the reported one. Shape (size,)."""
    return ten_trial_means(ns, rng, size, n) <= ns.asarray(PRINTED[n])


def not_below(ns, rng, size, n):
    return ten_trial_means(ns, rng, size, n) >= ns.asarray(PRINTED[n])


def not_above_of_x(ns, rng, size, n):
    each = ns.sqrt(condition_numbers(ns, rng, size * TRIALS, n, 4))
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1) >= ns.asarray(PRINTED[n])


TABLE = {"smoke": {n: [16, 128]}, "standard": {n: [16, 32, 64, 128]}}
table = claim(
    "looped-exp-convergence",
    title="Reported condition numbers",
    says="The reported ten-trial averages of kappa at d = 4 lie between the 0.5% and 99.5% points of their "
    "distribution.",
    encodes="part",
    domain={n: choices(16, 32, 64, 128)},
    grid=TABLE,
    closed_form=sp.Rational(1, 200),
    relation=at_least(),
    legs=[
        leg("not too large", not_above, statistic=probability(), block=256),
        leg("not too small", not_below, statistic=probability(), block=256),
    ],
    rivals=[variant("condition numbers of X", simulation=not_above_of_x, leg="not too large")],
)


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


def narrows(suffix, title, says, simulation, expect, role="reading"):
    return claim(
        f"looped-exp-convergence-{suffix}",
        states="looped-exp-convergence",
        title=title,
        says=says,
        role=role,
        encodes="part",
        expect=expect,
        domain={n: choices(16, 32, 64)},
        grid={"smoke": {n: [16, 32, 64]}},
        closed_form=sp.Integer(0),
        relation=at_most(),
        legs=[leg("at the reported averages", simulation, unit=1)],
        rivals=[variant("the other gap", simulation=vertical_change)] if expect == "pass" else [],
    )


vertical = narrows(
    "vertical",
    "The gap per step narrows with n",
    "From n to 2n the gap between empirical and theoretical decrease of the log error per step does not grow.",
    vertical_change,
    "fail",
)
horizontal = narrows(
    "horizontal",
    "The gap in iterations narrows with n",
    "From n to 2n the gap between theoretical and empirical iterations to a given accuracy does not grow.",
    horizontal_change,
    "pass",
)
