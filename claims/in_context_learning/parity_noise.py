"""Theorem 5.5.2 and what it rests on: the parity networks at finite prompt length.

Setting. Task (i, j) among d features, signs of the two with probabilities 1/4 + gamma, 1/4, 1/4, 1/4 - gamma, the
others uniform, label y = phi_i phi_j; bit networks as in `parity_construction`.

Statements. E[y phi_c] = 2 gamma for c in {i, j} and 0 elsewhere. With D the matrix of a network's diagonals and Xi the
mean of M uniform sign vectors, E|P_D Xi|^2 = (nu + 1)/M; the printed projector D (D^T D)^{-1} D^T inverts a singular
matrix, since the columns come in pairs. Networks of +- paired heads do not see a global flip of the labels. The
error term of the theorem depends on a joint law that it does not give: in the proof's coupling it is linear in nu,
in a better one it is Ham(i, j) sqrt((1 - gamma)/(gamma M)). Folklore: the multiplicative Chernoff bound.

Reference: Theorem 5.5.2, Lemma D.3 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import (
    RationalNamespace,
    at_most,
    claim,
    equals,
    instances,
    integers,
    leg,
    reals,
    variant,
)

from ._parity import all_tasks, bit, bit_network

nu, M, d, n = sp.symbols("nu M d n", integer=True, positive=True)
gamma, p, eps = sp.symbols("gamma p epsilon", positive=True)
QUARTER = Fraction(1, 4)
GAMMA = reals(0, QUARTER, low_open=True, high_open=True)


# ---- the mean feature


def mean_features(d, gamma):
    """E[y phi_c] over all 2^d sign vectors for every task and feature; (task, feature) in order, own features
    first. Shape (2 + d - 2,) for each task."""
    found = []
    for i, j in all_tasks(d):
        means = [Fraction(0)] * d
        for phi in itertools.product((-1, 1), repeat=d):
            weight = QUARTER + (
                gamma if phi[i] == phi[j] == 1 else -gamma if phi[i] == phi[j] == -1 else 0
            )
            for c in range(d):
                means[c] += weight * phi[i] * phi[j] * phi[c] / Fraction(2) ** (d - 2)
        found += [means[i], means[j], *(m for c, m in enumerate(means) if c not in (i, j))]
    return found


def stated_features(d, gamma, value=2):
    return [
        x for _ in all_tasks(d) for x in (value * gamma, value * gamma, *[Fraction(0)] * (d - 2))
    ]


mean_feature = claim(
    "icl-parity-mean-feature",
    title="Mean attention feature of a parity task",
    says="E[y phi_c] = 2 gamma for the two features of the task and 0 for every other.",
    domain={d: integers(2), gamma: GAMMA},
    grid={"smoke": {d: [2, 3, 4], gamma: [Fraction(1, 10), Fraction(1, 5)]},
          "standard": {d: [2, 3, 4, 6], gamma: [Fraction(x, 20) for x in range(1, 5)]}},
    relation=equals(),
    legs=[leg("every sign vector", mean_features, reference=stated_features)],
    rivals=[
        variant("4 gamma", reference=lambda d, gamma: stated_features(d, gamma, 4)),
        variant("gamma", reference=lambda d, gamma: stated_features(d, gamma, 1)),
    ],
)  # fmt: skip


# ---- the projected noise


def diagonals(nu):
    """Columns of D: the bit signs, the constant, and their negatives. d rows, 2 (nu + 1) columns."""
    half = [[bit(b, c) for c in range(2**nu)] for b in range(nu)] + [[1] * 2**nu]
    columns = half + [[-x for x in column] for column in half]
    return [list(row) for row in zip(*columns, strict=True)]


def projector(nu, columns):
    """Z (Z^T Z)^{-1} Z^T for the first ``columns`` columns of D, in rationals."""
    ns = RationalNamespace()
    Z = ns.asarray([row[:columns] for row in diagonals(nu)])
    Zt = ns.matrix_transpose(Z)
    return ns.matmul(Z, ns.matmul(ns.inv(ns.matmul(Zt, Z)), Zt))


def projected_energy(nu, M):
    """E|P Xi|^2 over all M d signs; the independent half of the columns spans the same space. Shape ()."""
    return energy_of(projector(nu, nu + 1).data, nu, M)


def energy_of(P, nu, M):
    d, total = 2**nu, Fraction(0)
    for signs in itertools.product((-1, 1), repeat=M * d):
        mean = [Fraction(sum(signs[row * d + c] for row in range(M)), M) for c in range(d)]
        image = [
            sum(Fraction(int(x.p), int(x.q)) * m for x, m in zip(row, mean, strict=True))
            for row in P
        ]
        total += sum(x * x for x in image)
    return total / 2 ** (M * d)


def determinant(nu):
    """det(D^T D), which the printed projector divides by, by elimination in rationals. Shape ()."""
    columns = list(zip(*diagonals(nu), strict=True))
    rows = [
        [Fraction(sum(x * y for x, y in zip(a, b, strict=True))) for b in columns] for a in columns
    ]
    product = Fraction(1)
    while rows:
        pivot = next((row for row in rows if row[0]), None)
        if pivot is None:
            return Fraction(0)
        product *= pivot[0] if pivot is rows[0] else -pivot[0]
        rows = [rows[0] if row is pivot else row for row in rows[1:]]
        rows = [
            [x - row[0] / pivot[0] * y for x, y in zip(row[1:], pivot[1:], strict=True)]
            for row in rows
        ]
    return product


projection_printed = claim(
    "icl-parity-projection-ratio",
    title="The printed projector exists",
    says="D^T D is invertible, so that D (D^T D)^{-1} D^T is a projector: its determinant times its inverse is 1.",
    encodes="part",
    expect="fail",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}},
    closed_form=sp.Integer(1),
    relation=equals(),
    legs=[leg("determinant", lambda nu: int(determinant(nu) != 0))],
)

projection = claim(
    "icl-parity-projection-ratio-corrected",
    lhs=r"\mathbb{E}\,\|P\Xi\|^2",
    states="icl-parity-projection-ratio",
    title="Size of the projected noise",
    says="With P the orthogonal projector on the column space of D, E|P Xi|^2 = (nu + 1)/M.",
    role="corrected",
    corrects="icl-parity-projection-ratio",
    domain={nu: integers(1), M: integers(1)},
    grid={"smoke": [{nu: 1, M: 1}, {nu: 1, M: 3}, {nu: 2, M: 1}, {nu: 2, M: 2}],
          "standard": [{nu: 1, M: 1}, {nu: 1, M: 4}, {nu: 2, M: 1}, {nu: 2, M: 2}, {nu: 2, M: 3}, {nu: 3, M: 1}]},
    closed_form=(nu + 1) / M,
    relation=equals(),
    legs=[leg("every sign", projected_energy)],
    rivals=[
        variant("number of columns", closed_form=2 * (nu + 1) / M),
        variant("d / M", closed_form=2**nu / M, at={nu: [2], M: [1]}),
        variant("nu / M", closed_form=nu / M),
    ],
)  # fmt: skip


# ---- a global flip of the labels


def prompts(rng, nu):
    """A prompt mean (y^T Phi)/M as d small rationals, and a query."""
    return {"mean": rng.rational((2**nu,), 9), "query": [int(x) for x in rng.signs((2**nu,))]}


def network_output(mean, query, nu, sign=1, heads=None):
    """Output of the diagonal network on a prompt with mean feature ``mean``: sum a relu(sum_c mean_c v_c phi_c)."""
    network = bit_network(nu, 2**nu) if heads is None else heads
    total = Fraction(0)
    for head in network:
        inner = sum(sign * Fraction(m) * head.v[c][c] * query[c] for c, m in enumerate(mean))
        total += head.a * max(Fraction(0), inner)
    return total


def as_it_is(mean, query, nu):
    return network_output(mean, query, nu)


def flipped(mean, query, nu):
    return network_output(mean, query, nu, sign=-1)


def unpaired(mean, query, nu):
    return network_output(mean, query, nu, sign=-1, heads=bit_network(nu, 2**nu)[::2])


even_symmetry = claim(
    "icl-parity-even-symmetry",
    title="The parity networks cannot see a global label flip",
    says="For every prompt and query, g(X, -y, x_q) = g(X, y, x_q).",
    role="derived",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    relation=equals(),
    legs=[
        leg("random prompts", as_it_is, reference=flipped,
            instances=instances(prompts, "mean query", smoke=20, standard=200)),
    ],
    rivals=[variant("heads without their negatives", reference=unpaired)],
)  # fmt: skip


# ---- folklore


def chernoff_tail(n, p, epsilon):
    """P(|Z - np| >= epsilon n p) for Z binomial, exactly. Shape ()."""
    mu, hit = n * Fraction(p), Fraction(p)
    yes, total = hit.numerator, hit.denominator
    tail = sum(
        comb(n, z) * yes**z * (total - yes) ** (n - z)
        for z in range(n + 1)
        if abs(z - mu) >= Fraction(epsilon) * mu
    )
    return Fraction(tail, total**n)


NEAR_ONE = Fraction(999, 1000)
chernoff = claim(
    "icl-chernoff-binomial",
    lhs=r"\Pr\big[|Z-np|\ge\epsilon np\big]",
    tex=r"2\,e^{-\epsilon^2np/3}",
    title="Two-sided multiplicative Chernoff bound",
    says="For Z ~ Bin(n, p) and 0 < epsilon < 1, P(|Z - np| >= epsilon np) <= 2 exp(-epsilon^2 n p / 3).",
    domain={n: integers(1), p: reals(0, 1, low_open=True), eps: reals(0, 1, low_open=True, high_open=True)},
    grid={"smoke": {n: [1, 5, 40], p: [Fraction(1, 20), Fraction(1, 2), 1], eps: [Fraction(1, 10), NEAR_ONE]},
          "standard": {n: [1, 2, 5, 20, 60, 200], p: [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), 1],
                       eps: [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), NEAR_ONE]}},
    closed_form=2 * sp.exp(-(eps**2) * n * p / 3),
    relation=at_most(),
    legs=[leg("exact tails", chernoff_tail)],
    rivals=[
        variant("denominator 3/2", closed_form=2 * sp.exp(-2 * eps**2 * n * p / 3),
                at={n: [200], p: [Fraction(1, 20)], eps: [NEAR_ONE]}),
        variant("denominator 2", closed_form=2 * sp.exp(-(eps**2) * n * p / 2),
                at={n: [3000], p: [Fraction(1, 100)], eps: [NEAR_ONE]}),
        variant("leading constant 1", closed_form=sp.exp(-(eps**2) * n * p / 3),
                at={n: [5, 20, 40, 60], p: [Fraction(1, 2), Fraction(1, 10)], eps: [Fraction(1, 10), Fraction(1, 4)]}),
        variant("epsilon above 1", simulation=chernoff_tail, at={n: [1000], p: [Fraction(1, 1000)], eps: [5]}),
    ],
)  # fmt: skip


def mean_sign_tail(n, epsilon):
    """P(|z_1 + .. + z_n| >= epsilon n) for independent uniform signs, exactly. Shape ()."""
    hit = sum(comb(n, up) for up in range(n + 1) if abs(2 * up - n) >= Fraction(epsilon) * n)
    return Fraction(hit, 2**n)


SIGNS = {n: [1, 2, 5, 20, 60], eps: [Fraction(1, 10), Fraction(1, 2), NEAR_ONE]}
chernoff_signs = claim(
    "icl-chernoff-binomial-signs",
    lhs=r"\Pr\big[|\bar s|\ge\epsilon\big]",
    tex=r"2\,e^{-\epsilon^2n/6}",
    states="icl-chernoff-binomial",
    title="The mean of signs",
    says="The mean of n independent uniform signs is at least epsilon in size with probability at most "
    "2 exp(-epsilon^2 n / 6), 0 < epsilon < 1.",
    encodes="part",
    domain={n: integers(1), eps: reals(0, 1, low_open=True, high_open=True)},
    grid={"smoke": SIGNS, "standard": {n: [3, 10, 40, 199], eps: [Fraction(1, 20), Fraction(1, 4), NEAR_ONE]}},
    closed_form=2 * sp.exp(-(eps**2) * n / 6),
    relation=at_most(),
    legs=[leg("exact tails", mean_sign_tail)],
    rivals=[
        variant("2 exp(-epsilon^2 n)", closed_form=2 * sp.exp(-(eps**2) * n)),
        variant("leading constant 1", closed_form=sp.exp(-(eps**2) * n / 6)),
    ],
)  # fmt: skip
