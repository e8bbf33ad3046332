r"""Definitions C.1 and G.1: the chance that a neuron detects a word.

Setting. A neuron's responses g_v = <w, v>/sigma_0 to the d words are independent standard Gaussians; t_lo <= t_hi are
thresholds, c sqrt(log d -+ 1/log^5 d) in the source. The neuron is in S*(v) if g_v >= t_hi and g_u < t_lo for every
other word u.

Statement. It is in S*(v) with probability Q(t_hi) (1 - Q(t_lo))^(d - 1), for every d, every word and all thresholds
t_lo <= t_hi: the d events are those of different coordinates.

Reference: lines 708-720 and 1874-1886.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

d = sp.Symbol("d", integer=True, positive=True)
v = sp.Symbol("v", integer=True, nonnegative=True)
lo, hi = sp.symbols("lo hi", real=True)


def upper(x):
    """Q, the tail of a standard Gaussian."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def detects(ns, rng, size, d, v, lo, hi):
    """Whether the word v, and no other, is answered above its threshold. Shape (size,)."""
    g = rng.normal((size, d))
    low, high = (ns.rational(e.numerator, e.denominator) for e in (lo, hi))
    others = ns.sum(ns.where(g >= low, 1, 0), axis=1) - ns.where(g[:, v] >= low, 1, 0)
    return ns.where(g[:, v] >= high, 1, 0) * ns.where(others == 0, 1, 0)


CHANCE = upper(hi) * (1 - upper(lo)) ** (d - 1)

WORDS = formula_leg(
    "d coordinates",
    typed(
        f"P[g >= hi]*P[h < lo]**(d - 1) == {CHANCE}",
        over=["d in 3..oo", "lo in R", "hi in [lo, oo)", "g, h ~ N(0, 1)"],
    ),
    over="v w0",
)

membership = claim(
    "granularity-detector-chance",
    lhs=r"\Pr[r\in S^{*(0)}(v)]",
    tex=r"Q(t_{hi})(1-Q(t_{lo}))^{d-1}",
    states="granularity-neuron-sets",
    title="The chance that a neuron detects a word",
    says=r"A neuron is in $S^{*(0)}(v)$ with probability $Q(t_{hi})(1-Q(t_{lo}))^{d-1}$, for every $d\ge3$, every word "
    r"and all $t_{lo}\le t_{hi}$.",
    covers="membership-probability",
    domain={d: integers(3), v: integers(0), lo: reals(), hi: reals()},
    where=sp.And(v < d, lo <= hi),
    grid={
        "smoke": [
            {d: 3, v: 0, lo: 1, hi: Fraction(6, 5)},
            {d: 6, v: 5, lo: 1, hi: Fraction(11, 10)},
        ],
        "standard": [
            {d: 4, v: 2, lo: Fraction(-1, 2), hi: Fraction(1, 2)},
            {d: 9, v: 3, lo: Fraction(5, 4), hi: Fraction(5, 4)},
        ],
    },
    closed_form=CHANCE,
    legs=[
        leg(
            "neurons",
            detects,
            statistic=probability(),
            required=False,
            target=Fraction(1, 10),
            where=sp.And(d <= 16, lo >= -2, hi <= 2),
        ),
        WORDS,
    ],
    mutate=False,
    rivals=[
        variant("d words below", closed_form=CHANCE * (1 - upper(lo)), leg="neurons"),
        variant("d - 2 words below", closed_form=CHANCE / (1 - upper(lo)), leg="neurons"),
        variant("the lower threshold", closed_form=CHANCE * upper(lo) / upper(hi), leg="neurons"),
        variant(
            "the upper threshold for the others",
            closed_form=upper(hi) * (1 - upper(hi)) ** (d - 1),
            leg="neurons",
        ),
        *rivals_of(WORDS, {"d below": f"P[g >= hi]*P[h < lo]**d == {CHANCE}"}),
    ],
)
