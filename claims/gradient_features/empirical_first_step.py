r"""Lemma B.20: sizes of both layers after the first step on a sample.

Setting. The start of `initial_sizes`; one step on n samples with weight decay 1/eta, every slope l'(0) = -s, s <= 1;
q = n^(1/3) >= B_x/sqrt(B_x2); sigma_a = b~/(s eta B_G B_eps), the constant of that Theta being read as 1.

Statements. The mean of |x| over the sample is at most B_x1 + 2 sqrt(B_x2)/q with probability at least 1 - e^-q, as in
`empirical_steps`. (1) |a_i^1| <= eta s (|w_i^0| mean|x| + b~), and |w_i^0| <= sqrt(13 d) sigma_w for all i with
probability at least 1 - 1/(2 m^2): so |a^1|_inf <= 8 (eta s (B_x1 sigma_w sqrt d + b~) + eta sigma_w sqrt(d B_x2)/q).
(2) |w_i^1| <= eta s |a_i^0| mean|x|, and |a_i^0| <= sqrt 8 sigma_a sqrt(log m) with the same probability: so |w_i^1|
<= 6 b~ sqrt(log m)/(B_G B_eps) (B_x1 + sqrt(B_x2)/(s q)). Each with probability at least 1 - 1/(2 m^2) - e^-q, which
is more than 1 - 1/m^2 - O(m e^-q).

Reference: lines 6076-6082.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    probability,
    rivals_of,
    typed,
    variant,
)

from . import concentration as entries
from . import initial_sizes as population
from . import loss_gap
from ._beside import beside
from .initial_sizes import d, m

n = sp.symbols("n", integer=True, positive=True)
LEVEL_OF_STEP = 1 / (2 * m**2) + sp.exp(-sp.cbrt(n))


def drawn_step(ns, rng, size, m, d, n):
    """The step on inputs e_1 (chance 2/3) and 4 e_1, labels 1: B_x1 = 2, B_x2 = 6, s = 1/2, and eta = sigma_w = b~ =
    sigma_a = 1. |a^1| and |w^1| of m neurons with bias 1 and m with -1. Two arrays (size, 2 m)."""
    w, a = rng.normal((size, m, d)), rng.normal((size, m))
    x = ns.where(rng.uniform((size, n)) < ns.rational(1, 3), 4, 1)
    first, second = [], []
    for bias in (1, -1):
        inner = w[:, :, 0][:, :, None] * x[:, None, :] - bias
        active = ns.where(inner > 0, 1, 0)
        second.append(ns.sum(inner * active, axis=2) / (2 * n))
        first.append(ns.abs(a) * ns.sum(active * x[:, None, :], axis=2) / (2 * n))
    return second, first


def second_passed(ns, rng, size, m, d, n, constant=8):
    """Whether some |a_i^1| passes 8 ((2 sqrt d + 1)/2 + sqrt(6 d)/n^(1/3)), for n >= 5. Shape (size,)."""
    second, _ = drawn_step(ns, rng, size, m, d, n)
    q, root = ns.exp(ns.log(ns.asarray(n)) / 3), ns.sqrt(ns.asarray(d))
    bound = ns.asarray(constant) * ((2 * root + 1) / 2 + ns.sqrt(ns.asarray(6)) * root / q)
    over = (ns.max(second[0], axis=1) > bound) | (ns.max(second[1], axis=1) > bound)
    return ns.where(over & (n >= 5), 1, 0)


def second_closer(ns, rng, size, m, d, n):
    return second_passed(ns, rng, size, m, d, n, Fraction(1, 8))


def first_passed(ns, rng, size, m, d, n, constant=6):
    """Whether some |w_i^1| passes 6 sqrt(log m) (2 + 2 sqrt 6/n^(1/3))/2, for n >= 5; b~/(B_G B_eps) = s sigma_a = 1/2.
    Shape (size,)."""
    _, first = drawn_step(ns, rng, size, m, d, n)
    q = ns.exp(ns.log(ns.asarray(n)) / 3)
    scale = ns.asarray(constant) * ns.sqrt(ns.log(ns.asarray(m))) / 2
    bound = scale * (2 + 2 * ns.sqrt(ns.asarray(6)) / q)
    over = (ns.max(first[0], axis=1) > bound) | (ns.max(first[1], axis=1) > bound)
    return ns.where(over & (n >= 5), 1, 0)


def first_closer(ns, rng, size, m, d, n):
    return first_passed(ns, rng, size, m, d, n, Fraction(1, 8))


def eight():
    """The constant of the second layer."""
    return Fraction(8)


def six():
    """The constant of the first layer."""
    return Fraction(6)


EVERY = "init samples i"
LEVEL_TEXT = "q**3*({0}*V/q)**2/(2*(V**2 + V*q*({0}*V/q)/3)) >= q"
MEAN = [
    formula_leg(
        "Bernstein for one value",
        typed("exp(u) - 1 - u <= u**2/(2*(1 - k/3))", over=["k in (0, 3)", "u in (-oo, k]"]),
        over=EVERY,
    ),
    formula_leg("best exponent", entries.BERNSTEIN.simulation, over=EVERY),
    formula_leg(
        "level", typed(LEVEL_TEXT.format("2"), over=["q in (0, oo)", "V in (0, oo)"]), over=EVERY
    ),
]


def mean_rivals():
    """Wrong variants of the three steps."""
    return [
        *rivals_of(MEAN[0], {"1/4": "exp(u) - 1 - u <= u**2/(4*(1 - k/3))"}),
        *rivals_of(
            MEAN[1],
            {
                "without the size": "-(t/(v + M*t/3))*t + (t/(v + M*t/3))**2*v/(2*(1 - (t/(v + M*t/3))*M/3)) "
                "== -t**2/(2*v)"
            },
        ),
        *rivals_of(MEAN[2], {"constant 7/4": LEVEL_TEXT.format("(7/4)")}),
    ]


def of_start(leg, name):
    """A step of `initial_sizes`."""
    return formula_leg(name, leg.simulation, over=EVERY)


THRESHOLD = of_start(population.THRESHOLD, "threshold")
CHANCE = of_start(population.CHANCE, "all first weights")
LOG = of_start(population.LOG, "logarithm of the mean")
BEST = of_start(population.BEST, "exponent")
SIZE = of_start(loss_gap.SIZE, "one neuron")
# z = sigma_w sqrt d, e = sqrt(B_x2)/q, x = mean|x|, u = |w_i|
SECOND_TEXT = "s*(u*x + c) <= {}*(s*(B*z + c) + z*e)"
SECOND = formula_leg(
    "second layer",
    typed(
        SECOND_TEXT.format(8),
        over=[
            "s in [0, 1]",
            "z in [0, oo)",
            "u in [0, sqrt(13)*z]",
            "B in [0, oo)",
            "e in [0, oo)",
            "x in [0, B + 2*e]",
            "c in [0, oo)",
        ],
    ),
    over=EVERY,
    gives="C",
    chosen_by=eight,
)
SHARED = {
    "domain": {m: integers(2), d: integers(1), n: integers(1)},
    "where": sp.log(m) <= d,
    "grid": {"smoke": [{m: 2, d: 1, n: 8}], "standard": [{m: 4, d: 2, n: 12}]},
    "closed_form": LEVEL_OF_STEP,
    "relation": at_most(),
}
SMALL = sp.And(m <= 5, d <= 4, n <= 20)

second = claim(
    "gradfeat-empirical-first-step-second-layer",
    states="gradfeat-init-bounds-empirical",
    title="The second layer after the first step on a sample",
    says=r"$\|a^{(1)}\|_\infty\le8\big(\eta_1|\ell'(0)|(B_{x1}\sigma_w\sqrt d+\tilde b)+\eta_1\sigma_w\sqrt{dB_{x2}}\,"
    r"n^{-1/3}\big)$ with probability at least $1-\frac1{2m^2}-e^{-n^{1/3}}$.",
    covers="gradfeat-init-bounds-empirical/a1",
    reads={"init": "m d", "samples": "n", "i": "m"},
    **SHARED,
    legs=[
        *MEAN,
        THRESHOLD,
        CHANCE,
        LOG,
        BEST,
        SIZE,
        SECOND,
        beside(
            "steps",
            second_passed,
            r"\Pr[\|a^{(1)}\|_\infty>8(\ldots)]",
            r"\tfrac1{2m^2}+e^{-n^{1/3}}",
            statistic=probability(),
            block=8192,
            where=SMALL,
        ),
    ],
    rivals=[
        variant("1/8, run", simulation=second_closer, leg="steps"),
        *mean_rivals(),
        *rivals_of(THRESHOLD, {"12 d": population.TIGHTER}),
        *rivals_of(CHANCE, {"2 log m": "m*exp(-2*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)"}),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(
            BEST,
            {
                "z for 2 z": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + u**2) == -u**2"
            },
        ),
        *rivals_of(SIZE, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(SECOND, {"constant 7": SECOND_TEXT.format(7)}),
    ],
)

TAIL = of_start(population.TAIL, "two-sided tail")
UNION = of_start(population.LEVEL, "all second weights")
SCALE = formula_leg(
    "scale",
    typed(
        "h*s*(sqrt(8)*(b/(s*h*g*f))*l) == sqrt(8)*b*l/(g*f)",
        over=[
            "h in (0, oo)",
            "s in (0, 1]",
            "b in (0, oo)",
            "g in (0, oo)",
            "f in (0, oo)",
            "l in [0, oo)",
        ],
    ),
    over=EVERY,
)
# A = eta s |a_i| B_G B_eps/(b~ sqrt(log m))
FIRST_TEXT = "A*x <= {}*(B + e/s)"
FIRST = formula_leg(
    "first layer",
    typed(
        FIRST_TEXT.format(6),
        over=[
            "A in [0, sqrt(8)]",
            "B in [0, oo)",
            "e in [0, oo)",
            "x in [0, B + 2*e]",
            "s in (0, 1]",
        ],
    ),
    over=EVERY,
    gives="C",
    chosen_by=six,
)

first = claim(
    "gradfeat-empirical-first-step-first-layer",
    states="gradfeat-init-bounds-empirical",
    title="The first layer after the first step on a sample",
    says=r"$\|w_i^{(1)}\|\le6\frac{\tilde b\sqrt{\log m}}{B_GB_\epsilon}\big(B_{x1}+\frac{\sqrt{B_{x2}}}{|\ell'(0)|"
    r"n^{1/3}}\big)$ for all $i$ with probability at least $1-\frac1{2m^2}-e^{-n^{1/3}}$, "
    r"$\sigma_a=\tilde b/(|\ell'(0)|\eta_1B_GB_\epsilon)$.",
    role="reading",
    covers="gradfeat-init-bounds-empirical/w1",
    reads={"init": "m d", "samples": "n", "i": "m"},
    **SHARED,
    legs=[
        *MEAN,
        TAIL,
        UNION,
        SCALE,
        FIRST,
        beside(
            "steps",
            first_passed,
            r"\Pr[\max_i\|w_i^{(1)}\|>6(\ldots)]",
            r"\tfrac1{2m^2}+e^{-n^{1/3}}",
            statistic=probability(),
            block=8192,
            where=SMALL,
        ),
    ],
    rivals=[
        variant("1/8, run", simulation=first_closer, leg="steps"),
        *mean_rivals(),
        *rivals_of(TAIL, {"half of it": "erfc(u) <= exp(-u**2)/2"}),
        *rivals_of(
            UNION, {"sqrt(2 log m)": "m*exp(-sqrt(log(m))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)"}
        ),
        *rivals_of(SCALE, {"without s": "h*(sqrt(8)*(b/(s*h*g*f))*l) == sqrt(8)*b*l/(g*f)"}),
        *rivals_of(FIRST, {"constant 5": FIRST_TEXT.format(5)}),
    ],
)
