r"""Equations (44), (45), (64), (67) and (213): how many patches of a batch show the common word.

Setting. K1 ~ Bin(P, s/P) common patches in each of the N/2 samples of +; given it, each of the P - K1 others shows the
subclass with chance s/(P - K1), cut at 1. The power of log d is 5 here, at s >= log(d)^15. L = log d, N <= d^D; s <= k
<= d^0.4 and P >= sqrt d, from P sigma_zeta >= 1, so that P >= 6 s.

Statements. (1) The mean number of common patches of a batch is s N/2. (2) It is off by more than s N/2 s^(-1/3) with
probability at most 2 e^(-N s^(1/3)/6). (3) One sample is off by more than s s^(-1/3) with at most 2 e^(-s^(1/3)/3),
any of N with at most N times that, and e^(-L^2) for L >= D + 1. (4) The subclass patches of its n = N/(2 k) samples are
off by more than n s s^(-1/3) with at most 2 e^(-n s^(1/3)/3) + n e^(-3 s), for any of k subclasses at most k times it.

Proof of (2) to (4). One patch has E e^(u X) = 1 - p + p e^u <= e^(p (e^u - 1)), so that a sum of any coins of mean mu
has at most e^(mu (e^u - 1)); Markov at u = log(1 + delta) and log(1 - delta), delta = s^(-1/3) and mu = s N/2, s, n s.
In (4) the coins are those given all K1 <= P - s, of mean s a sample; K1 is larger with a chance of at most E e^(K1 - P
+ s) <= e^(s (e - 1) - P + s) <= e^(-3 s).

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
P, s, c, a, n, k = sp.symbols("P s c a n k", integer=True, positive=True)
m = sp.Symbol("m", positive=True)

MEAN = s * N / 2


def mean_of_a_batch(N, P, s):
    """Mean number of common patches, over all patterns of a sample. Shape ()."""
    return N // 2 * moments(law_of(easy_patterns(P, s), lambda pattern: pattern.count("common")))[1]


def of_samples_with_some(N, P, s):
    law = law_of(easy_patterns(P, s), lambda pattern: pattern.count("common"))
    return N // 2 * sum(n * q for n, q in law.items()) / (1 - law.get(0, Fraction(0)))


EXPECTED = formula_leg(
    "mean",
    typed(f"N/2*E[K] == {MEAN}", over=["N in 2..oo", "P in 1..oo", "s in 0..P", "K ~ Bin(P, s/P)"]),
    over="batch",
)

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
    grid={
        "smoke": {N: [2, 8], P: [3, 5], s: [1, 2]},
        "standard": {N: [2, 12], P: [4, 6], s: [1, 3]},
    },
    closed_form=MEAN,
    relation=equals(),
    legs=[leg("all patterns", mean_of_a_batch, required=False, where=P <= 6), EXPECTED],
    rivals=[
        variant("s N", closed_form=s * N, leg="all patterns"),
        variant("samples with one at least", simulation=of_samples_with_some, leg="all patterns"),
        *rivals_of(EXPECTED, {"of all samples": "N*E[K] == N*s/2"}),
    ],
    mutate=False,
)


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
# delta = 1/a, mu = m a^3
TAIL = sp.exp(-m * a / 3)
SIZES = ["m in (0, oo)", "a in [2, oo)"]
MANY, FEW = "m*a**3*(1/a - (1 + 1/a)*log(1 + 1/a))", "m*a**3*(-1/a - (1 - 1/a)*log(1 - 1/a))"
UP = formula_leg("too many", typed(f"exp({MANY}) <= {TAIL}", over=SIZES))
DOWN = formula_leg("too few", typed(f"exp({FEW}) <= {TAIL}", over=SIZES))
WRONG = [
    *rivals_of(COIN, {"without the exponential": "1 - p + p*exp(u) <= 1 + p*u"}),
    *rivals_of(UP, {"a half": f"exp({MANY}) <= exp(-m*a/2)"}),
    *rivals_of(DOWN, {"two thirds": f"exp({FEW}) <= exp(-2*m*a/3)"}),
]
BATCH = 2 * TAIL.subs({m: N / 2, a: c})
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
    domain={N: even_integers(2), P: integers(1), c: integers(2)},
    where=c**3 <= P,
    grid={
        "smoke": [{N: 2, P: 16, c: 2}, {N: 4, P: 9, c: 2}],
        "standard": [{N: 6, P: 16, c: 2}, {N: 2, P: 40, c: 3}],
    },
    closed_form=BATCH,
    relation=at_most(),
    legs=[
        leg("exact law", batch_off, required=False, where=sp.And(P <= 40, N <= 8)),
        COIN,
        UP,
        DOWN,
        COMMON_LATE,
    ],
    rivals=[
        variant("2 e^(-3 N c)", closed_form=2 * sp.exp(-3 * N * c), leg="exact law"),
        *rivals_of(
            COMMON_LATE,
            {"from 3 on": {"over": ["d in 3..oo", "N in 2..oo", "c in [log(d)**5, oo)"]}},
        ),
        *WRONG,
    ],
    mutate=False,
)


def any_of(q, times):
    """Chance that any of independent events of one chance happens."""
    return 1 - (1 - q) ** times


def sample_off(n, P, a):
    """Any of n samples with s = a^3 has common patches more than 1/a of the mean off. Shape ()."""
    return any_of(off(marginal(P, a**3, 0), Fraction(a**3), Fraction(1, a)), n)


ONE = 2 * TAIL.subs(m, 1)
UNION = formula_leg(
    "any of them", typed("1 - (1 - q)**n <= n*q", over=["n in 1..oo", "q in [0, 1]"]), over="batch"
)
LARGE = ["D in [1, oo)", "L in [D + 1, oo)", "a in [L**5, oo)"]
RATE = formula_leg("one sample", typed(f"{ONE} <= exp(-a/4)", over="a in [9, oo)"), over="batch n")
AT_MOST = formula_leg(
    "at most so many",
    typed(f"{n * ONE} <= 2*exp(M - a/3)", over=["M in [0, oo)", "n in [1, exp(M)]", "a in 1..oo"]),
    over="batch",
)
SAMPLES_LATE = formula_leg(
    "for large d", typed("log(2) + D*L - a/3 <= -L**2", over=LARGE), over="batch n"
)

per_sample = claim(
    "granularity-sample-common-count",
    lhs=r"\Pr\big[\exists n:\ \big||\mathcal P(X_n;v_+)|-s^*\big|>s^*s^{*-1/3}\big]",
    tex=r"2N\,e^{-s^{*1/3}/3}",
    states="granularity-patch-count",
    title="Common patches of every sample",
    says=r"Any of $N$ samples has a number of common patches that is off by more than $s^*s^{*-1/3}$ with probability "
    r"at most $2Ne^{-s^{*1/3}/3}$, below $e^{-\log^2d}$ for $N\le d^D$, $\log d\ge D+1$; $s^*=a^3\ge\log^{15}d$.",
    covers="per-sample",
    reads={"d": "L"},
    domain={n: integers(1), P: integers(1), a: integers(2)},
    where=a**3 <= P,
    grid={"smoke": [{n: 1, P: 54, a: 3}, {n: 2, P: 16, a: 2}], "standard": [{n: 1, P: 128, a: 4}]},
    closed_form=n * ONE,
    relation=at_most(),
    legs=[
        leg("exact law", sample_off, required=False, where=sp.And(P <= 130, n <= 8)),
        COIN,
        UP,
        DOWN,
        UNION,
        RATE,
        AT_MOST,
        SAMPLES_LATE,
    ],
    rivals=[
        variant("e^(-2 a)", closed_form=n * sp.exp(-2 * a), leg="exact law"),
        *rivals_of(UNION, {"half of it": "1 - (1 - q)**n <= n*q/2"}),
        *rivals_of(AT_MOST, {"without the 2": f"{n * ONE} <= exp(M - a/3)"}),
        *rivals_of(RATE, {"from 8 on": {"over": "a in [8, oo)"}}),
        *rivals_of(
            SAMPLES_LATE,
            {
                "s of degree 3": {"over": [*LARGE[:2], "a in [L, oo)"]},
                "for all d": {"over": [LARGE[0], "L in [1, oo)", LARGE[2]]},
            },
        ),
        *WRONG,
    ],
    mutate=False,
)


def subclass_off(k, n, P, a):
    """Any of k subclasses with n samples each, s = a^3, has subclass patches more than 1/a of their mean off."""
    law = folded(marginal(P, a**3, 1), n)
    return any_of(off(law, Fraction(n * a**3), Fraction(1, a)), k)


BEYOND = sp.exp(-3 * s)
SUBCLASS = 2 * TAIL.subs(m, n) + n * BEYOND.subs(s, a**3)
LEAST = "K*(M*exp(-3*a**3) + 2*exp(-a/3))"
ALL_OF_THEM = formula_leg(
    "one sample of each",
    typed(
        f"{k * SUBCLASS} <= {LEAST}",
        over=["M in [1, oo)", "K in [1, oo)", "n in [1, M]", "k in [1, K]", "a in [1, oo)"],
        steps=[
            "exp(-n*a/3) <= exp(-a/3)",
            "n*exp(-3*a**3) <= M*exp(-3*a**3)",
            f"{SUBCLASS} <= M*exp(-3*a**3) + 2*exp(-a/3)",
        ],
    ),
    over="batch c",
)
ROOM = formula_leg(
    "room for six", typed("exp(L/2) >= 6*exp(2*L/5)", over="L in [18, oo)"), over="batch c"
)
CUT = formula_leg(
    "nothing is cut",
    typed(f"exp(s*(exp(1) - 1) - P + s) <= {BEYOND}", over=["s in 1..oo", "P in [6*s, oo)"]),
    over="batch c",
)
OFF_LATE = formula_leg(
    "off, for large d",
    typed("log(4) + 2*L/5 - a/3 <= -L**2", over=["L in [2, oo)", "a in [L**5, oo)"]),
    over="batch c",
)
CUT_LATE = formula_leg(
    "cut, for large d",
    typed("log(2) + 2*L/5 + D*L - 3*s <= -L**2", over=[*LARGE[:2], "s in [L**5, oo)"]),
    over="batch c",
)

batch_subclass = claim(
    "granularity-batch-subclass-count",
    lhs=r"\Pr\big[\exists c:\ |\#_c-\tfrac{s^*N}{2k}|>\tfrac{s^*N}{2k}s^{*-1/3}\big]",
    tex=r"k\big(2e^{-Ns^{*1/3}/(6k)}+\tfrac N{2k}e^{-3s^*}\big)",
    states="granularity-patch-count",
    title="Subclass patches of a batch",
    says=r"The subclass patches of any of the $k$ subclasses are off by more than $\frac{s^*N}{2k}s^{*-1/3}$ with "
    r"probability at most $k(2e^{-Ns^{*1/3}/(6k)}+\frac N{2k}e^{-3s^*})$ where $P\ge6s^*$, as for large $d$, and that "
    r"is at most $e^{-\log^2d}$ for $N\le d^D$, $\log d\ge\max(18,D+1)$; $s^*=a^3\ge\log^{15}d$.",
    covers="batch-subclass",
    reads={"d": "L", "c": "k"},
    domain={k: integers(1), n: integers(1), P: integers(1), a: integers(2)},
    where=6 * a**3 <= P,
    grid={
        "smoke": [{k: 1, n: 2, P: 48, a: 2}, {k: 2, n: 2, P: 48, a: 2}],
        "standard": [{k: 3, n: 2, P: 48, a: 2}],
    },
    closed_form=k * SUBCLASS,
    relation=at_most(),
    legs=[
        leg("exact law", subclass_off, required=False, where=sp.And(P <= 48, n <= 2)),
        COIN,
        UP,
        DOWN,
        UNION,
        ALL_OF_THEM,
        ROOM,
        CUT,
        OFF_LATE,
        CUT_LATE,
    ],
    rivals=[
        variant("2 e^(-3 n a)", closed_form=2 * k * sp.exp(-3 * n * a), leg="exact law"),
        *rivals_of(
            ALL_OF_THEM,
            {
                "two samples": {
                    "says": f"{k * SUBCLASS} <= K*(M*exp(-3*a**3) + 2*exp(-2*a/3))",
                    "steps": [],
                }
            },
        ),
        *rivals_of(ROOM, {"from 17 on": {"over": "L in [17, oo)"}}),
        *rivals_of(CUT, {"P >= 5 s": {"over": ["s in 1..oo", "P in [5*s, oo)"]}}),
        *rivals_of(OFF_LATE, {"s of degree 3": {"over": ["L in [2, oo)", "a in [L**2, oo)"]}}),
        *rivals_of(CUT_LATE, {"one sample of s = L": {"over": [*LARGE[:2], "s in [L, oo)"]}}),
        *WRONG,
    ],
    mutate=False,
)
