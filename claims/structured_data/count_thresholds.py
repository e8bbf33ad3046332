r"""What rules of the count reach on the parity mixture of the experiments.

Setting. k = 5; s uniform binomial with weight 1/2, else 0 or 5; y = 1 for odd s. At a ratio r of negatives the two
classes are drawn with weights r and 1 - r.

Statements. (1) The best rule that cuts s at one place, either side positive, is right with probability 27/32, and the
least hinge of c_0 + c_1 s is 1/2: attained by 2 s/5 - 1; with the weights of the binomial part, under which y has
mean 0 and no covariance with s, 1 - y h is at most the hinge, and its sum is 1/2 for every line. (2) At r = 4/5 and
9/10 the best cut is right with probability 29/32 and 61/64. (3) The interval labels 20 <= s <= 30 of 30 patterns of
rate p are positive with probability 0.584760 at p = 2/3 and 0.049369 at p = 1/2: neither balanced.

Reference: lines 3897-3943, 3943-3970, 4007-4038; (1) and (2) are derived.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import Proof, choices, claim, equals, formula, leg, variant

r = sp.Symbol("r", positive=True)
K, HALF = 5, Fraction(1, 2)
RATIOS = (Fraction(4, 5), Fraction(9, 10))


def label(s):
    return 1 if s % 2 else -1


def weights(alpha=HALF):
    """P[s] of the mixture, alpha on the binomial part."""
    return [
        alpha * Fraction(comb(K, s), 2**K) + (1 - alpha) / 2 * (s in (0, K)) for s in range(K + 1)
    ]


def tilted(ratio):
    """The same with the given share of negatives."""
    shares = {y: sum(w for s, w in enumerate(weights()) if label(s) == y) for y in (-1, 1)}
    target = {-1: Fraction(ratio), 1: 1 - Fraction(ratio)}
    return [w * target[label(s)] / shares[label(s)] for s, w in enumerate(weights())]


def best_cut(law, turned=1):
    """Largest probability to be right of "s >= c is y", over all c and both y; ``turned``: -1 for the labels -y."""
    return max(
        sum(w for s, w in enumerate(law) if (turned * label(s) == y) == (s >= cut))
        for cut in range(K + 2)
        for y in (-1, 1)
    )


def cuts():
    """Shape ()."""
    return best_cut(weights())


def cuts_of_turned_labels():
    """The same where every label is the other one: what one side was the other is. Shape ()."""
    return best_cut(weights(), turned=-1)


def line():
    """Hinge of 2 s/5 - 1. Shape ()."""
    values = (1 - label(s) * (Fraction(2 * s, K) - 1) for s in range(K + 1))
    return sum(w * max(v, 0) for w, v in zip(weights(), values, strict=True))


def dual(alpha=HALF, share=HALF):
    """Weights l_s in [0, P[s]] with sum l_s y_s = 0 = sum l_s y_s s: every line has hinge at least sum l_s.
    ``share``: the total of l, in the proportions of the binomial part."""
    law = weights(alpha)
    l = [share * Fraction(comb(K, s), 2**K) for s in range(K + 1)]
    feasible = all(0 <= x <= w for x, w in zip(l, law, strict=True))
    moments = [sum(x * label(s) * s**j for s, x in enumerate(l)) for j in (0, 1)]
    value = sum(l)
    if not feasible or moments != [0, 0] or value != HALF:
        return Proof(
            False, "no dual point of value 1/2", {}, {"moments": str(moments), "value": str(value)}
        )
    return Proof(True, "a dual point of the linear program", {"weights": [str(x) for x in l]})


def more_of_the_binomial():
    """Its own total is 3/4."""
    return dual(Fraction(3, 4), Fraction(3, 4))


def beyond_the_law():
    """A mixture with less of the binomial part than l takes."""
    return dual(Fraction(1, 4))


def other_side():
    """Only "s >= c is negative". Shape ()."""
    law = weights()
    return max(
        sum(w for s, w in enumerate(law) if (label(s) == -1) == (s >= c)) for c in range(K + 2)
    )


ceiling = claim(
    "structured-count-ceiling",
    lhs=r"\max\Pr[\text{cut}=y]",
    states="structured-parity-mixture",
    title="Best cut and best line on the parity mixture",
    says=r"At $k=5$, $\alpha=\frac12$ the best cut of the count is right with probability $\frac{27}{32}$, and "
    r"the least hinge of a line "
    r"$c_0+c_1s$ is $\frac12$.",
    covers="threshold-ceiling",
    domain={},
    grid={"smoke": [{}]},
    closed_form=sp.Rational(27, 32),
    relation=equals(),
    legs=[
        leg("every cut", cuts, inside="thresholds"),
        leg(
            "labels turned",
            cuts_of_turned_labels,
            inside="thresholds",
            lhs=r"\max\Pr[\text{cut}=-y]",
        ),
        leg(
            "a line",
            line,
            closed_form=sp.Rational(1, 2),
            lhs=r"\mathcal L(c_0+c_1s)",
            tex=r"\frac12",
        ),
        leg("dual", dual, arithmetic="proof", over="c0 c1"),
    ],
    rivals=[
        variant("13/16", closed_form=sp.Rational(13, 16), leg="every cut"),
        variant("13/16 of the turned ones", closed_form=sp.Rational(13, 16), leg="labels turned"),
        variant("the other side only", simulation=other_side, leg="every cut"),
        variant("hinge 27/64", closed_form=sp.Rational(27, 64), leg="a line"),
        variant("alpha 3/4", simulation=more_of_the_binomial, leg="dual"),
        variant("weights above the law", simulation=beyond_the_law, leg="dual"),
    ],
)


def tilted_cut(r):
    """Shape ()."""
    return best_cut(tilted(r))


def untilted_cut(r):
    return cuts()


unbalanced = claim(
    "structured-count-ceiling-unbalanced",
    lhs=r"\max\Pr[\text{cut}=y]",
    tex=r"\frac{17+15r}{32}",
    states="structured-sim-imbalance",
    title="Best cut with unbalanced classes",
    says=r"At 80 and 90 per cent of negatives the best cut of the count is right with probability $0.90625$ and "
    r"$0.953125$.",
    role="derived",
    covers="threshold-ceiling",
    reads={"ratio": "r"},
    domain={r: choices(*RATIOS)},
    grid={"smoke": {r: list(RATIOS)}},
    closed_form=(17 + 15 * r) / 32,
    relation=equals(),
    legs=[leg("every cut", tilted_cut)],
    rivals=[
        variant("the majority", closed_form=r),
        variant("balanced classes", simulation=untilted_cut),
    ],
)

SUM = "Sum(binomial(30, s)*p**s*(1 - p)**(30 - s), (s, 20, 30))"
PRINTED = "Piecewise((0.584760, p > 3/5), (0.049369, True))"
interval = formula(
    "structured-interval-balance",
    states="structured-sim-interval",
    title="Class balance of the interval labels",
    says=f"abs({SUM} - {PRINTED}) <= 0.0000005",
    over="p in {1/2, 2/3}",
    role="derived",
    covers="balance",
    rivals={
        "balanced": f"abs({SUM} - 1/2) <= 0.01",
        "from 21 on": "abs(Sum(binomial(30, s)*p**s*(1 - p)**(30 - s), (s, 21, 30)) - "
        f"{PRINTED}) <= 0.0000005",
    },
)
