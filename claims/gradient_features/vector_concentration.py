r"""Theorem 3.12 and Lemma B.18: how far the gradient of a neuron is from its mean, as a vector.

Setting. n independent samples, q = n^(1/3) > B_x/sqrt(B_x2), |x| <= B_x, E|x|^2 <= B_x2, |l'| <= 1. X_i is the summand
of sample i less its mean: independent, E X = 0, |X| <= M = 2 |a| B_x, E|X|^2 <= v = a^2 B_x2; S_n their sum.

Statements. (1) cosh|s + x| <= cosh|s| + sinh|s| <s, x>/|s| + cosh|s| (e^|x| - 1 - |x|): the left side is convex in
the angle's cosine, as cosh(sqrt(u)) is in u, the right side linear, and at cosine +-1 they differ by (cosh|s| -+
sinh|s|)(sinh|x| - |x|) >= 0. So E cosh(h |S_n|) <= (1 + E[e^(h|X|) - 1 - h|X|])^n <= exp(n h^2 v/(2 (1 - h M/3))), and
P[|S_n| >= n t] <= 2 exp(-n t^2/(2 (v + M t/3))). At t = (9/4) |a| sqrt(B_x2)/q that is at most 2 e^-q, for weights
fixed before the sample: for G (a = 1) and for the gradient of one neuron. (2) Printed: for all 4 m neurons at once,
m <= e^d, with the same probability. Let x = (s, e_j), s a fair sign, j uniform on N, y = 1, and let all 2^N weights
(0, +-1, ..., +-1) be there: where the j of a sample differ, the neurons that are active on its s = 1 alone, or on its
s = -1 alone, are off by 1/2 in the first entry. At N = n^2 that has probability 1/2, above every C' e^-q.

Reference: lines 907-915, 6002-6012, 6132-6183.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import factorial, prod

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from . import concentration as entries
from ._network import dot, four_groups, gradients, simplified

n, N = sp.symbols("n N", integer=True, positive=True)


def nine_quarters():
    """The constant of the deviation."""
    return Fraction(9, 4)


def a_law(rng):
    """Two inputs in the plane, one of them rarer, with labels, a weight and a bias."""
    rare = Fraction(1, int(rng.integers(2, 7)))
    return {
        "xs": [[v + Fraction(i, 7) for v in rng.rational((2,), 3)] for i in (1, 2)],
        "ys": [int(v) for v in rng.signs((2,))],
        "mass": [rare, 1 - rare],
        "w": rng.rational((2,), 3),
        "b": rng.rational((), 2),
    }


def opposite(rng):
    """One input, both labels equally likely."""
    return {
        "xs": [[3, 4], [3, 4]],
        "ys": [1, -1],
        "mass": [Fraction(1, 2)] * 2,
        "w": [1, 0],
        "b": 0,
    }


def sums(xs, ys, mass, n):
    """How often each example comes, with the probability."""
    for first in range(n + 1):
        counts = (first, n - first)
        ways = factorial(n) // prod(factorial(c) for c in counts)
        yield (
            counts,
            ways * prod((p**c for p, c in zip(mass, counts, strict=True)), start=Fraction(1)),
        )


def long_enough(xs, mass, n):
    """n > (B_x/sqrt(B_x2))^3, in sixth powers of lengths."""
    squares = [dot(x, x) for x in xs]
    mean = sum((p * s for p, s in zip(mass, squares, strict=True)), Fraction(0))
    return n**2 * mean**3 > max(squares) ** 3, mean


def far(squared, n, bound):
    """Whether a distance is above sqrt(bound)/n^(1/3), from its square."""
    return squared**3 * n**2 > bound**3


def off(xs, ys, mass, w, b, n, constant=None):
    """P[|G_n - G| > (9/4) sqrt(B_x2)/n^(1/3)] over all samples, 0 for short ones. Shape ()."""
    constant = nine_quarters() if constant is None else constant
    enough, mean = long_enough(xs, mass, n)
    parts = [simplified([x], [y], w, b) for x, y in zip(xs, ys, strict=True)]
    total = Fraction(0)
    for counts, chance in sums(xs, ys, mass, n):
        shares = [Fraction(c, n) - p for c, p in zip(counts, mass, strict=True)]
        gap = [sum(s * g[j] for s, g in zip(shares, parts, strict=True)) for j in range(2)]
        total += chance * far(dot(gap, gap), n, constant**2 * mean)
    return total if enough else Fraction(0)


def off_by_a_fifth(xs, ys, mass, w, b, n):
    return off(xs, ys, mass, w, b, n, Fraction(1, 5))


def neuron_off(xs, ys, mass, w, b, n, constant=None):
    """The same for the gradient of a neuron with a = 2 at a start with output 0. Shape ()."""
    constant = nine_quarters() if constant is None else constant
    enough, mean = long_enough(xs, mass, n)
    start = [Fraction(2), Fraction(-2)], [w, w], [b, b]
    parts = [gradients([x], [y], *start)[0][0] for x, y in zip(xs, ys, strict=True)]
    total = Fraction(0)
    for counts, chance in sums(xs, ys, mass, n):
        shares = [Fraction(c, n) - p for c, p in zip(counts, mass, strict=True)]
        gap = [sum(s * g[j] for s, g in zip(shares, parts, strict=True)) for j in range(2)]
        total += chance * far(dot(gap, gap), n, 4 * constant**2 * mean)
    return total if enough else Fraction(0)


def neuron_off_by_a_fifth(xs, ys, mass, w, b, n):
    return neuron_off(xs, ys, mass, w, b, n, Fraction(1, 5))


CONVEX = typed("v*cosh(v) >= sinh(v)", over="v in [0, oo)")
# at cosine 1 and -1, r = |x|
ENDS = typed(
    "cosh(s) + r*sinh(s) + cosh(s)*(exp(r) - 1 - r) - cosh(s + r) == exp(-s)*(sinh(r) - r) and "
    "cosh(s) - r*sinh(s) + cosh(s)*(exp(r) - 1 - r) - cosh(s - r) == exp(s)*(sinh(r) - r)",
    over=["s in [0, oo)", "r in [0, oo)"],
)
REST = typed("sinh(r) >= r", over="r in [0, oo)")
# for the probability: 1/cosh(h n t) <= 2 exp(-h n t)
MARKOV = typed("1/cosh(v) <= 2*exp(-v)", over="v in [0, oo)")
# V = |a| sqrt(B_x2), v = V^2, M <= 2 V q, t = C V/q, n = q^3
LEVEL = "q**3*({0}*V/q)**2/(2*(V**2 + 2*V*q*({0}*V/q)/3)) >= q"


def steps(names):
    """The steps of the bound, for all of these names."""
    return [
        formula_leg("second derivative", CONVEX, over=names),
        formula_leg("one summand", ENDS, over=names),
        formula_leg("its rest", REST, over=names),
        formula_leg("Markov", MARKOV, over=names, gives="C_prime", chosen_by=entries.two),
        formula_leg("exponential moments", entries.REMAINDER.simulation, over=names),
        formula_leg("best exponent", entries.BERNSTEIN.simulation, over=names),
        formula_leg(
            "level",
            typed(LEVEL.format("(9/4)"), over=["q in (0, oo)", "V in (0, oo)"]),
            over=names,
            gives="C",
            chosen_by=nine_quarters,
        ),
    ]


def wrong_steps(names):
    """Wrong variants of them."""
    legs = {x.name: x for x in steps(names)}
    return [
        *rivals_of(legs["second derivative"], {"twice": "v*cosh(v) >= 2*sinh(v)"}),
        *rivals_of(
            legs["one summand"],
            {
                "the remainder once": "cosh(s) + r*sinh(s) + exp(r) - 1 - r - cosh(s + r) == exp(-s)*(sinh(r) - r)"
            },
        ),
        *rivals_of(legs["its rest"], {"2 r": "sinh(r) >= 2*r"}),
        *rivals_of(legs["Markov"], {"without 2": "1/cosh(v) <= exp(-v)"}),
        *rivals_of(legs["exponential moments"], {"1/4": "exp(u) - 1 - u <= u**2/(4*(1 - m/3))"}),
        *rivals_of(legs["level"], {"constant 2": LEVEL.format("2")}),
    ]


FIELDS = "xs ys mass w b"
LAWS = instances(a_law, FIELDS, smoke=4, standard=8)
FAIR = instances(opposite, FIELDS, smoke=1)
SIZES = {"smoke": {n: [2, 30]}, "standard": {n: [60]}}
FAST = 2 * sp.exp(-sp.cbrt(n))


def concentrates(program, wrong, names, lhs, **options):
    """What both claims share."""
    run = leg(
        "all samples",
        program,
        instances=LAWS,
        unit=1,
        where=n <= 600,
        lhs=lhs,
        tex="2e^{-n^{1/3}}",
        required=False,
    )
    return {
        "domain": {n: integers(1)},
        "grid": SIZES,
        "closed_form": FAST,
        "relation": at_most(),
        "legs": [*steps(names), run],
        "rivals": [
            variant(
                "constant 1/5, run",
                simulation=wrong,
                leg="all samples",
                at=[{n: 300}],
                instances=FAIR,
            ),
            *wrong_steps(names),
        ],
        **options,
    }


rate = claim(
    "gradfeat-first-gradient-rate",
    states="gradfeat-main-theorem",
    title="The empirical simplified gradient",
    says=r"$\|\tilde G(w,b)-G(w,b)\|\le\frac94\sqrt{B_{x2}}\,n^{-1/3}$ with probability at least $1-2e^{-n^{1/3}}$, "
    r"for every law, every $w$ and $b$ fixed before the sample and every $n>(B_x/\sqrt{B_{x2}})^3$.",
    covers="first-gradient-rate",
    **concentrates(
        off, off_by_a_fifth, "Z w b", r"\Pr\big[\|\tilde G-G\|>\tfrac94\sqrt{B_{x2}}n^{-1/3}\big]"
    ),
)

one = claim(
    "gradfeat-first-layer-gradient-concentrates",
    states="gradfeat-gradient-concentration",
    title="The gradient of one neuron",
    says=r"$\|\partial_{w_i}\hat L-\partial_{w_i}L\|\le\frac94|a_i|\sqrt{B_{x2}}\,n^{-1/3}$ with probability at least "
    r"$1-2e^{-n^{1/3}}$, for one neuron and every $n>(B_x/\sqrt{B_{x2}})^3$.",
    covers="w-gradient-one",
    **concentrates(
        neuron_off,
        neuron_off_by_a_fifth,
        "Z i",
        r"\Pr\big[\|\partial_{w_i}\hat L-\partial_{w_i}L\|>\tfrac94|a_i|\sqrt{B_{x2}}n^{-1/3}\big]",
    ),
)


# ---- all neurons at once


def everyone(N):
    """A start with output 0 whose weights are all (0, +-1, ..., +-1): a, w, b."""
    weights = [
        [Fraction(0), *map(Fraction, signs)] for signs in itertools.product((1, -1), repeat=N)
    ]
    return four_groups([Fraction(1)] * len(weights), weights, [Fraction(0)] * len(weights))


def some_off(n, N, level=Fraction(1, 2), alone=False):
    """P[some neuron's gradient has a first entry off by at least |a|/2], over all samples of n inputs (s, e_j) with
    labels 1. Shape ()."""
    inputs = [
        [Fraction(s), *(Fraction(i == j) for i in range(N))] for s in (1, -1) for j in range(N)
    ]
    a, w, b = everyone(N)
    if alone:
        a, w, b = [a[0], -a[0]], [w[0], w[0]], b[:2]
    mean, _ = gradients(inputs, [1] * len(inputs), a, w, b)
    worst = 0
    for sample in itertools.product(inputs, repeat=n):
        found, _ = gradients(sample, [1] * n, a, w, b)
        worst += any(abs(u[0] - v[0]) >= level for u, v in zip(found, mean, strict=True))
    return Fraction(worst, len(inputs) ** n)


DISTINCT = 1 - n * (n - 1) / (2 * N)
q = sp.Symbol("q", positive=True)
# n = q^3, N = n^2
HALF = sp.sstr(DISTINCT.subs({n: q**3, N: q**6}))
CONSTANTS = ["C in (0, oo)", "C_prime in (0, oo)", "q in [3*C + 2, oo)"]
BEYOND = "q > log(2*C_prime)"

printed = claim(
    "gradfeat-all-neurons-printed",
    states="gradfeat-gradient-concentration",
    title="All neurons at once, as printed",
    says=r"For some $C$ and $C'$ all $4m$ neurons, $m\le e^d$, are within $C|a_i|\sqrt{B_{x2}}\,n^{-1/3}$ with "
    r"probability at least $1-C'e^{-n^{1/3}}$. On the law above it is at most $\frac{n(n-1)}{2n^2}$ once $C\sqrt2"
    r"\,n^{-1/3}<\frac12$.",
    expect="fail",
    covers="w-gradient-all",
    legs=[
        formula_leg(
            "more than a half",
            typed(f"1 - ({HALF}) >= 1 - C_prime*exp(-q)", over=CONSTANTS, where=BEYOND),
            over="m Z i",
        )
    ],
)

ABOVE = formula_leg(
    "more than any exponential",
    typed(
        f"{HALF} > C_prime*exp(-q)",
        over=["C_prime in (0, oo)", "q in [2, oo)"],
        where="C_prime*exp(-q) < 1/2",
    ),
)

together = claim(
    "gradfeat-all-neurons-off",
    lhs=r"\Pr\big[\max_i|(\partial_{w_i}\hat L-\partial_{w_i}L)_1|\ge\tfrac12|a_i|\big]",
    tex=r"1-\frac{n(n-1)}{2N}",
    states="gradfeat-gradient-concentration",
    title="Some of exponentially many neurons is off",
    says=r"With all $2^N$ weights some neuron is off by $\frac12|a_i|$ with probability at least $1-\frac{n(n-1)}{2N}$;"
    r" at $N=n^2$ that is above $C'e^{-n^{1/3}}$ for every $C'$ and large $n$.",
    role="derived",
    corrects="gradfeat-all-neurons-printed",
    encodes="part",
    domain={n: integers(1), N: integers(1)},
    grid={"smoke": [{n: 1, N: 2}, {n: 2, N: 3}], "standard": [{n: 3, N: 2}, {n: 2, N: 4}]},
    closed_form=DISTINCT,
    relation=at_least(),
    legs=[leg("all samples", some_off, unit=1, where=n * N <= 8), ABOVE],
    rivals=[
        variant("always", closed_form=sp.Integer(1) + 0 * n, leg="all samples"),
        variant("3/4", call=some_off, level=Fraction(3, 4), leg="all samples"),
        variant("one neuron", call=some_off, alone=True, leg="all samples"),
        *rivals_of(ABOVE, {"at every size": {"where": []}}),
    ],
)
