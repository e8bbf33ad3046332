"""Figures 9.1, G.3 on the model built by hand: how many answers in a row certify a rate of 95 percent.

Setting. N haystacks are drawn independently; each is answered with the same unknown probability p. The one-sided lower
limit at 95 percent (Clopper-Pearson) is the largest p at which as many right answers as were seen, or more, have a
chance of 5 percent at most. (The verdicts of `needle` are at the engine's own level, with as many haystacks as that
takes.)

Statement. Without a miss the limit is 20^(-1/N): 0.95 or more from N = 59 on, and below for every N up to 58; 30 of 30
show less than 0.905.

Reference: for sections 9.4.3, G.4.4 (arXiv 2409.17422); C. J. Clopper, E. S. Pearson, Biometrika 26 (1934).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula_leg,
    integers,
    leg,
    nowhere,
    rivals_of,
    typed,
    variant,
)

N = sp.symbols("N", integer=True, positive=True)
PARTS = 1000
"""The limit is looked for in thousandths."""


def chance_of_misses(rate, trials, misses):
    """Chance of at most so many misses, trial by trial: what a run of trials has of 0, .., ``misses`` of them."""
    chances = [Fraction(1)] + [Fraction(0)] * misses
    for _ in range(trials):
        before = [Fraction(0), *chances[:-1]]
        chances = [rate * a + (1 - rate) * b for a, b in zip(chances, before, strict=True)]
    return sum(chances)


def lower_limit(N, misses=0, level=Fraction(1, 20)):
    """The largest rate, in thousandths, at which ``N`` trials with at most so many misses have a chance of ``level`` at
    most. Shape ()."""
    low, high = 0, PARTS
    while high - low > 1:
        middle = (low + high) // 2
        rare = chance_of_misses(Fraction(middle, PARTS), N, misses) <= level
        low, high = (middle, high) if rare else (low, middle)
    return low


def without_a_miss(N):
    return lower_limit(N)


def of_two_sides(N):
    """With half of the 5 percent on the other side."""
    return lower_limit(N, level=Fraction(1, 40))


def with_a_miss(N):
    return lower_limit(N, misses=1)


LIMIT = sp.Rational(1, 20) ** (1 / N)
ENOUGH = formula_leg("enough", typed("(19/20)**trials <= 1/20", over="trials in 59..oo"))
TOO_FEW = formula_leg("too few", typed("(19/20)**trials > 1/20", over="trials in 1..58"))
THIRTY = formula_leg("thirty", typed("(904/1000)**30 < 1/20 < (905/1000)**30"))

trials = claim(
    "gemfilter-needle-trials",
    lhs=r"\lfloor1000\,p_{\min}\rfloor",
    tex=r"\lfloor1000\cdot20^{-1/N}\rfloor",
    states="gemfilter-needle",
    title="How many answers in a row certify 95 percent",
    says="Without a miss among $N$ haystacks the one-sided lower limit at 95 percent is $20^{-1/N}$: at least 0.95 for "
    r"every $N\ge59$ and below for every $N\le58$; 30 of 30 show less than 0.905.",
    role="derived",
    encodes="part",
    domain={N: integers(1)},
    grid={"smoke": {N: [1, 2, 30, 58, 59, 60]}},
    closed_form=sp.floor(PARTS * LIMIT),
    # A floor cannot tell a factor 1 + 1e-9: the rivals stand for the mutants.
    mutate=False,
    relation=counts(),
    legs=[leg("trial by trial", without_a_miss), ENOUGH, TOO_FEW, THIRTY],
    rivals=[
        variant("half on the other side", simulation=of_two_sides, leg="trial by trial"),
        variant("one miss", simulation=with_a_miss, leg="trial by trial"),
        variant("1 - 1/N", closed_form=sp.floor(PARTS * (1 - 1 / N)), leg="trial by trial"),
        *rivals_of(
            ENOUGH,
            {
                **nowhere("trials == 59", "trials > 1000"),
                "30 are enough": {"over": "trials in 30..oo"},
                "58 are enough": {"over": "trials in 58..oo"},
            },
        ),
        *rivals_of(
            TOO_FEW,
            {
                **nowhere("trials == 1", "trials == 58"),
                "59 are too few": {"over": "trials in 1..59"},
            },
        ),
        *rivals_of(THIRTY, {"30 of 30 show 0.905": "(905/1000)**30 <= 1/20"}),
    ],
)
