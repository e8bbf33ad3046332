"""Folklore of the chapter: classification error below hinge loss, and what a statistical query costs.

Statements. 1[y g <= 0] <= max(0, 1 - y g) for every score, so for every law. log(2/delta)/(2 tau^2) samples answer a
query of any mean q within tau with probability 1 - delta (Hoeffding): by Markov's inequality and log E e^(s x) <= p s
+ s^2/8 for one coin, each side fails with probability at most e^(-n s tau + n s^2/8), at s = 4 tau with e^(-2 n
tau^2). A whole number of (log(2/delta)/2 + 1)/tau^2 samples or fewer is enough.

Reference: display A.278 and the model of Theorem 2.4 (dissertation, chapter 2, appendix A).
"""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

hinge_dominates = formula(
    "structured-hinge-dominates",
    title="Classification error below hinge loss",
    says="Piecewise((1, z <= 0), (0, True)) <= Max(0, 1 - z)",
    over="z in R",
    states=[
        "structured-hinge-dominates",
        "structured-provable-guarantee",
        "structured-general-guarantee",
    ],
    covers=[
        "structured-hinge-dominates/pointwise",
        "structured-provable-guarantee/error-below-hinge",
        "structured-general-guarantee/error-below-hinge",
    ],
    reads={"g": "z", "law": "z"},
    rivals={
        "half the hinge": "Piecewise((1, z <= 0), (0, True)) <= Max(0, 1 - z)/2",
        "hinge at margin 1/2": "Piecewise((1, z <= 0), (0, True)) <= Max(0, 1/2 - z)",
    },
)

tau, delta, q = sp.symbols("tau delta q", positive=True)


def failure(tau, delta, q, shrink=1):
    """Probability that n = ceil(log(2/delta)/(2 tau^2)) samples miss a query of mean q by more than tau: an exact
    binomial sum. Shape ()."""
    n = math.ceil(math.log(2 / float(delta)) / (2 * float(tau) ** 2) / shrink)
    q = Fraction(q)
    return sum(
        math.comb(n, j) * q**j * (1 - q) ** (n - j)
        for j in range(n + 1)
        if abs(Fraction(j, n) - q) > Fraction(tau)
    )


def too_few(tau, delta, q):
    return failure(tau, delta, q, shrink=16)


MEANS = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)]
query_simulation = claim(
    "structured-sq-query-simulation",
    lhs=r"\Pr[\text{error}>\tau]",
    title=r"A query costs $O(1/\tau^2)$ samples",
    says=r"$\log(2/\delta)/(2 \tau^2)$ samples answer a statistical query within $\tau$ with "
    r"probability $1 - \delta$.",
    covers="hoeffding",
    reads={"p": "q"},
    domain={
        tau: reals(0, 1, low_open=True, high_open=True),
        delta: reals(0, 1, low_open=True, high_open=True),
        q: reals(0, 1),
    },
    grid={
        "smoke": {tau: [Fraction(1, 5), Fraction(1, 10)], delta: [Fraction(1, 20)], q: MEANS},
        "standard": {
            tau: [Fraction(1, 5), Fraction(1, 10)],
            delta: [Fraction(1, 20), Fraction(1, 100)],
            q: MEANS,
        },
    },
    closed_form=delta,
    relation=at_most(),
    legs=[leg("exact binomial tails", failure, inside="samples")],
    rivals=[
        variant("a sixteenth of the samples", simulation=too_few),
        variant("delta/20", closed_form=delta / 20),
    ],
)


def confidence(tau, delta, q):
    return delta


def a_query(rng):
    return {
        "tau": Fraction(1, int(rng.integers(5, 12))),
        "delta": Fraction(1, int(rng.integers(10, 40))),
        "q": Fraction(int(rng.integers(5, 15)), 20),
    }


COIN = formula_leg(
    "one sample",
    typed("log(1 - p + p*exp(s)) <= p*s + s**2/8", over=["p in [0, 1]", "s in R"]),
    over="tau delta samples",
    covers="hoeffding",
)
BEST = formula_leg(
    "best exponent",
    typed("n*(-4*t*t + (4*t)**2/8) == -2*n*t**2", over=["n in 1..oo", "t in (0, 1)"]),
    over="p delta samples",
    covers="hoeffding",
)
ENOUGH = formula_leg(
    "both sides",
    typed(
        "2*exp(-2*n*tau**2) <= delta",
        over=["tau in (0, 1)", "delta in (0, 1)", "n in [log(2/delta)/(2*tau**2), oo)"],
    ),
    over="p samples",
    covers="hoeffding",
)
WHOLE = formula_leg(
    "a whole number of samples",
    typed(
        "log(2/delta)/(2*tau**2) + 1 <= (log(2/delta)/2 + 1)/tau**2",
        over=["tau in (0, 1)", "delta in (0, 1)"],
    ),
    gives="C",
    covers="order",
)

hoeffding = claim(
    "structured-sq-query-proof",
    lhs=r"\Pr[|\hat q-q|>\tau]",
    tex=r"\delta",
    states="structured-sq-query-simulation",
    title="A query costs that many samples, for every mean, tolerance and confidence",
    says=r"$\ln(2/\delta)/(2\tau^2)$ samples or more answer any query within $\tau$ with probability at least "
    r"$1-\delta$; a whole "
    r"number of at most $(\frac12\ln\frac2\delta+1)/\tau^2$ is enough.",
    covers="hoeffding order",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg(
            "binomial tails",
            failure,
            reference=confidence,
            relation=at_most(),
            required=False,
            covers="hoeffding",
            instances=instances(a_query, "tau delta q", smoke=4, standard=8),
        ),
        COIN,
        BEST,
        ENOUGH,
        WHOLE,
    ],
    rivals=[
        variant("a sixteenth of the samples", simulation=too_few, leg="binomial tails"),
        *rivals_of(COIN, {"s^2/9": "log(1 - p + p*exp(s)) <= p*s + s**2/9"}),
        *rivals_of(BEST, {"-4 n tau^2": "n*(-4*t*t + (4*t)**2/8) == -4*n*t**2"}),
        *rivals_of(
            ENOUGH,
            {
                "log(1/delta)": {
                    "over": [
                        "tau in (0, 1)",
                        "delta in (0, 1)",
                        "n in [log(1/delta)/(2*tau**2), oo)",
                    ]
                }
            },
        ),
        *rivals_of(WHOLE, {"1/tau": "log(2/delta)/(2*tau**2) + 1 <= (log(2/delta)/2 + 1)/tau"}),
    ],
)
