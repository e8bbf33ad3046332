"""Lemma 8.22 and the gradient before (8.2): identities of the least-squares loss for matrices of every size.

Setting. X in R^(n x d), y in R^n, l(theta) = |X theta - y|^2 / 2, for every n and d.

Statements. The gap of convexity between theta_1 and theta_2 at gamma is gamma (1 - gamma)/2 |X (theta_1 - theta_2)|^2.
Along every line l(theta + s v) = l(theta) + s <v, X^T X theta - X^T y> + s^2/2 |X v|^2: what is left after the linear
part is of second order in s, so that X^T X theta - X^T y is the gradient (its definition).

Both sides of the first are polynomials in the traces of products of X, y and the vectors, which are the same once they
are expanded; so it does not matter how large the matrices are. Those of the second are programs, of which one is the
loss itself, on letters for matrices of any size (`_blocks`).

Reference: Section 8.3-8.5 (arXiv 2410.11268).
"""

from __future__ import annotations

from theorycheck import claim, formula, leg

from .all_sizes import against, shown
from .least_squares import gradient as programmed
from .least_squares import loss, matvec

SIZES = ("n, d in 1..oo", "X in R^(n x d)", "y in R^n")

LOSS = "norm(X*({}) - y)^2/2"
MIXED = LOSS.format("gamma*theta_1 + (1 - gamma)*theta_2")
GAP = f"gamma*{LOSS.format('theta_1')} + (1 - gamma)*{LOSS.format('theta_2')} - {MIXED}"

gap = formula(
    "looped-convexity-gap-every-size",
    states="looped-strong-convexity",
    title="The gap of convexity, at every size",
    lhs=r"\gamma\,\ell(\theta_1)+(1-\gamma)\,\ell(\theta_2)-\ell\big(\gamma\theta_1+(1-\gamma)\theta_2\big)",
    tex=r"\tfrac{\gamma(1-\gamma)}2\,\|X(\theta_1-\theta_2)\|^2",
    says=f"{GAP} == gamma*(1 - gamma)/2*norm(X*(theta_1 - theta_2))^2",
    over=[*SIZES, "theta_1, theta_2 in R^d", "gamma in (-oo, oo)"],
    covers="gap-identity",
    rivals={
        "1/8 at every gamma": f"{GAP} == 1/8*norm(X*(theta_1 - theta_2))^2",
        "without X": f"{GAP} == gamma*(1 - gamma)/2*norm(theta_1 - theta_2)^2",
        "as X theta_1 + X theta_2": f"{GAP} == gamma*(1 - gamma)/2*norm(X*(theta_1 + theta_2))^2",
    },
)


def beyond_second_order(ns, X, y, theta, v, s):
    """l(theta + s v) - l(theta) - s^2/2 |X v|^2, by the loss itself. Shape (B,)."""
    moved = loss(ns, X, y, theta + ns.expand_dims(s, axis=-1) * v)
    along = matvec(ns, X, v)
    curved = ns.sum(along * along, axis=-1) * ns.rational(1, 2)
    return moved - loss(ns, X, y, theta) - s * s * curved


def slope(ns, X, y, theta, v, s):
    """s <v, X^T X theta - X^T y>. Shape (B,)."""
    return s * ns.sum(v * programmed(ns, X, y, theta), axis=-1)


def twice_the_slope(ns, X, y, theta, v, s):
    return 2 * slope(ns, X, y, theta, v, s)


def of_other_labels(ns, X, y, theta, v, s):
    return slope(ns, X, -y, theta, v, s)


def with_second_order(ns, X, y, theta, v, s):
    return loss(ns, X, y, theta + ns.expand_dims(s, axis=-1) * v) - loss(ns, X, y, theta)


LINE = {"X": ("n", "d"), "y": ("n",), "theta": ("d",), "v": ("d",), "s": ()}
gradient = claim(
    "looped-gradient-every-size",
    states="looped-gradient",
    title="The gradient of the least-squares loss, at every size",
    lhs=r"\ell(\theta+sv)-\ell(\theta)-\tfrac{s^2}2\,\|Xv\|^2",
    tex=r"s\,\langle v,\,X^\top X\theta-X^\top y\rangle",
    says=r"Along every line $\frac12\|y-X(\theta+sv)\|^2$ is $\frac12\|y-X\theta\|^2+s\,\langle v,X^\top X\theta-"
    r"X^\top y\rangle+\frac{s^2}2\|Xv\|^2$.",
    covers="gradient",
    legs=[
        leg(
            "along a line",
            shown(beyond_second_order, slope, LINE),
            arithmetic="proof",
            over="X y theta",
        )
    ],
    rivals=[
        against("along a line", "twice", beyond_second_order, twice_the_slope, LINE),
        against("along a line", "other sign of y", beyond_second_order, of_other_labels, LINE),
        against("along a line", "no second order", with_second_order, slope, LINE),
    ],
)
