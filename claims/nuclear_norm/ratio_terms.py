"""Equations (E.33) to (E.35) at the optimum, in balls: one printed term is false, what it is used for holds.

Setting. 0 < beta < alpha < 1/sqrt(r) at the weight-decay optimum, Z the margin without one k in R and one l in U, g(m)
= 1/(1 + e^m), G = E g(Z).

Statements. (1) Printed: E[g(Z + alpha z_k - beta |z_l|) |z_l|] <= G/2. False for gamma near 1/2, where beta exceeds 3
alpha/4. Repaired: at most (G/2)(1 + alpha (1 + alpha)/4), from g(Z + x) <= e^(-x) g(Z) for x <= 0, g falling, and
E[(b - a)_+ b] = 1/8. (2) alpha/beta <= G/(E g(Z + 2 alpha)(1/2 + gamma) - G(1/2 - gamma)); its divisor is
positive, as g(Z + 2 alpha) >= e^(-2 alpha) g(Z) and e^(-2 alpha)(1/2 + gamma) - (1/2 - gamma) >= 2 gamma - 2 alpha > 0
for alpha < gamma. It need not be for a small lambda, where alpha is large.

Reference: (E.33)-(E.35), lines 9208-9228.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    hypothesis,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._population import BITS, inverted, mean_exp, mean_u_exp, number, optimum, rest_of, signed
from .optimum_sizes import CELLS, d, gamma, lam, r

alpha = sp.Symbol("alpha", positive=True)


def without_two(r, d, gamma, lam):
    """alpha, beta, gamma as balls and s -> E e^(-s Z)."""
    a, b = optimum(r, d - r, gamma, lam)
    bias = number(gamma)
    return a, b, bias, rest_of(a, b, r - 1, d - r - 1, bias)


def stationary(r, d, gamma, lam, flip=-1):
    """E[g(Z + alpha z_k + beta z_l) z_l] over lambda beta, from the law of Z; ``flip``: the sign of z_l on [-1, 0].
    Shape ()."""
    with ctx.workprec(BITS):
        a, b, bias, Z = without_two(r, d, gamma, lam)
        mean = inverted(
            lambda s: Z(s) * mean_exp(a * s) * signed(mean_u_exp, b * s, bias, flip=flip),
            over=lambda s: Z(s) * mean_exp(a * s) * signed(mean_exp, b * s, bias),
        )
        return mean / (number(lam) * b)


def of_sizes(r, d, gamma, lam):
    """With |z_l| for z_l."""
    return stationary(r, d, gamma, lam, flip=1)


def misled_term(r, d, gamma, lam):
    """E[g(Z + alpha z_k - beta |z_l|) |z_l|]/(G/2), and alpha. Shapes ()."""
    with ctx.workprec(BITS):
        a, b, _, Z = without_two(r, d, gamma, lam)
        term = inverted(lambda s: Z(s) * mean_exp(a * s) * mean_u_exp(-b * s))
        return {"value": 2 * term / inverted(Z), "alpha": a}


def misled_alone(r, d, gamma, lam):
    return misled_term(r, d, gamma, lam)["value"]


def with_plus_sign(r, d, gamma, lam):
    """The term with 2 beta |z_l| for beta |z_l|."""
    with ctx.workprec(BITS):
        a, b, _, Z = without_two(r, d, gamma, lam)
        term = inverted(lambda s: Z(s) * mean_exp(a * s) * mean_u_exp(-2 * b * s))
        return {"value": 2 * term / inverted(Z), "alpha": a}


printed = claim(
    "nuclear-negative-part",
    lhs=r"\frac{2\,\mathbb E[g(Z+\alpha z_k-\beta|z_l|)\,|z_l|]}{G}",
    tex=r"1",
    states="nuclear-ratio-chain",
    title="The misleading sign's term of (E.34)",
    says=r"$\mathbb{E}[g(Z + \alpha z_k - \beta|z_l|)\,|z_l|] \le \mathbb{E}\,g(Z)/2$ at the "
    "optimum.",
    expect="fail",
    covers="negative-part",
    reads={"lambda": "lam"},
    relation=at_most(),
    closed_form=sp.Integer(1),
    legs=[leg("inversion", misled_alone)],
    **CELLS,
)

# ties Z to the optimum: lambda beta = E[g(M) z_l]
STATIONARY = leg(
    "with both put back",
    stationary,
    relation=equals(),
    closed_form=sp.Integer(1),
    required=False,
    grid={"smoke": CELLS["grid"]["smoke"][:1]},
    lhs=r"\mathbb E[g(Z+\alpha z_k+\beta z_l)z_l]/(\lambda\beta)",
    tex="1",
)
OF_SIZES = variant("|z_l| for z_l", simulation=of_sizes, leg=STATIONARY.name)

repaired = printed.corrected(
    "nuclear-negative-part-corrected",
    lhs=r"\frac{2\,\mathbb E[g(Z+\alpha z_k-\beta|z_l|)\,|z_l|]}{G}",
    tex=r"1+\frac{\alpha(1+\alpha)}4",
    states="nuclear-ratio-chain",
    title="The misleading sign's term, repaired",
    says=r"$\mathbb{E}[g(Z + \alpha z_k - \beta|z_l|)\,|z_l|] \le (\mathbb{E}\,g(Z)/2)(1 + "
    r"\alpha(1 + \alpha)/4)$ at the optimum.",
    closed_form=1 + alpha * (1 + alpha) / 4,
    legs=[
        leg("inversion", misled_term, observed=("alpha",)),
        leg(
            "most of it in the environment",
            misled_term,
            observed=("alpha",),
            grid={
                "smoke": [{r: 37, d: 1200, gamma: Fraction(4999, 10**4), lam: Fraction(61, 100)}]
            },
            required=False,
        ),
        STATIONARY,
    ],
    rivals=[
        OF_SIZES,
        variant(
            "4/25 for 1/4",
            closed_form=1 + 4 * alpha * (1 + alpha) / 25,
            leg="most of it in the environment",
        ),
        variant("as printed", closed_form=sp.Integer(1), at=CELLS["grid"]["smoke"][:2]),
        variant("beta doubled", simulation=with_plus_sign),
    ],
)


def quotient(r, d, gamma, lam, shift=2):
    """alpha/beta over G/(E g(Z + shift alpha)(1/2 + gamma) - G(1/2 - gamma)). Shape ()."""
    with ctx.workprec(BITS):
        a, b, bias, Z = without_two(r, d, gamma, lam)
        G = inverted(Z)
        moved = inverted(lambda s: Z(s) * (-shift * a * s).exp())
        return a / b * (2 * moved * (1 + 2 * bias) - 2 * G * (1 - 2 * bias)) / (4 * G)


def divisor(r, d, gamma, lam, shift=2):
    """E g(Z + shift alpha)(1/2 + gamma)/G - (1/2 - gamma), over gamma. Shape ()."""
    with ctx.workprec(BITS):
        a, _, bias, Z = without_two(r, d, gamma, lam)
        moved = inverted(lambda s: Z(s) * (-shift * a * s).exp())
        return (moved / inverted(Z) * (1 + 2 * bias) - (1 - 2 * bias)) / (2 * bias)


def divisor_of_a_long_shift(r, d, gamma, lam):
    """With 200 alpha for 2 alpha."""
    return divisor(r, d, gamma, lam, shift=200)


# c stands for gamma, so that this pays for nothing; x is g(Z + 2 alpha)/g(Z), or G's; alpha < 1/sqrt(r) < gamma/3
POSITIVE = formula_leg(
    "divisor positive",
    typed(
        "x*(1/2 + c) - (1/2 - c) > 0",
        over=["c in (0, 1/2)", "alpha in (0, c/3)", "x in [exp(-2*alpha), oo)"],
    ),
)


def without_shift(r, d, gamma, lam):
    return quotient(r, d, gamma, lam, shift=0)


chain = claim(
    "nuclear-e35",
    lhs=r"\frac\alpha\beta\cdot\frac{G_{2\alpha}(\frac12+\gamma)-G(\frac12-\gamma)}G",
    tex=r"1",
    states="nuclear-ratio-chain",
    title="(E.35) at the optimum",
    says=r"$\alpha/\beta \le G/(\mathbb{E}\,g(Z + 2\alpha)(1/2 + \gamma) - G(1/2 - \gamma))$, $G "
    r"= \mathbb{E}\,g(Z)$.",
    covers="e35",
    reads={"lambda": "lam"},
    relation=at_most(),
    closed_form=sp.Integer(1),
    legs=[
        leg("inversion", quotient),
        leg(
            "divisor",
            divisor,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"(G_{2\alpha}(\frac12+\gamma)/G-(\frac12-\gamma))/\gamma",
            tex="0",
            required=False,
        ),
        POSITIVE,
        STATIONARY,
    ],
    assumes=[
        hypothesis(
            "alpha below 1/sqrt(r)",
            without=[{r: 64, d: 65, gamma: Fraction(376, 1000), lam: Fraction(1, 10**13)}],
            leg="divisor",
        )
    ],
    rivals=[
        OF_SIZES,
        variant("g(Z) for g(Z + 2 alpha)", simulation=without_shift, leg="inversion"),
        variant("half of it", closed_form=sp.Rational(1, 2), leg="inversion"),
        variant("a long shift", simulation=divisor_of_a_long_shift, leg="divisor"),
        *rivals_of(
            POSITIVE,
            {
                "by 3 gamma/2": "x*(1/2 + c) - (1/2 - c) > 3*c/2",
                "for every alpha": {
                    "over": ["c in (0, 1/2)", "alpha in (0, oo)", "x in [exp(-2*alpha), oo)"]
                },
            },
        ),
    ],
    **CELLS,
)
