r"""Lemmas H.1 and H.2: tails of sums of squares of Gaussians.

Statements. (1) P[sum a_i g_i^2 >= |a|_1 + 2 |a|_2 sqrt t + 2 |a|_inf t] <= e^(-t) for every a >= 0, a != 0, and t > 0.
(2) For g ~ N(0, sigma^2 I_d), P[|g|^2 >= 5 sigma^2 d] <= e^(-d) for every d >= 1. (3) The least multiplier that (2)
allows for every d is the root 4.50524... of c - 1 - log c = 2.

Proofs. By Markov P[S >= x] <= E e^S e^-x, and E e^(s g^2) = (1 - 2 s)^(-1/2) for s < 1/2. (1) The event stays the same
if a is multiplied: take |a|_2 = sqrt t (1 - 2 c), c = |a|_inf < 1/2. Then log E e^(S - |a|_1) <= |a|_2^2/(1 - 2 c),
and what is left of the exponent is -t. (2) at s = 2/5. (3) s = (1 - 1/c)/2 gives e^(-d (c - 1 - log c)/2). For d = 2 n
the tail at c d is e^(-cn) times the sum of (cn)^j/j!, j < n, whose last term alone exceeds e^(-2n) from some n on if c
- 1 - log c < 2.

Reference: Lemmas H.1 and H.2, lines 2288-2300.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    choices,
    claim,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

d, n = sp.symbols("d n", integer=True, positive=True)
t = sp.Symbol("t", positive=True)
shape = sp.Symbol("shape")

SHAPES = ["equal", "halving", "two scales"]


def weights(d, shape):
    """Weights of one of the shapes, the largest first. Length d."""
    least = {"equal": Fraction(1), "halving": Fraction(1, 2), "two scales": Fraction(1, 10)}[shape]
    return [least ** (i if shape == "halving" else int(i > 0)) for i in range(d)]


def exceeds(ns, rng, size, d, t, shape):
    """Whether a weighted sum of squares reaches the threshold. Shape (size,)."""
    a, time = weights(d, shape), ns.asarray(t)
    total = ns.sum(ns.asarray(a) * ns.square(rng.normal((size, d))), axis=1)
    one, two = ns.asarray(sum(a)), ns.sqrt(ns.asarray(sum(x * x for x in a)))
    return ns.where(total >= one + 2 * two * ns.sqrt(time) + 2 * ns.asarray(max(a)) * time, 1, 0)


def tail(ns, n, x):
    """P[|g|^2 >= 2 x] for 2 n coordinates: e^-x times the sum of x^j/j!, j < n. Shape ()."""
    term = total = ns.exp(-x)
    for j in range(1, n):
        term = term * x / j
        total = total + term
    return total


def equal_weights(ns, n, t, second=2, third=2):
    """The tail for 2 n equal weights. Shape ()."""
    time = ns.asarray(t)
    return tail(ns, n, n + second * ns.sqrt(2 * n * time) / 2 + third * time / 2)


EXPONENT = sp.exp(-t)
COORDINATE = formula_leg(
    "one coordinate",
    typed(
        "Integral(exp(s*x**2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 1/sqrt(1 - 2*s)",
        over="s in [0, 1/2)",
    ),
    over="d a t",
)
# a is scaled, c its largest entry
SUM = formula_leg(
    "sum of the logarithms",
    typed(
        "Sum(-log(1 - 2*a[i])/2 - a[i], (i, 1, d)) <= Sum(a[i]**2, (i, 1, d))/(1 - 2*c)",
        over=["d in 1..oo", "c in (0, 1/2)", "a[i] in [0, c] for i in 1..d"],
    ),
    over="t",
)
LEFT = formula_leg(
    "exponent",
    typed(
        f"exp((sqrt(t)*(1 - 2*c))**2/(1 - 2*c) - 2*sqrt(t)*(1 - 2*c)*sqrt(t) - 2*c*t) == {EXPONENT}",
        over=["t > 0", "c in (0, 1/2)"],
    ),
    over="d a",
)

weighted = claim(
    "granularity-chi-squared-weighted",
    lhs=r"\Pr\Big[\sum a_ig_i^2\ge\|a\|_1+2\|a\|_2\sqrt t+2\|a\|_\infty t\Big]",
    tex="e^{-t}",
    states="granularity-chi2-weighted",
    title="Upper tail of a weighted sum of squares",
    says=r"$\Pr[\sum a_ig_i^2\ge\|a\|_1+2\|a\|_2\sqrt t+2\|a\|_\infty t]\le e^{-t}$ for all $a\ge0$, $a\ne0$, "
    r"$t>0$.",
    covers="upper-tail",
    domain={d: integers(1), n: integers(1), t: reals(0, low_open=True), shape: choices(*SHAPES)},
    grid={
        "smoke": [
            {d: 1, n: 1, t: Fraction(1, 2), shape: "equal"},
            {d: 4, n: 1, t: 4, shape: "halving"},
            {d: 3, n: 100, t: 4, shape: "two scales"},
        ],
        "standard": [{d: k, n: 10 * k, t: 1, shape: s} for k in (2, 6) for s in SHAPES],
    },
    closed_form=EXPONENT,
    relation=at_most(),
    legs=[
        leg(
            "drawn", exceeds, statistic=probability(), required=False, where=sp.And(d <= 6, t <= 1)
        ),
        leg("equal weights", equal_weights, required=False, where=sp.And(n <= 200, t <= 100)),
        COORDINATE,
        SUM,
        LEFT,
    ],
    rivals=[
        variant("e^(-8 t)", closed_form=sp.exp(-8 * t), leg="drawn"),
        variant(
            "|a|_2 sqrt t once",
            call=equal_weights,
            second=1,
            leg="equal weights",
            at=[{n: 100, t: 4}],
        ),
        variant(
            "without |a|_inf t", call=equal_weights, third=0, leg="equal weights", at=[{n: 1, t: 4}]
        ),
        *rivals_of(
            COORDINATE,
            {
                "1 - s": "Integral(exp(s*x**2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 1/sqrt(1 - s)",
            },
        ),
        *rivals_of(
            SUM,
            {
                "9/10 of it": "Sum(-log(1 - 2*a[i])/2 - a[i], (i, 1, d)) <= 9*Sum(a[i]**2, (i, 1, d))/(10*(1 - 2*c))",
                "1 - c": "Sum(-log(1 - 2*a[i])/2 - a[i], (i, 1, d)) <= Sum(a[i]**2, (i, 1, d))/(1 - c)",
            },
        ),
        *rivals_of(
            LEFT,
            {
                "|a|_inf t once": f"exp((sqrt(t)*(1 - 2*c))**2/(1 - 2*c) - "
                f"2*sqrt(t)*(1 - 2*c)*sqrt(t) - c*t) <= {EXPONENT}",
            },
        ),
    ],
    mutate=False,
)

ONE = "Integral(exp(2*x**2/(5*sigma**2))*exp(-x**2/(2*sigma**2))/(sigma*sqrt(2*pi)), (x, -oo, oo))"
SIZES = ["d in 1..oo", "sigma in (0, oo)"]

BOUND = formula_leg("d coordinates", typed(f"{ONE}**d*exp(-(2/5)*5*d) < exp(-d)", over=SIZES))
QUARTER = ONE.replace("2*x**2/(5*", "x**2/(4*")

five = claim(
    "granularity-chi-squared-five",
    states="granularity-chi2-5d",
    title="Length of a Gaussian vector",
    says=r"$\Pr[\|g\|^2\ge5\sigma^2d]\le e^{-d}$ for $g\sim N(0,\sigma^2I_d)$ and every $d$.",
    covers="printed",
    legs=[BOUND],
    rivals=rivals_of(
        BOUND,
        {
            "e^(-6d/5)": f"{ONE}**d*exp(-(2/5)*5*d) < exp(-6*d/5)",
            "multiplier 4": f"{ONE}**d*exp(-(2/5)*4*d) < exp(-d)",
            "s = 1/4": f"{QUARTER}**d*exp(-(1/4)*5*d) < exp(-d)",
        },
    ),
)


def above_the_root():
    """A multiplier just above the root."""
    return Fraction(4505242, 1000000)


def even_dimension(ns, n, c=None):
    """The tail at c times 2 n. Shape ()."""
    c = above_the_root() if c is None else Fraction(c)
    return tail(ns, n, n * ns.rational(c.numerator, c.denominator))


TILT = (
    "Integral(exp((1 - 1/c)*x**2/2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo))**d*exp(-(1 - 1/c)*c*d/2)"
)
TILTED = formula_leg(
    "d coordinates",
    typed(f"{TILT} == exp(-d*(c - 1 - log(c))/2)", over=["d in 1..oo", "c in (1, oo)"]),
)
SMALLER = formula_leg(
    "multipliers below", typed("c - 1 - log(c) < 2", over="c in (1, 4505241/1000000]"), over="d"
)
LARGER = formula_leg(
    "multipliers above", typed("c - 1 - log(c) > 2", over="c in [4505242/1000000, oo)"), over="d"
)
TERM = "exp(-c*n)*(c*n)**(n - 1)/factorial(n - 1)"
LAST = formula_leg(
    "the last term",
    typed(f"{TERM} >= exp(-n*(c - 1 - log(c)))/(c*E*sqrt(n))", over=["n in 1..oo", "c in (1, oo)"]),
    over="d",
)
# e is 2 - (c - 1 - log c), and c E < 13 below the root
WINS = formula_leg(
    "from some n on",
    typed("exp(n*e) > 13*sqrt(n)", over=["e in (0, 2]", "n in [30/e**2, oo)"]),
    over="d",
)

sharp = claim(
    "granularity-chi-squared-multiplier",
    lhs=r"\Pr[\|g\|^2\ge2cn]",
    tex="e^{-2n}",
    states="granularity-chi2-5d",
    title="The least multiplier",
    says=r"$\Pr[\|g\|^2\ge cd]\le e^{-d}$ for every $d$ if and only if $c$ is at least the root of $c-1-\log c=2$, "
    r"which is between $4.505241$ and $4.505242$.",
    role="derived",
    covers="sharp-multiplier",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 5, 50]}, "standard": {n: [2, 20, 200]}},
    closed_form=sp.exp(-2 * n),
    relation=at_most(),
    legs=[
        leg("even dimensions", even_dimension, required=False, where=n <= 300),
        TILTED,
        SMALLER,
        LARGER,
        LAST,
        WINS,
    ],
    rivals=[
        variant(
            "4.4", call=even_dimension, c=Fraction(44, 10), leg="even dimensions", at=[{n: 150}]
        ),
        *rivals_of(TILTED, {"1/2 of the logarithm": f"{TILT} == exp(-d*(c - 1 - log(c)/2)/2)"}),
        *rivals_of(SMALLER, {"up to 4.506": {"over": "c in (1, 4506/1000]"}}),
        *rivals_of(LARGER, {"from 4.505 on": {"over": "c in [4505/1000, oo)"}}),
        *rivals_of(LAST, {"without the root": f"{TERM} >= exp(-n*(c - 1 - log(c)))/(c*E)"}),
        *rivals_of(WINS, {"from 1/e on": {"over": ["e in (0, 2]", "n in [1/e, oo)"]}}),
    ],
    mutate=False,
)
