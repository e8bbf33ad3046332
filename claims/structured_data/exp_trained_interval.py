r"""Table A.2: the methods on labels of an interval of counts, 20 to 30 of 30.

Protocol. As in the shared program, at T = 200: y = 1 where 20 or more of k = 30 relevant patterns occur, patterns
independent with Pr = 2/3 (relevant) and 1/2, all 1/2 without structure. Starts have deviations 1/k, 1/k^2 and
sigt^2/(gamma k^2), gamma = Cov(y, phit_i). Classes are not weighted; 2000 fresh examples. Up to ``standard`` sizes are
reduced: labels from 8 of k = 12 on, D = 40, n = 4000, m = 40. ``deep`` has D = 100, k = 30 and m = 100 of the source
with n = 10,000, ``paper`` its n = 50,000.

Statement. Not reproduced under this protocol: the printed 41.0 % of one-step features, near the 41.52 of the constant
-1. Read-outs trained as the network's are constant too, but 1, and have 55 to 70 %.

Level, ours: half of the seeds.

Reference: lines 3943-3970.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._schedule import Sample, after_one, after_two, drawn
from ._trained import Run, accuracies

D, k, n, m, T, low = sp.symbols("D k n m T low", integer=True, positive=True)
FRESH = 2000


def covariance(k, low, p):
    """Cov(y, phit_i), y = 1 from ``low`` occurrences on."""

    def share(count, least):
        return sum(comb(count, s) * p**s * (1 - p) ** (count - s) for s in range(least, count + 1))

    return 2 * p * (share(k - 1, low - 1) - share(k, low))


def variance(D, k, p):
    return k * p * (1 - p) + Fraction(D - k, 4)


def interval(ns, rng, size, n, D, k, low, p):
    phi = ns.number(rng.bernoulli(p, (size, n, k)))
    y = 2 * ns.number(ns.sum(phi, axis=2) >= low) - 1
    z = ns.concat([phi - ns.asarray(p), rng.signs((size, n, D - k)) / 2], axis=2)
    return Sample(z / ns.sqrt(ns.asarray(variance(D, k, p))), y)


def found(ns, rng, size, D, k, n, m, T, low, methods, p=Fraction(2, 3)):
    data, fresh = (interval(ns, rng, size, count, D, k, low, p) for count in (n, FRESH))
    start = drawn(ns, rng, size, D, D, k, m)
    scale = variance(D, k, p) / covariance(k, low, p) / D
    start = start._replace(readouts=start.readouts * ns.asarray(scale))
    one = after_one(ns, start, data, k, m)
    run = Run(start, one, after_two(ns, one, data, k))
    return accuracies(ns, run, data, fresh, T, methods, labels="interval")


def constant(ns, rng, size, D, k, n, m, T, low, method="one"):
    """1 where the method has 55 to 70 % of fresh examples. Shape (size,)."""
    share = found(ns, rng, size, D, k, n, m, T, low, (method,))[method]
    return ns.number((share >= ns.rational(55, 100)) & (share <= ns.rational(70, 100)))


def cell(D_, k_, n_, m_, T_, low_):
    return {D: D_, k: k_, n: n_, m: m_, T: T_, low: low_}


SMALL = cell(40, 12, 4000, 40, 200, 8)
FEWER, SOURCE = (cell(100, 30, count, 100, 200, 20) for count in (10_000, 50_000))
GRID = {"smoke": [SMALL], "deep": [FEWER], "paper": [SOURCE]}
SIZES = {
    "domain": {
        D: choices(40, 100),
        k: choices(12, 30),
        n: choices(4000, 10_000, 50_000),
        m: choices(40, 100),
        T: choices(200),
        low: choices(8, 20),
    },
    "where": sp.Or(*[sp.And(*[sp.Eq(s, v) for s, v in p.items()]) for p in (SMALL, FEWER, SOURCE)]),
    "grid": GRID,
    "closed_form": sp.Rational(1, 2),
    "relation": at_least(),
}


def sampled(name, simulation, **pays):
    return leg(
        name,
        simulation,
        statistic=probability(),
        block=2,
        budget={"smoke": 24, "standard": 24},
        **pays,
    )


one = claim(
    "structured-sim-interval-one-step",
    lhs=r"\Pr[\tfrac{55}{100}\le\text{acc}_{\text{one}}\le\tfrac7{10}]",
    tex=r"\tfrac12",
    states="structured-sim-interval",
    title="Trained read-outs on one-step features have the larger class",
    says="In more than half of the seeds the read-out on one-step features, trained as the network's is, has 55 to 70 "
    "% of fresh examples, as the constant 1 does, under the stated protocol and at reduced sizes: the printed 41.0 % "
    "is not reproduced under this protocol.",
    role="derived",
    legs=[sampled("seeds", constant)],
    rivals=[variant("two-step features", call=constant, method="two", at=[SMALL])],
    **SIZES,
)
