"""Theorems 5.4.2 and 5.4.3: what the rank-r optimum does on a prompt with label noise.

Setting. The rank-r optimum pretrained with N examples is evaluated on a fixed task w = Q z with M examples,
labels <w, x_i> + eps_i, eps_i of variance sigma^2, and normalisation rho = M. The loss is E (yhat - <w,x_q>)^2,
without the factor 1/2, against the clean label; z = s + xi, s the first r coordinates.

Statements. With v_i = N / ((N+1) lam_i + tr D), i <= r, the loss is
  1/M sum_{i<=r} s_i^2 v_i^2 lam_i^3 + 1/M (sum_i z_i^2 lam_i + sigma^2) sum_{i<=r} v_i^2 lam_i^2
  + sum_{i>r} z_i^2 lam_i + sum_{i<=r} s_i^2 lam_i (lam_i v_i - 1)^2                          (5.4.2),
and on a task inside the first r directions a larger rank r' adds
  1/M (sum s_i^2 lam_i + sigma^2) sum_{r<i<=r'} (N lam_i / ((N+1) lam_i + tr D))^2            (5.4.3).

The network itself is evaluated at the nodes of a rational product rule that is exact for its degree.

Reference: Theorems 5.4.2, 5.4.3 (Shi, Wei, Xu, Liang, ICML 2024). The proofs print D^2 for D^3 once.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    figure,
    instances,
    integers,
    leg,
    reals,
    spectra,
    variant,
    vectors,
)
from theorycheck.blocks.gaussian_rules import FIFTH, THIRD, product_rule

from ._attention import block, covariance, embedding, gaussian, prediction, root_of
from ._conditions import both_entries, inside
from ._pictures import rank_curves
from .rank_r_optimum import kept

N, M, r, R, d = sp.symbols("N M r R d", integer=True, nonnegative=True)
sigma = sp.symbols("sigma", real=True)
i, j = sp.symbols("i j", integer=True, positive=True)
lam, z = sp.IndexedBase("lam"), sp.IndexedBase("z")
trace = sp.Sum(lam[j], (j, 1, d))
v = N / ((N + 1) * lam[i] + trace)


def total(term, low, high):
    return sp.Sum(term, (i, low, high))


def loss_form(signal=3, mean=M, task=d, bias=2, half=1, first=1, noise=True):
    """The loss of Theorem 5.4.2, with the places changeable that must matter."""
    energy = total(z[i] ** 2 * lam[i], 1, task) + sigma**2
    spread = energy * total(v**2 * lam[i] ** 2, 1, r)
    if not noise:
        spread = (energy - sigma**2) * total(v**2 * lam[i] ** 2, 1, r) + sigma**2
    return half * (
        first * total(z[i] ** 2 * v**2 * lam[i] ** signal, 1, r) / mean
        + spread / mean
        + total(z[i] ** 2 * lam[i], r + 1, d)
        + total(z[i] ** 2 * lam[i] * (lam[i] * v - 1) ** bias, 1, r)
    )


def rotation(rng, d):
    return {"Q": rng.orthogonal_rational(d), "c": Fraction(int(rng.integers(1, 9)), 4)}


def squared_error(ns, Q, c, lam, z, N, M, r, sigma, rho):
    """E (yhat - <w, x_q>)^2 of the network with the rank-r optimum, for one rotation Q. Shape ()."""
    d = len(lam)
    nodes, weights = product_rule([FIFTH] * (M * d) + [THIRD] * M + [THIRD] * d)
    nodes = ns.asarray(nodes)
    root, w = root_of(ns, lam, Q), ns.matmul(Q, ns.asarray(list(z)))
    x = gaussian(ns, ns.reshape(nodes[:, : M * d], (-1, M, d)), root)
    query = gaussian(ns, nodes[:, M * d + M :], root)
    y = ns.matmul(x, w) + ns.asarray(sigma) * nodes[:, M * d : M * d + M]
    U = c * covariance(ns, kept(lam, N, r), Q)
    zero = ns.zeros((d,))
    PV = block(ns, ns.zeros((d, d)), zero, 1 / c)
    KQ = block(ns, U, zero, c * 0)
    guess = prediction(ns, embedding(ns, x, y, query), PV, KQ, rho)
    return ns.sum(ns.asarray(weights) * (guess - ns.matmul(query, w)) ** 2)


def network_loss(ns, Q, c, lam, z, N, M, r, sigma):
    """The loss by exact cubature, rho = M. Shape (B,)."""
    each = [squared_error(ns, Q[b], c[b], lam, z, N, M, r, sigma, M) for b in range(Q.shape[0])]
    return ns.stack(each)


def normalised_by_n(ns, Q, c, lam, z, N, M, r, sigma):
    return ns.stack([squared_error(ns, Q[0], c[0], lam, z, N, M, r, sigma, N)])


def point(spectrum, task, n, m, rank, noise):
    return {lam: spectrum, z: task, d: len(spectrum), N: n, M: m, r: rank, sigma: noise}


HALF = Fraction(1, 2)
SMOKE = [
    point((4, 1), (1, HALF), 7, 1, 1, HALF),
    point((4, 1), (1, HALF), 7, 1, 2, 0),
    point((9, Fraction(1, 4)), (-1, 2), 4, 1, 1, Fraction(4, 5)),
    point((4,), (2,), 3, 2, 1, HALF),
]
STANDARD = [
    *SMOKE,
    point((4,), (2,), 3, 3, 1, HALF),
    *(point((4, 1, Fraction(1, 4)), (1, HALF, 1), 10, 1, rank, HALF) for rank in range(4)),
    point((4, Fraction(1, 4)), (1, 1), 7, 2, 1, HALF),
]
DOMAIN = {
    lam: spectra(d, squares=True, nonzero=True),
    z: vectors(d),
    d: integers(1), N: integers(1), M: integers(1), r: integers(0), sigma: reals(0),
}  # fmt: skip
ROTATIONS = instances(rotation, "Q c", smoke=1, standard=1)

behavior_regression = claim(
    "icl-behavior-regression",
    title="Exact evaluation loss of the rank-r optimum",
    says="For every spectrum, task, rank, noise level and prompt lengths, the network's evaluation loss is the "
    "formula of Theorem 5.4.2.",
    covers="loss-formula",
    reads={"Lambda": "lam d Q", "w": "z Q"},
    domain=DOMAIN,
    where=[both_entries, r <= d],
    grid={"smoke": SMOKE, "standard": STANDARD},
    closed_form=loss_form(),
    relation=equals(),
    legs=[leg("cubature of the network", network_loss, arithmetic="rational", instances=ROTATIONS)],
    rivals=[
        variant("D^2 for D^3 in the first term", closed_form=loss_form(signal=2)),
        variant("first term dropped", closed_form=loss_form(first=0)),
        variant("factor 1/2", closed_form=loss_form(half=sp.Rational(1, 2))),
        variant("N for M", closed_form=loss_form(mean=N)),
        variant("|s| for |s + xi|", closed_form=loss_form(task=r)),
        variant("bias not squared", closed_form=loss_form(bias=1)),
        variant("noise outside of the trace", closed_form=loss_form(noise=False)),
        variant("rho = N at evaluation", simulation=normalised_by_n, at=[SMOKE[0]]),
    ],
    figures=[
        figure(
            "Behaviour of the ranks under noise",
            rank_curves,
            caption="The network of rank r on drawn prompts: where labels are clean the larger rank has the smaller "
            "loss, under noise the larger one.",
        )
    ],
)


def gap(ns, Q, c, lam, z, N, M, r, R, sigma):
    """Loss at rank R minus loss at rank r, on the same nodes. Shape (B,)."""
    larger = network_loss(ns, Q, c, lam, z, N, M, R, sigma)
    return larger - network_loss(ns, Q, c, lam, z, N, M, r, sigma)


energy, length = sp.symbols("energy length", nonnegative=True)


def task_norms(rng, lam, z, d):
    """A rotation, and |s|_D^2 and |s|^2 of the task."""
    squares = [Fraction(x) ** 2 for x in z]
    return {
        **rotation(rng, d),
        "energy": sum(s * Fraction(x) for s, x in zip(squares, lam, strict=True)),
        "length": sum(squares),
    }


def gap_form(power=2, noise=sigma**2, n=N + 1, task=energy):
    factor = (N * lam[i] / (n * lam[i] + trace)) ** power
    return (task + noise) * total(factor, r + 1, R) / M


GAPS = {
    "smoke": [
        point((4, 1), (1, 0), 7, 1, 1, HALF) | {R: 2},
        point((9, Fraction(1, 4)), (2, 0), 4, 1, 1, 0) | {R: 2},
        point((4,), (0,), 3, 2, 0, Fraction(4, 5)) | {R: 1},
        point((4, 1), (0, 0), 5, 1, 0, HALF) | {R: 1},
    ],
    "standard": [
        point(
            (4, 1, Fraction(1, 4)),
            (*task, *[0] * (3 - len(task))),
            12,
            1,
            len(task),
            Fraction(4, 5),
        )
        | {R: top}
        for task in ((), (1,), (1, -2))
        for top in range(len(task) + 1, 4)
    ],
}

behavior_special = claim(
    "icl-behavior-regression-special",
    title="Exact loss gap of two ranks",
    says="On a task supported on the first r directions, rank R > r has a larger loss than rank r by exactly "
    "1/M (|s|_D^2 + sigma^2) sum_{r<i<=R} (N lam_i / ((N+1) lam_i + tr D))^2.",
    covers="gap-formula",
    reads={"Lambda": "lam d Q", "s": "z", "r_prime": "R"},
    domain={**DOMAIN, R: integers(0)},
    where=[both_entries, inside, r <= R, d >= R],
    grid=GAPS,
    closed_form=gap_form(),
    relation=equals(),
    legs=[
        leg("cubature of both networks", gap, arithmetic="rational",
            instances=instances(task_norms, "Q c energy length", smoke=1, standard=1)),
    ],
    rivals=[
        variant("first power", closed_form=gap_form(power=1)),
        variant("noise dropped", closed_form=gap_form(noise=0)),
        variant("N for N + 1", closed_form=gap_form(n=N)),
        variant("Euclidean |s|", closed_form=gap_form(task=length)),
        variant("the implication (R - r)/M taken as exact",
                closed_form=(energy + sigma**2) * (R - r) / M),
        variant("task beyond r", simulation=gap, at=[point((4, 1), (1, 1), 7, 1, 1, HALF) | {R: 2}]),
    ],
)  # fmt: skip
