"""Lemmas 8.11, 8.20 and 8.22 for all sizes: smoothness, strong convexity and the minimiser of least squares.

Setting. l(theta) = |y - X theta|^2 / 2; X^T X = V Lambda V^T with V orthogonal, eigenvalues l_i from m to L
(the spectral theorem).

Statements. (1) grad l(theta_1) - grad l(theta_2) = X^T X w for w = theta_1 - theta_2, and for w = V u its square is
sum_i l_i^2 u_i^2, at most L^2 |u|^2 = L^2 |w|^2. (2) The gap of convexity is gamma (1 - gamma)/2 |X w|^2, and |X
w|^2 = sum_i l_i u_i^2 is at least m |w|^2. (3) For y = X theta*, <theta - theta*, X^T X theta - X^T y> = |X (theta -
theta*)|^2 and l(theta) = |X (theta - theta*)|^2 / 2: a solution of the normal equations, or a minimiser, has X
(theta - theta*) = 0. Where X has full column rank, and so X^T X an inverse G, G X^T y = theta*, and G times the
gradient at theta is theta - theta*: where the one vanishes, so does the other.

Reference: Lemmas 8.11, 8.20 and 8.22 (arXiv 2410.11268). At sizes: `least_squares`.
"""

from __future__ import annotations

from dataclasses import replace
from inspect import signature

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    rivals_of,
    spectra,
    typed,
    variant,
)

from . import least_squares as at_sizes
from ._blocks import ONCE, Setting, same_for_all_sizes
from .eigenbasis import (
    SPECTRAL,
    against,
    beside,
    by_eigenvalues,
    column,
    energy,
    length,
    shown,
    told,
)
from .every_size import GAP, SIZES

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


POINTS = "X theta_1 theta_2"
HOW = {"arithmetic": "proof", "over": POINTS, "lemma": SPECTRAL, "grid": ONCE}
DISTANCE = leg("distance", shown(squared_distance, length), **HOW)
WRONG_DISTANCE = against("distance", "times the eigenvalues", squared_distance, by_eigenvalues)

# the quotients themselves at sizes, along the extreme eigenvectors: they may refute, and no proof waits for them
QUOTIENTS = {
    "lipschitz": beside(
        leg(
            "at sizes",
            at_sizes.squared_quotient,
            closed_form=at_sizes.lam[1] ** 2,
            arithmetic="rational",
            instances=at_sizes.pairs(0, smoke=1),
            lhs=r"\frac{\|\nabla\ell(\theta_1)-\nabla\ell(\theta_2)\|^2}{\|\theta_1-\theta_2\|^2}",
            tex=r"\lambda_{\max}(X^\top X)^2",
        )
    ),
    "convexity": beside(
        leg(
            "at sizes",
            at_sizes.convexity_quotient,
            closed_form=lambda lam: lam[-1],
            arithmetic="rational",
            instances=at_sizes.pairs(-1, smoke=1),
            **told(at_sizes.strong_convexity),
        )
    ),
}

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
        "Sum(lam[i]^2*u[i]^2, (i, 1, d)) <= L^2*Sum(u[i]^2, (i, 1, d))",
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
    domain={at_sizes.lam: spectra(nonzero=True)},
    grid=at_sizes.DEFICIENT,
    relation=at_most(),
    legs=[
        DIFFERENCE,
        leg("gradients", shown(gradient_move, by_squared_eigenvalues), **HOW),
        leg("no eigenvalue below 0", shown(energy, by_eigenvalues), **HOW),
        DISTANCE,
        LARGEST,
        *QUOTIENTS["lipschitz"],
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
            {"L for its square": "Sum(lam[i]^2*u[i]^2, (i, 1, d)) <= L*Sum(u[i]^2, (i, 1, d))"},
        ),
    ],
)

# ---- strong convexity

WEIGHT = "gamma*(1 - gamma)/2"  # in both legs: what the gap is, and what is bounded
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
        f"m*{WEIGHT}*Sum(u[i]^2, (i, 1, d)) <= {WEIGHT}*Sum(lam[i]*u[i]^2, (i, 1, d))",
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
    domain={at_sizes.lam: spectra(positive=True)},
    grid=at_sizes.SPECTRA,
    relation=at_least(),
    legs=[
        CONVEXITY_GAP,
        leg("energy", shown(energy, by_eigenvalues), **HOW),
        DISTANCE,
        SMALLEST,
        *QUOTIENTS["convexity"],
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
                "1/8 at every gamma": "m/8*Sum(u[i]^2, (i, 1, d)) <= gamma*(1 - gamma)/2*Sum(lam[i]*u[i]^2, (i, 1, d))",
                "twice the modulus": "m*gamma*(1 - gamma)*Sum(u[i]^2, (i, 1, d)) <= gamma*(1 - "
                "gamma)/2*Sum(lam[i]*u[i]^2, (i, 1, d))",
            },
        ),
    ],
)

# ---- noise-free least squares

OF_THE_TASK = ["n, d in 1..oo", "X in R^(n x d)", "theta, theta_star in R^d"]
NORMAL = formula_leg(
    "normal equations",
    typed(
        "dot(theta - theta_star, X^T*X*theta - X^T*(X*theta_star)) == norm(X*(theta - theta_star))^2",
        over=OF_THE_TASK,
    ),
    lhs=r"\langle\theta-\theta^*,\,X^\top X\theta-X^\top y\rangle",
    tex=r"\|X(\theta-\theta^*)\|^2",
)
LOSS = formula_leg(
    "loss",
    typed(
        "norm(X*theta_star - X*theta)^2/2 == norm(X*(theta - theta_star))^2/2",
        over=OF_THE_TASK,
    ),
    lhs=r"\ell(\theta)",
    tex=r"\tfrac12\,\|X(\theta-\theta^*)\|^2",
)
SOLVED = formula_leg(
    "solved by the task",
    typed(
        "X^T*X*theta_star - X^T*(X*theta_star) == 0*theta_star",
        over=[*OF_THE_TASK[:2], "theta_star in R^d"],
    ),
    lhs=r"X^\top X\theta^*-X^\top y",
    tex="0",
)


def solution(ns, X, G, theta_star):
    """G X^T y for y = X theta*. Shape (B, d)."""
    return column(ns, G, column(ns, ns.matrix_transpose(X), column(ns, X, theta_star)))


def task(ns, X, G, theta_star):
    return theta_star


def gradient_by_inverse(ns, X, G, theta, theta_star):
    """G (X^T X theta - X^T y). Shape (B, d)."""
    return column(ns, G, at_sizes.gradient(ns, X, column(ns, X, theta_star), theta))


def off_the_task(ns, X, G, theta, theta_star):
    return theta - theta_star


def everywhere(ns, X, G, theta, theta_star):
    return 0 * theta


FIELDS = {"X": ("n", "d"), "G": ("d", "d"), "theta": ("d",), "theta_star": ("d",)}
FREE = {"x": (1, 1), "theta": (1, 2), "theta_star": (1, 2)}


def with_inverse(ns, x, **others):
    """X with rows (1, x), (0, 1), (0, 0) and G, the inverse of X^T X."""
    one = 1 + 0 * x
    rows = [[one, x], [0 * x, one], [0 * x, 0 * x]]
    inverse = [[one + x * x, -x], [-x, one]]
    X, G = (
        ns.concat([ns.expand_dims(ns.concat(r, axis=1), axis=1) for r in m], axis=1)
        for m in (rows, inverse)
    )
    return {"X": X, "G": G, **others}


def inverted(program, reference):
    """A proof leg's program, of X of full column rank: G is the inverse of X^T X."""
    names = list(signature(program).parameters)[1:]

    def made(ns, **free):
        return {n: x for n, x in with_inverse(ns, **free).items() if n in names}

    setting = Setting({("G", "X'", "X"): ()}, "G", (FREE, made))

    def proof():
        return same_for_all_sizes(program, reference, {n: FIELDS[n] for n in names}, setting)

    return proof


OF_FULL_RANK = {"arithmetic": "proof", "over": "X theta_star", "grid": ONCE}
recovers = claim(
    "looped-realizable-optimum-every-size",
    states="looped-realizable-optimum",
    title=r"Noise-free least squares recovers $\theta^*$, for all sizes",
    says=r"For $y=X\theta^*$ a solution $\theta$ of the normal equations, and a minimiser of the "
    r"loss, has $X(\theta-\theta^*)=0$; "
    r"where $X$ has full column rank it is $\theta^*$.",
    role="reading",
    covers="recovers-truth",
    domain={at_sizes.n: integers(1), at_sizes.d: integers(1)},
    grid={"smoke": {at_sizes.n: [2, 4], at_sizes.d: [1, 2]}},
    relation=equals(),
    legs=[
        NORMAL,
        LOSS,
        SOLVED,
        leg("the solution", inverted(solution, task), **OF_FULL_RANK),
        leg("and no other", inverted(gradient_by_inverse, off_the_task), **OF_FULL_RANK),
        *[
            replace(one, where=at_sizes.n >= at_sizes.d)
            for one in beside(
                *at_sizes.realizable_optimum.legs, **told(at_sizes.realizable_optimum)
            )
        ],
    ],
    rivals=[
        variant(
            "any point", leg="and no other", simulation=inverted(gradient_by_inverse, everywhere)
        ),
        *rivals_of(
            NORMAL,
            {
                "without X": "dot(theta - theta_star, X^T*X*theta - X^T*(X*theta_star)) == norm(theta - theta_star)^2"
            },
        ),
        *rivals_of(
            LOSS,
            {"not halved": "norm(X*theta_star - X*theta)^2/2 == norm(X*(theta - theta_star))^2"},
        ),
        *rivals_of(
            SOLVED,
            {"solved by nothing else": "X^T*X*theta_star - X^T*(X*theta_star) == theta_star"},
        ),
    ],
)
