r"""Theorem 3.4 = Theorem B.2: gradient descent on the second layer over frozen features.

Setting. f convex and L-smooth, a_(t+1) = a_t - eta grad f(a_t), 0 < eta <= 1/L. For one step write g = grad f(a_t), G
= |g|^2, u = <g, a_t - a*>, D = |a_t - a*|^2 and D' the same after the step, D' = D - 2 eta u + eta^2 G.

Statements. (1) f(a_(t+1)) <= f(a_t) - eta (1 - L eta/2) G by smoothness and f(a_t) - f* <= u by convexity give
f(a_(t+1)) - f* <= (D - D')/(2 eta), which telescopes: the mean over the T iterates after the first is within |a_1 -
a*|^2/(2 eta T) of any comparator. (2) Printed in the main text: the same with steps 1/t. False: f(a) = L a^2/2 with L
= 20, a_1 = 1 moves to 1 - 20/2, and no iterate up to T = 3 is below the bound. (3) The hinge loss is not smooth: its
slope jumps, so no L serves.

Reference: lines 841-853, 5559-5600. The appendix has 1/L; its sum begins one step early.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import unit

T, n = sp.symbols("T n", integer=True, positive=True)
L, eta, s = sp.symbols("L eta s", positive=True)

STEP = formula_leg(
    "one step",
    typed(
        "F1 - Fs <= (D - (D - 2*eta*u + eta**2*G))/(2*eta)",
        over=[
            "L in (0, oo)",
            "eta in (0, 1/L]",
            "G in [0, oo)",
            "D in [0, oo)",
            "u in R",
            "F0 in R",
            "Fs in R",
            "F1 in R",
        ],
        where=["F1 <= F0 - eta*(1 - L*eta/2)*G", "F0 - Fs <= u"],
    ),
)
# F_t = f(a_(t+1)) - f(a*), s = |a_1 - a*|
AFTER_FIRST = s**2 / (2 * eta)
SUM = formula_leg(
    "telescoped",
    typed(
        "Sum(F[t], (t, 1, T)) <= (D[1] - D[T+1])/(2*eta)",
        over=["eta in (0, oo)", "T in 1..oo", "F[t], D[t] in R for t in 1..oo"],
        where="D[t+1] <= D[t] - 2*eta*F[t] for t in 1..oo",
    ),
)
START = formula_leg(
    "from the start on",
    typed(
        f"(s**2 - D)/(2*eta) <= {AFTER_FIRST}",
        over=["eta in (0, oo)", "s in (0, oo)", "D in [0, oo)"],
    ),
)


def mean_after_first(L, eta, T, start, star):
    """Sum of f(a_t) - f(a*) over the T iterates after the first, for f = sum_i L (a_i - 1)^2/(2 i). Shape ()."""
    curvature = [Fraction(L) / i for i in range(1, len(start) + 1)]
    a, total = list(start), Fraction(0)
    for _ in range(T):
        a = [x - Fraction(eta) * c * (x - 1) for x, c in zip(a, curvature, strict=True)]
        total += quadratic(a, curvature) - quadratic(star, curvature)
    return total


def quadratic(a, curvature):
    return sum(c * (x - 1) ** 2 / 2 for x, c in zip(a, curvature, strict=True))


def mean_with_first(L, eta, T, start, star):
    """The same with the start in the sum and without the last iterate."""
    curvature = [Fraction(L) / i for i in range(1, len(start) + 1)]
    a, total = list(start), Fraction(0)
    for _ in range(T):
        total += quadratic(a, curvature) - quadratic(star, curvature)
        a = [x - Fraction(eta) * c * (x - 1) for x, c in zip(a, curvature, strict=True)]
    return total


def start_and_comparator(rng, n, s):
    """A comparator, and a start at the distance s from it in any direction."""
    star = rng.rational((n,), 5)
    return {"start": moved(star, s, unit(rng, n)), "star": star}


def far_start(rng, n, s):
    """A start far from the minimiser and a comparator beside it."""
    first = [Fraction(1), *[Fraction(0)] * (n - 1)]
    return {"start": moved([Fraction(29)] * n, s, first), "star": [Fraction(29)] * n}


def at_the_minimum(rng, n, s):
    """The comparator is the minimiser."""
    return {"start": moved([Fraction(1)] * n, s, unit(rng, n)), "star": [Fraction(1)] * n}


def moved(point, far, direction):
    return [x + Fraction(far) * v for x, v in zip(point, direction, strict=True)]


optimisation = claim(
    "gradfeat-frozen-optimisation",
    lhs=r"\sum_{t=2}^{T+1}(f(a_t)-f(a^*))",
    tex=r"\frac{\|a_1-a^*\|^2}{2\eta}",
    states="gradfeat-frozen-first-layer",
    title="Gradient descent on the second layer",
    says=r"$\frac1T\sum_{t=2}^{T+1}f(a_t)-f(a^*)\le\frac{\|a_1-a^*\|^2}{2\eta T}$ for every convex $L$-smooth "
    r"$f$, every "
    r"$\eta\le1/L$ and every $a^*$.",
    covers="optimisation-part",
    reads={"f": "F0 F1 G u", "a_star": "Fs D"},
    domain={
        T: integers(1),
        n: integers(1),
        L: reals(0, low_open=True),
        eta: reals(0, low_open=True),
        s: reals(0, low_open=True),
    },
    where=sp.And(L * eta <= 1, T <= 40, n <= 8),
    grid={
        "smoke": [
            {T: 3, n: 2, L: 4, eta: Fraction(1, 4), s: 2},
            {T: 1, n: 1, L: 1, eta: Fraction(1, 3), s: 1},
        ],
        "standard": [{T: t, n: 3, L: 5, eta: Fraction(1, 5), s: 3} for t in (1, 2, 8, 20)],
    },
    closed_form=AFTER_FIRST,
    relation=at_most(),
    legs=[
        leg(
            "quadratics",
            mean_after_first,
            unit=1,
            required=False,
            instances=instances(start_and_comparator, "start star", smoke=4, standard=8),
        ),
        # a parabola with small steps: more than a quarter of the bound is reached
        leg(
            "slow descent",
            mean_after_first,
            unit=1,
            required=False,
            grid={"smoke": [{T: 8, n: 1, L: 1, eta: Fraction(1, 16), s: 1}]},
            instances=instances(at_the_minimum, "start star", smoke=1),
        ),
        # what the sum from the start on would miss
        leg(
            "far comparator",
            mean_after_first,
            unit=1,
            required=False,
            instances=instances(far_start, "start star", smoke=1),
        ),
        STEP,
        SUM,
        START,
    ],
    mutate=False,
    rivals=[
        variant(
            "from the start on",
            simulation=mean_with_first,
            leg="far comparator",
        ),
        variant("a fifth of it", closed_form=s**2 / (10 * eta), leg="slow descent"),
        *rivals_of(START, {"half of the bound": f"(s**2 - D)/(2*eta) <= {AFTER_FIRST / 2}"}),
        *rivals_of(
            STEP,
            {
                "not convex": {"where": "F1 <= F0 - eta*(1 - L*eta/2)*G"},
            },
        ),
        *rivals_of(SUM, {"half of it": "Sum(F[t], (t, 1, T)) <= (D[1] - D[T+1])/(4*eta)"}),
    ],
)


def best_gap(L, T):
    """min over t in 1..T of f(a_t) - f(0), less |a_1|^2 L/(2 (T - 1)), for f = L a^2/2, a_1 = 1 and steps 1/t: what 1/L
    would give, with the T - 1 updates of the algorithm. Shape ()."""
    a, best = Fraction(1), Fraction(L) / 2
    for t in range(2, T + 1):
        a -= Fraction(1, t) * L * a
        best = min(best, L * a * a / 2)
    return best - Fraction(L) / (2 * (T - 1))


steps = claim(
    "gradfeat-frozen-step-printed",
    lhs=r"\min_{t\le T}f(a_t)-f(0)-\frac L{2(T-1)}",
    tex="0",
    states="gradfeat-frozen-first-layer",
    title="Steps $1/t$ of the main text",
    says=r"Steps $1/t$ reach $\frac{L\|a_1-a^*\|^2}{2(T-1)}$ too, for every smoothness $L$.",
    expect="fail",
    covers="step-misprint",
    domain={L: reals(0, low_open=True), T: integers(2)},
    where=T <= 60,
    grid={"smoke": [{L: 20, T: 3}], "standard": {L: [20, 100], T: [3, 10]}},
    closed_form=sp.Integer(0),
    relation=at_most(),
    legs=[leg("a parabola", best_gap, unit=1)],
)

FACTOR = formula_leg("no step improves", typed("(1 - y)**2 >= 1", over="y in [2, oo)"))
EARLY = formula_leg(
    "every step is early",
    typed("L >= 2*s", over=["T, s, L in [2, oo)"], where=["s <= T", "L >= 2*T"]),
)
EVERY_CONSTANT = formula_leg(
    "every constant",
    typed("L/2 > C*L/T", over=["C in (0, oo)", "T in 2..oo", "L in [2*T, oo)"], where="T > 2*C"),
)

never = claim(
    "gradfeat-frozen-step-fails",
    states="gradfeat-frozen-first-layer",
    title="Steps $1/t$ stay above every multiple of $L/T$",
    says=r"For $L\ge2T$ no step $1/t$ improves on $a_1$ for $f=La^2/2$: the best loss $\frac L2$ is above $CL/T$ "
    r"once $T>2C$.",
    role="corrected",
    corrects="gradfeat-frozen-step-printed",
    legs=[FACTOR, EARLY, EVERY_CONSTANT],
    rivals=[
        *rivals_of(FACTOR, {"from 1 on": {"over": "y in [1, oo)"}}),
        *rivals_of(EARLY, {"L from T on": {"where": ["s <= T", "L >= T"]}}),
        *rivals_of(EVERY_CONSTANT, {"every T": {"where": "T >= 2"}}),
    ],
)

# one point x = 1, y = 1, weight a: the loss max(0, 1 - a) has slope -1 below 1 and 0 above
hinge = formula(
    "gradfeat-frozen-hinge",
    states="gradfeat-frozen-first-layer",
    title="Smoothness of the hinge loss",
    expect="fail",
    covers="hinge-excluded",
    reads={"Z": "L"},
    says="abs((-1) - 0) <= L*abs((1 - 1/(3*L)) - (1 + 1/(3*L)))",
    over="L in (0, oo)",
)

kink = formula(
    "gradfeat-frozen-hinge-kink",
    states="gradfeat-frozen-first-layer",
    title="No constant of smoothness serves the hinge loss",
    role="corrected",
    corrects="gradfeat-frozen-hinge",
    says="abs((-1) - 0) > L*abs((1 - 1/(3*L)) - (1 + 1/(3*L)))",
    over="L in (0, oo)",
    rivals={"points twice as far apart": "abs((-1) - 0) > L*abs((1 - 2/(3*L)) - (1 + 2/(3*L)))"},
)
