r"""The inequalities between norms that the non-activation lemmas use.

Setting. Real vectors of any length n; j is the number of entries that are not 0. A step of a neuron that is open on
several words, each in one patch, has an entry for each of them.

Statements. (1) sqrt(sum c^2) <= sum |c|. (2) sum |c| <= sqrt j sqrt(sum c^2), the entries that are 0 left out; both
sides of (1) are equal only if one entry at most is not 0, since another adds 2 S |x| > 0 to S^2 - Q of the first. (3)
|u + z| >= |u| - |z|. (4) Printed, (166): the norm is the sum of the sizes. On two words it is sqrt 2 of one entry, not
twice it.

Reference: (165)-(167) and (188)-(191), lines 1767-1803 and 1955-1995.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula_leg, instances, integers, leg, rivals_of, typed, variant

from ._data import features, vector
from ._network import Neuron, updates

j = sp.Symbol("j", integer=True, positive=True)

FAMILY = ["n in 1..oo", "c[i] in (-oo, oo) for i in 1..n"]
L1 = formula_leg(
    "squares", typed("Sum(c[i]**2, (i, 1, n)) <= Sum(abs(c[i]), (i, 1, n))**2", over=FAMILY)
)
WEAKER = {
    "three quarters of the sum": "Sum(c[i]**2, (i, 1, n)) <= (3*Sum(abs(c[i]), (i, 1, n))/4)**2",
}
L2 = formula_leg(
    "Cauchy-Schwarz",
    typed("Sum(abs(c[i]), (i, 1, n)) <= sqrt(n)*sqrt(Sum(c[i]**2, (i, 1, n)))", over=FAMILY),
)
STRICT = formula_leg(
    "a second entry",
    typed(
        "Q + x**2 < (S + abs(x))**2",
        over=["S in (0, oo)", "Q in (0, oo)", "x in (-oo, oo)"],
        where=["Q <= S**2", "x != 0"],
    ),
    over="c",
)
REVERSE = formula_leg(
    "reverse triangle",
    typed("norm(u + z) >= norm(u) - norm(z)", over=["n in 1..oo", "u, z in R^n"]),
)


def step(coefficients):
    """Step of a neuron of a coarse network that is open on one word for every coefficient: a sample of one patch of
    each of the words, with that strength. The probability 1/2 and the rate are taken out. Length d."""
    k, d = len(coefficients), len(coefficients) + 3
    words = features("+", k)[: len(coefficients)]
    net = {"+": [Neuron([Fraction(0)] * d, Fraction(1))], "-": []}
    patches = [vector(v, k, d, c) for v, c in zip(words, coefficients, strict=True)]
    moved = updates(net, [(patches, "+")], 1, lambda scores: dict.fromkeys(scores, Fraction(1, 2)))
    return [2 * len(patches) * x for x in moved["+"][0]]


def squared_norm(j):
    """Of a step with j entries that are 1. Shape ()."""
    return sum(x * x for x in step([Fraction(1)] * j))


def slack(c):
    """(sum |c|)^2 - |Delta w|^2, j |Delta w|^2 - (sum |c|)^2 for the step. Shape (2,)."""
    square, size, entries = sum(x * x for x in step(c)), sum(map(abs, c)), sum(1 for x in c if x)
    return [min(size**2 - square, Fraction(0)), min(entries * square - size**2, Fraction(0))]


def slack_of_half_as_many(c):
    square, size, entries = sum(x * x for x in step(c)), sum(map(abs, c)), sum(1 for x in c if x)
    return [Fraction(0), min(entries * square / 2 - size**2, Fraction(0))]


def nothing(c):
    return [0, 0]


def strengths(rng):
    return {
        "c": [
            Fraction(int(rng.integers(1, 6)), int(rng.integers(1, 4)))
            for _ in range(int(rng.integers(1, 6)))
        ]
    }


l1 = claim(
    "granularity-l2-below-l1",
    states="granularity-norm-inequalities",
    title="The Euclidean norm is below the sum of sizes",
    says=r"$\sqrt{\sum_jc_j^2}\le\sum_j|c_j|$ for every finite sequence.",
    covers="noise-sd",
    reads={"c": "n"},
    legs=[L1],
    rivals=rivals_of(L1, WEAKER),
)

printed = claim(
    "granularity-norm-is-sum-printed",
    lhs=r"\Big\|\sum_vc_vv\Big\|^2",
    states="granularity-norm-inequalities",
    title="The norm of a step as printed",
    says=r"$\|\sum_vc_vv\|=\sum_v|c_v|$ for a step on $j$ words, here with $c_v=1$.",
    covers="l1-equality-printed",
    reads={"v": "j", "c": "j"},
    expect="fail",
    domain={j: integers(1)},
    grid={"smoke": {j: [1, 2, 3]}},
    closed_form=j**2,
    legs=[leg("steps", squared_norm)],
)

between = claim(
    "granularity-norms-between",
    states="granularity-norm-inequalities",
    title="The norm of a sum of orthogonal features",
    says=r"$\sum|c_v|/\sqrt j\le\sqrt{\sum c_v^2}\le\sum|c_v|$ for $j$ entries that are not 0, with equality on the "
    "right only if there is at most one.",
    role="corrected",
    corrects="granularity-norm-is-sum-printed",
    covers="true-norm",
    reads={"c": "n"},
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg(
            "steps",
            slack,
            reference=nothing,
            required=False,
            unit=1,
            lhs=r"\min\big(0,\ S^2-\|\Delta w\|^2,\ j\|\Delta w\|^2-S^2\big)",
            tex="0",
            instances=instances(strengths, "c", smoke=6, standard=20),
        ),
        L1,
        L2,
        STRICT,
    ],
    rivals=[
        variant("half as many entries", simulation=slack_of_half_as_many, leg="steps"),
        *rivals_of(L1, WEAKER),
        *rivals_of(
            L2, {"without the root": "Sum(abs(c[i]), (i, 1, n)) <= sqrt(Sum(c[i]**2, (i, 1, n)))"}
        ),
        *rivals_of(STRICT, {"a zero": {"where": "Q <= S**2"}}),
    ],
)

reverse = claim(
    "granularity-reverse-triangle",
    states="granularity-norm-inequalities",
    title="The reverse triangle inequality",
    says=r"$-\|u+z\|\le-\|u\|+\|z\|$ for all vectors.",
    covers="reverse-triangle",
    reads={"u": "n", "z": "n"},
    legs=[REVERSE],
    rivals=rivals_of(REVERSE, {"half of |z|": "norm(u + z) >= norm(u) - norm(z)/2"}),
)
