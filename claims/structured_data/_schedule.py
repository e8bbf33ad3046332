r"""Shared program of the simulations: the parity mixture, and the schedule of Section 2.3 on samples.

Coordinates. The dictionary is the first D axes of R^d and A the first k of them: starts are Gaussian and background
patterns exchangeable, so that neither choice matters. A neuron has weights on the D patterns and ``off`` them, which
no input sees. Inputs are z/sqrt(D), z = 2 phit - 1, since sigt = sqrt(D)/2 at p_o = 1/2. gamma = 1/4.

Few neurons. While |g| < 1 every example pulls, and a neuron moves by itself: g^(0) = 0, and with the rate eta =
gamma^2 sigt/(k m^3) of the schedule |g^(1)| <= 4 eta sum_i (a_i^2 + 1), because |x| = 1 bounds T, T_b and T_a by 1:
at most 1e-4 at m = 300 where sum a_i^2 <= 10^4, its mean being 4800. So the first neurons of m are as they are beside
the others, and a maximum over them is a lower bound of the maximum over all.

Error of the floats: sums of n terms in float64, relative 1e-12; the observations have margins of 1e-3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

Array = Any
CHUNK = 2_000
"""Examples of a product."""


class Neurons(NamedTuple):
    """Weights (S, M, D) on the patterns and (S, M, d - D) off them, biases and read-outs (S, M)."""

    weights: Array
    off: Array
    biases: Array
    readouts: Array


class Sample(NamedTuple):
    """Inputs (S, n, D) and labels +-1 (S, n)."""

    inputs: Array
    labels: Array


def mixture(ns, rng, size, n, D, k, structure=True):
    """n examples of the parity mixture; without structure all patterns are uniform."""
    z = rng.signs((size, n, D))
    relevant = z[:, :, :k]
    if structure:
        one = ns.broadcast_to(rng.signs((size, n, 1)), relevant.shape)
        relevant = ns.where(rng.signs((size, n, 1)) > 0, relevant, one)
        z = ns.concat([relevant, z[:, :, k:]], axis=2)
    return Sample(z / ns.sqrt(ns.asarray(D)), ns.prod(relevant, axis=2))


def drawn(ns, rng, size, d, D, k, m):
    """m neurons at the start: standard deviations 1/k, 1/k^2 and sigt^2/(gamma k^2)."""
    w = rng.normal((size, m, d)) / k
    b = rng.normal((size, m)) / k**2
    return Neurons(w[:, :, :D], w[:, :, D:], b, rng.normal((size, m)) * D / k**2)


def paired(ns, net, other):
    """The neurons of two networks, one after the other."""
    return Neurons(*(ns.concat([a, b], axis=1) for a, b in zip(net, other, strict=True)))


def _tail(ns, v, s):
    """E max(v + s g, 0)."""
    density = ns.exp(-v * v / (2 * s * s)) / ns.sqrt(2 * ns.pi)
    return v * (1 + ns.erf(v / (s * ns.sqrt(ns.asarray(2))))) / 2 + s * density


def unit(ns, z, s):
    """Value and slope of the truncated ReLU, smoothed by noise of deviation s where s > 0."""
    if s == 0:
        return ns.minimum(ns.relu(z), 1), ns.number((z > 0) & (z < 1))
    s = ns.asarray(s)
    root = s * ns.sqrt(ns.asarray(2))
    gate = (ns.erf((1 - z) / root) + ns.erf(z / root)) / 2
    return _tail(ns, z, s) - _tail(ns, z - 1, s), gate


def before(ns, net, inputs):
    """<w_i, x> + b_i. Shape (S, N, M)."""
    return ns.matmul(inputs, ns.matrix_transpose(net.weights)) + net.biases[:, None, :]


def descent(ns, net, data, s):
    """T, T_b, T_a: minus the gradient of the mean hinge loss by w, b, a is (a T, a T_b, T_a) as long as |g| < 1."""
    n, out = data.labels.shape[1], None
    for i in range(0, n, CHUNK):
        x, y = data.inputs[:, i : i + CHUNK, :], data.labels[:, i : i + CHUNK] / n
        value, gate = unit(ns, before(ns, net, x), s)
        pulled = ns.matrix_transpose(gate * y[:, :, None])
        part = (
            ns.matmul(pulled, x),
            ns.sum(pulled, axis=2),
            ns.matmul(y[:, None, :], value)[:, 0, :],
        )
        out = part if out is None else tuple(a + b for a, b in zip(out, part, strict=True))
    return out


def after_one(ns, net, data, k, m, rate=None, forgets=True):
    """The neurons and their copies after the first step, decay 1/(2 eta). The rate is gamma^2 sigt/(k m^3)."""
    D = net.weights.shape[2]
    T, T_b, T_a = descent(ns, net, data, Fraction(1, k * k))
    eta = ns.sqrt(ns.asarray(D)) / (32 * k * m**3) if rate is None else ns.asarray(rate)
    kept = 0 if forgets else 1
    both = []
    for sign in (1, -1):
        a = sign * net.readouts
        w = kept * net.weights + eta * a[:, :, None] * T
        both.append(Neurons(w, kept * net.off, net.biases + eta * a * T_b, a + eta * T_a))
    return paired(ns, *both)


def after_two(ns, net, data, k):
    """After the second step, rate 1 and decays 1/2 of weights and read-outs, as long as |g| < 1."""
    T, T_b, T_a = descent(ns, net, data, Fraction(1, k * k))
    a = net.readouts
    return Neurons(a[:, :, None] * T, 0 * net.off, net.biases + a * T_b, T_a)


def closest(ns, net, k):
    """max_i cos(w_i, sum_A M_j). Shape (S,)."""
    length = ns.sqrt(ns.sum(net.weights**2, axis=2) + ns.sum(net.off**2, axis=2))
    along = ns.sum(net.weights[:, :, :k], axis=2) / ns.sqrt(ns.asarray(k))
    return ns.max(along / length, axis=1)
