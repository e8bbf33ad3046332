"""Coupon collector. Of n coupons one is drawn at a time, each with probability 1/n; T is the draw that
completes the collection. E T = n H_n, H_n = 1 + 1/2 + ... + 1/n (Feller, An Introduction to Probability I, IX.3)."""

import sympy as sp

from theorycheck import claim, integers, mean, variance_at_most

n = sp.symbols("n", integer=True, positive=True)


def draws_needed(ns, rng, size, n):
    """Draws until all n were seen. Shape (size,)."""
    seen, steps, missing = ns.zeros((size, n)), ns.zeros((size,)), ns.ones((size,)) > 0
    while ns.any(missing):
        drawn = rng.integers(0, n, (size,))
        seen = ns.where(ns.arange(n) == drawn[:, None], 1, seen)
        steps = steps + ns.where(missing, 1, 0)
        missing = ns.min(seen, axis=1) < 1
    return steps


as_remembered = claim(
    "coupon-collector-log",
    says="On average n (log n + 1/2) draws complete the collection.",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 2, 5, 10]}},
    statistic=mean(variance_at_most(2 * n**2)),  # pi^2/6 n^2 at most, a sum of geometric ones
    closed_form=n * (sp.log(n) + sp.Rational(1, 2)),
    expect="fail",  # the constant is Euler's, 0.577, and only for large n
)(draws_needed)

all_coupons = as_remembered.corrected(
    "coupon-collector",
    says="On average n (1 + 1/2 + ... + 1/n) draws complete the collection.",
    closed_form=n * sp.harmonic(n),
)
