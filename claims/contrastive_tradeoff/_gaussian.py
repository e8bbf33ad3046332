"""The linear model: z_S, z_{P_t} ~ N(0, I) in task t, the other private coordinates 0, z_U ~ N(0, I); x = M z,
phi(x) = W x. The loss depends on H = (W M)^T (W M) only; coordinates in the order S, P_1, .., P_T, U.
"""

from __future__ import annotations


def task_coordinates(s, private, t):
    """Positions of S and of P_t, t from 0, for ``private`` = r - s coordinates a task."""
    first = s + t * private
    return [*range(s), *range(first, first + private)]


def inverse_square_losses(ns, H, s, private, T):
    """(E exp(-z_{R_t}^T H z_{R_t}))^{-2} = det(I + 2 H_t) for every task. H (B, n, n), shape (B, T)."""
    dets = []
    for t in range(T):
        at = ns.indices(task_coordinates(s, private, t))
        block = ns.take(ns.take(H, at, axis=1), at, axis=2)
        dets.append(ns.det(ns.eye(s + private) + 2 * block))
    return ns.stack(dets, axis=1)


def exponential_loss(ns, H, s, private, T):
    """Mean over even tasks of E exp(-z_{R_t}^T H z_{R_t}), the contrastive loss with ell = exp(-t) of a map that does
    not see z_U. H (B, n, n), shape (B,)."""
    return ns.mean(1 / ns.sqrt(inverse_square_losses(ns, H, s, private, T)), axis=1)


def gram(ns, W):
    """W^T W. W (B, k, n)."""
    return ns.matmul(ns.matrix_transpose(W), W)
