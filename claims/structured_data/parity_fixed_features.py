"""Theorem A.23: linear models on fixed features, uniform parities.

Setting. z uniform on {-1, 1}^D, y = Pi_A, |A| = k; Psi into [-1, 1]^N fixed before A; h = <Psi, w>, |w| <= B.

Statement. The parities are orthonormal, so by Bessel's inequality the set A that Psi sees least has |E[Pi_A Psi]|^2 <=
N / C(D,k), and every h has hinge >= 1 - B sqrt(N / C(D,k)) on it, for all D and k <= D; with all k-parities as
features and B <= 1 this is met (`fixed_feature_hinge`). For k <= D/16 the printed 1 - sqrt(2N) B / 2^k follows.

Reference: Theorem A.23 (dissertation, appendix A).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import sympy as sp

from theorycheck import (
    Proof,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._parities import elementary, parities, symmetric_mean
from .fixed_feature_repair import feature_table, larger_features

D, k, N = sp.symbols("D k N", integer=True, positive=True)


def correlations(table, D, k):
    """|E[Pi_A Psi]|^2 for every A, uniform inputs."""
    signs = parities(D, k)
    means = np.array(table, dtype=np.int64) @ signs
    return [Fraction(int((column * column).sum()), len(signs) ** 2) for column in means.T]


def least_seen(table, D, k):
    """min over A of |E[Pi_A Psi]|^2. Shape ()."""
    return min(correlations(table, D, k))


def all_parities(D, k):
    """The same for Psi = all k-parities: every one of them is seen with |E Pi_A Psi| = 1. Shape ()."""
    return least_seen(parities(D, k).T, D, k)


def sign_of_the_sum(D, k):
    """The same for Psi = sign(sum_A Pi_A), which sees every set alike, by the number of ones: the square of
    E|sum_A Pi_A|/C(D,k). Shape ()."""
    total = symmetric_mean(D, lambda t: abs(elementary(D, k, t)))
    return (total / comb(D, k)) ** 2


def orthonormal(D, k):
    """All k-parities are orthonormal under the uniform law; Bessel's inequality bounds the sum over A by |Psi|^2."""
    return orthonormal_columns(parities(D, k).astype(object), 2**D)


def orthonormal_columns(table, size):
    """Whether the columns of a table (size, n) are orthonormal under uniform weights."""
    gram = table.T @ table
    wrong = [
        (m, n) for m in range(len(gram)) for n in range(len(gram)) if gram[m, n] != (m == n) * size
    ]
    if wrong:
        return Proof(False, "not orthonormal", {}, {"columns": list(wrong[0])})
    return Proof(True, "Bessel's inequality for an orthonormal family", {"functions": len(gram)})


def with_their_negatives(D, k):
    """The class of all signed parities."""
    signs = parities(D, k).astype(object)
    return orthonormal_columns(np.concatenate([signs, -signs], axis=1), 2**D)


HINGE = typed(
    "Max(0, 1 - z) >= 1 - z and 1 - B*c >= 1 - B*sqrt(s)",
    over=["z in R", "B in (0, oo)", "s in (0, oo)", "c in [0, sqrt(s)]"],
)

# C(D,k) >= (D/k)^k >= 16^k. Names of their own: the claim is for every k <= D, this for k <= D/16.
SEEN = N / sp.binomial(D, k)
dim, size, count = sp.symbols("dim size count", integer=True, positive=True)
FROM_16 = ["size in 1..oo", "dim in 16*size..oo", "count in 1..oo", "B in (0, oo)"]
HERE = f"1 - B*sqrt({SEEN.subs({D: dim, k: size, N: count})})"
HALVED = formula_leg(
    "the printed bound",
    typed(
        f"{HERE} >= 1 - sqrt(2*count)*B/2**size",
        over=FROM_16,
        steps=["2*binomial(dim, size) >= 4**size"],
    ),
    covers="exists-A",
    over="B",
    lhs=r"1-B\sqrt{N/\tbinom Dk}",
    tex=r"1-\frac{\sqrt{2N}\,B}{2^k}",
)

# m: in how many places two sets differ; their product is the parity of these
APART = formula_leg(
    "different sets",
    typed("Sum(binomial(m, j)*(-1)**j, (j, 0, m))/2**m == 0", over="m in 1..oo"),
    covers="exists-A",
    over="Psi",
    lhs=r"\mathbb E[\Pi_A\Pi_{A'}]",
    tex="0",
)
LARGE = {"smoke": [{D: 16, k: 1, N: 1}, {D: 48, k: 3, N: 1}, {D: 80, k: 5, N: 1}]}

parity_bound = claim(
    "structured-parity-fixed-feature-bound",
    lhs=r"\min_A\big\|\mathbb{E}[\Pi_A\Psi]\big\|^2",
    title="Fixed features on uniform parities",
    says=r"For every $\Psi$ into $[-1,1]^N$ some $A$ has $|\mathbb{E}[\Pi_A\Psi]|^2\le N/\binom{D}{k}$,"
    r" so that every $h$ with $|w|\le B$ has hinge at least $1-B\sqrt{N/\binom{D}{k}}$ on that "
    r"parity; for $k\le D/16$ this implies the printed $1-\sqrt{2N}B/2^k$.",
    covers="sharp exists-A",
    domain={D: integers(1), k: integers(1), N: integers(1)},
    where=k <= D,
    grid={
        "smoke": {D: [6, 8], k: [2, 3], N: [1, 4]},
        "standard": {D: [6, 8, 10], k: [1, 2, 3, 4], N: [1, 8]},
    },
    closed_form=SEEN,
    relation=at_most(),
    legs=[
        leg(
            "random features",
            least_seen,
            covers="sharp",
            gives="A",
            instances=instances(feature_table, "table", smoke=3, standard=10),
        ),
        leg(
            "all k-parities (equality)",
            all_parities,
            covers="sharp",
            where=sp.Eq(N, sp.binomial(D, k)),
            grid={"smoke": [{D: 6, k: 3, N: 20}, {D: 8, k: 3, N: 56}]},
        ),
        leg(
            "orthonormal parities",
            orthonormal,
            arithmetic="proof",
            over="Psi",
            where=D <= 8,
            covers="sharp",
        ),
        leg(
            "sign of the sum",
            sign_of_the_sum,
            covers="exists-A",
            gives="A",
            where=[sp.Eq(N, 1), 16 * k <= D, D <= 200],
            grid=LARGE,
        ),
        APART,
        formula_leg("every w", HINGE, over="B w"),
        HALVED,
    ],
    rivals=[
        variant(
            "N / C(D,k)^2", closed_form=N / sp.binomial(D, k) ** 2, leg="all k-parities (equality)"
        ),
        variant("2N / 6^(2k)", closed_form=2 * N / 36**k, leg="all k-parities (equality)"),
        variant(
            "features beyond [-1, 1]",
            leg="random features",
            instances=instances(larger_features, "table", smoke=1),
        ),
        variant("signed parities", simulation=with_their_negatives, leg="orthonormal parities"),
        *rivals_of(
            HALVED,
            {
                "6^k": {"says": f"{HERE} >= 1 - sqrt(2*count)*B/6**size", "steps": ()},
                "D from 2 k + 1 on": {
                    "over": [FROM_16[0], "dim in (2*size + 1)..oo", *FROM_16[2:]],
                    "steps": (),
                },
            },
        ),
    ],
)
