r"""Equation (3.9), Lemma B.71 and Remarks 3.6, B.13: the symmetric start and its first step.

Setting. 4m neurons: i and i + 2m share w_i and b_i and have opposite a_i; i + m has -w_i, -b_i and -a_i. The first
step with lambda = 1/eta gives w_i = -eta l'(0) a_i G(w_i, b_i).

Statements. (1) The start's output is 0: terms i and i + 2m cancel. So l'(y g) = l'(0) on every example. (2) w_i =
-w_(i + 2m) after the step. (3) G(-w, -b) = E[yx] - G(w, b) where no input has <w, x> = b: one of the two indicators
is 1. So w_(i + m) = w_i + eta l'(0) a_i E[yx], and the two are equal if E[yx] = 0. (4) The factor 1 - eta lambda on
the old weight is 0.

Reference: lines 899-905, 7682-7700, 867, 5964.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

# one coordinate of x and of the gradient each
PAIR = typed("a*relu(u - b) + (-a)*relu(u - b) == 0", over=["a in R", "u in R", "b in R"])
OUTPUT = formula_leg("a pair", PAIR, over="draw x")
EXAMPLE = formula_leg("a pair", PAIR, over="draw x y")
UNPAIRED = {"the pair with -w and -b": "a*relu(u - b) + (-a)*relu(-u + b) == 0"}

zero = claim(
    "gradfeat-start-output",
    states="gradfeat-symmetric-init",
    title="The symmetric start has output 0",
    says=r"$g_0(x)=0$ for every draw and every $x$.",
    covers="zero-output",
    legs=[OUTPUT],
    rivals=rivals_of(OUTPUT, UNPAIRED),
)

slope = claim(
    "gradfeat-start-slope",
    states="gradfeat-remarks",
    title="Every example has the slope of the loss at 0",
    says=r"$\ell'(yg_0(x))=\ell'(0)$, exactly, for every draw and example.",
    covers="slope-at-start",
    legs=[EXAMPLE],
    rivals=rivals_of(EXAMPLE, UNPAIRED),
)

MIRROR = formula_leg(
    "opposite second layers",
    typed(
        "-eta*l0*a*G == -(-eta*l0*(-a)*G)", over=["eta in (0, oo)", "l0 in R", "a in R", "G in R"]
    ),
    over="i law draw",
)

mirrored = claim(
    "gradfeat-start-mirror",
    states="gradfeat-symmetric-init",
    title="The first step of the third group",
    says=r"$w_i^{(1)}=-w_{i+2m}^{(1)}$ for every law and draw.",
    covers="mirror-2m",
    legs=[MIRROR],
    rivals=rivals_of(MIRROR, {"equal": "-eta*l0*a*G == -eta*l0*(-a)*G"}),
)

# of <w, x> = u > b and <-w, x> > -b exactly one holds
BOTH = typed(
    "(-u > -b or u > b) and (-u <= -b or u <= b)", over=["u in R", "b in R"], where="u != b"
)
WRONG = {
    "ties": {"where": "u <= b"},
    "the same bias": "(-u > b or u > b) and (-u <= b or u <= b)",
}
SIDES = formula_leg("one of two sides", BOTH, over="law i")
STEP = formula_leg(
    "the step",
    typed(
        "-eta*l0*(-a)*(E1 - G) == -eta*l0*a*G + eta*l0*a*E1",
        over=["eta in R", "l0 in R", "a in R", "G in R", "E1 in R"],
    ),
    over="law i",
)

group = claim(
    "gradfeat-start-second-group",
    states="gradfeat-symmetric-init",
    title="The first step of the second group",
    says=r"$w_{i+m}^{(1)}=w_i^{(1)}+\eta\ell'(0)a_i\mathbb E[yx]$, so they are equal where $\mathbb E[yx]=0$.",
    covers="mirror-m",
    legs=[SIDES, STEP],
    rivals=[
        *rivals_of(SIDES, WRONG),
        *rivals_of(STEP, {"without the mean": "-eta*l0*(-a)*(E1 - G) == -eta*l0*a*G"}),
    ],
)

SIGN = formula_leg("one of two sides", BOTH, over="w law")

bias_sign = claim(
    "gradfeat-mixture-bias-sign",
    states="gradfeat-mog-features",
    title="The gradient under both signs of the bias",
    says=r"$G(-w,-b)=\mathbb E[yx]-G(w,b)$ without ties.",
    covers="bias-sign",
    legs=[SIGN],
    rivals=rivals_of(SIGN, WRONG),
)

FORGET = formula_leg(
    "factor", typed("(1 - eta*(1/eta))*w == 0", over=["eta in (0, oo)", "w in R"]), over="state"
)

forget = claim(
    "gradfeat-start-forgotten",
    states="gradfeat-remarks",
    title="The first step forgets the initial weights",
    says=r"$(1-\eta\lambda)w^{(0)}=0$ at $\lambda=1/\eta$.",
    covers="forget-B13",
    legs=[FORGET],
    rivals=rivals_of(FORGET, {"lambda = 1": "(1 - eta)*w == 0"}),
)
