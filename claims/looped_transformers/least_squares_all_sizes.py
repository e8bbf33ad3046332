"""Lemmas 8.20, 8.21 and 8.22 for all sizes: smoothness, Rayleigh's bound and strong convexity of least squares.

Setting. l(theta) = |y - X theta|^2 / 2; X^T X = V Lambda V^T with V orthogonal, eigenvalues l_i from m to L
(the spectral theorem).

Statements. (1) grad l(theta_1) - grad l(theta_2) = X^T X w for w = theta_1 - theta_2, and for w = V u its square is
sum_i l_i^2 u_i^2, at most L^2 |u|^2 = L^2 |w|^2. (2) The gap of convexity is gamma (1 - gamma)/2 |X w|^2, and |X w|^2 =
sum_i l_i u_i^2 is at least m |w|^2, whatever the rank.

The gradients, the energy and the gap themselves are run at sizes, and held to these sums.

Reference: Lemmas 8.20, 8.21 and 8.22 (arXiv 2410.11268). At sizes: `least_squares`.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    spectra,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import apply, with_spectrum

from . import least_squares as at_sizes
from ._blocks import ONCE
from ._eigenbasis import (
    SPECTRAL,
    against,
    by_eigenvalues,
    column,
    energy,
    length,
    shown,
)
from .every_size import GAP, SIZES
from .quadratic_identities import gap as convexity_gap

# ---- in the eigenbasis


def gradient_move(ns, X, V, Lambda, u):
    """|X^T X V u|^2. Shape (B,)."""
    moved = column(ns, ns.matrix_transpose(X), column(ns, X, column(ns, V, u)))
    return ns.sum(moved * moved, axis=-1)


def by_squared_eigenvalues(ns, X, V, Lambda, u):
    """sum_i l_i^2 u_i^2."""
    return ns.sum(column(ns, Lambda, u) * column(ns, Lambda, u), axis=-1)


def squared_distance(ns, X, V, Lambda, u):
    """|V u|^2."""
    moved = column(ns, V, u)
    return ns.sum(moved * moved, axis=-1)


HOW = {"arithmetic": "proof", "lemma": SPECTRAL, "grid": ONCE}


def distance(over):
    return leg("distance", shown(squared_distance, length), over=over, **HOW)


OF_PAIRS = "X theta_1 theta_2"
WRONG_DISTANCE = against("distance", "times the eigenvalues", squared_distance, by_eigenvalues)

# ---- the same at sizes: the model is run, and no proof waits for it

d, i = sp.symbols("d i", integer=True, positive=True)
lam, u = sp.IndexedBase("lam"), sp.IndexedBase("u")
gamma = sp.Symbol("gamma", real=True)
HALF = Fraction(1, 2)
POINTS = {
    "smoke": [
        {d: 1, lam: (2,), u: (3,)},
        {d: 2, lam: (3, 1), u: (1, -2)},
        {d: 3, lam: (Fraction(9, 2), 2, Fraction(1, 3)), u: (HALF, 2, -1)},
    ]
}


def two_points(rng, d, lam, u):
    """X with spectrum lam, any y and theta_2, theta_1 - theta_2 = sum_i u_i e_i, gamma in (0, 1)."""
    X, V = with_spectrum(rng, lam)
    theta_2 = [Fraction(x) for x in rng.rational((d,), 4)]
    move = apply(V, [Fraction(x) for x in u])
    return {
        "X": X,
        "y": rng.rational((len(X),), 4),
        "theta_1": [x + m for x, m in zip(theta_2, move, strict=True)],
        "theta_2": theta_2,
        "gamma": Fraction(int(rng.integers(1, 8)), 8),
    }


def squared_gradients(ns, X, y, theta_1, theta_2):
    """|grad l(theta_1) - grad l(theta_2)|^2. Shape (B,)."""
    gap = at_sizes.gradient(ns, X, y, theta_1) - at_sizes.gradient(ns, X, y, theta_2)
    return ns.sum(gap * gap, axis=-1)


def of_other_labels(ns, X, y, theta_1, theta_2):
    gap = at_sizes.gradient(ns, X, y, theta_1) - at_sizes.gradient(ns, X, 2 * y, theta_2)
    return ns.sum(gap * gap, axis=-1)


def energy_of_the_move(ns, X, theta_1, theta_2):
    """v^T X^T X v for v = theta_1 - theta_2. Shape (B,)."""
    return at_sizes.energy(ns, X, theta_1 - theta_2)


def at_the_midpoint(ns, X, y, theta_1, theta_2, gamma):
    return convexity_gap(ns, X, y, theta_1, theta_2, 0 * gamma + ns.rational(1, 2))


def weighted(eigenvalue=1, move=2):
    """sum_i l_i^eigenvalue u_i^move."""
    return sp.Sum(lam[i] ** eigenvalue * u[i] ** move, (i, 1, d))


def run(program, closed_form, **told):
    """A leg that runs it, held to this form."""
    return leg(
        "at sizes",
        program,
        closed_form=closed_form,
        relation=equals(),
        arithmetic="rational",
        instances=instances(two_points, "X y theta_1 theta_2 gamma", smoke=2, standard=4),
        required=False,
        **told,
    )


# ---- smoothness

DIFFERENCE = formula_leg(
    "difference of gradients",
    typed(
        "(X^T*X*theta_1 - X^T*y) - (X^T*X*theta_2 - X^T*y) == X^T*X*(theta_1 - theta_2)",
        over=[*SIZES, "theta_1, theta_2 in R^d"],
    ),
    lhs=r"\nabla\ell(\theta_1)-\nabla\ell(\theta_2)",
    tex=r"X^\top X(\theta_1-\theta_2)",
)
LARGEST = formula_leg(
    "the largest eigenvalue",
    typed(
        f"{weighted(2)} <= L^2*Sum(u[i]^2, (i, 1, d))",
        over=[
            "d in 1..oo",
            "L in [0, oo)",
            "u[i] in R for i in 1..d",
            "lam[i] in [0, L] for i in 1..d",
        ],
    ),
    lhs=r"\sum_i\lambda_i^2u_i^2",
    tex=r"L^2\,|u|^2",
)
lipschitz = claim(
    "looped-smoothness-every-size",
    states="looped-smoothness",
    title="Lipschitz constant of the least-squares gradient, for all sizes",
    says=r"For all $X$, $y$, $\theta_1$, $\theta_2$, "
    r"$\|\nabla\ell(\theta_1)-\nabla\ell(\theta_2)\|\le\lambda_{\max}(X^\top X)\,"
    r"\|\theta_1-\theta_2\|$.",
    covers="lipschitz",
    domain={d: integers(1), lam: spectra(d), u: vectors(d)},
    grid={"smoke": [*POINTS["smoke"], {d: 2, lam: (2, 0), u: (1, 4)}]},
    relation=at_most(),
    legs=[
        DIFFERENCE,
        leg("gradients", shown(gradient_move, by_squared_eigenvalues), over=OF_PAIRS, **HOW),
        leg("no eigenvalue below 0", shown(energy, by_eigenvalues), over=OF_PAIRS, **HOW),
        distance(OF_PAIRS),
        LARGEST,
        run(
            squared_gradients,
            weighted(2),
            lhs=r"\|\nabla\ell(\theta_1)-\nabla\ell(\theta_2)\|^2",
            tex=r"\sum_{i=1}^{d}\lambda_i^2u_i^2",
        ),
    ],
    rivals=[
        *rivals_of(
            DIFFERENCE,
            {
                "twice": "(X^T*X*theta_1 - X^T*y) - (X^T*X*theta_2 - X^T*y) == 2*X^T*X*(theta_1 - theta_2)"
            },
        ),
        against("gradients", "eigenvalues not squared", gradient_move, by_eigenvalues),
        against("no eigenvalue below 0", "all 1", energy, length),
        WRONG_DISTANCE,
        *rivals_of(
            LARGEST,
            {"L for its square": f"{weighted(2)} <= L*Sum(u[i]^2, (i, 1, d))"},
        ),
        variant("eigenvalues not squared, run", closed_form=weighted(), leg="at sizes"),
        variant("moves not squared", closed_form=weighted(2, 1), leg="at sizes"),
        variant("other labels at the second point", simulation=of_other_labels, leg="at sizes"),
    ],
)

# ---- strong convexity

WEIGHT = gamma * (1 - gamma) / 2  # in both legs: what the gap is, and what is bounded
CONVEXITY_GAP = formula_leg(
    "gap",
    typed(
        f"{GAP} == {WEIGHT}*norm(X*(theta_1 - theta_2))^2",
        over=[*SIZES, "theta_1, theta_2 in R^d", "gamma in (0, 1)"],
    ),
    lhs=r"\gamma\,\ell(\theta_1)+(1-\gamma)\,\ell(\theta_2)-\ell\big(\gamma\theta_1+(1-\gamma)\theta_2\big)",
    tex=r"\tfrac{\gamma(1-\gamma)}2\,\|X(\theta_1-\theta_2)\|^2",
)
SMALLEST = formula_leg(
    "the smallest eigenvalue",
    typed(
        f"m*{WEIGHT}*Sum(u[i]^2, (i, 1, d)) <= {WEIGHT * weighted()}",
        over=[
            "d in 1..oo",
            "m in (0, oo)",
            "gamma in (0, 1)",
            "u[i] in R for i in 1..d",
            "lam[i] in [m, oo) for i in 1..d",
        ],
    ),
    lhs=r"\tfrac{m\gamma(1-\gamma)}2\,|u|^2",
    tex=r"\tfrac{\gamma(1-\gamma)}2\sum_i\lambda_iu_i^2",
)
strong_convexity = claim(
    "looped-strong-convexity-every-size",
    states="looped-strong-convexity",
    title="Strong convexity of least squares, for all sizes",
    says=r"For every $X$ of full column rank, $y$, $\theta_1$, $\theta_2$ and $\gamma\in(0,1)$ the "
    r"gap of convexity is at least "
    r"$\frac{\gamma(1-\gamma)}2\lambda_{\min}(X^\top X)\|\theta_1-\theta_2\|^2$.",
    covers="strong-convexity",
    domain={d: integers(1), lam: spectra(d, positive=True), u: vectors(d)},
    grid=POINTS,
    relation=at_least(),
    legs=[
        CONVEXITY_GAP,
        leg("energy", shown(energy, by_eigenvalues), over=OF_PAIRS, **HOW),
        distance(OF_PAIRS),
        SMALLEST,
        run(
            convexity_gap,
            WEIGHT * weighted(),
            lhs=CONVEXITY_GAP.lhs,
            tex=r"\tfrac{\gamma(1-\gamma)}2\sum_{i=1}^{d}\lambda_iu_i^2",
        ),
    ],
    rivals=[
        *rivals_of(
            CONVEXITY_GAP,
            {"gap of 1/8 at every gamma": f"{GAP} == 1/8*norm(X*(theta_1 - theta_2))^2"},
        ),
        against("energy", "all 1", energy, length),
        WRONG_DISTANCE,
        *rivals_of(
            SMALLEST,
            {
                "1/8 at every gamma": f"m/8*Sum(u[i]^2, (i, 1, d)) <= {WEIGHT * weighted()}",
                "twice the modulus": f"2*m*{WEIGHT}*Sum(u[i]^2, (i, 1, d)) <= {WEIGHT * weighted()}",
            },
        ),
        variant("1/8 at every gamma, run", closed_form=weighted() / 8, leg="at sizes"),
        variant("squared eigenvalues", closed_form=WEIGHT * weighted(2), leg="at sizes"),
        variant("the gap of the midpoint", simulation=at_the_midpoint, leg="at sizes"),
    ],
)

# ---- Rayleigh's bound

LOWEST = formula_leg(
    "the lowest eigenvalue",
    typed(
        f"m*Sum(u[i]^2, (i, 1, d)) <= {weighted()}",
        over=[
            "d in 1..oo",
            "m in [0, oo)",
            "u[i] in R for i in 1..d",
            "lam[i] in [m, oo) for i in 1..d",
        ],
    ),
    lhs=r"m\,|u|^2",
    tex=r"\sum_i\lambda_iu_i^2",
)
rayleigh = claim(
    "looped-rayleigh-every-size",
    states="looped-rayleigh",
    title="Rayleigh lower bound, for all sizes",
    says=r"For every $X$ of any rank and every $v$, $v^\top X^\top Xv\ge\lambda_{\min}(X^\top X)\|v\|^2$.",
    covers="rayleigh",
    domain={d: integers(1), lam: spectra(d), u: vectors(d)},
    grid={"smoke": [*POINTS["smoke"], {d: 2, lam: (2, 0), u: (1, 4)}]},
    relation=at_least(),
    legs=[
        leg("energy", shown(energy, by_eigenvalues), over="X v", **HOW),
        distance("X v"),
        LOWEST,
        run(
            energy_of_the_move,
            weighted(),
            lhs=r"v^\top X^\top Xv",
            tex=r"\sum_{i=1}^{d}\lambda_iu_i^2",
        ),
    ],
    rivals=[
        against("energy", "all 1", energy, length),
        WRONG_DISTANCE,
        *rivals_of(LOWEST, {"twice it": f"2*m*Sum(u[i]^2, (i, 1, d)) <= {weighted()}"}),
        variant("squared eigenvalues", closed_form=weighted(2), leg="at sizes"),
        variant("moves not squared", closed_form=weighted(1, 1), leg="at sizes"),
    ],
)
