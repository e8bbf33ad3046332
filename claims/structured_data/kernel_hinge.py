"""The hinge loss of kernel methods on one parity, exactly, and what |al|_2 hides.

Setting. Relevant set A, |A| = k odd, patterns phi uniform on {0,1}^D (the uniform component of the family at
p = 1/2), y = Pi_A(2 phi - 1); K positive definite with K(x,x) <= kappa^2; m = E[y K(x, .)] in the RKHS of K.

Statement (repairs Corollary 2.3). K being fixed first, some A forces hinge >= 1 - |f|_K kappa / sqrt(C(D,k)) on
every f: hinge >= 1 - E[y f] = 1 - <f, m_A>, and the |m_A|^2 add up to at most kappa^2 over all A. For f = c m with
c max|m| <= 1 the hinge is exactly 1 - |f|_K |m|_K. An expansion f = sum_i al_i K(z_i, .) over n centres has
|f|_K <= kappa sqrt(n) |al|_2, and no smaller power of n will do.

Reference: Corollaries 2.3, A.24 (dissertation, chapter 2); the bound is not in the source.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import at_least, at_most, choices, claim, instances, integers, leg, variant

from ._family import hinge
from ._parities import cube, parities

D, k, n = sp.symbols("D k n", integer=True, positive=True)
kernel, norm2, al2 = sp.symbols("kernel norm2 al2", nonnegative=True)
RADIAL, PARITIES = "radial", "mean of the parities"
Q = Fraction(1, 2)  # exp(-1/(2 s^2)) of the radial kernel


def gram(kernel, D, k):
    """K(x, z) over the cube, exact, kappa = 1. ``radial``: Q^Hamming; else sum_A Pi_A(x) Pi_A(z) / C(D,k).
    Shape (2**D, 2**D)."""
    if kernel == RADIAL:
        points = cube(D)
        apart = (D - points @ points.T) // 2
        return np.array([Q**i for i in range(D + 1)], dtype=object)[apart]
    table = parities(D, k).astype(object)
    return table @ table.T * Fraction(1, table.shape[1])


def losses(values, D, k):
    """Hinge of f, given on the cube, on the parity of every A. Shape (C(D, k),)."""
    table = parities(D, k)
    return [
        sum(hinge(int(y) * v) for y, v in zip(column, values, strict=True)) / len(table)
        for column in table.T
    ]


def expansion(kernel, D, k, coefficients):
    """Values of f = sum_x coefficients[x] K(x, .) over the cube, and |f|_K^2."""
    weights = np.array(coefficients, dtype=object)
    values = gram(kernel, D, k) @ weights
    return values, weights @ values


def seen(kernel, D, k, coefficients):
    """The largest hinge over all A, with |f|_K^2 beside it."""
    values, square = expansion(kernel, D, k, coefficients)
    return {"value": max(losses(values, D, k)), "norm2": square}


def mean_embedding(kernel, D, k):
    """Coefficients of f = c m for the first A, c the largest with y f <= 1. Shape (2**D,)."""
    signs = parities(D, k)[:, 0].astype(object) * Fraction(1, 2**D)
    values, _ = expansion(kernel, D, k, signs)
    return signs / max(abs(v) for v in values)


def embedding_everywhere(D, k, kernel):
    return seen(kernel, D, k, mean_embedding(kernel, D, k))


def embedding_at_home(D, k, kernel):
    """The same f, judged on its own A only."""
    values, square = expansion(kernel, D, k, mean_embedding(kernel, D, k))
    return {"value": losses(values, D, k)[0], "norm2": square}


def random_coefficients(rng, D):
    return {"coefficients": [Fraction(int(a), 4) for a in rng.integers(-8, 9, 2**D)]}


def random_expansion(coefficients, D, k, kernel):
    return seen(kernel, D, k, coefficients)


SIZES = {
    "smoke": {D: [3, 5], k: [1, 3], kernel: [RADIAL, PARITIES]},
    "standard": {D: [4, 6, 7], k: [1, 3], kernel: [RADIAL, PARITIES]},
}
EQUALITY = {"smoke": {D: [3, 5], k: [1, 3], kernel: [PARITIES]}}
floor = claim(
    "structured-kernel-hinge-floor",
    lhs=r"\max_A\mathcal{L}_{\text{hinge}}(f,A)",
    tex=r"1-\frac{\|f\|_K}{\sqrt{\binom{D}{k}}}",
    states=["structured-kernel-repaired", "structured-kernel-corollary"],
    title="Every bounded kernel misses some parity",
    says=r"For every positive-definite kernel with $K(x,x)\le1$ some $A$ of size $k$ forces hinge at "
    r"least $1-\|f\|_K/\sqrt{\binom{D}{k}}$ on every $f$ of its RKHS, with equality for the mean "
    "of the parities.",
    role="corrected",
    corrects="structured-kernel-corollary",
    encodes="part",
    domain={D: integers(1), k: integers(1), kernel: choices(RADIAL, PARITIES)},
    where=(sp.Eq(k % 2, 1), k <= D),
    grid=SIZES,
    closed_form=1 - sp.sqrt(norm2 / sp.binomial(D, k)),
    relation=at_least(),
    legs=[
        leg("mean embedding", embedding_everywhere, observed=["norm2"]),
        leg("its own parity (equality)", embedding_at_home, observed=["norm2"], grid=EQUALITY),
        leg(
            "random expansions",
            random_expansion,
            observed=["norm2"],
            instances=instances(random_coefficients, "coefficients", smoke=2, standard=4),
        ),
    ],
    rivals=[
        variant(
            "C(D,k) for its root",
            closed_form=1 - sp.sqrt(norm2) / sp.binomial(D, k),
            leg="its own parity (equality)",
        ),
        variant(
            "twice the size of the class",
            closed_form=1 - sp.sqrt(norm2 / (2 * sp.binomial(D, k))),
            leg="its own parity (equality)",
        ),
        variant("1, as of f = 0", closed_form=sp.Integer(1), leg="mean embedding"),
        variant(
            "the norm added",
            closed_form=1 + sp.sqrt(norm2 / sp.binomial(D, k)),
            leg="random expansions",
        ),
    ],
)


def repeated_centre(n):
    """|f|_K^2 of f = K(z, .) split into n equal terms. Shape ()."""
    weights = [Fraction(1, n)] * n
    return {
        "value": sum(a * b for a in weights for b in weights),
        "al2": sum(a * a for a in weights),
    }


def random_centres(rng, n):
    return {
        "centres": [int(z) for z in rng.integers(0, 2**4, n)],
        "weights": [Fraction(int(rng.integers(1, 9) * rng.signs()), 4) for _ in range(n)],
    }


def drawn_centres(centres, weights, n):
    """The same over n drawn centres of {0,1}^4, radial kernel."""
    table = gram(RADIAL, 4, 1)
    value = sum(
        a * b * table[x, z]
        for a, x in zip(weights, centres, strict=True)
        for b, z in zip(weights, centres, strict=True)
    )
    return {"value": value, "al2": sum(a * a for a in weights)}


expansions = claim(
    "structured-kernel-expansion-norm",
    lhs=r"\Big\|\sum_i\alpha_iK(z_i,\cdot)\Big\|_K^2",
    tex=r"n\,\|\alpha\|_2^2",
    states="structured-kernel-repaired",
    title="The norm of an expansion over $n$ centres",
    says=r"$\|\sum_i\alpha_iK(z_i,\cdot)\|_K^2\le n\,|\alpha|_2^2$ for kernels with $K(x,x)\le1$, with "
    r"equality where the $n$ centres are one: $|\alpha|_2$ alone bounds nothing.",
    role="derived",
    encodes="part",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 2, 5, 16]}, "standard": {n: [1, 2, 5, 16, 64]}},
    closed_form=n * al2,
    relation=at_most(),
    legs=[
        leg("one centre, repeated", repeated_centre, observed=["al2"]),
        leg(
            "random centres",
            drawn_centres,
            observed=["al2"],
            instances=instances(random_centres, "centres weights", smoke=3, standard=10),
        ),
    ],
    rivals=[
        variant("without the number of centres", closed_form=al2, leg="one centre, repeated"),
        variant("its root only", closed_form=sp.sqrt(n) * al2, leg="one centre, repeated"),
        variant("half of it", closed_form=n * al2 / 2, leg="random centres"),
    ],
)
