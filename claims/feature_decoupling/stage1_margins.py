r"""Theorem C.1: the two margins at T1 exclude each other, whichever T1 is meant.

Setting. c is c0 > 0, x = gamma c0; c1 = 2 + 2 (1 - gamma) c0, c2 = c1 - gamma c0. During the first stage all columns
of a neuron grow alike, so that alpha^2 at T1 over |w|^2 is the initial share of |M M^T w(0)|^2 times F = |M M^T
w|^2/|w|^2. A sure winner has at least the share c1 log d/d, one that is no potential winner less than c2 log d/d, and
both may come as close as they like. Dense parts stay and d/d1 -> 0, so that F -> 1 - 1/G where |w|^2 has grown by G.

Statements. (1) Bullet 2 is c1 F >= 2 (1 + x)^2, bullet 3 c2 F <= 2 (1 - x)^2. For 0 < gamma < 1, x < 9/5, no F has
both: c2 (1 + x)^2 > c1 (1 - x)^2. (2) With a margin e about a threshold B in place of gamma c0 about sqrt 2, both
hold for some B iff e <= (sqrt c1 - sqrt c2)/(sqrt c1 + sqrt c2), which is below x/8 for gamma <= 2/3.

Reference: Theorem C.1, lines 559-569; T1 on lines 182, 340, 559 and 642; c1, c2 on line 425. At gamma = 9/10, c0 = 1
the best margin is above x/8.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

C1 = "(2 + 2*(1 - g)*c)"
C2 = "(2 + 2*(1 - g)*c - g*c)"
WIDE = ["c in (0, oo)", "g in (0, 1)"]

EXCLUDED = formula_leg(
    "constants",
    typed(f"{C2}*(1 + g*c)**2 > {C1}*(1 - g*c)**2", over=WIDE, where="g*c < 9/5"),
    over="F",
)
# a is c2, b is c1: what bullet 2 gives for c2 F
CARRIED = formula_leg(
    "every F",
    typed(
        "a*F >= a*K/b", over=["a in (0, oo)", "b in (0, oo)", "K in R", "F in R"], where="b*F >= K"
    ),
    over="c0 gamma",
)
# x is gamma c0, below c0
POSITIVE = formula_leg(
    "c2 > 0", typed("2 + 2*c - 3*x > 0", over=["x in (0, 9/5)", "c in (x, oo)"]), over="F"
)
# a and b are sqrt(c1 F) and sqrt(c2 F)
BEST = formula_leg(
    "best margin",
    typed(
        "e <= (a - b)/(a + b)",
        over=["e in [0, 1)", "B in (0, oo)", "a in (0, oo)", "b in (0, oo)"],
        where=["a >= (1 + e)*B", "b <= (1 - e)*B"],
    ),
    over="c0 gamma F",
)
REACHED = formula_leg(
    "is reached",
    typed(
        "a == (1 + (a - b)/(a + b))*(a + b)/2 and b == (1 - (a - b)/(a + b))*(a + b)/2",
        over=["a in (0, oo)", "b in (0, oo)"],
    ),
    over="c0 gamma F",
)
SMALL = formula_leg(
    "an eighth",
    typed("(a - b)/(a + b) < (a**2 - b**2)/8", over=["b in (sqrt(2), oo)", "a in (b, oo)"]),
    over="c0 gamma F",
)
ABOVE_TWO = formula_leg(
    "c2 > 2", typed(f"{C2} > 2", over=["c in (0, oo)", "g in (0, 2/3)"]), over="F"
)

incompatible = claim(
    "decoupling-stage1-margins",
    states="decoupling-stage1-theorem",
    title="Bullets 2 and 3 exclude each other",
    says=r"No $F$ has $c_1F\ge2(1+\gamma c_0)^2$ and $c_2F\le2(1-\gamma c_0)^2$; the best common margin is "
    r"$\frac{\sqrt{c_1}-\sqrt{c_2}}{\sqrt{c_1}+\sqrt{c_2}}$, below $\gamma c_0/8$ for $\gamma<\frac23$.",
    role="derived",
    covers="margins-incompatible",
    reads={"c0": "c", "gamma": "g"},
    legs=[EXCLUDED, CARRIED, POSITIVE, BEST, REACHED, SMALL, ABOVE_TWO],
    rivals=[
        *rivals_of(
            EXCLUDED,
            {
                "an eighth of the margin": f"{C2}*(1 + g*c/9)**2 > {C1}*(1 - g*c/9)**2",
                "x beyond 9/5": {"over": ["c in (0, oo)", "g in (0, 2)"], "where": "g*c < 4"},
            },
        ),
        *rivals_of(
            CARRIED,
            {"a negative c2": {"over": ["a in (-oo, 0)", "b in (0, oo)", "K in R", "F in R"]}},
        ),
        *rivals_of(POSITIVE, {"gamma above 1": {"over": ["x in (0, 9/5)", "c in (0, oo)"]}}),
        *rivals_of(BEST, {"half of it": "e <= (a - b)/(2*(a + b))"}),
        *rivals_of(
            REACHED,
            {
                "at another threshold": "a == (1 + (a - b)/(a + b))*a and b == (1 - (a - b)/(a + b))*a"
            },
        ),
        *rivals_of(SMALL, {"a ninth": "(a - b)/(a + b) < (a**2 - b**2)/9"}),
        *rivals_of(ABOVE_TWO, {"gamma up to 1": {"over": WIDE}}),
    ],
)
