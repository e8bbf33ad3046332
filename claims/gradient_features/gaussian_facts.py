r"""Lemmas B.73, B.75 and B.76: the Gaussian tail, its truncated mean, and the largest of n.

Setting. g standard normal, Q(z) = P[g > z] = erfc(z/sqrt 2)/2, phi its density.

Statements. (1) z phi(z)/(z^2 + 1) < Q(z) < phi(z)/z for z > 0. (2) E[g 1{g > z}] = phi(z) < 2 Q(z)^0.9 for every real
z. (3) For n >= 2 variables, P[max > sqrt(2 log n) + z/sqrt(2 log n)] <= e^-z for every real z: by a union it is at
most n Q(t), and with l = sqrt(2 log n) and t = l + z/l >= 0, n Q(t) <= e^(l^2/2) e^(-t^2/2)/2 <= e^-z/2; for t < 0 z
is below -l^2 < 0 and e^-z > 1.

Reference: lines 7710-7730. (1) is also Lemma D.3 of the work on feature contamination.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

TAIL = "erfc(z/sqrt(2))/2"
DENSITY = "exp(-z**2/2)/sqrt(2*pi)"
POSITIVE = "z in (0, oo)"

upper = formula(
    "gradfeat-mills-upper",
    states="gradfeat-mills-ratio",
    title="The Gaussian tail from above",
    covers="upper",
    says=f"{TAIL} < {DENSITY}/z",
    over=POSITIVE,
    rivals={"9/10 of it": f"{TAIL} < 9*{DENSITY}/(10*z)", "1/z^2": f"{TAIL} < {DENSITY}/z**2"},
)

lower = formula(
    "gradfeat-mills-lower",
    states="gradfeat-mills-ratio",
    title="The Gaussian tail from below",
    covers="lower",
    says=f"{TAIL} > z*{DENSITY}/(z**2 + 1)",
    over=POSITIVE,
    rivals={
        "9/10 for 1": f"{TAIL} > z*{DENSITY}/(z**2 + 9/10)",
        "z + 1/(2 z)": f"{TAIL} > {DENSITY}/(z + 1/(2*z))",
    },
)

MEAN = formula_leg(
    "truncated mean",
    typed(
        "Integral(x*exp(-x**2/2)/sqrt(2*pi), (x, z, oo)) == exp(-z**2/2)/sqrt(2*pi)", over="z in R"
    ),
)
BELOW = formula_leg("against the tail", typed(f"{DENSITY} < 2*({TAIL})**(9/10)", over="z in R"))

truncated = claim(
    "gradfeat-truncated-mean",
    states="gradfeat-gaussian-tail-expectation",
    title="Truncated mean against the tail",
    says=r"$|\mathbb E[g\,1\{g>z\}]|=\varphi(z)<2\Pr[g>z]^{0.9}$ for every real $z$.",
    covers="bound",
    legs=[MEAN, BELOW],
    rivals=[
        *rivals_of(
            MEAN, {"the tail": f"Integral(x*exp(-x**2/2)/sqrt(2*pi), (x, z, oo)) == {TAIL}"}
        ),
        *rivals_of(
            BELOW,
            {
                "constant 17/10": f"{DENSITY} < 17*({TAIL})**(9/10)/10",
                "exponent 1": f"{DENSITY} < 2*({TAIL})",
            },
        ),
    ],
)

# l = sqrt(2 log n) > 0, t = l + z/l, u = t/sqrt 2
ABOVE = formula_leg(
    "tail at t >= 0", typed("erfc(u)/2 <= exp(-u**2)/2", over="u in [0, oo)"), over="n z"
)
n, z = sp.Symbol("n", integer=True, positive=True), sp.Symbol("z", real=True)
BOUND = sp.exp(-z)
EXPONENT = formula_leg(
    "exponent", typed("l**2/2 - (l + z/l)**2/2 <= -z", over=["l in (0, oo)", "z in R"]), over="n"
)
# x: the exponent of n Q(t) <= e^x/2
RAISED = formula_leg(
    "raised", typed(f"exp(x)/2 <= {BOUND}", over=["z in R", "x in (-oo, -z]"]), over="n"
)
LEFT = formula_leg(
    "t < 0", typed("exp(-z) > 1", over=["l in (0, oo)", "z in R"], where="l + z/l < 0"), over="n"
)
UNION = formula_leg(
    "union", typed("1 - (1 - q)**n <= n*q", over=["n in 1..oo", "q in [0, 1]"]), over="z"
)
SIZE = formula_leg(
    "l is positive",
    typed("sqrt(2*log(n)) > 0 and n == exp(sqrt(2*log(n))**2/2)", over="n in 2..oo"),
)


def largest_above(ns, n, z, log_factor=2):
    """P[max of n independent standard normal numbers > l + z/l], l = sqrt(2 log n). Shape ()."""
    top = ns.sqrt(log_factor * ns.log(ns.asarray(n)))
    below = (1 + ns.erf((top + ns.asarray(z) / top) / ns.sqrt(ns.asarray(2)))) / 2
    return 1 - ns.pow(below, int(n))


def root_of_log(ns, n, z):
    """The same with l = sqrt(log n)."""
    return largest_above(ns, n, z, log_factor=1)


largest = claim(
    "gradfeat-largest-gaussian",
    states="gradfeat-max-gaussian",
    title="The largest of n Gaussians",
    says=r"$\Pr[\max_{i\le n}g_i>\sqrt{2\log n}+z/\sqrt{2\log n}]\le e^{-z}$ for $n\ge2$ and every real $z$.",
    covers="tail",
    domain={n: integers(2), z: reals()},
    where=sp.And(n <= 10**6, z >= -60, z <= 60),
    grid={
        "smoke": [
            {n: 2, z: Fraction(-1, 5)},
            {n: 3, z: Fraction(-1, 10)},
            {n: 2, z: -3},
            {n: 40, z: 2},
            {n: 1000, z: 1},
            {n: 1000, z: 6},
        ]
    },
    relation=at_most(),
    legs=[
        ABOVE,
        EXPONENT,
        RAISED,
        LEFT,
        UNION,
        SIZE,
        leg(
            "largest of n",
            largest_above,
            arithmetic="ball",
            closed_form=BOUND,
            lhs=r"1-\Phi(\sqrt{2\log n}+z/\sqrt{2\log n})^n",
            unit=1,
            required=False,
        ),
    ],
    rivals=[
        variant("a fifth of it", closed_form=BOUND / 5, leg="largest of n"),
        variant("exponent -2 z", closed_form=BOUND**2, leg="largest of n"),
        variant("sqrt(log n)", simulation=root_of_log, leg="largest of n"),
        *rivals_of(RAISED, {"a quarter, raised": f"exp(x)/2 <= {BOUND / 4}"}),
        *rivals_of(ABOVE, {"a quarter": "erfc(u)/2 <= exp(-u**2)/4"}),
        *rivals_of(EXPONENT, {"-2 z": "l**2/2 - (l + z/l)**2/2 <= -2*z"}),
        *rivals_of(LEFT, {"t up to 1": {"where": "l + z/l < 1"}}),
        *rivals_of(UNION, {"half of it": "1 - (1 - q)**n <= n*q/2"}),
        *rivals_of(SIZE, {"n = 1": {"over": "n in 1..oo"}}),
    ],
)
