"""Theorem B.7: online gradient descent from a start that is not 0.

Setting. f_t convex with (sub)gradients g_t at theta_t, theta_(t+1) = theta_t - eta g_t, eta > 0; theta* any point. Of
one step: D = |theta_t - theta*|^2, D' the same after the step, q = |g_t|^2, c = <g_t, theta_t - theta*>.

Statements. (1) f_t(theta_t) - f_t(theta*) <= c = (D - D')/(2 eta) + eta q/2, which telescopes to |theta_1 -
theta*|^2/(2 eta T) less |theta_(T+1) - theta*|^2/(2 eta T). (2) With S = theta_1 - theta_(T+1) = eta sum g_t,
|theta_1 - theta*|^2 - |theta_(T+1) - theta*|^2 = 2 <theta_1 - theta*, S> - |S|^2 = 2 <theta_1, S> - (|S + theta*|^2 -
|theta*|^2), at most 2 |theta_1| |S| + |theta*|^2. So the printed bound holds with eta/2 in its last term, and with
equality for theta_1 = 0, f_t linear, theta* = theta_(T+1).

Reference: lines 5758-5760.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import dot, length, with_length

T, n = sp.symbols("T n", integer=True, positive=True)
eta = sp.symbols("eta", positive=True)

# F_t = f_t(theta_t) - f_t(theta*), which convexity puts r_t >= 0 below c_t; D_t = |theta_t - theta*|^2
SUMMED = formula_leg(
    "telescoped",
    typed(
        "Sum(F[t], (t, 1, T)) <= (D[1] - D[T+1])/(2*eta) + eta/2*Sum(q[t], (t, 1, T))",
        over=[
            "eta in (0, oo)",
            "T in 1..oo",
            "F[t] in R for t in 1..oo",
            "q[t], r[t] in [0, oo) for t in 1..oo",
            "D[t] in R for t in 1..oo",
        ],
        where="D[t+1] == D[t] - 2*eta*(F[t] + r[t]) + eta**2*q[t] for t in 1..oo",
    ),
)
STEP_TEXT = typed(
    "c == (D - (D - 2*eta*c + eta**2*q))/(2*eta) + eta*q/2",
    over=["eta in (0, oo)", "c in R", "D in [0, oo)", "q in [0, oo)"],
)
# a = |theta_1|, s = |S|, z = |S + theta*| and t = |theta*|, m = <theta_1, S>
START_TEXT = typed(
    "2*m - (z**2 - t**2) <= 2*a*s + t**2",
    over=["a in [0, oo)", "s in [0, oo)", "m in [-a*s, a*s]", "z in R", "t in R"],
)
START = formula_leg("from the start", START_TEXT)
ROOM = formula_leg(
    "room in the last term", typed("eta*q/2 <= eta*q", over=["eta in (0, oo)", "q in [0, oo)"])
)


def losses(rng):
    """Slopes of rational length, offsets, a start and another point of R^3, and a step."""
    return {
        "slopes": [with_length(rng, 3) for _ in range(4)],
        "offsets": rng.rational((4,), 3),
        "start": with_length(rng, 3),
        "star": rng.rational((3,), 3),
        "step": abs(rng.rational((), 3)) + Fraction(1, 9),
    }


def linear(rng):
    """Linear losses, and the point that descent from 0 ends at."""
    return {
        "slopes": [[3, 4]] * 2,
        "offsets": [Fraction(1000)] * 2,
        "start": [Fraction(0), Fraction(0)],
        "star": [Fraction(6, 5), Fraction(8, 5)],
        "step": Fraction(1, 5),
    }


def played(slopes, offsets, start, star, step):
    """Regret and lengths of the gradients of f_t = |<u_t, theta> - c_t| along gradient descent."""
    theta, regrets, sizes = start, [], []
    for u, c in zip(slopes, offsets, strict=True):
        value = dot(u, theta) - c
        side = (value > 0) - (value < 0)
        regrets.append(abs(value) - abs(dot(u, star) - c))
        sizes.append(abs(side) * length(u))
        theta = [v - step * side * g for v, g in zip(theta, u, strict=True)]
    return sum(regrets, Fraction(0)) / len(slopes), sizes


def mean_regret(slopes, offsets, start, star, step):
    """The mean of f_t(theta_t) - f_t(theta*). Shape ()."""
    return played(slopes, offsets, start, star, step)[0]


def regret_bound(slopes, offsets, start, star, step, last=1):
    """|theta*|^2/(2 eta T) + |theta_1| mean |g_t| + eta mean |g_t|^2. Shape ()."""
    sizes = played(slopes, offsets, start, star, step)[1]
    T = len(sizes)
    squares = sum((v * v for v in sizes), Fraction(0)) / T
    first = dot(star, star) / (2 * step * T) + length(start) * sum(sizes, Fraction(0)) / T
    return first + last * step * squares


def with_a_quarter(slopes, offsets, start, star, step):
    return regret_bound(slopes, offsets, start, star, step, Fraction(1, 4))


def runs(name, draw, count):
    return beside(
        name,
        mean_regret,
        r"\tfrac1T\sum_tf_t(\theta_t)-f_t(\theta^*)",
        r"\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\,\overline{\|g\|}+\eta\,\overline{\|g\|^2}",
        reference=regret_bound,
        instances=instances(
            draw, "slopes offsets start star step", smoke=count, standard=4 * count
        ),
    )


regret = claim(
    "gradfeat-regret",
    states="gradfeat-oco-regret",
    title="Regret of online gradient descent from any start",
    says=r"The average loss is within $\frac{\|\theta^*\|^2}{2\eta "
    r"T}+\|\theta_1\|\,\overline{\|g\|}+\eta\,\overline{\|g\|^2}$ of that of "
    r"any $\theta^*$.",
    covers="regret",
    reads={"f": "F q r", "theta_1": "a s m", "theta_star": "z t"},
    relation=at_most(),
    legs=[SUMMED, START, ROOM, runs("descents", losses, 6), runs("linear losses", linear, 1)],
    rivals=[
        variant("a quarter of the last term", reference=with_a_quarter, leg="linear losses"),
        *rivals_of(
            SUMMED,
            {"without the steps' squares": "Sum(F[t], (t, 1, T)) <= (D[1] - D[T+1])/(2*eta)"},
        ),
        *rivals_of(START, {"without the start": "2*m - (z**2 - t**2) <= t**2"}),
        *rivals_of(ROOM, {"steps below 0": {"over": ["eta in R", "q in [0, oo)"]}}),
    ],
)

STEP_SAME = formula_leg("one step", STEP_TEXT, over="same")
START_SAME = formula_leg("from the start", START_TEXT, over="same")


def descent(gradients, eta):
    """Iterates theta_1 = 0, ..., theta_(T+1) for f_t = <g_t, .>, one coordinate each."""
    found = [[Fraction(0)] * len(gradients[0])]
    for g in gradients:
        found.append([x - Fraction(eta) * v for x, v in zip(found[-1], g, strict=True)])
    return found


def excess(gradients, eta, T, n):
    """T times the regret against theta_(T+1), less |theta_(T+1)|^2/(2 eta) + eta/2 sum |g_t|^2. Shape ()."""
    iterates = descent(gradients, eta)
    star = iterates[-1]
    total = sum(
        sum(v * (x - s) for v, x, s in zip(g, theta, star, strict=True))
        for g, theta in zip(gradients, iterates, strict=False)
    )
    squares = sum(v * v for g in gradients for v in g)
    return total - sum(s * s for s in star) / (2 * Fraction(eta)) - Fraction(eta) * squares / 2


def with_whole_step(gradients, eta, T, n):
    """The same with eta in the last term, as printed."""
    squares = sum(v * v for g in gradients for v in g)
    return excess(gradients, eta, T, n) - Fraction(eta) * squares / 2


def drawn(rng, T, n, eta):
    return {"gradients": rng.rational((T, n), 5)}


sharp = claim(
    "gradfeat-regret-sharp",
    lhs=r"T\,\mathrm{regret}(\theta_{T+1})-\frac{\|\theta_{T+1}\|^2}{2\eta}-\frac\eta2\sum\|g_t\|^2",
    tex="0",
    states="gradfeat-oco-regret",
    title="The regret bound with half of the last term is sharp",
    says=r"The bound holds with $\frac\eta2$ in its last term, with equality for linear losses, $\theta_1=0$ and "
    r"$\theta^*="
    r"\theta_{T+1}$.",
    covers="sharp-half",
    domain={T: integers(1), n: integers(1), eta: reals(0, low_open=True)},
    where=T * n <= 60,
    grid={
        "smoke": [{T: 1, n: 1, eta: 1}, {T: 4, n: 2, eta: Fraction(1, 3)}],
        "standard": [{T: 9, n: 3, eta: 2}],
    },
    closed_form=sp.Integer(0),
    mutate=False,
    legs=[
        leg(
            "linear losses",
            excess,
            unit=1,
            gives="equality_case",
            chosen_by=descent,
            instances=instances(drawn, "gradients", smoke=3, standard=6),
        ),
        STEP_SAME,
        START_SAME,
    ],
    rivals=[
        variant("eta in the last term", simulation=with_whole_step, leg="linear losses"),
        *rivals_of(
            STEP_SAME, {"without the step's square": "c == (D - (D - 2*eta*c + eta**2*q))/(2*eta)"}
        ),
        *rivals_of(START_SAME, {"without the start": "2*m - (z**2 - t**2) <= t**2"}),
    ],
)
