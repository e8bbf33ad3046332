r"""Lemmas A.6 and A.32: gradients of the smoothed, class-weighted hinge.

Setting. Loss E[alpha_y max(0, 1 - y g)], g = sum a_i E sigma(z_i + xi), z_i = <w_i, x> + b_i, xi ~ N(0, s^2), sigma
the truncated ReLU; alpha = 1 for the plain loss. The expectation over xi is inside g: the hinge's indicator is a
function of x.

Statements. (1) Off y g = 1 the hinge is linear in the margin near it, with slope -1 below 1 and 0 above. (2) g is
linear in a_i. (3) A step u in z changes sigma(z + xi) by u 1[z + xi in (0, 1)] but where z + xi is within |u| of 0 or
1, and then by |u| more at most; that has probability at most 4 |u|/(s sqrt(2 pi)), so that the slope of E sigma(z +
xi) is P[z + xi in (0, 1)] = Phi((1 - z)/s) - Phi(-z/s). A step t in w_j moves z by t x_j, in b by t. With (1) and the
mean over the law:

    d/dw = -a E[alpha_y y 1[y g <= 1] P[z + xi in (0, 1)] x],    d/db the same without x,
    d/da = -E[alpha_y y 1[y g <= 1] E sigma(z + xi)].

(4) Both texts print the gradient in b with 1[z in (0, 1)], without xi: false for every s > 0.

Reference: Lemma A.6, lines 2975-2985; Lemma A.32, lines 4446-4454.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

# alpha is the class weight and y c the change of the margin
BELOW = typed(
    "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -alpha*y*c",
    over=["m in (-oo, 1)", "y in {-1, 1}", "c in [m - 1, 1 - m]", "alpha > 0"],
)
ABOVE = typed(
    "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == 0",
    over=["m in (1, oo)", "y in {-1, 1}", "c in [1 - m, m - 1]", "alpha > 0"],
)
LINEAR = typed(
    "(a + t)*h + r - (a*h + r) == t*h", over=["a in R", "t in R", "h in [0, 1]", "r in R"]
)
# v = z + xi
GATE = "Piecewise((1, 0 < v and v < 1), (0, True))"
NEAR = "Piecewise((1, abs(v) <= abs(u) or abs(v - 1) <= abs(u)), (0, True))"
STEP = "Min(1, Max(0, v + u)) - Min(1, Max(0, v))"
SLOPE = typed(f"abs({STEP} - u*{GATE}) <= abs(u)*{NEAR}", over=["u in R", "v in R"])
RARE = typed(
    "P[abs(z + s*g) <= u] <= 2*u/(s*sqrt(2*pi))",
    over=["z in R", "u in [0, oo)", "s > 0", "g ~ N(0, 1)"],
)
OPENED = "P[0 < z + s*g and z + s*g < 1]"
OPEN = typed(f"{OPENED} == Phi((1 - z)/s) - Phi(-z/s)", over=["z in R", "s > 0", "g ~ N(0, 1)"])
BOTH = ["structured-gradient-formulas", "structured-general-gradient"]


def hinge(over):
    """Legs on the loss as a function of the margin, and what they have to refute."""
    below = formula_leg("margin below 1", BELOW, over=over)
    above = formula_leg("margin above 1", ABOVE, over=over)
    wrong = {
        "without the label": "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -alpha*c",
        "without the weight": "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -y*c",
    }
    nearer = {"over": ["m in (0, oo)", "y in {-1, 1}", "c in [-m, m]", "alpha > 0"]}
    return [below, above], [*rivals_of(below, wrong), *rivals_of(above, {"above 0": nearer})]


def gate(over):
    """Legs on the smoothed activation as a function of the pre-activation."""
    slope = formula_leg("activation", SLOPE, over=over)
    rare = formula_leg("near a kink", RARE, over=over)
    opened = formula_leg("open with probability", OPEN, over=over)
    everywhere = f"abs({STEP} - u*Piecewise((1, 0 < v), (0, True))) <= abs(u)*{NEAR}"
    return [slope, rare, opened], [
        *rivals_of(slope, {"no truncation": everywhere}),
        *rivals_of(rare, {"half": "P[abs(z + s*g) <= u] <= u/(s*sqrt(2*pi))"}),
        *rivals_of(opened, {"open above 0": f"{OPENED} == 1 - Phi(-z/s)"}),
    ]


def linear(over):
    """The network as a function of one read-out."""
    read_out = formula_leg("in the read-out", LINEAR, over=over)
    return [read_out], rivals_of(read_out, {"twice": "(a + t)*h + r - (a*h + r) == 2*t*h"})


def parts(over, *kinds):
    """Legs and rivals of a gradient."""
    found = [kind(over) for kind in kinds]
    return {
        "legs": [x for legs, _ in found for x in legs],
        "rivals": [x for _, wrong in found for x in wrong],
    }


weight = claim(
    "structured-gradient-weight",
    states=BOTH,
    title="Gradient in a weight",
    says=r"$\partial_wL=-a\,\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]\,x]$ for all "
    r"parameters and "
    "laws, with and without class weights.",
    covers=[f"{statement}/w-gradient" for statement in BOTH],
    **parts("parameters law i", hinge, linear, gate),
)

bias = claim(
    "structured-gradient-bias",
    states=BOTH,
    title="Gradient in a bias",
    says=r"$\partial_bL=-a\,\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]]$ for all parameters and "
    "laws, with and without class weights.",
    role="corrected",
    corrects="structured-gradient-bias-printed",
    covers="b-gradient",
    **parts("parameters", hinge, linear, gate),
)

read_out = claim(
    "structured-gradient-readout",
    states=BOTH,
    title="Gradient in a read-out",
    says=r"$\partial_aL=-\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\mathbb{E}_\xi\sigma(z+\xi)]$ for all "
    r"parameters and "
    "laws, with and without class weights.",
    covers=[f"{statement}/a-gradient" for statement in BOTH],
    **parts("parameters", hinge, linear),
)

printed = formula(
    "structured-gradient-bias-printed",
    states=BOTH,
    title="Gradient in a bias, as printed",
    # one input, margin below 1, read-out and label 1
    says="Phi((1 - z)/s) - Phi(-z/s) == Piecewise((1, 0 < z and z < 1), (0, True))",
    over=["z in R", "s > 0"],
    expect="fail",
    covers=[f"{statement}/b-gradient-printed" for statement in BOTH],
    reads={"parameters": "z", "sig_xi": "s"},
)
