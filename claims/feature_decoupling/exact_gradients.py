r"""Lemmas A.2, A.3, B.5, B.6, D.3, D.4: the Gaussian parts of gradients and firing rates, integrated.

Setting. Given the code z and the mask D the views 2 D x and 2 (I - D) x have disjoint noises: u' = <w, x+> and u'' =
<w, x++> are independent Gaussians, means mu', mu'' and deviations s', s'', s' = 2 sigma |D w|; <2 D xi, v> is (4 s2
w^T D v/s'^2)(u' - mu') plus a part that is independent of u'. H, P, Dp: mean of h(u), P[|u| >= b], density at b less
that at -b.

Statements. E h(u) = H, P[|u| >= b] = P, E 1{|u| >= b}(u - mu) = s^2 Dp in closed form, so that the sparse
gradient is E_(D, z) [z_j H'' P'], the noise's part E_(D, z) [H'' Dp' 4 s2 w^T D v], the firing rate at lambda b E_(D,
z) P'(lambda b), with or without some columns in z.

Reference: lines 370-384, 529-555, 766-786 and 905-911.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

H = "(Max(u - b, 0) - Max(-u - b, 0))"
LAW = ["mu in R", "s > 0", "b >= 0", "u ~ N(mu, s**2)"]
UP, DOWN = "((mu - b)/s)", "((-mu - b)/s)"
DENSITY_UP, DENSITY_DOWN = f"exp(-{UP}**2/2)/sqrt(2*pi)", f"exp(-{DOWN}**2/2)/sqrt(2*pi)"
MEAN = typed(
    f"E[{H}] == (mu - b)*Phi{UP} + s*{DENSITY_UP} - ((-mu - b)*Phi{DOWN} + s*{DENSITY_DOWN})",
    over=LAW,
)
RATE = typed(f"P[u >= b] + P[u <= -b] == Phi{UP} + Phi{DOWN}", over=LAW)
SLOPE = typed(
    f"E[u - mu] - E[Piecewise((u - mu, u > -b and u < b), (0, True))] == s*({DENSITY_UP} - {DENSITY_DOWN})",
    over=LAW,
)
WRONG_MEAN = {
    "hard thresholding":
    f"E[{H}] == mu*Phi{UP} + s*{DENSITY_UP} - (-mu*Phi{DOWN} + s*{DENSITY_DOWN})",
}  # fmt: skip
WRONG_RATE = {"one side": f"P[u >= b] + P[u <= -b] == Phi{UP}"}
WRONG_SLOPE = {
    "the sum of the densities":
    f"E[u - mu] - E[Piecewise((u - mu, u > -b and u < b), (0, True))] == s*({DENSITY_UP} + {DENSITY_DOWN})",
}  # fmt: skip


def gaussian_part(statement, name, over):
    return formula_leg(name, statement, over=over)


SPARSE = [gaussian_part(MEAN, "mean of the unit", "w b"), gaussian_part(RATE, "open gates", "w b")]

sparse = claim(
    "decoupling-exact-sparse",
    states=["decoupling-stage2-sparse-gradient", "decoupling-lucky-gradient-sketch"],
    title="The gradient along a column, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}z_j=\mathbb E_{D,z}[z_jH(\mu'',s'',b)P(\mu',s',b)]$.",
    role="derived",
    covers=["decoupling-stage2-sparse-gradient/exact", "decoupling-lucky-gradient-sketch/exact"],
    legs=SPARSE,
    rivals=[
        *rivals_of(SPARSE[0], WRONG_MEAN),
        *rivals_of(SPARSE[1], WRONG_RATE),
    ],
)  # fmt: skip

NOISE = [gaussian_part(MEAN, "mean of the unit", "w v b sigma"), gaussian_part(SLOPE, "noise at the gate",
    "w v b sigma"),
         gaussian_part(RATE, "open gates", "w v b sigma")]  # fmt: skip

dense = claim(
    "decoupling-exact-dense",
    states="decoupling-dense-gradient-sketch",
    title="The gradient along a dense direction, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle x^+,v\rangle=\mathbb E_{D,z}[H''(\Delta "
    r"p'\,4\sigma_\xi^2w^\top Dv+P'"
    r"v^\top2DMz)]$.",
    role="derived",
    covers="exact",
    legs=NOISE,
    rivals=[
        *rivals_of(NOISE[0], WRONG_MEAN),
        *rivals_of(NOISE[1], WRONG_SLOPE),
        *rivals_of(NOISE[2], WRONG_RATE),
    ],
)

PART = [
    gaussian_part(MEAN, "mean of the unit", "w v b"),
    gaussian_part(SLOPE, "noise at the gate", "w v b"),
]

noise = claim(
    "decoupling-exact-noise",
    states="decoupling-stage2-dense-gradient",
    title="The noise's part of the gradient, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle2D\xi,v\rangle=\mathbb E_{D,z}[H''\,\Delta "
    r"p'\,4\sigma_\xi^2w^\top Dv]$.",
    role="derived",
    covers="exact",
    legs=PART,
    rivals=[*rivals_of(PART[0], WRONG_MEAN), *rivals_of(PART[1], WRONG_SLOPE)],
)

FIRES = gaussian_part(RATE, "open gates", "w b lambda N_i")

fires = claim(
    "decoupling-exact-firing",
    states=["decoupling-activation-prob-stage2", "decoupling-activation-prob-stage3"],
    title="Firing rates, integrated",
    says=r"$\Pr[|\langle w,x^+\rangle|\ge\lambda b]=\mathbb E_{D,z}P(\mu',s',\lambda b)$, for all columns "
    r"of $z$ or those outside "
    r"of $\mathcal N_i$.",
    role="derived",
    covers=[
        "decoupling-activation-prob-stage2/exact-average",
        "decoupling-activation-prob-stage3/formula",
    ],
    legs=[FIRES],
    rivals=rivals_of(FIRES, WRONG_RATE),
)
