"""The learner of Section B.2: a two-layer convolutional ReLU network, its loss, the printed step and the bias rule.

A network is a mapping from output labels (classes, or classes with subclasses) to lists of neurons; a batch is a list
of (patches, label). Numbers are fractions or balls of python-flint; outputs of fractions are fractions. What takes an
exponential is a ball. The loss runs on power series too: with weights w + t v its coefficient of t is the derivative.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from flint import arb, arb_series, ctx

from ._data import features, vector

BITS = 160


class Neuron(NamedTuple):
    """Weights and bias."""

    w: list
    b: object


def number(x):
    if isinstance(x, arb | arb_series):
        return x
    x = Fraction(x)
    return arb(x.numerator) / x.denominator


def coarse_labels(k):
    return ["+", "-"]


def fine_labels(k):
    return [(y, c) for y in "+-" for c in range(k)]


def open_gate(z):
    """1[z > 0] as a bool; a series counts by its value, a ball that does not know is refused."""
    z = z[0] if isinstance(z, arb_series) else z
    if z > 0:
        return True
    if z <= 0:
        return False
    raise ValueError(f"the sign of {z} is open")


def total(values):
    """Their sum: a fraction if all are, else a ball or a series."""
    values = list(values)
    if any(isinstance(v, arb_series) for v in values):
        return sum((number(v) for v in values), arb_series([0, 0], 2))
    if any(isinstance(v, arb) for v in values):
        return sum((number(v) for v in values), arb(0))
    return sum(values, Fraction(0))


def times(a, b):
    return (
        number(a) * number(b)
        if isinstance(a, arb | arb_series) or isinstance(b, arb | arb_series)
        else a * b
    )


def dot(w, x):
    return total(times(a, e) for a, e in zip(w, x, strict=True))


def pre_activation(neuron, x):
    return total([dot(neuron.w, x), neuron.b])


def response(neurons, x):
    """What one patch gives."""
    return total(z for z in (pre_activation(n, x) for n in neurons) if open_gate(z))


def outputs(net, patches):
    """F_c for every label c, equations (14) and (176)."""
    return {c: total(response(neurons, x) for x in patches) for c, neurons in net.items()}


def softmax(scores):
    """(17), over all outputs."""
    powers = {c: number(f).exp() for c, f in scores.items()}
    everything = sum(powers.values(), arb(0))
    return {c: p / everything for c, p in powers.items()}


def loss(net, batch):
    """(15): the sum over the batch of the cross-entropy."""
    parts = []
    for patches, label in batch:
        scores = {c: number(f) for c, f in outputs(net, patches).items()}
        parts.append(total(f.exp() for f in scores.values()).log() - scores[label])
    return total(parts)


def updates(net, batch, eta, probabilities=softmax):
    """Changes of the weights by (16), resp. (177), for every label and neuron. ``probabilities`` gives those of the
    outputs from the scores: fractions there give fractions."""
    seen = [(patches, label, probabilities(outputs(net, patches))) for patches, label in batch]
    rate = Fraction(eta) / (len(batch) * len(batch[0][0]))

    def move(c, neuron):
        parts = [
            [times(int(label == c) - chance[c], e) for e in x]
            for patches, label, chance in seen
            for x in patches
            if open_gate(pre_activation(neuron, x))
        ]
        return [times(rate, total(p[i] for p in parts)) for i in range(len(neuron.w))]

    return {c: [move(c, neuron) for neuron in neurons] for c, neurons in net.items()}


def norm(v):
    """Euclidean length, a ball; 0 exactly for 0. A ball around 0 times itself reaches below 0, where no square is."""
    return number(dot(v, v)).nonnegative_part().sqrt()


def stepped(net, batch, eta, beta, probabilities=softmax):
    """The network after a step: weights by (16), biases by (18) with beta in the place of 1/log^5 d."""
    moves = updates(net, batch, eta, probabilities)
    return {
        c: [
            Neuron(
                [total([a, e]) for a, e in zip(n.w, move, strict=True)],
                number(n.b) - number(beta) * norm(move),
            )
            for n, move in zip(neurons, moves[c], strict=True)
        ]
        for c, neurons in net.items()
    }


def derivative(net, batch, label, r, way):
    """d/dt of the loss where the weights of one neuron are w + t way, by power series."""
    with ctx.workprec(BITS):
        moved = dict(net)
        moved[label] = [
            Neuron(
                [arb_series([number(a), number(v)], 2) for a, v in zip(n.w, way, strict=True)], n.b
            )
            if i == r
            else n
            for i, n in enumerate(net[label])
        ]
        value = loss(moved, batch)
        return value[1] if isinstance(value, arb_series) else arb(0)


def detectors(labels, k, d, size, bias, each=1):
    """A planted network: for every output and every feature of its class ``each`` neurons that see only that word."""
    return {
        c: [
            Neuron(vector(v, k, d, Fraction(size)), Fraction(bias))
            for v in features(c[0], k)
            for _ in range(each)
        ]
        for c in labels
    }
