"""Theorem 2.2 repaired: some set A defeats every linear model on fixed features.

Setting. As in `fixed_features`; the law of A: with probability 1 - 2 gamma the A block is uniform, else all 0 or
all 1; background independent Bernoulli(p); y = Pi_A. On the uniform component E_0[y Psi] = E_mu[u_A Psi], mu the
product law of rate p on all coordinates and u_A = prod_{i in A} (1/(2p) where phi_i = 1, -1/(2(1-p)) where phi_i =
0).

Statement. The u_A are orthogonal in L2(mu) with E[u_A^2] = (4p(1-p))^-k. So by Bessel's inequality sum_A |E_0[y_A
Psi]|^2 <=
N (4p(1-p))^-k, and the set A with the smallest of these correlations, which depends on Psi alone, forces
  hinge >= (1 - 2 gamma)(1 - B sqrt(N / (C(D,k) (4p(1-p))^k)))
on every w with |w| <= B, for every B at once: max(0, 1 - y h) >= 1 - y h and Cauchy-Schwarz. For gamma <= (1 - p)/2
and p(1-p) >= k/D this implies the printed bound (`fixed_feature_sizes`).

Reference: repairs Theorems 2.2, A.22 (dissertation, chapter 2); not in the source.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    Proof,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    typed,
    variant,
)

from ._family import background
from ._parities import subsets

D, k, N = sp.symbols("D k N", integer=True, positive=True)
gamma, p, B = sp.symbols("gamma p B", positive=True)
HALF = Fraction(1, 2)
SETTING = {D: integers(1), k: integers(1), N: integers(1), p: reals(0, HALF, low_open=True)}
ODD = (sp.Eq(k % 2, 1), k <= D)


def parts(D, p):
    """Patterns with their weights under mu, and the two values of a factor of u_A."""
    p = Fraction(p)
    return list(background(D, p)), 1 / (2 * p), -1 / (2 * (1 - p))


def function_of(a, phi, up, down):
    """u_A(phi)."""
    value = Fraction(1)
    for i in a:
        value *= up if phi[i] else down
    return value


def seen(features, a, D, p):
    """|E_0[y_A Psi]|^2 for features given on {0,1}^D."""
    table, up, down = parts(D, p)
    weighted = [w * function_of(a, phi, up, down) for phi, w in table]
    means = (sum(w * v for w, v in zip(weighted, f, strict=True) if v) for f in features)
    return sum(mean * mean for mean in means)


def orthogonal(D, k, p, uniform=False):
    """The Gram matrix of all u_A under mu is (4p(1-p))^-k times the identity; Bessel's inequality then bounds the
    sum over A for every Psi with |Psi_n| <= 1. ``uniform``: under uniform weights instead."""
    table, up, down = parts(D, p)
    weights = [Fraction(1, 2**D) if uniform else w for _, w in table]
    rows = [[function_of(a, phi, up, down) for phi, _ in table] for a in subsets(D, k)]
    square = 1 / (4 * Fraction(p) * (1 - Fraction(p))) ** k
    for m, one in enumerate(rows):
        for n, other in enumerate(rows[m:], start=m):
            inner = sum(w * x * y for w, x, y in zip(weights, one, other, strict=True))
            if inner != (square if m == n else 0):
                return Proof(False, "not orthogonal", {}, {"sets": [m, n], "inner": str(inner)})
    return Proof(
        True,
        "Bessel's inequality for an orthogonal family",
        {"functions": len(rows), "square": str(square)},
    )


def without_the_law(D, k, p):
    """Under uniform weights in place of mu the u_A are not orthogonal, but at p = 1/2."""
    return orthogonal(D, k, p, uniform=True)


def feature_table(rng, D, N):
    """N random features with values in {-1, 0, 1}."""
    return {"table": [[int(v) for v in rng.integers(-1, 2, 2**D)] for _ in range(N)]}


def larger_features(rng, D, N):
    """The same, 20 times as large."""
    return {"table": [[20 * v for v in row] for row in feature_table(rng, D, N)["table"]]}


def bessel_sum(table, D, k, p):
    return sum(seen(table, a, D, p) for a in subsets(D, k))


def sign_of_all(D, k, p):
    """Psi = sign(sum_A u_A), the one feature that correlates most with all of them, and with each alike. One table."""
    table, up, down = parts(D, p)
    totals = [sum(function_of(a, phi, up, down) for a in subsets(D, k)) for phi, _ in table]
    return [[(t > 0) - (t < 0) for t in totals]]


def worst_single_feature(D, k, p):
    """The same sum for that feature."""
    return bessel_sum(sign_of_all(D, k, p), D, k, p)


SMALL = {
    "smoke": [{D: 5, k: 3, N: 1, p: HALF}, {D: 6, k: 3, N: 1, p: Fraction(3, 20)}],
    "standard": [{D: 7, k: 3, N: 1, p: Fraction(3, 20)}, {D: 6, k: 3, N: 1, p: HALF}],
}

bessel = claim(
    "structured-fixed-feature-repaired",
    lhs=r"\sum_A\big\|\mathbb{E}[y_A\Psi]\big\|^2",
    tex=r"N\,\big(4p(1-p)\big)^{-k}",
    title="Fixed features see little of the parities",
    says=r"For every $\Psi$ into $[-1,1]^N$, $\sum_A|\mathbb{E}[y_A\Psi]|^2\le N(4p(1-p))^{-k}$, $y_A$ "
    "the label of the uniform component over Bernoulli($p$) backgrounds: the functions $u_A$ are "
    "orthogonal.",
    role="corrected",
    corrects="structured-fixed-feature-lower-bound",
    states=["structured-fixed-feature-repaired", "structured-fixed-feature-lower-bound"],
    covers="bessel orthogonality",
    domain=SETTING,
    where=ODD,
    grid={
        "smoke": [{D: 5, k: 3, N: 2, p: HALF}, {D: 5, k: 3, N: 1, p: Fraction(3, 20)}],
        "standard": {D: [6], k: [3], N: [1, 3], p: [HALF, Fraction(3, 10), Fraction(3, 20)]},
    },
    closed_form=N * (4 * p * (1 - p)) ** (-k),
    relation=at_most(),
    legs=[
        leg(
            "random features",
            bessel_sum,
            covers="bessel",
            instances=instances(feature_table, "table", smoke=2, standard=3),
        ),
        leg("the worst single feature", worst_single_feature, grid=SMALL, covers="bessel"),
        leg(
            "orthogonal functions",
            orthogonal,
            arithmetic="proof",
            over="Psi",
            inside="A A_prime",
            where=D <= 8,
        ),
    ],
    rivals=[
        variant(
            "without (4p(1-p))^k",
            closed_form=N,
            leg="the worst single feature",
            at=[{D: 9, k: 3, N: 1, p: Fraction(3, 20)}],
        ),
        variant(
            "features beyond [-1, 1]",
            leg="random features",
            instances=instances(larger_features, "table", smoke=1),
        ),
        variant("uniform weights", simulation=without_the_law, leg="orthogonal functions"),
    ],
)


# ---- A before B and w


def worst_set(table, D, k, p):
    """The set A with the smallest |E_0[y_A Psi]|."""
    return min(subsets(D, k), key=lambda a: seen(table, a, D, p))


def least_correlation(table, D, k, p):
    """|E_0[y_A Psi]|^2 at that A. Shape ()."""
    return seen(table, worst_set(table, D, k, p), D, p)


def least_for_the_sign(D, k, p):
    """The same for the one feature that sees all sets alike, so that no choice of A helps."""
    return least_correlation(sign_of_all(D, k, p), D, k, p)


def first_set(table, D, k, p):
    """The same at A = {1, .., k}, whatever Psi is."""
    return seen(table, tuple(range(k)), D, p)


def sees_the_first(rng, D, N):
    """Features that include the parity of the first three coordinates."""
    cube = list(itertools.product((0, 1), repeat=D))
    return {"table": [[(2 * f[0] - 1) * (2 * f[1] - 1) * (2 * f[2] - 1) for f in cube]] * N}


# Where p is small the bound without (4p(1-p))^k is passed, by one feature and every A.
ALIKE = {"smoke": [{D: 2, k: 1, N: 1, p: Fraction(1, 100)}, {D: 5, k: 3, N: 1, p: Fraction(1, 50)}]}

# c = |E_0[y_A Psi]| and |w| <= B, so y h = <y Psi, w> has E_0[y h] <= B c; s the bound on c^2, z = y h at a pattern.
HINGE = typed(
    "Max(0, 1 - z) >= 1 - z and (1 - 2*gamma)*(1 - B*c) >= (1 - 2*gamma)*(1 - B*sqrt(s))",
    over=["z in R", "gamma in (0, 1/2)", "B in (0, oo)", "s in (0, oo)", "c in [0, sqrt(s)]"],
)

every_model = claim(
    "structured-fixed-feature-every-model",
    lhs=r"\min_A\big\|\mathbb{E}[y_A\Psi]\big\|^2",
    states="structured-fixed-feature-repaired",
    title="One set defeats every linear model of every size",
    says=r"For every $\Psi$ the set $A$ with the least $|\mathbb{E}[y_A\Psi]|$, which is at most "
    r"$\epsilon=\sqrt{N/(\binom{D}{k}(4p(1-p))^k)}$, forces hinge at least "
    r"$(1-2\gamma)(1-B\epsilon)$ on every $w$ with $|w|\le B$, for every $B$.",
    role="derived",
    covers="exists-A-for-all-w",
    domain=SETTING,
    where=ODD,
    grid={
        "smoke": [
            {D: 5, k: 3, N: 2, p: HALF},
            {D: 5, k: 1, N: 5, p: Fraction(3, 20)},
            {D: 6, k: 3, N: 8, p: Fraction(2, 5)},
        ],
        "standard": {D: [6], k: [3], N: [1, 3], p: [HALF, Fraction(3, 20)]},
    },
    closed_form=N / (sp.binomial(D, k) * (4 * p * (1 - p)) ** k),
    relation=at_most(),
    legs=[
        leg(
            "random features",
            least_correlation,
            gives="A",
            chosen_by=worst_set,
            instances=instances(feature_table, "table", smoke=2, standard=3),
        ),
        leg("sees all sets alike", least_for_the_sign, where=sp.Eq(N, 1), grid=ALIKE),
        leg("orthogonal functions", orthogonal, arithmetic="proof", over="Psi", where=D <= 8),
        formula_leg("every w", HINGE, over="B w"),
    ],
    rivals=[
        variant(
            "without (4p(1-p))^k", closed_form=N / sp.binomial(D, k), leg="sees all sets alike"
        ),
        variant(
            "A fixed before Psi",
            simulation=first_set,
            leg="random features",
            instances=instances(sees_the_first, "table", smoke=1),
            at=[{D: 5, k: 3, N: 1, p: HALF}],
        ),
        variant(
            "every function, not only those of norm B",
            leg="every w",
            simulation=typed(
                "1 - B*c >= 1 - sqrt(s)", over=["B in (0, oo)", "s in (0, oo)", "c in [0, sqrt(s)]"]
            ),
        ),
    ],
)
