"""Lemma D.1: the minimum of the loss, and how far a pair (U, u) is above it.

Setting. ltilde as in `rank_r_optimum`, Lambda with eigenvalues lam_i and tr Lambda > 0, T_i = (1 + 1/N) lam_i + tr D/N
those of Gamma.

Statements. ltilde - min ltilde = |Gamma^{1/2} (u Lambda^{1/2} U Lambda^{1/2} - Lambda Gamma^{-1})|_F^2 / 2; entry
by entry, with V = u Q^T U Q, this is half of sum_i T_i lam_i^2 (V_ii - 1/T_i)^2 + sum_{i != j} T_i lam_i lam_j
V_ij^2 (the sketch of Theorem 5.4.1 prints it without the half and without the second sum). min ltilde =
-tr(Lambda^2 Gamma^{-1})/2, which every (c Gamma^{-1}, 1/c) reaches, c != 0.

Reference: Lemma D.1, proof of Theorem 5.4.1 (Shi, Wei, Xu, Liang, ICML 2024).
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
    orthogonal,
    reals,
    spectra,
    variant,
)

from ._attention import covariance, gamma_matrix, quadratic_loss, turned
from ._conditions import entries

N, d = sp.symbols("N d", integer=True, positive=True)
i, j = sp.symbols("i j", integer=True, positive=True)
lam = sp.IndexedBase("lam")


def weights(rng, d):
    return {
        "U": rng.rational((d, d), 4),
        "u": Fraction(int(rng.integers(1, 9)), 3) * int(rng.signs()),
    }


def excess(ns, Lam, N, U, u):
    """ltilde(U, u) - ltilde(Gamma^{-1}, 1). Shape ()."""
    best = quadratic_loss(ns, Lam, N, ns.inv(gamma_matrix(ns, Lam, N)), ns.asarray(1))
    return quadratic_loss(ns, Lam, N, U, u) - best


def loss_excess(ns, U, u, lam, N):
    """The same at diagonal Lambda, one pair after the other. Shape (B,)."""
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    return ns.stack([excess(ns, Lam, N, U[t], u[t]) for t in range(u.shape[0])])


def completed_square(ns, U, u, lam, N, half=Fraction(1, 2), power=1):
    """Half the squared norm; roots are taken of the diagonal matrices. Shape (B,)."""
    root = ns.sqrt(ns.asarray(list(lam)))
    gamma = ns.asarray([Fraction(N + 1, N) * x + Fraction(sum(lam)) / N for x in lam])
    return ns.stack([square(ns, U[t], u[t], root, gamma, half, power) for t in range(u.shape[0])])


def square(ns, U, u, root, gamma, half=Fraction(1, 2), power=1):
    """|Gamma^{1/2} (u root U root - root^2 Gamma^{-1})|^2 times ``half``, diagonals as vectors. Shape ()."""
    off = ns.expand_dims(root, axis=-1) * (u * U) * root - ns.diag(root ** (2 * power) / gamma)
    return ns.sum(ns.expand_dims(gamma, axis=-1) * off**2) * ns.asarray(half)


def without_half(ns, U, u, lam, N):
    return completed_square(ns, U, u, lam, N, half=1)


def on_the_diagonal(ns, U, u, lam, N):
    """The square without what lies beside the diagonal of U, which is less."""
    return completed_square(ns, U * ns.eye(U.shape[-1]), u, lam, N)


def squared_covariance(ns, U, u, lam, N):
    return completed_square(ns, U, u, lam, N, power=2)


# ---- for every spectrum, length and pair: lam = s^2, eigenbasis turned(t)


def anything(d):
    return {"s": (d,), "t": (), "N": (), "U": (d, d), "u": ()}


def from_the_loss(ns, s, t, N, U, u, more=0):
    """The excess at U = Q V Q^T u, V the field U, of prompts of N + ``more``. Shape ()."""
    Q = turned(ns, t, s.shape[0])
    turned_U = ns.matmul(ns.matmul(Q, U), ns.matrix_transpose(Q))
    return excess(ns, covariance(ns, s**2, Q), N + more, turned_U, u)


def eigenvalues_of_gamma(ns, s, N):
    return (1 + 1 / N) * s**2 + ns.sum(s**2) / N


def from_the_square(ns, s, t, N, U, u, half=Fraction(1, 2)):
    return square(ns, U, u, s, eigenvalues_of_gamma(ns, s, N), half)


def entry_by_entry(ns, s, t, N, U, u, crossed=1):
    """Half of the two sums of the docstring. Shape ()."""
    T, V, lam = eigenvalues_of_gamma(ns, s, N), u * U, s**2
    own = T * lam**2 * (ns.diagonal(V) - 1 / T) ** 2
    pairs = ns.expand_dims(T * lam, axis=-1) * lam * V**2
    return (ns.sum(own) + crossed * (ns.sum(pairs) - ns.trace(pairs))) / 2


def for_all_of_them(d, half=Fraction(1, 2), more=0):
    return identity_for_all(
        lambda ns, **given: from_the_loss(ns, **given, more=more),
        lambda ns, **given: from_the_square(ns, **given, half=half),
        anything(d),
    )


def without_half_for_all(d):
    return for_all_of_them(d, half=1)


def longer_for_all(d):
    return for_all_of_them(d, more=1)


def as_sums(d, crossed=1):
    return identity_for_all(
        from_the_loss, lambda ns, **given: entry_by_entry(ns, **given, crossed=crossed), anything(d)
    )


def diagonal_only(d):
    return as_sums(d, crossed=0)


SPECTRA = {
    "smoke": [{lam: (4, 1), N: 3, d: 2}, {lam: (9, 4, Fraction(1, 4)), N: 1, d: 3}],
    "standard": [
        {lam: s, N: n, d: len(s)}
        for s in ((4,), (4, 1), (9, 4, Fraction(1, 4)))
        for n in (1, 5, 40)
    ],
}
completed = claim(
    "icl-loss-completed-square",
    lhs=r"\tilde\ell(U,u)-\tilde\ell(\Gamma^{-1},1)",
    tex=r"\frac12\big\|\Gamma^{1/2}\big(u\,\Lambda^{1/2}U\Lambda^{1/2}-\Lambda\Gamma^{-1}\big)\big\|_F^2",
    states=["icl-loss-completed-square", "icl-rank-r-optimum"],
    title="Completed square of the loss",
    says=r"$\tilde\ell(U,u)-\tilde\ell(\Gamma^{-1},1)=\frac12\|\Gamma^{1/2}(u\Lambda^{1/2}U\Lambda^{1/2}-\Lambda\Gamma^{-1})\|^2$,"
    " also as a sum over entries.",
    role="reading",
    covers="completed-square excess-identity",
    reads={"Lambda": "lam"},
    domain={lam: spectra(d, squares=True, nonzero=True), N: integers(1), d: integers(1)},
    where=entries,
    grid=SPECTRA,
    relation=equals(),
    legs=[
        leg(
            "exact",
            loss_excess,
            arithmetic="rational",
            reference=completed_square,
            instances=instances(weights, "U u", smoke=3, standard=6),
            covers="completed-square",
        ),
        leg(
            "for all",
            for_all_of_them,
            arithmetic="proof",
            over="Lambda N U u",
            where=d <= 3,
            covers="completed-square",
        ),
        leg(
            "entries",
            as_sums,
            arithmetic="proof",
            over="Lambda N U u",
            where=d <= 3,
            covers="excess-identity",
        ),
    ],
    rivals=[
        variant("without 1/2", reference=without_half),
        variant("the diagonal of U alone", reference=on_the_diagonal),
        variant("Lambda^2 Gamma^{-1}", reference=squared_covariance),
        variant("without 1/2, for all", simulation=without_half_for_all, leg="for all"),
        variant("prompts of N + 1, for all", simulation=longer_for_all, leg="for all"),
        variant(
            "diagonal terms only", simulation=diagonal_only, leg="entries", at=SPECTRA["smoke"]
        ),
    ],
)


# ---- the minimum


def at_inverse(ns, Q, c, lam, N):
    """ltilde(c Gamma^{-1}, 1/c). Shape (B,)."""
    losses = []
    for b in range(Q.shape[0]):
        Lam = covariance(ns, lam, Q[b])
        losses.append(quadratic_loss(ns, Lam, N, c[b] * ns.inv(gamma_matrix(ns, Lam, N)), 1 / c[b]))
    return ns.stack(losses)


def minimum_by_inverse(ns, s, t, N, c, factor=1):
    Lam = covariance(ns, s**2, turned(ns, t, s.shape[0]))
    return quadratic_loss(ns, Lam, N, c * ns.inv(gamma_matrix(ns, Lam, N)), factor / c)


def stated_minimum(ns, s, t, N, c, shift=1):
    lam = s**2
    return -ns.sum(N * lam**2 / ((N + shift) * lam + ns.sum(lam))) / 2


def minimum_for_all(d, shift=1, factor=1):
    return identity_for_all(
        lambda ns, **given: minimum_by_inverse(ns, **given, factor=factor),
        lambda ns, **given: stated_minimum(ns, **given, shift=shift),
        {"s": (d,), "t": (), "N": (), "c": ()},
    )


def shifted_for_all(d):
    return minimum_for_all(d, shift=0)


def doubled_for_all(d):
    return minimum_for_all(d, factor=2)


def basis(rng, d):
    return {
        "Q": rng.orthogonal_rational(d),
        "c": Fraction(int(rng.integers(1, 9)), 3) * int(rng.signs()),
    }


total = sp.Sum(lam[j], (j, 1, d))
value = -sp.Sum(N * lam[i] ** 2 / ((N + 1) * lam[i] + total), (i, 1, d)) / 2
minimum = claim(
    "icl-loss-minimum",
    lhs=r"\tilde\ell(c\,\Gamma^{-1},1/c)",
    tex=r"-\frac12\sum_{i=1}^{d}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-loss-completed-square",
    title="The minimum of the loss and where it is reached",
    says=r"$\tilde\ell(c\,\Gamma^{-1},1/c)=-\frac12\sum_iN\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$"
    r" for every $c\ne0$: by the square the minimum.",
    role="reading",
    covers="minimum-value minimisers",
    reads={"Lambda": "lam Q"},
    domain={lam: spectra(d, nonzero=True), N: integers(1), d: integers(1)},
    where=entries,
    grid=SPECTRA,
    closed_form=value,
    relation=equals(),
    legs=[
        leg(
            "exact",
            at_inverse,
            arithmetic="rational",
            instances=instances(
                basis, {"Q": orthogonal(d), "c": reals(without=[0])}, smoke=2, standard=4
            ),
        ),
        leg("for all", minimum_for_all, arithmetic="proof", over="Lambda N c", where=d <= 3),
    ],
    rivals=[
        variant("without 1/2", closed_form=2 * value),
        variant("N for N + 1", closed_form=value.subs(N + 1, N)),
        variant("N for N + 1, for all", simulation=shifted_for_all, leg="for all"),
        variant("u = 2/c, for all", simulation=doubled_for_all, leg="for all"),
        variant(
            "the largest eigenvalue alone",
            closed_form=value.subs(d, 1).subs(total.subs(d, 1), total),
        ),
    ],
)
