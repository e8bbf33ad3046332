"""Equations (E.45) to (E.53): the weighted Hoeffding step of Proposition 6.3.

Setting. S is the sum of r uniform coordinates, T that of the n = d - r environmental ones under the shifted law,
alpha and beta are the two weights; gamma in (3/sqrt(r), 1/2) and n > r/gamma^2. Write u = n gamma^2/r > 1.

Statements. (1) alpha/beta <= 3/(4 gamma) and beta > 0 give P[alpha S + beta T >= 0] <= P[(3/(4 gamma)) S + T >= 0]:
as S >= 0 the first event is part of the second. (2) Hoeffding's inequality with t = n gamma - 3r/(8 gamma) and V
the sum of the squared ranges bounds the latter by exp(-2 t^2/V). Printed is V = 4d; but V = 9r/(16 gamma^2) + 4n,
which exceeds 4d for every gamma < 3/8: the step is invalid there, the number it arrives at is true. (3) V < 5n, t >
0 and 2 t^2/V >= (4 n gamma^2 - 3r)/10; beside it the tail itself, exact, under exp(-2 t^2/V). (4) That is above
r/10 for u > 1, and below for u < 1.

Reference: (E.45)-(E.53), lines 9248-9272.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_most,
    claim,
    exactly,
    formula,
    formula_leg,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    sharpened,
    typed,
    variant,
)

from ._population import BITS, number, shifted_accuracy

r, d = sp.symbols("r d", integer=True, positive=True)
gamma, u = sp.symbols("gamma u", positive=True)


def ranges(n, least=-1):
    """V for n environmental coordinates: the squared lengths of [0, 3/(4 gamma)] and of [least, 1]."""
    return r * (3 / (4 * gamma)) ** 2 + n * (1 - least) ** 2


def below_zero(n):
    """t: 0 less the mean of (3/(4 gamma)) S + T."""
    return n * gamma - 3 / (4 * gamma) * r / 2


V, DISTANCE = ranges(u * r / gamma**2), below_zero(u * r / gamma**2)
EDGE = ["r in 1..oo", "gamma in (0, 1/2)", "u in (1, oo)"]
"""u stands for (d - r) gamma^2/r: d - r = u r/gamma^2."""

SUM = "(q*(3/(4*gamma))*beta*S + beta*T)/beta"
"""(alpha S + beta T)/beta, which has the sign of alpha S + beta T."""
LARGEST = "3/(4*gamma)*S + T"
WEIGHTS = ["q in (0, 1]", "beta in (0, oo)", "gamma in (0, 1/2)"]
INCLUDED = formula_leg(
    "inclusion",
    typed(f"{SUM} <= {LARGEST}", over=[*WEIGHTS, "S in [0, oo)", "T in (-oo, oo)"]),
)
# what is not negative is then the second sum itself
ITSELF = formula_leg(
    "the same at the largest ratio",
    typed(
        f"{SUM.replace('q*', '')} == {LARGEST}",
        over=[*WEIGHTS, "S in [0, oo)", "T in (-oo, oo)"],
    ),
)

EVENT = formula_leg(
    "the event",
    typed(
        f"{LARGEST} >= 0",
        over=[*WEIGHTS, "S in [0, oo)", "T in (-oo, oo)"],
        where="q*(3/(4*gamma))*beta*S + beta*T >= 0",
    ),
)

reduction = claim(
    "nuclear-hoeffding-reduction",
    states="nuclear-hoeffding-weighted",
    title="The event with the largest ratio",
    says=r"With $\alpha=q\,\frac3{4\gamma}\,\beta$, $0<q\le1$, and $S\ge0$: $\alpha S+\beta T\le\beta(\frac3{4\gamma}S"
    r"+T)$, with equality at $q=1$, so that the first is negative where the second is.",
    covers="reduction",
    reads={"alpha": "q beta gamma", "r": "S", "d": "T"},
    legs=[INCLUDED, ITSELF, EVENT],
    rivals=[
        *rivals_of(
            EVENT,
            {
                "beta of either sign": {
                    "over": [
                        "q in (0, 1]",
                        "beta in (-oo, oo)",
                        "gamma in (0, 1/2)",
                        "S in [0, oo)",
                        "T in (-oo, oo)",
                    ]
                }
            },
        ),
        *sharpened(EVENT, INCLUDED),
        *exactly(ITSELF),
        *reaching(EVENT, "q >= 1 and T <= -9 and beta <= 1/9"),
        *reaching(INCLUDED, "q <= 1/9 and T >= 9 and S >= 9", "q >= 1 and T <= -9 and beta <= 1/9"),
        *rivals_of(
            INCLUDED,
            {
                "S of either sign": {"over": [*WEIGHTS, "S in (-oo, oo)", "T in (-oo, oo)"]},
                "ratio 1/(2 gamma)": f"{SUM} <= 1/(2*gamma)*S + T",
            },
        ),
        *rivals_of(ITSELF, {"at every ratio": f"{SUM} == {LARGEST}"}),
    ],
)

AT_MOST_4D = f"{ranges(d - r)} <= 4*d"

printed_ranges = formula(
    "nuclear-hoeffding-4d",
    states="nuclear-hoeffding-weighted",
    title="4d as the sum of squared ranges",
    says=AT_MOST_4D,
    over=["r in 37..oo", "gamma in (3/sqrt(r), 1/2)", "d in 1..oo"],
    where="d > r/gamma**2 + r",
    expect="fail",
    covers="printed-4d",
)

wide_bias = formula(
    "nuclear-hoeffding-4d-corrected",
    states="nuclear-hoeffding-weighted",
    title=r"$4d$ for $\gamma$ from 3/8 on",
    says=AT_MOST_4D,
    over=["r in 37..oo", "gamma in [3/8, 1/2)", "d in 1..oo"],
    where="d > r/gamma**2 + r",
    role="corrected",
    corrects="nuclear-hoeffding-4d",
    covers="printed-4d",
    rivals={
        "by 1/100": f"{AT_MOST_4D} - 1/100",
        "V = d": "9*r/(16*gamma**2) + 4*(d - r) <= d",
        "gamma from 1/3 on": {"over": ["r in 37..oo", "gamma in [1/3, 1/2)", "d in 1..oo"]},
    },
)

SQUARES = formula_leg("V", typed(f"{V} < 5*u*r/gamma**2", over=EDGE))
POSITIVE = formula_leg("t", typed(f"{DISTANCE} > 0", over=EDGE))
EXPONENT = formula_leg(
    "exponent",
    typed(f"2*({DISTANCE})**2/({V}) >= (4*u*r/gamma**2*gamma**2 - 3*r)/10", over=EDGE),
)


def hoeffding(least=-1):
    """exp(-2 t^2/V) at n = d - r."""
    return sp.exp(-2 * below_zero(d - r) ** 2 / ranges(d - r, least))


def tail(r, d, gamma):
    """P[(3/(4 gamma)) S + T >= 0] under the shifted law. Shape ()."""
    with ctx.workprec(BITS):
        return shifted_accuracy(3 / (4 * number(gamma)), arb(1), r, d - r, gamma)


valid_ranges = claim(
    "nuclear-hoeffding-5n",
    states="nuclear-hoeffding-weighted",
    title="The valid sum of squared ranges",
    says=r"The tail is at most $e^{-2t^2/V}$ with $V = 9r/(16\gamma^2) + 4(d - r) < 5(d - r)$, $t > 0$ and $2t^2/V \ge "
    r"(4(d - r)\gamma^2 - 3r)/10$.",
    covers="valid-5",
    reads={"d": "u"},
    lhs=r"\Pr_{\mathrm{ood}}[\tfrac3{4\gamma}S+T\ge0]",
    tex=r"e^{-2t^2/V}",
    relation=at_most(),
    domain={
        r: integers(1),
        d: integers(2),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    where=(d - r) * gamma**2 > r,
    # many environmental coordinates of little bias: there ranges that are too short show
    grid={
        "smoke": [
            {r: 1, d: 2001, gamma: Fraction(1, 10)},
            {r: 40, d: 219, gamma: Fraction(19, 40)},
        ]
    },
    closed_form=hoeffding(),
    legs=[
        leg("tail", tail, required=False),
        SQUARES,
        POSITIVE,
        EXPONENT,
    ],
    rivals=[
        variant("ranges of length 1", closed_form=hoeffding(least=0), leg="tail"),
        *sharpened(SQUARES, times="91/100"),
        *rivals_of(
            POSITIVE,
            {
                "above 2 r/(3 gamma), r = 1": {
                    "says": f"{POSITIVE.simulation.says} + 2*r/(3*gamma)",
                    "over": ["r in {1}", "gamma in (2/5, 1/2)", "u in (1, oo)"],
                }
            },
        ),
        *sharpened(EXPONENT, times="13/10"),
        *(
            v
            for step in (SQUARES, POSITIVE, EXPONENT)
            for v in reaching(step, "u <= 10/9", "u >= 9")
        ),
        variant(
            "V < 4.5(d - r)",
            leg="V",
            simulation=typed(f"{V} < 9*u*r/(2*gamma**2)", over=EDGE),
        ),
        variant(
            "t > 2r/(3 gamma)",
            leg="t",
            simulation=typed(f"{DISTANCE} > 2*r/(3*gamma)", over=EDGE),
        ),
        variant(
            "over 5",
            leg="exponent",
            simulation=typed(
                f"2*({DISTANCE})**2/({V}) >= (4*u*r/gamma**2*gamma**2 - 3*r)/5",
                over=EDGE,
            ),
        ),
    ],
)

ABOVE = formula_leg(
    "above",
    typed(
        "(4*n*gamma**2 - 3*r)/10 > r/10",
        over=["r in 1..oo", "gamma in (0, 1/2)", "n in (r/gamma**2, oo)"],
    ),
)
UNDER = formula_leg(
    "below",
    typed(
        "(4*n*gamma**2 - 3*r)/10 < r/10",
        over=["r in 1..oo", "gamma in (0, 1/2)", "n in (0, r/gamma**2)"],
    ),
)

final = claim(
    "nuclear-hoeffding-final",
    states="nuclear-hoeffding-weighted",
    title="The exponent $r/10$",
    says=r"$(4(d - r)\gamma^2 - 3r)/10$ exceeds $r/10$ exactly when $(d - r)\gamma^2$ exceeds "
    "$r$.",
    covers="final-r-over-10",
    reads={"d": "n"},
    legs=[
        ABOVE,
        UNDER,
    ],
    rivals=[
        *sharpened(ABOVE, UNDER),
        variant(
            "r/9",
            leg="above",
            simulation=typed(
                "(4*n*gamma**2 - 3*r)/10 > r/9",
                over=["r in 1..oo", "gamma in (0, 1/2)", "n in (r/gamma**2, oo)"],
            ),
        ),
        variant(
            "below up to 9/8 of it",
            leg="below",
            simulation=typed(
                "(4*n*gamma**2 - 3*r)/10 < r/10",
                over=["r in 1..oo", "gamma in (0, 1/2)", "n in (0, 9*r/(8*gamma**2))"],
            ),
        ),
        variant(
            "already from 7/8 of it",
            leg="above",
            simulation=typed(
                "(4*n*gamma**2 - 3*r)/10 > r/10",
                over=["r in 1..oo", "gamma in (0, 1/2)", "n in (7*r/(8*gamma**2), oo)"],
            ),
        ),
    ],
)
