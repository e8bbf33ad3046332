r"""Table A.7: what the printed cosines of a ResNet's gradients say by themselves.

Setting. v_1, v_2, v_3 averaged gradients of a filter, v their mean; six cosines a network. With |v_1| = 1, |v_2| =
r_2, |v_3| = r_3 and the pair cosines C, cos(v_i, v) = (C r)_i/sqrt(r' C r).

Statements. (1) For some r_2, r_3 > 0 the three cosines to the mean follow from the three pair cosines within 10^-4,
the table's rounding, and C is positive definite, so that such vectors exist; equal norms do not do it. (2) All twelve
cosines exceed 1/2; the least is 0.5083.

Reference: lines 4150-4154.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    leg,
    variant,
)

m = sp.Symbol("m", integer=True, positive=True)
TO_MEAN = {128: "9727 8655 6549", 256: "8646 9665 9121"}
PAIRS = {128: "7454 5083 6533", 256: "7087 6919 9135"}
"""Cosines in units of 10^-4: (1, mean), (2, mean), (3, mean); (1, 2), (1, 3), (2, 3)."""
NORMS = {
    128: (Fraction(3236, 10000), Fraction(1763, 10000)),
    256: (Fraction(1814, 1000), Fraction(2302, 10000)),
}


def read(text):
    return [Fraction(int(x), 10000) for x in text.split()]


def ratios(m):
    """|v_2| and |v_3| over |v_1|."""
    return NORMS[m]


def equal_norms(m):
    return (Fraction(1), Fraction(1))


def gram(m):
    c12, c13, c23 = read(PAIRS[m])
    return [[1, c12, c13], [c12, 1, c23], [c13, c23, 1]]


def residual(ns, m, norms=ratios, order=(0, 1, 2)):
    """Largest difference of a cosine to the mean from the printed one. Shape ()."""
    r = ns.asarray([1, *norms(m)])
    C = ns.asarray(gram(m))
    along = ns.matmul(C, r)
    printed = read(TO_MEAN[m])
    off = along / ns.sqrt(ns.sum(r * along)) - ns.asarray([printed[i] for i in order])
    return ns.max(ns.abs(off))


def determinant(m):
    """Of the pair cosines. Shape ()."""
    c12, c13, c23 = read(PAIRS[m])
    return 1 + 2 * c12 * c13 * c23 - c12**2 - c13**2 - c23**2


SIZES = {"domain": {m: choices(128, 256)}, "grid": {"smoke": {m: [128, 256]}}}

consistent = claim(
    "structured-cosine-table",
    lhs=r"\max_i|\cos(v_i,\bar v)-\text{printed}|",
    tex="10^{-4}",
    states="structured-real-gradient-cosines",
    title="The six cosines of a row are those of three vectors and their mean",
    says="For both networks some norm ratios give the printed cosines to the mean from the printed pair "
    "cosines, within $10^{-4}$.",
    covers="table-consistent",
    reads={"row": "m"},
    closed_form=sp.Rational(1, 10000) + 0 * m,
    relation=at_most(),
    legs=[
        leg("cosines", residual, gives="r2 r3", chosen_by=ratios),
        leg(
            "positive definite",
            determinant,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            lhs=r"\det C",
            tex="0",
            unit=1,
        ),
    ],
    rivals=[
        variant("equal norms", call=residual, norms=equal_norms, leg="cosines"),
        variant("two columns exchanged", call=residual, order=(0, 2, 1), leg="cosines"),
        variant("1/100 of the tolerance", closed_form=sp.Rational(1, 10**6) + 0 * m, leg="cosines"),
        variant("determinant above 1/4", closed_form=sp.Rational(1, 4), leg="positive definite"),
    ],
    **SIZES,
)


def least(columns=(TO_MEAN, PAIRS)):
    """Of all printed cosines. Shape ()."""
    return min(x for table in columns for row in table.values() for x in read(row))


def least_to_mean():
    return least((TO_MEAN,))


similar = claim(
    "structured-cosine-least",
    lhs=r"\min\cos",
    tex="0.5083",
    states="structured-real-gradient-cosines",
    title="All printed cosines exceed one half",
    says="The least of the twelve printed cosines is 0.5083.",
    covers="similar-directions",
    domain={},
    grid={"smoke": [{}]},
    closed_form=sp.Rational(5083, 10000),
    relation=equals(),
    legs=[leg("every cosine", least, inside="pairs rows")],
    rivals=[
        variant("of those to the mean", simulation=least_to_mean),
        variant("0.6", closed_form=sp.Rational(6, 10)),
    ],
)
