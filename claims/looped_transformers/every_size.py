"""Lemma 8.22 and the gradient before (8.2): identities of the least-squares loss for matrices of every size.

Setting. X in R^(n x d), y in R^n, l(theta) = |X theta - y|^2 / 2, for every n and d.

Statements. The gap of convexity between theta_1 and theta_2 at gamma is gamma (1 - gamma)/2 |X (theta_1 - theta_2)|^2.
Along every line l(theta + s v) = l(theta) + s <v, X^T X theta - X^T y> + s^2/2 |X v|^2: what is left after the linear
part is of second order in s, so that X^T X theta - X^T y is the gradient (its definition).

Both sides are polynomials in the traces of products of X, y and the vectors, which are the same once they are expanded;
so it does not matter how large the matrices are. `quadratic_identities` and `least_squares` run the loss itself.

Reference: Section 8.3-8.5 (arXiv 2410.11268).
"""

from __future__ import annotations

from theorycheck import formula

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

SLOPE = "dot(v, X^T*X*theta - X^T*y)"
AT, MOVED = LOSS.format("theta"), LOSS.format("theta + s*v")

gradient = formula(
    "looped-gradient-every-size",
    states="looped-gradient",
    title="The gradient of the least-squares loss, at every size",
    lhs=r"\ell(\theta+sv)-\ell(\theta)-\tfrac{s^2}2\,\|Xv\|^2",
    tex=r"s\,\langle v,\,X^\top X\theta-X^\top y\rangle",
    says=f"{MOVED} - {AT} - s**2/2*norm(X*v)^2 == s*{SLOPE}",
    over=[*SIZES, "theta, v in R^d", "s in (-oo, oo)"],
    covers="gradient",
    rivals={
        "twice": f"{MOVED} - {AT} - s**2/2*norm(X*v)^2 == 2*s*{SLOPE}",
        "the other sign of y": f"{MOVED} - {AT} - s**2/2*norm(X*v)^2 == s*dot(v, X^T*X*theta + X^T*y)",
        "no second order": f"{MOVED} - {AT} == s*{SLOPE}",
    },
)
