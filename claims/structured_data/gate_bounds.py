r"""Lemmas A.14, A.34 and A.40: when a gate is open with a probability bounded below.

Setting. beta = Phi((1 - b)/s) - Phi(-b/s), the probability that b + xi is in (0, 1), xi ~ N(0, s^2); |b| <= sqrt(2
L)/k^2, L = log(m/delta).

Statements. (1) s = k^(-3/2) and L <= sqrt(k): v = b k^(3/2) has |v| <= sqrt 2, and beta = Phi(k^(3/2) - v) - Phi(-v)
>= 7/100. (2) With s of any order up to 1/k, as the first step of the general setting prints, no constant bounds beta
below: at b < 0, beta <= Q(|b|/s) falls below every c > 0 as s falls.

Reference: Lemma A.14, lines 3358-3367; Lemma A.34, lines 4510-4525; Lemma A.40, lines 4942-4950.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import at_least, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number


def open_gate(width, share, side, power=3):
    """P[b + xi in (0, 1)] by integration of the density of xi ~ N(0, k^-3), |b| = sqrt(2 L)/k^2, L = ``share``
    sqrt(k). Shape ()."""
    with ctx.workprec(BITS):
        s = 1 / number(width).sqrt() ** power
        b = side * (2 * number(share) * number(width).sqrt()).sqrt() / width**2

        def density(x, _analytic):
            return (-(((x - b) / s) ** 2) / 2).exp() / (s * (2 * arb.pi()).sqrt())

        return acb.integral(density, arb(0).max(b - 30 * s), arb(1).min(b + 30 * s)).real


def with_less_noise(width, share, side):
    return open_gate(width, share, side, power=6)


def a_bias(rng):
    return {
        "width": int(rng.integers(3, 60)),
        "share": Fraction(1),
        "side": -1 if int(rng.integers(0, 3)) else 1,
    }


BIAS = formula_leg(
    "biases",
    typed("sqrt(2*L)/k**2*k**(3/2) <= sqrt(2)", over=["k in 1..oo", "L in [0, sqrt(k)]"]),
    over="b k m delta",
)
OPEN = formula_leg(
    "open",
    typed("Phi(K - v) - Phi(-v) >= 7/100", over=["v in [-sqrt(2), sqrt(2)]", "K in [1, oo)"]),
    over="b k m delta",
    gives="c",
)

second = claim(
    "structured-second-step-gate",
    states=["structured-second-step-improvement", "structured-general-second-step"],
    title="Gates of the second step are open with constant probability",
    says=r"For $\sigma_\xi=k^{-3/2}$ and $\ln(m/\delta)\le\sqrt k$ every typical bias has $\beta\ge\frac7{100}$.",
    covers=[
        "structured-second-step-improvement/beta-range",
        "structured-general-second-step/beta-range",
    ],
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            open_gate,
            relation=at_least(),
            closed_form=sp.Rational(7, 100),
            lhs=r"\Pr[b+\xi\in(0,1)]",
            tex=r"\tfrac7{100}",
            required=False,
            instances=instances(a_bias, "width share side", smoke=4, standard=8),
        ),
        BIAS,
        OPEN,
    ],
    rivals=[
        variant("noise of k^-3", simulation=with_less_noise, leg="integrated"),
        *rivals_of(BIAS, {"k^2 for k^(3/2)": "sqrt(2*L)/k**2*k**2 <= sqrt(2)"}),
        *rivals_of(
            OPEN,
            {
                "1/10": "Phi(K - v) - Phi(-v) >= 1/10",
                "any bias": {"over": ["v in [-3, 3]", "K in [1, oo)"]},
            },
        ),
    ],
)

# t = |b|/s
NARROW = ["c in (0, 1)", "t in [sqrt(2*log(2/c)), oo)"]
printed = claim(
    "structured-general-gate-printed",
    states="structured-general-first-step",
    title="Gates of the first step are open with constant probability, as printed",
    says=r"Some $c>0$ has $\beta\ge c$ for all typical biases and all $\sigma_\xi$ of order up to $1/k$; at $b<0$, "
    r"$t=|b|/\sigma_\xi\ge\sqrt{2\ln(2/c)}$ it is smaller, whatever $c$.",
    expect="fail",
    covers="beta-range",
    legs=[formula_leg("closed", typed("Q(t) >= c", over=NARROW), over="c w b sig_xi1")],
)

TAIL = formula_leg(
    "tail", typed("Q(t) <= exp(-t**2/2)/2", over="t in [0, oo)"), over="c w b sig_xi1"
)
BELOW = formula_leg("below c", typed("exp(-t**2/2)/2 < c", over=NARROW), over="w b sig_xi1")
closed = claim(
    "structured-general-gate-closed",
    states="structured-general-first-step",
    title="No constant bounds the gates of the first step below",
    says=r"For every $c\in(0,1)$ and $b<0$, $\beta<c$ from $|b|/\sigma_\xi\ge\sqrt{2\ln(2/c)}$ on.",
    role="derived",
    corrects="structured-general-gate-printed",
    encodes="part",
    legs=[
        formula_leg("tail", TAIL.simulation),
        formula_leg("below c", BELOW.simulation),
    ],
    rivals=[
        *rivals_of(TAIL, {"a third": "Q(t) <= exp(-t**2/2)/3"}),
        *rivals_of(BELOW, {"from 0 on": {"over": ["c in (0, 1)", "t in [0, oo)"]}}),
    ],
)
