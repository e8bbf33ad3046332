"""Lemma E.3: the laws of one coordinate.

Setting. An invariant coordinate is uniform on [0, 1]. An environmental one is uniform on [0, 1] with probability
1/2 + gamma and on [-1, 0] with probability 1/2 - gamma, gamma in (-1/2, 1/2); the shifted law has -gamma.

Statement. The first has density 1 on [0, 1], mean 1/2 and variance 1/12. The second has density 1/2 - gamma on
[-1, 0) and 1/2 + gamma on [0, 1], mean gamma and variance 1/3 - gamma^2. That the densities are the laws is seen
on intervals: P[z <= x] from the mixture against the integral of the density.

Reference: Lemma E.3, lines 9094-9102. Printed there "for any j in the reals": the set R of coordinates is meant.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, typed, variant

BIAS = "gamma in (-1/2, 1/2)"
SECOND = "(1/2 - gamma)*Integral(x**2, (x, -1, 0)) + (1/2 + gamma)*Integral(x**2, (x, 0, 1))"

invariant = claim(
    "nuclear-invariant-law",
    states="nuclear-coordinate-density",
    title="An invariant coordinate",
    says="The density 1 on $[0, 1]$ has total 1, mean 1/2 and variance 1/12, and gives $[0, t]$ "
    "the mass $t$.",
    covers="invariant-law",
    legs=[
        formula_leg("mass", typed("Integral(1, (x, 0, t)) == t", over="t in [0, 1]"), over="j"),
        formula_leg("mean", typed("Integral(x, (x, 0, t)) == t**2/2", over="t in [0, 1]"), over="j"),
        formula_leg("variance", typed(
            "Integral((x - 1/2)**2, (x, 1/2 - t, 1/2 + t)) == 2*t**3/3", over="t in [0, 1/2]"),
            over="j"),
    ],
    rivals=[
        variant("mass t/2", leg="mass",
                simulation=typed("Integral(1, (x, 0, t)) == t/2", over="t in [0, 1]")),
        variant("mean 1/3", leg="mean",
                simulation=typed("Integral(x, (x, 0, t)) == t**2/3", over="t in [0, 1]")),
        variant("variance 1/3", leg="variance", simulation=typed(
            "Integral((x - 1/2)**2, (x, 1/2 - t, 1/2 + t)) == 8*t**3/3", over="t in [0, 1/2]")),
    ],
)  # fmt: skip

environment = claim(
    "nuclear-environment-law",
    states="nuclear-coordinate-density",
    title="An environmental coordinate",
    says=r"The density $1/2 - \gamma$ on $[-1, 0)$, $1/2 + \gamma$ on $[0, 1]$ has mass 1, mean "
    r"$\gamma$, variance $1/3 - \gamma^2$.",
    covers="environment-law",
    legs=[
        formula_leg("mass", typed(
            "Integral(1/2 - gamma, (x, -1, 0)) + Integral(1/2 + gamma, (x, 0, 1)) == 1", over=BIAS),
            over="j"),
        formula_leg("mean", typed(
            "Integral((1/2 - gamma)*x, (x, -1, 0)) + Integral((1/2 + gamma)*x, (x, 0, 1)) == gamma",
            over=BIAS), over="j"),
        formula_leg("variance", typed(f"{SECOND} - gamma**2 == 1/3 - gamma**2", over=BIAS), over="j"),
    ],
    rivals=[
        variant("the two densities exchanged on one side", leg="mass", simulation=typed(
            "Integral(1/2 + gamma, (x, -1, 0)) + Integral(1/2 + gamma, (x, 0, 1)) == 1", over=BIAS)),
        variant("mean 2 gamma", leg="mean", simulation=typed(
            "Integral((1/2 - gamma)*x, (x, -1, 0)) + Integral((1/2 + gamma)*x, (x, 0, 1)) == 2*gamma",
            over=BIAS)),
        variant("variance 1/3", leg="variance",
                simulation=typed(f"{SECOND} - gamma**2 == 1/3", over=BIAS)),
        variant("variance 1/12", leg="variance",
                simulation=typed(f"{SECOND} - gamma**2 == 1/12", over=BIAS)),
    ],
)  # fmt: skip
