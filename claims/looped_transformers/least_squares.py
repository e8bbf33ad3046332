"""Equations 8.1-8.2, Lemmas 8.11, 8.20, 8.21, 8.22: what the chapter uses of least squares.

Setting. l(theta) = |y - X theta|^2 / 2, H = X^T X with eigenvalues lam_1 >= .. >= lam_d.

Statements. The gradient is H theta - X^T y; it is lam_1-Lipschitz and no smaller constant will do (Lemma
8.20, best constant ours); l is lam_d-strongly convex and no larger constant will do (Lemma 8.22); v^T H v
>= lam_d |v|^2 (Lemma 8.21); if H is invertible and y = X theta*, the normal equations give theta* (Lemma
8.11; "inevitable" is printed for invertible).

Reference: Section 8.4-8.5 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    attained,
    certificate,
    claim,
    equals,
    instances,
    integers,
    leg,
    maximises,
    minimises,
    search,
    spectra,
    theorem,
    variant,
)
from theorycheck.blocks.rational_matrices import column, realizable, with_spectrum

n, d = sp.symbols("n d", integer=True, positive=True)
lam = sp.IndexedBase("lam")


def matvec(ns, A, v):
    """A v for A (B, m, d), v (B, d); result (B, m)."""
    return ns.matmul(A, ns.expand_dims(v, axis=-1))[:, :, 0]


def loss(ns, X, y, theta):
    """|y - X theta|^2 / 2. Shape (B,)."""
    return ns.sum((y - matvec(ns, X, theta)) ** 2, axis=-1) * ns.rational(1, 2)


# ---- the gradient


def any_problem(rng, n, d):
    return {
        "X": rng.rational((n, d), 4),
        "y": rng.rational((n,), 4),
        "theta": rng.rational((d,), 4),
    }


def differences(ns, X, y, theta, d):
    """Central differences with step 1, exact for a quadratic. Shape (B, d)."""
    basis = ns.eye(d)
    gaps = [loss(ns, X, y, theta + basis[j]) - loss(ns, X, y, theta - basis[j]) for j in range(d)]
    return ns.stack(gaps, axis=-1) * ns.rational(1, 2)


def gradient(ns, X, y, theta):
    """X^T (X theta - y). Shape (B, d)."""
    return matvec(ns, ns.matrix_transpose(X), matvec(ns, X, theta) - y)


def twice(ns, X, y, theta):
    return 2 * gradient(ns, X, y, theta)


def negative(ns, X, y, theta):
    return -gradient(ns, X, y, theta)


gradient_claim = claim(
    "looped-gradient",
    lhs=r"\nabla\ell(\theta)",
    tex=r"X^\top X\theta-X^\top y",
    title="Gradient of the least-squares loss",
    says=r"For all $X$, $y$, $\theta$ the gradient of $\frac12\|y-X\theta\|^2$ is $X^\top "
    r"X\theta-X^\top y$.",
    covers="gradient",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [1, 3], d: [1, 2]}, "standard": {n: [1, 2, 5], d: [1, 2, 4]}},
    relation=equals(),
    legs=[
        leg(
            "exact differences",
            differences,
            arithmetic="rational",
            reference=gradient,
            instances=instances(any_problem, "X y theta", smoke=4, standard=10),
        ),
    ],
    rivals=[variant("factor 2", reference=twice), variant("other sign", reference=negative)],
)


# ---- its best Lipschitz and convexity constants

SPECTRA = {
    "smoke": [{lam: (3, 1)}, {lam: (Fraction(9, 2), 2, Fraction(1, 3))}],
    "standard": [
        {lam: s}
        for s in ((2,), (3, 1), (7, 7, 2), (Fraction(9, 2), 2, Fraction(1, 3)), (9, 5, 3, 1))
    ],
}
DEFICIENT = {**SPECTRA, "smoke": [*SPECTRA["smoke"], {lam: (2, 0)}]}
OF_X = {"X": "lam X"}


def extremal(which):
    """X with spectrum lam, any y; a - b along the top (0) or bottom (-1) eigenvector and no unit vector, or at
    random."""

    def draw(rng, lam):
        X, V = with_spectrum(rng, lam)
        a = [Fraction(x) for x in rng.rational((len(lam),), 4)]
        move = [Fraction(x) for x in rng.rational((len(lam),), 4)]
        move[0] += 9 if which is None else 0
        top = column(V, 0)
        if (
            sum(m * t for m, t in zip(move, top, strict=True)) == 0
        ):  # the quotient may be 0, its root undecided
            move = [m + t for m, t in zip(move, top, strict=True)]
        step = move if which is None else column(V, which)
        far = int(rng.integers(2, 5))
        return {
            "X": X,
            "y": rng.rational((len(X),), 4),
            "a": a,
            "b": [x + far * s for x, s in zip(a, step, strict=True)],
            "gamma": Fraction(int(rng.integers(1, 8)), 8),
        }

    return draw


def at_an_eighth(rng, lam):
    """Along the bottom eigenvector at gamma = 1/8, where another weight than gamma (1 - gamma)/2 shows."""
    return {**extremal(-1)(rng, lam), "gamma": Fraction(1, 8)}


def pairs(which, **count):
    return instances(extremal(which), "X y a b gamma", **count)


def squared_quotient(ns, X, y, a, b):
    """|grad(a) - grad(b)|^2 / |a - b|^2. Shape (B,)."""
    difference = gradient(ns, X, y, a) - gradient(ns, X, y, b)
    return ns.sum(difference**2, axis=-1) / ns.sum((a - b) ** 2, axis=-1)


def lipschitz_quotient(ns, X, y, a, b):
    return ns.sqrt(squared_quotient(ns, X, y, a, b))


def eigenvalues(ns, X):
    """Eigenvalues of X^T X, ascending, as certified enclosures. Shape (B, d)."""
    return ns.eigvalsh(ns.matmul(ns.matrix_transpose(X), X))


def largest(ns, X):
    return eigenvalues(ns, X)[:, -1]


def smallest(ns, X):
    return eigenvalues(ns, X)[:, 0]


def convexity_quotient(ns, X, y, a, b, gamma):
    """The gap of convexity between a and b at gamma, over gamma (1 - gamma) |a-b|^2 / 2: the strong convexity
    that they allow. Shape (B,)."""
    mixed = ns.expand_dims(gamma, axis=-1) * a + ns.expand_dims(1 - gamma, axis=-1) * b
    chord = gamma * loss(ns, X, y, a) + (1 - gamma) * loss(ns, X, y, b)
    gap = chord - loss(ns, X, y, mixed)
    return 2 * gap / (gamma * (1 - gamma) * ns.sum((a - b) ** 2, axis=-1))


smoothness = claim(
    "looped-smoothness",
    lhs=r"\frac{\|\nabla L(x)-\nabla L(y)\|}{\|x-y\|}",
    title="Lipschitz constant of the least-squares gradient",
    says=r"The smallest Lipschitz constant of the gradient is $\lambda_{\max}(X^\top X)$.",
    covers="lipschitz best-constant",
    reads=OF_X,
    domain={lam: spectra(nonzero=True)},
    grid=DEFICIENT,
    closed_form=lam[1],
    relation=maximises(),
    legs=[
        attained(
            lipschitz_quotient,
            instances=pairs(0, smoke=1, standard=2),
            covers="best-constant",
            gives="theta_1 theta_2",
        ),
        certificate(
            largest,
            instances=pairs(0, smoke=1, standard=2),
            covers="lipschitz",
            over="theta_1 theta_2",
            lemma=theorem("Rayleigh-Ritz", symmetric="X^T X"),
        ),
        search(
            lipschitz_quotient,
            name="random pairs",
            instances=pairs(None, smoke=2, standard=4),
            covers="lipschitz",
        ),
    ],
    rivals=[
        variant("singular value of X", closed_form=sp.sqrt(lam[1])),
        variant("twice (loss without 1/2)", closed_form=2 * lam[1]),
        variant("trace of X^T X", closed_form=lambda lam: sum(lam)),
        variant("divided by n = 4d", closed_form=lambda lam: lam[0] / (4 * len(lam))),
        variant("a random pair", instances=pairs(None, smoke=1)),
    ],
)

strong_convexity = claim(
    "looped-strong-convexity",
    lhs=r"\frac{\gamma\,\ell(\theta_1)+(1-\gamma)\,\ell(\theta_2)-\ell(\gamma\theta_1+(1-\gamma)\theta_2)}{\frac12\gamma(1-\gamma)\,\|\theta_1-\theta_2\|^2}",
    tex=r"\lambda_{\min}(X^\top X)",
    title="Strong convexity constant of least squares",
    says=r"The largest strong convexity constant of the loss is $\lambda_{\min}(X^\top X)$.",
    covers="strong-convexity best-modulus",
    reads=OF_X,
    domain={lam: spectra(positive=True)},
    grid=SPECTRA,
    closed_form=lambda lam: lam[-1],
    relation=minimises(),
    legs=[
        attained(
            convexity_quotient,
            arithmetic="rational",
            instances=pairs(-1, smoke=1, standard=2),
            covers="best-modulus",
            gives="theta_1 theta_2 gamma",
        ),
        attained(
            convexity_quotient,
            name="at gamma = 1/8",
            arithmetic="rational",
            instances=instances(at_an_eighth, "X y a b gamma", smoke=1),
            covers="best-modulus",
            gives="theta_1 theta_2 gamma",
        ),
        certificate(
            smallest,
            instances=pairs(-1, smoke=1, standard=2),
            covers="strong-convexity",
            over="theta_1 theta_2 gamma",
            lemma=theorem("Rayleigh-Ritz", symmetric="X^T X"),
        ),
    ],
    rivals=[
        variant(
            "a margin above a zero eigenvalue",
            closed_form=lambda lam: lam[-1] + 1,
            at=[{lam: (2, 0)}],
        ),
        variant("singular value of X", closed_form=lambda lam: sp.sqrt(lam[-1])),
        variant("half", closed_form=lambda lam: lam[-1] / 2),
        variant("a random pair", instances=pairs(None, smoke=1)),
    ],
)


def energy(ns, X, a):
    """a^T X^T X a. Shape (B,)."""
    return ns.sum(matvec(ns, X, a) ** 2, axis=-1)


def squared_length(ns, X, a, lam, which=-1):
    return ns.asarray(lam[which]) * ns.sum(a**2, axis=-1)


def with_largest(ns, X, a, lam):
    return squared_length(ns, X, a, lam, which=0)


def with_smallest_nonzero(ns, X, a, lam):
    return ns.asarray([x for x in lam if x][-1]) * ns.sum(a**2, axis=-1)


def draw_vector(along):
    """X with spectrum lam and a vector: random, or the bottom eigenvector."""

    def draw(rng, lam):
        X, V = with_spectrum(rng, lam)
        return {"X": X, "a": rng.rational((len(lam),), 5) if along is None else column(V, along)}

    return draw


rayleigh = claim(
    "looped-rayleigh",
    lhs=r"v^\top X^\top Xv",
    tex=r"\lambda_{\min}(X^\top X)\,\|v\|^2",
    title="Rayleigh lower bound",
    says=r"$v^\top X^\top Xv\ge\lambda_{\min}(X^\top X)\|v\|^2$ for all $v$, also where "
    r"$\lambda_{\min}=0$.",
    covers="rayleigh",
    reads={**OF_X, "v": "a"},
    domain={lam: spectra()},
    grid=DEFICIENT,
    relation=at_least(),
    legs=[
        leg(
            "random vectors",
            energy,
            arithmetic="rational",
            reference=squared_length,
            instances=instances(draw_vector(None), "X a", smoke=6, standard=30),
        ),
        leg(
            "bottom eigenvector",
            energy,
            arithmetic="rational",
            reference=squared_length,
            instances=instances(draw_vector(-1), "X a", smoke=1),
        ),
    ],
    rivals=[
        variant("largest eigenvalue", reference=with_largest, leg="random vectors"),
        variant(
            "smallest eigenvalue that is not 0",
            reference=with_smallest_nonzero,
            leg="bottom eigenvector",
        ),
        variant(
            "largest eigenvalue at the bottom eigenvector",
            reference=with_largest,
            leg="bottom eigenvector",
        ),
    ],
)


# ---- noise-free least squares


def noise_free(noise=False, repeated=False):
    def draw(rng, n, d):
        theta_star = [Fraction(x) for x in rng.rational((d,), 5)]
        X = [[Fraction(x) for x in row] for row in rng.rational((n, d), 5)]
        for j in range(d):
            X[j][j] += 100  # diagonally dominant in its first d rows: full column rank
        if repeated:
            X = [[*row[:-1], row[0]] for row in X]  # the last column is the first
        y = realizable(X, theta_star)
        if noise:
            y[0] += Fraction(1, 10)
        return {"X": X, "y": y, "theta_star": theta_star}

    return draw


def least_squares(ns, X, y):
    """Solution of the normal equations. Shape (B, d)."""
    Xt = ns.matrix_transpose(X)
    return ns.solve(ns.matmul(Xt, X), ns.matmul(Xt, ns.expand_dims(y, axis=-1)))[:, :, 0]


def of_least_norm(ns, X, y):
    """The least-squares solution of least norm where the last column is the first: the weight of that column
    in the problem without it, shared by both. Shape (B, d)."""
    without = least_squares(ns, X[:, :, :-1], y)
    shared = without[:, :1] * ns.rational(1, 2)
    return ns.concat([shared, without[:, 1:], shared], axis=-1)


def truth(ns, theta_star):
    return theta_star


realizable_optimum = claim(
    "looped-realizable-optimum",
    lhs=r"(X^\top X)^{-1}X^\top y",
    tex=r"\theta^*",
    title=r"Noise-free least squares recovers $\theta^*$",
    says=r"If $y = X \theta^*$ and $X^\top X$ is invertible, the least-squares solution is $\theta^*$.",
    role="reading",  # with the assumption of the sentence before the lemma; `full_rank` reads it without
    covers="recovers-truth",
    domain={n: integers(1), d: integers(1)},
    where=n >= d,
    grid={"smoke": {n: [2, 4], d: [1, 2]}, "standard": {n: [3, 5, 8], d: [1, 2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "exact",
            least_squares,
            arithmetic="rational",
            reference=truth,
            instances=instances(noise_free(), "X y theta_star", smoke=3, standard=8),
        ),
    ],
    rivals=[
        variant(
            "noisy labels", instances=instances(noise_free(noise=True), "X y theta_star", smoke=2)
        ),
        variant(
            "n > d alone: a repeated column",
            simulation=of_least_norm,
            at=[{n: 7, d: 3}],
            instances=instances(noise_free(repeated=True), "X y theta_star", smoke=2),
        ),
    ],
)
