"""Shared models of the source: the looped linear-attention layer and gradient descent.

Both are written from their own definitions and never meet. Arrays carry a leading batch axis B of
prompts; everything is written once for rationals, balls, intervals and floats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from theorycheck.arrays.slices import in_cache

Array = Any


class Prompt(NamedTuple):
    """A prompt and the steps of the loops, exact: X (n, d), y (n,), q0 (d,), alpha a number, eta (T,)."""

    X: Any
    y: Any
    q0: Any
    alpha: Any
    eta: Any


class TaskPrompt(NamedTuple):
    """A prompt whose labels come from a task theta_star (d,); the rest as in `Prompt`."""

    X: Any
    y: Any
    theta_star: Any
    q0: Any
    alpha: Any
    eta: Any


def initial_state(ns: Any, X: Array, y: Array, q0: Array, alpha: Array) -> Array:
    """Hidden state Z = [[X, y], [q0^T, alpha]]. X (B, n, d), y (B, n), q0 (B, d), alpha (B,);
    result (B, n+1, d+1). Definition 8.6 with its sizes corrected."""
    context = ns.concat([X, ns.expand_dims(y, axis=-1)], axis=-1)
    query = ns.concat([q0, ns.expand_dims(alpha, axis=-1)], axis=-1)
    return ns.concat([context, ns.expand_dims(query, axis=1)], axis=1)


def last_row_mask(ns: Any, n: int) -> Array:
    """Ones in the last row over the n context columns, zero elsewhere; (n+1, n+1)."""
    at = ns.arange(n + 1)
    return ns.number((at[:, None] == n) & (at[None, :] < n))


def value_matrix(ns: Any, d: int) -> Array:
    """P = diag(1, .., 1, 0): the value matrix that drops the label column; (d+1, d+1)."""
    at = ns.arange(d + 1)
    return ns.number((at[:, None] == at[None, :]) & (at[None, :] < d))


def attention(ns: Any, Z: Array, mask: Array | None = None, P: Array | None = None) -> Array:
    """One masked linear attention layer (Mask o (Z Q Z^T)) Z P with Q the identity; (B, n+1, d+1).

    ``mask`` and ``P`` default to those of the source.
    """
    mask = last_row_mask(ns, Z.shape[1] - 1) if mask is None else mask
    P = value_matrix(ns, Z.shape[2] - 1) if P is None else P
    scores = ns.matmul(Z, ns.matrix_transpose(Z))
    return ns.matmul(ns.matmul(mask * scores, Z), P)


def looped_transformer(
    ns: Any,
    X: Array,
    y: Array,
    q0: Array,
    alpha: Array,
    eta: Array,
    T: int,
    mask: Array | None = None,
    P: Array | None = None,
) -> Array:
    """T loops of the layer with residual weight -eta_t. Output -(last row, first d entries); (B, d).

    ``eta`` has shape (B, T). Definition 8.7.
    """
    n, d = X.shape[1], X.shape[2]
    cuts = in_cache(ns, X.shape[0], (n + 1) ** 2)
    if len(cuts) > 1:
        return ns.concat(
            [looped_transformer(ns, X[c], y[c], q0[c], alpha[c], eta[c], T, mask, P) for c in cuts]
        )
    mask = last_row_mask(ns, n) if mask is None else mask
    P = value_matrix(ns, d) if P is None else P
    Z = initial_state(ns, X, y, q0, alpha)
    for t in range(T):
        Z = Z - ns.reshape(eta[:, t], (-1, 1, 1)) * attention(ns, Z, mask, P)
    return -Z[:, n, :d]


def gradient_descent(ns: Any, X: Array, y: Array, theta0: Array, eta: Array, T: int) -> Array:
    """T steps on l(theta) = |y - X theta|^2 / 2 from theta0 (B, d), steps eta (B, T); (B, d)."""
    theta = ns.expand_dims(theta0, axis=-1)
    target = ns.expand_dims(y, axis=-1)
    Xt = ns.matrix_transpose(X)
    for t in range(T):
        residual = ns.matmul(X, theta) - target
        theta = theta - ns.reshape(eta[:, t], (-1, 1, 1)) * ns.matmul(Xt, residual)
    return theta[:, :, 0]
