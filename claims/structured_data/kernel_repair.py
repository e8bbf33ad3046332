"""Corollary 2.3 repaired: some set A defeats a whole ball of the RKHS.

Setting. The law of `fixed_feature_repair`; K positive definite with K(x, x) <= kappa^2, fixed before A is chosen;
every such K on a finite set is sum_n f_n(x) f_n(z), kappa^2 the largest sum_n f_n(x)^2.

Statement. The set A with the smallest |E_0[y_A K(x, .)]|_K, at most kappa / sqrt(C(D,k)(4p(1-p))^k), forces
  hinge >= (1 - 2 gamma)(1 - L kappa / sqrt(C(D,k)(4p(1-p))^k))
on every f with |f|_K <= L, for every L: the reproducing property, Cauchy-Schwarz, and Bessel's inequality for the
f_n. For
gamma <= (1 - p)/2 this is the printed corollary, read with the kernel first and its first class of functions.

Reference: repairs Corollaries 2.3, A.24 (dissertation, chapter 2); not in the source.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    variant,
)

from ._parities import subsets
from .fixed_feature_repair import (
    HALF,
    HINGE,
    ODD,
    function_of,
    orthogonal,
    parts,
    seen,
    sign_of_all,
    without_the_law,
)

D, k = sp.symbols("D k", integer=True, positive=True)
p = sp.symbols("p", positive=True)
kappa2 = sp.symbols("kappa2", nonnegative=True)


def drawn_kernel(rng, D):
    """Features f_1, f_2, f_3 of a kernel, and the largest of its diagonal."""
    table = [[Fraction(int(v), 2) for v in rng.integers(-4, 5, 2**D)] for _ in range(3)]
    return {
        "features": table,
        "kappa2": max(sum(v * v for v in column) for column in zip(*table, strict=True)),
    }


def worst_set(features, D, k, p):
    """The set A whose label the kernel sees least."""
    return min(subsets(D, k), key=lambda a: seen(features, a, D, p))


def least_embedding(features, D, k, p):
    """|E_0[y_A K(x, .)]|_K^2 at that A. Shape ()."""
    return seen(features, worst_set(features, D, k, p), D, p)


def least_for_the_sign(D, k, p):
    """The same for the kernel s(x) s(z), s the sign of the sum of all u_A: it sees every set alike, and kappa = 1."""
    return {"value": least_embedding(sign_of_all(D, k, p), D, k, p), "kappa2": Fraction(1)}


def at_none_and_one(D, k, p, mean=False):
    """The same for the kernel f(x) f(z), f = -1 where nothing is on, 1 where one pattern is, else 0: it is largest
    where the law often is, and 0 at most of the points; kappa = 1. With ``mean`` kappa^2 is the mean of K(x, x) over
    all points."""
    f = [Fraction({0: -1, 1: 1}.get(sum(phi), 0)) for phi, _ in parts(D, p)[0]]
    size = sum(v * v for v in f) / len(f) if mean else Fraction(1)
    return {"value": least_embedding([f], D, k, p), "kappa2": size}


def of_mean_diagonal(D, k, p):
    return at_none_and_one(D, k, p, mean=True)


def all_functions(D, k, p):
    """The same for the kernel sum_A u_A(x) u_A(z)/C(D,k)^2 at p = 1/2: kappa^2 = 1/C(D,k), far below 1."""
    table, up, down = parts(D, p)
    sets = subsets(D, k)
    features = [[function_of(a, phi, up, down) / len(sets) for phi, _ in table] for a in sets]
    return {"value": least_embedding(features, D, k, p), "kappa2": Fraction(1, len(sets))}


def all_sets(features, D, k, p):
    """The sum of these over all A, as a share of C(D,k). Shape ()."""
    every = subsets(D, k)
    return sum(seen(features, a, D, p) for a in every) / len(every)


ball = claim(
    "structured-kernel-ball",
    lhs=r"\min_A\big\|\mathbb{E}[y_AK(x,\cdot)]\big\|_K^2",
    states=["structured-kernel-repaired", "structured-kernel-corollary"],
    title="One set defeats a whole ball of the RKHS",
    says=r"For every positive definite $K$ with $K(x,x)\le\kappa^2$ some $A$ has "
    r"$\|\mathbb{E}[y_AK(x,\cdot)]\|_K^2$ at most $\kappa^2/(\binom{D}{k}(4p(1-p))^k)$, and so "
    r"hinge at least $1-2\gamma$ times one less $L$ times its root on every $\|f\|_K\le L$.",
    role="corrected",
    corrects="structured-kernel-corollary",
    covers="exists-A-for-ball class-rkhs",
    reads={"law": "A"},
    domain={D: integers(1), k: integers(1), p: reals(0, HALF, low_open=True)},
    where=ODD,
    grid={
        "smoke": [
            {D: 5, k: 3, p: HALF},
            {D: 5, k: 1, p: Fraction(3, 20)},
            {D: 6, k: 3, p: Fraction(2, 5)},
        ],
        "standard": {D: [6], k: [3, 5], p: [HALF, Fraction(3, 20)]},
    },
    closed_form=kappa2 / (sp.binomial(D, k) * (4 * p * (1 - p)) ** k),
    relation=at_most(),
    legs=[
        leg(
            "drawn kernels",
            least_embedding,
            gives="A law",
            chosen_by=worst_set,
            instances=instances(drawn_kernel, "features kappa2", smoke=2, standard=4),
        ),
        leg(
            "sees all sets alike",
            least_for_the_sign,
            observed=["kappa2"],
            grid={"smoke": [{D: 2, k: 1, p: Fraction(1, 100)}, {D: 5, k: 3, p: Fraction(1, 50)}]},
        ),
        leg(
            "at none and one",
            at_none_and_one,
            observed=["kappa2"],
            required=False,
            grid={"smoke": [{D: 5, k: 1, p: Fraction(1, 50)}]},
        ),
        leg(
            "all parities (equality)",
            all_functions,
            observed=["kappa2"],
            relation=equals(),
            where=sp.Eq(p, HALF),
            required=False,
            grid={"smoke": [{D: 4, k: 3, p: HALF}, {D: 3, k: 1, p: HALF}]},
        ),
        leg(
            "the mean over A",
            all_sets,
            instances=instances(drawn_kernel, "features kappa2", smoke=1, standard=2),
        ),
        leg("orthogonal functions", orthogonal, arithmetic="proof", over="K", where=D <= 8),
        formula_leg("every function", HINGE, over="L f"),
    ],
    rivals=[
        variant(
            "without (4p(1-p))^k", closed_form=kappa2 / sp.binomial(D, k), leg="sees all sets alike"
        ),
        variant(
            "the root of C(D,k)",
            closed_form=kappa2 / (sp.binomial(D, k) ** 3 * (4 * p * (1 - p)) ** k),
        ),
        variant(
            "kappa^4",
            closed_form=kappa2**2 / (sp.binomial(D, k) * (4 * p * (1 - p)) ** k),
            leg="all parities (equality)",
        ),
        variant("the mean of K(x, x)", simulation=of_mean_diagonal, leg="at none and one"),
        variant("uniform weights", simulation=without_the_law, leg="orthogonal functions"),
    ],
)
