"""Shared model of the source, linear-regression part: the linear self-attention network, its prompts, and
exact expectations over Gaussian prompts.

The network is evaluated from equation (5.1): the embedding matrix is built and multiplied out. Gaussian
expectations are product rules that are exact because every scalar Gaussian enters with low degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Array = Any


def embedding(ns: Any, x: Array, y: Array, query: Array) -> Array:
    """E = [[x_1 .. x_N, x_q], [y_1 .. y_N, 0]]. x (G, N, d), y (G, N), query (G, d); (G, d+1, N+1)."""
    tokens = ns.concat([x, ns.expand_dims(query, axis=1)], axis=1)
    labels = ns.concat([y, y[:, :1] * 0], axis=1)
    return ns.matrix_transpose(ns.concat([tokens, ns.expand_dims(labels, axis=-1)], axis=-1))


def prediction(ns: Any, E: Array, PV: Array, KQ: Array, rho: int) -> Array:
    """Bottom right entry of E + PV E (E^T KQ E) / rho. E (G, d+1, N+1), weights (d+1, d+1), also one for
    each prompt; (G,). Multiplied from the right: only the last column is asked for."""
    last = E[:, :, -1]
    scores = ns.expand_dims(_applied(ns, KQ, last), axis=-1)
    attention = ns.matmul(ns.matrix_transpose(E), scores) / rho
    return (last + _applied(ns, PV, ns.matmul(E, attention)[:, :, 0]))[:, -1]


def _applied(ns: Any, matrix: Array, x: Array) -> Array:
    """matrix x for every row of x (G, d+1): one product where the matrix is shared."""
    if len(matrix.shape) == 2:
        return ns.matmul(x, ns.matrix_transpose(matrix))
    return ns.matmul(matrix, ns.expand_dims(x, axis=-1))[:, :, 0]


def block(ns: Any, corner: Array, row: Array, scalar: Array) -> Array:
    """[[corner, 0], [row^T, scalar]] as a (d+1, d+1) matrix."""
    d = corner.shape[0]
    top = ns.concat([corner, ns.zeros((d, 1))], axis=1)
    bottom = ns.concat([ns.reshape(row, (1, d)), ns.reshape(scalar, (1, 1))], axis=1)
    return ns.concat([top, bottom], axis=0)


def gaussian(ns: Any, nodes: Array, root: Array) -> Array:
    """x = root g for standard normal nodes g (G, .., d) and a root of the covariance (d, d)."""
    return ns.matmul(nodes, ns.matrix_transpose(root))


def covariance(ns: Any, lam: Sequence[Any], Q: Array) -> Array:
    """Lambda = Q diag(lam) Q^T."""
    return ns.matmul(Q * ns.asarray(list(lam)), ns.matrix_transpose(Q))


def root_of(ns: Any, lam: Sequence[Any], Q: Array) -> Array:
    """A root Q diag(sqrt(lam)) of Lambda."""
    return Q * ns.sqrt(ns.asarray(list(lam)))


def gamma_matrix(ns: Any, Lam: Array, N: int) -> Array:
    """Gamma = (1 + 1/N) Lambda + tr(Lambda)/N I."""
    d = Lam.shape[0]
    return ns.rational(N + 1, N) * Lam + ns.eye(d) * (ns.trace(Lam) / N)


def quadratic_loss(ns: Any, Lam: Array, N: int, U: Array, u: Array) -> Array:
    """ltilde(U, u) = tr(u^2 Gamma Lambda U Lambda U^T / 2 - u Lambda^2 U^T), by matrix products. Shape ()."""
    LU = ns.matmul(Lam, U)
    first = ns.matmul(
        ns.matmul(gamma_matrix(ns, Lam, N), LU), ns.matmul(Lam, ns.matrix_transpose(U))
    )
    second = ns.matmul(ns.matmul(Lam, Lam), ns.matrix_transpose(U))
    return ns.trace(first) * u**2 * ns.rational(1, 2) - ns.trace(second) * u
