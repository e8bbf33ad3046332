"""Equations (E.45) to (E.53): the weighted Hoeffding step of Proposition 6.3.

Setting. S is the sum of r uniform coordinates, T that of the n = d - r environmental ones under the shifted law,
alpha and beta are the two weights; gamma in (3/sqrt(r), 1/2) and n > r/gamma^2. Write u = n gamma^2/r > 1.

Statements. (1) alpha/beta <= 3/(4 gamma) and beta > 0 give P[alpha S + beta T >= 0] <= P[(3/(4 gamma)) S + T >= 0]:
as S >= 0 the first event is part of the second. (2) Hoeffding's inequality with t = n gamma - 3r/(8 gamma) and V the
sum of the squared ranges bounds the latter by exp(-2 t^2/V). Printed is V = 4d; but V = 9r/(16 gamma^2) + 4n, which
exceeds 4d for every gamma < 3/8: the step is invalid there, the number it arrives at is true. (3) V < 5n, t > 0
and 2 t^2/V >= (4 n gamma^2 - 3r)/10. (4) That is above r/10 for u > 1, and below for u < 1.

Reference: (E.45)-(E.53), lines 9248-9272.
"""

from __future__ import annotations

from theorycheck import (
    claim,
    exactly,
    formula,
    formula_leg,
    reaching,
    rivals_of,
    sharpened,
    typed,
    variant,
)

RANGES = "r*(3/(4*gamma) - 0)**2 + ({n})*(1 - (-1))**2"
"""V for n environmental coordinates: the squared lengths of [0, 3/(4 gamma)] and of [-1, 1]."""
V = RANGES.format(n="u*r/gamma**2")
DISTANCE = "u*r/gamma**2*gamma - 3/(4*gamma)*r/2"
"""t, from the mean of (3/(4 gamma)) S + T, 0 less that."""

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

AT_MOST_4D = f"{RANGES.format(n='d - r')} <= 4*d"

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

valid_ranges = claim(
    "nuclear-hoeffding-5n",
    states="nuclear-hoeffding-weighted",
    title="The valid sum of squared ranges",
    says=r"$V = 9r/(16\gamma^2) + 4(d - r) < 5(d - r)$, $t > 0$ and $2t^2/V \ge (4(d - r)\gamma^2 "
    "- 3r)/10$.",
    covers="valid-5",
    reads={"d": "u"},
    legs=[
        SQUARES,
        POSITIVE,
        EXPONENT,
    ],
    rivals=[
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
