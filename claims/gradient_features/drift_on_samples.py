r"""Lemma B.21: the first layer's movement on fresh samples, as displayed.

Setting. As in `drift`, with B' = B_x1 + sqrt(B_x2)/n^(1/3) for B_x1. The law is one example x = 1, y = 1, B_x1 = B_x2 =
1, so that every sample is this example and B' = 1 + 1/q, q = n^(1/3); one neuron with a_1 = 1, w_1 > 0 and b~ = 0,
below the hinge's kink.

Statement. Each step moves w by eta a >= eta, so |w_t - w_1| >= (t - 1) eta, whatever n is. The display, without a
factor t, allows C (eta B' + eta^2 B'^2 w_1): less from t = 4 C + 2 on, where eta w_1 <= 1/2, however small t eta is.
(4 C bounds the
display over eta.) An event of probability 1 is above C' T m e^-q at q = t = T, m = 1, for large t.

Reference: lines 6084-6108.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import step

t = sp.symbols("t", integer=True, positive=True)
eta, w = sp.symbols("eta w", positive=True)
MOVED = t - 1
ALLOWED = "C*((1 + 1/q) + eta*(1 + 1/q)**2*w)"
NAMES = ["C in [1, oo)", "t in 2..oo", "q in [1, oo)", "eta in (0, 1]", "w in (0, 1/2]"]
LATE = "t >= 4*C + 2"

printed = claim(
    "gradfeat-drift-display",
    states="gradfeat-drift-bound-empirical",
    title="Movement of the first layer on samples, as displayed",
    says=r"For some $C$ and $C'$, $\|w_t-w_1\|\le C(\eta B'|a_1|+\eta^2B'^2\|w_1\|+\eta^2B'\tilde b)$ for all $t$ with "
    r"probability at least $1-C'Tme^{-n^{1/3}}$. On one example the movement is at least $(t-1)\eta|a_1|$.",
    expect="fail",
    covers="w-drift-display",
    legs=[
        formula_leg(
            "one example",
            typed(
                f"Min({MOVED} - 4*C, 1 - K*t*exp(-t)) <= 0",
                over=["C in [1, oo)", "K in [1, oo)", "t in 2..oo"],
                where=[LATE, "t > log(K*t)"],
            ),
            over="samples i t",
        )
    ],
)


def movement(t, eta, w, fixed=False):
    """|w_t - w_1|/eta after t - 1 steps on samples of one example x = 1, y = 1, a_1 = 1, b~ = 0. Shape ()."""
    a, rows = [Fraction(1)], [[Fraction(w)]]
    for _ in range(t - 1):
        if a[0] * rows[0][0] >= 1:
            raise ValueError("beyond the kink")
        a, rows = step([[Fraction(1)]], [1], a, rows, [Fraction(0)], Fraction(eta), 0)
        a = [Fraction(0)] if fixed else a
    return (rows[0][0] - w) / Fraction(eta)


LINEAR = formula_leg(
    "beyond the display",
    typed(f"{MOVED} > {ALLOWED}", over=NAMES, where=LATE),
)

linear = claim(
    "gradfeat-drift-grows",
    lhs=r"\|w_t-w_1\|/\eta",
    tex="(t-1)|a_1|",
    states="gradfeat-drift-bound-empirical",
    title="The first layer moves by a step's length in every step",
    says=r"On samples of one example the first layer is at least $(t-1)\eta|a_1|$ from its start at time $t$: above "
    r"$C(\eta B'|a_1|+\eta^2B'^2\|w_1\|)$ from $t=4C+2$ on.",
    role="derived",
    corrects="gradfeat-drift-display",
    encodes="part",
    domain={
        t: integers(2),
        eta: reals(0, 1, low_open=True),
        w: reals(0, Fraction(1, 2), low_open=True),
    },
    where=sp.And(t * eta <= sp.Rational(1, 4), t <= 100),
    grid={
        "smoke": [
            {t: 2, eta: Fraction(1, 10), w: Fraction(1, 2)},
            {t: 12, eta: Fraction(1, 1000), w: Fraction(1, 4)},
        ],
        "standard": [{t: 60, eta: Fraction(1, 10**5), w: Fraction(1, 3)}],
    },
    closed_form=MOVED,
    relation=at_least(),
    legs=[leg("training", movement, unit=1), LINEAR],
    rivals=[
        variant("t", closed_form=t, leg="training"),
        variant(
            "the second layer lost after a step",
            call=movement,
            fixed=True,
            leg="training",
            at=[{t: 12, eta: Fraction(1, 1000), w: Fraction(1, 4)}],
        ),
        *rivals_of(LINEAR, {"from t = C on": {"where": "t >= C"}}),
    ],
)
