r"""Proposition 2: entries and words of all neurons of a fine network at the start.

Setting. 2k nets of m = d^(1 + 2 c) neurons each, k <= d^(2/5), 0 < c < 1/10, with independent entries N(0, sigma_0^2)
along each of the d words; L = log d; a neuron has a word in U_r if its entry is at least sigma_0 tau, tau^2 = (2 +
2c)(L - 1/L^5).

Statement. But for d^-2 all entries are below sigma_0 sqrt(10 L) and no neuron has more than J = ceil(17/(5 c)) + 1
words, for all d >= 100.

Proof. p = Q(tau) <= phi(tau)/tau = d^(-1 - c) A, A = e^((1 + c)/L^5)/(sqrt(2 pi) tau) <= 1/5 (Mills). By Markov with
e^u = 5 d^c, P[Bin(d, p) >= j] <= e^(d p (e^u - 1) - u j) <= e 5^-j d^(-c j), j = J + 1 >= 17/(5c) + 2: of 2k m neurons
some has j words with at most 2 d^(7/5 + 2c) e 5^-j d^(-c j) <= d^-2/2. An entry is beyond sqrt(10 L) with at most
e^(-5 L)/sqrt(20 pi L); there are 2k m d of them, so that some is with at most 2 d^(12/5 + 2c - 5) <= d^-2/2.

Reference: Proposition 2, lines 1888-1898.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import number
from .coarse_start import MILLS, tail

d = sp.Symbol("d", integer=True, positive=True)
c = sp.Symbol("c", positive=True)
BITS = 1000


def most(c):
    """J: words of a neuron, by c_0 alone."""
    return ceil(Fraction(17, 5) / c) + 1


def exponent(c, d):
    """c (J + 1): the power of 1/d that J + 1 words have. Shape ()."""
    return c * (most(c) + 1)


def threshold(d, c, degree=2):
    """tau. A ball."""
    size = arb(d).log()
    return (number(degree + 2 * c) * (size - 1 / size**5)).sqrt()


def unusual(d, c, J=None, room=10):
    """Bound on the chance that any of 2 k m neurons, k = d^(2/5), has more than J words (``most`` where not told) or an
    entry of sqrt(10 log d): exact laws of a neuron, of which there are so many. Shape ()."""
    J = most(c) if J is None else J
    with ctx.workprec(BITS):
        size = arb(d).log()
        p, q = tail(threshold(d, c)), tail((room * size).sqrt())
        few = sum((comb(d, i) * p**i * (1 - p) ** (d - i) for i in range(J + 1)), arb(0))
        neurons = 2 * (number(Fraction(7, 5) + 2 * c) * size).exp()
        return neurons * ((1 - few) + (1 - (1 - q) ** d))


EVERY = "init r"
WIDE = ["L in [4, oo)", "c in (0, 1/10)"]
# m is d p, e^u = 5 d^c
COIN = formula_leg(
    "one word", typed("1 - p + p*exp(u) <= exp(p*(exp(u) - 1))", over=["p in [0, 1]", "u in R"])
)
WORDS = formula_leg(
    "j words",
    typed(
        "m*(exp(c*L + log(5)) - 1) - (c*L + log(5))*j <= 1 - j*log(5) - c*L*j",
        over=[*WIDE, "m in [0, exp(-c*L)/5]", "j in 2..oo"],
    ),
    over=EVERY,
)
TAIL = formula_leg("Mills", MILLS, over=EVERY)
DENSITY = formula_leg(
    "density at it",
    typed(
        "exp(-(sqrt((2 + 2*c)*(L - 1/L**5)))**2/2) == exp(-(1 + c)*L)*exp((1 + c)/L**5)",
        over=["L in [1, oo)", "c in (0, 1/10)"],
    ),
    over=EVERY,
)
LOSS = formula_leg("loss", typed("exp((1 + c)/L**5) <= 101/100", over=WIDE), over=EVERY)
GAP = formula_leg("threshold", typed("(2 + 2*c)*(L - 1/L**5) >= 7", over=WIDE), over=EVERY)
FACTOR = formula_leg(
    "A",
    typed("a/(sqrt(2*pi)*sqrt(x)) <= 1/5", over=["a in (0, 101/100]", "x in [7, oo)"]),
    over=EVERY,
)
# 2 d^(7/5 + 2c) e 5^-j d^(-c j) with j >= 17/(5c) + 2, by its logarithm: u = c j
UNION = formula_leg(
    "all neurons",
    typed(
        "log(2) + (7/5 + 2*c)*L + 1 - j*log(5) - u*L <= -2*L - log(2)",
        over=[*WIDE, "u in [17/5 + 2*c, oo)", "j in 2..oo"],
    ),
    over=EVERY,
)
LEAST = sp.Rational(17, 5) + 2 * c
CHOSEN = formula_leg(
    "J",
    typed(f"c*(J + 1) >= {LEAST}", over=["c in (0, 1/10)", "J in [17/(5*c) + 1, oo)"]),
    over="init r d",
)
ENTRIES = formula_leg(
    "all entries",
    typed("2*exp((12/5 + 2*c)*L)*exp(-5*L)/(sqrt(2*pi)*sqrt(10*L)) <= exp(-2*L)/2", over=WIDE),
    over=EVERY,
)

BOTH = formula_leg(
    "both events",
    typed(f"exp(-2*log(d))/2 + exp(-2*log(d))/2 <= {1 / d**2}", over="d in 100..oo"),
    over=EVERY,
)

regular = claim(
    "granularity-fine-regular",
    lhs=r"\Pr[\exists r:\ |\mathcal U_r|>J\text{ or }\max_v\langle w_r,v\rangle\ge\sigma_0\sqrt{10\log d}]",
    tex="d^{-2}",
    states="granularity-init-geometry-fine",
    title="Entries and words of the neurons of all fine nets",
    says=r"With $m_c=d^{1+2c_0}$ and $k\le d^{2/5}$ all entries of all neurons of the $2k$ nets are below "
    r"$\sigma_0\sqrt{10\log d}$ and none has more than $J=\lceil\frac{17}{5c_0}\rceil+1$ words, but for probability "
    r"$d^{-2}$, for all $d\ge100$.",
    covers="regular",
    reads={"d": "L"},
    domain={d: integers(100), c: reals(0, Fraction(1, 10), low_open=True, high_open=True)},
    grid={
        "smoke": {d: [100, 10**6], c: [Fraction(1, 11)]},
        "standard": {d: [1000, 10**12], c: [Fraction(1, 11), Fraction(1, 20)]},
    },
    closed_form=1 / d**2,
    relation=at_most(),
    legs=[
        leg(
            "laws of a neuron",
            unusual,
            required=False,
            where=sp.And(d <= 10**20, c >= sp.Rational(1, 30)),
            gives="J",
            chosen_by=most,
        ),
        COIN,
        leg(
            "J by c",
            exponent,
            required=False,
            closed_form=LEAST,
            relation=at_least(),
            where=c >= sp.Rational(1, 1000),
            lhs=r"c_0(J+1)",
            tex=r"\tfrac{17}5+2c_0",
        ),
        WORDS,
        TAIL,
        DENSITY,
        LOSS,
        GAP,
        FACTOR,
        CHOSEN,
        UNION,
        ENTRIES,
        BOTH,
    ],
    rivals=[
        variant("four words", call=unusual, J=4, leg="laws of a neuron"),
        variant("entries up to sqrt(5 log d)", call=unusual, room=5, leg="laws of a neuron"),
        variant(
            "d^-4",
            closed_form=1 / d**4,
            leg="laws of a neuron",
            at={d: [10**6], c: [Fraction(1, 11)]},
        ),
        *rivals_of(COIN, {"without the exponential": "1 - p + p*exp(u) <= 1 + p*u"}),
        *rivals_of(
            WORDS,
            {
                "without the 5": "m*(exp(c*L + log(5)) - 1) - (c*L + log(5))*j <= 1/5 - j*log(5) - c*L*j"
            },
        ),
        *rivals_of(TAIL, {"tau^2 + 1/2": "exp(-tau**2/2)/sqrt(2*pi)*tau/(tau**2 + 1/2) < Q(tau)"}),
        *rivals_of(
            DENSITY,
            {
                "the sign": "exp(-(sqrt((2 + 2*c)*(L - 1/L**5)))**2/2) == exp(-(1 + c)*L)*exp(-(1 + c)/L**5)"
            },
        ),
        *rivals_of(LOSS, {"from 1 on": {"over": ["L in [1, oo)", "c in (0, 1/10)"]}}),
        *rivals_of(GAP, {"8": "(2 + 2*c)*(L - 1/L**5) >= 8"}),
        *rivals_of(FACTOR, {"1/7": "a/(sqrt(2*pi)*sqrt(x)) <= 1/7"}),
        variant("four and more", closed_form=4 + 2 * c, leg="J by c"),
        *rivals_of(CHOSEN, {"one word less": {"over": ["c in (0, 1/10)", "J in [17/(5*c), oo)"]}}),
        *rivals_of(
            UNION,
            {"u from 16/5 on": {"over": [*WIDE, "u in [16/5 + 2*c, oo)", "j in 2..oo"]}},
        ),
        *rivals_of(BOTH, {"of one event": f"exp(-2*log(d)) + exp(-2*log(d)) <= {1 / d**2}"}),
        *rivals_of(
            ENTRIES,
            {
                "9 L": "2*exp((12/5 + 2*c)*L)*exp(-9*L/2)/(sqrt(2*pi)*sqrt(9*L)) <= exp(-2*L)/20",
            },
        ),
    ],
    mutate=False,
)
