r"""The coarse recursion against Lambert's function (derived).

Setting. F_0 = 0 and F_(n+1) = F_n + C/(1 + e^(F_n)), steps of the rule whose limit F(n) has F(n) + e^(F(n)) = 1 + C
n.

Statement. For every C <= 1/250 and every n, 0 <= F_n - F(n) <= 0.0921 C. With V(F) = F + e^F a step d = C/(1 + e^F)
adds C + e^F (e^d - 1 - d) to V, so that G_n = V(F_n) - 1 - C n >= 0, hence F_n >= F(n). As d <= C/2, the excess is at
most (1 + C/4) (C/2) d e^F/(1 + e^F), and the sum of d e^F/(1 + e^F) is at most log((1 + e^(F_n))/2): G_n <= (1 + C/4)
(C/2) log(w/2), w = 1 + e^(F_n). With x = F_n - F(n), V(F_n) - V(F(n)) >= x (1 + e^(F(n))) >= x e^(-x) w, so x e^(-x)
<= (1 + C/4) C log(w/2)/(2 w) <= (1 + C/4) C/(4 e). That leaves x <= 0.0921 C or x > 1, and x gains less than C/2 a
step from 0. The constant 1/(4 e) = 0.09197 is reached in the limit at w = 2 e.

Reference: derived from lines 1128-1380.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import number

n = sp.Symbol("n", integer=True, nonnegative=True)
C = sp.Symbol("C", positive=True)
BITS = 120


def steps(n, C, start=0):
    """F_n. A ball."""
    output = arb(start)
    for _ in range(n):
        output += number(C) / (1 + output.exp())
    return output


def ahead(n, C, slope=1):
    """F_n - F(n), the latter by Lambert's function. Shape ()."""
    with ctx.workprec(BITS):
        time = number(slope * C * n)
        return steps(n, C) - (1 + time - (1 + time).exp().lambertw())


def ahead_of_the_logarithm(n, C):
    """F_n - log(1 + C n)."""
    with ctx.workprec(BITS):
        return steps(n, C) - number(1 + C * n).log()


def ahead_of_a_faster(n, C):
    """Against the solution for C (1 + 1/1000)."""
    return ahead(n, C, slope=Fraction(1001, 1000))


BOUND = sp.Rational(921, 10000) * C
NARROW = "C in (0, 1/250]"
# d: a step; W: e^F
ADDS = formula_leg(
    "what a step adds",
    typed(
        "(F + d) + W*exp(d) == F + W + d*(1 + W) + W*(exp(d) - 1 - d)",
        over=["F in R", "d in R", "W in R"],
    ),
    over="n",
)
AHEAD = formula_leg("ahead", typed("exp(d) - 1 - d >= 0", over="d in R"), over="n")
SECOND = formula_leg(
    "second order", typed("exp(d) - 1 - d <= d**2/2*(1 + d/2)", over="d in [0, 1/2]"), over="n"
)
# both sides divided by W d
EXCESS = formula_leg(
    "excess of a step",
    typed(
        "d/2*(1 + d/2) <= (1 + C/4)*C/2/(1 + W)",
        over=["C in (0, 1]", "W in [1, oo)", "d in [0, C/(1 + W)]"],
    ),
    over="n",
)
SUMMED = formula_leg(
    "summed",
    typed("W/(1 + W)*d <= log((1 + W*exp(d))/(1 + W))", over=["W in (0, oo)", "d in [0, oo)"]),
    over="n",
)
BEHIND = formula_leg(
    "gap of V",
    typed(
        "(F + x) + exp(F + x) - F - exp(F) >= x*exp(-x)*(1 + exp(F + x))",
        over=["F in [0, oo)", "x in [0, oo)"],
    ),
    over="n",
)
LARGEST = formula_leg(
    "largest gap", typed("log(w/2)/(2*w) <= 1/(4*E)", over="w in [2, oo)"), over="n"
)
LEFT = formula_leg(
    "what it leaves",
    typed("x*exp(-x) > (1 + C/4)*C/(4*E)", over=[NARROW, f"x in ({BOUND}, 1]"]),
    over="n",
)

recursion = claim(
    "granularity-coarse-recursion",
    lhs=r"F_n-F(n)",
    states="granularity-lambertw-trajectory",
    title="The coarse recursion and its limit",
    says=r"$0\le F_n-F(n)\le0.0921\,C$ for $F_{n+1}=F_n+\frac C{1+e^{F_n}}$, $F_0=0$, for all $n$ and all "
    r"$C\le\frac1{250}$.",
    role="derived",
    covers="recursion-error",
    domain={n: integers(0), C: reals(0, Fraction(1, 250), low_open=True)},
    grid={
        "smoke": {n: [1, 40, 1400], C: [Fraction(1, 250)]},
        "standard": {n: [0, 900, 2000], C: [Fraction(1, 250), Fraction(1, 1000)]},
    },
    closed_form=BOUND,
    relation=at_most(),
    legs=[
        leg("steps", ahead, where=n <= 4000, unit=C),
        leg(
            "sign",
            ahead,
            where=n <= 4000,
            unit=C,
            closed_form=sp.Integer(0),
            relation=at_least(),
            tex="0",
            lhs="F_n-F(n)",
        ),
        ADDS,
        AHEAD,
        SECOND,
        EXCESS,
        SUMMED,
        BEHIND,
        LARGEST,
        LEFT,
    ],
    rivals=[
        variant("0.09 C", closed_form=sp.Rational(9, 100) * C, leg="steps"),
        variant("log(1 + C n)", simulation=ahead_of_the_logarithm, leg="sign"),
        variant("a faster limit", simulation=ahead_of_a_faster, leg="sign"),
        *rivals_of(ADDS, {"without d^2": "(F + d) + W*exp(d) == F + W + d*(1 + W)"}),
        *rivals_of(AHEAD, {"d^2/2 for both signs": "exp(d) - 1 - d >= d**2/2"}),
        *rivals_of(SECOND, {"d^2/2": "exp(d) - 1 - d <= d**2/2"}),
        *rivals_of(EXCESS, {"half of it": "d/2*(1 + d/2) <= (1 + C/4)*C/4/(1 + W)"}),
        *rivals_of(
            SUMMED,
            {"at the end of the step": "W*exp(d)/(1 + W*exp(d))*d <= log((1 + W*exp(d))/(1 + W))"},
        ),
        *rivals_of(BEHIND, {"x w": "(F + x) + exp(F + x) - F - exp(F) >= x*(1 + exp(F + x))"}),
        *rivals_of(LARGEST, {"1/(5 e)": "log(w/2)/(2*w) <= 1/(5*E)"}),
        *rivals_of(LEFT, {"from 9/100 C on": {"over": [NARROW, "x in (9*C/100, 1]"]}}),
    ],
)
