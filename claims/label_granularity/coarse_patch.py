r"""(10) and (11): what one common patch and what all of a sample give in the end, coarse labels.

Setting. The coarse network of ``_network.py``; a sample has n common patches, its output F. With high probability n
>= s*/2, and s* grows with d without bound; F is of order log d (what (11) says of the sum over the s* patches).

Statements. (1) Printed, the response R to one common patch is of order log d. An output is at least n times the
response to each of n equal patches, so that with F <= D log d, R <= D log d/n: below c log d for every c > 0 as soon
as n > D/c, where even the largest response that there can be is less. (2) Every patch gets at most F/n.

Reference: lines 266-276.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import COMMON, SUBCLASS, sample
from ._detectors import equal_batch, grown, planted
from ._network import BITS, number, outputs, response

# the largest response to one of n patches, and how many of them are too many for C
LARGEST = "D*L/n"
SIZES = ["C > 0 real", "D > 0 real", "L in [1, oo)", "n in 1..oo"]
TOO_MANY = "n*C > D"

printed = claim(
    "granularity-coarse-patch-printed",
    states="granularity-coarse-imbalance",
    title="The response to one common patch as printed",
    says=r"With some $c>0$ the response to a single common patch is at least $c\log d$ in the end for all large $d$, "
    r"where outputs are at most $D\log d$.",
    covers="per-patch-total-printed",
    reads={"Theta": "C", "d": "L"},
    expect="fail",
    legs=[
        formula_leg(
            "many patches",
            typed(f"{LARGEST} >= C*L", over=SIZES, where=TOO_MANY),
            over="d all",
        )
    ],
)

sub = sp.Symbol("sub", integer=True, nonnegative=True)
F, n = sp.symbols("F n", positive=True)
SHARE = F / n


def one_of_many(k, common, sub, size, beta, t):
    """Response of a trained network to a common patch of a sample, its output, and how many such patches it has."""
    d, s = 2 * k + 2, 2
    with ctx.workprec(BITS):
        net = planted(k, d, size, -Fraction(beta) * size)
        net = grown(net, [equal_batch(s, 2 * s + 1, k, d)] * t, Fraction(1), Fraction(beta))
        patches = sample((COMMON,) * common + (SUBCLASS,) * sub, "+", 0, k, d)
        own = {"+": net["+"]}
        return {
            "value": number(response(net["+"], patches[0])),
            "F": number(outputs(own, patches)["+"]),
            "n": common,
        }


def a_sample(rng):
    return {
        "k": int(rng.integers(1, 4)),
        "common": int(rng.integers(1, 6)),
        "t": int(rng.integers(0, 4)),
        "size": Fraction(int(rng.integers(1, 9)), 20),
        "beta": Fraction(int(rng.integers(1, 4)), 5),
    }


SUMMED = formula_leg(
    "sum of the patches",
    typed(f"R <= {SHARE}", over=["n in 1..oo", "R in [0, oo)", "F in [0, oo)"], where="n*R <= F"),
    over="d all",
)
LATE = formula_leg(
    "of order log d over n",
    typed(f"{SHARE} <= D*L/n", over=["n in 1..oo", "D > 0 real", "L in [1, oo)", "F in [0, D*L]"]),
    over="d all",
)
ALWAYS = formula_leg(
    "below every constant",
    typed(f"{LARGEST} < C*L", over=SIZES, where=TOO_MANY),
    over="d all",
)

share = claim(
    "granularity-coarse-patch",
    lhs=r"R^*(v_y)",
    tex=r"F/n",
    states="granularity-coarse-imbalance",
    title="The response to one common patch",
    says=r"At every time each of the $n$ common patches of a sample gets a response of at most $\frac Fn$ from a "
    r"coarse network, $\frac{D\log d}n$ where $F\le D\log d$: less than $c\log d$ for every $c>0$ once $n>\frac Dc$.",
    role="corrected",
    corrects="granularity-coarse-patch-printed",
    covers="per-patch-total-printed",
    reads={"d": "L"},
    left={"Theta": "no constant is free of the number of patches"},
    domain={sub: integers(0)},
    grid={"smoke": {sub: [1, 2]}},
    closed_form=SHARE,
    relation=at_most(),
    legs=[
        leg(
            "a trained network",
            one_of_many,
            observed=["F", "n"],
            required=False,
            where=sp.And(sub >= 1, sub <= 4),
            instances=instances(a_sample, "k common size beta t", smoke=2, standard=5),
        ),
        SUMMED,
        LATE,
        ALWAYS,
    ],
    rivals=[
        variant("half of it", closed_form=SHARE / 2, leg="a trained network"),
        *rivals_of(SUMMED, {"half of the share": "R <= F/(2*n)"}),
        *rivals_of(LATE, {"half of the order": f"{SHARE} <= D*L/(2*n)"}),
        *rivals_of(
            ALWAYS,
            {
                "for any number of patches": {"where": "n*C > 0"},
                "for n C = D": {"where": "n*C >= D"},
            },
        ),
    ],
)
