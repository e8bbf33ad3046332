"""Corollary 2.3 = A.24: kernel methods, as read and as repaired.

Setting. The family of `fixed_features`, over {0,1}^D; K a positive-definite kernel with K(x,x) <= kappa^2,
fixed before A is chosen.

The printed corollary bounds every f = sum_i al_i K(z_i, .) with |al|_2 <= L, any number of centres. Read
over the whole class this is false: repeating each centre r times divides |al|_2 by sqrt(r) and leaves f.

Repaired. Some A forces hinge >= (1 - 2 gamma)(1 - |f|_K kappa / sqrt(C(D,k) (4p(1-p))^k)). For the radial
kernel q^Hamming the squared norm of E[y K(x, .)] on the uniform component is exactly
((1-q)/2)^k (1 - 2p(1-p)(1-q))^(D-k).

Reference: Corollaries 2.3, A.24 (dissertation, chapter 2).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import sympy as sp

from theorycheck import (
    Proof,
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    integers,
    leg,
    minimises,
    reals,
    variant,
)

from ._family import background, hinge, parity
from ._parities import elementary, parities, symmetric_mean

D, k, r = sp.symbols("D k r", integer=True, positive=True)
q, p = sp.symbols("q p", positive=True)
HALF = Fraction(1, 2)
SETTING = {
    D: integers(1),
    k: integers(1),
    q: reals(0, 1, low_open=True, high_open=True),
    p: reals(0, HALF, low_open=True),
}
v = ((1 - q) / 2) ** k * (1 - 2 * p * (1 - p) * (1 - q)) ** (D - k)


def uniform_component(D, k, p):
    """Patterns of the uniform component with weight and label, A the first k coordinates."""
    for phi in itertools.product((0, 1), repeat=k):
        for rest, weight in background(D - k, Fraction(p)):
            yield phi + rest, weight / 2**k, parity(phi)


def kernel(x, z, q):
    """q^Hamming(x, z): the Gaussian kernel on 0/1 patterns with q = exp(-1/(2 s^2))."""
    return Fraction(q) ** sum(a != b for a, b in zip(x, z, strict=True))


def embedding_norm(D, k, q, p):
    """|E[y K(x, .)]|_K^2 by the double sum over all patterns. Shape ()."""
    points = list(uniform_component(D, k, p))
    return sum(w * u * y * t * kernel(x, z, q) for x, w, y in points for z, u, t in points)


def rate_outside(D, k, q, p):
    """How often a pattern off A is on. Shape ()."""
    return sum(w * x[-1] for x, w, _ in uniform_component(D, k, p))


embedding = claim(
    "structured-kernel-repaired",
    lhs=r"\big\|\mathbb{E}[y\,K(x,\cdot)]\big\|_K^2",
    tex=r"\Big(\frac{1-q}{2}\Big)^k\big(1-2p(1-p)(1-q)\big)^{D-k}",
    title="What a radial kernel sees of a parity",
    says=r"For the kernel $q^{\text{Hamming}}$, "
    r"$\|\mathbb{E}[y\,K(x,\cdot)]\|_K^2=((1-q)/2)^k(1-2p(1-p)(1-q))^{D-k}$, and the hinge of "
    r"$\|f\|_K\le L$ on the uniform component is at least 1 less $L$ times its root.",
    role="corrected",
    corrects="structured-kernel-corollary",
    states=["structured-kernel-repaired", "structured-kernel-corollary"],
    covers="rbf-exact",
    reads={"s": "q"},
    domain=SETTING,
    where=(sp.Eq(k % 2, 1), k <= D),
    grid={
        "smoke": [
            {D: 3, k: 1, q: HALF, p: HALF},
            {D: 5, k: 3, q: Fraction(3, 4), p: Fraction(3, 10)},
            {D: 4, k: 3, q: Fraction(1, 3), p: HALF},
        ],
        "standard": {
            D: [3, 5, 7],
            k: [1, 3],
            q: [HALF, Fraction(9, 10)],
            p: [HALF, Fraction(3, 10)],
        },
    },
    closed_form=v,
    relation=equals(),
    legs=[
        leg("double sum", embedding_norm),
        leg(
            "rate off A",
            rate_outside,
            closed_form=p,
            where=k < D,
            lhs=r"\Pr[\phi_j=1]",
            tex="p",
            required=False,
        ),
    ],
    rivals=[
        variant("a fair background", closed_form=sp.Rational(1, 2), leg="rate off A"),
        variant("p = 1/2 in every background", closed_form=v.subs(p, HALF), leg="double sum"),
        variant("1 - q for (1 - q)/2", closed_form=v * 2**k),
        variant("background ignored", closed_form=((1 - q) / 2) ** k),
    ],
)


def bessel_over_sets(D, k, q):
    """sum over A of |E[y_A K(x,.)]|_K^2 at p = 1/2, by symmetry C(D,k) times one of them. Shape ()."""
    return len(list(itertools.combinations(range(D), k))) * embedding_norm(D, k, q, HALF)


bessel = claim(
    "structured-kernel-bessel",
    lhs=r"\sum_A\big\|\mathbb{E}[y_AK(x,\cdot)]\big\|_K^2",
    states="structured-kernel-repaired",
    title=r"All parities together use up at most $\kappa^2$",
    says=r"At $p=1/2$ the squared norms of $\mathbb{E}[y_AK(x,\cdot)]$ add up to at most $\kappa^2=1$ "
    "over all $A$.",
    role="derived",
    encodes="part",
    domain={D: integers(1), k: integers(1), q: reals(0, 1, low_open=True, high_open=True)},
    where=(sp.Eq(k % 2, 1), k <= D),
    grid={
        "smoke": {D: [3, 5], k: [1, 3], q: [HALF, Fraction(1, 50)]},
        "standard": {D: [3, 5, 7], k: [1, 3], q: [HALF, Fraction(1, 50), Fraction(9, 10)]},
    },
    closed_form=sp.Integer(1),
    relation=at_most(),
    legs=[leg("double sum", bessel_over_sets)],
    rivals=[variant("1/C(D,k)", closed_form=1 / sp.binomial(D, k))],
)


def expansion_hinge(D, k, q, r):
    """Hinge on the parity of f = C sum_{z_A} Pi(z_A) K((z_A, 0), .), every centre taken r times with 1/r of
    its coefficient, C such that y f >= 1 everywhere; patterns by their number of ones outside A. Shape ()."""
    q = Fraction(q)
    coefficient = scale(D, k, q) / r
    total = Fraction(0)
    for phi in itertools.product((0, 1), repeat=k):
        near = sum(parity(z) * kernel(phi, z, q) for z in itertools.product((0, 1), repeat=k))
        for ones in range(D - k + 1):
            weight = Fraction(comb(D - k, ones), 2**D)
            total += weight * hinge(parity(phi) * r * coefficient * near * q**ones)
    return total


def scale(D, k, q):
    return (1 - Fraction(q)) ** -k * Fraction(q) ** -(D - k)


def margin_everywhere(D, k, q, r):
    """y f >= 1 on every pattern, by their number of ones outside A, so that the hinge is 0 on every law."""
    q = Fraction(q)
    for phi in itertools.product((0, 1), repeat=k):
        near = sum(parity(z) * kernel(phi, z, q) for z in itertools.product((0, 1), repeat=k))
        for ones in range(D - k + 1):
            if parity(phi) * scale(D, k, q) * near * q**ones < 1:
                return Proof(False, "a margin below 1", {}, {"phi": list(phi), "ones": ones})
    return Proof(True, "the margin of every pattern", {"patterns": 2**k * (D - k + 1)})


def coefficient_norm(D, k, q, r):
    """|al|_2^2 of that expansion: 2^k r centres. Shape ()."""
    return 2**k * r * (scale(D, k, q) / r) ** 2


def many_copies(D, k, q, r):
    return k % 2 == 1 and k > 3 and 16 * k <= D and coefficient_norm(D, k, q, r) <= 1


many_centres = claim(
    "structured-kernel-corollary",
    lhs=r"\max_A\mathcal{L}_{\text{hinge}}(f,A)",
    title=r"Kernel expansions with bounded $|\alpha|_2$, read over the class",
    says=r"Every $f=\sum_i\alpha_iK(z_i,\cdot)$ with $|\alpha|_2\le1$ has hinge at least "
    r"$1-1/\sqrt{\binom{D}{k}}$ on some parity (the repaired bound with $|\alpha|_2$ for the "
    "norm), whatever the number of centres.",
    role="reading",
    covers="class-coefficients",
    expect="fail",
    domain={
        D: integers(1),
        k: integers(1),
        q: reals(0, 1, low_open=True, high_open=True),
        r: integers(1),
    },
    where=many_copies,
    grid={
        "smoke": [{D: 80, k: 5, q: Fraction(79, 80), r: 10**22}],
        "standard": [{D: 112, k: 7, q: Fraction(111, 112), r: 10**32}],
    },
    closed_form=1 - 1 / sp.sqrt(sp.binomial(D, k)),
    relation=at_least(),
    legs=[
        leg("repeated centres", expansion_hinge, gives="n z alpha"),
        leg("on every law", margin_everywhere, arithmetic="proof", over="law"),
    ],
)


# ---- the other reading: the function first, the parity after it


def average_of_sign(D, k):
    """Hinge of f = sign(e_k), averaged over all A. Shape ()."""
    agree = symmetric_mean(D, lambda t: abs(elementary(D, k, t)))
    return 1 - agree / comb(D, k)


def average_over_the_cube(D, k):
    """The same at every z and on every A. Shape ()."""
    table = parities(D, k)
    f = np.sign(table.sum(axis=1))
    return Fraction(int(np.maximum(0, 1 - f[:, None] * table).sum()), table.size)


def average_of_one_parity(D, k):
    """The average hinge over all A of f = Pi_A' for one A'. Shape ()."""
    table = parities(D, k)
    return Fraction(int(np.maximum(0, 1 - table[:, :1] * table).sum()), table.size)


def best_average(D, k):
    """The least average hinge over all A of any function at all: at every z the average is convex and
    piecewise linear in f(z) with kinks at -1 and 1, so its least value is at a kink. Shape ()."""
    table = parities(D, k)
    at_kinks = np.stack([np.maximum(0, 1 - f * table).sum(axis=1) for f in (-1, 1)])
    return Fraction(int(at_kinks.min(axis=0).sum()), table.size)


t, j = sp.symbols("t j", integer=True, nonnegative=True)
e_k = sp.Sum((-1) ** j * sp.binomial(D - t, j) * sp.binomial(t, k - j), (j, 0, k))
seen = sp.Sum(sp.binomial(D, t) * sp.Abs(e_k), (t, 0, D)) / 2**D / sp.binomial(D, k)
function_first = claim(
    "structured-kernel-corollary-function-first",
    lhs=r"\mathbb{E}_A\,\mathcal{L}_{\text{hinge}}(f,A)",
    tex=r"1-\frac{\mathbb{E}\,|e_k|}{\binom{D}{k}}",
    states="structured-kernel-corollary",
    title="A function chosen before the parity, kernel or not",
    says="The least hinge that any function has on average over all parities of size $k$ is "
    r"$1-\mathbb{E}|e_k|/\binom{D}{k}$: read with the function first, the corollary needs neither "
    "kernel nor norm.",
    role="reading",
    encodes="part",
    domain={D: integers(1), k: integers(1)},
    where=k <= D,
    grid={"smoke": {D: [5, 6], k: [1, 2, 3]}, "standard": {D: [7, 9, 10], k: [1, 3, 4]}},
    closed_form=1 - seen,
    # A sign inside the absolute value, or a limit beyond the support of the binomials, changes nothing, and no
    # normal form of such sums shows it: the rivals stand for the mutants.
    mutate=False,
    relation=minimises(),
    legs=[
        attained(average_of_sign),
        attained(average_over_the_cube, name="every z and A"),
        certificate(best_average),
    ],
    rivals=[
        variant("1 - 1/sqrt(C(D,k))", closed_form=1 - 1 / sp.sqrt(sp.binomial(D, k))),
        variant("1 - 1/C(D,k)", closed_form=1 - 1 / sp.binomial(D, k), leg="attained"),
        variant("half the advantage", closed_form=1 - seen / 2, leg="every z and A"),
        variant("one parity", simulation=average_of_one_parity, leg="every z and A"),
        variant("e_(k+1)", closed_form=1 - seen.subs(k, k + 1)),
        variant("Gaussian limit", closed_form=1 - sp.sqrt(2 / sp.pi / sp.binomial(D, k))),
    ],
)
