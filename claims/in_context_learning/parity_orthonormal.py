"""Proof of Theorem 5.5.1: from the network in x = G phi to the one in phi.

Setting. x = G phi with an orthonormal d x d matrix G, W = G V G^T; a prompt of N examples, a query.

Statements. y^T X W x_q / N = y^T Phi V phi_q / N at every prompt: the network may be read in phi. With a diagonal V
and the mean of y x in place of y^T X / N, which is 2 gamma (G_i + G_j), only the query's features i and j matter: 2
gamma (V_ii phi_i + V_jj phi_j).

Reference: proof of Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, orthogonal, reals, variant

from ._parity import all_tasks

d, N = sp.symbols("d N", integer=True, positive=True)
gamma = sp.symbols("gamma", positive=True)
QUARTER = Fraction(1, 4)
GAMMA = reals(0, QUARTER, low_open=True, high_open=True)


def prompts(rng, d, N):
    """G, a full V, signs of the examples and of the query."""
    return {
        "G": rng.orthogonal_rational(d),
        "V": rng.rational((d, d), 5),
        "phi": rng.signs((N, d)),
        "y": rng.signs((N,)),
        "query": rng.signs((d,)),
    }


def in_x(ns, G, V, phi, y, query, N):
    """y^T X W x_q / N with X = Phi G^T, x_q = G phi_q, W = G V G^T. Shape (B,)."""
    Gt = ns.matrix_transpose(G)
    W = ns.matmul(ns.matmul(G, V), Gt)
    return bilinear(ns, ns.matmul(phi, Gt), W, ns.matmul(G, query[:, :, None])[:, :, 0], y) / N


def in_phi(ns, G, V, phi, y, query, N):
    """y^T Phi V phi_q / N. Shape (B,)."""
    return bilinear(ns, phi, V, query, y) / N


def in_phi_transposed(ns, G, V, phi, y, query, N):
    return bilinear(ns, phi, ns.matrix_transpose(V), query, y) / N


def without_the_second_turn(ns, G, V, phi, y, query, N):
    Gt = ns.matrix_transpose(G)
    W = ns.matmul(G, V)
    return bilinear(ns, ns.matmul(phi, Gt), W, ns.matmul(G, query[:, :, None])[:, :, 0], y) / N


def bilinear(ns, rows, W, q, y):
    """y^T rows W q. Shape (B,)."""
    return ns.sum(y * ns.matmul(ns.matmul(rows, W), q[:, :, None])[:, :, 0], axis=-1)


DRAWN = {"G": orthogonal(d), "V": None, "phi": None, "y": None, "query": None}
reduces = claim(
    "icl-parity-literal-network",
    lhs=r"\tfrac1N\,y^\top XWx_q",
    tex=r"\tfrac1N\,y^\top\Phi V\phi_q",
    states="icl-parity-margin-hamming",
    title="The network in x is the one in its features",
    says=r"For every orthonormal $G$, with $x=G\phi$ and $W=GVG^\top$, $\frac1Ny^\top XWx_q=\frac1Ny^\top\Phi "
    r"V\phi_q$ at every prompt.",
    role="derived",
    covers="literal-network-reduces",
    reads={"prompt": "phi y"},
    domain={d: integers(1), N: integers(1)},
    grid={"smoke": {d: [2, 3], N: [1, 4]}, "standard": {d: [2, 4], N: [1, 9]}},
    relation=equals(),
    legs=[
        leg(
            "exact",
            in_x,
            arithmetic="rational",
            reference=in_phi,
            instances=instances(prompts, DRAWN, smoke=3, standard=8),
        )
    ],
    rivals=[
        variant("V transposed", reference=in_phi_transposed),
        variant("W = G V", simulation=without_the_second_turn),
    ],
)


# ---- the mean feature in x


def of_tasks(rng, d, gamma):
    return {"G": rng.orthogonal_rational(d)}


def means_in_x(G, d, gamma):
    """E[y x] over all 2^d sign vectors, task by task. Shape (tasks, d)."""
    found = []
    for i, j in all_tasks(d):
        total = [Fraction(0)] * d
        for phi in itertools.product((-1, 1), repeat=d):
            tilt = gamma if phi[i] == phi[j] == 1 else -gamma if phi[i] == phi[j] == -1 else 0
            weight = (QUARTER + tilt) / Fraction(2) ** (d - 2)
            for c in range(d):
                total[c] += (
                    weight
                    * phi[i]
                    * phi[j]
                    * sum(Fraction(g) * s for g, s in zip(G[c], phi, strict=True))
                )
        found.append(total)
    return found


def stated_means(G, d, gamma, value=2):
    """2 gamma (G_i + G_j), columns of G. Shape (tasks, d)."""
    return [[value * gamma * (Fraction(row[i]) + row[j]) for row in G] for i, j in all_tasks(d)]


def rows_for_columns(G, d, gamma):
    return [[2 * gamma * (Fraction(G[i][c]) + G[j][c]) for c in range(d)] for i, j in all_tasks(d)]


def twice_that(G, d, gamma):
    return stated_means(G, d, gamma, value=4)


vector_form = claim(
    "icl-parity-mean-vector",
    lhs=r"\mathbb{E}[y\,x]",
    tex=r"2\gamma\,(G_i+G_j)",
    states="icl-parity-mean-feature",
    title="The mean attention feature in x",
    says=r"With $x=G\phi$ the mean of $y\,x$ on task $(i,j)$ is $2\gamma(G_i+G_j)$, columns of $G$.",
    role="derived",
    covers="vector-form-and-limit",
    left={
        "N": "the mean alone: that the prompt's average tends to it is the strong law of large numbers",
        "prompt": "the mean alone",
    },
    domain={d: integers(2), gamma: GAMMA},
    grid={"smoke": {d: [2, 3, 4], gamma: [Fraction(1, 10), Fraction(1, 5)]}},
    relation=equals(),
    legs=[
        leg(
            "every sign vector",
            means_in_x,
            reference=stated_means,
            where=d <= 6,
            instances=instances(of_tasks, {"G": orthogonal(d)}, smoke=1, standard=3),
        )
    ],
    rivals=[
        variant("rows of G", reference=rows_for_columns, at=[{d: 3, gamma: Fraction(1, 10)}]),
        variant("4 gamma", reference=twice_that),
    ],
)
