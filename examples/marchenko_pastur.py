"""Spectrum of a sample covariance matrix S = X X^T / n, X (d, n) standard normal. Marchenko and Pastur (1967): for
n -> oo with d/n fixed its second moment is 1 + d/n and its edge (1 + sqrt(d/n))^2. At finite sizes the second moment
is 1 + (d + 1)/n, and the largest singular value of X is on average at most sqrt(n) + sqrt(d) (Gordon 1985)."""

import sympy as sp

from theorycheck import at_most, claim, integers, mean, sub_gaussian, variance_at_most, variant

n, d = sp.symbols("n d", integer=True, positive=True)


def second_moment(ns, rng, size, n, d):
    """tr(S^2) / d. Shape (size,)."""
    x = rng.normal((size, d, n))
    s = x @ ns.matrix_transpose(x) / n
    return ns.sum(s**2, axis=(1, 2)) / d


def largest(ns, rng, size, n, d):
    """Largest singular value of X. Shape (size,)."""
    return ns.max(ns.svdvals(rng.normal((size, d, n))), axis=1)


DOMAIN = {n: integers(1), d: integers(1)}
GRID = {"smoke": {n: [8, 16], d: [2, 4]}}
# Poincare: Var f <= E |grad f|^2 = 16 E tr((X X^T)^3) / (d^2 n^4), and the third Wishart moment.
SPREAD = variance_at_most(16 * (n**2 + d**2 + 3 * n * d + 3 * n + 3 * d + 4) / (d * n**3))

limit_as_if_finite = claim(
    "marchenko-pastur-second-moment",
    says="E tr(S^2) / d = 1 + d/n at every size.",
    domain=DOMAIN,
    grid=GRID,
    closed_form=1 + d / n,
    statistic=mean(SPREAD),
    expect="fail",  # this is the limit
)(second_moment)

exact_moment = limit_as_if_finite.corrected(
    "wishart-second-moment",
    says="E tr(S^2) / d = 1 + (d + 1)/n.",
    closed_form=1 + (d + 1) / n,
)

edge = claim(
    "gaussian-edge",
    says="The largest singular value of X is on average at most sqrt(n) + sqrt(d).",
    domain=DOMAIN,
    grid=GRID,
    relation=at_most(),
    closed_form=sp.sqrt(n) + sp.sqrt(d),
    statistic=mean(sub_gaussian(1)),  # a 1-Lipschitz function of Gaussians
    rivals=[variant("sqrt(n + d)", closed_form=sp.sqrt(n + d))],
)(largest)
