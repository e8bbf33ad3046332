r"""Lemma A.29: no network along the sum of the relevant patterns survives a dependent background.

Setting. k odd; inner products 1/(k (D - k)) between relevant and background columns, 0 otherwise; the background all
on or all off, half each, independent of A; no input noise. Then <w, x> is s + (1 if the background is on) up to a
constant. s is uniform binomial with weight 1/2, else 0 or k; y = 1 for odd s, so that classes are balanced and gamma
= 1/4. The printed condition k mu p_o D/(sqrt(d) sigma~) <= 1/16 is 2 sqrt(D)/(D - k) <= 1/16 here, mu/sqrt(d) = 1/(k
(D - k)), p_o = 1, sigma~^2 = D/4: it holds for D large, and so do mu <= sqrt(d)/D up to a factor 2 and k mu/sqrt(d) <
1.

Statement. (s, on) and (s + 1, off) have one projection and opposite labels for all s < k: any function of the
projection is wrong, y g <= 0 < 1, in one of the two. It fails with probability at least sum_s min(C(k, s), C(k, s +
1))/2^(k + 2), and these minima add up to 2^k less one central coefficient: at least (1 - C(k, (k - 1)/2)/2^k)/4 >=
5/32 for every odd k >= 3. No e^(-ck) bounds that: it is below 5/32 from k = 2/c on.

Reference: Lemma A.29, lines 4342-4398.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

k = sp.Symbol("k", integer=True, positive=True)
HALF = Fraction(1, 2)


def collisions(k, shift=1):
    """(weight, label) of the pairs (s, background) by their projection; ``shift``: what the background adds."""
    found = {}
    for s in range(k + 1):
        weight = HALF * Fraction(comb(k, s), 2**k) + HALF / 2 * (s in (0, k))
        for on in (0, 1):
            found.setdefault(s + shift * on, []).append((weight / 2, 1 if s % 2 else -1))
    return found


def least_failure(k, shift=1):
    """The least P[y g <= 0] of all functions g of the projection: where it is given, the rarer label. Shape ()."""
    return sum(
        min(sum((w for w, y in group if y == label), Fraction(0)) for label in (-1, 1))
        for group in collisions(k, Fraction(shift)).values()
    )


COEFFICIENT = "binomial(2*r + 1, r)/2**(2*r + 1)"
# the share of the central coefficient is 3/8 at k = 3 and falls
FIRST = formula_leg("at k = 3", typed(f"(1 - {COEFFICIENT})/4 == 5/32", over="r in {1}"))
NEXT = formula_leg(
    "from k to k + 2",
    typed(
        f"binomial(2*r + 3, r + 1)/2**(2*r + 3) == {COEFFICIENT}*(2*r + 3)/(2*(r + 2))",
        over="r in 1..oo",
    ),
)
FALLS = formula_leg(
    "the share stays below 3/8",
    typed("v*(2*r + 3)/(2*(r + 2)) <= 3/8", over=["r in 1..oo", "v in [0, 3/8]"]),
)
DECAY = formula_leg(
    "an exponential",
    typed("exp(-c*k) < 5/32", over=["c > 0", "k in [2/c, oo)"]),
)

printed = claim(
    "structured-robust-network",
    states="structured-good-network-general",
    title="A network with an exponentially small probability to fail, as printed",
    says=r"Some $c>0$ has failure at most $e^{-ck}$ on every member; the member above leaves every network "
    r"along $w$ a failure of "
    r"$\frac5{32}$ or more, and that is above $e^{-ck}$ from $k=2/c$ on, whatever $c$.",
    expect="fail",
    covers="margin corollary",
    legs=[
        formula_leg(
            "an exponential above 5/32",
            typed("5/32 <= exp(-c*k)", over=["c > 0", "k in [2/c, oo)"]),
            over="c law g_star x",
        )
    ],
)

failure = claim(
    "structured-robust-network-failure",
    lhs=r"\min_g\Pr[y\,g\le0]",
    tex=r"\tfrac5{32}",
    states="structured-good-network-general",
    title="A failure that does not fall with k",
    says=r"On a member with a dependent background every function of $\langle w,x\rangle$ has $y\,g\le0$ with "
    r"probability at least $\frac5{32}$, for all odd $k\ge3$; for every $c$ this exceeds $e^{-ck}$ from $k=2/c$ on.",
    role="derived",
    corrects="structured-robust-network",
    encodes="part",
    domain={k: odd_integers(3)},
    grid={"smoke": {k: [3, 5, 9]}, "standard": {k: [7, 25, 101]}},
    closed_form=sp.Rational(5, 32) + 0 * k,
    relation=at_least(),
    legs=[
        leg("every function of the projection", least_failure, where=k <= 2001),
        FIRST,
        NEXT,
        FALLS,
        DECAY,
    ],
    rivals=[
        variant(
            "1/4", closed_form=sp.Rational(1, 4) + 0 * k, leg="every function of the projection"
        ),
        variant(
            "the background seen apart",
            call=least_failure,
            shift=HALF,
            leg="every function of the projection",
        ),
        *rivals_of(FIRST, {"k = 5": {"over": "r in {2}"}}),
        *rivals_of(
            NEXT,
            {
                "r + 1 for r + 2": "binomial(2*r + 3, r + 1)/2**(2*r + 3)"
                f" == {COEFFICIENT}*(2*r + 3)/(2*(r + 1))",
            },
        ),
        *rivals_of(FALLS, {"below 1/3": "v*(2*r + 3)/(2*(r + 2)) <= 1/3"}),
        *rivals_of(DECAY, {"from 1/c on": {"over": ["c > 0", "k in [1/c, oo)"]}}),
    ],
)
