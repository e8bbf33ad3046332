"""Online SGD of two-layer networks, one array program for many trainings at once.

Network. h(x) = sum_k a_k s(<w_k, x>) with weights w (S, m, d) and readout a (S, m); the leading axis are trainings that
share nothing but the program (seeds). A step takes a batch x (S, N, d) with labels y = +-1 (S, N) and descends
(1/N) sum_i l(y_i h(x_i)), for a loss l of the margin, with weight decay that is part of the step:

    w_k <- (1 - eta lambda) w_k - (eta/N) a_k sum_i l'(y_i h_i) y_i s'(<w_k, x_i>) x_i,
    a_k <- (1 - eta lambda) a_k - (eta/N) sum_i l'(y_i h_i) y_i s(<w_k, x_i>)       (only if the readout is trained).

At the kinks the slopes are those of the closed side: 1{<w, x> >= 0} for ReLU, -1{y h <= 1} for the hinge.

Cost of a step: 4 S N m d multiply-adds in two batched products, and passes over arrays of S N m entries, made for as
many trainings at a time as a core's cache holds. The program runs in every arithmetic of `theorycheck.arrays`: in
intervals and rationals a batch that stands on a kink raises `UndecidedBranch` or is decided exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from theorycheck.arrays.slices import in_cache

Array = Any


class Network(NamedTuple):
    """Weights (S, m, d) and readout (S, m) of S trainings."""

    weights: Array
    readout: Array


class Batch(NamedTuple):
    """Inputs (S, N, d) and labels +-1 (S, N)."""

    inputs: Array
    labels: Array


@dataclass(frozen=True)
class Activation:
    """``both(ns, pre)``: values and slopes at the pre-activations, of their shape; a slope None is 1 everywhere."""

    name: str
    both: Callable[[Any, Array], tuple[Array, Array | None]] = field(repr=False)


@dataclass(frozen=True)
class Loss:
    """A loss of the margin y h: ``value(ns, margin)`` and its derivative ``slope(ns, margin)``.

    ``linear``: the slope is -1 everywhere, so that no output is needed and the neurons decouple.
    """

    name: str
    value: Callable[[Any, Array], Array] = field(repr=False)
    slope: Callable[[Any, Array], Array] = field(repr=False)
    linear: bool = False


def _relu(ns: Any, pre: Array) -> tuple[Array, Array]:
    return ns.relu(pre), ns.number(pre >= 0)


def _identity(ns: Any, pre: Array) -> tuple[Array, None]:
    return pre, None


def _softplus(ns: Any, pre: Array) -> tuple[Array, Array]:
    return ns.softplus(pre), ns.sigmoid(pre)


def _tanh(ns: Any, pre: Array) -> tuple[Array, Array]:
    value = ns.tanh(pre)
    return value, 1 - value * value


def _sigmoid(ns: Any, pre: Array) -> tuple[Array, Array]:
    value = ns.sigmoid(pre)
    return value, value * (1 - value)


def _gelu(ns: Any, pre: Array) -> tuple[Array, Array]:
    half = ns.rational(1, 2)
    below = half * (1 + ns.erf(pre * ns.sqrt(half)))  # Phi(pre)
    density = ns.exp(-half * pre * pre) / ns.sqrt(2 * ns.pi)
    return pre * below, below + pre * density


RELU = Activation("relu", _relu)
LINEAR = Activation("linear", _identity)
SOFTPLUS = Activation("softplus", _softplus)
TANH = Activation("tanh", _tanh)
SIGMOID = Activation("sigmoid", _sigmoid)
GELU = Activation("gelu", _gelu)

HINGE = Loss(
    "hinge",
    lambda ns, margin: ns.relu(1 - margin),
    lambda ns, margin: -ns.number(margin <= 1),
)
LOGISTIC = Loss(
    "logistic",
    lambda ns, margin: ns.softplus(-margin),
    lambda ns, margin: -ns.sigmoid(-margin),
)
UNSATURATED_HINGE = Loss(
    "hinge below the margin 1",
    lambda ns, margin: 1 - margin,
    lambda ns, margin: -1 + 0 * margin,
    linear=True,
)
"""The hinge loss while every margin is at most 1: 1 - y h."""


@dataclass(frozen=True)
class Rule:
    """How a step is made: rate eta > 0, weight decay lambda >= 0, and what is trained."""

    rate: Fraction
    decay: Fraction = Fraction(0)
    activation: Activation = RELU
    loss: Loss = HINGE
    trains_readout: bool = False


def outputs(ns: Any, net: Network, inputs: Array, activation: Activation = RELU) -> Array:
    """h(x) for every input. Shape (S, N)."""
    value, _ = activation.both(ns, _pre(ns, net, inputs))
    return _read(ns, value, net)


def risk(ns: Any, net: Network, data: Batch, rule: Rule) -> Array:
    """Mean loss over the data of every training. Shape (S,)."""
    margin = data.labels * outputs(ns, net, data.inputs, rule.activation)
    return ns.mean(rule.loss.value(ns, margin), axis=-1)


def gradient(ns: Any, net: Network, data: Batch, rule: Rule) -> Network:
    """Of the mean loss over the batch, weight decay apart; that of a frozen readout is 0. Shapes of the network."""
    trainings, count = data.inputs.shape[:2]
    cuts = in_cache(ns, trainings, count * net.readout.shape[-1])
    if len(cuts) > 1 and len(net.readout) == trainings:
        parts = [
            gradient(ns, Network(*(w[c] for w in net)), Batch(*(x[c] for x in data)), rule)
            for c in cuts
        ]
        return Network(*(ns.concat(list(made)) for made in zip(*parts, strict=True)))
    value, slope = rule.activation.both(ns, _pre(ns, net, data.inputs))
    if rule.loss.linear:
        pull = -data.labels / count
    else:
        margin = data.labels * _read(ns, value, net)
        pull = rule.loss.slope(ns, margin) * data.labels / count
    # The pull goes to the inputs, of which there are d a sample, not to the slopes, of which there are m.
    pulled = pull[..., None] * data.inputs
    if slope is None:  # the same for every neuron but for its readout
        at_weights = ns.sum(pulled, axis=-2)[..., None, :] + 0 * net.weights
    else:
        at_weights = ns.matmul(ns.matrix_transpose(slope), pulled)
    at_readout = 0 * net.readout
    if rule.trains_readout:
        at_readout = ns.matmul(pull[..., None, :], value)[..., 0, :]
    return Network(net.readout[..., None] * at_weights, at_readout)


def step(ns: Any, net: Network, data: Batch, rule: Rule) -> Network:
    """The network after one step on the batch."""
    slope = gradient(ns, net, data, rule)
    rate, kept = ns.asarray(rule.rate), ns.asarray(1 - rule.rate * rule.decay)
    weights = kept * net.weights - rate * slope.weights
    if not rule.trains_readout:
        return Network(weights, net.readout)
    return Network(weights, kept * net.readout - rate * slope.readout)


def train(
    ns: Any,
    net: Network,
    draw: Callable[[int], Batch],
    rule: Rule,
    steps: range,
    seen: Callable[[int, Network], None] | None = None,
) -> Network:
    """The network after the steps of these numbers, each on the fresh batch ``draw(number)``.

    ``seen(number, net)`` is called after each. A training that was left after step t goes on with
    ``range(t + 1, end)`` and the same draws.
    """
    for number in steps:
        net = step(ns, net, draw(number), rule)
        if seen is not None:
            seen(number, net)
    return net


def _pre(ns: Any, net: Network, inputs: Array) -> Array:
    """<w_k, x_i>. Shape (S, N, m)."""
    return ns.matmul(inputs, ns.matrix_transpose(net.weights))


def _read(ns: Any, value: Array, net: Network) -> Array:
    return ns.matmul(value, net.readout[..., None])[..., 0]
