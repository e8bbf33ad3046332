r"""Lemma B.20, its first line: sizes of both layers at the start.

Setting and notation as in `initial_sizes`. The start does not see the sample, and its bounds are those of Lemma B.8:
each of max |a_i| > 2 sqrt 2 sigma_a sqrt(log m) and max |w_i|^2 > 13 d sigma_w^2 has probability at most 1/(2 m^2), so
both bounds hold at once with probability at least 1 - 1/m^2, for d >= log m and m >= 2.

Reference: lines 6076-6080.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    probability,
    rivals_of,
    typed,
    variant,
)

from . import initial_sizes as population
from ._beside import beside
from .initial_sizes import d, eight, m, thirteen


def too_large(ns, rng, size, m, d, squares=(8, 13)):
    """Whether some of m pairs of a number and a vector of R^d, standard normal, has a^2 > 8 log m or |w|^2 > 13 d.
    Shape (size,)."""
    a = ns.max(ns.square(rng.normal((size, m))), axis=1)
    w = ns.max(ns.sum(ns.square(rng.normal((size, m, d))), axis=2), axis=1)
    out = (a > squares[0] * ns.log(ns.asarray(m))) | (w > squares[1] * d)
    return ns.where(out, 1, 0)


def small_second(ns, rng, size, m, d):
    return too_large(ns, rng, size, m, d, squares=(1, 13))


def small_first(ns, rng, size, m, d):
    return too_large(ns, rng, size, m, d, squares=(8, 1))


TAIL, LOG, BEST = (
    formula_leg(x.name, x.simulation, over="init")
    for x in (population.TAIL, population.LOG, population.BEST)
)
LEVEL = formula_leg(
    "second layer", population.LEVEL.simulation, over="init", gives="C", chosen_by=eight
)
THRESHOLD = formula_leg(
    "threshold", population.THRESHOLD.simulation, over="init", gives="C", chosen_by=thirteen
)
CHANCE = formula_leg("first layer", population.CHANCE.simulation, over="init")
BOTH = formula_leg(
    "both events",
    typed("x + y <= 1/m**2", over=["m in 2..oo", "x in [0, 1/(2*m**2)]", "y in [0, 1/(2*m**2)]"]),
    over="init",
)

start = claim(
    "gradfeat-start-empirical",
    states="gradfeat-init-bounds-empirical",
    title="Both layers at the start",
    says=r"$\max_i|a_i^{(0)}|\le2\sqrt2\,\sigma_a\sqrt{\log m}$ and $\max_i\|w_i^{(0)}\|\le\sqrt{13d}\,\sigma_w$ with "
    r"probability at least $1-\frac1{m^2}$.",
    covers="a0w0",
    domain={m: integers(2), d: integers(1)},
    where=sp.log(m) <= d,
    grid={"smoke": [{m: 2, d: 1}, {m: 4, d: 2}], "standard": [{m: 5, d: 3}]},
    closed_form=1 / m**2,
    relation=at_most(),
    legs=[
        TAIL,
        LEVEL,
        THRESHOLD,
        CHANCE,
        LOG,
        BEST,
        BOTH,
        beside(
            "starts",
            too_large,
            r"\Pr\big[\max_i|a_i^{(0)}|>2\sqrt2\,\sigma_a\sqrt{\log m}\text{ or }"
            r"\max_i\|w_i^{(0)}\|>\sqrt{13d}\,\sigma_w\big]",
            r"\tfrac1{m^2}",
            statistic=probability(),
            where=sp.And(m <= 5, d <= 4),
        ),
    ],
    rivals=[
        variant("constant 1 for the second layer", simulation=small_second, leg="starts"),
        variant("constant 1 for the first", simulation=small_first, leg="starts"),
        *rivals_of(TAIL, {"half of it": "erfc(u) <= exp(-u**2)/2"}),
        *rivals_of(
            LEVEL, {"sqrt(2 log m)": "m*exp(-sqrt(log(m))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)"}
        ),
        *rivals_of(THRESHOLD, {"12 d": population.TIGHTER}),
        *rivals_of(CHANCE, {"2 log m": "m*exp(-2*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)"}),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(
            BEST,
            {
                "z for 2 z": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + u**2) == -u**2"
            },
        ),
        *rivals_of(BOTH, {"1/(2 m^2)": "x + y <= 1/(2*m**2)"}),
    ],
)
