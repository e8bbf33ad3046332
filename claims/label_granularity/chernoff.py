r"""Equation (25): Chernoff's bounds with relative deviations.

Setting. S is a sum of m independent variables in {0, 1} of mean p, and 0 < delta < 1.

Statements. P[S >= (1 + delta) m p] <= e^(-delta^2 m p/3) and P[S <= (1 - delta) m p] <= e^(-delta^2 m p/2).

Proof. P[S >= a] <= E e^(s (S - a)) for s >= 0, P[S <= a] likewise for s <= 0, and E e^(s x) = 1 - p + p e^s is at most
e^(p (e^s - 1)). At s = log(1 + delta) and s = log(1 - delta) the exponents are m p times delta - (1 + delta) log(1 +
delta) and -delta - (1 - delta) log(1 - delta).

Reference: lines 772-779.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

ONE = formula_leg(
    "one variable",
    typed("1 - p + p*exp(s) <= exp(p*(exp(s) - 1))", over=["p in [0, 1]", "s in (-oo, oo)"]),
    over="m delta",
)
TWICE = {"twice the exponent": "1 - p + p*exp(s) <= exp(p*(exp(s) - 1)/2)"}
UP = formula_leg(
    "upper exponent",
    typed("delta - (1 + delta)*log(1 + delta) <= -delta**2/3", over="delta in (0, 1)"),
    over="m p",
)
DOWN = formula_leg(
    "lower exponent",
    typed("-delta - (1 - delta)*log(1 - delta) <= -delta**2/2", over="delta in (0, 1)"),
    over="m p",
)

upper = claim(
    "granularity-chernoff-upper",
    states="granularity-chernoff",
    title="Upper tail of a sum of coins",
    says=r"$\Pr[S\ge(1+\delta)mp]\le e^{-\delta^2mp/3}$ for $0<\delta<1$.",
    covers="upper-tail",
    legs=[ONE, UP],
    rivals=[
        *rivals_of(ONE, TWICE),
        *rivals_of(UP, {
            "2 for 3": "delta - (1 + delta)*log(1 + delta) <= -delta**2/2",
            "deviations of any size": {"over": "delta in (0, oo)"},
        }),
    ],
)  # fmt: skip

lower = claim(
    "granularity-chernoff-lower",
    states="granularity-chernoff",
    title="Lower tail of a sum of coins",
    says=r"$\Pr[S\le(1-\delta)mp]\le e^{-\delta^2mp/2}$ for $0<\delta<1$.",
    covers="lower-tail",
    legs=[ONE, DOWN],
    rivals=[
        *rivals_of(ONE, TWICE),
        *rivals_of(DOWN, {"11/20 for 1/2": "-delta - (1 - delta)*log(1 - delta) <= -11*delta**2/20"}),
    ],
)  # fmt: skip
