r"""Equation (25): Chernoff's bounds with relative deviations.

Setting. S is a sum of m independent variables in {0, 1} of mean p, and 0 < delta < 1.

Statements. P[S >= (1 + delta) m p] <= e^(-delta^2 m p/3) and P[S <= (1 - delta) m p] <= e^(-delta^2 m p/2).

Proof. For u = S - a and s >= 0 the event u >= 0 has e^(s u) >= 1, so P[S >= a] <= E e^(s u); the event u <= 0 has it
for s <= 0. E e^(s S) is the power m of 1 - p + p e^s, that of one variable. At s = log(1 + delta), a = (1 + delta) m
p and at s = log(1 - delta), a = (1 - delta) m p the logarithm of E e^(s u) is at most that of the bound.

Reference: lines 772-779.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

SIZES = ["m in 1..oo", "p in [0, 1]", "delta in (0, 1)"]

ABOVE = formula_leg("above", typed("1 <= exp(s*u)", over=["s in [0, oo)", "u in [0, oo)"]))
BELOW = formula_leg("below", typed("1 <= exp(s*u)", over=["s in (-oo, 0]", "u in (-oo, 0]"]))
EITHER_SIDE = {"on either side": {"over": ["s in [0, oo)", "u in (-oo, oo)"]}}

UP = formula_leg(
    "upper exponent",
    typed(
        "m*log(1 - p + p*exp(log(1 + delta))) - m*p*(1 + delta)*log(1 + delta) <= -delta**2*m*p/3",
        over=SIZES,
    ),
)
DOWN = formula_leg(
    "lower exponent",
    typed(
        "m*log(1 - p + p*exp(log(1 - delta))) - m*p*(1 - delta)*log(1 - delta) <= -delta**2*m*p/2",
        over=SIZES,
        steps=[
            "log(1 - p*delta) <= -p*delta",
            "-delta - (1 - delta)*log(1 - delta) <= -delta**2/2",
        ],
    ),
)

upper = claim(
    "granularity-chernoff-upper",
    states="granularity-chernoff",
    title="Upper tail of a sum of coins",
    says=r"$\Pr[S\ge(1+\delta)mp]\le e^{-\delta^2mp/3}$ for $0<\delta<1$.",
    covers="upper-tail",
    legs=[ABOVE, UP],
    rivals=[
        *rivals_of(ABOVE, EITHER_SIDE),
        *rivals_of(
            UP,
            {
                "5/2 for 3": "m*log(1 - p + p*exp(log(1 + delta))) - m*p*(1 + delta)*log(1 + delta)"
                " <= -2*delta**2*m*p/5",
                "deviations of any size": {
                    "over": ["m in 1..oo", "p in [0, 1]", "delta in (0, oo)"]
                },
            },
        ),
    ],
)

lower = claim(
    "granularity-chernoff-lower",
    states="granularity-chernoff",
    title="Lower tail of a sum of coins",
    says=r"$\Pr[S\le(1-\delta)mp]\le e^{-\delta^2mp/2}$ for $0<\delta<1$.",
    covers="lower-tail",
    legs=[BELOW, DOWN],
    rivals=[
        *rivals_of(BELOW, EITHER_SIDE),
        *rivals_of(
            DOWN,
            {
                "11/20 for 1/2": {
                    "says": "m*log(1 - p + p*exp(log(1 - delta))) - m*p*(1 - delta)*log(1 - delta)"
                    " <= -11*delta**2*m*p/20",
                    "steps": [],
                },
            },
        ),
    ],
)
