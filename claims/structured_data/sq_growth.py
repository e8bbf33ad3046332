r"""Theorem 2.4 = A.27: no polynomial budget of queries learns parities without structure once k grows.

Setting. As in `sq_game`: d = C(D, k) parities of uniform patterns, D >= 2 k, a learner with at most D^a queries of
tolerance at least D^(-a). Every fixed polynomial of D is below D^a for some a and all large D.

Statements. C(D, k) >= (D/k)^k, as (D - i)/(k - i) >= D/k. For k >= 100 a^2 and every D >= 2 k, (D/k)^(k/3)/2 > D^a: in
logarithms the difference grows with D from D = 2 k on, where k log(2)/3 - log 2 > a log(2 k). So the budget is below
C(D, k)^(1/3)/2, and a member that is consistent with the answers has error at least 1/2 - sqrt(8/(31 d)), by the counts
of `sq_game`. For fixed k this says nothing: C(D, k) is itself a polynomial.

Reference: Theorem 2.4 = A.27, lines 654-660, 725, 3880-3891.
"""

from __future__ import annotations

from flint import ctx

from theorycheck import claim, formula_leg, instances, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from .sq_game import (
    BUDGET,
    COUNTS,
    by_elimination,
    error_on_member,
    learner,
    nothing_asked,
    odd_counts,
    resisting_member,
)


def advantage_on_member(queries, h, tau, D, k):
    """1 - 2 err on (A, P). Shape ()."""
    return 1 - 2 * error_on_member(queries, h, tau, D, k)


def largest(queries, h, tau, D, k, power=1):
    """2 sqrt(8/(31 d)). Shape ()."""
    with ctx.workprec(BITS):
        return 2 * (number(8) / 31 / number(odd_counts(D, k).shape[1]) ** power).sqrt()


def cubed(queries, h, tau, D, k):
    """2 sqrt(8/31)/d^3."""
    return largest(queries, h, tau, D, k, power=6)


def sized(draw, *sizes):
    """These learners at one of the sizes."""

    def drawn(rng):
        D, k = sizes[int(rng.integers(0, len(sizes)))]
        return {**draw(rng, D, k), "D": D, "k": k}

    return drawn


FIELDS = "queries h tau D k"
SIZES = (6, 3), (8, 4), (9, 4), (10, 5)
EVERY = "poly k algorithm"
RUN = bounded(
    FIELDS,
    "learners",
    advantage_on_member,
    largest,
    sized(learner, *SIZES),
    4,
    12,
    gives="A P",
    chosen_by=resisting_member,
)
IDLE = bounded(FIELDS, "nothing asked", advantage_on_member, largest, sized(nothing_asked, (7, 3)))
COUNTED = formula_leg("counts", typed(COUNTS, over=BUDGET), over=EVERY)
CLASS = formula_leg(
    "size of the class",
    typed("(D - i)/(k - i) >= D/k", over=["D in 1..oo", "k in 1..D", "i in 0..k-1"]),
    over=EVERY,
)
LARGE = ["a in 1..oo", "k in [100*a**2, oo)"]
WORST = formula_leg(
    "D = 2 k is the worst",
    typed(
        "(k/3)*log(D/k) - a*log(D) >= (k/3)*log(2) - a*log(2*k)", over=[*LARGE, "D in [2*k, oo)"]
    ),
    over=EVERY,
)
BEYOND = formula_leg(
    "beyond the polynomial",
    typed("k*log(2)/3 - log(2) > a*log(2*k)", over=LARGE),
    over=EVERY,
)

growth = claim(
    "structured-sq-growing-k",
    states="structured-sq-lower-bound",
    lhs=r"1-2\operatorname{err}(h,(A,P))",
    tex=r"2\sqrt{\tfrac8{31\binom{D}{k}}}",
    title="No polynomial number of queries learns parities of growing size",
    says=r"For every $a$, $k\ge100a^2$ and $D\ge2k$, $D^a$ queries of tolerance $D^{-a}$ leave a member with error at "
    r"least $\frac12-\sqrt{8/(31\binom{D}{k})}$.",
    role="derived",
    covers="qualitative",
    reads={"poly": "a", "algorithm": "queries h tau"},
    **ONE_POINT,
    legs=[RUN, IDLE, COUNTED, CLASS, WORST, BEYOND],
    rivals=[
        variant("1/d^3", reference=cubed, leg="nothing asked"),
        variant(
            "a query for every concept",
            leg="learners",
            instances=instances(sized(by_elimination, (7, 3)), FIELDS, smoke=1),
        ),
        *rivals_of(
            COUNTED, {"d^(1/3) queries": {"over": [BUDGET[0], "q in [0, d**(1/3)]", BUDGET[2]]}}
        ),
        *rivals_of(CLASS, {"2 D/k": "(D - i)/(k - i) >= 2*D/k"}),
        *rivals_of(WORST, {"any k": {"over": [LARGE[0], "k in [1, oo)", "D in [2*k, oo)"]}}),
        *rivals_of(BEYOND, {"k >= 10 a": {"over": [LARGE[0], "k in [10*a, oo)"]}}),
    ],
)
