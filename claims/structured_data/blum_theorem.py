"""Theorem A.26 (quoted): the statistical-query lower bound, and the threshold that orthogonality gives.

Setting. d pairwise orthogonal concepts; error is the probability of a wrong label. As quoted, an algorithm with fewer
than d^{1/3}/2 queries of tolerance above 2 d^{-1/3} cannot reach error below 1/2 - 1/d^3 on all of them.

That threshold is wrong: over all 2^D parities, predicting 1 at z = (1, .., 1) and tossing a coin elsewhere has
advantage 1/(2 d) on each, without a query. At 1/2 - 1/(2 sqrt(d)) it is right without queries (`sq_lower_bound`).

Reference: Theorem A.26 after Blum et al. 1994 (dissertation, appendix A). The cube in the threshold stands in every
quotation that we know; the 1994 text itself was not seen.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, claim, integers, leg, variant

from ._parities import correlations, cube, parities, sign

D, d = sp.symbols("D d", integer=True, positive=True)


def all_parities_error(D):
    """Over all 2^D parities (d = 2^D): predict 1 at z = (1, .., 1) and flip a coin elsewhere. Largest error
    over the class, exactly. Shape ()."""
    points = cube(D)
    table = [int(all(z == 1)) for z in points]
    return max((1 - c) / 2 for size in range(D + 1) for c in correlations(table, D, size))


def sized(D):
    """The same, the number of concepts beside it."""
    return {"value": all_parities_error(D), "d": 2**D}


def triples_error(D):
    """Predict the sign of the sum of all parities of three coordinates: largest error over these, d of them."""
    table = [sign(int(total)) for total in parities(D, 3).sum(axis=1)]
    errors = [(1 - c) / 2 for c in correlations(table, D, 3)]
    return {"value": max(errors), "d": len(errors)}


blum_theorem = claim(
    "structured-blum-sq-theorem",
    lhs=r"\max_c\operatorname{err}(h,c)",
    tex=r"\frac12-\frac1{d^3}",
    title="The quoted SQ lower bound, as quoted",
    says="Without a query, no hypothesis has error below $1/2 - 1/d^3$ on each of $d$ orthogonal "
    "concepts.",
    covers="as-quoted",
    expect="fail",
    domain={D: integers(4)},
    grid={"smoke": {D: [4, 6]}, "standard": {D: [4, 6, 8, 10]}},
    closed_form=sp.Rational(1, 2) - 2 ** (-3 * D),
    relation=at_least(),
    legs=[leg("one point of the cube", all_parities_error, gives="class law algorithm")],
)

blum_theorem_corrected = claim(
    "structured-blum-sq-theorem-corrected",
    lhs=r"\max_c\operatorname{err}(h,c)",
    tex=r"\frac12-\frac1{2\sqrt d}",
    states=["structured-blum-sq-theorem"],
    title="The SQ lower bound with the threshold that orthogonality gives",
    says=r"Without a query, no hypothesis has error below $1/2 - 1/(2 \sqrt{d})$ on each of $d$ "
    "orthogonal concepts.",
    role="corrected",
    corrects="structured-blum-sq-theorem",
    encodes="special-case",
    domain={D: integers(4)},
    grid={"smoke": {D: [4, 6]}, "standard": {D: [4, 6, 8, 10]}},
    closed_form=sp.Rational(1, 2) - 1 / (2 * sp.sqrt(d)),
    relation=at_least(),
    legs=[
        leg("one point of the cube", sized, observed=["d"]),
        leg("parities of three coordinates", triples_error, observed=["d"]),
    ],
    rivals=[
        variant(
            "1/2 - 1/d^3",
            closed_form=sp.Rational(1, 2) - 1 / d**3,
            leg="one point of the cube",
        ),
        variant(
            "1/2 - 1/(2 d), right of all parities alone",
            closed_form=sp.Rational(1, 2) - 1 / (2 * d),
            leg="parities of three coordinates",
        ),
    ],
)
