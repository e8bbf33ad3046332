"""Section 6.3.3: the stable rank.

Setting. M is not 0, with singular values s_1 >= s_2 >= ... >= 0.

Statements. (1) Printed is |M|_F^2/|M|_2; meant is |M|_F^2/|M|_2^2. A stand-in for the rank does not change when M
is scaled; the printed form does, by the factor. (2) The stable rank lies between 1 and the rank, with equality on
the right exactly where all positive singular values are equal: with t = s_i/s_1, each t^2 is between 0 and
sign(t), less than it inside (0, 1). It is not |M|_*^2/|M|_F^2, which lies there too: diag(2, 1) has 5/4, and 9/5.

Reference: section 6.3.3, lines 1749-1758.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, reals, typed, variant

c = sp.Symbol("c", positive=True)
ratio = sp.Symbol("ratio", positive=True)


def draw(rng, c):
    """A 2 x 3 matrix with singular values s and t s, s a fifth to nine fifths, 0 < t < 1; ``ratio`` is 1 + t^2."""
    U, V = rng.orthogonal_rational(2), rng.orthogonal_rational(3)
    s, t = Fraction(int(rng.integers(1, 10)), 5), Fraction(int(rng.integers(1, 10)), 10)
    values = (s, t * s)
    M = [[sum(U[i][k] * values[k] * V[j][k] for k in range(2)) for j in range(3)] for i in range(2)]
    return {"M": M, "ratio": 1 + t**2}


def norms(ns, M):
    """Squared Frobenius norm and spectral norm. M (B, m, n), shapes (B,)."""
    return ns.sum(M * M, axis=(-2, -1)), ns.svdvals(M)[:, 0]


def printed_of_scaled(ns, M, c):
    """|cM|_F^2/|cM|_2 over the same of M. Shape (B,)."""
    square, spectral = norms(ns, M)
    square_scaled, spectral_scaled = norms(ns, c * M)
    return square_scaled / spectral_scaled / (square / spectral)


def meant_of_scaled(ns, M, c):
    """|cM|_F^2/|cM|_2^2. Shape (B,)."""
    square, spectral = norms(ns, c * M)
    return square / spectral**2


def nuclear_over_frobenius(ns, M, c):
    """The impostor |cM|_*^2/|cM|_F^2."""
    return ns.sum(ns.svdvals(c * M), axis=-1) ** 2 / norms(ns, c * M)[0]


DRAWN = instances(draw, "M ratio", smoke=3, standard=20)
SCALES = {
    "smoke": {c: [Fraction(1, 10), 1, 10]},
    "standard": {c: [Fraction(1, 10), Fraction(2, 3), 1, 7, 10]},
}

printed = claim(
    "nuclear-stable-rank-printed",
    lhs=r"\frac{\|cM\|_F^2\,/\,\|cM\|_2}{\|M\|_F^2\,/\,\|M\|_2}",
    states="nuclear-stable-rank",
    title="The printed stable rank under scaling",
    says=r"$\|M\|_F^2/\|M\|_2$ does not change when $M$ is scaled by $c>0$.",
    expect="fail",
    covers="definition",
    domain={c: reals(0, low_open=True)},
    grid=SCALES,
    closed_form=sp.Integer(1),
    legs=[leg("singular values", printed_of_scaled, instances=DRAWN)],
)

corrected = claim(
    "nuclear-stable-rank-corrected",
    lhs=r"\frac{\|cM\|_F^2}{\|cM\|_2^2}",
    tex=r"1+t^2",
    states="nuclear-stable-rank",
    title="The stable rank",
    says=r"$\|cM\|_F^2/\|cM\|_2^2$ is $1+t^2$ for every $M$ with singular values $s$, $ts$ and every "
    "$c>0$.",
    role="corrected",
    corrects="nuclear-stable-rank-printed",
    covers="definition",
    domain={c: reals(0, low_open=True)},
    grid=SCALES,
    closed_form=ratio,
    legs=[leg("singular values", meant_of_scaled, instances=DRAWN)],
    rivals=[
        variant("|M|_*^2/|M|_F^2", simulation=nuclear_over_frobenius),
        variant("as printed", simulation=printed_of_scaled),
        variant("2 + t^2", closed_form=ratio + 1),
    ],
)

between = claim(
    "nuclear-stable-rank-between",
    states="nuclear-stable-rank",
    title="Between 1 and the rank",
    says="With t = s_i/s_1: 0 <= t^2 <= sign(t) on [0, 1], with equality on the right only at 0 and 1.",
    covers="between",
    reads={"M": "t"},
    legs=[
        formula_leg("each ratio", typed("0 <= t**2 <= sign(t)", over="t in [0, 1]")),
        formula_leg("strictly inside", typed("t**2 < sign(t)", over="t in (0, 1)")),
    ],
    rivals=[
        variant(
            "without dividing by s_1",
            leg="each ratio",
            simulation=typed("0 <= t**2 <= sign(t)", over="t in [0, 2]"),
        ),
        variant(
            "strictly at 1 too",
            leg="strictly inside",
            simulation=typed("t**2 < sign(t)", over="t in (0, 1]"),
        ),
    ],
)
