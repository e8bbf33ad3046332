r"""Lemmas B.31 and B.34: moments of a mixture, and one step of its geometry.

Setting. |mu_j| <= B_mu2 sqrt d, standard deviations at most S; cosines of the means in [-1, theta], theta <= 1/(2 r).

Statements. (1) E|x|^2 = sum p_j (|mu_j|^2 + d sigma_j^2) <= (B_mu2 + S)^2 d, and E|x| is at most its root. (2)
Printed, (B.249): the part of mu_r orthogonal to the means with cosine at least -theta to it keeps at least half of
its length. At r = 3 and theta = 24/145 <= 1/6 the directions e_1, (-143/145, 24/145) and e_2 are allowed, the first
two have cosines 0 and theta with the third, and they span the plane: nothing is left.

Reference: lines 6430-6447, 6613-6623.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)
from theorycheck.blocks.gaussian_rules import THIRD, product_rule

from ._beside import beside

theta = sp.symbols("theta", nonnegative=True)

SECOND = formula_leg(
    "each cluster",
    typed(
        "d*M**2 + d*s**2 <= (B + S)**2*d",
        over=["d in 1..oo", "B in (0, oo)", "S in (0, oo)", "M in [0, B]", "s in [0, S]"],
    ),
    over="mixture",
)
FIRST = formula_leg(
    "its root",
    typed(
        "sqrt((B + S)**2*d) == (B + S)*sqrt(d)", over=["d in 1..oo", "B in (0, oo)", "S in (0, oo)"]
    ),
    over="mixture",
)


def clusters(rng):
    """Three means of R^3, their standard deviations and weights."""
    shares = [int(v) for v in rng.integers(1, 6, (3,))]
    return {
        "means": rng.rational((3, 3), 5),
        "widths": [abs(v) for v in rng.rational((3,), 3)],
        "weights": [Fraction(v, sum(shares)) for v in shares],
    }


def one_cluster(rng):
    """A cluster at 0: the bound is reached."""
    return {"means": [[0, 0, 0]], "widths": [Fraction(3, 2)], "weights": [1]}


def second_moment(means, widths, weights):
    """E|x|^2, by a rule that is exact for squares. Shape ()."""
    nodes, shares = product_rule([THIRD] * 3)
    return sum(
        p * share * sum((Fraction(m) + s * z) ** 2 for m, z in zip(mean, node, strict=True))
        for mean, s, p in zip(means, widths, weights, strict=True)
        for node, share in zip(nodes, shares, strict=True)
    )


def largest_mean(means):
    """A bound of max |mu_j|/sqrt d by its square's next perfect square: B_mu2 for d = 3."""
    square = max(dot(v, v) for v in means) / 3
    root = Fraction(0)
    while root**2 < square:
        root += Fraction(1, 8)
    return root


def moment_bound(means, widths, weights):
    """(B_mu2 + S)^2 d. Shape ()."""
    return 3 * (largest_mean(means) + max(widths)) ** 2


def half_of_bound(means, widths, weights):
    return moment_bound(means, widths, weights) / 2


def beside_bound(name, draw, count):
    return beside(
        name,
        second_moment,
        r"\mathbb E\|x\|^2",
        r"(B_{\mu2}+\sigma_{B+})^2d",
        reference=moment_bound,
        instances=instances(draw, "means widths weights", smoke=count, standard=4 * count),
    )


def dot(u, v):
    return sum((Fraction(a) * b for a, b in zip(u, v, strict=True)), Fraction(0))


moments = claim(
    "gradfeat-mixture-moments",
    states="gradfeat-mog-opt",
    title="Moments of a mixture",
    says=r"$\mathbb E\|x\|^2\le(B_{\mu2}+\sigma_{B+})^2d$ and $\mathbb E\|x\|\le(B_{\mu2}+\sigma_{B+})\sqrt d$.",
    covers="moment-bounds",
    relation=at_most(),
    legs=[
        SECOND,
        FIRST,
        beside_bound("drawn mixtures", clusters, 4),
        beside_bound("one cluster", one_cluster, 1),
    ],
    rivals=[
        variant("half of it", reference=half_of_bound, leg="one cluster"),
        *rivals_of(SECOND, {"the larger of the two": "d*M**2 + d*s**2 <= Max(B, S)**2*d"}),
        *rivals_of(FIRST, {"without the root": "sqrt((B + S)**2*d) == (B + S)*d"}),
    ],
)


def three_directions():
    """D_1, D_2, D_3 in the plane."""
    return ((1, 0), (Fraction(-143, 145), Fraction(24, 145)), (0, 1))


def left_over(theta):
    """|P mu_3|^2/|mu_3|^2, P the projection off those of D_1, D_2 whose cosine with D_3 is at least -theta. "
    "Shape ()."""
    first, second, rest = three_directions()
    if max(dot(first, second), dot(first, rest), dot(second, rest)) > Fraction(theta):
        raise ValueError("a cosine above theta: no means of the lemma")
    basis = []
    for v in (first, second):
        if dot(v, three_directions()[2]) >= -Fraction(theta):
            for u in basis:
                v = tuple(a - dot(v, u) / dot(u, u) * b for a, b in zip(v, u, strict=True))
            basis.append(v)
    for u in basis:
        rest = tuple(a - dot(rest, u) / dot(u, u) * b for a, b in zip(rest, u, strict=True))
    return dot(rest, rest)


projection = claim(
    "gradfeat-mixture-projection-step",
    lhs=r"\|\hat\mu_r\|^2/\|\mu_r\|^2",
    tex=r"\tfrac14",
    states="gradfeat-mog-geometry",
    title="What is left of a mean off the others, as printed",
    says=r"$\|\hat\mu_r\|\ge\frac12\|\mu_r\|$ for all means with cosines in $[-1,\theta]$, "
    r"$\theta\le\frac1{2r}$; here three of them.",
    expect="fail",
    covers="projection-step",
    reads={"means": "theta"},
    domain={theta: reals(Fraction(24, 145), Fraction(1, 6))},
    grid={"smoke": [{theta: Fraction(1, 6)}]},
    closed_form=sp.Rational(1, 4),
    relation=at_least(),
    legs=[leg("three means", left_over, unit=1)],
)
