"""Equations 5.1-5.3, Lemmas D.1, D.2: what the linear-regression part rests on.

Statements. The prediction is (a^T, u) (E E^T / rho) (U; b^T) x_q, whatever the other blocks are (5.2; a parenthesis is
misplaced in print). ltilde - min ltilde = |Gamma^{1/2} (u Lambda^{1/2} U Lambda^{1/2} - Lambda Gamma^{-1})|_F^2 / 2 and
min ltilde = -tr(Lambda^2 Gamma^{-1}) / 2 (Lemma D.1). For y = <w, x> + eps, E[y^2 x x^T] = (sigma^2 + w^T Lambda w)
Lambda + 2 Lambda w w^T Lambda (Lemma D.2; printed with the number w^T w in place of the matrix w w^T, which only
d = 1 forgives).

Reference: section 5.3, appendix D.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, spectra, variant
from theorycheck.blocks.gaussian_rules import FIFTH, THIRD, product_rule

from ._attention import (
    covariance,
    embedding,
    gamma_matrix,
    gaussian,
    prediction,
    quadratic_loss,
    root_of,
)
from ._conditions import entries

N, d = sp.symbols("N d", integer=True, positive=True)
lam = sp.IndexedBase("lam")


def column(ns, v):
    return ns.expand_dims(v, axis=-1)


# ---- reading the prediction off


def network(rng, N, d):
    """Random prompts and weights, all blocks filled."""
    return {
        "x": rng.rational((N, d), 4),
        "y": rng.rational((N,), 4),
        "q": rng.rational((d,), 4),
        "PV": rng.rational((d + 1, d + 1), 3),
        "KQ": rng.rational((d + 1, d + 1), 3),
    }


def read_off(ns, x, y, q, PV, KQ, N):
    """Bottom right entry of the attention output. Shape (B,)."""
    return prediction(ns, embedding(ns, x, y, q), PV, KQ, N)


def bilinear(ns, x, y, q, PV, KQ, N, query=True):
    """(a^T, u) (E E^T / rho) (U; b^T) x_q from the rows and columns that count. Shape (B,)."""
    E = embedding(ns, x, y, q)
    E = E if query else E[:, :, :-1]
    scores = ns.matmul(KQ[:, :, :-1], column(ns, q))
    mixed = ns.matmul(ns.matmul(E, ns.matrix_transpose(E)), scores)
    return ns.matmul(PV[:, -1:, :], mixed)[:, 0, 0] / N


def without_query(ns, x, y, q, PV, KQ, N):
    return bilinear(ns, x, y, q, PV, KQ, N, query=False)


def unnormalised(ns, x, y, q, PV, KQ, N):
    return bilinear(ns, x, y, q, PV, KQ, N) * N


lsa_output = claim(
    "icl-lsa-output",
    title="The prediction as a bilinear form",
    says="For all prompts and weights, the bottom right entry of the attention output is "
    "(a^T, u)(E E^T / rho)(U; b^T) x_q.",
    domain={N: integers(1), d: integers(1)},
    grid={"smoke": {N: [2, 3], d: [1, 2]}, "standard": {N: [2, 4, 6], d: [1, 2, 4]}},
    relation=equals(),
    legs=[
        leg("exact", read_off, arithmetic="rational", reference=bilinear,
            instances=instances(network, "x y q PV KQ", smoke=3, standard=8)),
    ],
    rivals=[
        variant("query column left out", reference=without_query),
        variant("without rho", reference=unnormalised),
    ],
)  # fmt: skip


# ---- the completed square


def weights(rng, d):
    return {"U": rng.rational((d, d), 4), "u": Fraction(int(rng.integers(1, 9)), 3)}


def loss_excess(ns, U, u, lam, N):
    """ltilde(U, u) - ltilde(Gamma^{-1}, 1). Shape (B,)."""
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    best = quadratic_loss(ns, Lam, N, ns.inv(gamma_matrix(ns, Lam, N)), ns.asarray(1))
    return ns.stack([quadratic_loss(ns, Lam, N, U[t], u[t]) - best for t in range(u.shape[0])])


def completed_square(ns, U, u, lam, N, half=Fraction(1, 2), power=1):
    """Half the squared norm; roots are taken of the diagonal matrices. Shape (B,)."""
    root = ns.sqrt(ns.asarray(list(lam)))
    gamma = ns.asarray([Fraction(N + 1, N) * x + Fraction(sum(lam)) / N for x in lam])
    found = []
    for t in range(u.shape[0]):
        scaled = u[t] * column(ns, root) * U[t] * root
        target = ns.eye(len(lam)) * (root ** (2 * power) / gamma)
        found.append(ns.sum(column(ns, gamma) * (scaled - target) ** 2) * ns.asarray(half))
    return ns.stack(found)


def without_half(ns, U, u, lam, N):
    return completed_square(ns, U, u, lam, N, half=1)


def squared_covariance(ns, U, u, lam, N):
    return completed_square(ns, U, u, lam, N, power=2)


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
    title="Minimum and completed square of the loss",
    says="ltilde(U, u) - ltilde(Gamma^{-1}, 1) = |Gamma^{1/2}(u Lambda^{1/2} U Lambda^{1/2} - Lambda Gamma^{-1})|^2/2.",
    domain={lam: spectra(d, squares=True, nonzero=True), N: integers(1), d: integers(1)},
    where=entries,
    grid=SPECTRA,
    relation=equals(),
    legs=[
        leg("exact", loss_excess, arithmetic="rational", reference=completed_square,
            instances=instances(weights, "U u", smoke=3, standard=6)),
    ],
    rivals=[
        variant("without 1/2", reference=without_half),
        variant("Lambda^2 Gamma^{-1}", reference=squared_covariance),
    ],
)  # fmt: skip


# ---- moments of y x

SIGMA = Fraction(2, 3)


def task(rng, d):
    return {"w": rng.rational((d,), 3)}


def second_moment(ns, w, lam):
    """E[y^2 x x^T] by an exact product rule over x (degree 4) and eps (degree 2). Shape (B, d, d)."""
    d = len(lam)
    nodes, weight = product_rule([FIFTH] * d + [THIRD])
    nodes, weight = ns.asarray(nodes), ns.asarray(weight)
    x = gaussian(ns, nodes[:, :d], root_of(ns, lam, ns.eye(d)))
    found = []
    for t in range(w.shape[0]):
        y = ns.matmul(x, w[t]) + ns.asarray(SIGMA) * nodes[:, d]
        scaled = column(ns, weight * y**2) * x
        found.append(ns.matmul(ns.matrix_transpose(scaled), x))
    return ns.stack(found)


def stated_moment(ns, w, lam, factor=2, printed=False, noise=SIGMA):
    """(sigma^2 + w^T Lambda w) Lambda + 2 Lambda w w^T Lambda, or as printed with w^T w. Shape (B, d, d)."""
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    found = []
    for t in range(w.shape[0]):
        Lw = ns.matmul(Lam, column(ns, w[t]))
        energy = ns.sum(w[t] * Lw[:, 0]) + ns.asarray(noise) ** 2
        outer = ns.matmul(Lw, ns.matrix_transpose(Lw))
        if printed:
            outer = ns.sum(w[t] ** 2) * ns.matmul(Lam, Lam)
        found.append(energy * Lam + factor * outer)
    return ns.stack(found)


def printed_moment(ns, w, lam):
    return stated_moment(ns, w, lam, printed=True)


def single(ns, w, lam):
    return stated_moment(ns, w, lam, factor=1)


def noiseless(ns, w, lam):
    return stated_moment(ns, w, lam, noise=0)


MOMENTS = {
    "smoke": [{lam: (4,), d: 1}, {lam: (4, 1), d: 2}],
    "standard": [{lam: (4, 1), d: 2}, {lam: (9, 4, 1), d: 3}],
}
MOMENT_DOMAIN = {lam: spectra(d, squares=True), d: integers(1)}
TASKS = instances(task, "w", smoke=3, standard=4)

noisy_moment_printed = claim(
    "icl-noisy-moment",
    title="Second moments of y x, as printed",
    says="E[y^2 x x^T] = (sigma^2 + w^T Lambda w) Lambda + 2 Lambda (w^T w) Lambda.",
    expect="fail",
    covers="second-moment-as-printed",
    reads={"Lambda": "lam d"},
    left={"sigma": "2/3 only"},
    domain=MOMENT_DOMAIN,
    where=entries,
    grid=MOMENTS,
    relation=equals(),
    legs=[
        leg(
            "cubature",
            second_moment,
            arithmetic="rational",
            reference=printed_moment,
            instances=TASKS,
        )
    ],
)

noisy_moment = claim(
    "icl-noisy-moment-corrected",
    states="icl-noisy-moment",
    title="Second moments of y x",
    says="E[y^2 x x^T] = (sigma^2 + w^T Lambda w) Lambda + 2 Lambda w w^T Lambda.",
    role="corrected",
    corrects="icl-noisy-moment",
    domain=MOMENT_DOMAIN,
    where=entries,
    grid=MOMENTS,
    relation=equals(),
    legs=[
        leg(
            "cubature",
            second_moment,
            arithmetic="rational",
            reference=stated_moment,
            instances=TASKS,
        )
    ],
    rivals=[
        variant("factor 1", reference=single),
        variant("without the noise", reference=noiseless),
    ],
)
