"""Lemma 8.11 for all sizes: noise-free least squares has the task as its minimiser, and no other.

Setting. y = X theta*, l(theta) = |y - X theta|^2 / 2, X of full column rank: X^T X has an inverse G.

Statements. (1) l(theta) = |X (theta - theta*)|^2 / 2, which is 0 at theta*; so theta minimises it exactly if X (theta -
theta*) = 0. (2) The gradient X^T X theta - X^T y is X^T X (theta - theta*), which theta* solves. (3) G X^T y = theta*,
and G times the gradient, as G X^T times X (theta - theta*), is theta - theta*: where the gradient or X (theta - theta*)
vanishes, theta is theta*.

Each is an equality of programs on letters for matrices of any size (`_blocks`).

Reference: Lemma 8.11 (arXiv 2410.11268). At sizes: `least_squares`; without the assumption on rank: `full_rank`.
"""

from __future__ import annotations

from dataclasses import replace
from inspect import signature

from theorycheck import claim, equals, integers, leg, variant

from . import least_squares as at_sizes
from ._blocks import ONCE, Setting, same_for_all_sizes
from ._eigenbasis import beside, column, told


def labels(ns, X, theta_star):
    """y = X theta*. Shape (B, n)."""
    return column(ns, X, theta_star)


def loss(ns, X, theta, theta_star):
    """l(theta). Shape (B,)."""
    return at_sizes.loss(ns, X, labels(ns, X, theta_star), theta)


def half_the_square(ns, X, theta, theta_star):
    """|X (theta - theta*)|^2 / 2. Shape (B,)."""
    gap = column(ns, X, theta - theta_star)
    return ns.sum(gap * gap, axis=-1) * ns.rational(1, 2)


def the_square(ns, X, theta, theta_star):
    return 2 * half_the_square(ns, X, theta, theta_star)


def without_X(ns, X, theta, theta_star):
    """|theta - theta*|^2 / 2."""
    gap = theta - theta_star
    return ns.sum(gap * gap, axis=-1) * ns.rational(1, 2)


def gradient(ns, X, theta, theta_star):
    """X^T X theta - X^T y. Shape (B, d)."""
    return at_sizes.gradient(ns, X, labels(ns, X, theta_star), theta)


def of_the_gap(ns, X, theta, theta_star):
    """X^T X (theta - theta*)."""
    return column(ns, ns.matrix_transpose(X), column(ns, X, theta - theta_star))


def of_the_point(ns, X, theta, theta_star):
    return column(ns, ns.matrix_transpose(X), column(ns, X, theta))


def gradient_at_the_task(ns, X, theta_star):
    return gradient(ns, X, theta_star, theta_star)


def nothing(ns, X, theta_star):
    return 0 * theta_star


def task_itself(ns, X, theta_star):
    return theta_star


def solution(ns, X, G, theta_star):
    """G X^T y for y = X theta*. Shape (B, d)."""
    return column(ns, G, column(ns, ns.matrix_transpose(X), labels(ns, X, theta_star)))


def task(ns, X, G, theta_star):
    return theta_star


def at_the_origin(ns, X, G, theta_star):
    return 0 * theta_star


def gradient_by_inverse(ns, X, G, theta, theta_star):
    """G (X^T X theta - X^T y). Shape (B, d)."""
    return column(ns, G, gradient(ns, X, theta, theta_star))


def fit_by_inverse(ns, X, G, theta, theta_star):
    """G X^T times X (theta - theta*)."""
    return column(ns, G, of_the_gap(ns, X, theta, theta_star))


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


def against(of, name, program, reference):
    return variant(name, simulation=inverted(program, reference), leg=of)


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
        leg("loss", inverted(loss, half_the_square), **OF_FULL_RANK),
        leg("normal equations", inverted(gradient, of_the_gap), **OF_FULL_RANK),
        leg("solved by the task", inverted(gradient_at_the_task, nothing), **OF_FULL_RANK),
        leg("the solution", inverted(solution, task), **OF_FULL_RANK),
        leg("and no other", inverted(gradient_by_inverse, off_the_task), **OF_FULL_RANK),
        leg("and no other fits", inverted(fit_by_inverse, off_the_task), **OF_FULL_RANK),
        *[
            replace(one, where=at_sizes.n >= at_sizes.d)
            for one in beside(
                *at_sizes.realizable_optimum.legs, **told(at_sizes.realizable_optimum)
            )
        ],
    ],
    rivals=[
        against("loss", "not halved", loss, the_square),
        against("loss", "without X", loss, without_X),
        against("normal equations", "of the point alone", gradient, of_the_point),
        against(
            "solved by the task", "the gradient is the task", gradient_at_the_task, task_itself
        ),
        against("the solution", "no solution but 0", solution, at_the_origin),
        against("and no other", "any point", gradient_by_inverse, everywhere),
        against("and no other fits", "any point fits", fit_by_inverse, everywhere),
    ],
)
