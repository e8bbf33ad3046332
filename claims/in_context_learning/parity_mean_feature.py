"""Proof of Theorem 5.5.1: the mean attention feature of a parity task.

Setting. Task (i, j) among d features, signs of the two with probabilities 1/4 + gamma, 1/4, 1/4, 1/4 - gamma, the
others uniform and independent, label y = phi_i phi_j.

Statements. The labels are balanced; E[y phi_c] = 2 gamma for c in {i, j} and 0 elsewhere. (E[phi_c] is 2 gamma on
the task as well.)

Reference: proof of Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, integers, leg, reals, variant

from ._parity import all_tasks

d = sp.symbols("d", integer=True, positive=True)
gamma = sp.symbols("gamma", positive=True)
QUARTER = Fraction(1, 4)
GAMMA = reals(0, QUARTER, low_open=True, high_open=True)


def mean_features(d, gamma):
    """E[y phi_c] over all 2^d sign vectors for every task and feature; (task, feature) in order, own features
    first. Shape (2 + d - 2,) for each task."""
    found = []
    for i, j in all_tasks(d):
        means = [Fraction(0)] * d
        for phi in itertools.product((-1, 1), repeat=d):
            weight = QUARTER + (
                gamma if phi[i] == phi[j] == 1 else -gamma if phi[i] == phi[j] == -1 else 0
            )
            for c in range(d):
                means[c] += weight * phi[i] * phi[j] * phi[c] / Fraction(2) ** (d - 2)
        found += [means[i], means[j], *(m for c, m in enumerate(means) if c not in (i, j))]
    return found


def stated_features(d, gamma, value=2):
    return [
        x for _ in all_tasks(d) for x in (value * gamma, value * gamma, *[Fraction(0)] * (d - 2))
    ]


mean_feature = claim(
    "icl-parity-mean-feature",
    lhs=r"\mathbb{E}[y\,\phi_c]",
    tex=r"2\gamma\,\mathbf{1}[c\in\{i,j\}]",
    title="Mean attention feature of a parity task",
    says=r"$\mathbb{E}[y \phi_c] = 2 \gamma$ for the two features of the task and 0 for every other.",
    covers="moments",
    domain={d: integers(2), gamma: GAMMA},
    grid={
        "smoke": {d: [2, 3, 4], gamma: [Fraction(1, 10), Fraction(1, 5)]},
        "standard": {d: [2, 3, 4, 6], gamma: [Fraction(x, 20) for x in range(1, 5)]},
    },
    relation=equals(),
    legs=[
        leg(
            "every sign vector",
            mean_features,
            reference=stated_features,
            inside="i j c",
            where=d <= 8,
        )
    ],
    rivals=[
        variant("4 gamma", reference=lambda d, gamma: stated_features(d, gamma, 4)),
        variant("gamma", reference=lambda d, gamma: stated_features(d, gamma, 1)),
    ],
)


def share_of_ones(d, gamma, tilt=1):
    """P(y = 1) over all sign vectors, the largest and the least over the tasks alike. Shape ()."""
    found = set()
    for i, j in all_tasks(d):
        total = Fraction(0)
        for phi in itertools.product((-1, 1), repeat=d):
            if phi[i] == phi[j]:
                total += (QUARTER + (gamma if phi[i] == 1 else -tilt * gamma)) / Fraction(2) ** (
                    d - 2
                )
        found.add(total)
    (share,) = found
    return share


balanced = claim(
    "icl-parity-balanced",
    lhs=r"\Pr[y=1]",
    states="icl-parity-mean-feature",
    title="The labels are balanced",
    says=r"$\Pr(y = 1) = 1/2$ on every task.",
    role="reading",
    covers="balanced-labels",
    domain={d: integers(2), gamma: GAMMA},
    grid={"smoke": {d: [2, 3, 5], gamma: [Fraction(1, 10), Fraction(1, 5)]}},
    closed_form=sp.Rational(1, 2),
    relation=equals(),
    legs=[leg("every sign vector", share_of_ones, where=d <= 8)],
    rivals=[variant("1/2 + gamma", closed_form=sp.Rational(1, 2) + gamma)],
)
