r"""Lemma B.74: the upper tail of a chi-squared variable.

Setting. X is the sum of the squares of k standard normals; z >= 0 (printed: every real z, where the root has no
value).

Statement. P[X >= k + 2 sqrt(k z) + 2 z] <= e^-z.

Proof (Laurent and Massart). log E e^(s (x^2 - 1)) = -s - log(1 - 2 s)/2 <= s^2/(1 - 2 s) for 0 <= s < 1/2, so that P
is at most exp(k s^2/(1 - 2 s) - s (2 sqrt(k z) + 2 z)). With q = sqrt k, u = sqrt z and s = u/(q + 2 u) the exponent
is -u^2.

Reference: lines 7716-7718.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

k = sp.symbols("k", integer=True, positive=True)
z = sp.symbols("z", nonnegative=True)

MEAN = formula_leg(
    "one coordinate",
    typed(
        "Integral(exp(s*x**2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 1/sqrt(1 - 2*s)",
        over="s in [0, 1/2)",
    ),
    over="k z",
)
LOG = formula_leg(
    "its logarithm",
    typed("-s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)", over="s in [0, 1/2)"),
    over="k z",
)
BEST = formula_leg(
    "exponent",
    typed(
        "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + 2*u**2) == -u**2",
        over=["q in (0, oo)", "u in [0, oo)"],
    ),
    over="k z",
)


def exceeds(ns, rng, size, k, z):
    """Whether a sum of k squares is at least k + 2 sqrt(k z) + 2 z. Shape (size,)."""
    total = ns.sum(ns.square(rng.normal((size, k))), axis=1)
    level = k + 2 * ns.sqrt(ns.asarray(k * z)) + 2 * ns.asarray(z)
    return ns.where(total >= level, 1, 0)


tail = claim(
    "gradfeat-chi-squared-tail",
    states="gradfeat-chi2-tail",
    title="Upper tail of a chi-squared variable",
    says=r"$\Pr[\chi^2_k\ge k+2\sqrt{kz}+2z]\le e^{-z}$ for every $k\ge1$ and $z\ge0$.",
    covers="tail",
    domain={k: integers(1), z: reals(0)},
    grid={
        "smoke": [{k: 1, z: sp.Rational(1, 2)}, {k: 4, z: 1}],
        "standard": {k: [1, 3], z: [1, 2]},
    },
    closed_form=sp.exp(-z),
    relation=at_most(),
    legs=[
        MEAN,
        LOG,
        BEST,
        beside(
            "sums of squares",
            exceeds,
            r"\Pr[\chi^2_k\ge k+2\sqrt{kz}+2z]",
            "e^{-z}",
            statistic=probability(),
            where=sp.And(z <= 2, k <= 6),
        ),
    ],
    rivals=[
        variant("e^(-8z)", closed_form=sp.exp(-8 * z), leg="sums of squares"),
        *rivals_of(
            MEAN,
            {
                "1 - s": "Integral(exp(s*x**2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 1/sqrt(1 - s)",
            },
        ),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(
            BEST,
            {
                "threshold k + 2 sqrt(k z) + z": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + "
                "2*u))*(2*q*u + u**2) == -u**2",
            },
        ),
    ],
)
