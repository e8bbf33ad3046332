"""Linear predictors on the features that are learned: phi = F z, F = Q diag(sqrt(alpha) on S, sqrt(alpha_t) on P_t),
the least norm of a u with F^T u = u*, and the leading term of the bounds on the risk, |u| (E|phi|^2)^{1/2}.
"""

from __future__ import annotations

from theorycheck.blocks.rational_matrices import rational_rows


def rotation_and_label(rng, s, r):
    """Q orthogonal in one dimension more, a label, and how far a predictor lies outside of the features."""
    label = [int(rng.integers(1, 5) * rng.signs()) for _ in range(r)]
    return {
        "outside": rng.rational((1,), 4),
        "Q": rational_rows(rng.orthogonal_rational(r + 1)),
        "label": label,
        "v_1": sum(x * x for x in label[:s]),
        "v_2": sum(x * x for x in label[s:]),
    }


def features(ns, Q, s, r, a, b):
    """phi = F z for weights a on S and b on P_t, rotated in one dimension more. Shape (B, r + 1, r)."""
    weights = [ns.full((count,), ns.asarray(w)) for w, count in ((a, s), (b, r - s))]
    return Q[:, :, :r] * ns.concat(weights, axis=0)


def solved(ns, Q, label, s, r, a, b):
    """w = (F^T F)^{-1} u*. Shape (B, r, 1)."""
    F = features(ns, Q, s, r, a, b)
    return ns.solve(ns.matmul(ns.matrix_transpose(F), F), label[:, :, None])


def smallest_predictor(ns, Q, label, s, r, a, b):
    """|F w|^2, once F^T (F w) = u* is seen. Shape (B,)."""
    F = features(ns, Q, s, r, a, b)
    u = ns.matmul(F, solved(ns, Q, label, s, r, a, b))
    if not ns.all(ns.matmul(ns.matrix_transpose(F), u)[:, :, 0] == label):
        raise ValueError("the predictor does not realise the label")
    return ns.sum(u * u, axis=(1, 2))


def even_label(rng, s):
    """The same for r = 2s and a label that is as long on P_t as on S, of squared length ``v`` on either."""
    drawn = rotation_and_label(rng, s, 2 * s)
    on_S = drawn["label"][:s]
    label = [*on_S, *(-x for x in reversed(on_S))]
    return {"Q": drawn["Q"], "label": label, "v": drawn["v_1"]}


def leading_term(ns, Q, label, s, a, b):
    """|F w| (E|F z|^2)^{1/2}, r = 2s, z of unit variances: of the predictor of `smallest_predictor` and of what it is
    applied to. Shape (B,)."""
    F = features(ns, Q, s, 2 * s, a, b)
    u = ns.matmul(F, solved(ns, Q, label, s, 2 * s, a, b))
    return ns.sqrt(ns.sum(u * u, axis=(1, 2)) * ns.sum(F * F, axis=(1, 2)))
