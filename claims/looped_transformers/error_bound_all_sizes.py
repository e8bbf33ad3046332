"""Theorem 8.16 for all sizes: with the step 1/L the prediction error falls with the loops, and how fast.

Setting. As in `_eigenbasis`, X of full column rank, m and L the extreme eigenvalues of X^T X, kappa = L/m, step 1/L, a
unit theta* = V c. The factors of a loop are q_i = 1 - l_i/L.

Statements. (1) q_i lies in [0, 1 - 1/kappa], and the error is -alpha sum_i c_i^2 q_i^T. So its size never grows with T.
(2) It is at most |alpha| (1 - 1/kappa)^T, which the lowest eigenvector attains, and (3) so at most |alpha| exp(-T/(2
kappa)).

The model itself is run at sizes, and held to -alpha sum_i c_i^2 q_i^T.

Reference: Theorem 8.16 (arXiv 2410.11268); (1) and (2) are ours. At sizes: `error_along_loops`, `error_bound`.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import at_most, claim, formula_leg, integers, rivals_of, typed, variant

from . import error_along_loops as sizes
from ._eigenbasis import (
    FACTORS,
    NETWORK_RIVALS,
    POWER,
    T,
    at_sizes,
    c,
    d,
    largest_is_inverse,
    network,
    q,
    sum_of_powers,
)
from .error_exact import alpha

# ---- what it is

# kappa = L/m, so that eigenvalues lie in [L/kappa, L]
INVERSE_STEP = formula_leg(
    "the step 1/L",
    typed(
        "0 <= 1 - lam/L and 1 - lam/L <= 1 - 1/kappa",
        over=["kappa in [1, oo)", "L in (0, oo)", "lam in [L/kappa, L]"],
    ),
    lhs=r"1-\lambda_i/L",
    tex=r"\Big[0,1-\frac1\kappa\Big]",
)


def signed(exponent=T, power=2):
    """-alpha sum_i c_i^2 q_i^T."""
    return -alpha * sum_of_powers(exponent, power)


COORDINATES = ["d in 1..oo", "T in 0..oo", "c[i] in R for i in 1..d"]
ERROR = "alpha*Sum(c[i]*(c[i] - q[i]^T*c[i]), (i, 1, d)) - alpha"
SIGNED = formula_leg(
    "sum over the basis",
    typed(
        f"{ERROR} == {signed()}",
        over=[*COORDINATES, "alpha in R", "q[i] in [0, 1] for i in 1..d"],
        where="Sum(c[i]^2, (i, 1, d)) == 1",
    ),
    lhs=r"\alpha\sum_ic_i(c_i-q_i^Tc_i)-\alpha",
    tex=r"-\alpha\sum_ic_i^2q_i^T",
)
MODEL = {
    "domain": {**FACTORS, T: integers(1)},
    "where": largest_is_inverse,
    "grid": {
        "smoke": [
            {d: 2, q: (Fraction(3, 4), 0), c: sizes.UNIT[2], T: 3},
            {d: 2, q: (Fraction(9999, 10000), 0), c: (1, 0), T: 3},
            {d: 3, q: (Fraction(4, 5), Fraction(3, 5), 0), c: sizes.UNIT[3], T: 6},
        ]
    },
    "relation": at_most(),
}
AT_SIZES = at_sizes(
    sizes.error,
    signed(),
    lhs=r"\hat\alpha_T-\alpha",
    tex=r"-\alpha\sum_{i=1}^{d}c_i^2q_i^T,\quad q_i=1-\lambda_i/L",
)


def one_loop_less(ns, X, y, theta_star, q0, alpha, eta, T):
    return sizes.error(ns, X, y, theta_star, q0, alpha, eta, T - 1)


MODEL_RIVALS = [
    *NETWORK_RIVALS,
    *rivals_of(INVERSE_STEP, {"1 - 2/kappa": "0 <= 1 - lam/L and 1 - lam/L <= 1 - 2/kappa"}),
    *rivals_of(
        SIGNED,
        {"of any norm": {"where": ()}, "c_i for its square": f"{ERROR} == {signed(power=1)}"},
    ),
    variant("a loop more, by the model", closed_form=signed(T + 1), leg="at sizes"),
    variant("c_i, by the model", closed_form=signed(power=1), leg="at sizes"),
    variant("a loop less, by the model", simulation=one_loop_less, leg="at sizes"),
]

# ---- its fall

FALLING = formula_leg(
    "a loop more",
    typed(
        f"{sum_of_powers(T + 1)} <= {sum_of_powers()}",
        over=[*COORDINATES, "q[i] in [0, 1] for i in 1..d"],
    ),
    lhs=r"\sum_ic_i^2q_i^{T+1}",
    tex=r"\sum_ic_i^2q_i^T",
)
SIZES = formula_leg(
    "in absolute values",
    typed(
        "Abs(-alpha*less) <= Abs(-alpha*more)",
        over=["alpha in R", "more in [0, oo)", "less in [0, more]"],
    ),
    lhs=r"|-\alpha\,a|",
    tex=r"|-\alpha\,b|,\quad0\le a\le b",
)
falling = claim(
    "looped-error-falls-every-size",
    states="looped-error-bound",
    title="The error never grows with the loops, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$ and $\alpha$, with step $1/L$ the error "
    r"after $T+1$ loops is at most that after $T$.",
    role="derived",
    covers="monotone-in-loops",
    **MODEL,
    legs=[*network("X theta_star alpha"), POWER, INVERSE_STEP, SIGNED, FALLING, SIZES, AT_SIZES],
    rivals=[
        *MODEL_RIVALS,
        *rivals_of(
            INVERSE_STEP, {"the step 2/L": "0 <= 1 - 2*lam/L and 1 - 2*lam/L <= 1 - 1/kappa"}
        ),
        *rivals_of(
            FALLING,
            {"beyond 1/L": {"over": [*COORDINATES, "q[i] in [-1, 1] for i in 1..d"]}},
        ),
        *rivals_of(SIZES, {"of any sign": {"over": ["alpha, more in R", "less in (-oo, more]"]}}),
    ],
)

# ---- the sharp form

POWERS = formula_leg(
    "powers of it",
    typed("0 <= q^T and q^T <= r^T", over=["T in 0..oo", "r in [0, 1]", "q in [0, r]"]),
    lhs=r"q_i^T",
    tex=r"r^T,\quad r=1-\frac1\kappa",
)
WEIGHTED_SUM, MASS = "Sum(c[i]^2*p[i], (i, 1, d))", "Sum(c[i]^2, (i, 1, d))"
WEIGHTED = formula_leg(
    "the largest factor",
    typed(
        f"{WEIGHTED_SUM} <= B*{MASS} and {WEIGHTED_SUM} >= 0",
        over=[
            "d in 1..oo",
            "B in [0, 1]",
            "c[i] in R for i in 1..d",
            "p[i] in [0, B] for i in 1..d",
        ],
    ),
    lhs=r"\sum_ic_i^2p_i",
    tex=r"[0,\,B\,|c|^2],\quad0\le p_i\le B",
)
MEASURE = formula_leg(
    "times alpha",
    typed(
        "Abs(-alpha*s) <= Abs(alpha)*B",
        over=["alpha in R", "B in [0, 1]", "s in [0, B]"],
    ),
    lhs=r"|-\alpha\,s|",
    tex=r"|\alpha|\,B,\quad0\le s\le B",
)
AT_THE_BOTTOM = formula_leg(
    "the lowest eigenvector",
    typed(
        "Abs(-alpha*(1 - lam/L)^T) == Abs(alpha)*(1 - 1/kappa)^T",
        over=["T in 1..oo", "alpha in R", "kappa in [1, oo)", "L in (0, oo)", "lam in [0, oo)"],
        where="lam*kappa == L",
    ),
    lhs=r"|-\alpha\,(1-\lambda_d/L)^T|",
    tex=r"|\alpha|\Big(1-\frac1\kappa\Big)^T",
)
BOUND_LEGS = [POWER, INVERSE_STEP, SIGNED, POWERS, WEIGHTED, MEASURE]
BOUND_RIVALS = [
    *MODEL_RIVALS,
    *rivals_of(POWERS, {"a power more": "0 <= q^T and q^T <= r^(T + 1)"}),
    *rivals_of(WEIGHTED, {"half of it": f"{WEIGHTED_SUM} <= B*{MASS}/2"}),
    *rivals_of(MEASURE, {"for alpha = 1 alone": "Abs(-alpha*s) <= B"}),
]
sharp_form = claim(
    "looped-error-bound-sharp-every-size",
    states="looped-error-bound",
    title="The sharp form of the error bound, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$, $\alpha$ and $T$, with step $1/L$ the error is at most "
    r"$|\alpha|(1-1/\kappa)^T$, which the lowest eigenvector attains.",
    role="derived",
    covers="sharp-form",
    **MODEL,
    legs=[*network("X theta_star alpha T"), *BOUND_LEGS, AT_THE_BOTTOM, AT_SIZES],
    rivals=[
        *BOUND_RIVALS,
        *rivals_of(
            AT_THE_BOTTOM,
            {"a loop more": "Abs(-alpha*(1 - lam/L)^T) == Abs(alpha)*(1 - 1/kappa)^(T + 1)"},
        ),
    ],
)

# ---- the printed form

DECAY = formula_leg(
    "above the sharp form",
    typed(
        "(1 - 1/kappa)**T <= exp(-T/(2*kappa))",
        over=["kappa in [1, oo)", "T in 0..oo"],
        steps=["1 - 1/kappa <= exp(-1/kappa)"],
    ),
    lhs=r"\Big(1-\frac1\kappa\Big)^T",
    tex=r"e^{-T/(2\kappa)}",
)
bound = claim(
    "looped-error-bound-every-size",
    states="looped-error-bound",
    title="The error decays exponentially in the number of loops, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$, $\alpha$ and $T$, with step $1/L$ the error is at most "
    r"$|\alpha|\exp(-T/(2\kappa))$.",
    role="reading",
    covers="bound-with-inverse-L-step",
    **MODEL,
    legs=[*network("X theta_star alpha T"), *BOUND_LEGS, DECAY, AT_SIZES],
    rivals=[
        *BOUND_RIVALS,
        *rivals_of(
            DECAY,
            {
                "exp(-1001T/(1000 kappa))": {
                    "says": "(1 - 1/kappa)**T <= exp(-1001*T/(1000*kappa))",
                    "steps": (),
                },
                "kappa of X": {
                    "says": "(1 - 1/kappa)**T <= exp(-T/(2*sqrt(kappa)))",
                    "steps": (),
                },
            },
        ),
    ],
)
