"""Equation 8.2 and the proof steps of Lemmas 8.20 and 8.22: three identities of the least-squares loss.

Setting. As in `least_squares`: l(theta) = |y - X theta|^2 / 2, H = X^T X.

Statements. A step of (8.2) subtracts eta^(t-1) times the gradient at theta^(t-1), so that for eta != 0 the fixed
points are the zeros of the gradient, the solutions of the normal equations. The gap of convexity between two points
at gamma is gamma (1 - gamma)/2 |X (theta_1 - theta_2)|^2 (the proof of Lemma 8.22 prints <=). The largest
eigenvalue of H is the square of the largest singular value of X, and the spectral norm of H (Lemma 8.20 uses the
three as one).

Reference: Section 8.3-8.5 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    identity_for_all,
    instances,
    integers,
    leg,
    matrices,
    reals,
    spectra,
    steps,
    variant,
    vectors,
)

from ._models import gradient_descent
from .least_squares import differences, extremal, gradient, loss, matvec

n, d, t = sp.symbols("n d t", integer=True, positive=True)
lam = sp.IndexedBase("lam")

# ---- one step


def move(ns, X, y, theta, eta, t):
    """theta^(t) - theta^(t-1), by gradient descent from theta. Shape (B, d)."""
    after = gradient_descent(ns, X, y, theta, eta, t)
    return after - gradient_descent(ns, X, y, theta, eta, t - 1)


def step_by_differences(ns, X, y, theta, eta, t):
    """-eta^(t-1) times the gradient at theta^(t-1), which central differences of the loss give. Shape (B, d)."""
    before = gradient_descent(ns, X, y, theta, eta, t - 1)
    return -eta[:, t - 1 : t] * differences(ns, X, y, before, X.shape[2])


def with_the_first_step_size(ns, X, y, theta, eta, t):
    return step_by_differences(ns, X, y, theta, eta[:, :1] + 0 * eta, t)


def at_the_new_point(ns, X, y, theta, eta, t):
    after = gradient_descent(ns, X, y, theta, eta, t)
    return -eta[:, t - 1 : t] * gradient(ns, X, y, after)


def one_more(ns, X, y, theta, eta, t):
    return step_by_differences(ns, X, y, theta, eta, t) + 1


def one_less(ns, X, y, theta, eta, t):
    return step_by_differences(ns, X, y, theta, eta, t) - 1


def for_every_step(n, d, t):
    return identity_for_all(move, step_by_differences, with_shapes(n, d, t), t=t)


def first_step_size_for_all(n, d, t):
    return identity_for_all(move, with_the_first_step_size, with_shapes(n, d, t), t=t)


def with_shapes(n, d, t):
    return {"X": (1, n, d), "y": (1, n), "theta": (1, d), "eta": (1, t)}


STEPS = {"X": matrices(n, d), "y": vectors(n), "theta": vectors(d), "eta": steps(t, positive=True)}
update = claim(
    "looped-gradient-update",
    lhs=r"\theta^{(t)}-\theta^{(t-1)}",
    tex=r"-\eta^{(t-1)}\,\nabla\ell(\theta^{(t-1)})",
    states="looped-gradient",
    title="A step of gradient descent",
    says=r"Step $t$ of (8.2) subtracts $\eta^{(t-1)}\nabla\ell(\theta^{(t-1)})$, so that it stays in place exactly "
    r"at the solutions "
    "of the normal equations.",
    covers="update",
    domain={n: integers(1), d: integers(1), t: integers(1)},
    grid={"smoke": {n: [1, 3], d: [1, 2], t: [1, 2, 4]}},
    relation=equals(),
    legs=[
        leg(
            "differences",
            move,
            arithmetic="rational",
            reference=step_by_differences,
            instances=instances(STEPS, smoke=2, standard=6),
        ),
        leg(
            "indeterminates",
            for_every_step,
            arithmetic="proof",
            over="X y eta",
            grid={
                "smoke": [
                    {n: 1, d: 1, t: 2},
                    {n: 2, d: 2, t: 1},
                    {n: 2, d: 2, t: 2},
                    {n: 3, d: 2, t: 1},
                ]
            },
            where=n * d * t <= 8,
        ),
    ],
    rivals=[
        variant(
            "the first step size in every step",
            reference=with_the_first_step_size,
            at=[{n: 3, d: 2, t: 4}],
        ),
        variant("the gradient at the new point", reference=at_the_new_point),
        variant("one more", reference=one_more),
        variant("one less", reference=one_less),
        variant(
            "the first step size, for all",
            simulation=first_step_size_for_all,
            leg="indeterminates",
            at=[{n: 1, d: 1, t: 2}],
        ),
    ],
)


# ---- the gap of convexity


def gap(ns, X, y, theta_1, theta_2, gamma):
    """gamma l(theta_1) + (1 - gamma) l(theta_2) - l(mixed). Shape (B,)."""
    share = ns.expand_dims(gamma, axis=-1)
    mixed = loss(ns, X, y, share * theta_1 + (1 - share) * theta_2)
    return gamma * loss(ns, X, y, theta_1) + (1 - gamma) * loss(ns, X, y, theta_2) - mixed


def stated_gap(ns, X, y, theta_1, theta_2, gamma):
    return gamma * (1 - gamma) * squared_move(ns, X, theta_1, theta_2) / 2


def squared_move(ns, X, theta_1, theta_2):
    """|X (theta_1 - theta_2)|^2. Shape (B,)."""
    return ns.sum(matvec(ns, X, theta_1 - theta_2) ** 2, axis=-1)


def smaller_share(ns, X, y, theta_1, theta_2, gamma):
    """min(gamma, 1 - gamma)/4 in place of gamma (1 - gamma)/2: the same at gamma = 1/2 only."""
    return ns.minimum(gamma, 1 - gamma) * squared_move(ns, X, theta_1, theta_2) / 4


def gap_less_one(ns, X, y, theta_1, theta_2, gamma):
    return stated_gap(ns, X, y, theta_1, theta_2, gamma) - 1


def midpoint_weight(ns, X, y, theta_1, theta_2, gamma):
    return squared_move(ns, X, theta_1, theta_2) / 8 + 0 * gamma


def gap_for_all(n, d):
    return identity_for_all(gap, stated_gap, pair_shapes(n, d))


def midpoint_for_all(n, d):
    return identity_for_all(gap, midpoint_weight, pair_shapes(n, d))


def pair_shapes(n, d):
    return {"X": (1, n, d), "y": (1, n), "theta_1": (1, d), "theta_2": (1, d), "gamma": (1,)}


PAIRS = {
    "X": matrices(n, d),
    "y": vectors(n),
    "theta_1": vectors(d),
    "theta_2": vectors(d),
    "gamma": reals(),
}
gap_identity = claim(
    "looped-convexity-gap",
    lhs=r"\gamma\,\ell(\theta_1)+(1-\gamma)\,\ell(\theta_2)-\ell\big(\gamma\theta_1+(1-\gamma)\theta_2\big)",
    tex=r"\tfrac{\gamma(1-\gamma)}2\,\|X(\theta_1-\theta_2)\|^2",
    states="looped-strong-convexity",
    title="The gap of convexity of least squares",
    says=r"For all $X$, $y$, $\theta_1$, $\theta_2$ and real $\gamma$ the gap equals "
    r"$\frac{\gamma(1-\gamma)}2\|X(\theta_1-\theta_2)\|^2$.",
    covers="gap-identity",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [1, 3], d: [1, 2]}},
    relation=equals(),
    legs=[
        leg(
            "exact",
            gap,
            arithmetic="rational",
            reference=stated_gap,
            instances=instances(PAIRS, smoke=4, standard=10),
        ),
        leg(
            "indeterminates",
            gap_for_all,
            arithmetic="proof",
            over="X y theta_1 theta_2 gamma",
            grid={"smoke": {n: [1, 2, 3], d: [1, 2]}},
            where=n * d <= 12,
        ),
    ],
    rivals=[
        variant("min(gamma, 1 - gamma)/4", reference=smaller_share, leg="exact"),
        variant("1/8 at every gamma", reference=midpoint_weight, leg="exact"),
        variant("one less", reference=gap_less_one, leg="exact"),
        variant("1/8 at every gamma, for all", simulation=midpoint_for_all, leg="indeterminates"),
    ],
)


# ---- three names of one number


def draw(rng, lam):
    """X with X^T X of the given spectrum: what `extremal` draws."""
    return {"X": extremal(None)(rng, lam)["X"]}


def singular_value_squared(ns, X):
    """The largest eigenvalue of X X^T, n x n, and not of X^T X. Shape (B,)."""
    return ns.eigvalsh(ns.matmul(X, ns.matrix_transpose(X)))[:, -1]


def spectral_norm(ns, X):
    """sqrt of the largest eigenvalue of H^T H, H = X^T X. Shape (B,)."""
    H = ns.matmul(ns.matrix_transpose(X), X)
    return ns.sqrt(ns.eigvalsh(ns.matmul(ns.matrix_transpose(H), H))[:, -1])


def singular_value(ns, X):
    return ns.sqrt(singular_value_squared(ns, X))


def frobenius(ns, X):
    return ns.sum(ns.sum(X**2, axis=-1), axis=-1)


one_number = claim(
    "looped-smoothness-norms",
    lhs=r"\sigma_{\max}(X)^2,\ \|X^\top X\|",
    tex=r"\lambda_{\max}(X^\top X)",
    states="looped-smoothness",
    title="The largest eigenvalue as a squared singular value and a spectral norm",
    says=r"$\lambda_{\max}(X^\top X)=\sigma_{\max}(X)^2=\|X^\top X\|$ for every $X$.",
    covers="equals-sigma-squared",
    reads={"X": "lam X"},
    domain={lam: spectra(nonzero=True)},
    grid={"smoke": [{lam: (3, 1)}, {lam: (2, 0)}, {lam: (Fraction(9, 2), 2, Fraction(1, 3))}]},
    closed_form=lambda lam: lam[0],
    relation=equals(),
    legs=[
        leg(
            "singular value",
            singular_value_squared,
            instances=instances(draw, "X", smoke=2, standard=4),
        ),
        leg("spectral norm", spectral_norm, instances=instances(draw, "X", smoke=2, standard=4)),
    ],
    rivals=[
        variant("not squared", simulation=singular_value),
        variant("Frobenius norm squared", simulation=frobenius),
        variant("the spectral norm of X", simulation=singular_value, leg="spectral norm"),
    ],
)
