"""Lemma D.5: the largest of n Gaussians in absolute value.

Setting. x_1..x_n independent N(0, sigma^2); the threshold is 2 sigma sqrt(log n), natural logarithm.

Statements. (1) P[max |x_i| >= 2 sigma sqrt(log n)] is 1 - (1 - q)^n with q = P[|x_1| >= ...] = erfc(sqrt(2 log n)), by
independence. (2) It is at most 2/n: at most n q by Bernoulli's inequality (or the union bound, without
independence), and n erfc(sqrt(2 log n)) <= n e^(-2 log n) = 1/n.

Reference: Lemma D.5, lines 1097-1099. With sqrt(2 log n) for the threshold the bound fails from n = 7 on.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

n = sp.symbols("n", integer=True, positive=True)
sigma = sp.symbols("sigma", positive=True)


def exceeds(ns, rng, size, n, sigma):
    """Whether the largest of n draws reaches the threshold. Shape (size,)."""
    x = ns.asarray(sigma) * rng.normal((size, n))
    level = 2 * ns.asarray(sigma) * ns.sqrt(ns.log(ns.asarray(n)))
    return ns.max(abs(x), axis=1) >= level


EXACT = 1 - (1 - sp.erfc(sp.sqrt(2 * sp.log(n)))) ** n

value = claim(
    "contamination-max-gaussian-value",
    lhs=r"\Pr\Big[\max_{i\le n}|x_i|\ge2\sigma\sqrt{\log n}\Big]",
    tex=r"1-\big(2\Phi(2\sqrt{\log n})-1\big)^n",
    states="contamination-max-gaussian",
    title="Exact probability that the largest reaches the threshold",
    says=r"For every $n$ and $\sigma$ the probability is $1 - (2\Phi(2\sqrt{\log n}) - 1)^n$.",
    covers="exact-value",
    domain={n: integers(1), sigma: reals(0, low_open=True)},
    grid={"smoke": {n: [2, 3], sigma: [1]}, "standard": {n: [2, 3, 5], sigma: [1, 3]}},
    closed_form=EXACT,
    relation=equals(),
    legs=[
        leg(
            "draws",
            exceeds,
            statistic=probability(),
            where=n <= 12,
            budget={"standard": 20_000_000},
        )
    ],
    rivals=[
        variant("threshold sqrt(2 log n)", closed_form=1 - sp.erf(sp.sqrt(sp.log(n))) ** n),
        variant("one variable", closed_form=1 - sp.erf(sp.sqrt(2 * sp.log(n)))),
        variant("one-sided", closed_form=1 - ((1 + sp.erf(sp.sqrt(2 * sp.log(n)))) / 2) ** n),
    ],
)

WHOLE = formula_leg(
    "at most 2/n",
    typed(
        f"{EXACT} <= 2/n",
        over="n in 1..oo",
        let={"t": "sqrt(2*log(n))"},
        steps=["1 - (1 - erfc(t))**n <= n*erfc(t)", "erfc(t) <= exp(-t**2)"],
    ),
    over="sigma",
)

BARE: dict[str, dict[str, str] | list[str]] = {"let": {}, "steps": []}

bound = claim(
    "contamination-max-gaussian",
    title=r"The largest of $n$ Gaussians stays below $2\sigma\sqrt{\log n}$",
    says=r"For every $n$ and $\sigma$, $P[\max_i |x_i| \ge 2\sigma\sqrt{\log n}] \le 2/n$: the exact "
    "probability, which draws have, is at most that.",
    covers="max-tail",
    domain={n: integers(1), sigma: reals(0, low_open=True)},
    grid={"smoke": {n: [2], sigma: [1]}, "standard": {n: [2, 4], sigma: [1, 3]}},
    legs=[
        WHOLE,
        leg(
            "draws",
            exceeds,
            statistic=probability(),
            closed_form=EXACT,
            where=n <= 12,
            budget={"standard": 20_000_000},
            required=False,
            lhs=r"\Pr\Big[\max_{i\le n}|x_i|\ge2\sigma\sqrt{\log n}\Big]",
            tex=r"1-\big(2\Phi(2\sqrt{\log n})-1\big)^n",
        ),
    ],
    rivals=[
        *rivals_of(
            WHOLE,
            {
                "threshold sqrt(2 log n)": {"says": f"{EXACT.subs(sp.sqrt(2), 1)} <= 2/n", **BARE},
                "2/n^2": {"says": f"{EXACT} <= 2/n**2", **BARE},
            },
        ),
        variant("one variable", leg="draws", closed_form=1 - sp.erf(sp.sqrt(2 * sp.log(n)))),
    ],
)
