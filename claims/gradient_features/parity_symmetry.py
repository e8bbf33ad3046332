r"""Remark B.45: what the symmetry of the structured parities gives, and what not.

Setting. r, k odd; the law on A has mass p_A on each of the 2 r biased parts and is uniform else; y the sign of the
sum of block parities.

Statements. (1) y(-phi) = -y(phi), k being odd, and the law is even. (2) Printed: E[yx] = 0. This does not follow, x
and y change sign together: on X_{j,+-}, y phi_l = 1 on A_j. (3) E[y phi_l] = 2 p_A on A for k >= 3, and 0 off A: on
the uniform part the block parities are independent of each single phi_l. At k = 1, r = 1 it is 1.

Reference: lines 6962-6968.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula_leg,
    leg,
    odd_integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._parity import label, law

r, k = sp.symbols("r k", integer=True, positive=True)
p_A = sp.symbols("p_A", nonnegative=True)
ODD = {r: odd_integers(1), k: odd_integers(1)}
SMALL = {
    "smoke": [{r: 1, k: 1}, {r: 1, k: 3}, {r: 3, k: 3}],
    "standard": [{r: 1, k: 7}, {r: 3, k: 1}, {r: 3, k: 3}, {r: 5, k: 1}],
}


def unchanged(r, k):
    """How many inputs on A have y(-phi) != -y(phi) or another weight than -phi. Shape ()."""
    weights: dict[tuple[int, ...], Fraction] = {}
    for phi, weight in law(r, k, Fraction(1, 4 * r)):
        weights[phi] = weights.get(phi, Fraction(0)) + weight
    mirrored = [tuple(-v for v in phi) for phi in weights]
    return sum(
        label(m, k) != -label(phi, k) or weights[m] != weights[phi]
        for phi, m in zip(weights, mirrored, strict=True)
    )


def even_label(r, k):
    """With the square of the label in its place."""
    return sum(
        label(tuple(-v for v in phi), k) ** 2 != -(label(phi, k) ** 2)
        for phi, _ in law(r, k, Fraction(1, 4 * r))
    )


FLIP = formula_leg(
    "odd number of factors", typed("(-1)**(2*n + 1) == -1", over="n in 0..oo"), over="phi"
)

odd = claim(
    "gradfeat-parity-odd-label",
    lhs=r"\#\{\phi:y(-\phi)\ne-y(\phi)\text{ or }\Pr(-\phi)\ne\Pr(\phi)\}",
    tex="0",
    states="gradfeat-parity-symmetry",
    title="Label and law under a change of sign",
    says=r"$y(-\phi)=-y(\phi)$ and $\Pr(-\phi)=\Pr(\phi)$.",
    covers="odd-label law-even",
    domain=ODD,
    where=r * k <= 15,
    grid=SMALL,
    relation=counts(),
    closed_form=sp.Integer(0),
    legs=[leg("enumeration", unchanged, inside="phi"), FLIP],
    mutate=False,
    rivals=[
        variant("an even label", simulation=even_label, leg="enumeration"),
        *rivals_of(FLIP, {"even k": "(-1)**(2*n) == -1"}),
    ],
)


def mean_coordinate(r, k, p_A):
    """E[y phi_1], and whether all coordinates on A have it. Shape (2,)."""
    totals = [Fraction(0)] * (r * k)
    for phi, weight in law(r, k, p_A):
        for i, value in enumerate(phi):
            totals[i] += weight * label(phi, k) * value
    return [totals[0], len(set(totals))]


def without_weights(r, k, p_A):
    """The uniform part alone."""
    totals = [Fraction(0)] * (r * k)
    for phi, weight in law(r, k, 0):
        for i, value in enumerate(phi):
            totals[i] += weight * label(phi, k) * value
    return [totals[0], len(set(totals))]


MASS = {p_A: reals(0, Fraction(1, 2))}

printed = claim(
    "gradfeat-parity-mean-printed",
    lhs=r"\big(\mathbb E[y\phi_1],\ \#\{\mathbb E[y\phi_l]\}_{l\in A}\big)",
    tex="(0,\\ 1)",
    states="gradfeat-parity-symmetry",
    title=r"$\mathbb E[yx]=0$",
    says=r"$\mathbb E[yx]=0$ for every structured parity.",
    expect="fail",
    covers="mean-zero",
    reads={"p_o": "p_A"},
    domain={**ODD, **MASS},
    where=sp.And(r * k <= 15, 2 * r * p_A <= 1),
    grid={"smoke": [{r: 1, k: 3, p_A: Fraction(1, 4)}, {r: 3, k: 3, p_A: Fraction(1, 8)}]},
    closed_form=sp.Matrix([0, 1]),
    legs=[leg("enumeration", mean_coordinate, unit=1)],
)

# off A, phi_l is independent of y and +-1 with probability p_o each
OFF = formula_leg(
    "off A", typed("p_o*m - p_o*m + (1 - 2*p_o)*0 == 0", over=["p_o in [0, 1/2]", "m in [-1, 1]"])
)

mean = claim(
    "gradfeat-parity-mean",
    lhs=r"\big(\mathbb E[y\phi_1],\ \#\{\mathbb E[y\phi_l]\}_{l\in A}\big)",
    tex=r"(2p_A,\ 1)",
    states="gradfeat-parity-symmetry",
    title=r"Value of $\mathbb E[yx]$",
    says=r"$\mathbb E[yx]=2p_A\sqrt k\sum_jD_j$ for odd $k\ge3$.",
    role="corrected",
    corrects="gradfeat-parity-mean-printed",
    covers="mean-value",
    domain={r: odd_integers(1), k: odd_integers(3), **MASS},
    where=sp.And(r * k <= 15, 2 * r * p_A <= 1),
    grid={
        "smoke": [{r: 1, k: 3, p_A: Fraction(1, 4)}, {r: 3, k: 3, p_A: Fraction(1, 8)}],
        "standard": [
            {r: 1, k: 7, p_A: Fraction(1, 3)},
            {r: 3, k: 3, p_A: Fraction(1, 6)},
            {r: 5, k: 3, p_A: Fraction(1, 50)},
        ],
    },
    closed_form=sp.Matrix([2 * p_A, 1]),
    legs=[leg("enumeration", mean_coordinate, unit=1), OFF],
    rivals=[
        variant("p_A", closed_form=sp.Matrix([p_A, 1])),
        variant("the uniform part alone", simulation=without_weights, leg="enumeration"),
        *rivals_of(OFF, {"noise of one sign": "p_o*m + (1 - p_o)*0 == 0"}),
    ],
)
