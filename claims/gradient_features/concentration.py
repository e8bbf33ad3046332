r"""Lemmas B.18, B.22 and B.60: how far empirical gradients and losses are from their means.

Setting. n independent samples, weights independent of them, q = n^(1/3).

Statements. (1) For values in an interval of length 2 B, P[|mean - E| >= z] <= 2 e^(-n z^2/(2 B^2)): Hoeffding's
lemma, by convexity from the two-point law, at the best exponent. (2) All d coordinates are within 2 |a| B/q with
probability 1 - 2 e^-q once log d <= q. (3) The loss of a fixed net with |g| <= M is within 2 M/q with probability 1 -
2 e^-q, since |l(y g) - l(0)| <= |g|. (4) Printed: the second layer's gradient is within C |w| sqrt(B_x2)/q. At w = 0
and bias -b~ the right side is 0, and with fair labels and n odd the left is at least b~/n. (5) It is within 3 (|w|
sqrt(B_x2) + b~)/q with probability 1 - 2 e^-q for n >= (B_x/sqrt(B_x2))^3, by Bernstein's inequality with variance 2
V^2 and size V q, V = |w| sqrt(B_x2) + b~.

Reference: lines 6002-6012, 7423-7427.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import gradients, mean_loss

n = sp.symbols("n", integer=True, positive=True)
z = sp.symbols("z", positive=True)
# three equally likely inputs of length 1, and a network: max |x_j| = B_x = B_x2 = 1, max |w| = 1, b~ = 1/4
XS = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(-1), Fraction(0)), (Fraction(0), Fraction(1))]
YS = [1, -1, 1]
NET = (
    [Fraction(1, 2), Fraction(-1, 3)],
    [(Fraction(3, 5), Fraction(4, 5)), (Fraction(-1), Fraction(0))],
    [Fraction(-1, 4), Fraction(1, 4)],
)
START = ([Fraction(2), Fraction(-2)], [XS[0], XS[0]], [Fraction(-1, 4)] * 2)
SIZES = {"smoke": {n: [1, 8]}, "standard": {n: [3, 14]}}


def samples(n):
    """Every sample of n up to its order, as inputs, labels and probability."""
    for i in range(n + 1):
        for j in range(n + 1 - i):
            counts = (i, j, n - i - j)
            ways = factorial(n) // prod(factorial(c) for c in counts)
            xs = [x for x, c in zip(XS, counts, strict=True) for _ in range(c)]
            ys = [y for y, c in zip(YS, counts, strict=True) for _ in range(c)]
            yield xs, ys, Fraction(ways, 3**n)


def exceedance(n, measured, passed):
    """P[passed(|measured on a sample - measured on the law|)], entry by entry of what is measured. Shape ()."""
    true, total = measured(XS, YS), Fraction(0)
    for xs, ys, weight in samples(n):
        found = measured(xs, ys)
        total += weight * passed([abs(p - q) for p, q in zip(found, true, strict=True)])
    return total


def first_gradient(xs, ys):
    """The gradient of the first neuron of a start with output 0, a = 2. Length 2."""
    return gradients(xs, ys, *START)[0][0]


def one_coordinate(n, z):
    """P[the first entry is off by at least |a| z]. Shape ()."""
    return exceedance(n, first_gradient, lambda gaps: gaps[0] >= 2 * Fraction(z))


def all_entries(n, constant=Fraction(2)):
    """P[some entry is off by more than 2 |a|/n^(1/3)]. Shape ()."""
    return exceedance(n, first_gradient, lambda gaps: max(gaps) ** 3 * n > (2 * constant) ** 3)


def all_entries_closer(n):
    return all_entries(n, Fraction(1, 8))


def loss_off(n, constant=Fraction(2)):
    """P[the loss is off by more than 2 M/n^(1/3)], M = 2 (1/2) (1 + 1/4). Shape ()."""
    bound = constant * Fraction(5, 4)
    return exceedance(
        n, lambda xs, ys: [mean_loss(xs, ys, *NET)], lambda gaps: gaps[0] ** 3 * n > bound**3
    )


def loss_closer(n):
    return loss_off(n, Fraction(1, 50))


def second_off(n, constant=Fraction(3)):
    """P[dL/da_1 is off by more than 3 (1 + 1/4)/n^(1/3)]. Shape ()."""
    bound = constant * Fraction(5, 4)
    return exceedance(
        n, lambda xs, ys: gradients(xs, ys, *NET)[1][:1], lambda gaps: gaps[0] ** 3 * n > bound**3
    )


def second_closer(n):
    return second_off(n, Fraction(1, 10))


TWO_SIDED = 2 * sp.exp(-n * z**2 / 2)
FAST = 2 * sp.exp(-sp.cbrt(n))


def all_samples(program, lhs, tex):
    return beside("all samples", program, lhs, tex, where=n <= 14)


def level(legs, program, lhs):
    """What the claims at the level 2 exp(-n^(1/3)) share."""
    return {
        "domain": {n: integers(1)},
        "grid": SIZES,
        "closed_form": FAST,
        "relation": at_most(),
        "legs": [*legs, all_samples(program, lhs, "2e^{-n^{1/3}}")],
    }


# x in [0, 1] stands for a value in an interval of length 2 B, p for its mean
HULL = typed("exp(s*x) <= (1 - x) + x*exp(s)", over=["x in [0, 1]", "s in R"])
TWO_POINTS = typed("log(1 - p + p*exp(s)) <= p*s + s**2/8", over=["p in [0, 1]", "s in R"])
# for the sum of n values in units of 2 B, deviation t = z/(2 B) of the mean
BEST = typed(
    "-n*(4*t)*t + n*(4*t)**2/8 == -2*n*t**2 and -2*n*(z/(2*B))**2 == -n*z**2/(2*B**2)",
    over=["n in 1..oo", "t in [0, oo)", "z in [0, oo)", "B in (0, oo)"],
)
HULL_RIVALS = {"outside of the interval": {"over": ["x in [0, 2]", "s in R"]}}
TWO_POINT_RIVALS = {"s^2/9": "log(1 - p + p*exp(s)) <= p*s + s**2/9"}


def hoeffding(over: str):
    """The three steps, for all of these names."""
    return [
        formula_leg("convexity", HULL, over=over),
        formula_leg("two points", TWO_POINTS, over=over),
        formula_leg("best exponent", BEST, over=over),
    ]


def hoeffding_rivals():
    """Wrong variants of the three steps."""
    return [
        *rivals_of(formula_leg("convexity", HULL), HULL_RIVALS),
        *rivals_of(formula_leg("two points", TWO_POINTS), TWO_POINT_RIVALS),
        *rivals_of(
            formula_leg("best exponent", BEST),
            {
                "twice the exponent": "-n*(4*t)*t + n*(4*t)**2/8 == -4*n*t**2 and -2*n*(z/(2*B))**2 == -n*z**2/(2*B**2)"
            },
        ),
    ]


single = claim(
    "gradfeat-coordinate-tail",
    states="gradfeat-coordinate-concentration",
    title="One coordinate of the gradient",
    says=r"$\Pr[|\hat g_j-g_j|\ge|a|z]\le2e^{-nz^2/(2B_{x\infty}^2)}$ for every $z>0$ and $n$.",
    covers="single-tail",
    domain={n: integers(1), z: reals(0, low_open=True)},
    grid={
        "smoke": [{n: 1, z: Fraction(1, 20)}, {n: 6, z: Fraction(1, 2)}],
        "standard": [{n: 10, z: Fraction(1, 3)}],
    },
    closed_form=TWO_SIDED,
    relation=at_most(),
    legs=[
        *hoeffding("z n Z"),
        all_samples(one_coordinate, r"\Pr[|\hat g_j-g_j|\ge|a|z]", r"2e^{-nz^2/(2B_{x\infty}^2)}"),
    ],
    rivals=[
        *hoeffding_rivals(),
        variant(
            "without 2",
            closed_form=TWO_SIDED / 2,
            leg="all samples",
            at=[{n: 1, z: Fraction(1, 20)}],
        ),
    ],
)


def two():
    """The constant of the deviation and of the probability."""
    return Fraction(2)


ALL_COORDINATES = formula_leg(
    "union over coordinates",
    typed(
        "2*d*exp(-q**3*(2*B/q)**2/(2*B**2)) <= 2*exp(-q)",
        over=["d in 1..oo", "q in (0, oo)", "B in (0, oo)"],
        where="log(d) <= q",
    ),
    over="i Z j",
    gives="C C_prime",
    chosen_by=two,
)
# n >= (log d)^6 is q >= (log d)^2, which is at least log d from d = 3 on; for d <= 2 n >= 1 gives q >= 1 > log d
LARGE = formula_leg("sample size", typed("L <= Max(1, L**2)", over="L in [0, oo)"), over="i Z j")

every = claim(
    "gradfeat-coordinates-concentrate",
    states="gradfeat-coordinate-concentration",
    title="All coordinates of the gradient",
    says=r"All $d$ coordinates are within $2|a|B_{x\infty}/n^{1/3}$ with probability at least $1-2e^{-n^{1/3}}$ "
    r"for $n\ge(\log d)^6$.",
    covers="all-coordinates",
    **level(
        [*hoeffding("i Z j"), ALL_COORDINATES, LARGE],
        all_entries,
        r"\Pr[\max_j|\hat g_j-g_j|>2|a|B_{x\infty}n^{-1/3}]",
    ),
    rivals=[
        variant("1/8, run", simulation=all_entries_closer, leg="all samples"),
        *hoeffding_rivals(),
        *rivals_of(
            ALL_COORDINATES,
            {
                "constant 1": "2*d*exp(-q**3*(B/q)**2/(2*B**2)) <= 2*exp(-q)",
                "any d": {"where": "log(d) <= 2*q"},
            },
        ),
        *rivals_of(LARGE, {"any sample": "L <= 1"}),
    ],
)

ANY_NET = "net Z"
# v = l(z), l(0) = 1
LIPSCHITZ = formula_leg(
    "range of the loss",
    typed(
        "1 - M <= v <= 1 + M",
        over=["v in R", "z in R", "M in [0, oo)"],
        where=["abs(v - 1) <= abs(z)", "abs(z) <= M"],
    ),
    over=ANY_NET,
)
LOSS = formula_leg(
    "level",
    typed("2*exp(-q**3*(2*M/q)**2/(2*M**2)) <= 2*exp(-q)", over=["q in (0, oo)", "M in (0, oo)"]),
    over=ANY_NET,
    gives="C",
    chosen_by=two,
)

loss = claim(
    "gradfeat-loss-concentrates",
    states="gradfeat-gradient-concentration",
    title="The loss of a fixed network",
    says=r"$|\hat L-L|\le2|a|_0|a|_\infty(\max\|w\|B_x+\tilde b)/n^{1/3}$ with probability at least $1-2e^{-n^{1/3}}$.",
    covers="loss",
    **level(
        [*hoeffding(ANY_NET), LIPSCHITZ, LOSS],
        loss_off,
        r"\Pr[|\hat L-L|>2|a|_0|a|_\infty(\max\|w\|B_x+\tilde b)n^{-1/3}]",
    ),
    rivals=[
        variant("1/50, run", simulation=loss_closer, leg="all samples"),
        *hoeffding_rivals(),
        *rivals_of(LIPSCHITZ, {"half of it": "1 - M/2 <= v <= 1 + M/2"}),
        *rivals_of(LOSS, {"constant 1": "2*exp(-q**3*(M/q)**2/(2*M**2)) <= 2*exp(-q)"}),
    ],
)

printed = formula(
    "gradfeat-second-gradient-printed",
    states="gradfeat-gradient-concentration",
    title="The second layer's gradient, as printed",
    expect="fail",
    covers="a-gradient-printed",
    reads={"i": "w", "Z": "n"},
    says="b/n <= C*w*sqrt(B2)*n**(-1/3)",
    over=["C in (0, oo)", "w in {0}", "b in (0, oo)", "B2 in (0, oo)", "n in 1..oo"],
)


def three():
    """The constant of the deviation."""
    return Fraction(3)


ONE_NEURON = "i Z"
# u = s x with x <= M: the second-order remainder of the exponential, m = s M < 3
REMAINDER = formula_leg(
    "Bernstein for one value",
    typed("exp(u) - 1 - u <= u**2/(2*(1 - m/3))", over=["m in (0, 3)", "u in (-oo, m]"]),
    over=ONE_NEURON,
)
BERNSTEIN = formula_leg(
    "best exponent",
    typed(
        "-(t/(v + M*t/3))*t + (t/(v + M*t/3))**2*v/(2*(1 - (t/(v + M*t/3))*M/3)) == -t**2/(2*(v + M*t/3))",
        over=["t in (0, oo)", "v in (0, oo)", "M in (0, oo)"],
    ),
    over=ONE_NEURON,
)
# v <= 2 V^2, M <= V q, t = 3 V/q, n = q^3
LEVEL = formula_leg(
    "level",
    typed(
        "q**3*(3*V/q)**2/(2*(2*V**2 + V*q*(3*V/q)/3)) >= q", over=["q in (0, oo)", "V in (0, oo)"]
    ),
    over=ONE_NEURON,
    gives="C",
    chosen_by=three,
)
VARIANCE = formula_leg(
    "variance and size",
    typed(
        "(w*X + b)**2 <= 2*w**2*X**2 + 2*b**2 and w**2*S**2 + b**2 <= (w*S + b)**2",
        over=["w in [0, oo)", "X in [0, oo)", "b in [0, oo)", "S in [0, oo)"],
    ),
    over=ONE_NEURON,
)

corrected = claim(
    "gradfeat-second-gradient-concentrates",
    states="gradfeat-gradient-concentration",
    title="The second layer's gradient",
    says=r"It is within $3(\|w\|\sqrt{B_{x2}}+\tilde b)/n^{1/3}$ of its mean with probability at least "
    r"$1-2e^{-n^{1/3}}$ for $n\ge("
    r"B_x/\sqrt{B_{x2}})^3$.",
    role="corrected",
    corrects="gradfeat-second-gradient-printed",
    covers="a-gradient-corrected",
    **level(
        [REMAINDER, BERNSTEIN, LEVEL, VARIANCE],
        second_off,
        r"\Pr[|\partial_a\hat L-\partial_aL|>3(\|w\|\sqrt{B_{x2}}+\tilde b)n^{-1/3}]",
    ),
    rivals=[
        variant("1/10, run", simulation=second_closer, leg="all samples"),
        *rivals_of(REMAINDER, {"1/4": "exp(u) - 1 - u <= u**2/(4*(1 - m/3))"}),
        *rivals_of(
            BERNSTEIN,
            {
                "without the size": "-(t/(v + M*t/3))*t + (t/(v + M*t/3))**2*v/(2*(1 - (t/(v + M*t/3))*M/3)) == "
                "-t**2/(2*v)",
            },
        ),
        *rivals_of(LEVEL, {"constant 2": "q**3*(2*V/q)**2/(2*(2*V**2 + V*q*(2*V/q)/3)) >= q"}),
        *rivals_of(
            VARIANCE,
            {"once": "(w*X + b)**2 <= w**2*X**2 + b**2 and w**2*S**2 + b**2 <= (w*S + b)**2"},
        ),
    ],
)
