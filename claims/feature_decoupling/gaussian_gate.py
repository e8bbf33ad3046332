r"""Lemma F.1: the gradient of a unit on Gaussian noise, by Stein's identity.

Setting. x = M z + xi, h soft thresholding at b >= 0. Given z, u = <w, x> is Gaussian with mean mu = <w, M z> and
variance s^2 = s2 |w|^2, and <x, v> = <M z, v> + (<w, v>/|w|^2)(u - mu) plus a part that is independent of u.

Statements. (1) E h(u) = H(mu, s, b) and E h(u)(u - mu) = s^2 P(mu, s, b), P = P[|u| >= b]: hence E h <x, v> = E_z [H
<M z, v> + s2 <w, v> P], for dense v s2 <w, v> P[|<w, x>| >= b]. (2) For b = 0 it is <w, v>(q + s2) along a column,
<w, v> s2 beside them. (3) Printed for b > 0: <w, v> E [<x, v>^2 1{|u| >= b}]. False: for w = v beside the columns,
|w| = s2 = 1, that is E g^2 1{|g| >= b}, above E h(g) g = P[|g| >= b] by 2 b phi(b).

Reference: Lemma F.1, lines 1754-1764, where the left side has M_j for v.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

H = "(Max(u - b, 0) - Max(-u - b, 0))"
LAW = ["mu in R", "s > 0", "b >= 0", "u ~ N(mu, s**2)"]
UP, DOWN = "((mu - b)/s)", "((-mu - b)/s)"
PHI = "exp(-{x}**2/2)/sqrt(2*pi)"
MEAN_VALUE = (
    f"(mu - b)*Phi{UP} + s*{PHI.format(x=UP)} - ((-mu - b)*Phi{DOWN} + s*{PHI.format(x=DOWN)})"
)

MEAN = formula_leg("mean", typed(f"E[{H}] == {MEAN_VALUE}", over=LAW), over="w v")
STEIN = formula_leg(
    "Stein", typed(f"E[{H}*(u - mu)] == s**2*(Phi{UP} + Phi{DOWN})", over=LAW), over="w v"
)
# s^2/|w|^2 = s2
SCALE = formula_leg("regression on u", typed("c/n**2*(t*n)**2 == c*t**2", over=["c in R", "n > 0 real", "t > 0"]),
                    over="w b v")  # fmt: skip

stein = claim(
    "decoupling-stein",
    states="decoupling-noaug-gradient",
    title="The gradient without augmentation",
    says=r"$\mathbb E\,h(\langle w,x\rangle)\langle x,v\rangle=\mathbb E_z[H\langle Mz,v\rangle+\sigma_\xi^2\langle "
    r"w,v\rangle P]$ at $\mu=\langle w,Mz\rangle$, $s=\sigma_\xi\|w\|$.",
    role="corrected",
    corrects="decoupling-noaug-gradient-printed",
    covers="stein",
    legs=[MEAN, STEIN, SCALE],
    rivals=[
        *rivals_of(MEAN, {"hard thresholding": f"E[{H}] == {MEAN_VALUE} + b*(Phi{UP} - Phi{DOWN})"}),
        *rivals_of(STEIN, {
            "all of s^2": f"E[{H}*(u - mu)] == s**2",
            "half of the gate": f"E[{H}*(u - mu)] == s**2*Phi{UP}",
        }),
        *rivals_of(SCALE, {"n for n^2": "c/n*(t*n)**2 == c*t**2"}),
    ],
)  # fmt: skip

printed = claim(
    "decoupling-noaug-gradient-printed",
    states="decoupling-noaug-gradient",
    title="The gradient with bias as printed",
    says=r"$\mathbb E\,h(\langle w,x\rangle)\langle x,v\rangle=\langle w,v\rangle\mathbb E[\langle x,v\rangle^2\mathbf "
    r"1_{|\langle w,x\rangle|\ge b}]$.",
    covers="printed-bias",
    expect="fail",
    # w = v beside the columns
    legs=[formula_leg("an aligned neuron", typed(
        "E[(Max(g - b, 0) - Max(-g - b, 0))*g] == E[g**2] - E[Piecewise((g**2, g > -b and g < b), (0, True))]",
        over=["b in (0, oo)", "g ~ N(0, 1)"]), over="w v")],
)  # fmt: skip

COLUMN = formula_leg("along a column", typed(
    "E[(alpha*(R*B + g) + c*(S*C + h))*(R*B + g)] == alpha*(q + s**2)",
    over=["q in [0, 1]", "s > 0", "alpha in R", "c in R", "R, S ~ Rademacher", "B, C ~ Bernoulli(q)",
        "g, h ~ N(0, s**2)"]),
    over="w v")  # fmt: skip
BESIDE = formula_leg("beside the columns", typed(
    "E[(beta*g + c*(S*C + h))*g] == beta*s**2",
    over=["q in [0, 1]", "s > 0", "beta in R", "c in R", "S ~ Rademacher", "C ~ Bernoulli(q)", "g, h ~ N(0, s**2)"]),
    over="w v")  # fmt: skip

no_bias = claim(
    "decoupling-noaug-gradient",
    states="decoupling-noaug-gradient",
    title="The gradient without bias",
    says=r"$\mathbb E\langle w,x\rangle\langle x,v\rangle=\langle w,v\rangle\,\mathbb E\langle x,v\rangle^2$: $\langle "
    r"w,M_j\rangle(q+\sigma_\xi^2)$ and $\langle w,M_j^\perp\rangle\sigma_\xi^2$.",
    covers="zero-bias",
    legs=[COLUMN, BESIDE],
    rivals=[
        *rivals_of(COLUMN, {"the signal alone":
            "E[(alpha*(R*B + g) + c*(S*C + h))*(R*B + g)] == alpha*q"}),
        *rivals_of(BESIDE, {"with q": "E[(beta*g + c*(S*C + h))*g] == beta*(q + s**2)"}),
    ],
)  # fmt: skip
