r"""(12) and (13): how fast the two kinds of detectors of a fine network grow, and what one patch gives in the end.

Setting. That of `fine_steps`: before T_0 all 2k outputs are in [0, B], B <= log(3/2), p is the net's own probability on
its samples and q the mean of the siblings'; both are in [1/(3k), 3/(4k)].

Statements. (1) At every step before T_0 the common detectors grow (1 - p - (k - 1) q)/(1 - p) times as fast as those of
the subclass, between 1/4 and 2k/(3k - 1) <= 1. (2) An output is at least n times the response R to each of its n
equal common patches: R <= F/n <= log(3/2)/n, which is less than c for every c > 0 as soon as n > log(3/2)/c. So the
printed R >= c has no c: with high probability a sample has n >= s*/2 common patches, and s* grows with d without bound.

Reference: lines 277-292; (12) is derived from Lemma G.2, and the proof uses (13) for sums over the patches of a sample.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import COMMON, SUBCLASS, sample
from ._network import detectors, fine_labels, outputs, response
from .fine_steps import (
    CHERNOFF_LAW,
    COEFFICIENT,
    LATE_LAW,
    OWN,
    REACH,
    SHARES,
    STEPS,
    TAKEN_LAW,
    common_with_counts,
    k,
    of_the_common,
    of_the_subclass,
    p,
    q,
    s,
    subclass_with_counts,
)


def speed(k, s, p, q):
    """What a common detector of (+, 0) gains over what one of its subclass does. Shape ()."""
    return of_the_common(k, s, p, q) / of_the_subclass(k, s, p, q)


def quarter_to_one():
    """The constants of Theta(1)."""
    return Fraction(1, 4), Fraction(1)


SPEED = COEFFICIENT / OWN
EVERY = "init batches d t y c"
RANGE = formula_leg("range", typed(f"1/4 <= {SPEED} <= 2*k/(3*k - 1)", over=SHARES), over=EVERY)
CONSTANTS = formula_leg(
    "constants",
    typed(f"{quarter_to_one()[0]} <= {SPEED} <= {quarter_to_one()[1]}", over=SHARES),
    over=EVERY,
    gives="approx",
    chosen_by=quarter_to_one,
)
CHERNOFF = formula_leg("Chernoff's exponent", CHERNOFF_LAW, over=EVERY)
# s^(-1/3)/7 is at most 1/21 for s >= 27
LATE = formula_leg("for large d", LATE_LAW, over="init batches t y c")
# with counts within 1 +- 1/21 of their means, u = 1 - p, w = (k - 1) q; x, h, z: common patches of its own samples, of
# the siblings', subclass patches
SHARED = formula_leg("what the siblings take", TAKEN_LAW, over=EVERY)
NEAR = [f"{c} in [20/21, 22/21]" for c in "xhz"]
COUNTED = formula_leg(
    "drawn counts",
    typed(
        "1/7 <= (u*x - w*h)/(u*z) <= 11/10",
        over=["u in [1/4, 1]", "w in [0, u - 1/4]", *NEAR],
    ),
    over=EVERY,
)


def counted_speed(k, s, p, q, common, sub):
    """The same on samples with other counts than s. D: how far off they are at most, over s. Shape ()."""
    one, two = (f(k, s, p, q, common, sub) for f in (common_with_counts, subclass_with_counts))
    return {"value": one["value"] / two["value"], "D": max(one["D"], two["D"])}


def fewer(rng, k, s):
    """A common patch fewer of its own, one more of some siblings'; a subclass patch more."""
    return {
        "common": [s - 1] + [s + int(i) for i in rng.integers(0, 2, (k - 1,))],
        "sub": [s + int(i) for i in rng.integers(0, 2, (k,))],
    }


def more(rng, k, s):
    return {
        "common": [s + 1] + [s - int(i) for i in rng.integers(0, 2, (k - 1,))],
        "sub": [s - int(i) for i in rng.integers(0, 2, (k,))],
    }


def with_counts(name, draw, bound, relation, tex):
    return leg(
        name,
        counted_speed,
        observed=["D"],
        instances=instances(draw, "common sub", smoke=2, standard=4),
        grid={
            "smoke": [
                {k: 3, s: 21, p: Fraction(1, 4), q: Fraction(1, 4)},
                {k: 1, s: 21, p: Fraction(1, 2), q: Fraction(1, 2)},
            ],
            "standard": [{k: 2, s: 22, p: Fraction(1, 6), q: Fraction(1, 6)}],
        },
        closed_form=bound,
        relation=relation,
        lhs=r"\Delta A/\Delta a",
        tex=tex,
        where=sp.And(k <= 4, s >= 21, s <= 24),
    )


FEWER = with_counts("few of its own", fewer, sp.Rational(1, 7) + 0 * k, at_least(), r"\tfrac17")
MORE = with_counts(
    "many of its own", more, sp.Rational(11, 10) + 0 * k, at_most(), r"\tfrac{11}{10}"
)

comparable = claim(
    "granularity-fine-speed",
    lhs=r"\Delta A/\Delta a",
    tex=r"\frac{1-p-(k-1)q}{1-p}",
    states="granularity-fine-balance",
    title="Both kinds of detectors grow comparably",
    says=r"Before $T_0$ the common detectors of a fine network grow between $\frac14$ and $\frac{2k}{3k-1}\le1$ "
    r"times as fast as those of the subclass, between $\frac17$ and $\frac{11}{10}$ where the counts are off "
    r"by $\frac1{21}$ at most; detectors fire on the patches of their own word alone.",
    covers="comparable-increments",
    encodes="special-case",
    closed_form=SPEED,
    relation=equals(),
    mutate=False,
    legs=[
        leg("printed step", speed, where=REACH),
        FEWER,
        MORE,
        RANGE,
        CONSTANTS,
        SHARED,
        COUNTED,
        CHERNOFF,
        LATE,
    ],
    rivals=[
        variant("the common detectors alone", closed_form=COEFFICIENT, leg="printed step"),
        variant("as at the start", closed_form=k / (2 * k - 1), leg="printed step"),
        variant("a third and more", closed_form=sp.Rational(1, 3) + 0 * k, leg="few of its own"),
        variant("up to 1/4", closed_form=sp.Rational(1, 4) + 0 * k, leg="many of its own"),
        *rivals_of(SHARED, {"a third": "(k - 1)*q <= (1 - p) - 1/3"}),
        *rivals_of(
            COUNTED,
            {
                "from 1/5 on": "1/5 <= (u*x - w*h)/(u*z) <= 11/10",
                "up to 1": "1/7 <= (u*x - w*h)/(u*z) <= 1",
            },
        ),
        *rivals_of(CHERNOFF, {"without the 7": "-(s**(-1/3)/7)**2*s*n/3 == -s**(1/3)*n/3"}),
        *rivals_of(
            LATE, {"from 2000 on": {"over": ["d in 2000..oo", "n in [d, oo)", "s in [1, oo)"]}}
        ),
        *rivals_of(
            RANGE,
            {
                "up to 2/3": f"1/4 <= {SPEED} <= 2/3",
                "from 3/10 on": f"3/10 <= {SPEED} <= 2*k/(3*k - 1)",
                "probabilities up to 1/k": {
                    "over": ["k in 1..oo", "p in [1/(3*k), 1/k]", "q in [1/(3*k), 1/k]"]
                },
            },
        ),
        *rivals_of(CONSTANTS, {"from 1/3 on": f"1/3 <= {SPEED} <= 1"}),
    ],
    **STEPS,
)

# the largest response to one of n patches, and how many of them are too many for C
LARGEST = "log(3/2)/n"
PATCHES = ["C > 0 real", "n in 1..oo"]
TOO_MANY = "n*C > log(3/2)"

one_patch = claim(
    "granularity-fine-patch-printed",
    states="granularity-fine-balance",
    title="The response to one patch as printed",
    says=r"With some $c>0$ the response to a single patch is at least $c$ in the end for all large $d$.",
    covers="per-patch-omega-one-printed",
    reads={"Omega": "C"},
    expect="fail",
    legs=[
        formula_leg(
            "many patches",
            typed(f"{LARGEST} >= C", over=PATCHES, where=TOO_MANY),
            over="d all",
        )
    ],
)

sub = sp.Symbol("sub", integer=True, nonnegative=True)
F, n = sp.symbols("F n", positive=True)
SHARE = F / n


def one_of_many(k, common, sub, size, beta):
    """Response to a common patch of a sample, its output, and how many such patches it has. Shape ()."""
    d = 2 * k + 2
    net = detectors(fine_labels(k), k, d, size, -Fraction(beta) * size)[("+", 0)]
    patches = sample((COMMON,) * common + (SUBCLASS,) * sub, "+", 0, k, d)
    return {"value": response(net, patches[0]), "F": outputs({"": net}, patches)[""], "n": common}


def a_sample(rng):
    return {
        "k": int(rng.integers(1, 4)),
        "common": int(rng.integers(1, 6)),
        "size": Fraction(int(rng.integers(1, 9)), 20),
        "beta": Fraction(int(rng.integers(0, 4)), 5),
    }


SUMMED = formula_leg(
    "sum of the patches",
    typed(f"R <= {SHARE}", over=["n in 1..oo", "R in [0, oo)", "F in [0, oo)"], where="n*R <= F"),
    over="d all",
)
STOPPED = formula_leg(
    "before the stop",
    typed(f"{SHARE} <= log(3/2)/n", over=["n in 1..oo", "F in [0, log(3/2)]"]),
    over="d all",
)
ALWAYS = formula_leg(
    "below every constant",
    typed(f"{LARGEST} < C", over=PATCHES, where=TOO_MANY),
    over="d all",
)

share = claim(
    "granularity-fine-patch",
    lhs=r"R^*(v_+)",
    tex=r"F/n",
    states="granularity-fine-balance",
    title="The response to one patch",
    says=r"Before $T_0$ each of the $n$ common patches of a sample gets a response of at most "
    r"$\frac Fn\le\frac1n\log\frac32$: less than $c$ for every $c>0$ once $n>\frac1c\log\frac32$.",
    role="corrected",
    corrects="granularity-fine-patch-printed",
    covers="per-patch-omega-one-printed",
    left={"Omega": "no constant is free of the number of patches"},
    domain={sub: integers(0)},
    grid={"smoke": {sub: [0, 1, 2]}},
    closed_form=SHARE,
    relation=at_most(),
    legs=[
        leg(
            "a network",
            one_of_many,
            observed=["F", "n"],
            required=False,
            where=sub <= 4,
            instances=instances(a_sample, "k common size beta", smoke=2, standard=5),
        ),
        SUMMED,
        STOPPED,
        ALWAYS,
    ],
    rivals=[
        variant("half of it", closed_form=SHARE / 2, leg="a network"),
        variant("one patch more", closed_form=F / (n + 1), leg="a network"),
        *rivals_of(SUMMED, {"half of the share": "R <= F/(2*n)"}),
        *rivals_of(STOPPED, {"2/5": f"{SHARE} <= 2/5/n"}),
        *rivals_of(
            ALWAYS,
            {
                "for any number of patches": {"where": "n*C > 0"},
                "from 2/5 on": {"where": "n*C > 2/5"},
            },
        ),
    ],
)
