"""Equations (E.33) to (E.41): the chain for alpha/beta, its closed parts.

Setting. 0 < beta < alpha < 1/sqrt(r) are the two weights of the weight-decay optimum, gamma in (3/sqrt(r), 1/2).

Statements. (1) The end of the chain: 1/(exp(-2 alpha)(1/2 + gamma) - (1/2 - gamma)) <= 1/(2 gamma - 2/sqrt(r)) <
3/(4 gamma). First e^{-x} >= 1 - x bounds the divisor by 2 gamma - 2 alpha from below, then alpha <= 1/sqrt(r).
(2) The repair of (E.34), in which one printed term is false for beta > 3 alpha/4: with g = -ell', G = E g(Z), a and b
uniform on [0, 1], the numerator is at most (G/2)(1 + (1/2 - gamma) alpha (1 + alpha)/12), the denominator at least
(G/2)(2 gamma - (1/2 + gamma) 7 alpha/6 - (1/2 - gamma) alpha (1 + alpha)/4), from E[(b - a)_+ a] = 1/24,
E[(a + b) b] = 7/12 and E[(b - a)_+ b] = 1/8. Their quotient is below
3/(4 gamma) for 0 < alpha < gamma/3; s stands for 3 alpha/gamma.

Reference: (E.33)-(E.41), lines 9208-9228.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, formula, formula_leg, reaching, rivals_of, sharpened, typed

# b stands for 1/sqrt(r).
EXPONENTIAL = formula_leg(
    "exponential",
    typed(
        "exp(-2*alpha)*(1/2 + gamma) - (1/2 - gamma) >= 2*gamma - 2*alpha",
        over=["b in (0, 1/6)", "alpha in (0, oo)", "gamma in (0, 1/2)"],
    ),
)
BELOW_B = formula_leg(
    "alpha below b",
    typed(
        "0 < 1/(2*gamma - 2*alpha) <= 1/(2*gamma - 2*b)",
        over=["alpha in (0, oo)", "b in [alpha, oo)", "gamma in (3*b, oo)"],
    ),
)
ABOVE_3B = formula_leg(
    "gamma above 3 b",
    typed(
        "1/(2*gamma - 2*b) < 3/(4*gamma)",
        over=["alpha in (0, oo)", "b in (0, 1/6)", "gamma in (3*b, 1/2)"],
    ),
)

elementary = claim(
    "nuclear-chain-end",
    states="nuclear-ratio-chain",
    title="The end of the chain",
    says=r"$\frac{1}{e^{-2\alpha}(1/2 + \gamma) - (1/2 - \gamma)} \le \frac{1}{2\gamma - "
    r"2/\sqrt{r}} < \frac{3}{4\gamma}$ for $\alpha \le 1/\sqrt{r} < \gamma/3$.",
    covers="elementary-tail",
    reads={"r": "b"},
    legs=[EXPONENTIAL, BELOW_B, ABOVE_3B],
    rivals=[
        *rivals_of(
            EXPONENTIAL,
            {
                "by 1/50 where alpha matters": {
                    "says": f"{EXPONENTIAL.simulation.says} + 1/50",
                    "over": ["b in (0, 1/6)", "alpha in [1/10, 1/5]", "gamma in (0, 1/2)"],
                }
            },
        ),
        *reaching(EXPONENTIAL, "alpha >= 9 and gamma >= 4/9"),
        *sharpened(BELOW_B, times="99/100"),
        *reaching(BELOW_B, "gamma <= 7*b/2 and alpha >= 9*b/10"),
        *sharpened(ABOVE_3B, times="99/100"),
        *reaching(ABOVE_3B, "b >= 1/7"),
        *rivals_of(
            EXPONENTIAL,
            {"2 gamma - alpha": "exp(-2*alpha)*(1/2 + gamma) - (1/2 - gamma) >= 2*gamma - alpha"},
        ),
        *rivals_of(
            BELOW_B,
            {
                "alpha above b": {
                    "over": ["alpha in (0, oo)", "b in (0, alpha]", "gamma in (3*alpha, oo)"]
                }
            },
        ),
        *rivals_of(
            ABOVE_3B,
            {
                "1/(2 gamma)": "1/(2*gamma - 2*b) < 1/(2*gamma)",
                "gamma above 2 b": {
                    "over": ["alpha in (0, oo)", "b in (0, 1/6)", "gamma in (2*b, 1/2)"]
                },
            },
        ),
    ],
)

SHORT, LONG, SUM = sp.Rational(1, 24), sp.Rational(1, 8), sp.Rational(7, 12)
"""E[(b - a)_+ a], E[(b - a)_+ b] and E[(a + b) b]."""


def quotient(alpha):
    """Of the repaired bounds."""
    return (
        f"(1 + (1/2 - gamma)*{alpha}*(1 + {alpha})*{2 * SHORT})/(2*gamma - (1/2 + gamma)*({2 * SUM})*{alpha}"
        f" - (1/2 - gamma)*{alpha}*(1 + {alpha})*{2 * LONG})"
    )


LIMIT = "(gamma/3)"
"""Of alpha."""
REPAIRED = f"{quotient(f'(s*{LIMIT})')} < 3/(4*gamma)"

repaired = formula(
    "nuclear-repaired-quotient",
    states="nuclear-ratio-chain",
    title="The repaired quotient",
    says=REPAIRED,
    over=["s in (0, 1)", "gamma in (0, 1/2)"],
    covers="repaired-quotient",
    reads={"alpha": "s gamma"},
    rivals={
        "four fifths of it": f"{REPAIRED}*(4/5)",
        "up to nine tenths of gamma/3": "s < 9/10 or gamma < 4/9",
        "1/(2 gamma)": "(1 + (1/2 - gamma)*(s*gamma/3)*(1 + s*gamma/3)/12)/(2*gamma - (1/2 + gamma)*7*(s*gamma/3)/6"
        " - (1/2 - gamma)*(s*gamma/3)*(1 + s*gamma/3)/4) < 1/(2*gamma)",
        "alpha up to gamma": "(1 + (1/2 - gamma)*(s*gamma)*(1 + s*gamma)/12)/(2*gamma - (1/2 + gamma)*7*(s*gamma)/6"
        " - (1/2 - gamma)*(s*gamma)*(1 + s*gamma)/4) < 3/(4*gamma)",
    },
)
