r"""Lemma A.29: the network of tents under an error of the projection.

Setting. As in `good_network`, scaled by 8k, and the projection is s - mu + e: e collects what an incoherent
dictionary and input noise add. Tents of slope 4 and no shift, or of slope 8 and shift 1/4.

Statements. (1) For |e| <= 1/8 the first has y g >= 3/2, the second y g >= 1, for all k, P, mu, s. (2) |a| <= 64k and
1/(64k) <= |b| <= 1/4 can be had with margin 1: slope 4 and shift -1/8, 0 or 1/8, of which one keeps all |b| >=
1/(64k). The printed second network, of slope 8, has |a| = 128k. (3) "|<w, x> + b| <= 1 for any x" is false with
Gaussian noise, which is unbounded.

Reference: Lemma A.29, lines 4342-4398.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    equals,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._good_network import label, label_sets, least_bias, output, tents

k = sp.Symbol("k", integer=True, positive=True)
mu = sp.Symbol("mu", nonnegative=True)
EIGHTH, QUARTER = Fraction(1, 8), Fraction(1, 4)
ERRORS = (-EIGHTH, -EIGHTH / 2, Fraction(0), EIGHTH / 3, EIGHTH)


def margins(k, mu, e, slope, shift):
    """y g of every label set and count. Shape (2^k (k + 1),)."""
    mu, e = Fraction(mu), Fraction(e)
    return [
        label(s, positive)
        * output(tents(k, mu, positive, slope, shift, Fraction(8 * k)), (s - mu + e) / (8 * k))
        for positive in label_sets(k)
        for s in range(k + 1)
    ]


def first_margin(k, mu, e, slope=4):
    return margins(k, mu, e, slope, Fraction(0))


def second_margin(k, mu, e, slope=8):
    return margins(k, mu, e, slope, QUARTER)


# What the margins are, for what is run and in what is proved.
e = sp.Symbol("e", real=True)
FIRST, SECOND = 2 - 4 * sp.Abs(e), 2 + 8 * e
ERROR = ["n in Z", "e in [-1/8, 1/8]"]
OWN_FIRST = formula_leg(
    "own tent, slope 4",
    typed(f"4*Max(1/2 - abs(e), 0) == {FIRST} and {FIRST} >= 3/2", over=ERROR[1]),
    over="k P u s",
)
OWN_SECOND = formula_leg(
    "own tent, slope 8",
    typed(f"8*Max(1/2 - abs(e - 1/4), 0) == {SECOND} and {SECOND} >= 1", over=ERROR[1]),
    over="k P u s",
)
OTHERS = formula_leg(
    "other tents",
    typed("Max(1/2 - abs(n + e - t), 0) == 0", over=[*ERROR, "t in [-1/8, 1/4]"], where="n != 0"),
)
PAIRS = ["k in 1..oo", "s in 0..k", "p in 0..k", "o in [-3/4, 5/8]", "e in [-1/8, 1/8]"]
ARGUMENT = formula_leg("pre-activations", typed("abs((s - p + o + e)/(8*k)) < 1", over=PAIRS))
WIDER = {"errors up to 1/4": {"over": "e in [-1/4, 1/4]"}}
SETTING = {
    "domain": {k: integers(1), mu: reals(0)},
    "where": mu <= k,
    "grid": {
        "smoke": [{k: 1, mu: EIGHTH}, {k: 3, mu: Fraction(5, 3)}],
        "standard": {k: [1, 2, 5], mu: [Fraction(i, 8) for i in (0, 1, 3, 5)]},
    },
}

core = claim(
    "structured-robust-network-margin",
    lhs=r"y\,g(x)",
    states="structured-good-network-general",
    title="Margins under a bounded error",
    says=r"If $\langle w,x\rangle=s-u+e$ with $|e|\le\frac18$, the first candidate has margin at least "
    r"$\frac32$ and the "
    "second at least 1.",
    covers="deterministic-core",
    reads={"u": "mu"},
    relation=equals(),
    legs=[
        leg(
            "first network",
            first_margin,
            closed_form=FIRST,
            inside="P s",
            where=k <= 7,
            lhs=r"y\,g_1(x)",
            tex="2-4|e|",
        ),
        leg(
            "second network",
            second_margin,
            closed_form=SECOND,
            inside="P s",
            where=k <= 7,
            lhs=r"y\,g_2(x)",
            tex="2+8e",
        ),
        OWN_FIRST,
        OWN_SECOND,
        OTHERS,
        ARGUMENT,
    ],
    rivals=[
        variant("slope 3", call=first_margin, slope=3, leg="first network"),
        variant("slope 7", call=second_margin, slope=7, leg="second network"),
        *rivals_of(OWN_FIRST, {**WIDER, "a margin of 7/4": f"{FIRST} >= 7/4"}),
        *rivals_of(
            OWN_SECOND,
            {"wider errors": WIDER["errors up to 1/4"], "a margin of 2": f"{SECOND} >= 2"},
        ),
        *rivals_of(
            OTHERS, {"errors up to 1": {"over": ["n in Z", "e in [-1, 1]", "t in [-1/8, 1/4]"]}}
        ),
        *rivals_of(ARGUMENT, {"twice as small": "abs((s - p + o + e)/(4*k)) < 1/4"}),
    ],
    domain={k: integers(1), mu: reals(0), e: reals(-EIGHTH, EIGHTH)},
    where=mu <= k,
    grid={
        "smoke": [
            {k: 1, mu: EIGHTH, e: -EIGHTH},
            {k: 3, mu: Fraction(5, 3), e: EIGHTH},
            {k: 2, mu: 1, e: Fraction(-1, 24)},
        ],
        "standard": {
            k: [1, 2, 5],
            mu: [Fraction(i, 8) for i in (0, 1, 3, 5)],
            e: [-EIGHTH, 0, EIGHTH],
        },
    },
)


def shifted(k, mu, positive, slope=4):
    """Tents of slope 4 with that shift of -1/8, 0, 1/8 that keeps the biases largest."""
    candidates = [
        tents(k, mu, positive, slope, shift, Fraction(8 * k))
        for shift in (-EIGHTH, Fraction(0), EIGHTH)
    ]
    return max(candidates, key=least_bias)


def sized(k, mu, slope=4):
    """How many label sets have a network of the printed sizes with margin 1 throughout. Shape ()."""
    mu = Fraction(mu)
    found = 0
    for positive in label_sets(k):
        network = shifted(k, mu, positive, slope)
        bounds = all(
            abs(a) <= 64 * k and Fraction(1, 64 * k) <= abs(b) <= QUARTER for a, b in network
        )
        margins = (
            label(s, positive) * output(network, (s - mu + e) / (8 * k))
            for s in range(k + 1)
            for e in ERRORS
        )
        found += bounds and len(network) == 3 * (k + 1) and all(m >= 1 for m in margins)
    return found


OWN_SHIFTED = formula_leg(
    "own tent",
    typed("4*Max(1/2 - abs(e - t), 0) >= 1", over=[ERROR[1], "t in {-1/8, 0, 1/8}"]),
    over="law i",
)
AWAY = formula_leg(  # v is mu modulo 1/2, and each Min the distance to the multiples of 1/2
    "one of three shifts",
    typed(
        "Max(Min(v + 1/8, 3/8 - v), Min(v, 1/2 - v), Min(abs(v - 1/8), 5/8 - v)) >= 1/8",
        over="v in [0, 1/2)",
    ),
    over="law i",
)
BIAS = formula_leg(
    "biases",
    typed(
        "abs((mu - p + o)/(8*k)) <= 13/64",
        over=["k in 1..oo", "mu in [0, k]", "p in 0..k", "o in [-5/8, 5/8]"],
    ),
    over="law i",
)
READ_OUT = formula_leg("read-outs", typed("2*4*8*k <= 64*k", over="k in 1..oo"), over="law i")

sizes = claim(
    "structured-robust-network-sizes",
    lhs=r"\#\{P:\text{sizes and margin }1\}",
    states="structured-good-network-general",
    title="The printed sizes can be had",
    says=r"For all $k$, $P$ and $\mu$ tents of slope 4 with shift $-\frac18$, $0$ or $\frac18$ have $|a^*|\le64k$, "
    r"$\frac1{64k}\le|b^*|\le\frac14$ and margin 1 for $|e|\le\frac18$.",
    covers="sizes",
    reads={"law": "k mu"},
    closed_form=2**k,
    relation=counts(),
    legs=[
        leg("every label set", sized, gives="g_star", chosen_by=shifted, inside="i", where=k <= 7),
        OWN_SHIFTED,
        OTHERS,
        AWAY,
        BIAS,
        READ_OUT,
    ],
    rivals=[
        variant("slope 8", call=sized, slope=8),
        variant("slope 3", call=sized, slope=3),
        *rivals_of(OWN_SHIFTED, {"shift 1/4": {"over": [ERROR[1], "t in {-1/8, 0, 1/4}"]}}),
        *rivals_of(
            AWAY, {"two of the shifts": "Max(Min(v, 1/2 - v), Min(abs(v - 1/8), 5/8 - v)) >= 1/8"}
        ),
        *rivals_of(BIAS, {"3/16": "abs((mu - p + o)/(8*k)) <= 3/16"}),
        *rivals_of(READ_OUT, {"read-outs of slope 8": "2*8*8*k <= 64*k"}),
    ],
    **SETTING,
)

unbounded = formula(
    "structured-robust-network-arguments",
    states="structured-good-network-general",
    title="Pre-activations for every input",
    # e is any real: Gaussian noise has no bound
    says="abs((s - mu + e)/(8*k) + b) <= 1",
    over=["k in 1..oo", "mu in [0, k]", "s in 0..k", "b in [-1/4, 1/4]", "e in R"],
    expect="fail",
    covers="argument-bound",
    reads={"x": "s mu e", "i": "b"},
)
