r"""Appendix A.7.5: the two regularisers of the teacher.

Setting. m probability vectors over C classes; R_1 = sum_j q_j log q_j for their average q, R_2 the average of their
entropies; 0 log 0 = 0.

Statements. (1) R_1 >= -log C, with equality for the uniform average only: summed over j, q log(q C) >= q - 1/C is R_1
+ log C >= 0, and with u = q C it is u log u >= u - 1, strict but at u = 1. (2) 0 <= R_2 <= log C, and R_2 = 0 only if
each prediction is one-hot: -q log q > 0 inside (0, 1), and the average of entropies that are all at most log C.

Reference: (A.289)-(A.291), lines 4187-4224.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

TERM = formula_leg(
    "one class",
    typed("q*log(q*C) >= q - 1/C", over=["q in (0, 1]", "C in 2..oo"]),
    over="predictions",
)
STRICT = formula_leg(
    "equality",
    typed("u*log(u) > u - 1", over="u in (0, oo)", where="u != 1"),
    over="predictions C",
)

average = claim(
    "structured-teacher-average",
    states="structured-teacher-selection",
    title="Negative entropy of the average prediction",
    says=r"$R_1\ge-\ln C$, with equality only where the average prediction is uniform.",
    covers="R1-minimum",
    legs=[TERM, STRICT],
    rivals=[
        *rivals_of(TERM, {"log 2 for log C": "q*log(2*q) >= q - 1/C"}),
        *rivals_of(STRICT, {"everywhere": {"where": "u > 0"}}),
    ],
)

POSITIVE = formula_leg("inside", typed("-q*log(q) > 0", over="q in (0, 1)"), over="predictions")
SINGLE = formula_leg(
    "one class",
    typed("-q*log(q) <= q*log(C) - q + 1/C", over=["q in (0, 1]", "C in 2..oo"]),
    over="predictions",
)

single = claim(
    "structured-teacher-single",
    states="structured-teacher-selection",
    title="Mean entropy of single predictions",
    says=r"$0\le R_2\le\ln C$, and $R_2=0$ only where every prediction is one-hot.",
    covers="R2-range",
    legs=[POSITIVE, SINGLE],
    rivals=[
        *rivals_of(POSITIVE, {"the other sign": "q*log(q) > 0"}),
        *rivals_of(SINGLE, {"log C/2": "-q*log(q) <= q*log(C)/2 - q + 1/C"}),
    ],
)
