"""Least squares in d dimensions from n > d + 3 Gaussian inputs with noise of variance 1: the excess risk
E tr((X^T X)^(-1)) is d / (n - d - 1), the left branch of double descent (Stein 1960; Hastie et al. 2022)."""

import sympy as sp

from theorycheck import claim, integers, mean, variance_at_most

n, d = sp.symbols("n d", integer=True, positive=True)


def excess_risk(ns, rng, size, n, d):
    """tr((X^T X)^(-1)): excess risk given the inputs, the noise averaged. Shape (size,)."""
    x = rng.normal((size, n, d))
    return ns.trace(ns.inv(ns.matrix_transpose(x) @ x))


off_by_one = claim(
    "least-squares-risk-classical",
    says="The excess risk of least squares is d / (n - d).",
    domain={n: integers(6), d: integers(1)},
    where=n > d + 4,
    grid={"smoke": [{n: 8, d: 1}, {n: 12, d: 2}, {n: 24, d: 4}]},
    # Variance of the trace of an inverse Wishart matrix.
    statistic=mean(variance_at_most(2 * d * (n - 1) / ((n - d) * (n - d - 1) ** 2 * (n - d - 3)))),
    closed_form=d / (n - d),
    expect="fail",
)(excess_risk)

risk = off_by_one.corrected(
    "least-squares-risk",
    says="The excess risk of least squares is d / (n - d - 1).",
    closed_form=d / (n - d - 1),
)
