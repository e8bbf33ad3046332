"""The least hinge loss of linear models on fixed features: where the repaired bound is met exactly.

Setting. Patterns uniform on {0,1}^D, y = Pi_A, |A| = k; features Psi = all N = C(D,k) parities of size k, fixed
before A; h = <Psi, w>, |w|_2 <= B <= 1.

Statement. The least hinge is 1 - B = 1 - B sqrt(N / C(D,k)): the repaired bound of Theorem 2.2 has the right
power of N and of C(D,k). Attained at w = B e_A; from below hinge >= 1 - E[y h] >= 1 - B |E[y Psi]|_2, the dual
value of uniform weights.

Reference: Theorem 2.2 = A.22 (dissertation, chapter 2); the equality case is not in the source.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    instances,
    integers,
    minimises,
    reals,
    search,
    variant,
)

from ._family import hinge
from ._parities import parities

D, k = sp.symbols("D k", integer=True, positive=True)
B = sp.symbols("B", positive=True)
N = sp.binomial(D, k)


def loss(weights, D, k, a=0):
    """Hinge of <Psi, w> on parity ``a``, over the whole cube; ``weights`` of shape (C(D, k),)."""
    table = parities(D, k)
    scores = table.astype(object) @ np.array(weights, dtype=object)
    return sum(hinge(int(y) * s) for y, s in zip(table[:, a], scores, strict=True)) / len(table)


def own_feature(D, k, B):
    """The largest hinge of w = B e_A on A, over all A. Shape ()."""
    size = parities(D, k).shape[1]
    return max(loss([Fraction(B) * (n == a) for n in range(size)], D, k, a) for a in range(size))


def feature_of_another(D, k, B):
    """The hinge of w = B e_A' on A for one other set A'. Shape ()."""
    size = parities(D, k).shape[1]
    return loss([Fraction(B) * (n == 1) for n in range(size)], D, k)


def dual_value(ns, D, k, B):
    """Uniform weights on the examples: 1 - B |E[y Psi]|_2, the least over all A."""
    table = parities(D, k)
    gram = (table.T @ table).astype(object)
    largest = max(sum(Fraction(int(m), len(table)) ** 2 for m in row) for row in gram)
    return 1 - B * ns.sqrt(ns.asarray(largest))


def random_start(rng, D, k):
    """A short model: every margin below 1."""
    size = parities(D, k).shape[1]
    return {"weights": [Fraction(int(a), 16 * size) for a in rng.integers(-15, 16, size)]}


def steepest_descent(weights, D, k, B):
    """Loss after going to the end of the ball along the negative subgradient at the start, scaled by its 1-norm,
    which is at least its length. Shape ()."""
    table = parities(D, k)
    y = table[:, 0]
    margins = y * (table.astype(object) @ np.array(weights, dtype=object))
    downhill = (table * (y * (margins < 1).astype(np.int64))[:, None]).sum(axis=0)
    length = int(np.abs(downhill).sum()) or 1
    return loss([Fraction(B) * int(g) / length for g in downhill], D, k)


least_hinge = claim(
    "structured-fixed-feature-least-hinge",
    lhs=r"\mathcal{L}_{\text{hinge}}(w)",
    states="structured-fixed-feature-repaired",
    title="All parities as features: the bound is met",
    says=r"With all $k$-parities as features and $|w|\le B\le1$ the least hinge on a $k$-parity is "
    "exactly $1-B$.",
    role="derived",
    covers="equality-case",
    domain={D: integers(1), k: integers(1), B: reals(0, 1, low_open=True)},
    where=k <= D,
    grid={
        "smoke": {D: [4, 6], k: [2, 3], B: [Fraction(1, 4), Fraction(1, 2), 1]},
        "standard": {D: [8], k: [3], B: [Fraction(1, 4), Fraction(1, 2), 1]},
    },
    closed_form=1 - B,
    relation=minimises(),
    legs=[
        attained(own_feature, inside="A"),
        certificate(dual_value, inside="A"),
        search(steepest_descent, instances=instances(random_start, "weights", smoke=2, standard=3)),
    ],
    rivals=[
        variant("1 - B/sqrt(C(D,k))", closed_form=1 - B / sp.sqrt(N)),
        variant("1 - B sqrt(2 C(D,k)) / 2^k", closed_form=1 - B * sp.sqrt(2 * N) / 2**k),
        variant("B^2 for B", closed_form=1 - B**2),
        variant("the feature of another set", simulation=feature_of_another, leg="attained"),
    ],
)
