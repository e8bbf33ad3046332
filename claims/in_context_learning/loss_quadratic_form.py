"""Lemma 5.1: the population loss of in-context regression as a quadratic form.

Setting. Prompts of N noiseless examples, w ~ N(0, I), x ~ N(0, Lambda); L = E (yhat - <w, x_q>)^2 / 2; a =
w21^PV, b = w21^KQ the blocks that the prediction can also depend on; ltilde as in `rank_r_optimum`.

As printed, L = ltilde(U, u) + C with C independent of all of theta; theta = 0 leaves only C = tr(Lambda)/2. This is
false: for U = 0, u = 0, a = e_1, b = v e_1 the loss is below C. With a = b = 0 it is true, so L depends on uU alone.
In the work that it is quoted from, these blocks stay zero along the flow that is studied. The display after the lemma
drops C.

Reference: Lemma 5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from theorycheck import claim, equals, identity_for_all, instances, integers, leg, spectra, variant
from theorycheck.blocks.gaussian_rules import FIFTH, SEVENTH, THIRD, product_rule

from ._attention import (
    Blocks,
    block,
    covariance,
    embedding,
    gaussian,
    prediction,
    pretraining_loss,
    quadratic_loss,
    root_of,
    turned,
)
from ._conditions import entries

N = sp.symbols("N", integer=True, positive=True)
d = sp.symbols("d", integer=True, positive=True)
lam = sp.IndexedBase("lam")
DOMAIN = {lam: spectra(d, squares=True, nonzero=True), d: integers(1), N: integers(1)}


class WholeBlocks(NamedTuple):
    """As `Blocks`, and the other entries: the first d rows of W^PV (d, d + 1), the last column of W^KQ (d + 1,)."""

    U: Any
    u: Any
    a: Any
    b: Any
    rows: Any
    column: Any


def network_loss(ns, lam, N, U, u, a, b, free, others=None):
    """L of the network by an exact product rule: every x enters the squared error with degree 4; x_q and w
    with degree 2, or 6 and 4 where the blocks are free. U (d, d), u (), a and b (d,). ``others``: the other blocks,
    0 unless given: the first d rows of W^PV (d, d + 1), and the last column of W^KQ (d + 1,). Shape ()."""
    d = len(lam)
    query_rule, task_rule = (SEVENTH, FIFTH) if free else (THIRD, THIRD)
    nodes, weights = product_rule([FIFTH] * (N * d) + [query_rule] * d + [task_rule] * d)
    nodes, root = ns.asarray(nodes), root_of(ns, lam, ns.eye(d))
    x = gaussian(ns, ns.reshape(nodes[:, : N * d], (-1, N, d)), root)
    query = gaussian(ns, nodes[:, N * d : (N + 1) * d], root)
    w = nodes[:, (N + 1) * d :]
    y = ns.sum(x * ns.expand_dims(w, axis=1), axis=-1)
    PV, KQ = block(ns, ns.zeros((d, d)), a, u), block(ns, U, b, u * 0)
    if others is not None:
        rows, column = others
        PV = ns.concat([rows, PV[d:, :]], axis=0)
        KQ = ns.concat([KQ[:, :d], ns.expand_dims(column, axis=-1)], axis=1)
    error = prediction(ns, embedding(ns, x, y, query), PV, KQ, N) - ns.sum(w * query, axis=-1)
    return ns.sum(ns.asarray(weights) * error**2) * ns.rational(1, 2)


def parameters(free):
    def draw(rng, lam):
        d = len(lam)
        zero = [0] * d
        return Blocks(
            U=rng.rational((d, d), 3),
            u=Fraction(int(rng.integers(1, 7)), 3) * int(rng.signs()),
            a=[Fraction(x) + 1 for x in rng.rational((d,), 2)] if free else zero,
            b=[Fraction(x) + 1 for x in rng.rational((d,), 2)] if free else zero,
        )

    return draw


def cubature(ns, lam, N, U, u, a, b, free=True):
    """Loss of the network, one parameter draw after the other. Shape (B,)."""
    each = [network_loss(ns, lam, N, U[t], u[t], a[t], b[t], free) for t in range(u.shape[0])]
    return ns.stack(each)


def without_blocks(ns, lam, N, U, u, a, b):
    """The same where a = b = 0, at the nodes that this needs."""
    return cubature(ns, lam, N, U, u, a, b, free=False)


def with_other_blocks(rng, lam):
    """Weights whose w21 blocks vanish, everything else drawn."""
    d = len(lam)
    U, u, a, b = parameters(free=False)(rng, lam)
    return WholeBlocks(
        U, u, a, b, rows=rng.rational((d, d + 1), 3), column=rng.rational((d + 1,), 3)
    )


def whatever_the_others(ns, lam, N, U, u, a, b, rows, column):
    """`without_blocks`, the other blocks of W^PV and W^KQ as drawn. Shape (B,)."""
    each = [
        network_loss(ns, lam, N, U[t], u[t], a[t], b[t], False, (rows[t], column[t]))
        for t in range(u.shape[0])
    ]
    return ns.stack(each)


def another_row_read(ns, lam, N, U, u, a, b, rows, column):
    """The same with the last entry of the first of the other rows in u."""
    return whatever_the_others(ns, lam, N, U, u + rows[:, 0, -1], a, b, rows, column)


def another_column_read(ns, lam, N, U, u, a, b, rows, column):
    """The same with the first entry of the other column in U."""
    moved = U + ns.expand_dims(column[:, :1], axis=-1)
    return whatever_the_others(ns, lam, N, moved, u, a, b, rows, column)


def quadratic(ns, lam, N, U, u, a, b, constant=Fraction(1, 2)):
    """ltilde(U, u) + tr(Lambda)/2 by matrix products. Shape (B,)."""
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    shift = ns.trace(Lam) * ns.asarray(constant)
    return ns.stack([quadratic_loss(ns, Lam, N, U[t], u[t]) + shift for t in range(u.shape[0])])


def without_constant(ns, lam, N, U, u, a, b):
    return quadratic(ns, lam, N, U, u, a, b, constant=0)


def other_length(ns, lam, N, U, u, a, b):
    return quadratic(ns, lam, N + 1, U, u, a, b)


# ---- for every spectrum, length and weights


def by_moments(ns, s, t, N, U, u):
    """L where a = b = 0. Shape ()."""
    d = s.shape[0]
    return pretraining_loss(
        ns, turned(ns, t, d) * s, U, u, ns.zeros((d,)), ns.zeros((d,)), N, free=False
    )


def stated(ns, s, t, N, U, u, constant=Fraction(1, 2)):
    """ltilde(U, u) + tr(Lambda)/2. Shape ()."""
    Lam = covariance(ns, s**2, turned(ns, t, s.shape[0]))
    return quadratic_loss(ns, Lam, N, U, u) + ns.trace(Lam) * ns.asarray(constant)


def for_all_of_them(d, constant=Fraction(1, 2)):
    fields = {"s": (d,), "t": (), "N": (), "U": (d, d), "u": ()}
    return identity_for_all(
        by_moments, lambda ns, **given: stated(ns, **given, constant=constant), fields
    )


def another_constant(d):
    return for_all_of_them(d, constant=0)


GRID = {
    "smoke": [{lam: (4,), d: 1, N: 1}, {lam: (Fraction(1, 4),), d: 1, N: 2}],
    "standard": [
        {lam: (4,), d: 1, N: 1},
        {lam: (Fraction(1, 4),), d: 1, N: 2},
        {lam: (9,), d: 1, N: 3},
    ],
    "deep": [{lam: (4,), d: 1, N: 3}, {lam: (4, 1), d: 2, N: 1}],
}
ZERO = {
    "smoke": [{lam: (4,), d: 1, N: 2}, {lam: (4, 1), d: 2, N: 1}],
    "standard": [
        {lam: (4,), d: 1, N: 3},
        {lam: (4, 1), d: 2, N: 2},
        {lam: (Fraction(9, 4), 1), d: 2, N: 1},
    ],
}
FREE = instances(parameters(free=True), Blocks, smoke=2)
SPECTRA = {lam: spectra(squares=True, nonzero=True), N: integers(1)}
NETWORK = {"d": "lam", "Lambda": "lam", "theta": "U u a b"}


def without_size(grid):
    return {
        name: [{s: x for s, x in p.items() if s != d} for p in points]
        for name, points in grid.items()
    }


printed_lemma = claim(
    "icl-loss-quadratic-form",
    lhs=r"L(\theta)",
    tex=r"\tilde\ell(U,u)+\frac12\operatorname{tr}\Lambda",
    title="The loss is a quadratic in $uU$, as printed",
    says=r"For all parameters of the network, $L = \tilde\ell(U, u) + \operatorname{tr}(\Lambda)/2$, "
    r"the constant that $\theta= 0$ leaves.",
    expect="fail",
    covers="printed-for-all-theta",
    reads=NETWORK,
    domain=SPECTRA,
    grid=without_size(GRID),
    relation=equals(),
    legs=[leg("free blocks", cubature, arithmetic="rational", reference=quadratic, instances=FREE)],
)

corrected_lemma = claim(
    "icl-loss-quadratic-form-corrected",
    lhs=r"L(\theta)",
    tex=r"\tilde\ell(U,u)+\frac12\operatorname{tr}\Lambda",
    states="icl-loss-quadratic-form",
    title="The loss is a quadratic in $uU$ where the $w_{21}$ blocks vanish",
    says=r"If $w_{21}^{PV}=w_{21}^{KQ}=0$ then $L=\tilde\ell(U,u)+\frac12\operatorname{tr}\Lambda$, "
    "which depends on $uU$ alone.",
    role="corrected",
    corrects="icl-loss-quadratic-form",
    covers="corrected-zero-blocks depends-on-product",
    reads={"Lambda": "lam", "blocks": "rows column", "U_prime": "U", "u_prime": "u"},
    domain=DOMAIN,
    where=entries,
    grid=ZERO,
    relation=equals(),
    legs=[
        leg(
            "zero blocks",
            whatever_the_others,
            arithmetic="rational",
            reference=quadratic,
            instances=instances(with_other_blocks, WholeBlocks, smoke=2),
        ),
        leg(
            "moments of one example",
            for_all_of_them,
            arithmetic="proof",
            over="Lambda N U u U_prime u_prime",
            where=d <= 3,
        ),
    ],
    rivals=[
        variant("C = 0", reference=without_constant),
        variant("C = 0, for all", simulation=another_constant, leg="moments of one example"),
        variant("N + 1 for N", reference=other_length),
        variant("another row read", simulation=another_row_read),
        variant("the last column read", simulation=another_column_read),
        variant(
            "free blocks",
            simulation=cubature,
            at=GRID["smoke"],
            instances=instances(parameters(free=True), Blocks, smoke=1),
        ),
    ],
)

dropped_constant = claim(
    "icl-loss-quadratic-form-display",
    lhs=r"L(\theta)",
    tex=r"\tilde\ell(U,u)",
    states="icl-loss-quadratic-form",
    title="The display after the lemma, without the constant",
    says=r"If $w_{21}^{PV}=w_{21}^{KQ}=0$ then $L=\tilde\ell(U,1)$, as printed after the lemma.",
    expect="fail",
    covers="constant-dropped-after-lemma",
    reads={"d": "lam", "Lambda": "lam"},
    domain=SPECTRA,
    grid=without_size(ZERO),
    relation=equals(),
    legs=[
        leg(
            "zero blocks",
            without_blocks,
            arithmetic="rational",
            reference=without_constant,
            instances=instances(parameters(free=False), Blocks, smoke=1),
        ),
    ],
)
