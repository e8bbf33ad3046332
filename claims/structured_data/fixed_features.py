"""Theorem 2.2 = A.22: linear models on fixed features, as printed.

Setting. Features Psi into [-1, 1]^N are fixed before the relevant set A is chosen; h = <Psi, w>, |w| <= B;
hinge loss; k odd, 3 < k <= D/16; F_Xi the family with balanced classes, covariance gamma of label and relevant
pattern, and background rate p_o.

As printed, for every (gamma, p_o), Psi and B some member forces hinge >= p_o (1 - sqrt(2N) B / 2^k) on every w. But
z_i = 2 phi_i - 1, i in A, has |z_i| = 1, so that its hinge is 1 - E[y z_i] = 1 - 2 gamma on every member: with the
coordinates as features and w = e_i the bound is false whenever gamma is large. The proof's own mixture has gamma =
(1 - p_o)/2, and for gamma up to that the bound stands (`fixed_feature_repair`).

Reference: Theorems 2.2, A.22 (dissertation, chapter 2).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    identity_for_all,
    instances,
    integers,
    leg,
    reals,
    variant,
)

from ._family import exchangeable_law, hinge, parity, relevant_law

D, k = sp.symbols("D k", integer=True, positive=True)
gamma, p = sp.symbols("gamma p", positive=True)
HALF = Fraction(1, 2)
FAMILY = {
    D: integers(1),
    k: integers(1),
    gamma: reals(0, HALF, low_open=True),
    p: reals(0, HALF, low_open=True),
}
PRINTED = (sp.Eq(k % 2, 1), k > 3, 16 * k <= D)


def coordinate_hinge(k, gamma):
    """Hinge of h = 2 phi_1 - 1 on the repaired mixture, over all 2^k relevant patterns. Shape ()."""
    law = relevant_law(k, Fraction(gamma))
    return sum(w * hinge(Fraction(parity(f) * (2 * f[0] - 1))) for f, w in law.items())


def where_it_is_printed(D, k, gamma, p):
    """The same at the sizes and rates of the theorem, and nowhere else. Shape ()."""
    if k % 2 == 0 or k <= 3 or 16 * k > D or not 0 < p <= HALF:
        raise ValueError("the theorem says nothing of these sizes")
    return coordinate_hinge(k, gamma)


def another_member(rng, k, gamma):
    law = exchangeable_law(k, Fraction(gamma), rng)
    return {"weights": [law[f] for f in itertools.product((0, 1), repeat=k)]}


def coordinate_hinge_elsewhere(weights, k):
    """The same on another member of the family with the same gamma. Shape ()."""
    patterns = itertools.product((0, 1), repeat=k)
    return sum(
        w * hinge(Fraction(parity(f) * (2 * f[0] - 1)))
        for f, w in zip(patterns, weights, strict=True)
    )


# ---- on every law of the relevant patterns at once: its weights as indeterminates


def hinges(ns, weights, k):
    """E max(0, 1 - y z_i) for every i in A. Shape (k,)."""
    return ns.stack(
        [ns.sum(weights * ns.asarray(row)) for row in patterns(k, lambda m: max(0, 1 - m))]
    )


def from_moments(ns, weights, k, slope=1):
    """sum of the weights less E[y z_i]; for a law of the family 1 - 2 gamma."""
    total = ns.sum(weights)
    return ns.stack(
        [total - slope * ns.sum(weights * ns.asarray(row)) for row in patterns(k, lambda m: m)]
    )


def patterns(k, value):
    """value(y z_i) at all patterns, a row for each i."""
    cube = list(itertools.product((0, 1), repeat=k))
    return [[value(parity(f) * (2 * f[i] - 1)) for f in cube] for i in range(k)]


def on_every_law(k):
    return identity_for_all(hinges, from_moments, {"weights": (2**k,)}, k=k)


def half_the_moment(k):
    def halved(ns, weights, k):
        return from_moments(ns, weights, k, slope=Fraction(1, 2))

    return identity_for_all(hinges, halved, {"weights": (2**k,)}, k=k)


def xi(*rows):
    return [dict(zip((D, k, gamma, p), row, strict=True)) for row in rows]


fixed_feature_bound = claim(
    "structured-fixed-feature-lower-bound",
    lhs=r"\mathcal{L}_{\text{hinge}}(w)",
    tex=r"p\Big(1-\frac{\sqrt{2D}}{2^k}\Big)",
    title="Linear models on fixed features, as printed",
    says=r"For every $\gamma$ and $p_o$, with the $D$ coordinate features and $B=1$, every linear model"
    r" has hinge at least $p_o(1-\sqrt{2D}/2^k)$ on some member; false at the coordinate "
    r"$2\phi_i-1$, $i\in A$, on every member.",
    covers="class-lower-bound",
    reads={"Xi": "D k gamma p"},
    expect="fail",
    domain=FAMILY,
    where=PRINTED,
    grid={"smoke": xi((144, 9, Fraction(3, 10), HALF), (144, 9, Fraction(9, 20), Fraction(1, 4)))},
    closed_form=p * (1 - sp.sqrt(2 * D) / 2**k),
    relation=at_least(),
    legs=[
        leg("one coordinate", where_it_is_printed, gives="Psi B w"),
        leg("on every law", on_every_law, arithmetic="proof", over="law"),
    ],
)

coordinate_value = claim(
    "structured-fixed-feature-coordinate",
    lhs=r"\mathcal{L}_{\text{hinge}}(w)",
    states=["structured-fixed-feature-lower-bound", "structured-fixed-feature-repaired"],
    title="What one coordinate reaches on every member",
    says=r"On every member of the family every coordinate of $A$ has hinge exactly $1-2\gamma$.",
    role="derived",
    covers="structured-fixed-feature-repaired/matching-upper",
    # At k = 1 the coordinate is the label itself, and its hinge is another one.
    domain={k: integers(3), gamma: reals(0, HALF, low_open=True)},
    where=sp.Eq(k % 2, 1),
    grid={
        "smoke": {k: [3, 5], gamma: [Fraction(1, 20), Fraction(3, 10), Fraction(9, 20)]},
        "standard": {k: [3, 5, 7], gamma: [Fraction(i, 20) for i in (1, 4, 6, 9)]},
    },
    closed_form=1 - 2 * gamma,
    relation=equals(),
    legs=[
        leg("the repaired mixture", coordinate_hinge),
        leg(
            "random members",
            coordinate_hinge_elsewhere,
            instances=instances(another_member, "weights", smoke=5, standard=20),
        ),
        leg("on every law", on_every_law, arithmetic="proof", over="law i", where=k <= 9),
    ],
    rivals=[
        variant("1 - gamma", closed_form=1 - gamma),
        variant("(1 - 2 gamma)^2", closed_form=(1 - 2 * gamma) ** 2),
        variant("1/2", closed_form=sp.Rational(1, 2)),
        variant("half the moment", simulation=half_the_moment, leg="on every law"),
    ],
)
