r"""Shared program of the tables: what the six methods train, at the batches and the number of steps of the source.

Protocol. Steps 1 and 2 are the printed schedule on the whole sample. Steps 3 to T are descents on the hinge over
batches of 1000, taken in turn, without noise, decay or momentum, at rates that fall linearly to 0. The source gives
their number and the batches; the rates of its experiments it does not give, and by the rate of its theorem, k^2/(T
m^(1/3)) for all parameters, nothing is learned beyond a linear rule. Ours, a departure: read-outs at 1000, weights and
biases at a millionth of that (the proof has them hardly move). They were looked for among rates from 0.02 to 10,000
for the read-outs and shares from 1 to 0, with momentum and without, in a model of the parity's count alone, on seeds
that no claim uses; of the last grid (100, 300, 1000, 3000 and 10^-5, 10^-6, 10^-7) several pairs were right in all of
eight seeds at m = 50 and at m = 300, of which this is one. All pages have these two.

NTK trains the slopes at the start for as many steps, on the same batches, at the best of the rates 1, 1/10, 1/100
and 1/1000 on one seed apart (of 1, 10, 100 and 1000 on labels of an interval). Random features, a linear rule and
two-step features are read by least squares, one of the best classifiers; one-step features as the network's are.
Inputs are coordinates on the dictionary: no weight off it sees an input (structured-training-d-invariance).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._schedule import Neurons, Sample, after_one, after_two, before, drawn, unit
from ._six_methods import read

Array = Any
RATE, SHARE = (1000, 1), (1, 10**6)
TANGENT = {"parity": (1, 100), "interval": (10, 1)}
BATCH = 1000


class Run(NamedTuple):
    """Neurons (S, m), (S, 2 m) and (S, 2 m): at the start, after one step and after two."""

    start: Neurons
    one: Neurons
    two: Neurons


def begun(ns, rng, size, data, d, k, m, weights=1):
    """Two steps on the sample; ``weights`` of the examples, (S, n) or 1."""
    start = drawn(ns, rng, size, d, data.inputs.shape[2], k, m)
    pulled = Sample(data.inputs, weights * data.labels)
    one = after_one(ns, start, pulled, k, m)
    return Run(start, one, after_two(ns, one, pulled, k))


def batch(data, t):
    """The examples of step t, in turn."""
    count = min(BATCH, data.labels.shape[1])
    at = t * count % data.labels.shape[1]
    return data.inputs[:, at : at + count, :], data.labels[:, at : at + count]


def pull(ns, out, y):
    """Minus the slopes of the mean hinge by the outputs. Shape (S, N)."""
    return y * ns.number(y * out <= 1) / y.shape[1]


def across(ns, features, readouts):
    return ns.matmul(features, readouts[:, :, None])[:, :, 0]


def summed(ns, features, pulled):
    """Sum over the examples. Shape (S, M)."""
    return ns.matmul(pulled[:, None, :], features)[:, 0, :]


def trained(ns, net, data, steps, moves=True):
    """The network after steps 3 to ``steps``; without ``moves`` its read-outs alone learn."""
    w, b, a = net.weights, net.biases, net.readouts
    for t in range(2, steps):
        x, y = batch(data, t)
        value, gate = unit(ns, ns.matmul(x, ns.matrix_transpose(w)) + b[:, None, :], 0)
        p = pull(ns, across(ns, value, a), y)
        rate = ns.rational(*RATE) * ns.rational(steps - t, steps)
        if moves:
            slow = rate * ns.rational(*SHARE) * a
            w = w + slow[:, :, None] * ns.matmul(ns.matrix_transpose(gate), p[:, :, None] * x)
            b = b + slow * summed(ns, gate, p)
        a = a + rate * summed(ns, value, p)
    return Neurons(w, net.off, b, a)


def output(ns, net, x):
    return across(ns, unit(ns, before(ns, net, x), 0)[0], net.readouts)


def tangent(ns, start, data, steps, labels):
    """NTK: trained coefficients of the slopes by read-outs, weights and biases at the start, and those slopes."""
    c, u, e = 0 * start.readouts, 0 * start.weights, 0 * start.biases

    def slopes(x):
        value, gate = unit(ns, before(ns, start, x), 0)
        return value, gate * start.readouts[:, None, :]

    def outputs(x, value, gate):
        inner = ns.matmul(x, ns.matrix_transpose(u)) + e[:, None, :]
        return across(ns, value, c) + ns.sum(gate * inner, axis=2)

    for t in range(steps):
        x, y = batch(data, t)
        value, gate = slopes(x)
        p = pull(ns, outputs(x, value, gate), y)
        rate = ns.rational(*TANGENT[labels]) * ns.rational(steps - t, steps)
        u = u + rate * ns.matmul(ns.matrix_transpose(gate), p[:, :, None] * x)
        e, c = e + rate * summed(ns, gate, p), c + rate * summed(ns, value, p)
    return lambda x: outputs(x, *slopes(x))


def outputs_of(ns, method, run, data, fresh, steps, labels="parity"):
    """Outputs (S, N) on fresh inputs of linear, rf, ntk, one, two or network."""
    if method == "network":
        return output(ns, trained(ns, run.two, data, steps), fresh.inputs)
    if method == "one":
        return output(ns, trained(ns, run.one, data, steps, moves=False), fresh.inputs)
    if method == "ntk":
        return tangent(ns, run.start, data, steps, labels)(fresh.inputs)
    net = {"rf": run.start, "two": run.two}.get(method)

    def features(x):
        return x if net is None else unit(ns, before(ns, net, x), 0)[0]

    ridge = ns.rational(1, 10**6)
    return read(ns, features(data.inputs), features(fresh.inputs), data.labels, ridge)[1]


def right(ns, out, labels):
    """Share of right signs. Shape (S,)."""
    return ns.mean(ns.number(out * labels > 0), axis=1)


def accuracies(ns, run, data, fresh, steps, methods, labels="parity"):
    """Shares of right signs on fresh examples, (S,) for every method."""
    return {
        method: right(ns, outputs_of(ns, method, run, data, fresh, steps, labels), fresh.labels)
        for method in methods
    }
