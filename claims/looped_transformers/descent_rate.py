"""Lemma 8.23 (quoted): gradient descent on strongly convex, smooth functions.

Setting. f is mu-strongly convex and L-smooth with minimiser x*, 0 < eta <= 1/L. (Definition 8.18
quantifies over t in (0, 1) where its inequality uses gamma.)

Statement. |x_t - x*|^2 <= (1 - eta mu)^t |x_0 - x*|^2.

Tried on functions that are no quadratics: f(x) = mu |x|^2 / 2 + (L - mu) sum_j h_j((A x)_j) with A
orthogonal and h_j(z) = log cosh(z - c_j) + z tanh(c_j), whose derivative tanh(z - c_j) + tanh(c_j) vanishes
at 0, so that x* = 0 exactly; and on quadratics, where (1 - eta mu)^{2t} is attained.

Reference: Lemma 8.23 (arXiv 2410.11268), after Garrigos and Gower 2023, Theorem 3.6.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, hypothesis, instances, integers, leg, reals, variant

d, t = sp.symbols("d t", integer=True, positive=True)
mu, L, eta = sp.symbols("mu L eta", positive=True)


def draw(rng, d, mu, L, eta, t):
    """A rational orthogonal A, shifts c and a start x0 that no eigenvector of the quadratic leaves out."""
    start = [Fraction(x) or Fraction(1) for x in rng.rational((d,), 4)]
    start[0] += 5
    return {"A": rng.orthogonal_rational(d), "c": rng.rational((d,), 2), "x0": start}


def matvec(ns, A, v):
    return ns.matmul(A, ns.expand_dims(v, axis=-1))[:, :, 0]


def squared_ratio(ns, x0, step, t):
    """|x_t|^2 / |x_0|^2 for x_{s+1} = step(x_s). Shape (B,)."""
    x = x0
    for _ in range(t):
        x = step(x)
    return ns.sum(x**2, axis=-1) / ns.sum(x0**2, axis=-1)


def log_cosh(ns, A, c, x0, mu, L, eta, t):
    """Contraction of gradient descent on the log-cosh function. Shape (B,)."""
    mu, L, eta = ns.asarray(mu), ns.asarray(L), ns.asarray(eta)

    def step(x):
        slopes = ns.tanh(matvec(ns, A, x) - c) + ns.tanh(c)
        return x - eta * (mu * x + (L - mu) * matvec(ns, ns.matrix_transpose(A), slopes))

    return squared_ratio(ns, x0, step, t)


def quadratic(ns, x0, mu, L, eta, d, t):
    """The same on sum_j lam_j x_j^2 / 2 with lam from mu to L; for d = 1 only lam = mu. Shape (B,)."""
    spread = [
        ns.asarray(mu) + (ns.asarray(L) - ns.asarray(mu)) * ns.rational(j, max(1, d - 1))
        for j in range(d)
    ]
    return squared_ratio(ns, x0, lambda x: x - ns.asarray(eta) * ns.stack(spread) * x, t)


def points(*rows):
    return [dict(zip((d, mu, L, eta, t), row, strict=True)) for row in rows]


HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
GRID = {
    "smoke": points(
        (1, 1, 2, HALF, 3), (2, 1, 4, Fraction(1, 4), 6), (2, TENTH, 1, 1, 8), (3, 1, 3, TENTH, 5)
    ),
    "standard": points(
        *(
            (size, m, 2, step, time)
            for size in (1, 2, 4)
            for m in (TENTH, 1)
            for step in (TENTH, HALF)
            for time in (1, 5, 20)
        )
    ),
}
DOMAIN = {
    d: integers(1),
    mu: reals(0, low_open=True),
    L: reals(0, low_open=True),
    eta: reals(0, low_open=True),
    t: integers(0),
}
gd_rate = claim(
    "looped-gd-rate",
    lhs=r"\frac{\|x_t-x^*\|^2}{\|x_0-x^*\|^2}",
    tex=r"(1-\eta\mu)^t",
    title="Rate of gradient descent for strongly convex, smooth functions",
    says=r"For $\mu$-strongly convex $L$-smooth $f$ and $0<\eta\le1/L$, "
    r"$\|x_t-x^*\|^2\le(1-\eta\mu)^t\|x_0-x^*\|^2$.",
    domain=DOMAIN,
    where=(mu <= L, eta * L <= 1),
    covers="rate-for-all-functions",
    reads={"f": "d mu L A c", "theta_0": "x0"},
    grid=GRID,
    closed_form=(1 - eta * mu) ** t,
    relation=at_most(),
    plot=t,
    legs=[
        leg("log cosh", log_cosh, instances=instances(draw, "A c x0", smoke=2, standard=4)),
        leg(
            "quadratic",
            quadratic,
            arithmetic="rational",
            instances=instances(draw, "A c x0", smoke=2, standard=4),
        ),
    ],
    assumes=[
        hypothesis("eta <= 1/L", without=points((2, HALF, 1, 2, 5)), leg="quadratic"),
    ],
    rivals=[
        variant("(1 - eta mu)^(3t)", closed_form=(1 - eta * mu) ** (3 * t), leg="quadratic"),
        variant("L for mu", closed_form=(1 - eta * L) ** t, leg="quadratic"),
        variant("L for mu, log cosh", closed_form=(1 - eta * L) ** t, leg="log cosh"),
        variant(
            "step 2/L",
            instances=instances(draw, "A c x0", smoke=1),
            leg="quadratic",
            at=points((2, HALF, 1, 2, 5)),
        ),
        variant(
            "step just above (2L - mu)/L^2",
            instances=instances(draw, "A c x0", smoke=3),
            leg="quadratic",
            at=points((2, HALF, 1, Fraction(3, 2) * Fraction(201, 200), 200)),
        ),
    ],
)
