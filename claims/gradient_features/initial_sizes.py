r"""Lemma B.8: sizes of both layers at the start and after the first step.

Setting. m independent second-layer weights of standard deviation sigma_a (the other groups repeat their sizes),
first-layer weights sigma_w g with g standard normal in d dimensions, log m <= d, m >= 2; |b_i| = b~.

Statements. (1) max |a_i| <= 2 sqrt 2 sigma_a sqrt(log m) with probability at least 1 - 1/(2 m^2): m erfc(2 sqrt(log
m)) <= m^-3. (2) max |w_i|^2 <= 13 d sigma_w^2 with the same probability: at z = 4 log m <= 4 d the chi-squared
threshold d + 2 sqrt(d z) + 2 z is at most 13 d. (3) After the step |a_i| <= eta |l'(0)| (B_x1 |w_i| + b~) and |w_i|
<= eta |l'(0)| |a_i| B_x1.

Reference: lines 5764-5784.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula_leg, rivals_of, typed


def eight():
    """The square of the constant."""
    return Fraction(8)


def thirteen():
    """The square of the constant."""
    return Fraction(13)


TAIL = formula_leg(
    "two-sided tail", typed("erfc(u) <= exp(-u**2)", over="u in [0, oo)"), over="m init"
)
LEVEL = formula_leg(
    "union",
    typed("m*exp(-(2*sqrt(log(m)))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)", over="m in 2..oo"),
    over="init",
    gives="C",
    chosen_by=eight,
)

second = claim(
    "gradfeat-start-second-layer",
    states="gradfeat-init-bounds",
    title="Second layer at the start",
    says=r"$\max_i|a_i^{(0)}|\le2\sqrt2\,\sigma_a\sqrt{\log m}$ with probability at least $1-\frac1{2m^2}$.",
    covers="a0",
    legs=[TAIL, LEVEL],
    rivals=[
        *rivals_of(TAIL, {"half of it": "erfc(u) <= exp(-u**2)/2"}),
        *rivals_of(
            LEVEL,
            {
                "threshold sqrt(2 log m)": "m*exp(-sqrt(log(m))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)"
            },
        ),
    ],
)

THRESHOLD = formula_leg(
    "threshold",
    typed("d + 2*sqrt(d*(4*l)) + 2*(4*l) <= 13*d", over=["d in 1..oo", "l in [0, d]"]),
    over="m init",
    gives="C",
    chosen_by=thirteen,
)
CHANCE = formula_leg(
    "union",
    typed("m*exp(-4*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)", over="m in 2..oo"),
    over="d init",
)
# the chi-squared tail itself
LOG = formula_leg(
    "logarithm of the mean",
    typed("-s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)", over="s in [0, 1/2)"),
    over="m d init",
)
BEST = formula_leg(
    "exponent",
    typed(
        "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + 2*u**2) == -u**2",
        over=["q in (0, oo)", "u in [0, oo)"],
    ),
    over="m d init",
)

first = claim(
    "gradfeat-start-first-layer",
    states="gradfeat-init-bounds",
    title="First layer at the start",
    says=r"$\max_i\|w_i^{(0)}\|\le\sqrt{13d}\,\sigma_w$ with probability at least $1-\frac1{2m^2}$ for $\log m\le d$.",
    covers="w0",
    legs=[THRESHOLD, CHANCE, LOG, BEST],
    rivals=[
        *rivals_of(THRESHOLD, {"12 d": "d + 2*sqrt(d*(4*l)) + 2*(4*l) <= 12*d"}),
        *rivals_of(CHANCE, {"2 log m": "m*exp(-2*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)"}),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(BEST, {
            "threshold d + 2 sqrt(d z) + z":
                "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + u**2) == -u**2",
        }),
    ],
)  # fmt: skip

STEP = formula_leg(
    "second layer",
    typed("relu(u - b) <= abs(u) + c", over=["c in (0, oo)", "u in R", "b in [-c, c]"]),
    over="i draw",
)
NORM = formula_leg(
    "one factor",
    typed("s*(n*m + c) <= s*(B*n + c)",
          over=["s in [0, oo)", "n in [0, oo)", "B in [0, oo)", "m in [0, B]", "c in [0, oo)"]),
    over="i draw",
)  # fmt: skip

second_after = claim(
    "gradfeat-first-step-second-layer",
    states="gradfeat-init-bounds",
    title="Second layer after the first step",
    says=r"$|a_i^{(1)}|\le\eta|\ell'(0)|(B_{x1}\|w_i^{(0)}\|+\tilde b)$.",
    covers="a1",
    legs=[STEP, NORM],
    rivals=[
        *rivals_of(STEP, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(NORM, {"no bias left": "s*(n*m + c) <= s*B*n"}),
    ],
)

# |G| <= E|x| <= B
GRADIENT = formula_leg(
    "first layer",
    typed("s*a*h*m <= s*a*B",
          over=["s in [0, oo)", "a in [0, oo)", "B in [0, oo)", "m in [0, B]", "h in [0, 1]"]),
    over="i draw",
)  # fmt: skip

first_after = claim(
    "gradfeat-first-step-first-layer",
    states="gradfeat-init-bounds",
    title="First layer after the first step",
    says=r"$\|w_i^{(1)}\|\le\eta|\ell'(0)||a_i^{(0)}|B_{x1}$.",
    covers="w1",
    legs=[GRADIENT],
    rivals=rivals_of(GRADIENT, {"half of it": "s*a*h*m <= s*a*B/2"}),
)
