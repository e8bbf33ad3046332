r"""Equations (44), (45) and (64): how many patches of a batch show the common word.

Setting. K1 ~ Bin(P, s/P) common patches in each of the N/2 samples of +. The power of log d is 5 here, at s >=
log(d)^15.

Statements. (1) The mean number of common patches of a batch is s N/2. (2) It is off by more than s N/2 s^(-1/3) with
probability at most 2 e^(-N s^(1/3)/6).

Proof of (2). One patch has E e^(u X) = 1 - p + p e^u <= e^(p (e^u - 1)), so that a sum of any coins of mean mu has at
most e^(mu (e^u - 1)); Markov at u = log(1 + delta) and log(1 - delta), delta = s^(-1/3), mu = s N/2.

Reference: lines 929-941, 1069-1090 and 2124-2126.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    even_integers,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import count_law, easy_patterns, law_of, moments

N = sp.Symbol("N", even=True, positive=True)
P, s, c = sp.symbols("P s c", integer=True, positive=True)

MEAN = s * N / 2


def mean_of_a_batch(N, P, s):
    """Mean number of common patches, over all patterns of a sample. Shape ()."""
    return N // 2 * moments(law_of(easy_patterns(P, s), lambda pattern: pattern.count("common")))[1]


def of_samples_with_some(N, P, s):
    law = law_of(easy_patterns(P, s), lambda pattern: pattern.count("common"))
    return N // 2 * sum(n * q for n, q in law.items()) / (1 - law.get(0, Fraction(0)))


EXPECTED = formula_leg("mean", typed(
    f"N/2*E[K] == {MEAN}", over=["N in 2..oo", "P in 1..oo", "s in 0..P", "K ~ Bin(P, s/P)"]),
    over="batch")  # fmt: skip

mean_count = claim(
    "granularity-mean-patch-count",
    lhs=r"\mathbb E|\{(n,p):y_n=+,\,p\in\mathcal P(X_n;v_+)\}|",
    tex=r"\frac{s^*N}2",
    states="granularity-patch-count",
    title="Mean number of common patches",
    says=r"The mean number of common patches over the $N/2$ samples of $+$ is $\frac{s^*N}2$, samples "
    "without any counted.",
    covers="mean-count",
    reads={"s_star": "s"},
    domain={N: even_integers(2), P: integers(1), s: integers(1)},
    where=s <= P,
    grid={"smoke": {N: [2, 8], P: [3, 5], s: [1, 2]}, "standard": {N: [2, 12], P: [4, 6], s: [1, 3]}},
    closed_form=MEAN,
    relation=equals(),
    legs=[leg("all patterns", mean_of_a_batch, required=False, where=P <= 6), EXPECTED],
    rivals=[
        variant("s N", closed_form=s * N, leg="all patterns"),
        variant("samples with one at least", simulation=of_samples_with_some, leg="all patterns"),
        *rivals_of(EXPECTED, {"of all samples": "N*E[K] == N*s/2"}),
    ],
    mutate=False,
)  # fmt: skip


def folded(law, times):
    """The law of a sum of independent counts with this law."""
    total = {0: Fraction(1)}
    for _ in range(times):
        new: dict[int, Fraction] = {}
        for a, x in total.items():
            for b, y in law.items():
                new[a + b] = new.get(a + b, Fraction(0)) + x * y
        total = new
    return total


def off(law, mean, share):
    """Chance of being off by more than a share of the mean."""
    return sum((x for n, x in law.items() if abs(n - mean) > share * mean), Fraction(0))


def marginal(P, s, which):
    """Law of the common (0) or of the subclass (1) patches of a sample."""
    law: dict[int, Fraction] = {}
    for counts, x in count_law(P, s).items():
        law[counts[which]] = law.get(counts[which], Fraction(0)) + x
    return law


def batch_off(N, P, c):
    """Common patches of a batch for s = c^3, more than 1/c of their mean off. Shape ()."""
    return off(folded(marginal(P, c**3, 0), N // 2), Fraction(c**3 * N, 2), Fraction(1, c))


COIN = formula_leg(
    "one patch", typed("1 - p + p*exp(u) <= exp(p*(exp(u) - 1))", over=["p in [0, 1]", "u in R"])
)
SIZES = ["mu > 0", "delta in (0, 1)"]
UP = formula_leg("too many", typed(
    "mu*(delta - (1 + delta)*log(1 + delta)) <= -delta**2*mu/3", over=SIZES))  # fmt: skip
DOWN = formula_leg("too few", typed(
    "mu*(-delta - (1 - delta)*log(1 - delta)) <= -delta**2*mu/2", over=SIZES))  # fmt: skip
WRONG = [
    *rivals_of(COIN, {"without the exponential": "1 - p + p*exp(u) <= 1 + p*u"}),
    *rivals_of(UP, {"a half": "mu*(delta - (1 + delta)*log(1 + delta)) <= -delta**2*mu/2"}),
    *rivals_of(
        DOWN, {"two thirds": "mu*(-delta - (1 - delta)*log(1 - delta)) <= -2*delta**2*mu/3"}
    ),
]
BATCH = 2 * sp.exp(-N * c / 6)
IN_C = typed(
    f"{BATCH} <= exp(-log(d)**5/4)", over=["d in 5..oo", "N in 2..oo", "c in [log(d)**5, oo)"]
)
COMMON_LATE = formula_leg("for large d", IN_C, over="batch")

batch_common = claim(
    "granularity-batch-common-count",
    lhs=r"\Pr\big[|\#-\tfrac{s^*N}2|>\tfrac{s^*N}2s^{*-1/3}\big]",
    tex=r"2e^{-Ns^{*1/3}/6}",
    states="granularity-patch-count",
    title="Common patches of a batch",
    says=r"The number of common patches of a batch is off by more than $\frac{s^*N}2s^{*-1/3}$ with probability at "
    r"most $2e^{-Ns^{*1/3}/6}$, below $e^{-\log(d)^5/4}$ for $d\ge5$ and $s^*\ge\log^{15}d$; $s^*=c^3$.",
    covers="batch-common",
    domain={N: even_integers(2), P: integers(1), c: integers(1)},
    where=c**3 <= P,
    grid={"smoke": [{N: 2, P: 16, c: 2}, {N: 4, P: 9, c: 2}], "standard": [{N: 6, P: 16, c: 2}, {N: 2, P: 40, c: 3}]},
    closed_form=BATCH,
    relation=at_most(),
    legs=[leg("exact law", batch_off, required=False, where=sp.And(P <= 40, N <= 8)), COIN, UP, DOWN, COMMON_LATE],
    rivals=[
        variant("2 e^(-3 N c)", closed_form=2 * sp.exp(-3 * N * c), leg="exact law"),
        *rivals_of(COMMON_LATE, {"from 3 on": {"over": ["d in 3..oo", "N in 2..oo", "c in [log(d)**5, oo)"]}}),
        *WRONG,
    ],
    mutate=False,
)  # fmt: skip
