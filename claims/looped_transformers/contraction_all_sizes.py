"""Theorem 8.25 in the eigenbasis of X^T X, for all sizes: gradient descent on least squares contracts.

Setting. X^T X = V Lambda V^T with V orthogonal, eigenvalues l_i in [L/kappa, L] (the spectral theorem), G its inverse,
which full rank gives, any y, theta* the minimiser G X^T y. Points are theta* + V P a, P diagonal, a = V^T (theta_0 -
theta*).

Statements. A step leads from P to (1 - eta Lambda) P, and P = I at theta_0; so after t steps of size 1/L p_i = (1 -
l_i/L)^t. The squared distance is sum_i (p_i a_i)^2, at most (1 - 1/kappa)^(2t) |a|^2, which is less than
exp(-t/kappa) |a|^2 for t >= 1. The lowest eigenvector attains the first.

The descent itself is run at sizes, from any labels, and held to sum_i q_i^(2t) a_i^2, q_i = 1 - l_i/L.

Reference: Theorem 8.25 and section 8.6 (arXiv 2410.11268). At sizes: `descent`, `experiment_order`.
"""

from __future__ import annotations

from fractions import Fraction
from inspect import signature

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    spectra,
    theorem,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import apply, realizable, with_spectrum

from . import descent
from ._blocks import ONCE, Setting, same_for_all_sizes
from ._eigenbasis import T, column, d, example, i, largest_is_inverse, q
from ._models import gradient_descent
from .error_bound_all_sizes import INVERSE_STEP

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
    """The example of `_eigenbasis` with eigenvalues 1 and 4 and a third row 0, so that labels leave the range of X."""
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

a = sp.IndexedBase("a")
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
    typed("q^(2*T) <= r^(2*T)", over=["T in 0..oo", "r in [0, 1]", "q in [0, r]"]),
    lhs=r"q_i^{2T}",
    tex=r"r^{2T},\quad r=1-\frac1\kappa",
)


def squared(exponent=2 * T, power=2):
    """sum_i q_i^(2T) a_i^2."""
    return sp.Sum(q[i] ** exponent * a[i] ** power, (i, 1, d))


LENGTH = "Sum(a[i]^2, (i, 1, d))"
WEIGHTED = formula_leg(
    "the largest factor",
    typed(
        f"{squared()} <= B*{LENGTH}",
        over=[
            "d in 1..oo",
            "T in 0..oo",
            "B in [0, 1]",
            "a[i] in R for i in 1..d",
            "q[i] in [0, 1] for i in 1..d",
        ],
        where="q[i]^(2*T) <= B for i in 1..d",
    ),
    lhs=r"\sum_iq_i^{2T}a_i^2",
    tex=r"B\,|a|^2,\quad q_i^{2T}\le B",
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

# the descent itself at sizes, told by the factors q_i = 1 - l_i/L: no proof waits for it


def descents(rng, d, q, a, T):
    """X with eigenvalues (1 - q_i)/eta, so that eta is 1/L and each step has the factors q_i; any minimiser, a start
    that differs from it by sum_i a_i e_i, labels that leave the range of X."""
    unit = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 5)))
    lam = [(1 - Fraction(x)) / unit for x in q]
    X, V = with_spectrum(rng, lam)
    theta_star = [Fraction(x) for x in rng.rational((d,), 4)]
    gap = apply(V, [Fraction(x) for x in a])
    fit, off = realizable(X, theta_star), descent.residual(rng, X, V, lam)
    return {
        "X": X,
        "y": [x + e for x, e in zip(fit, off, strict=True)],
        "theta_star": theta_star,
        "theta0": [x + g for x, g in zip(theta_star, gap, strict=True)],
        "eta": [unit] * T,
    }


def start_differs_by(theta_star, theta0, a):
    """|theta_0 - theta*|^2 = |a|^2."""
    gap = sum((x - y) ** 2 for x, y in zip(theta0, theta_star, strict=True))
    return gap == sum(Fraction(x) ** 2 for x in a)


DESCENTS = instances(
    descents,
    "X y theta_star theta0 eta",
    where=[descent.minimiser, start_differs_by],
    smoke=2,
    standard=4,
)
AT_SIZES = leg(
    "at sizes",
    descent.distance,
    closed_form=squared(),
    relation=equals(),
    arithmetic="rational",
    instances=DESCENTS,
    required=False,
    lhs=r"\|\theta_T-\theta^*\|^2",
    tex=r"\sum_{i=1}^{d}q_i^{2T}a_i^2,\quad q_i=1-\lambda_i/L",
)
HALF = Fraction(1, 2)
MODEL = {
    "domain": {d: integers(1), q: spectra(d), a: vectors(d), T: integers(1)},
    "where": largest_is_inverse,
    "grid": {
        "smoke": [
            {d: 2, q: (Fraction(3, 4), 0), a: (2, -1), T: 3},
            {d: 2, q: (Fraction(9999, 10000), 0), a: (HALF, 0), T: 2},
            {d: 3, q: (Fraction(4, 5), HALF, 0), a: (1, -3, 2), T: 5},
        ]
    },
    "relation": at_most(),
}


def one_step_less(ns, X, y, theta_star, theta0, eta, T):
    return descent.distance(ns, X, y, theta_star, theta0, eta, T - 1)


RIVALS = [
    *STEP_RIVALS,
    variant("a step more, by the descent", closed_form=squared(2 * T + 2), leg="at sizes"),
    variant("a_i for its square, by the descent", closed_form=squared(power=1), leg="at sizes"),
    variant("a step less, by the descent", simulation=one_step_less, leg="at sizes"),
    *rivals_of(POWER, {"a power more": "p[t] == q^(t + 1)"}),
    *rivals_of(INVERSE_STEP, {"1 - 2/kappa": "0 <= 1 - lam/L and 1 - lam/L <= 1 - 2/kappa"}),
    *rivals_of(SQUARES, {"exponent 3T": "q^(2*T) <= r^(3*T)"}),
    *rivals_of(WEIGHTED, {"half of it": f"{squared()} <= B*{LENGTH}/2"}),
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
        AT_SIZES,
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
        AT_SIZES,
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
STRICTLY = formula_leg(
    "strictly below the line",
    typed("(1 - 1/kappa)**(2*T) < exp(-T/kappa)", over=["kappa in [1, oo)", "T in 1..oo"]),
    lhs=r"(1-1/\kappa)^{2T}",
    tex=r"e^{-T/\kappa}",
)
below = claim(
    "looped-exp-convergence-below-every-size",
    states="looped-exp-convergence",
    title="Every run lies below the theory, for all sizes",
    says=r"For every $X$ of full column rank and $t\ge1$ the squared error over its start is at most "
    r"$(1-1/\kappa)^{2t}$, which "
    r"is less than $e^{-t/\kappa}$.",
    covers="empirical-below-theory",
    reads={"t": "T"},
    **MODEL,
    legs=[*steps("X t"), *LEGS, STRICTLY, AT_SIZES],
    rivals=[
        *RIVALS,
        *rivals_of(
            STRICTLY,
            {"below -3t/kappa": {"says": "(1 - 1/kappa)**(2*T) < exp(-3*T/kappa)", "steps": ()}},
        ),
    ],
)
