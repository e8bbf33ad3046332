"""Growth rates where background and core are comparable (derived).

Setting. All features have mean mu and variance sigma^2. A neuron w = (eta t/m)(alpha on d_c core features, beta on d_b
background ones) of sign +1 fires on its own class and, in the Gaussian closure, with probability p on the other:

    alpha = (mu (1 + p) - sigma^2 alpha phi(r)/q)/2,    beta = (mu (1 - p) - sigma^2 beta phi(r)/q)/2,
    q = sigma sqrt(d_c alpha^2 + d_b beta^2),    r = mu (d_b beta - d_c alpha)/q,    p = Phi(r).

Statement. alpha = (1 + p)/2 (mu - sigma phi(r)/D) and beta = (1 - p)/2 times the same, so that r and p follow from
p = Phi((mu/sigma) (d_b (1 - p) - d_c (1 + p))/D), D^2 = d_c (1 + p)^2 + d_b (1 - p)^2. The right side is continuous on
[0, 1] and falls in p from above 0 to below 1: there is exactly one root in (0, 1).

Reference: derived from Lemmas B.1, B.3, B.4, lines 525-658 (ICML 2024).
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, theorem, typed
from theorycheck.claims.formula import rivals_of

SCALE, MU = "u/2", "(u + sigma*f/D)"
ALPHA, BETA = f"(1 + p)*{SCALE}", f"(1 - p)*{SCALE}"
Q = f"(sigma*Abs({SCALE})*D)"
POSITIVE = ["u > 0", "sigma > 0", "D > 0", "f > 0", "0 < p < 1"]
"""f is the density phi(r), of which only its sign is used here; D the root in the statement; u = mu - sigma f/D > 0.
q is a root, and so sigma D times the size of the scale."""

ALPHA_LEG = formula_leg(
    "alpha",
    typed(
        f"{ALPHA} == ({MU}*(1 + p) - sigma**2*{ALPHA}*f/{Q})/2",
        over=POSITIVE,
    ),
)
BETA_LEG = formula_leg(
    "beta",
    typed(f"{BETA} == ({MU}*(1 - p) - sigma**2*{BETA}*f/{Q})/2", over=POSITIVE),
)

rates = claim(
    "contamination-fixed-point-rates",
    states="contamination-asymmetry-fixed-point",
    title="The rates solve the two equations of the closure",
    says=r"$\alpha = \frac{1+p}2\big(\mu-\sigma\frac{\varphi(r)}D\big)$ and "
    r"$\beta = \frac{1-p}2\big(\mu-\sigma\frac{\varphi(r)}D\big)$ solve the closure's two equations.",
    role="derived",
    covers="rates-explicit",
    reads={"d_core": "D", "d_bg": "D", "mu": "u sigma f D"},
    legs=[ALPHA_LEG, BETA_LEG],
    rivals=[
        *rivals_of(
            ALPHA_LEG,
            {
                "without the variance": f"{MU}*(1 + p)/2 == ({MU}*(1 + p) "
                f"- sigma**2*{MU}*(1 + p)/2*f/{Q})/2",
                "beta in its place": f"{BETA} == ({MU}*(1 + p) - sigma**2*{BETA}*f/{Q})/2",
                "alpha, a scale below 0": {"over": ["u < 0", *POSITIVE[1:]]},
            },
        ),
        *rivals_of(
            BETA_LEG,
            {
                "alpha in its place": f"{ALPHA} == ({MU}*(1 - p) - sigma**2*{ALPHA}*f/{Q})/2",
                "beta, a scale below 0": {"over": ["u < 0", *POSITIVE[1:]]},
            },
        ),
    ],
)

scalar_equation = formula(
    "contamination-fixed-point-equation",
    states="contamination-asymmetry-fixed-point",
    title="The closure's argument in p alone",
    role="derived",
    covers="scalar-equation",
    reads={"d_core": "a", "d_bg": "b"},
    # r at alpha = (1 + p) s and beta = (1 - p) s, whatever the scale s.
    says="mu*(b*(1 - p)*s - a*(1 + p)*s)/(sigma*sqrt(a*((1 + p)*s)**2 + b*((1 - p)*s)**2))"
    " == mu/sigma*(b*(1 - p) - a*(1 + p))/sqrt(a*(1 + p)**2 + b*(1 - p)**2)",
    over=["a > 0", "b > 0", "mu > 0", "sigma > 0", "s > 0", "0 < p < 1"],
    rivals={
        "D without p": "mu*(b*(1 - p)*s - a*(1 + p)*s)/(sigma*sqrt(a*((1 + p)*s)**2 + b*((1 - p)*s)**2))"
        " == mu/sigma*(b*(1 - p) - a*(1 + p))/sqrt(a + b)",
    },
)

# x = (1 - p)/(1 + p) falls from 1 to 0 as p goes from 0 to 1.
IN_P = formula_leg("x falls in p", typed("(1 - p)/(1 + p) > (1 - q)/(1 + q)", over="0 <= p < q"))
IN_X = formula_leg(
    "the argument grows in x",
    typed(
        "(d_bg*x - d_core)/sqrt(d_core + d_bg*x**2) < (d_bg*y - d_core)/sqrt(d_core + d_bg*y**2)",
        over=["d_core > 0", "d_bg > 0", "0 <= x < y"],
        seconds=30,  # the sign of the derivative shows it in two; more goes to what does not
    ),
)
SCALED = formula_leg(
    "scaled", typed("mu/sigma*x < mu/sigma*y", over=["x < y", "mu > 0", "sigma > 0"])
)
POSITIVE_ROOT = formula_leg(
    "D has no zero",
    typed("a*(1 + p)**2 + b*(1 - p)**2 > 0", over=["a > 0", "b > 0", "p in [0, 1]"]),
)
ABOVE = formula_leg("above 0", typed("Phi(x) > 0", over="x in (-oo, oo)"))
BELOW_ONE = formula_leg(
    "below 1",
    typed("Phi(x) < 1", over="x in (-oo, oo)"),
    gives="p",
    lemma=theorem(
        "intermediate values",
        continuous="Phi of a quotient of roots and polynomials, D has no zero on [0, 1]",
        ends="right side less p is above 0 at p = 0 and below 0 at p = 1",
    ),
)

falls = claim(
    "contamination-fixed-point-falls",
    states="contamination-asymmetry-fixed-point",
    title="The equation has one root in (0, 1)",
    says=r"$\Phi\big(\frac\mu\sigma\frac{d_b(1-p)-d_c(1+p)}D\big)$ falls in $p$ and is strictly between 0 and 1: "
    "the equation has exactly one root.",
    role="derived",
    covers="unique-root",
    legs=[IN_P, IN_X, SCALED, POSITIVE_ROOT, ABOVE, BELOW_ONE],
    rivals=[
        *rivals_of(IN_P, {"grows": "(1 - p)/(1 + p) < (1 - q)/(1 + q)"}),
        *rivals_of(
            IN_X,
            {
                "a negative block": {"over": ["d_core > 0", "-d_core/9 < d_bg < 0", "0 <= x < y"]},
                "a negative core": {"over": ["-1/9 < d_core < 0", "d_bg > 1", "1 <= x < y"]},
            },
        ),
        *rivals_of(SCALED, {"a negative mean": {"over": ["x < y", "mu < 0", "sigma > 0"]}}),
        *rivals_of(POSITIVE_ROOT, {"b above -2 a": {"over": ["a > 0", "b > -2*a", "p in [0, 1]"]}}),
        *rivals_of(ABOVE, {"above 1/100": "Phi(x) > 1/100"}),
        *rivals_of(BELOW_ONE, {"below 99/100": "Phi(x) < 99/100"}),
    ],
)
