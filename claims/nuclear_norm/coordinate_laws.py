"""Lemma E.3: the laws of one coordinate.

Setting. An invariant coordinate is uniform on [0, 1]. An environmental one is uniform on [0, 1] with probability
1/2 + gamma and on [-1, 0] with probability 1/2 - gamma, gamma in (-1/2, 1/2); the shifted law has -gamma.

Statement. The first has density 1 on [0, 1], mean 1/2 and variance 1/12. The second has density 1/2 - gamma on
[-1, 0) and 1/2 + gamma on [0, 1], mean gamma and variance 1/3 - gamma^2. That the densities are the laws is seen
on intervals: P[z <= x] from the mixture against the integral of the density.

Reference: Lemma E.3, lines 9094-9102. Printed there "for any j in the reals": the set R of coordinates is meant.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, exactly, formula_leg, integers, leg, reaching, reals, typed, variant
from theorycheck.claims.statistic import mean
from theorycheck.claims.tails import bounded

d, r, j = sp.symbols("d r j", integer=True, positive=True)
t = sp.Symbol("t", positive=True)
gamma = sp.Symbol("gamma", real=True)


def drawn(ns, rng, size, r, d, gamma):
    """z of the training law: r invariant coordinates, d - r environmental ones. Shape (size, d)."""
    u = rng.uniform((size, d))
    agrees = ns.number(rng.uniform((size, d)) < ns.asarray(gamma + Fraction(1, 2)))
    return ns.concat([u[:, :r], (u * (2 * agrees - 1))[:, r:]], axis=1)


def up_to(ns, rng, size, r, d, j, t):
    """z_j where it is at most t, else 0, for j in R. Shape (size,)."""
    z = drawn(ns, rng, size, r, d, Fraction(1, 5))[:, j - 1]
    return z * ns.number(z <= ns.asarray(t))


def of_the_last(ns, rng, size, r, d, j, t):
    """Of an environmental coordinate."""
    return up_to(ns, rng, size, r, d, d, t)


def squared_deviation(ns, rng, size, r, d, j, gamma):
    """(z_j - gamma)^2 for j in U. Shape (size,)."""
    return (drawn(ns, rng, size, r, d, gamma)[:, j - 1] - ns.asarray(gamma)) ** 2


def of_the_first(ns, rng, size, r, d, j, gamma):
    """Of an invariant coordinate."""
    return squared_deviation(ns, rng, size, r, d, 1, gamma)


FIRST = t**2 / 2
SPREAD = sp.Rational(1, 3) - gamma**2
HALF = Fraction(1, 2)

BIAS = "gamma in (-1/2, 1/2)"
SECOND = "(1/2 - gamma)*Integral(x**2, (x, -1, 0)) + (1/2 + gamma)*Integral(x**2, (x, 0, 1))"

INVARIANT = [
    formula_leg("mass", typed("Integral(1, (x, 0, t)) == t", over="t in [0, 1]"), over="j"),
    formula_leg("mean", typed(f"Integral(x, (x, 0, t)) == {FIRST}", over="t in [0, 1]"), over="j"),
    formula_leg(
        "variance",
        typed("Integral((x - 1/2)**2, (x, 1/2 - h, 1/2 + h)) == 2*h**3/3", over="h in [0, 1/2]"),
        over="j",
    ),
]

invariant = claim(
    "nuclear-invariant-law",
    states="nuclear-coordinate-density",
    title="An invariant coordinate",
    says="The density 1 on $[0, 1]$ has total 1, mean 1/2 and variance 1/12, and gives $[0, t]$ "
    "the mass $t$.",
    covers="invariant-law",
    lhs=r"\mathbb E[z_j\,1_{z_j\le t}]",
    tex=r"\frac{t^2}2",
    domain={r: integers(1), d: integers(2), j: integers(1), t: reals(0, 1, low_open=True)},
    where=sp.And(r < d, j <= r),
    grid={
        "smoke": [{r: 2, d: 3, j: 1, t: 1}, {r: 3, d: 5, j: 3, t: Fraction(3, 5)}],
        "standard": [
            {r: 4, d: 6, j: k, t: s} for k in (1, 4) for s in (Fraction(1, 3), Fraction(9, 10))
        ],
    },
    closed_form=FIRST,
    legs=[
        leg("drawn coordinates", up_to, statistic=mean(bounded(-1, 1)), required=False),
        *INVARIANT,
    ],
    rivals=[
        *exactly(*INVARIANT),
        *(v for step in INVARIANT[:2] for v in reaching(step, "t >= 1")),
        *reaching(INVARIANT[2], "h >= 1/2"),
        variant("t", closed_form=t, leg="drawn coordinates"),
        variant("t^2/3", closed_form=t**2 / 3, leg="drawn coordinates"),
        variant(
            "an environmental coordinate",
            simulation=of_the_last,
            leg="drawn coordinates",
            at=[{r: 2, d: 3, j: 1, t: 1}],
        ),
        variant(
            "mass t/2",
            leg="mass",
            simulation=typed("Integral(1, (x, 0, t)) == t/2", over="t in [0, 1]"),
        ),
        variant(
            "mean 1/3",
            leg="mean",
            simulation=typed("Integral(x, (x, 0, t)) == t**2/3", over="t in [0, 1]"),
        ),
        variant(
            "variance 1/3",
            leg="variance",
            simulation=typed(
                "Integral((x - 1/2)**2, (x, 1/2 - h, 1/2 + h)) == 8*h**3/3", over="h in [0, 1/2]"
            ),
        ),
    ],
)

ENVIRONMENT = [
    formula_leg(
        "mass",
        typed(
            "Integral(1/2 - gamma, (x, -1, 0)) + Integral(1/2 + gamma, (x, 0, 1)) == 1", over=BIAS
        ),
        over="j",
    ),
    formula_leg(
        "mean",
        typed(
            "Integral((1/2 - gamma)*x, (x, -1, 0)) + Integral((1/2 + gamma)*x, (x, 0, 1)) == gamma",
            over=BIAS,
        ),
        over="j",
    ),
    formula_leg("variance", typed(f"{SECOND} - gamma**2 == {SPREAD}", over=BIAS), over="j"),
]

environment = claim(
    "nuclear-environment-law",
    states="nuclear-coordinate-density",
    title="An environmental coordinate",
    says=r"The density $1/2 - \gamma$ on $[-1, 0)$, $1/2 + \gamma$ on $[0, 1]$ has mass 1, mean "
    r"$\gamma$, variance $1/3 - \gamma^2$.",
    covers="environment-law",
    lhs=r"\mathbb E(z_j-\gamma)^2",
    tex=r"\frac13-\gamma^2",
    domain={
        r: integers(1),
        d: integers(2),
        j: integers(2),
        gamma: reals(-HALF, HALF, low_open=True, high_open=True),
    },
    where=sp.And(r < j, j <= d),
    grid={
        "smoke": [
            {r: 2, d: 3, j: 3, gamma: Fraction(2, 5)},
            {r: 1, d: 4, j: 2, gamma: Fraction(-49, 100)},
        ],
        "standard": [
            {r: 2, d: 4, j: k, gamma: Fraction(g, 10)} for k in (3, 4) for g in (-3, 1, 4)
        ],
    },
    closed_form=SPREAD,
    legs=[
        leg("drawn coordinates", squared_deviation, statistic=mean(bounded(0, 3)), required=False),
        *ENVIRONMENT,
    ],
    rivals=[
        *exactly(*ENVIRONMENT),
        *(v for step in ENVIRONMENT for v in reaching(step, "gamma >= 4/9", "gamma <= -4/9")),
        variant(
            "1/3 - gamma^2/2", closed_form=sp.Rational(1, 3) - gamma**2 / 2, leg="drawn coordinates"
        ),
        variant(
            "an invariant coordinate",
            simulation=of_the_first,
            leg="drawn coordinates",
            at=[{r: 1, d: 4, j: 2, gamma: Fraction(-49, 100)}],
        ),
        variant(
            "the two densities exchanged on one side",
            leg="mass",
            simulation=typed(
                "Integral(1/2 + gamma, (x, -1, 0)) + Integral(1/2 + gamma, (x, 0, 1)) == 1",
                over=BIAS,
            ),
        ),
        variant(
            "mean 2 gamma",
            leg="mean",
            simulation=typed(
                "Integral((1/2 - gamma)*x, (x, -1, 0)) + Integral((1/2 + gamma)*x, (x, 0, 1)) == 2*gamma",
                over=BIAS,
            ),
        ),
        variant(
            "variance 1/3",
            leg="variance",
            simulation=typed(f"{SECOND} - gamma**2 == 1/3", over=BIAS),
        ),
        variant(
            "variance 1/12",
            leg="variance",
            simulation=typed(f"{SECOND} - gamma**2 == 1/12", over=BIAS),
        ),
    ],
)
