"""Kernel of a wide ReLU layer. For unit vectors x, y at angle t and w ~ N(0, I):
E relu(w.x) relu(w.y) = (sin t + (pi - t) cos t) / (2 pi) (Cho and Saul, NIPS 2009)."""

import sympy as sp

from theorycheck import choices, claim, mean, variance_at_most

k = sp.symbols("k", integer=True)
t = sp.pi * k / 6


def features(ns, rng, size, k):
    """Product of the two features for one weight vector at t = k pi / 6. Shape (size,)."""
    angle = ns.pi * k / 6
    w = rng.normal((size, 2))
    return ns.relu(w[:, 0]) * ns.relu(w[:, 0] * ns.cos(angle) + w[:, 1] * ns.sin(angle))


doubled = claim(
    "arc-cosine-kernel-doubled",
    says="E relu(w.x) relu(w.y) = (sin t + (pi - t) cos t) / pi for unit x, y at angle t.",
    domain={k: choices(0, 1, 2, 3, 4, 5, 6)},
    grid={"smoke": {k: range(7)}},
    statistic=mean(variance_at_most(sp.Rational(3, 2))),  # E relu(g)^4 = 3/2, and Cauchy-Schwarz
    unit=sp.Rational(1, 2),  # the kernel of a vector with itself; at k = 6 it vanishes
    closed_form=(sp.sin(t) + (sp.pi - t) * sp.cos(t)) / sp.pi,
    expect="fail",  # this is the kernel with weights N(0, 2 I)
)(features)

kernel = doubled.corrected(
    "arc-cosine-kernel",
    says="E relu(w.x) relu(w.y) = (sin t + (pi - t) cos t) / (2 pi) for unit x, y at angle t.",
    closed_form=(sp.sin(t) + (sp.pi - t) * sp.cos(t)) / (2 * sp.pi),
)
