r"""Theorems B.11 and B.23: the hyper-parameters of the main theorems.

Setting. All constants hidden in Theta are 1. eta = eps/(U V), U = sqrt r B_a2 B_b B_x1 (mp)^(-1/4) + m b~, V =
sqrt(log m) B_x1 (mp)^(1/4)/sqrt(B_b B_G) + 1, T = 1/(eta B_x1 (mp)^(1/4)); b~ is B_G^(1/4) B_a2 B_b^(3/4) over
sqrt(r) B_a1 in print, over sqrt(r B_a1) here.

Statements. (1) T is the printed (3.11), and T eta B_x1 = (mp)^(-1/4). (2) With b~ as here the comparator term B_a2^2
B_b^2 B_x1/(b~^2 (mp)^(1/4)) is r B_a1 B_x1 (mp)^(-1/4) sqrt(B_b/B_G), the construction's gap up to its factor 2; with
b~ as printed it is B_a1 times that, and no constant bounds B_a1. (3) With b~ as here B_x m b~^2 log m
(mp)^(1/2)/(B_b B_G) is the first term of the sample size, as printed.

Reference: lines 5897-5909, 907-915, 6132-6183.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

SIZES = ["m in 2..oo", "p in (0, 1]", "r in 1..oo"]
BOUNDS = ["Ba1 in (0, oo)", "Ba2 in (0, oo)", "Bb in (0, oo)", "BG in (0, oo)"]
BIAS = "(BG**(1/4)*Ba2*Bb**(3/4)/sqrt(r*Ba1))"
WRONG_BIAS = "(BG**(1/4)*Ba2*Bb**(3/4)/(sqrt(r)*Ba1))"
# K = sqrt r B_a2 B_b, S = sqrt(B_b B_G); (3.11) is written out beside the step of (B.100)
ETA = "(eps/((K*B/(m*p)**(1/4) + m*b)*(sqrt(log(m))*B*(m*p)**(1/4)/S + 1)))"
HORIZON = "(1/eps)*(K*B/(m*p)**(1/4) + m*b)*(sqrt(log(m))/S + 1/(B*(m*p)**(1/4)))"
T = f"(1/({ETA}*B*(m*p)**(1/4)))"

horizon = formula(
    "gradfeat-horizon-forms",
    states="gradfeat-population-main",
    title="The two forms of the horizon",
    covers="T-eta-identity",
    reads={"parameters": "m p K S B b eps"},
    says=f"{T} == {HORIZON} and {T}*{ETA}*B == (m*p)**(-1/4)",
    over=[
        "m in 2..oo",
        "p in (0, 1]",
        "K in (0, oo)",
        "S in (0, oo)",
        "B in (0, oo)",
        "b in (0, oo)",
        "eps in (0, 1)",
    ],
    rivals={
        "(mp)^(1/4) in the last term": f"{T} == (1/eps)*(K*B/(m*p)**(1/4) + m*b)"
        "*(sqrt(log(m))/S + (m*p)**(1/4)/B)",
        "(mp)^(1/2) in the first factor": f"{T} == (1/eps)*(K*B/(m*p)**(1/2) + m*b)"
        "*(sqrt(log(m))/S + 1/(B*(m*p)**(1/4)))",
        "T eta B = (mp)^(-1/2)": f"{T}*{ETA}*B == (m*p)**(-1/2)",
    },
)

COMPARATOR = "B*Ba2**2*Bb**2/({bias}**2*(m*p)**(1/4))"
GAP = "r*Ba1*B*(m*p)**(-1/4)*sqrt(Bb/BG)"
POSITIVE = [*SIZES, *BOUNDS, "B in (0, oo)"]

printed_bias = formula(
    "gradfeat-bias-choice-printed",
    states="gradfeat-population-main",
    title="The printed bias leaves a factor",
    expect="fail",
    covers="bias-choice",
    reads={"parameters": "m p r Ba1 Ba2 Bb BG B"},
    says=f"{COMPARATOR.format(bias=WRONG_BIAS)} == {GAP}",
    over=POSITIVE,
)

ALIKE = formula_leg("both terms", typed(f"{COMPARATOR.format(bias=BIAS)} == {GAP}", over=POSITIVE))
FACTOR = formula_leg(
    "factor of the printed bias",
    typed(f"{COMPARATOR.format(bias=WRONG_BIAS)} == Ba1*{GAP}", over=POSITIVE),
)

bias = claim(
    "gradfeat-bias-choice",
    states="gradfeat-population-main",
    title="The bias makes both terms alike",
    says=r"With $\tilde b=B_G^{1/4}B_{a2}B_b^{3/4}/\sqrt{rB_{a1}}$ the comparator term is the gap; with "
    r"$\sqrt rB_{a1}$ below it is $B_{a1}$ times the gap.",
    role="corrected",
    corrects="gradfeat-bias-choice-printed",
    covers="bias-choice",
    reads={"parameters": "m p r Ba1 Ba2 Bb BG B"},
    legs=[ALIKE, FACTOR],
    rivals=[
        *rivals_of(
            ALIKE,
            {
                "sqrt(r) B_a1": f"{COMPARATOR.format(bias=WRONG_BIAS)} == {GAP}",
                "B_G/B_b": f"{COMPARATOR.format(bias=BIAS)} == r*Ba1*B*(m*p)**(-1/4)*sqrt(BG/Bb)",
            },
        ),
        *rivals_of(
            FACTOR, {"its root": f"{COMPARATOR.format(bias=WRONG_BIAS)} == sqrt(Ba1)*{GAP}"}
        ),
    ],
)

samples = formula(
    "gradfeat-sample-size-algebra",
    states="gradfeat-main-theorem",
    title="The first term of the sample size",
    covers="n-algebra",
    reads={"parameters": "m p r Ba1 Ba2 Bb BG Bx"},
    says=f"Bx*m*{BIAS}**2*log(m)*(m*p)**(1/2)/(Bb*BG)"
    " == m*Bx*Ba2**2*sqrt(Bb)*(m*p)**(1/2)*log(m)/(r*Ba1*sqrt(BG))",
    over=[*SIZES, *BOUNDS, "Bx in (0, oo)"],
    rivals={
        "sqrt(r) B_a1": f"Bx*m*{WRONG_BIAS}**2*log(m)*(m*p)**(1/2)/(Bb*BG)"
        " == m*Bx*Ba2**2*sqrt(Bb)*(m*p)**(1/2)*log(m)/(r*Ba1*sqrt(BG))",
        "the bias once": f"Bx*m*{BIAS}*log(m)*(m*p)**(1/2)/(Bb*BG)"
        " == m*Bx*Ba2**2*sqrt(Bb)*(m*p)**(1/2)*log(m)/(r*Ba1*sqrt(BG))",
    },
)
