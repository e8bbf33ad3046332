"""Proposition F.8 and section 7.2.2: r = 2s, universal against specific pre-training.

Setting. r = 2s, unit variances, an even mixture of T tasks, v_1 and v_2 the squared lengths of the label vector on S
and on P_t. Z, Z_1 ~ chi2_s independent.

Statements. (1) alpha = 1, beta = 1/T. (2) Z + Z_1/T is stochastically larger than alpha Z + beta Z_1, beta = (2 -
alpha)/T, for every alpha in [0, 1) and T >= 2 (not at T = 1, without the cap beta <= 1). Printed from equality in
law of Z and Z_1 alone; here: along the line P(alpha Z + beta Z_1 > x) has the derivative s times the mean of a
difference of densities at w, e^{-w/(2 alpha)}/(2 alpha) - e^{-w/(2 beta)}/(2 (2 - alpha)), not negative for beta <=
alpha, that is alpha >= 2/(T + 1). For smaller alpha exchange Z and Z_1: beta Z + alpha Z_1 lies below the line at
beta, where 2/(T + 1) <= beta <= 1. (3) The bound has sqrt((v_1 + T v_2) r (T + 1)/(2T)); for v_1 = v_2 that is (T +
1)/(2 sqrt(T)) times the bound sqrt(r (v_1 + v_2)) of specific pre-training. (4) The rate printed in the main text,
O(sqrt(T/m)), lacks a factor sqrt(r): no constant does for all r.

Reference: Proposition F.8 and section 7.2.2, lines 2051-2055 and 9822-9838.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from .mixture_weights import CHAIN, CHAIN_RIVALS

EXPONENTIAL = formula_leg("exponential loss", typed(
    "(1 + 2)*(1 + 2/T) >= (1 + 2*a)*(1 + 2*b)",
    over=["s in 1..oo", "T in 1..oo", "a in [0, 1]", "b in [0, Min(1, (2 - a)/T)]"]))  # fmt: skip

weights = claim(
    "contrastive-r2s-weights",
    states="contrastive-example-r2s",
    title="alpha = 1, beta = 1/T for r = 2s",
    says="The chain of the mixture's optimum; for exp(-t), with loss ((1 + 2 alpha)(1 + 2 beta))^(-s/2), all of it.",
    encodes="proxy",
    covers="weights",
    legs=[
        formula_leg(CHAIN[0].name, CHAIN[0].simulation, over="s T ell"),
        *CHAIN[1:],
        EXPONENTIAL,
    ],
    rivals=[
        *CHAIN_RIVALS,
        *rivals_of(EXPONENTIAL, {"equal weights": "(1 + 4/(T + 1))**2 >= (1 + 2*a)*(1 + 2*b)"}),
    ],
)


# ---- dominance

T = sp.Symbol("T", integer=True, positive=True)
alpha, x = sp.symbols("alpha x", nonnegative=True)


def tail(ns, alpha, beta, x):
    """P(alpha Z + beta Z_1 > x) for s = 2, two exponentials of means 2 alpha and 2 beta. Shape ()."""
    a, b = 2 * ns.asarray(alpha), 2 * ns.asarray(beta)
    return (a * ns.exp(-x / a) - b * ns.exp(-x / b)) / (a - b)


def tail_gap(ns, T, alpha, x):
    """The tail at (alpha, (2 - alpha)/T) less that at (1, 1/T), s = 2. Shape ()."""
    x = ns.asarray(x)
    return tail(ns, alpha, (2 - alpha) / Fraction(T), x) - tail(ns, 1, Fraction(1, T), x)


def tail_gap_reversed(ns, T, alpha, x):
    return -tail_gap(ns, T, alpha, x)


RISES = formula_leg("difference of densities", typed(
    "exp(-w/(2*alpha))/(2*alpha) >= exp(-w*T/(2*(2 - alpha)))/(2*(2 - alpha))",
    over=["T in 2..oo", "alpha in [2/(T + 1), 1]", "w in [0, oo)"]), over="s T alpha x")  # fmt: skip
EXCHANGED = formula_leg("exchanged, below the line", typed(
    "alpha <= (2 - (2 - alpha)/T)/T", over=["T in 2..oo", "alpha in [0, 2/(T + 1)]"]))  # fmt: skip
IN_RANGE = formula_leg("exchanged, in the range", typed(
    "2/(T + 1) <= (2 - alpha)/T <= 1", over=["T in 2..oo", "alpha in [0, 2/(T + 1)]"]))  # fmt: skip

dominance = claim(
    "contrastive-dominance",
    lhs=r"\Pr[\alpha Z+\beta Z_1>x]-\Pr[Z+Z_1/T>x]",
    states="contrastive-example-r2s",
    title="Stochastic dominance along the line",
    says="P(alpha Z + (2 - alpha)/T Z_1 > x) is at most P(Z + Z_1/T > x) for T >= 2.",
    encodes="proxy",
    covers="dominance",
    domain={T: integers(2), alpha: reals(0, 1, low_open=True, high_open=True), x: reals(0, low_open=True)},
    where=sp.Ne(alpha * (T + 1), 2),
    grid={
        "smoke": {T: [2, 5], alpha: [Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)], x: [Fraction(1, 100), 2, 12]},
        "standard": {T: [2, 3, 10], alpha: [Fraction(i, 8) for i in range(1, 8)], x: [Fraction(1, 10), 1, 4, 20]},
    },
    closed_form=sp.Integer(0),
    relation=at_most(),
    legs=[leg("two degrees of freedom", tail_gap), RISES, EXCHANGED, IN_RANGE],
    rivals=[
        variant("the other way round", simulation=tail_gap_reversed, leg="two degrees of freedom"),
        *rivals_of(RISES, {"from alpha = 0 on": {
            "over": ["T in 2..oo", "alpha in (0, 1]", "w in [0, oo)"]}}),
        *rivals_of(EXCHANGED, {"up to 1": {"over": ["T in 2..oo", "alpha in [0, 1]"]}}),
        *rivals_of(IN_RANGE, {"T = 1 as well": {"over": ["T in 1..oo", "alpha in [0, 2/(T + 1)]"]}}),
    ],
)  # fmt: skip


# ---- the bounds

risk_form = formula(
    "contrastive-r2s-risk-form",
    states="contrastive-example-r2s",
    title="The leading term of the bound at r = 2s",
    says="sqrt(v_1 + v_2*T)*sqrt(s + s/T) == sqrt(v_1 + T*v_2)*sqrt(2*s*(T + 1)/(2*T))",
    over=["s in 1..oo", "T in 1..oo", "v_1 in [0, oo)", "v_2 in [0, oo)"],
    encodes="proxy",
    covers="risk-form",
    left={
        "O": "0 does, see the bound on the complexity",
        "m": "in both sides alike",
        "delta": "in both sides alike",
        "u_star": "in v_1, v_2 only",
        "sample": "the risk itself is bounded below its trivial value for no m < r",
    },
    rivals={
        "r/2 for r": "sqrt(v_1 + v_2*T)*sqrt(s + s/T) == sqrt(v_1 + T*v_2)*sqrt(s*(T + 1)/(2*T))",
        "without T v_2": "sqrt(v_1 + v_2*T)*sqrt(s + s/T) == sqrt(v_1 + v_2)*sqrt(2*s*(T + 1)/(2*T))",
    },
)

ratio = formula(
    "contrastive-risk-ratio",
    states="contrastive-example-r2s",
    title="Universal against specific pre-training",
    says="sqrt(v + T*v)*sqrt(2*s*(T + 1)/(2*T))/(sqrt(2*s)*sqrt(v + v)) == (T + 1)/(2*sqrt(T))",
    over=["T in 1..oo", "s in 1..oo", "v in (0, oo)"],
    covers="ratio",
    reads={"r": "s", "u_star": "v"},
    rivals={
        "sqrt(T)": "sqrt(v + T*v)*sqrt(2*s*(T + 1)/(2*T))/(sqrt(2*s)*sqrt(v + v)) == sqrt(T)",
        "T/2": "sqrt(v + T*v)*sqrt(2*s*(T + 1)/(2*T))/(sqrt(2*s)*sqrt(v + v)) == T/2",
    },
)

# v_1 = v_2 = 1/2; the factor 1/sqrt(m) is in both sides.
LEADING = "sqrt((1 + T)/2)*sqrt(r*(T + 1)/(2*T))"

rate_printed = formula(
    "contrastive-rate-main-text",
    states="contrastive-example-r2s",
    title="The rate sqrt(T/m), with any constant",
    says=f"4*{LEADING} <= C*sqrt(T)",
    over=["C in (0, oo)", "T in 1..oo", "r in C**2..oo", "m in 1..oo"],
    expect="fail",
    covers="rate-main-text",
    reads={"O": "C"},
)

rate = formula(
    "contrastive-rate-corrected",
    states="contrastive-example-r2s",
    title="The rate sqrt(r T/m), with constant 4",
    says=f"4*{LEADING} <= 4*sqrt(r*T)",
    over=["T in 1..oo", "r in 1..oo", "m in 1..oo"],
    role="corrected",
    corrects="contrastive-rate-main-text",
    covers="rate-main-text",
    reads={"O": "r"},
    rivals={"constant 2": f"4*{LEADING} <= 2*sqrt(r*T)", "sqrt(r)": f"4*{LEADING} <= 4*sqrt(r)"},
)
