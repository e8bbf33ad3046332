"""Theorem 8.25 in the eigenbasis of X^T X, for all sizes: gradient descent on least squares contracts.

Setting. X^T X = V Lambda V^T with V orthogonal, eigenvalues l_i in [L/kappa, L] (the spectral theorem), G its inverse,
which full rank gives, any y, theta* the minimiser G X^T y. Points are theta* + V P a, P diagonal, a = V^T (theta_0 -
theta*).

Statements. A step leads from P to (1 - eta Lambda) P, and P = I at theta_0; so after t steps of size 1/L p_i = (1 -
l_i/L)^t. The squared distance is sum_i (p_i a_i)^2, at most (1 - 1/kappa)^(2t) |a|^2, which is less than
exp(-t/kappa) |a|^2 for t >= 1. The lowest eigenvector attains the first.

Reference: Theorem 8.25 and section 8.6 (arXiv 2410.11268). At sizes: `descent`, `experiment_order`.
"""

from __future__ import annotations

from inspect import signature

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    leg,
    rivals_of,
    theorem,
    typed,
    variant,
)

from . import descent, experiment_order
from ._blocks import ONCE, Setting, same_for_all_sizes
from ._models import gradient_descent
from .eigenbasis import INVERSE_STEP, beside, column, example, told
from .experiment_order import strictly

# ---- a step in the eigenbasis


def minimiser(ns, X, G, y):
    """(X^T X)^-1 X^T y. Shape (B, d)."""
    return column(ns, G, column(ns, ns.matrix_transpose(X), y))


def point(ns, X, V, G, P, a, y):
    """theta* + V P a. Shape (B, d)."""
    return minimiser(ns, X, G, y) + column(ns, V, column(ns, P, a))


def one_step(ns, X, V, Lambda, G, P, a, y, eta):
    """By gradient descent from there."""
    return gradient_descent(ns, X, y, point(ns, X, V, G, P, a, y), eta, 1)


def moved(ns, P, Lambda, eta, times=1):
    """(1 - times eta Lambda) P."""
    return P - times * ns.reshape(eta[:, 0], (-1, 1, 1)) * ns.matmul(Lambda, P)


def one_factor(ns, X, V, Lambda, G, P, a, y, eta):
    return point(ns, X, V, G, moved(ns, P, Lambda, eta), a, y)


def twice_the_step(ns, X, V, Lambda, G, P, a, y, eta):
    return point(ns, X, V, G, moved(ns, P, Lambda, eta, 2), a, y)


def to_the_origin(ns, X, V, Lambda, G, P, a, y, eta):
    """As if 0 were the minimiser."""
    return point(ns, X, V, G, moved(ns, P, Lambda, eta), a, 0 * y)


def distance(ns, X, V, G, P, a, y):
    """|theta* + V P a - theta*|^2. Shape (B,)."""
    gap = point(ns, X, V, G, P, a, y) - minimiser(ns, X, G, y)
    return ns.sum(gap * gap, axis=-1)


def in_coordinates(ns, X, V, G, P, a, y):
    """sum_i (p_i a_i)^2."""
    return ns.sum(column(ns, P, a) * column(ns, P, a), axis=-1)


def to_the_first_power(ns, X, V, G, P, a, y):
    return ns.sum(a * column(ns, P, a), axis=-1)


def start(ns, X, V, G, a, y):
    return minimiser(ns, X, G, y) + column(ns, V, a)


def with_p_one(ns, X, V, G, a, y):
    return point(ns, X, V, G, ns.eye(V.shape[2]) + 0 * V, a, y)


def with_p_zero(ns, X, V, G, a, y):
    return point(ns, X, V, G, 0 * V, a, y)


FIELDS = {"X": ("n", "d"), "V": ("d", "d"), "Lambda": ("d", "d"), "G": ("d", "d")}
FIELDS |= {"P": ("d", "d"), "a": ("d",), "y": ("n",), "eta": ("1",)}
FREE = {"p": (1, 2), "a": (1, 2), "y": (1, 3), "eta": (1, 1)}


def any_labels(ns, p, **others):
    """The example of `eigenbasis` with eigenvalues 1 and 4 and a third row 0, so that labels leave the range of X."""
    found = example(ns, 0 * p + ns.stack([ns.rational(1, 1), ns.rational(2, 1)]), p, **others)
    nothing = ns.expand_dims(0 * p, axis=1)
    V, inverse = found["V"], ns.stack([ns.rational(1, 1), ns.rational(1, 4)])
    G = ns.matmul(V * inverse, ns.matrix_transpose(V))
    return {**found, "X": ns.concat([found["X"], nothing], axis=1), "G": G}


def shown(program, reference):
    """A proof leg's program: both programs take what they name."""
    names = list(signature(program).parameters)[1:]

    def made(ns, **free):
        return {n: x for n, x in any_labels(ns, **free).items() if n in names}

    # V is orthogonal, X^T X = V Lambda V^T, and G is its inverse: Lambda V^T G = V^T
    rules = {("X'", "X"): ("V", "Lambda", "V'"), ("V'", "V"): (), ("V", "V'"): ()}
    rules |= {("Lambda", "V'", "G"): ("V'",)}
    setting = Setting(rules, "Lambda P G", (FREE, made))
    fields = {n: FIELDS[n] for n in names}

    def proof():
        return same_for_all_sizes(program, reference, fields, setting)

    return proof


def against(of, name, program, reference):
    return variant(name, simulation=shown(program, reference), leg=of)


def steps(over):
    """That |theta_t - theta*|^2 = sum_i (p_i a_i)^2, p_i one factor 1 - eta l_i for each step."""
    # that V and Lambda are there is the theorem; what they do to a step is the proof
    how = {
        "arithmetic": "proof",
        "over": over,
        "lemma": theorem("spectral theorem", symmetric="X^T X"),
        "grid": ONCE,
    }
    return [
        leg("before the steps", shown(start, with_p_one), **how),
        leg("one step more", shown(one_step, one_factor), **how),
        leg("distance", shown(distance, in_coordinates), **how),
    ]


STEP_RIVALS = [
    against("before the steps", "P = 0", start, with_p_zero),
    against("one step more", "twice the step", one_step, twice_the_step),
    against("one step more", "0 for the minimiser", one_step, to_the_origin),
    against("distance", "the first power", distance, to_the_first_power),
]

# ---- the bounds

POWER = formula_leg(
    "equal steps",
    typed(
        "p[t] == q^t",
        over=["t in 0..oo", "q in R", "p[s] in R for s in 0..oo"],
        where=["p[0] == 1", "p[s+1] == q*p[s] for s in 0..oo"],
    ),
    lhs="p_i",
    tex=r"q_i^t,\quad q_i=1-\lambda_i/L",
)
SQUARES = formula_leg(
    "squares of powers",
    typed(
        "(q^T)^2 <= r^(2*T)",
        over=["T in 0..oo", "r in [0, 1]", "q in [0, r]"],
    ),
    lhs=r"q_i^{2T}",
    tex=r"r^{2T},\quad r=1-\frac1\kappa",
)
SUM = "Sum(p[i]^2*a[i]^2, (i, 1, d))"
WEIGHTED = formula_leg(
    "the largest factor",
    typed(
        f"{SUM} <= B*Sum(a[i]^2, (i, 1, d))",
        over=["d in 1..oo", "B in [0, 1]", "a[i], p[i] in R for i in 1..d"],
        where="p[i]^2 <= B for i in 1..d",
    ),
    lhs=r"\sum_i(p_ia_i)^2",
    tex=r"B\,|a|^2,\quad p_i^2\le B",
)
WITHIN = formula_leg(
    "within the radius",
    typed(
        "B*s <= B*R^2",
        over=["B in [0, 1]", "R in [0, oo)", "s in [0, R^2]"],
    ),
    lhs=r"B\,\|\theta_0-\theta^*\|^2",
    tex=r"B\,R^2",
)
LEGS = [POWER, INVERSE_STEP, SQUARES, WEIGHTED]
# the descent itself at sizes, held to what the legs end in: it may refute, and no proof waits for it
MODEL = {
    "domain": {**descent.DOMAIN, descent.T: integers(1)},
    "grid": descent.GRID,
    "relation": at_most(),
}
ONE_DIMENSION = sp.Or(descent.d > 1, sp.Eq(descent.kappa, 1))


def at_sizes(of, form):
    return beside(*of.legs[:2], where=ONE_DIMENSION, closed_form=form, **told(of))


RIVALS = [
    *STEP_RIVALS,
    *rivals_of(POWER, {"a power more": "p[t] == q^(t + 1)"}),
    *rivals_of(INVERSE_STEP, {"1 - 2/kappa": "0 <= 1 - lam/L and 1 - lam/L <= 1 - 2/kappa"}),
    *rivals_of(SQUARES, {"exponent 3T": "(q^T)^2 <= r^(3*T)"}),
    *rivals_of(WEIGHTED, {"half of it": f"{SUM} <= B*Sum(a[i]^2, (i, 1, d))/2"}),
]
AT_THE_BOTTOM = formula_leg(
    "the lowest eigenvector",
    typed(
        "((1 - lam/L)^T)^2 == (1 - 1/kappa)^(2*T)",
        over=["T in 1..oo", "kappa in [1, oo)", "L in (0, oo)", "lam in [0, oo)"],
        where="lam*kappa == L",
    ),
    lhs=r"(1-\lambda_d/L)^{2T}",
    tex=r"\Big(1-\frac1\kappa\Big)^{2T}",
)
sharp = claim(
    "looped-gd-contraction-sharp-every-size",
    states="looped-gd-contraction",
    title="The sharp contraction of gradient descent, for all sizes",
    says=r"For every $X$ of full column rank, $y$, start and $T$, with step $1/L$ the squared "
    r"distance to the minimiser is at "
    r"most $(1-1/\kappa)^{2T}$ times the initial one, attained along the lowest eigenvector.",
    role="derived",
    covers="sharp-contraction",
    **MODEL,
    legs=[
        *steps("X y theta_0 T"),
        *LEGS,
        AT_THE_BOTTOM,
        *at_sizes(descent.gd_contraction, descent.SHARP * descent.R2),
    ],
    rivals=[
        *RIVALS,
        *rivals_of(AT_THE_BOTTOM, {"a step more": "((1 - lam/L)^T)^2 == (1 - 1/kappa)^(2*T + 2)"}),
    ],
)
DECAY = formula_leg(
    "above the sharp form",
    typed(
        "(1 - 1/kappa)**(2*T) <= exp(-T/kappa)",
        over=["kappa in [1, oo)", "T in 0..oo"],
        steps=["1 - 1/kappa <= exp(-1/kappa)"],
    ),
    lhs=r"(1-1/\kappa)^{2T}",
    tex=r"e^{-T/\kappa}",
)
printed = claim(
    "looped-gd-contraction-every-size",
    states="looped-gd-contraction",
    title="Gradient descent on least squares contracts, for all sizes",
    says=r"For every $X$ of full column rank, $y$, start, $R\ge\|\theta_0-\theta^*\|$ and $T$, with "
    r"step $1/L$ the squared "
    r"distance to the minimiser is at most $\exp(-T/\kappa)R^2$.",
    covers="contraction",
    **MODEL,
    legs=[
        *steps("X y theta_0 T"),
        *LEGS,
        DECAY,
        WITHIN,
        *at_sizes(descent.gd_contraction, descent.DECAY * descent.R2),
    ],
    rivals=[
        *RIVALS,
        *rivals_of(
            DECAY,
            {"exp(-3T/kappa)": {"says": "(1 - 1/kappa)**(2*T) <= exp(-3*T/kappa)", "steps": ()}},
        ),
        *rivals_of(WITHIN, {"R for its square": "B*s <= B*R"}),
    ],
)
below = claim(
    "looped-exp-convergence-below-every-size",
    states="looped-exp-convergence",
    title="Every run lies below the theory, for all sizes",
    says=r"For every $X$ of full column rank and $t\ge1$ the squared error over its start is at most "
    r"$(1-1/\kappa)^{2t}$, which "
    r"is less than $e^{-t/\kappa}$.",
    covers="empirical-below-theory",
    **MODEL,
    legs=[*steps("X t"), *LEGS, strictly, *at_sizes(experiment_order.below_theory, descent.SHARP)],
    rivals=[
        *RIVALS,
        *rivals_of(
            strictly,
            {"below -3t/kappa": {"says": "(1 - 1/kappa)**(2*t) < exp(-3*t/kappa)", "steps": ()}},
        ),
    ],
)
