"""Proposition 7.4: what pre-training on one task leaves for another.

Setting. As in `specific`: the representation of task t is Q z_{R_t}.

Statement. On a task D_i, i != t, the representation is Q z_S: every linear predictor is a linear function of z_S, so
that its error is at least the least one of those; for the squared error that is |u_{P_i}|^2.

Reference: Proposition 7.4 = F.7, lines 2042-2050 and 9808-9820.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    identity_for_all,
    instances,
    integers,
    leg,
    minimises,
    search,
    variant,
)

s, r, T, i, t = sp.symbols("s r T i t", integer=True, positive=True)


def on_task(ns, z_S, z_P, s, private, T, i):
    """z on task i (from 1): z_S, z_P at P_i, 0 elsewhere. Shape (B, s + T private)."""
    zeros = 0 * z_P
    return ns.concat([z_S, *(z_P if j == i else zeros for j in range(1, T + 1))], axis=1)


def representation(ns, W, z, s, private, t):
    """W (B, k, r) times z_{R_t}: what pre-training on task t learns, rotated. Shape (B, k)."""
    first = s + (t - 1) * private
    own = ns.concat([z[:, :s], z[:, first : first + private]], axis=1)
    return ns.einsum("zkr,zr->zk", W, own)


def score(ns, W, u, z_S, z_P, s, private, T, t, i):
    """u^T phi(x) on task i. Shape (B,)."""
    return ns.sum(
        u * representation(ns, W, on_task(ns, z_S, z_P, s, private, T, i), s, private, t), axis=1
    )


def of_shared(ns, W, u, z_S, z_P, s):
    """(W_S^T u)^T z_S. Shape (B,)."""
    return ns.einsum("zs,zs->z", ns.einsum("zks,zk->zs", W[:, :, :s], u), z_S)


def fields(s, private):
    size = s + private
    return {"W": (1, size, size), "u": (1, size), "z_S": (1, s), "z_P": (1, private)}


def blind_to_private(s, r, T, i, t):
    """On task i the score is a linear function of z_S for every W, u, z_S and z_P."""
    return identity_for_all(
        lambda ns, W, u, z_S, z_P: score(ns, W, u, z_S, z_P, s, r - s, T, t, i),
        lambda ns, W, u, z_S, z_P: of_shared(ns, W, u, z_S, z_P, s),
        fields(s, r - s),
    )


def on_its_own_task(s, r, T, i, t):
    return blind_to_private(s, r, T, t, t)


def drawn_scores(rng, s, r):
    shapes = fields(s, r - s)
    return {name: rng.rational(shape[1:], 4) for name, shape in shapes.items()}


def drawn_score(ns, W, u, z_S, z_P, s, r, T, i, t):
    return score(ns, W, u, z_S, z_P, s, r - s, T, t, i)


def drawn_shared(ns, W, u, z_S, z_P, s, r, T, i, t):
    return of_shared(ns, W, u, z_S, z_P, s)


def drawn_first(ns, W, u, z_S, z_P, s, r, T, i, t):
    """With the first s rows for the first s columns of W."""
    return ns.einsum("zs,zs->z", ns.einsum("zsk,zk->zs", W[:, :s, :], u), z_S)


def drawn_absolute(ns, W, u, z_S, z_P, s, r, T, i, t):
    return abs(drawn_shared(ns, W, u, z_S, z_P, s, r, T, i, t))


def drawn_minus_absolute(ns, W, u, z_S, z_P, s, r, T, i, t):
    return -drawn_absolute(ns, W, u, z_S, z_P, s, r, T, i, t)


other_task = claim(
    "contrastive-specific-other-task",
    lhs=r"u^\top\phi_t^*(x)",
    tex=r"(Q_S^\top u)^\top z_S",
    states="contrastive-specific",
    title="On another task only shared features are seen",
    says=r"On $D_i$, $i \ne t$, $u^\top \phi_t^*$ is a linear function of $z_S$ alone, so that "
    "its error, of whatever loss, is at least the least of those.",
    covers="other-task-error",
    domain={s: integers(1), r: integers(2), T: integers(2), i: integers(1), t: integers(1)},
    where=sp.And(sp.Lt(s, r), sp.Le(i, T), sp.Le(t, T), sp.Ne(i, t)),
    grid={
        "smoke": [{s: 1, r: 2, T: 2, i: 1, t: 2}, {s: 2, r: 3, T: 3, i: 3, t: 1}],
        "standard": [{s: 1, r: b, T: 3, i: 2, t: 1} for b in (2, 3, 4)],
    },
    legs=[
        leg(
            "scores",
            drawn_score,
            arithmetic="rational",
            reference=drawn_shared,
            instances=instances(drawn_scores, "W u z_S z_P", smoke=6, standard=8),
        ),
        leg(
            "indeterminates",
            blind_to_private,
            arithmetic="proof",
            over="u ell_c",
            grid={"smoke": [{s: 1, r: 2, T: 2, i: 1, t: 2}, {s: 1, r: 3, T: 3, i: 3, t: 2}]},
        ),
    ],
    rivals=[
        variant("rows for columns", reference=drawn_first, leg="scores"),
        variant("its absolute value", reference=drawn_absolute, leg="scores"),
        variant("minus its absolute value", reference=drawn_minus_absolute, leg="scores"),
        variant("its own task", simulation=on_its_own_task, leg="indeterminates"),
    ],
)


def squared_error(ns, u, own, s):
    """E (w^T z_S - y)^2 = |w - u_S|^2 + |u_P|^2 for a predictor w of z_S, ``own`` = w; y = u^T z. Shape (B,)."""
    gap = ns.concat([own - u[:, :s], -u[:, s:]], axis=1)
    return ns.sum(gap * gap, axis=1)


def best_predictor(ns, u, own, s):
    return squared_error(ns, u, u[:, :s], s)


def orthogonal_part(ns, u, own, s):
    """(E[e y])^2/E[e^2] for e = u_P^T z_P, uncorrelated with every predictor: Cauchy-Schwarz. Shape (B,)."""
    padded = ns.concat([0 * u[:, :s], u[:, s:]], axis=1)
    covariance = ns.sum(padded * u, axis=1)
    return covariance**2 / ns.sum(padded * padded, axis=1)


def labels_and_predictor(rng, s, r):
    u = [int(rng.integers(1, 5) * rng.signs()) for _ in range(r)]
    return {"u": u, "own": rng.rational((s,), 4), "private": sum(x * x for x in u[s:])}


private = sp.Symbol("private")
LABELS = instances(labels_and_predictor, "u own private", smoke=3, standard=8)
squared = claim(
    "contrastive-specific-squared",
    lhs=r"\min_w\mathbb E(w^\top z_S-y)^2",
    tex=r"\|u_{P_i}\|^2",
    states="contrastive-specific",
    title="The squared error that remains on another task",
    says=r"The least squared error of predictors of $z_S$ for $y = u^\top z$ is $|u_{P_i}|^2$.",
    role="derived",
    domain={s: integers(1), r: integers(2)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [{s: 1, r: 2}, {s: 2, r: 5}],
        "standard": [{s: a, r: a + b} for a in (1, 3) for b in (1, 2, 4)],
    },
    closed_form=private,
    relation=minimises(),
    legs=[
        attained(best_predictor, arithmetic="rational", instances=LABELS),
        certificate(orthogonal_part, arithmetic="rational", instances=LABELS),
        search(squared_error, name="drawn predictors", arithmetic="rational", instances=LABELS),
    ],
    rivals=[variant("twice", closed_form=2 * private), variant("0", closed_form=0 * private)],
)
