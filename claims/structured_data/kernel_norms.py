r"""Corollary 2.3 repaired: norms of expansions, and the least hinge over a ball of the radial kernel.

Setting. As in `kernels`: K with K(x, x) <= kappa^2; f = sum_i alpha_i K(z_i, .), n centres. For the kernel q^Hamming
and the uniform component of the law h = E[y K(x, .)], |h|_K^2 = v, m = h/sqrt v.

Statements. (1) |f|_K^2 = sum_ij alpha_i alpha_j K(z_i, z_j) <= kappa^2 |alpha|_1^2 <= kappa^2 n |alpha|_2^2, as
|K(z, z')| <= kappa^2; with all centres alike and equal coefficients both are equalities. (2) On |f|_K <= L, L <= 1/max
|m|, the least hinge is 1 - L sqrt v: it is at least 1 - E[y f] = 1 - <f, h> >= 1 - L |h|_K, and f = L m, whose margins
are at most 1, has that. With L = c sqrt v the bound is 1 - c v.

Reference: repairs Corollaries 2.3, A.24 (dissertation, chapter 2); not in the source.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    minimises,
    reals,
    rivals_of,
    theorem,
    typed,
    variant,
)

from ._balls import ONE_POINT
from ._family import hinge
from .kernels import HALF, D, embedding_norm, k, kernel, p, q, uniform_component, v

c = sp.symbols("c", positive=True)


def an_expansion(rng):
    """Features of a kernel on eight points, and an expansion with up to six centres."""
    n = int(rng.integers(1, 7))
    return {
        "features": [[Fraction(int(e), 2) for e in rng.integers(-4, 5, 8)] for _ in range(3)],
        "z": [int(i) for i in rng.integers(0, 8, n)],
        "alpha": rng.rational((n,), 5),
    }


def alike(rng):
    """One centre, where the kernel is largest, four times."""
    return {"features": [[2, 1, 0, 1]], "z": [0] * 4, "alpha": [Fraction(1, 2)] * 4}


def norm(features, z, alpha):
    """|f|_K^2. Shape ()."""
    sums = (sum(a * f[i] for a, i in zip(alpha, z, strict=True)) for f in features)
    return sum((s * s for s in sums), Fraction(0))


def diagonal(features):
    """kappa^2."""
    return max(sum(e * e for e in column) for column in zip(*features, strict=True))


def by_sizes(features, z, alpha):
    """kappa^2 |alpha|_1^2. Shape ()."""
    return diagonal(features) * sum(abs(a) for a in alpha) ** 2


def by_squares(features, z, alpha):
    """kappa^2 n |alpha|_2^2. Shape ()."""
    return diagonal(features) * len(alpha) * sum(a * a for a in alpha)


def without_the_number(features, z, alpha):
    """kappa^2 |alpha|_2^2. Shape ()."""
    return by_squares(features, z, alpha) / len(alpha)


def three_quarters(features, z, alpha):
    return by_sizes(features, z, alpha) * Fraction(3, 4)


FIELDS = "features z alpha"
DRAWN = instances(an_expansion, FIELDS, smoke=6, standard=20)
ALIKE = instances(alike, FIELDS, smoke=1)
EVERY = "alpha z n"
ENTRY = formula_leg(
    "entries of the kernel",
    typed(
        "a*b*K <= abs(a)*abs(b)*kappa2",
        over=["kappa2 in [0, oo)", "a in R", "b in R", "K in [-kappa2, kappa2]"],
    ),
    over=EVERY,
)
SIZES = formula_leg(
    "sizes", typed("norm(x, 1)**2 <= n*norm(x)**2", over=["n in 1..oo", "x in R^n"]), over=EVERY
)

expansion = claim(
    "structured-kernel-expansion-norms",
    lhs=r"\|f\|_K^2",
    states="structured-kernel-repaired",
    title="The norm of an expansion by its coefficients",
    says=r"$\|f\|_K\le\kappa\|\alpha\|_1\le\kappa\sqrt n\,\|\alpha\|_2$ for every expansion with $n$ centres.",
    role="derived",
    covers="coefficient-norms",
    **ONE_POINT,
    relation=at_most(),
    legs=[
        leg(
            "by sizes",
            norm,
            reference=by_sizes,
            instances=DRAWN,
            required=False,
            tex=r"\kappa^2\|\alpha\|_1^2",
        ),
        leg(
            "by squares",
            by_sizes,
            reference=by_squares,
            instances=DRAWN,
            required=False,
            lhs=r"\kappa^2\|\alpha\|_1^2",
            tex=r"\kappa^2n\|\alpha\|_2^2",
        ),
        leg(
            "one centre",
            norm,
            reference=by_squares,
            instances=ALIKE,
            required=False,
            tex=r"\kappa^2n\|\alpha\|_2^2",
        ),
        ENTRY,
        SIZES,
    ],
    rivals=[
        variant("without sqrt n", reference=without_the_number, leg="one centre"),
        variant("three quarters", reference=three_quarters, leg="one centre"),
        *rivals_of(ENTRY, {"without sizes": "a*b*K <= a*b*kappa2"}),
        *rivals_of(SIZES, {"without n": "norm(x, 1)**2 <= norm(x)**2"}),
    ],
)

# ---- the least hinge over a ball


def seen_from(z, points, q):
    """h(z) = E[y K(x, z)]."""
    return sum(w * y * kernel(x, z, q) for x, w, y in points)


def hinge_of_multiple(D, k, q, p, c):
    """Hinge of c h on the uniform component. Shape ()."""
    points = list(uniform_component(D, k, p))
    return sum(w * hinge(y * Fraction(c) * seen_from(x, points, q)) for x, w, y in points)


def hinge_of_half(D, k, q, p, c):
    return hinge_of_multiple(D, k, q, p, Fraction(c) / 2)


def cauchy_schwarz(D, k, q, p, c):
    """1 - L |h|_K, L = c |h|_K. Shape ()."""
    return 1 - Fraction(c) * embedding_norm(D, k, q, p)


largest_h = ((1 - q) / 2) ** k * (1 - p * (1 - q)) ** (D - k)
POINTS = [
    {D: 3, k: 1, q: HALF, p: HALF, c: 1},
    {D: 3, k: 3, q: Fraction(1, 3), p: HALF, c: 27},
    {D: 4, k: 3, q: Fraction(3, 4), p: Fraction(3, 10), c: 40},
]

least = claim(
    "structured-kernel-rbf-minimum",
    lhs=r"\min_{\|f\|_K\le L}\mathcal L_0(f)",
    tex=r"1-L\sqrt v,\quad L=c\sqrt v",
    states="structured-kernel-repaired",
    title="The least hinge over a ball of the radial kernel",
    says=r"On the uniform component the least hinge over $\|f\|_K\le L$ is $1-L\sqrt v$ for every $L\le1/\max|m|$, "
    r"at $f=Lm$.",
    role="derived",
    covers="rbf-minimum",
    reads={"L": "c"},
    domain={
        D: integers(1),
        k: integers(1),
        q: reals(0, 1, low_open=True, high_open=True),
        p: reals(0, HALF, low_open=True),
        c: reals(0, low_open=True),
    },
    where=(sp.Eq(k % 2, 1), k <= D, c * largest_h <= 1),
    grid={"smoke": POINTS, "standard": [{D: 5, k: 3, q: HALF, p: Fraction(1, 4), c: 64}]},
    closed_form=1 - c * v,
    relation=minimises(),
    legs=[
        attained(hinge_of_multiple, where=D <= 5, gives="f"),
        certificate(
            cauchy_schwarz,
            where=D <= 5,
            over="f",
            lemma=theorem(
                "Cauchy-Schwarz", product="the reproducing kernel: E[y f(x)] = <f, E[y K(x, .)]>"
            ),
        ),
    ],
    rivals=[
        variant("1 - L v", closed_form=1 - c * v * sp.sqrt(v)),
        variant("half the multiple", simulation=hinge_of_half, leg="attained"),
        variant("the background ignored", closed_form=1 - c * ((1 - q) / 2) ** k),
    ],
)
