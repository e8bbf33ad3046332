"""Theorems 2.2 = A.22 and A.23: linear models on fixed features, as printed and repaired.

Setting. Features Psi into [-1, 1]^N are fixed before the relevant set A is chosen; h = <Psi, w>, |w| <= B;
hinge loss; k odd, 3 < k <= D/16; F_Xi the family with covariance gamma and background rate p_o.

As printed, for every (gamma, p_o) some member forces hinge >= p_o (1 - sqrt(2N) B / 2^k). But on every
member the single coordinate feature 2 phi_i - 1, i in A, has hinge exactly 1 - 2 gamma (A1), so the bound is false
whenever gamma is large; the proof's own mixture has gamma = (1 - p_o)/2.

Repaired. Some member forces hinge >= (1 - 2 gamma) (1 - B sqrt(N / (C(D,k) (4 p_o (1 - p_o))^k))), by Bessel's
inequality for the orthogonal functions u_A; the prefactor is exact.

Reference: Theorems 2.2, A.22, A.23 (dissertation, chapter 2).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    instances,
    integers,
    leg,
    reals,
    variant,
)

from ._family import background, exchangeable_law, hinge, parity, relevant_law
from ._parities import parities, subsets

D, k, N = sp.symbols("D k N", integer=True, positive=True)
gamma, p = sp.symbols("gamma p", positive=True)
HALF = Fraction(1, 2)
FAMILY = {
    D: integers(1),
    k: integers(1),
    gamma: reals(0, HALF, low_open=True),
    p: reals(0, HALF, low_open=True),
}
PRINTED = (sp.Eq(k % 2, 1), k > 3, 16 * k <= D)


def coordinate_hinge(k, gamma):
    """Hinge of h = 2 phi_1 - 1 on the repaired mixture, over all 2^k relevant patterns. Shape ()."""
    law = relevant_law(k, Fraction(gamma))
    return sum(w * hinge(Fraction(parity(f) * (2 * f[0] - 1))) for f, w in law.items())


def another_member(rng, k, gamma):
    law = exchangeable_law(k, Fraction(gamma), rng)
    return {"weights": [law[f] for f in itertools.product((0, 1), repeat=k)]}


def coordinate_hinge_elsewhere(weights, k):
    """The same on another member of the family with the same gamma. Shape ()."""
    patterns = itertools.product((0, 1), repeat=k)
    return sum(
        w * hinge(Fraction(parity(f) * (2 * f[0] - 1)))
        for f, w in zip(patterns, weights, strict=True)
    )


def xi(*rows):
    return [dict(zip((D, k, gamma, p), row, strict=True)) for row in rows]


fixed_feature_bound = claim(
    "structured-fixed-feature-lower-bound",
    lhs=r"\mathcal{L}_{\text{hinge}}(w)",
    tex=r"p\Big(1-\frac{\sqrt{2D}}{2^k}\Big)",
    title="Linear models on fixed features, as printed",
    says="For every gamma and p_o, with the D coordinate features and B = 1, every linear model has hinge at "
    "least p_o (1 - sqrt(2D)/2^k) on some member; tried at the coordinate 2 phi_i - 1, i in A.",
    encodes="special-case",
    expect="fail",
    domain=FAMILY,
    where=PRINTED,
    grid={"smoke": xi((144, 9, Fraction(3, 10), HALF), (144, 9, Fraction(9, 20), Fraction(1, 4)))},
    closed_form=p * (1 - sp.sqrt(2 * D) / 2**k),
    relation=at_least(),
    legs=[leg("one coordinate", coordinate_hinge)],
)

coordinate_value = claim(
    "structured-fixed-feature-coordinate",
    lhs=r"\mathcal{L}_{\text{hinge}}(w)",
    states=["structured-fixed-feature-lower-bound", "structured-fixed-feature-repaired"],
    title="What one coordinate reaches on every member",
    says="On every member of the family a coordinate of A has hinge exactly 1 - 2 gamma.",
    role="derived",
    encodes="part",
    # At k = 1 the coordinate is the label itself, and its hinge is another one.
    domain={k: integers(3), gamma: reals(0, HALF, low_open=True)},
    where=sp.Eq(k % 2, 1),
    grid={"smoke": {k: [3, 5], gamma: [Fraction(1, 20), Fraction(3, 10), Fraction(9, 20)]},
          "standard": {k: [3, 5, 7], gamma: [Fraction(i, 20) for i in (1, 4, 6, 9)]}},
    closed_form=1 - 2 * gamma,
    relation=equals(),
    legs=[
        leg("the repaired mixture", coordinate_hinge),
        leg("random members", coordinate_hinge_elsewhere,
            instances=instances(another_member, "weights", smoke=5, standard=20)),
    ],
    rivals=[variant("1 - gamma", closed_form=1 - gamma), variant("1/2", closed_form=sp.Rational(1, 2))],
)  # fmt: skip


# ---- the repaired bound


def correlations(features, D, k, p):
    """E[u_A Psi] summed in squares over all A, for features given on {0,1}^D. The label of A is Pi_A; the
    uniform component of A seen through Bernoulli(p) is u_A times the product law."""
    table = list(background(D, Fraction(p)))
    up, down = 1 / (2 * Fraction(p)), -1 / (2 * (1 - Fraction(p)))
    total = Fraction(0)
    for a in subsets(D, k):
        for feature in features:
            mean = Fraction(0)
            for value, (phi, weight) in zip(feature, table, strict=True):
                if value:
                    term = weight * value
                    for i in a:
                        term *= up if phi[i] else down
                    mean += term
            total += mean * mean
    return total


def feature_table(rng, D, N):
    """N random features with values in {-1, 0, 1}."""
    return {"table": [[int(v) for v in rng.integers(-1, 2, 2**D)] for _ in range(N)]}


def bessel_sum(table, D, k, p):
    return correlations(table, D, k, p)


def worst_single_feature(D, k, p):
    """The same sum for Psi = sign(sum_A u_A), the one feature that correlates most with all of them."""
    up, down = 1 / (2 * Fraction(p)), -1 / (2 * (1 - Fraction(p)))
    feature = []
    for phi, _ in background(D, Fraction(p)):
        ones = sum(phi)
        total = sum(
            _choose(ones, j) * _choose(D - ones, k - j) * up**j * down ** (k - j)
            for j in range(k + 1)
        )
        feature.append((total > 0) - (total < 0))
    return correlations([feature], D, k, p)


def _choose(n, m):
    return len(subsets(n, m)) if 0 <= m <= n else 0


SMALL = {"smoke": [{D: 5, k: 3, N: 1, p: HALF}, {D: 6, k: 3, N: 1, p: Fraction(3, 20)}],
         "standard": [{D: 7, k: 3, N: 1, p: Fraction(3, 20)}, {D: 6, k: 3, N: 1, p: HALF}]}  # fmt: skip

bessel = claim(
    "structured-fixed-feature-repaired",
    lhs=r"\sum_A\big\|\mathbb{E}[y_A\Psi]\big\|^2",
    tex=r"N\,\big(4p(1-p)\big)^{-k}",
    title="Fixed features see little of the parities",
    says="For every Psi into [-1,1]^N, sum_A |E[y_A Psi]|^2 <= N (4 p (1-p))^-k, y_A the label of the uniform "
    "component over Bernoulli(p) backgrounds; hence the repaired lower bound.",
    role="corrected",
    corrects="structured-fixed-feature-lower-bound",
    states=["structured-fixed-feature-repaired", "structured-fixed-feature-lower-bound"],
    encodes="part",
    domain={D: integers(1), k: integers(1), N: integers(1), p: reals(0, HALF, low_open=True)},
    where=(sp.Eq(k % 2, 1), k <= D),
    grid={"smoke": [{D: 5, k: 3, N: 2, p: HALF}, {D: 5, k: 3, N: 1, p: Fraction(3, 20)}],
          "standard": {D: [6], k: [3], N: [1, 3], p: [HALF, Fraction(3, 10), Fraction(3, 20)]}},
    closed_form=N * (4 * p * (1 - p)) ** (-k),
    relation=at_most(),
    legs=[
        leg("random features", bessel_sum,
            instances=instances(feature_table, "table", smoke=2, standard=3)),
        leg("the worst single feature", worst_single_feature, grid=SMALL),
    ],
    rivals=[variant("without (4p(1-p))^k", closed_form=N, leg="the worst single feature",
                    at=[{D: 9, k: 3, N: 1, p: Fraction(3, 20)}])],
)  # fmt: skip


def least_seen(table, D, k):
    """min over A of |E[Pi_A Psi]|^2 over uniform inputs, for features given on the cube. Shape ()."""
    signs = parities(D, k)
    means = np.array(table, dtype=np.int64) @ signs
    return min(Fraction(int((column * column).sum()), len(signs) ** 2) for column in means.T)


def all_parities(D, k):
    """The same for Psi = all k-parities: every one of them is seen with |E Pi_A Psi| = 1. Shape ()."""
    return least_seen(parities(D, k).T, D, k)


parity_bound = claim(
    "structured-parity-fixed-feature-bound",
    lhs=r"\min_A\big\|\mathbb{E}[\Pi_A\Psi]\big\|^2",
    title="Fixed features on uniform parities",
    says="For every Psi into [-1,1]^N some A has |E[Pi_A Psi]|^2 <= N / C(D,k), so that every h with |w| <= B "
    "has hinge >= 1 - B sqrt(N / C(D,k)) on that parity; for k <= D/16 this implies the printed "
    "1 - sqrt(2N) B / 2^k.",
    encodes="part",
    domain={D: integers(1), k: integers(1), N: integers(1)},
    where=k <= D,
    grid={"smoke": {D: [6, 8], k: [2, 3], N: [1, 4]}, "standard": {D: [6, 8, 10], k: [1, 2, 3, 4], N: [1, 8]}},
    closed_form=N / sp.binomial(D, k),
    relation=at_most(),
    legs=[
        leg("random features", least_seen,
            instances=instances(feature_table, "table", smoke=3, standard=10)),
        leg("all k-parities (equality)", all_parities, where=sp.Eq(N, sp.binomial(D, k)),
            grid={"smoke": [{D: 6, k: 3, N: 20}, {D: 8, k: 3, N: 56}]}),
    ],
    rivals=[
        variant("N / C(D,k)^2", closed_form=N / sp.binomial(D, k) ** 2, leg="all k-parities (equality)"),
        variant("2N / 6^(2k)", closed_form=2 * N / 36**k, leg="all k-parities (equality)"),
    ],
)  # fmt: skip


# ---- folklore used along the way


def random_pair(rng):
    score = Fraction(int(rng.integers(-30, 31)), 10)
    return {"score": score, "y": int(rng.signs())}


def mistake(score, y):
    """1 if y score <= 0. A score of 0 counts as a mistake."""
    return int(y * score <= 0)


s, y = sp.symbols("score y", real=True)
hinge_dominates = claim(
    "structured-hinge-dominates",
    lhs=r"\mathbb{1}[y\,g\le0]",
    tex=r"\max(0,1-y\,g)",
    title="Classification error below hinge loss",
    says="For every score and label, 1[y g <= 0] <= max(0, 1 - y g).",
    domain={},
    grid={"smoke": [{}]},
    closed_form=sp.Max(0, 1 - y * s),
    relation=at_most(),
    legs=[
        leg(
            "pointwise",
            mistake,
            instances=instances(random_pair, "score y", smoke=200, standard=2000),
        )
    ],
    rivals=[
        variant("half the hinge", closed_form=sp.Max(0, 1 - y * s) / 2),
        variant(
            "squared hinge at margin 1/2", closed_form=sp.Max(0, sp.Rational(1, 2) - y * s) ** 2
        ),
    ],
)

tau, delta = sp.symbols("tau delta", positive=True)


def failure(tau, delta, shrink=1):
    """Largest probability over q in a grid that n = ceil(log(2/delta)/(2 tau^2)) samples answer a query of
    mean q by more than tau wrongly: exact binomial sums. Shape ()."""
    n = math.ceil(math.log(2 / float(delta)) / (2 * float(tau) ** 2) / shrink)
    worst = Fraction(0)
    for q in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)):
        away = sum(
            math.comb(n, j) * q**j * (1 - q) ** (n - j)
            for j in range(n + 1)
            if abs(Fraction(j, n) - q) > Fraction(tau)
        )
        worst = max(worst, away)
    return worst


def too_few(tau, delta):
    return failure(tau, delta, shrink=16)


query_simulation = claim(
    "structured-sq-query-simulation",
    lhs=r"\Pr[\text{error}>\tau]",
    title="A query costs O(1/tau^2) samples",
    says="log(2/delta)/(2 tau^2) samples answer a statistical query within tau with probability 1 - delta.",
    domain={tau: reals(0, 1, low_open=True), delta: reals(0, 1, low_open=True)},
    grid={"smoke": {tau: [Fraction(1, 5), Fraction(1, 10)], delta: [Fraction(1, 20)]},
          "standard": {tau: [Fraction(1, 5), Fraction(1, 10)], delta: [Fraction(1, 20), Fraction(1, 100)]}},
    closed_form=delta,
    relation=at_most(),
    legs=[leg("exact binomial tails", failure)],
    rivals=[
        variant("a sixteenth of the samples", simulation=too_few),
        variant("delta/20", closed_form=delta / 20),
    ],
)  # fmt: skip
