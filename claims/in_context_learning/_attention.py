"""Shared model of the source, linear-regression part: the linear self-attention network, its prompts, and
exact expectations over Gaussian prompts.

The network is evaluated from equation (5.1): the embedding matrix is built and multiplied out. Gaussian
expectations are product rules that are exact because every scalar Gaussian enters with low degree. Prompts of any
length are reached by (5.2): the prompt enters the prediction through the mean of independent terms, one for
each example, so that two moments of one term give the expected squared error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from theorycheck.blocks.gaussian_rules import FIFTH, SEVENTH, THIRD, product_rule

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


class Blocks(NamedTuple):
    """The blocks of the attention matrices, exact: U (d, d), u a number, a and b (d,)."""

    U: Any
    u: Any
    a: Any
    b: Any


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
    return Lam + (Lam + ns.eye(Lam.shape[0]) * ns.trace(Lam)) / N


def quadratic_loss(ns: Any, Lam: Array, N: int, U: Array, u: Array) -> Array:
    """ltilde(U, u) = tr(u^2 Gamma Lambda U Lambda U^T / 2 - u Lambda^2 U^T), by matrix products. Shape ()."""
    LU = ns.matmul(Lam, U)
    first = ns.matmul(
        ns.matmul(gamma_matrix(ns, Lam, N), LU), ns.matmul(Lam, ns.matrix_transpose(U))
    )
    second = ns.matmul(ns.matmul(Lam, Lam), ns.matrix_transpose(U))
    return ns.trace(first) * u**2 * ns.rational(1, 2) - ns.trace(second) * u


def turned(ns: Any, t: Array, d: int) -> Array:
    """The rotation of R^d in the plane of its first two axes, by the tangent t () of half the angle."""
    c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    plane = [[ns.asarray(int(m == n)) for n in range(d)] for m in range(d)]
    if d > 1:
        plane[0][0], plane[1][1], plane[0][1], plane[1][0] = c, c, -s, s
    return ns.asarray(plane)


def padded(ns: Any, v: Array, d: int) -> Array:
    """v with zeros up to length d."""
    return ns.concat([v, ns.zeros((d - v.shape[0],))])


# ---- prompts of any length


def reply(
    ns: Any, x: Array, y: Array, query: Array, U: Array, u: Array, a: Array, b: Array
) -> Array:
    """(a.x + u y)(x^T U x_q + y b.x_q), what an example adds to N times the prediction. x (E, d), query (G, d),
    y (G, E) or (1, E); (G, E)."""
    scores = ns.matmul(ns.matmul(query, ns.matrix_transpose(U)), ns.matrix_transpose(x))
    scores = scores + y * ns.expand_dims(ns.sum(query * b, axis=-1), axis=-1)
    return (ns.expand_dims(ns.sum(x * a, axis=-1), axis=0) + u * y) * scores


def evaluation_loss(
    ns: Any,
    root: Array,
    w: Array,
    sigma: Array,
    U: Array,
    u: Array,
    M: Array,
    flip: Array | None = None,
) -> Array:
    """E (yhat - <w, x_q>)^2 over prompts of M examples with label noise of variance sigma^2, rho = M, w21 blocks
    0, every label flipped with probability ``flip``. One example enters the square of a term with degree 4, the
    noise and the query with 2. root (d, d), w (d,), U (d, d); ()."""
    d = root.shape[0]
    one, one_weights = product_rule([FIFTH] * d + [THIRD])
    queries, query_weights = product_rule([THIRD] * d)
    one, query = ns.asarray(one), gaussian(ns, ns.asarray(queries), root)
    x = gaussian(ns, one[:, :d], root)
    y = ns.expand_dims(ns.matmul(x, w) + sigma * one[:, d], axis=0)
    zero = ns.zeros((d,))

    def moments(labels: Array) -> list[Array]:
        t = reply(ns, x, labels, query, U, u, zero, zero)
        return [ns.sum(m * ns.asarray(one_weights), axis=-1) for m in (t, t**2)]

    mean, square = moments(y)
    if flip is not None:
        other = moments(-y)
        mean, square = (
            (1 - flip) * m + flip * n for m, n in zip((mean, square), other, strict=True)
        )
    error = (mean - ns.matmul(query, w)) ** 2 + (square - mean**2) / M
    return ns.sum(ns.asarray(query_weights) * error)


def pretraining_loss(
    ns: Any, root: Array, U: Array, u: Array, a: Array, b: Array, N: Array, free: bool = True
) -> Array:
    """L = E (yhat - <w, x_q>)^2 / 2 over tasks w ~ N(0, I) and prompts of N noiseless examples, rho = N; a = w21^PV,
    b = w21^KQ. One example enters the square of a term with degree 4, w with 4 and x_q with 6 (2 and 2 where
    a = b = 0, ``free`` false). root (d, d), U (d, d), a and b (d,); ()."""
    d = root.shape[0]
    one, one_weights = product_rule([FIFTH] * d)
    rest, rest_weights = product_rule(([SEVENTH] * d + [FIFTH] * d) if free else [THIRD] * (2 * d))
    x, rest = gaussian(ns, ns.asarray(one), root), ns.asarray(rest)
    query, w = gaussian(ns, rest[:, :d], root), rest[:, d:]
    y = ns.matmul(w, ns.matrix_transpose(x))
    t = reply(ns, x, y, query, U, u, a, b)
    mean, square = (ns.sum(m * ns.asarray(one_weights), axis=-1) for m in (t, t**2))
    own = ns.sum(query * a, axis=-1) * ns.sum(
        ns.matmul(query, ns.matrix_transpose(U)) * query, axis=-1
    )
    error = (mean + own / N - ns.sum(query * w, axis=-1)) ** 2 + (square - mean**2) / N
    return ns.sum(ns.asarray(rest_weights) * error) * ns.rational(1, 2)
