"""Shared program of the simulations: the six methods of the tables on one sample, batched over seeds.

Protocol. Two steps of the printed schedule on the whole sample, without smoothing; then gradient descent on all
parameters, hinge, whole sample, momentum 9/10, no decay. The source does not give the rates of its training nor how it
trained its read-outs; ours are least squares, features centred and scaled, with a ridge (1e-6 of the identity, 1e-1
for the tangent kernel's many features), one of the best of their kind. The starts are N(0, 1/k^2), N(0, 1/k^4), N(0,
sigma~^4/(gamma k^2)^2), in pairs with read-outs a and -a; RF and NTK have the same start. Weights off the dictionary
see no input (structured-training-d-invariance): d does not enter.

Sizes are reduced from the source's D = 100, k = 5, m = 300, n = 50,000, T = 600 and named by each page.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any


class Sample(NamedTuple):
    """Normalised inputs (S, n, D), labels +-1 (S, n), sigma~ and gamma of the law."""

    inputs: Array
    labels: Array
    scale: Array
    gamma: Array


class Net(NamedTuple):
    """Weights (S, M, D), biases (S, M), read-outs (S, M)."""

    weights: Array
    biases: Array
    readouts: Array


def parity_mixture(ns, rng, size, n, D, k, structure=True):
    """The mixture with p_o = 1/2."""
    z = rng.signs((size, n, D))
    relevant = z[:, :, :k]
    if structure:
        one = ns.broadcast_to(rng.signs((size, n, 1)), relevant.shape)
        relevant = ns.where(rng.signs((size, n, 1)) > 0, relevant, one)
    z = ns.concat([relevant, z[:, :, k:]], axis=2)
    scale = ns.sqrt(ns.asarray(D)) / 2
    return Sample(z / (2 * scale), ns.prod(relevant, axis=2), scale, ns.rational(1, 4))


def begun(ns, rng, size, data, k, m):
    """m neurons and their copies."""
    D = data.inputs.shape[2]
    w, b = rng.normal((size, m, D)) / k, rng.normal((size, m)) / k**2
    a = rng.normal((size, m)) * data.scale**2 / (data.gamma * k**2)
    return Net(ns.concat([w, w], axis=1), ns.concat([b, b], axis=1), ns.concat([a, -a], axis=1))


def before(ns, net, x):
    return ns.matmul(x, ns.matrix_transpose(net.weights)) + net.biases[:, None, :]


def unit(ns, z):
    return ns.minimum(ns.relu(z), 1)


def output(ns, net, x):
    return ns.sum(unit(ns, before(ns, net, x)) * net.readouts[:, None, :], axis=2)


def descent(ns, net, data, every=False):
    """Minus the gradient of the hinge loss; ``every``: all examples pull, as at the start."""
    z = before(ns, net, data.inputs)
    value, gate = unit(ns, z), ns.number((z > 0) & (z < 1))
    y = data.labels
    pull = y / y.shape[1]
    if not every:
        margin = y * ns.sum(value * net.readouts[:, None, :], axis=2)
        pull = pull * ns.number(margin <= 1)
    pulled = ns.matrix_transpose(gate * pull[:, :, None])
    return (
        net.readouts[:, :, None] * ns.matmul(pulled, data.inputs),
        net.readouts * ns.sum(pulled, axis=2),
        ns.matmul(pull[:, None, :], value)[:, 0, :],
    )


def after_one(ns, net, data, k, m):
    """The first step forgets the weights."""
    T, b, a = descent(ns, net, data, every=True)
    eta = data.gamma**2 * data.scale / (k * m**3)
    return Net(eta * T, net.biases + eta * b, net.readouts + eta * a)


def after_two(ns, net, data):
    """Rate 1, weights and read-outs forget."""
    T, b, a = descent(ns, net, data)
    return Net(T, net.biases + b, a)


def trained(ns, net, data, steps, rate):
    """Gradient descent with momentum 9/10 from the features of two steps."""
    moved = tuple(0 * part for part in net)
    for _ in range(steps):
        pull = descent(ns, net, data)
        moved = tuple(9 * v / 10 + g for v, g in zip(moved, pull, strict=True))
        net = Net(*(p + rate * v for p, v in zip(net, moved, strict=True)))
    return net


def random_features(ns, net, m, x):
    return unit(ns, before(ns, net, x))[:, :, :m]


def tangent_features(ns, net, m, x):
    """Slopes of the output by all parameters of the first m neurons, read-outs apart."""
    z = before(ns, net, x)[:, :, :m]
    gate = ns.number((z > 0) & (z < 1))
    each = gate[:, :, :, None] * x[:, :, None, :]
    shape = (*x.shape[:2], m * x.shape[2])
    return ns.concat([unit(ns, z), gate, ns.reshape(each, shape)], axis=2)


def read(ns, train, test, labels, ridge):
    """Outputs on both samples of the least-squares read-out."""
    centre = ns.mean(train, axis=1)[:, None, :]
    spread = ns.sqrt(ns.mean((train - centre) ** 2, axis=1))[:, None, :]
    spread = ns.where(spread > 0, spread, 1)
    one = ns.ones((*train.shape[:2], 1)), ns.ones((*test.shape[:2], 1))
    x, z = (
        ns.concat([(u - centre) / spread, o], axis=2)
        for u, o in zip((train, test), one, strict=True)
    )
    t = ns.matrix_transpose(x)
    gram = ns.matmul(t, x) / x.shape[1] + ridge * ns.eye(x.shape[2])
    a = ns.solve(gram, ns.matmul(t, labels[:, :, None]) / x.shape[1])
    return ns.matmul(x, a)[:, :, 0], ns.matmul(z, a)[:, :, 0]


def right(ns, out, labels):
    """Share of right signs. Shape (S,)."""
    return ns.mean(ns.number(out * labels > 0), axis=1)


def accuracies(ns, rng, size, data, fresh, k, m, methods, steps=300, rate=(3, 5)):
    """Of the named methods, the accuracies (train, test) of every seed: linear, rf, ntk, one, two, network."""
    start, found = begun(ns, rng, size, data, k, m), {}
    one = after_one(ns, start, data, k, m)
    two = after_two(ns, one, data)
    small, large = ns.rational(1, 10**6), ns.rational(1, 10)
    features = {
        "linear": (lambda x: x, small),
        "rf": (lambda x: random_features(ns, start, m, x), small),
        "ntk": (lambda x: tangent_features(ns, start, m, x), large),
        "one": (lambda x: unit(ns, before(ns, one, x)), small),
        "two": (lambda x: unit(ns, before(ns, two, x)), small),
    }
    for method in methods:
        if method == "network":
            net = trained(ns, two, data, steps, ns.rational(*rate))
            outs = output(ns, net, data.inputs), output(ns, net, fresh.inputs)
        else:
            make, ridge = features[method]
            outs = read(ns, make(data.inputs), make(fresh.inputs), data.labels, ridge)
        found[method] = tuple(
            right(ns, o, s.labels) for o, s in zip(outs, (data, fresh), strict=True)
        )
    return found
