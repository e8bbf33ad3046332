"""Lemma 5.1: the population loss of in-context regression as a quadratic form.

Setting. Prompts of N noiseless examples, w ~ N(0, I), x ~ N(0, Lambda); L = E (yhat - <w, x_q>)^2 / 2; a =
w21^PV, b = w21^KQ the blocks that the prediction can also depend on.

As printed, L = ltilde(U, u) + C with C independent of all of theta. This is false: for U = 0, u = 0, a = e_1, b = v
e_1 the loss is below C. With a = b = 0 it is true, and C = tr(Lambda)/2. In the work that it is quoted from, these
blocks stay zero along the flow that is studied.

Full theta (derived). The part of yhat that is odd in w is the linear predictor with u U + a b^T, the rest only
adds to the loss. So the rank constraint must be put on the whole block (U; b^T): then the optimum of Theorem
5.4.1 stands for the network. Put on U alone it does not: at rank 0 the free blocks reach the rank-1 optimum, at
rank 1 explicit networks pass the printed optimum once prompts are long.

Reference: Lemma 5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    attained,
    choices,
    claim,
    equals,
    instances,
    integers,
    leg,
    minimises,
    spectra,
    variant,
)
from theorycheck.blocks.gaussian_rules import FIFTH, SEVENTH, THIRD, product_rule

from ._attention import block, covariance, embedding, gaussian, prediction, quadratic_loss, root_of
from ._conditions import entries
from .rank_r_optimum import OPTIMUM

N, r = sp.symbols("N r", integer=True, nonnegative=True)
d = sp.symbols("d", integer=True, positive=True)
lam = sp.IndexedBase("lam")
DOMAIN = {lam: spectra(squares=True, nonzero=True), N: integers(1)}


def network_loss(ns, lam, N, U, u, a, b, free):
    """L of the network by an exact product rule: every x enters the squared error with degree 4; x_q and w
    with degree 2, or 6 and 4 where the blocks are free. U (d, d), u (), a and b (d,). Shape ()."""
    d = len(lam)
    query_rule, task_rule = (SEVENTH, FIFTH) if free else (THIRD, THIRD)
    nodes, weights = product_rule([FIFTH] * (N * d) + [query_rule] * d + [task_rule] * d)
    nodes, root = ns.asarray(nodes), root_of(ns, lam, ns.eye(d))
    x = gaussian(ns, ns.reshape(nodes[:, : N * d], (-1, N, d)), root)
    query = gaussian(ns, nodes[:, N * d : (N + 1) * d], root)
    w = nodes[:, (N + 1) * d :]
    y = ns.sum(x * ns.expand_dims(w, axis=1), axis=-1)
    PV, KQ = block(ns, ns.zeros((d, d)), a, u), block(ns, U, b, u * 0)
    error = prediction(ns, embedding(ns, x, y, query), PV, KQ, N) - ns.sum(w * query, axis=-1)
    return ns.sum(ns.asarray(weights) * error**2) * ns.rational(1, 2)


def parameters(free):
    def draw(rng, lam):
        d = len(lam)
        zero = [0] * d
        return {
            "U": rng.rational((d, d), 3),
            "u": Fraction(int(rng.integers(1, 7)), 3),
            "a": [Fraction(x) + 1 for x in rng.rational((d,), 2)] if free else zero,
            "b": [Fraction(x) + 1 for x in rng.rational((d,), 2)] if free else zero,
        }

    return draw


def cubature(ns, lam, N, U, u, a, b, free=True):
    """Loss of the network, one parameter draw after the other. Shape (B,)."""
    each = [network_loss(ns, lam, N, U[t], u[t], a[t], b[t], free) for t in range(u.shape[0])]
    return ns.stack(each)


def without_blocks(ns, lam, N, U, u, a, b):
    """The same where a = b = 0, at the nodes that this needs."""
    return cubature(ns, lam, N, U, u, a, b, free=False)


def quadratic(ns, lam, N, U, u, a, b, constant=Fraction(1, 2)):
    """ltilde(U, u) + tr(Lambda)/2 by matrix products. Shape (B,)."""
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    shift = ns.trace(Lam) * ns.asarray(constant)
    return ns.stack([quadratic_loss(ns, Lam, N, U[t], u[t]) + shift for t in range(u.shape[0])])


def without_constant(ns, lam, N, U, u, a, b):
    return quadratic(ns, lam, N, U, u, a, b, constant=0)


def other_length(ns, lam, N, U, u, a, b):
    return quadratic(ns, lam, N + 1, U, u, a, b)


GRID = {
    "smoke": [{lam: (4,), N: 1}, {lam: (Fraction(1, 4),), N: 2}],
    "standard": [{lam: (4,), N: 1}, {lam: (Fraction(1, 4),), N: 2}, {lam: (9,), N: 3}],
    "deep": [{lam: (4,), N: 3}, {lam: (4, 1), N: 1}],
}
ZERO = {
    "smoke": [{lam: (4,), N: 2}, {lam: (4, 1), N: 1}],
    "standard": [{lam: (4,), N: 3}, {lam: (4, 1), N: 2}, {lam: (Fraction(9, 4), 1), N: 1}],
}
FIELDS = "U u a b"

printed_lemma = claim(
    "icl-loss-quadratic-form",
    title="The loss is a quadratic in uU, as printed",
    says="For all parameters of the network, L = ltilde(U, u) + tr(Lambda)/2.",
    expect="fail",
    domain=DOMAIN,
    grid=GRID,
    relation=equals(),
    legs=[
        leg("free blocks", cubature, arithmetic="rational", reference=quadratic,
            instances=instances(parameters(free=True), FIELDS, smoke=2)),
    ],
)  # fmt: skip

corrected_lemma = claim(
    "icl-loss-quadratic-form-corrected",
    states="icl-loss-quadratic-form",
    title="The loss is a quadratic in uU where the w21 blocks vanish",
    says="If w21^PV = w21^KQ = 0 then L = ltilde(U, u) + tr(Lambda)/2.",
    role="corrected",
    corrects="icl-loss-quadratic-form",
    domain=DOMAIN,
    grid=ZERO,
    relation=equals(),
    legs=[
        leg("zero blocks", without_blocks, arithmetic="rational", reference=quadratic,
            instances=instances(parameters(free=False), FIELDS, smoke=2)),
    ],
    rivals=[
        variant("C = 0", reference=without_constant),
        variant("N + 1 for N", reference=other_length),
        variant("free blocks", simulation=cubature, at=GRID["smoke"],
                instances=instances(parameters(free=True), FIELDS, smoke=1)),
    ],
)  # fmt: skip


# ---- with all of theta


def shifted(ns, lam, N, U, u, a, b):
    """ltilde(u U + a b^T, 1) + tr(Lambda)/2: the loss of the odd part alone. Shape (B,)."""
    whole = [
        u[t] * U[t] + ns.reshape(a[t], (-1, 1)) * ns.reshape(b[t], (1, -1))
        for t in range(u.shape[0])
    ]
    return quadratic(ns, lam, N, ns.stack(whole), u * 0 + 1, a, b)


def stated_optimum_block(rng, lam, N):
    """U = 0, u = 0, a b^T the rank-1 optimum: a = e_1, b = N / ((N+1) lam_1 + tr D) e_1."""
    d = len(lam)
    first = [1] + [0] * (d - 1)
    scale = Fraction(N) / ((N + 1) * lam[0] + sum(lam))
    return {"U": [[0] * d] * d, "u": 0, "a": first, "b": [scale * x for x in first]}


def excess(ns, lam, N, U, u, a, b):
    """L - tr(Lambda)/2. Shape (B,)."""
    return cubature(ns, lam, N, U, u, a, b) - ns.asarray(Fraction(sum(lam)) / 2)


full_theta = claim(
    "icl-rank-r-full-theta",
    title="With free blocks only the odd part counts",
    says="For all theta, L >= ltilde(uU + a b^T, 1) + tr(Lambda)/2; since rank(uU + a b^T) is at most the rank of "
    "the stacked block (U; b^T), the optimum of Theorem 5.4.1 stands when that block has rank r.",
    role="derived",
    encodes="part",
    domain=DOMAIN,
    grid=GRID,
    relation=at_least(),
    legs=[
        leg("random parameters", cubature, arithmetic="rational", reference=shifted,
            instances=instances(parameters(free=True), FIELDS, smoke=2)),
        leg("no even part (equality)", cubature, arithmetic="rational", reference=shifted,
            instances=instances(stated_optimum_block, FIELDS, smoke=1)),
    ],
    rivals=[variant("ltilde(U, u) alone", reference=quadratic, leg="no even part (equality)")],
)  # fmt: skip

free_rank_zero = claim(
    "icl-rank-r-full-theta-rank-0",
    states="icl-rank-r-full-theta",
    title="A constraint on U alone does not bind",
    says="With U = 0 and free w21 blocks the network reaches the rank-1 optimum "
    "-1/2 N lam_1^2/((N+1) lam_1 + tr D), below the rank-0 optimum 0.",
    role="derived",
    encodes="part",
    domain={**DOMAIN, d: integers(1)},
    where=entries,
    grid={"smoke": [{lam: (4,), d: 1, N: 1}, {lam: (4,), d: 1, N: 2}, {lam: (1,), d: 1, N: 3}],
          "standard": [{lam: (4,), d: 1, N: 1}, {lam: (9,), d: 1, N: 2}, {lam: (4,), d: 1, N: 3}],
          "deep": [{lam: (4,), d: 1, N: 1}, {lam: (4, 1), d: 2, N: 1}]},
    closed_form=OPTIMUM.subs(r, 1),
    relation=equals(),
    legs=[
        leg("free blocks", excess, arithmetic="rational",
            instances=instances(stated_optimum_block, FIELDS, smoke=1)),
    ],
    rivals=[variant("the rank-0 value", closed_form=sp.Integer(0))],
)  # fmt: skip


# ---- a rank constraint on U alone, long prompts


def long_prompt_loss(ns, lam, N, U, u, a, b):
    """L of the network for any N: the prompt enters yhat only through the mean of N independent terms t_i =
    (a.x_i + u y_i)(x_i^T U x_q + y_i b.x_q), so that moments of one term suffice. One example enters t^2 with
    degree 4, w with 4, x_q the squared error with 6. U (d, d), u (), a and b (d,). Shape ()."""
    d = len(lam)
    root = root_of(ns, lam, ns.eye(d))
    one, one_weights = product_rule([FIFTH] * d)
    rest, rest_weights = product_rule([SEVENTH] * d + [FIFTH] * d)
    x, rest = gaussian(ns, ns.asarray(one), root), ns.asarray(rest)
    query, w = gaussian(ns, rest[:, :d], root), rest[:, d:]
    y = ns.matmul(w, ns.matrix_transpose(x))
    Uq = ns.matmul(query, ns.matrix_transpose(U))
    reply = ns.matmul(Uq, ns.matrix_transpose(x)) + y * ns.sum(query * b, axis=-1)[:, None]
    t = (ns.sum(x * a, axis=-1)[None, :] + u * y) * reply
    mean, square = (ns.sum(m * ns.asarray(one_weights), axis=-1) for m in (t, t**2))
    own = ns.sum(query * a, axis=-1) * ns.sum(Uq * query, axis=-1) / N  # the query's own token
    bias = mean + own - ns.sum(query * w, axis=-1)
    error = bias**2 + (square - mean**2) / N
    return ns.sum(ns.asarray(rest_weights) * error) * ns.rational(1, 2)


BETTER = {
    100: (Fraction(21, 50), Fraction(27, 5), Fraction(21, 200)),
    1000: (Fraction(47, 100), Fraction(45, 4), Fraction(77, 1000)),
}
"""Networks for lam = (2, 1): U = V e_1 e_1^T, u = 1, a = s e_2, b = t e_2 by (V, s, t)."""


def explicit_network(ns, lam, N):
    """ltilde-scale loss L - tr(Lambda)/2 of an explicit network with rank(U) = 1. Shape ()."""
    V, s, t = (ns.asarray(x) for x in BETTER[N])
    first, second = ns.asarray([1, 0]), ns.asarray([0, 1])
    U = V * first[:, None] * first[None, :]
    return long_prompt_loss(ns, lam, N, U, V * 0 + 1, s * second, t * second) - ns.asarray(
        Fraction(sum(lam)) / 2
    )


constraint_on_u_alone = claim(
    "icl-rank-r-full-theta-rank-1",
    states="icl-rank-r-full-theta",
    title="Rank 1 of U alone does not give the printed optimum",
    says="A network with rank(U) <= 1, its w21 blocks free, has a loss of at least that of the printed rank-1 optimum.",
    role="beyond_scope",
    encodes="part",
    expect="fail",
    domain={lam: spectra(d, nonzero=True), d: choices(2), N: choices(*BETTER)},
    grid={"smoke": [{lam: (2, 1), d: 2, N: 100}], "standard": [{lam: (2, 1), d: 2, N: 1000}]},
    closed_form=OPTIMUM.subs(r, 1),
    relation=minimises(),
    legs=[attained(explicit_network)],
    rivals=[variant("the rank-0 optimum", closed_form=sp.Integer(0))],
)
