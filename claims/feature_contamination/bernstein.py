"""Lemma D.1: Bernstein's inequality from one side, and the factor 2 that is missing from it.

Setting. x_1..x_n independent, x_i <= b almost surely, b >= 0; nothing is assumed from below. v is the mean of the
E x_i^2.

Statements. Printed: P[sum (x_i - E x_i) >= n delta] <= exp(-n delta^2/(v + b delta/3)). False: a single fair sign is at
least 1 with probability 1/2 > exp(-3/4). True with 2 (v + b delta/3) in the denominator, and so below for variables
that are at least -b.

Proof of the corrected bound. For u <= t, 0 <= t < 3, e^u <= 1 + u + u^2/(2 (1 - t/3)). With u = s x_i, t = s b
this bounds E e^(s x_i) by 1 + s E x_i + s^2 E x_i^2/(2 (1 - s b/3)) <= exp(s E x_i + ...), so that by Markov's
inequality the tail is at most exp(n (-s delta + s^2 v/(2 (1 - s b/3)))); s = delta/(v + b delta/3) gives the bound.

Reference: Lemma D.1, lines 1067-1075. Fair 0/1 coins never violate the printed form: their raw second moment is twice
their variance.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    typed,
    variant,
)

from ._laws import drawn_weights, law_of_sum, moment, paired

n = sp.symbols("n", integer=True, positive=True)
p, delta, v, b = sp.symbols("p delta v b", nonnegative=True)

PRINTED = sp.exp(-n * delta**2 / (v + b * delta / 3))
WITH_TWO = sp.exp(-n * delta**2 / (2 * (v + b * delta / 3)))


def tail_of(laws, delta):
    """P[sum (x_i - E x_i) >= n delta] with the mean second moment v and the upper bound b >= 0."""
    mean = sum(moment(law, 1) for law in laws)
    level = mean + len(laws) * Fraction(delta)
    return {
        "value": sum((q for x, q in law_of_sum(laws).items() if x >= level), Fraction(0)),
        "v": sum(moment(law, 2) for law in laws) / Fraction(len(laws)),
        "b": max(Fraction(0), *(x for law in laws for x, _ in law)),
    }


def tail_of_signs(n, p, delta):
    """The tail of n signs that are 1 with probability p."""
    sign = [(Fraction(1), Fraction(p)), (Fraction(-1), 1 - Fraction(p))]
    return tail_of([sign] * n, delta)


printed = claim(
    "contamination-bernstein-printed",
    lhs=r"\Pr\Big[\sum_i(x_i-\mathbb E x_i)\ge n\delta\Big]",
    tex=r"\exp\Big(-\frac{n\delta^2}{v+b\delta/3}\Big)",
    states="contamination-bernstein",
    title="One-sided Bernstein without the factor 2",
    says="For $n$ independent signs, 1 with probability $p$, the upper tail is at most "
    r"$\exp(-n\delta^2/(v + b\delta/3))$.",
    expect="fail",
    encodes="special-case",
    covers="printed",
    reads={"laws": "p"},
    domain={n: integers(1), p: reals(0, 1), delta: reals(0)},
    grid={
        "smoke": [
            {n: 1, p: Fraction(1, 2), delta: 1},
            {n: 100, p: Fraction(1, 2), delta: Fraction(3, 10)},
        ]
    },
    closed_form=PRINTED,
    relation=at_most(),
    legs=[leg("signs", tail_of_signs, observed=["v", "b"], where=(n <= 200) & (delta <= 10))],
)


def one_sided_laws(rng, n, delta):
    """Unequal laws of three atoms, quarters between -3 and 1, the largest of them 1/2 or more now and then."""
    values = [[Fraction(int(rng.integers(-12, 5)), 4) for _ in range(3)] for _ in range(n)]
    values[0][0] = Fraction(1, 2)
    return {"values": values, "weights": [drawn_weights(rng, 3) for _ in range(n)]}


def fair_signs(rng, n, delta):
    return {
        "values": [[Fraction(1), Fraction(-1)]] * n,
        "weights": [[Fraction(1, 2), Fraction(1, 2)]] * n,
    }


def rare_ones(rng, n, delta):
    """Bernoulli variables of probability 1/100."""
    return {
        "values": [[Fraction(1), Fraction(0)]] * n,
        "weights": [[Fraction(1, 100), Fraction(99, 100)]] * n,
    }


def upper_tail(values, weights, n, delta):
    """Exact upper tail of a sum of unequal laws. Shape ()."""
    return tail_of(paired(values, weights), delta)


def lower_tail(values, weights, n, delta):
    """P[sum (x_i - E x_i) <= -n delta] where the x_i are those of ``upper_tail`` with the other sign, so that they are
    bounded from below. Shape ()."""
    laws = [[(-x, q) for x, q in law] for law in paired(values, weights)]
    mean = sum(moment(law, 1) for law in laws)
    level = mean - n * Fraction(delta)
    return {
        "value": sum((q for x, q in law_of_sum(laws).items() if x <= level), Fraction(0)),
        "v": sum(moment(law, 2) for law in laws) / Fraction(n),
        "b": max(Fraction(0), *(-x for law in laws for x, _ in law)),
    }


def lower_tail_by_upper(values, weights, n, delta):
    """The lower tail of variables bounded from above only, held to that bound. Shape ()."""
    found = lower_tail([[-x for x in row] for row in values], weights, n, delta)
    return found | {"b": max(Fraction(0), *(x for row in values for x in row))}


DRAWN = instances(one_sided_laws, "values weights", smoke=3, standard=12)
SIGNS = instances(fair_signs, "values weights", smoke=1)
RARE = instances(rare_ones, "values weights", smoke=1)
SIZES = {
    "domain": {n: integers(1), delta: reals(0)},
    "grid": {
        "smoke": {n: [1, 2, 5], delta: [Fraction(1, 10), Fraction(1, 2), 1]},
        "standard": {n: [3, 8, 16], delta: [Fraction(1, 20), Fraction(1, 4), Fraction(3, 4), 2]},
    },
}
corrected = claim(
    "contamination-bernstein-corrected",
    lhs=r"\Pr\Big[\sum_i(x_i-\mathbb E x_i)\ge n\delta\Big]",
    tex=r"\exp\Big(-\frac{n\delta^2}{2(v+b\delta/3)}\Big)",
    states="contamination-bernstein",
    title="One-sided Bernstein",
    says=r"For independent variables that are at most $b \ge 0$, the upper tail is at most "
    r"$\exp(-n\delta^2/(2(v + b\delta/3)))$.",
    role="corrected",
    corrects="contamination-bernstein-printed",
    covers="corrected",
    reads={"laws": "values weights"},
    closed_form=WITH_TWO,
    relation=at_most(),
    legs=[
        leg(
            "unequal laws",
            upper_tail,
            observed=["v", "b"],
            instances=DRAWN,
            where=(n <= 16) & (delta <= 10),
        ),
        # Where the printed bound fails and the corrected one is nearest.
        leg(
            "fair signs",
            upper_tail,
            observed=["v", "b"],
            instances=SIGNS,
            where=(n <= 16) & (delta <= 10),
        ),
    ],
    rivals=[
        variant(
            "printed: the 2 dropped", leg="fair signs", closed_form=PRINTED, at=[{n: 1, delta: 1}]
        ),
        variant(
            "without b delta/3",
            leg="unequal laws",
            closed_form=sp.exp(-n * delta**2 / (2 * v)),
            instances=RARE,
            at=[{n: 10, delta: Fraction(9, 100)}],
        ),
    ],
    **SIZES,
)

lower = claim(
    "contamination-bernstein-lower-tail",
    lhs=r"\Pr\Big[\sum_i(x_i-\mathbb E x_i)\le -n\delta\Big]",
    tex=r"\exp\Big(-\frac{n\delta^2}{2(v+b\delta/3)}\Big)",
    states="contamination-bernstein",
    title="One-sided Bernstein for the lower tail",
    says=r"For independent variables that are at least $-b$, $b \ge 0$, the lower tail is at most "
    "the corrected bound.",
    role="corrected",
    corrects="contamination-bernstein-printed",
    covers="lower-tail",
    reads={"laws": "values weights"},
    closed_form=WITH_TWO,
    relation=at_most(),
    legs=[
        leg(
            "unequal laws",
            lower_tail,
            observed=["v", "b"],
            instances=DRAWN,
            where=(n <= 16) & (delta <= 10),
        ),
        # -1 with a chance of 1/100, else 0: the bound b = 1 from below is needed, that from above is 0.
        leg(
            "rare lows",
            lower_tail,
            observed=["v", "b"],
            instances=RARE,
            where=(n <= 16) & (delta <= 10),
            grid={"smoke": [{n: 10, delta: Fraction(9, 100)}]},
        ),
    ],
    rivals=[
        variant(
            "without b delta/3",
            leg="rare lows",
            closed_form=sp.exp(-n * delta**2 / (2 * v)),
        ),
        variant(
            "the upper bound of the variables in place of the lower",
            leg="unequal laws",
            simulation=lower_tail_by_upper,
            at=[{n: 10, delta: Fraction(9, 100)}],
            instances=instances(
                lambda rng, n, delta: {
                    "values": [[Fraction(-1), Fraction(0)]] * n,
                    "weights": [[Fraction(1, 100), Fraction(99, 100)]] * n,
                },
                "values weights",
                smoke=1,
            ),
        ),
    ],
    **SIZES,
)


def quadratic(square, t):
    """What e^u is above 1 + u for u up to t, by u^2 (or its mean)."""
    return f"{square}/(2*(1 - {t}/3))"


ONE_VARIABLE = f"exp(u) <= 1 + u + {quadratic('u**2', 't')}"
BELOW_THREE = ["t in [0, 3)", "u in (-oo, t]"]
AT = "(delta/(v + b*delta/3))"
AT_BEST = f"-{AT}*delta + {quadratic(f'{AT}**2*v', f'({AT}*b)')}"
"""What the bound on one variable leaves at s = delta/(v + b delta/3): u = s x, E u^2 = s^2 v, t = s b."""
POSITIVE = ["delta in [0, oo)", "v in (0, oo)", "b in [0, oo)"]

proof = claim(
    "contamination-bernstein-proof",
    states="contamination-bernstein",
    title="One-sided Bernstein for all laws",
    says="The exponential moment of one variable and the best exponent, which with Markov's "
    r"inequality are the corrected bound, for $x_i \le b$ and with $-x_i$ for the lower tail.",
    role="corrected",
    corrects="contamination-bernstein-printed",
    covers="corrected lower-tail",
    legs=[
        formula_leg("one variable", typed(ONE_VARIABLE, over=BELOW_THREE), over="n laws"),
        formula_leg(
            "the best exponent",
            typed(f"{AT_BEST} == -delta**2/(2*(v + b*delta/3))", over=POSITIVE),
            over="n laws",
        ),
    ],
    rivals=[
        variant(
            "the printed exponent",
            leg="the best exponent",
            simulation=typed(f"{AT_BEST} == -delta**2/(v + b*delta/3)", over=POSITIVE),
        ),
        variant(
            "t/4 in place of t/3",
            leg="one variable",
            simulation=typed("exp(u) <= 1 + u + u**2/(2*(1 - t/4))", over=BELOW_THREE),
        ),
        variant(
            "u above t",
            leg="one variable",
            simulation=typed(ONE_VARIABLE, over=["t in [0, 3)", "u in (-oo, 3)"]),
        ),
    ],
)
