"""Johnson-Lindenstrauss, one vector. For a Gaussian G (m, d) and a unit x the probability that | |G x|^2 / m - 1 |
exceeds 1/2 is at most 2 exp(-m (1/16 - 1/48)) (eps = 1/2 in 2 exp(-m (eps^2/4 - eps^3/6)); Dasgupta and Gupta 2003)."""

import sympy as sp

from theorycheck import claim, holds_with_probability, integers, probability

m = sp.symbols("m", integer=True, positive=True)


def distorted(ns, rng, size, m):
    """Whether a unit vector's squared length is off by more than a half. Shape (size,)."""
    d = 3
    x = ns.full((d,), ns.sqrt(ns.rational(1, d)))
    image = rng.normal((size, m, d)) @ x
    return ns.abs(ns.mean(image**2, axis=1) - 1) > ns.rational(1, 2)


too_fast = claim(
    "johnson-lindenstrauss-too-fast",
    says="| |Gx|^2 / m - 1 | > 1/2 has probability at most 2 exp(-m / 8).",
    domain={m: integers(1)},
    grid={"smoke": {m: [24, 48, 72]}},
    relation=holds_with_probability(),
    statistic=probability(),
    closed_form=2 * sp.exp(-m / 8),
    expect="fail",  # eps^2/2 is the exponent of a Gaussian variable of variance 1/m
)(distorted)

one_vector = too_fast.corrected(
    "johnson-lindenstrauss",
    says="| |Gx|^2 / m - 1 | > 1/2 has probability at most 2 exp(-m / 24).",
    closed_form=2 * sp.exp(-m / 24),
)
