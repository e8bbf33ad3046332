"""Lemma 6.1 run: the weight-decay optimum in balls, for every r, d, gamma and lambda that is asked for.

Setting. w* minimises L(w) + (lambda/2)|w|^2; its two values alpha, beta are enclosed (`_population`), without any of
the bounds of the proof.

Statements. (1) w* is the only minimiser: every other w is worse by at least lambda |w - w*|^2/2, since ell is convex;
here for vectors w with d different entries, by their exact risk. (2) 0 < beta < alpha. (3) (E.31), lambda alpha <=
1/(2(1 + exp(alpha (r - 1)/4))) + exp(-(r - 1)/8)/4 + exp(-(d - r) gamma^2/2)/2; its steps (`weight_decay`) are
proved.

Reference: Lemma 6.1, E.5 and E.6, lines 9116-9206.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import at_least, at_most, claim, equals, instances, integers, leg, reals, variant

from ._population import BITS, number, optimum, risk
from .weight_decay import E31, E31_RIVALS, LARGE, THREE

r, d = sp.symbols("r d", integer=True, positive=True)
gamma, lam, alpha = sp.symbols("gamma lam alpha", positive=True)

CELLS = {
    "domain": {
        r: integers(1),
        d: integers(2),
        lam: reals(Fraction(1, 10**4)),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.Lt(r, d),
    "grid": {
        "smoke": [
            {r: 1, d: 2, gamma: Fraction(1, 5), lam: 1},
            {r: 3, d: 7, gamma: Fraction(9, 20), lam: Fraction(1, 100)},
            {r: 9, d: 30, gamma: Fraction(1, 10), lam: Fraction(1, 1000)},
        ],
        "standard": [
            {r: a, d: a + n, gamma: Fraction(g, 100), lam: lam_}
            for a, n in ((1, 1), (2, 8), (12, 40))
            for g in (3, 25, 49)
            for lam_ in (Fraction(1, 1000), Fraction(1, 10), 10)
        ],
    },
}


def beta_over_alpha(r, d, gamma, lam):
    """Shape ()."""
    a, b = optimum(r, d - r, gamma, lam)
    return b / a


def gap_by_the_bias(r, d, gamma, lam):
    """(1 - beta/alpha)/(1/2 - gamma); no number at gamma = 1/2, where beta is alpha. Shape ()."""
    return (1 - beta_over_alpha(r, d, gamma, lam)) * number(1 / (Fraction(1, 2) - Fraction(gamma)))


def gap_the_other_way_round(r, d, gamma, lam):
    return -gap_by_the_bias(r, d, gamma, lam)


def environment_first(r, d, gamma, lam):
    return 1 / beta_over_alpha(r, d, gamma, lam)


# a small lambda: there the environment has next to no weight
NEAR_0 = {r: 1, d: 2, gamma: Fraction(1, 5), lam: Fraction(1, 10**4)}

order = claim(
    "nuclear-optimum-order",
    lhs=r"\beta/\alpha",
    tex=r"1",
    states="nuclear-erm-l2-optimum",
    title=r"$0 < \beta < \alpha$ at the optimum",
    says=r"$\beta/\alpha$ lies strictly between 0 and 1.",
    covers="order-alpha-beta",
    reads={"lambda": "lam"},
    relation=at_most(strict=True),
    closed_form=sp.Integer(1),
    legs=[
        leg("below alpha", beta_over_alpha),
        leg(
            "positive",
            beta_over_alpha,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"\beta/\alpha",
            tex="0",
        ),
        leg(
            "by the bias",
            gap_by_the_bias,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"(1-\beta/\alpha)/(\frac12-\gamma)",
            tex="0",
        ),
    ],
    rivals=[
        variant("beta above alpha", simulation=environment_first, leg="below alpha"),
        variant(
            "beta above alpha by the bias", simulation=gap_the_other_way_round, leg="by the bias"
        ),
        variant("beta above alpha/2", closed_form=sp.Rational(1, 2), leg="positive"),
        variant("beta above gamma alpha", closed_form=gamma, leg="positive"),
        variant(
            "beta at most the small-weights limit, 2 gamma alpha",
            closed_form=3 * gamma / 2,
            leg="below alpha",
        ),
    ],
    **{**CELLS, "grid": {k: [*cells, NEAR_0] for k, cells in CELLS["grid"].items()}},
)


def penalty(r, d, gamma, lam):
    """lambda alpha, and alpha. Shapes ()."""
    a, _ = optimum(r, d - r, gamma, lam)
    return {"value": number(lam) * a, "alpha": a}


# large lambda: lambda alpha is near 1/4, and so is the first term; the others are nearly nothing
NEARLY_EQUAL = {r: 40, d: 300, gamma: Fraction(49, 100), lam: 1000}

three_terms = claim(
    "nuclear-optimum-e31",
    lhs=r"\lambda\alpha",
    tex=r"\frac1{2(1+e^{\alpha(r-1)/4})}+\frac14e^{-(r-1)/8}+\frac12e^{-(d-r)\gamma^2/2}",
    states="nuclear-lambda-threshold",
    title="(E.31) at the optimum",
    says=r"$\lambda\alpha$ is at most the three terms of (E.31).",
    covers="e31",
    reads={"lambda": "lam"},
    relation=at_most(),
    closed_form=THREE,
    legs=[leg("optimum", penalty, observed=("alpha",), required=False), *E31],
    rivals=[
        variant("a fifth of it", closed_form=THREE / 5, leg="optimum"),
        variant("nine tenths of the first term", closed_form=THREE - LARGE / 10, leg="optimum"),
        *E31_RIVALS,
    ],
    **{**CELLS, "grid": {name: [*rows, NEARLY_EQUAL] for name, rows in CELLS["grid"].items()}},
)


def some_weights(rng, r, d, gamma, lam):
    """Weights of either sign, no two alike."""
    drawn = [Fraction(int(rng.integers(-7, 8)), 5) + Fraction(j, 5 * d) for j in range(d)]
    return {"w": drawn}


def growth(w, r, d, gamma, lam):
    """How much worse w is than w*, by its exact risk, over lambda |w - w*|^2/2. Shape ()."""
    a, b = optimum(r, d - r, gamma, lam)
    with ctx.workprec(BITS):
        best = [a] * r + [b] * (d - r)
        weight, bias = number(lam), number(gamma)

        def value(v):
            squares = sum((number(x) ** 2 for x in v), arb(0))
            return risk(v, r, bias) + weight * squares / 2

        apart = sum(((number(x) - y) ** 2 for x, y in zip(w, best, strict=True)), arb(0))
        return (value(w) - value(best)) / (weight * apart / 2)


def entries(w, r, d, gamma, lam):
    """How many different entries w has. Shape ()."""
    return len(set(w))


def entries_of_two_values(w, r, d, gamma, lam):
    return entries([w[0]] * r + [w[r]] * (d - r), r, d, gamma, lam)


unique = claim(
    "nuclear-optimum-unique",
    lhs=r"\frac{L^\lambda(w)-L^\lambda(w^*)}{\frac\lambda2\|w-w^*\|^2}",
    tex=r"1",
    states="nuclear-erm-l2-optimum",
    title="Every other weight vector is worse",
    says=r"The regularised risk of $w$ exceeds that of $w^*$ ($\alpha$ on $R$, $\beta$ on $U$) by "
    r"at least $\lambda|w - w^*|^2/2$.",
    covers="unique-two-values",
    reads={"lambda": "lam"},
    relation=at_least(),
    domain={**CELLS["domain"], d: integers(2)},
    where=sp.Lt(r, d),
    grid={
        "smoke": [
            {r: 1, d: 2, gamma: Fraction(1, 5), lam: 1},
            {r: 2, d: 5, gamma: Fraction(9, 20), lam: Fraction(1, 10)},
            {r: 1, d: 2, gamma: Fraction(1, 5), lam: 1000},  # where the penalty is nearly all
        ],
        "standard": [
            {r: a, d: a + n, gamma: Fraction(g, 20), lam: lam_}
            for a, n in ((1, 1), (2, 4))
            for g in (1, 9)
            for lam_ in (Fraction(1, 100), 5)
        ],
    },
    closed_form=sp.Integer(1),
    legs=[
        leg(
            "drawn w",
            growth,
            instances=instances(some_weights, "w", smoke=2, standard=4),
            gives="w_star",
        ),
        leg(
            "not of two values alone",
            entries,
            relation=equals(),
            closed_form=d,
            required=False,
            instances=instances(some_weights, "w", smoke=2, standard=4),
            lhs=r"|\{w_1,\dots,w_d\}|",
            tex="d",
        ),
    ],
    rivals=[
        variant("by twice as much", closed_form=sp.Integer(2), leg="drawn w"),
        variant("two values", simulation=entries_of_two_values, leg="not of two values alone"),
    ],
)
