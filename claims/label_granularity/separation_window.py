r"""The window between coarse and fine labels (derived).

Setting. K1 ~ Bin(P, s/P) common patches of a sample; given it, each of the P - K1 others shows the subclass with
chance s/(P - K1), cut at 1: K of them. Given K, Kd ~ Bin(P - K, w/(P - K)) opposite ones, cut at 1. P >= 4 (s + w). A
network with ratio X s/w of opposite to own responses errs iff K <= X s/w Kd (granularity-coarse-hard-error): X = k w
(a - b)/(s (1 - b)) > 1 for coarse and X = g w (a - b)/(s (1 - b)) < 1 for fine detectors, strictly inside the window.

Statement. For every x > 1 and u = (x - 1)/(x + 1) the coarse error at X = x is at least 1 - r, the fine one at X =
1/x at most r, r = 2 e^(-s u^2/3) + 2 e^(-w u^2/3) + 2 e^(-(s + w)), and at larger, resp. smaller X too. With w/s
fixed, r tends to 0.

Proof. Off an event of chance r, |K - s| < u s and |Kd - w| < u w, hence K < (1 + u) s = x (1 - u) s < x s/w Kd, and K
> (1 - u) s = (1 + u) s/x > s/(x w) Kd. Coins of mean m have u m too many, or too few, with a chance of at most e^(-m
u^2/3) each. K is a sum of coins of mean s unless K1 > P - s; E e^K1 <= e^(s (e - 1)), and Markov. Then E e^K <= e^(s
(e - 1)) alike, and Kd is one of mean w unless K > P - w.

Reference: derived from lines 1512-1595 and 2237-2270.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, formula_leg, integers, leg, reals, rivals_of, typed, variant

from ._data import binomial_law, cut, subclass_count_law

P, s, w = sp.symbols("P s w", integer=True, positive=True)
x = sp.Symbol("x", positive=True)


def chance(P, s, w, wrong):
    """Chance of the pairs of counts of a hard sample."""
    return sum(
        (
            p * q
            for K, p in enumerate(subclass_count_law(P, s))
            for Kd, q in enumerate(binomial_law(P - K, cut(w, P - K)))
            if wrong(K, Kd)
        ),
        Fraction(0),
    )


def coarse_right(P, s, w, x):
    """Chance that a coarse network is right. Shape ()."""
    return chance(P, s, w, lambda K, Kd: K * w > x * s * Kd)


def fine_wrong(P, s, w, x):
    """Chance that a fine network is wrong, ties too. Shape ()."""
    return chance(P, s, w, lambda K, Kd: x * K * w <= s * Kd)


U = (x - 1) / (x + 1)


def bound(rate):
    return 2 * sp.exp(-rate * s * U**2) + 2 * sp.exp(-rate * w * U**2) + 2 * sp.exp(-(s + w))


R = bound(sp.Rational(1, 3))
COIN = formula_leg(
    "one patch",
    typed("1 - p + p*exp(h) <= exp(p*(exp(h) - 1))", over=["p in [0, 1]", "h in R"]),
    over="ratio",
)
SIZE = ["m in (0, oo)", "u in [0, 1)"]
UP = formula_leg(
    "too many", typed("exp(m*(u - (1 + u)*log(1 + u))) <= exp(-m*u**2/3)", over=SIZE), over="ratio"
)
DOWN = formula_leg(
    "too few", typed("exp(m*(-u - (1 - u)*log(1 - u))) <= exp(-m*u**2/3)", over=SIZE), over="ratio"
)
ROOM = ["s in (0, oo)", "w in (0, oo)", "P in [4*(s + w), oo)"]
CUT_K = formula_leg(
    "subclass patches cut",
    typed("exp(s*(exp(1) - 1) - P + s) <= exp(-(s + w))", over=ROOM),
    over="ratio",
)
CUT_KD = formula_leg(
    "opposite patches cut",
    typed("exp(s*(exp(1) - 1) - P + w) <= exp(-(s + w))", over=ROOM),
    over="ratio",
)
BETWEEN = formula_leg(
    "u for every ratio",
    typed("(1 + (x - 1)/(x + 1))/(1 - (x - 1)/(x + 1)) == x", over="x in (1, oo)"),
    over="s_star",
)
COUNTS = ["x in (1, oo)", "s in (0, oo)", "w in (0, oo)"]
COARSE = formula_leg(
    "coarse, both near",
    typed("K < x*s/w*J", over=[*COUNTS, "K in [0, 2*x/(x + 1)*s)", "J in (2/(x + 1)*w, oo)"]),
    over="s_star",
)
FINE = formula_leg(
    "fine, both near",
    typed("K > s/(x*w)*J", over=[*COUNTS, "K in (2/(x + 1)*s, oo)", "J in [0, 2*x/(x + 1)*w)"]),
    over="s_star",
)
RATES = ["e in (0, 1]", "m in (0, oo)"]
# w = rho s: what s is multiplied by in the three exponents; 0 at the ends of the window, u = 0
RATES_ABOVE = formula_leg(
    "rates",
    typed(
        "Min(((x - 1)/(x + 1))**2/3, rho*((x - 1)/(x + 1))**2/3, 1 + rho) > 0",
        over=["x in (1, oo)", "rho in (0, oo)"],
    ),
    over="ratio s_star",
)
# m: the least of the three
LIMIT = formula_leg(
    "in proportion",
    typed("6*exp(-m*s) <= e", over=[*RATES, "s in [log(6/e)/m, oo)"]),
    over="ratio s_star",
)

window = claim(
    "granularity-separation-window",
    lhs=r"1-\mathrm{err}_{coarse}",
    tex=r"2e^{-s^*u^2/3}+2e^{-s_\dagger u^2/3}+2e^{-(s^*+s_\dagger)}",
    states="granularity-separation-law",
    title="The window between coarse and fine labels",
    says=r"For every $x>1$, $u=\frac{x-1}{x+1}$, $P\ge4(s^*+s_\dagger)$: with $\frac{ks_\dagger(\alpha^\dagger-\beta)}"
    r"{s^*(1-\beta)}\ge x$ the coarse network is right, and with $g$ in the place of $k$ and $\le\frac1x$ the fine one "
    r"wrong, on hard samples with probability at most $2e^{-s^*u^2/3}+2e^{-s_\dagger u^2/3}+2e^{-(s^*+s_\dagger)}$, "
    r"which tends to 0 as $s^*,s_\dagger\to\infty$ in proportion.",
    role="derived",
    covers="window",
    reads={"ratio": "x", "s_star": "s"},
    domain={P: integers(1), s: integers(1), w: integers(1), x: reals(1, low_open=True)},
    where=4 * (s + w) <= P,
    grid={
        "smoke": [{P: 16, s: 2, w: 2, x: 9}, {P: 40, s: 6, w: 3, x: 4}],
        "standard": [{P: 64, s: 8, w: 8, x: 9}],
    },
    closed_form=R,
    relation=at_most(),
    legs=[
        leg("coarse, exact law", coarse_right, required=False, where=P <= 64),
        leg(
            "fine, exact law", fine_wrong, required=False, where=P <= 64, lhs=r"\mathrm{err}_{fine}"
        ),
        COIN,
        UP,
        DOWN,
        CUT_K,
        CUT_KD,
        BETWEEN,
        COARSE,
        FINE,
        RATES_ABOVE,
        LIMIT,
    ],
    rivals=[
        variant("6 for 1/3, coarse", closed_form=bound(6), leg="coarse, exact law"),
        variant("6 for 1/3, fine", closed_form=bound(6), leg="fine, exact law"),
        *rivals_of(COIN, {"without the exponential": "1 - p + p*exp(h) <= 1 + p*h"}),
        *rivals_of(UP, {"a half": "exp(m*(u - (1 + u)*log(1 + u))) <= exp(-m*u**2/2)"}),
        *rivals_of(DOWN, {"two thirds": "exp(m*(-u - (1 - u)*log(1 - u))) <= exp(-2*m*u**2/3)"}),
        *rivals_of(CUT_K, {"3 (s + w)": {"over": [*ROOM[:2], "P in [3*(s + w), oo)"]}}),
        *rivals_of(CUT_KD, {"2 (s + w)": {"over": [*ROOM[:2], "P in [2*(s + w), oo)"]}}),
        *rivals_of(BETWEEN, {"x^2": "(1 + (x - 1)/(x + 1))/(1 - (x - 1)/(x + 1)) == x**2"}),
        *rivals_of(COARSE, {"twice as much": "2*K < x*s/w*J"}),
        *rivals_of(FINE, {"half as much": "K/2 > s/(x*w)*J"}),
        *rivals_of(
            RATES_ABOVE,
            {"at the ends of the window": {"over": ["x in [1, oo)", "rho in (0, oo)"]}},
        ),
        *rivals_of(LIMIT, {"from half of it on": {"over": [*RATES, "s in [log(6/e)/(2*m), oo)"]}}),
    ],
    mutate=False,
)
