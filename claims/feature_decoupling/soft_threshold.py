r"""The symmetrised unit h = ReLU(u - b) - ReLU(-u - b), and its split along one column (Definition E.4).

Setting. b >= 0, u = <w, x>, a = <w, M_j> z_j, so that u - a is the pre-activation without column j.

Statements. (1) h is soft thresholding, sign(u) max(|u| - b, 0). (2) With psi = (a - b) 1{u > b} + (a + b) 1{u < -b}
and phi = (u - a) (1{u > b} + 1{u < -b}), psi + phi = h. (3) Printed with a minus before both lower branches: false,
at u = -1, a = b = 0 that sum is 1 and h = -1. The printed sum is |h| everywhere.

Reference: lines 128-132 and 1205-1213.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

H = "(Max(u - b, 0) - Max(-u - b, 0))"
ANY = ["a in R", "b in [0, oo)", "u in R"]
PSI = "Piecewise((a - b, u > b), (a + b, u < -b), (0, True))"
PHI = "Piecewise((u - a, u > b), (u - a, u < -b), (0, True))"
PRINTED_PSI = "Piecewise((a - b, u > b), (-(a + b), u < -b), (0, True))"
PRINTED_PHI = "Piecewise((u - a, u > b), (-(u - a), u < -b), (0, True))"

ABOVE = formula_leg(
    "u >= 0", typed(f"{H} == Max(abs(u) - b, 0)", over=["b in [0, oo)", "u in [0, oo)"])
)
BELOW = formula_leg(
    "u <= 0", typed(f"{H} == -Max(abs(u) - b, 0)", over=["b in [0, oo)", "u in (-oo, 0]"])
)

soft = claim(
    "decoupling-soft-threshold",
    states="decoupling-loss-gradient",
    title="The unit is soft thresholding",
    says=r"$\mathrm{ReLU}(u-b)-\mathrm{ReLU}(-u-b)=\operatorname{sign}(u)\max(|u|-b,0)$ for $b\ge0$.",
    role="derived",
    covers="soft-threshold",
    legs=[ABOVE, BELOW],
    rivals=[
        *rivals_of(
            ABOVE,
            {
                "hard thresholding": f"{H} == Piecewise((u, u > b), (0, True))",
                "negative biases": {"over": ["b in (-1, oo)", "u in [0, oo)"]},
            },
        ),
        *rivals_of(BELOW, {"an even function": f"{H} == Max(abs(u) - b, 0)"}),
    ],
)

printed = formula(
    "decoupling-split-printed",
    states="decoupling-gradient-expansion",
    title="The split with the printed signs",
    covers="printed-split",
    reads={"x": "u", "w": "u", "j": "a"},
    expect="fail",
    says=f"{PRINTED_PSI} + {PRINTED_PHI} == {H}",
    over=ANY,
)

split = formula(
    "decoupling-split",
    states="decoupling-gradient-expansion",
    title="The split with plus signs on the lower branches",
    role="corrected",
    corrects="decoupling-split-printed",
    covers="split-h",
    reads={"x": "u", "w": "u", "j": "a"},
    says=f"{PSI} + {PHI} == {H}",
    over=ANY,
    rivals={
        "a minus before phi's lower branch": f"{PSI} + {PRINTED_PHI} == {H}",
        "a minus before psi's lower branch": f"{PRINTED_PSI} + {PHI} == {H}",
        "negative biases": {"over": ["a in R", "b in [-1, 0)", "u in R"]},
    },
)

absolute = formula(
    "decoupling-split-absolute",
    states="decoupling-gradient-expansion",
    title="What the printed signs add up to",
    role="corrected",
    corrects="decoupling-split-printed",
    covers="printed-split",
    reads={"x": "u", "w": "u", "j": "a"},
    says=f"{PRINTED_PSI} + {PRINTED_PHI} == abs({H})",
    over=ANY,
    rivals={"h itself": f"{PRINTED_PSI} + {PRINTED_PHI} == {H}"},
)
