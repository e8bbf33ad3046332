"""Lemma D.3 (folklore): the multiplicative Chernoff bound.

Statements. For Z ~ Bin(n, p) and 0 < epsilon < 1, P(|Z - np| >= epsilon np) <= 2 exp(-epsilon^2 n p / 3); for the
mean of n uniform signs, P(|mean| >= epsilon) <= 2 exp(-epsilon^2 n / 6).

Reference: Lemma D.3 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import at_most, claim, formula_leg, integers, leg, reals, rivals_of, typed, variant

n = sp.symbols("n", integer=True, positive=True)
p, eps = sp.symbols("p epsilon", positive=True)


def chernoff_tail(n, p, epsilon):
    """P(|Z - np| >= epsilon n p) for Z binomial, exactly. Shape ()."""
    mu, hit = n * Fraction(p), Fraction(p)
    yes, total = hit.numerator, hit.denominator
    tail = sum(
        comb(n, z) * yes**z * (total - yes) ** (n - z)
        for z in range(n + 1)
        if abs(z - mu) >= Fraction(epsilon) * mu
    )
    return Fraction(tail, total**n)


def one_term(n, p, epsilon):
    """P(Z = the least integer from (1 + epsilon) n p on), which the tail is at least: at large n p the rate of the
    bound is what it is compared with. Shape ()."""
    hit = Fraction(p)
    z = math.ceil((1 + Fraction(epsilon)) * n * hit)
    yes, total = hit.numerator, hit.denominator
    return Fraction(math.comb(n, z) * yes**z * (total - yes) ** (n - z), total**n)


def rate(bound, trials):
    """What the bound 2 exp(-rate trials) has for a rate, in u for epsilon."""
    found = sp.simplify(sp.expand_log(-sp.log(bound / 2), force=True) / trials)
    return found.subs(eps, sp.Symbol("u"))


BOUND = 2 * sp.exp(-(eps**2) * n * p / 3)
# The logarithms of both tails over n p tend to these as n p grows and p falls: no bound has a larger rate.
RATE = formula_leg(
    "rate of both tails",
    typed(
        f"(1 + u)*log(1 + u) - u >= {rate(BOUND, n * p)} "
        f"and (1 - u)*log(1 - u) + u >= {rate(BOUND, n * p)}",
        over="u in (0, 1)",
    ),
)
NEAR_ONE = Fraction(999, 1000)
LONG = {"smoke": [{n: 100_000, p: Fraction(1, 200), eps: NEAR_ONE}]}
chernoff = claim(
    "icl-chernoff-binomial",
    lhs=r"\Pr\big[|Z-np|\ge\epsilon np\big]",
    tex=r"2\,e^{-\epsilon^2np/3}",
    title="Two-sided multiplicative Chernoff bound",
    says=r"For $Z\sim\operatorname{Bin}(n,p)$ and $0<\epsilon<1$, $\Pr[|Z-np|\ge\epsilon "
    r"np]\le2\exp(-\epsilon^2np/3)$.",
    covers="two-sided-chernoff",
    reads={"eps": "epsilon"},
    domain={
        n: integers(1),
        p: reals(0, 1, low_open=True),
        eps: reals(0, 1, low_open=True, high_open=True),
    },
    grid={
        "smoke": {
            n: [1, 5, 40, 600],
            p: [Fraction(1, 20), Fraction(1, 2), 1],
            eps: [Fraction(1, 10), NEAR_ONE],
        },
        "standard": {
            n: [1, 2, 5, 20, 60, 200],
            p: [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), 1],
            eps: [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), NEAR_ONE],
        },
    },
    closed_form=BOUND,
    relation=at_most(),
    legs=[
        RATE,
        leg("exact tails", chernoff_tail, inside="Z"),
        leg(
            "one term, many draws",
            one_term,
            inside="Z",
            grid=LONG,
            where=lambda n, p, epsilon: n <= 100_000 and (1 + epsilon) * p <= 1,
        ),
    ],
    rivals=[
        *rivals_of(
            RATE,
            {
                "denominator 2.58": "(1 + u)*log(1 + u) - u >= 50*u**2/129",
            },
        ),
        variant(
            "denominator 5/2",
            closed_form=2 * sp.exp(-2 * eps**2 * n * p / 5),
            leg="one term, many draws",
        ),
        variant(
            "denominator 3/2",
            closed_form=2 * sp.exp(-2 * eps**2 * n * p / 3),
            at={n: [200], p: [Fraction(1, 20)], eps: [NEAR_ONE]},
        ),
        variant(
            "denominator 2",
            closed_form=2 * sp.exp(-(eps**2) * n * p / 2),
            at={n: [3000], p: [Fraction(1, 100)], eps: [NEAR_ONE]},
        ),
        variant(
            "leading constant 1",
            closed_form=sp.exp(-(eps**2) * n * p / 3),
            at={
                n: [5, 20, 40, 60],
                p: [Fraction(1, 2), Fraction(1, 10)],
                eps: [Fraction(1, 10), Fraction(1, 4)],
            },
        ),
        variant(
            "epsilon above 1", leg="exact tails", at={n: [1000], p: [Fraction(1, 1000)], eps: [5]}
        ),
    ],
)


def mean_sign_tail(n, epsilon):
    """P(|z_1 + .. + z_n| >= epsilon n) for independent uniform signs, exactly. Shape ()."""
    hit = sum(comb(n, up) for up in range(n + 1) if abs(2 * up - n) >= Fraction(epsilon) * n)
    return Fraction(hit, 2**n)


def one_term_of_signs(n, epsilon):
    """Twice P(Z = the least integer from (1 + epsilon) n/2 on) at p = 1/2, which the tail is at least. Shape ()."""
    return 2 * one_term(n, Fraction(1, 2), epsilon)


SIGNS_BOUND = 2 * sp.exp(-(eps**2) * n / 6)
# The logarithm of each tail over n tends to this as n grows.
SIGNS_RATE = formula_leg(
    "rate of both tails",
    typed(
        f"((1 + u)*log(1 + u) + (1 - u)*log(1 - u))/2 >= {rate(SIGNS_BOUND, n)}",
        over="u in (0, 1)",
    ),
)
SIGNS = {n: [1, 2, 5, 20, 60], eps: [Fraction(1, 10), Fraction(1, 2), NEAR_ONE]}
chernoff_signs = claim(
    "icl-chernoff-binomial-signs",
    lhs=r"\Pr\big[|\bar s|\ge\epsilon\big]",
    tex=r"2\,e^{-\epsilon^2n/6}",
    states="icl-chernoff-binomial",
    title="The mean of signs",
    says=r"The mean of $n$ independent uniform signs is at least $\epsilon$ in size with probability at"
    r" most $2\exp(-\epsilon^2n/6)$, $0<\epsilon<1$.",
    covers="mean-of-signs",
    reads={"eps": "epsilon"},
    domain={n: integers(1), eps: reals(0, 1, low_open=True, high_open=True)},
    grid={
        "smoke": SIGNS,
        "standard": {n: [3, 10, 40, 199], eps: [Fraction(1, 20), Fraction(1, 4), NEAR_ONE]},
    },
    closed_form=SIGNS_BOUND,
    relation=at_most(),
    legs=[
        SIGNS_RATE,
        leg("exact tails", mean_sign_tail),
        leg(
            "two terms, many draws",
            one_term_of_signs,
            grid={"smoke": [{n: 100_000, eps: Fraction(1, 10)}]},
            where=n <= 100_000,
        ),
    ],
    rivals=[
        *rivals_of(
            SIGNS_RATE,
            {
                "101 epsilon^2 / 200": "((1 + u)*log(1 + u) "
                "+ (1 - u)*log(1 - u))/2 >= 101*u**2/200",
            },
        ),
        # At p = 1/2 the rate is epsilon^2/2 for small epsilon: no denominator below 2 is right.
        variant(
            "2 exp(-51 epsilon^2 n / 100)",
            closed_form=2 * sp.exp(-51 * eps**2 * n / 100),
            leg="two terms, many draws",
        ),
        variant("2 exp(-epsilon^2 n)", closed_form=2 * sp.exp(-(eps**2) * n)),
        variant("leading constant 1", closed_form=sp.exp(-(eps**2) * n / 6)),
    ],
)

for stated, bound in ((chernoff, BOUND), (chernoff_signs, SIGNS_BOUND)):
    if stated.closed_form != bound:
        raise ValueError("the rate is that of another bound")
