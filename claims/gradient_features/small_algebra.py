r"""Section B.3.2, Theorem B.69 and Algorithm 4: small pieces of algebra.

Statements. (1) A winning ticket has r ceil(sqrt(mp)) <= 2 r sqrt(mp) neurons after sub-selection. (2) T = L |a_1 -
a~|^2/eps with L = C m and |a_1 - a~|^2 = D m is C D m^2/eps. (3) The second phase of Algorithm 4 is convex: the output
is linear in a.

Reference: lines 5535-5541, 5551-5557, 7622-7660.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed


def two():
    """The constant of the count."""
    return 2


# x = sqrt(mp)
TICKET = formula_leg(
    "count",
    typed("ceil(x) <= x + 1 and r*(x + 1) <= 2*r*x", over=["r in 1..oo", "x in [1, oo)"]),
    gives="C",
    chosen_by=two,
)

ticket = claim(
    "gradfeat-lottery-size",
    states="gradfeat-lottery-ticket",
    title="Size of a winning ticket",
    says=r"$|U|=r\lceil\sqrt{mp}\rceil\le2r\sqrt{mp}$ for $mp\ge1$.",
    covers="size",
    reads={"m": "x", "p": "x"},
    legs=[TICKET],
    rivals=rivals_of(TICKET, {"constant 3/2": "ceil(x) <= x + 1 and r*(x + 1) <= 3*r*x/2"}),
)

horizon = formula(
    "gradfeat-multi-index-horizon",
    states="gradfeat-multi-index-main",
    title="The horizon for multi-index targets",
    covers="T-algebra",
    says="(C*m)*(D*m)/eps == C*D*m**2/eps",
    over=["m in (0, oo)", "eps in (0, oo)", "C in (0, oo)", "D in (0, oo)"],
    rivals={"m": "(C*m)*(D*m)/eps == C*D*m/eps"},
)

LINEAR = formula_leg(
    "linear in a",
    typed(
        "(s*a + (1 - s)*c)*f == s*(a*f) + (1 - s)*(c*f)",
        over=["s in [0, 1]", "a in R", "c in R", "f in R"],
    ),
    over="Z W1 b loss",
)

convex = claim(
    "gradfeat-second-phase-convex",
    states="gradfeat-alg-one-step",
    title="The second phase is convex",
    says=r"The output is linear in $a$, so that a convex loss of it is convex in $a$.",
    covers="convex",
    legs=[LINEAR],
    rivals=rivals_of(
        LINEAR, {"quadratic in a": "(s*a + (1 - s)*c)**2*f == s*(a**2*f) + (1 - s)*(c**2*f)"}
    ),
)
