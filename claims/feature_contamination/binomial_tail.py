"""Lemma D.4: Hoeffding's inequality as a lower bound on an upper tail.

Statement. For X binomial and every integer k <= n p, P[X >= k] >= 1 - exp(-2 n (p - (k - 1)/n)^2).

Proof. P[X <= k - 1] <= E e^(s (X - (k - 1))) for s <= 0, and log E e^(s x) <= p s + s^2/8 for one Bernoulli
variable; with q = (k - 1)/n the exponent n (s (p - q) + s^2/8) is -2 n (p - q)^2 at s = -4 (p - q), which is not
positive for k <= n p + 1.

Reference: Lemma D.4, lines 1091-1095. It holds up to k = n p + 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

n = sp.symbols("n", integer=True, positive=True)
k = sp.symbols("k", integer=True)
p = sp.symbols("p", nonnegative=True)


def survival(n, p, k):
    """P[X >= k], exactly. Shape ()."""
    hit = Fraction(p)
    return sum(
        (comb(n, x) * hit**x * (1 - hit) ** (n - x) for x in range(max(k, 0), n + 1)), Fraction(0)
    )


BOUND = 1 - sp.exp(-2 * n * (p - (k - 1) / n) ** 2)

tail = claim(
    "contamination-binomial-tail",
    lhs=r"\Pr[X\ge k]",
    tex=r"1-\exp\Big(-2n\Big(p-\frac{k-1}n\Big)^2\Big)",
    title="Lower bound on the upper tail of a binomial",
    says=r"For every $n$, $p \in [0, 1]$ and integer $k \le np$, $P[X \ge k] \ge 1 - \exp(-2n(p - "
    "(k - 1)/n)^2)$.",
    covers="lower-tail-bound",
    domain={n: integers(1), p: reals(0, 1), k: integers()},
    where=k <= n * p,
    grid={
        "smoke": [
            {n: size, p: rate, k: at}
            for size in (1, 4, 9)
            for rate in (Fraction(1, 2), Fraction(2, 3), 1)
            for at in range(int(size * rate) + 1)
        ],
        "standard": [
            {n: size, p: Fraction(i, 8), k: at}
            for size in (2, 7, 20, 40)
            for i in range(9)
            for at in range(0, int(Fraction(size * i, 8)) + 1, 1 + size // 8)
        ],
    },
    closed_form=BOUND,
    relation=at_least(),
    legs=[
        leg("exact tails", survival, where=n <= 300),
    ],
    rivals=[
        variant("exponent 4 n", closed_form=1 - sp.exp(-4 * n * (p - (k - 1) / n) ** 2)),
        variant("k - 2 in place of k - 1", closed_form=1 - sp.exp(-2 * n * (p - (k - 2) / n) ** 2)),
        variant("beyond n p + 1", simulation=survival, at=[{n: 4, p: Fraction(1, 2), k: 4}]),
    ],
)

RATES = ["p in [0, 1]", "s in (-oo, oo)"]
SIZES = ["n in 1..oo", "p in [0, 1]", "q in (-oo, oo)"]


def moment(s):
    return f"p*({s}) + ({s})**2/8"


S_AT_BEST = "-4*(p - q)"
AT_BEST = f"n*({moment(S_AT_BEST)} + 4*(p - q)*q)"
"""What the bound on one variable leaves of E e^(s (X - (k - 1))) at s = -4 (p - q)."""

NOT_POSITIVE = formula_leg(
    "s at most 0",
    typed(
        f"{S_AT_BEST.replace('q', '(k - 1)/n')} <= 0",
        over=["n in 1..oo", "p in [0, 1]", "k in Z"],
        where="k <= n*p + 1",
    ),
    over="k",
)
"""Markov's inequality for the lower tail of X needs a factor exp(s X) that falls in X."""

proof = claim(
    "contamination-binomial-tail-proof",
    states="contamination-binomial-tail",
    title="Hoeffding's lemma and the best exponent",
    says=r"$\log \mathbb{E}\, e^{sx} \le ps + s^2/8$ for a Bernoulli variable, and the exponent "
    "at $s = -4(p - (k - 1)/n)$, which with Markov's inequality are the bound for every $n$, $p$ "
    r"and $k \le np + 1$.",
    covers="lower-tail-bound",
    legs=[
        formula_leg(
            "one variable", typed(f"log(1 - p + p*exp(s)) <= {moment('s')}", over=RATES), over="k"
        ),
        formula_leg(
            "the best exponent", typed(f"{AT_BEST} == -2*n*(p - q)**2", over=SIZES), over="k"
        ),
        NOT_POSITIVE,
    ],
    rivals=[
        variant(
            "s^2/9",
            leg="one variable",
            simulation=typed("log(1 - p + p*exp(s)) <= p*s + s**2/9", over=RATES),
        ),
        variant(
            "a smaller exponent",
            leg="the best exponent",
            simulation=typed(f"{AT_BEST} == -4*n*(p - q)**2", over=SIZES),
        ),
        *rivals_of(NOT_POSITIVE, {"for k <= n p + 2": {"where": "k <= n*p + 2"}}),
    ],
)
