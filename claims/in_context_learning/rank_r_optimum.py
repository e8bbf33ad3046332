"""Theorem 5.4.1: the rank-r optimum of in-context linear regression.

Setting. Lambda = Q D Q^T with eigenvalues lam_1 >= .. >= lam_d >= 0, not all zero; prompts of N examples;
ltilde(U, u) = tr(u^2 Gamma Lambda U Lambda U^T / 2 - u Lambda^2 U^T), Gamma = (1 + 1/N) Lambda + tr(Lambda)/N I.

Statement. Over rank(U) <= r and real u, a minimiser is U = c Q V Q^T, u = 1/c with V diagonal, v_i = N /
((N+1) lam_i + tr D) for i <= r and 0 beyond. Its value (not printed) is -1/2 sum_{i<=r} N lam_i^2 / ((N+1)
lam_i + tr D).

Certificate. ltilde = |W - T|_F^2 / 2 - |T|_F^2 / 2 with W = u Gamma^{1/2} Lambda^{1/2} U Lambda^{1/2} of rank at
most r and T = Gamma^{-1/2} Lambda, so by Eckart and Young ltilde is at least minus half the sum of the r
largest eigenvalues of T T^T = Lambda Gamma^{-1} Lambda. They are enclosed from that matrix alone; this also
supplies what the printed proof asserts, that V may be taken diagonal. The minimiser is unique up to c only where
lam_r > lam_{r+1} and no eigenvalue vanishes.

Reference: Theorem 5.4.1 (Shi, Wei, Xu, Liang, ICML 2024). It is a statement about ltilde; about the network
only where the w21 blocks vanish (see `full_theta`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    RationalNamespace,
    at_least,
    attained,
    certificate,
    claim,
    instances,
    integers,
    leg,
    minimises,
    orthogonal,
    reals,
    search,
    spectra,
    theorem,
    variant,
)

from ._attention import covariance, gamma_matrix, quadratic_loss
from ._conditions import entries

N, r = sp.symbols("N r", integer=True, nonnegative=True)
i, j, d = sp.symbols("i j d", integer=True, positive=True)
lam = sp.IndexedBase("lam")


def value(v, top=r):
    """ltilde at U = Q diag(v) Q^T, u = 1 by the sum over kept directions, for a rule v(lam_i, tr D)."""
    trace = sp.Sum(lam[j], (j, 1, d))
    T = ((N + 1) * lam[i] + trace) / N
    term = T * lam[i] ** 2 * v(lam[i], trace) ** 2 / 2 - lam[i] ** 2 * v(lam[i], trace)
    return sp.Sum(term, (i, 1, top))


OPTIMUM = -sp.Sum(N * lam[i] ** 2 / ((N + 1) * lam[i] + sp.Sum(lam[j], (j, 1, d))), (i, 1, r)) / 2


def rotation(rng, d):
    """An eigenbasis, and a scale c of either sign."""
    c = Fraction(int(rng.integers(1, 9)), 4) * int(rng.signs())
    return {"Q": rng.orthogonal_rational(d), "c": c}


def at(ns, Q, c, lam, N, v):
    """ltilde at U = c Q diag(v) Q^T, u = 1/c, one instance after the other. Shape (B,)."""
    losses = []
    for b in range(Q.shape[0]):
        U = c[b] * covariance(ns, v, Q[b])
        losses.append(quadratic_loss(ns, covariance(ns, lam, Q[b]), N, U, 1 / c[b]))
    return ns.stack(losses)


def kept(lam, N, r, keep=None):
    """v_i = N / ((N+1) lam_i + tr D) for the kept indices (the first r unless told), else 0."""
    keep = range(r) if keep is None else keep
    return [Fraction(N) / ((N + 1) * x + sum(lam)) if n in keep else 0 for n, x in enumerate(lam)]


def construction(ns, Q, c, lam, N, r):
    """ltilde at the stated minimiser. Shape (B,)."""
    return at(ns, Q, c, lam, N, kept(lam, N, r))


def truncated(ns, Q, c, lam, N, r):
    """ltilde at the minimiser of full rank Gamma^{-1}, cut to the first r eigenvectors. Shape (B,)."""
    losses = []
    for b in range(Q.shape[0]):
        Lam, first = covariance(ns, lam, Q[b]), Q[b][:, :r]
        cut = ns.matmul(first, ns.matrix_transpose(first))
        U = c[b] * ns.matmul(ns.inv(gamma_matrix(ns, Lam, N)), cut)
        losses.append(quadratic_loss(ns, Lam, N, U, 1 / c[b]))
    return ns.stack(losses)


def eckart_young(ns, Q, lam, N, r):
    """Minus half the sum of the r largest eigenvalues of Lambda Gamma^{-1} Lambda. Shape (B,)."""
    bounds = []
    for b in range(Q.shape[0]):
        Lam = covariance(ns, lam, Q[b])
        matrix = ns.matmul(Lam, ns.matmul(ns.inv(gamma_matrix(ns, Lam, N)), Lam))
        top = ns.eigvalsh((matrix + ns.matrix_transpose(matrix)) * ns.rational(1, 2))
        size = top.shape[0]
        bounds.append(-ns.sum(top[size - r :]) * ns.rational(1, 2) if r else top[0] * 0)
    return ns.stack(bounds)


def alternating(Q, lam, N, r):
    """Best ltilde over U = A B, A (d, r), B (r, d), by alternating least squares from random starts. The
    factors found are rounded to rationals, so that the value is that of a feasible point, exactly."""
    if r == 0:
        return Fraction(0)
    ns, size = RationalNamespace(), len(lam)
    Lam = np.array(covariance(ns, lam, ns.asarray(Q)).data, dtype=object).astype(float)
    left = ((1 + 1 / N) * Lam + np.trace(Lam) / N * np.eye(size)) @ Lam
    A = np.random.default_rng(0).standard_normal((20, size, r))
    for _ in range(300):
        At = np.swapaxes(A, 1, 2)
        B = np.linalg.solve(At @ left @ A, At @ Lam)
        Bt = np.swapaxes(B, 1, 2)
        A = np.linalg.inv(left) @ Lam @ Lam @ Bt @ np.linalg.inv(B @ Lam @ Bt)
    U = A @ B
    losses = np.trace(left @ U @ Lam @ np.swapaxes(U, 1, 2), axis1=1, axis2=2) / 2
    best = int(np.argmin(losses - np.trace(Lam @ Lam @ np.swapaxes(U, 1, 2), axis1=1, axis2=2)))
    exact = [ns.asarray([[Fraction(x) for x in row] for row in M]) for M in (A[best], B[best])]
    Lam = covariance(ns, lam, ns.asarray(Q))
    return quadratic_loss(ns, Lam, N, ns.matmul(*exact), ns.asarray(1)).data[()]


def keeping(*indices):
    def simulation(ns, Q, c, lam, N, r):
        return at(ns, Q, c, lam, N, kept(lam, N, r, keep=indices))

    return simulation


def rule(v):
    def simulation(ns, Q, c, lam, N, r):
        trace = Fraction(sum(lam))
        return at(
            ns,
            Q,
            c,
            lam,
            N,
            [v(Fraction(x), trace, N, lam) if n < r else 0 for n, x in enumerate(lam)],
        )

    return simulation


HALF = Fraction(1, 2)
POINTS = {
    "smoke": [
        {lam: (4, 2, HALF), d: 3, N: 7, r: 1},
        {lam: (4, 2, HALF), d: 3, N: 7, r: 2},
        {lam: (9, 1, Fraction(1, 9)), d: 3, N: 1, r: 2},
        {lam: (3, 1), d: 2, N: 3, r: 1},
    ],
    "standard": [
        {lam: s, d: len(s), N: n, r: rank}
        for s in ((4, 2, HALF), (9, 1, Fraction(1, 9)), (3, 2, 1, HALF, Fraction(1, 4)), (5, 5, 5))
        for n in (3, 100)
        for rank in range(len(s) + 1)
    ],
}
SEARCHED = {
    "smoke": POINTS["smoke"],
    "standard": [
        {lam: (3, 2, 1, HALF, Fraction(1, 4)), d: 5, N: 20, r: rank} for rank in (1, 2, 3, 5)
    ],
}
SAMPLE = instances(rotation, {"Q": orthogonal(d), "c": reals(without=[0])}, smoke=2, standard=3)
ANY = {"Lambda": "lam Q"}
SETTING = {lam: spectra(d, nonzero=True), d: integers(1), N: integers(1), r: integers(0)}

rank_r_optimum = claim(
    "icl-rank-r-optimum",
    lhs=r"\tilde\ell(U,u)",
    tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    title="Rank-r optimum of the linear-attention loss",
    says=r"The minimum of $\tilde\ell$ over $\operatorname{rank}(U)\le r$ and real $u$ is "
    r"$-\frac12\sum_{i\le r}N\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$, attained at "
    r"$U=cQVQ^\top$, $u=1/c$.",
    role="reading",
    covers="minimum-value printed-family-attains truncation-of-full-rank no-better-pair",
    reads=ANY,
    domain=SETTING,
    where=[entries, r <= d],
    grid=POINTS,
    closed_form=OPTIMUM,
    relation=minimises(),
    legs=[
        attained(
            construction,
            arithmetic="rational",
            instances=SAMPLE,
            covers="minimum-value printed-family-attains",
        ),
        attained(
            truncated,
            arithmetic="rational",
            instances=SAMPLE,
            covers="truncation-of-full-rank",
            name="the optimum of full rank, cut off",
        ),
        certificate(
            eckart_young,
            name="Eckart-Young certificate",
            instances=SAMPLE,
            over="U u",
            lemma=theorem("Eckart-Young", invariant="the Frobenius norm"),
            covers="minimum-value no-better-pair",
        ),
        search(
            alternating,
            instances=instances(rotation, "Q c", smoke=1),
            name="alternating least squares",
            grid=SEARCHED,
            covers="no-better-pair",
        ),
    ],
    rivals=[
        variant("v = 1/lam", simulation=rule(lambda x, t, N, lam: 1 / x)),
        variant("N + 1 for N", simulation=rule(lambda x, t, N, lam: (N + 1) / ((N + 2) * x + t))),
        variant("no trace term", simulation=rule(lambda x, t, N, lam: N / ((N + 1) * x))),
        variant(
            "trace of the kept block",
            simulation=rule(lambda x, t, N, lam: N / ((N + 1) * x + lam[0])),
            at=POINTS["smoke"][:1],
        ),
        variant("keeps the second direction", simulation=keeping(1), at=POINTS["smoke"][:1]),
        variant("keeps the last direction", simulation=keeping(2), at=POINTS["smoke"][:1]),
        variant("value without 1/2", closed_form=2 * OPTIMUM),
        variant("value at v = 1/lam", closed_form=value(lambda x, trace: 1 / x)),
    ],
)


def other_at_a_tie(ns, Q, c, lam, N, r):
    """ltilde where direction r + 1 is kept in place of direction r. Shape (B,)."""
    return at(ns, Q, c, lam, N, kept(lam, N, r, keep=[*range(r - 1), r]))


only_the_family = claim(
    "icl-rank-r-optimum-unique",
    lhs=r"\tilde\ell(U,u)",
    tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-rank-r-optimum",
    title="The printed family is all of the minimisers, as it can be read",
    says=r"No other rank-r matrix reaches the minimum. False where $\lambda_r = \lambda_{r+1}$: "
    "direction $r + 1$ does as well.",
    role="reading",
    expect="fail",
    covers="argmin-is-the-family",
    reads=ANY,
    domain=SETTING,
    where=[entries, r >= 1, r < d],
    grid={
        "smoke": [{lam: (5, 5, 1), d: 3, N: 3, r: 1}],
        "standard": [{lam: (4, 2, 2), d: 3, N: 10, r: 2}],
    },
    closed_form=OPTIMUM,
    relation=at_least(strict=True),
    legs=[leg("another direction kept", other_at_a_tie, arithmetic="rational", instances=SAMPLE)],
)
