"""Theorem 8.17 (quoted) and its comparison paragraph: the exponential requirement of earlier work.

Setting. The quoted bound on the optimal population loss of a trained looped linear transformer with T
loops, n examples, dimension d is b(n) = 8 T d^2 4^T / sqrt(n), under the hypothesis 8 T d^2 / sqrt(n) <=
4^-T, which says just that b(n) <= 1.

Statements checked. The smallest n that meets the hypothesis is (8 T d^2 4^T)^2, exponential in T. As T grows b(n)
rises, while |alpha| exp(-T/(2 kappa)) falls. The quoted loss is a least one over the weights of the looped model,
so that any weights bound it from above: those of gradient descent with step 1/n have the loss E tr((I - X^T
X/n)^{2T}) on Gaussian prompts and tasks (`fixed_step`), which is far below b(n) wherever the hypothesis is met, for
T up to 3.

The quoted theorem itself speaks of trained weights and of another error notion (squared, over random
tasks) than the chapter's bound (absolute, worst task): the comparison is not like for like.

Reference: Theorem 8.17 (arXiv 2410.11268), after Theorem 4.1 of Gatmiry et al. 2024.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    counts,
    formula,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from .fixed_step import squared_error

d, T, n = sp.symbols("d T n", integer=True, positive=True)


def meets(n, d, T):
    """Whether 8 T d^2 / sqrt(n) <= 4^-T, in integers."""
    return (8 * T * d**2 * 4**T) ** 2 <= n


def smallest_n(d, T):
    """Smallest n that meets the hypothesis, by bisection on the predicate. Shape ()."""
    high = 1
    while not meets(high, d, T):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle, d, T) else (middle, high)
    return high


BOUND = 8 * T * d**2 * 4**T / sp.sqrt(n)
LEAST = (8 * T * d**2 * 4**T) ** 2
MEETS = formula_leg(
    "the bound at most one",
    typed(
        f"({BOUND} <= 1 or n < {LEAST}) and ({BOUND} > 1 or n >= {LEAST})",
        over=["d, T, n in 1..oo"],
    ),
    required=False,
    lhs=r"8\,T\,d^2\,4^T/\sqrt n\le1",
    tex=r"n\ge(8\,T\,d^2\,4^T)^2",
)
sample_size = claim(
    "looped-gatmiry-comparison",
    lhs=r"n_{\min}",
    tex=r"(8\,T\,d^2\,4^T)^2",
    title="The sample size that earlier work asks for",
    says="The quoted hypothesis is met exactly from $n=(8Td^24^T)^2$ examples on.",
    covers="hypothesis-is-bound-at-most-one",
    domain={d: integers(1), T: integers(1)},
    grid={
        "smoke": {d: [1, 2, 4], T: [1, 2, 3, 5]},
        "standard": {d: [1, 2, 3, 4, 8], T: range(1, 9)},
    },
    closed_form=LEAST,
    relation=counts(),
    legs=[leg("bisection", smallest_n, inside="n"), MEETS],
    rivals=[
        variant("hypothesis without the square root", closed_form=8 * T * d**2 * 4**T),
        variant("polynomial in T", closed_form=(8 * T * d**2 * 4) ** 2 * T**4),
        *rivals_of(
            MEETS,
            {
                "d for its square": f"({BOUND} <= 1 or n < (8*T*d*4**T)**2) and ({BOUND} > 1 or n >= (8*T*d*4**T)**2)",
            },
        ),
    ],
)


# ---- the two bounds as the loops grow

trends = formula(
    "looped-gatmiry-trends",
    states="looped-gatmiry-comparison",
    title="One bound rises with the loops, the other falls",
    says=f"{BOUND.subs(T, T + 1)} > {BOUND} and A*exp(-(T + 1)/(2*kappa)) < A*exp(-T/(2*kappa))",
    over=["T in 1..oo", "n in 1..oo", "d in 1..oo", "A in (0, oo)", "kappa in [1, oo)"],
    role="derived",
    covers="opposite-trends",
    rivals={
        "both fall": "8*(T + 1)*d**2*4**(T + 1)/sqrt(n) <= 8*T*d**2*4**T/sqrt(n)",
        "alpha may be 0": {
            "over": ["T in 1..oo", "n in 1..oo", "d in 1..oo", "A in [0, oo)", "kappa in [1, oo)"]
        },
    },
)


# ---- the quoted bound itself, at weights that the quoted model has

cited = claim(
    "looped-gatmiry-cited",
    lhs=r"\mathbb{E}\operatorname{tr}\Big(\big(I-\tfrac1nX^\top X\big)^{2T}\Big)\ \ge\ \text{least loss}",
    tex=r"\frac{8\,T\,d^2\,4^T}{\sqrt n}",
    states="looped-gatmiry-comparison",
    title="The quoted bound at one choice of weights",
    says=r"Where $8Td^2/\sqrt n\le4^{-T}$, the loss of $T$ loops with the weights of gradient descent with step "
    r"$1/n$, and so the "
    r"optimal loss, is at most $8Td^24^T/\sqrt n$.",
    role="reading",
    covers="cited-theorem",
    domain={d: integers(1), T: integers(1, 3), n: integers(1)},
    where=n >= LEAST,
    grid={
        "smoke": [
            {d: size, T: t, n: times * (8 * t * size**2 * 4**t) ** 2}
            for size in (1, 2, 4)
            for t in (1, 2, 3)
            for times in (1, 9)
        ]
    },
    closed_form=BOUND,
    relation=at_most(),
    legs=[leg("pairings", squared_error)],
    rivals=[
        variant("d^2 / n", closed_form=d**2 / n),
        variant("falling like n^-T without a constant", closed_form=1 / n**T),
    ],
)
