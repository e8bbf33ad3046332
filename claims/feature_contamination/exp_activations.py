"""Section F.1, Figures 3 (d) and 10: four activations, core features on spheres, both layers trained by AdamW.

Protocol of the source: core features uniform on a sphere of radius 1 (class 1) or 2 (class -1), background uniform on
[0, 1], in test on [-1, 0]; two-layer networks with biases, all of it trained; AdamW. Its text gives neither loss, rate,
batch, number of steps nor start. Here: a random orthonormal dictionary for each training (Adam is not invariant under
rotations), logistic loss, a fixed set of n examples, decay 1/1000, Gaussian starts of variance 1/d_0 and 1/m.

Departures: d_core = d_bg = 8 or 16 for 32, m = 16 or 32 for 256, 200 or 400 examples for 1000, 100 steps of rate 1/20
for 20,000 of 1/1000.

Observation, for ReLU, GELU, sigmoid and tanh each: the norm of a neuron's weights on the background grows by half or
more on the mean, and the loss on fresh examples of the mirrored law is at least 1/2 and twice that on fresh examples
of the training law. A network of identities fits nothing here, and its background stays. Fresh cores in both losses:
the training loss goes to 0, and a ratio to it would show overfitting alone. With the source's sizes and thousands of
steps the loss of GELU under the shift was seen to fall below this; that is no part of the claim.

Reference: lines 160, 201, 1230, 1287 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    figure,
    instances,
    leg,
    panel,
    probability,
    series,
    variant,
)
from theorycheck.blocks.adamw import Recipe, adamw
from theorycheck.blocks.two_layer_sgd import GELU, LINEAR, LOGISTIC, RELU, SIGMOID, TANH, Batch

from ._training import labels

half, m, count = sp.symbols("half m count", integer=True, positive=True)
activation = sp.Symbol("activation")

FRESH = 500
"""Examples for a loss."""
RECIPE = Recipe(
    steps=100,
    rate=Fraction(1, 20),
    decay=Fraction(1, 1000),
    second=Fraction(999, 1000),
    falls=False,
)
ACTIVATIONS = {"relu": RELU, "gelu": GELU, "sigmoid": SIGMOID, "tanh": TANH, "identity": LINEAR}


def spheres(ns, rng, size, half, count, basis, side=1):
    """Cores on two spheres, the background times ``side``, in coordinates of R^d0. Inputs (size, count, 2 half)."""
    y = labels(ns, size, count)
    u = rng.normal((size, count, half))
    radius = (3 - y) / 2
    core = u * (radius / ns.norm(u, axis=-1))[:, :, None]
    x = ns.concat([core, side * rng.uniform((size, count, half))], axis=-1)
    return Batch(ns.matmul(x, basis), y)


def forward(ns, theta, data, act):
    """Values and slopes of the hidden layer, margins y h."""
    before = ns.matmul(data.inputs, ns.matrix_transpose(theta["W"])) + theta["b"][:, None, :]
    value, slope = act.both(ns, before)
    h = ns.matmul(value, theta["a"][:, :, None])[:, :, 0] + theta["c"]
    return value, 1 + 0 * before if slope is None else slope, data.labels * h


def slopes(ns, theta, data, act):
    """The gradient of the mean logistic loss."""
    value, slope, margin = forward(ns, theta, data, act)
    pull = LOGISTIC.slope(ns, margin) * data.labels / data.inputs.shape[1]
    back = pull[:, :, None] * slope * theta["a"][:, None, :]
    return {
        "W": ns.matmul(ns.matrix_transpose(back), data.inputs),
        "b": ns.sum(back, axis=1),
        "a": ns.matmul(pull[:, None, :], value)[:, 0, :],
        "c": ns.sum(pull, axis=1)[:, None],
    }


def any_network(rng, half, m, count, activation):
    """Parameters and five examples in quarters."""

    def quarters(rows, columns):
        return [[Fraction(int(k), 4) for k in row] for row in rng.integers(-7, 8, (rows, columns))]

    (b,), (a,), ((c,),) = quarters(1, m), quarters(1, m), quarters(1, 1)
    return {
        "W": quarters(m, 2 * half),
        "b": [v + Fraction(1, 9) for v in b],  # off the kinks
        "a": a,
        "c": c,
        "inputs": quarters(5, 2 * half),
        "labels": [1, -1, 1, 1, -1],
    }


def slopes_of(ns, W, b, a, c, inputs, labels, activation):
    theta = {"W": W, "b": b, "a": a, "c": c[:, None]}
    return slopes(ns, theta, Batch(inputs, labels), ACTIVATIONS[activation])


def along_the_layers(ns, W, b, a, c, inputs, labels, activation):
    """<W, grad_W> + <b, grad_b>, <a, grad_a> and c grad_c. Shape (B, 3)."""
    found = slopes_of(ns, W, b, a, c, inputs, labels, activation)
    hidden = ns.sum(W * found["W"], axis=(1, 2)) + ns.sum(b * found["b"], axis=1)
    readout = ns.sum(a * found["a"], axis=1)
    return ns.stack([hidden, readout, c * found["c"][:, 0]], axis=-1)


def biases_at_rest(ns, W, b, a, c, inputs, labels, activation):
    found = slopes_of(ns, W, b, a, c, inputs, labels, activation)
    hidden = ns.sum(W * found["W"], axis=(1, 2))
    readout = ns.sum(a * found["a"], axis=1)
    return ns.stack([hidden, readout, 0 * c], axis=-1)


def along_the_outputs(ns, W, b, a, c, inputs, labels, activation):
    """The means of (h - c) y l'(y h), for ReLU twice, since h - c is homogeneous in (W, b) and in a, and of
    c y l'(y h), example by example. Shape (B, 3)."""
    means = []
    for i in range(inputs.shape[1]):
        x, y = inputs[:, i, :], labels[:, i]
        bare = ns.sum(a * ns.relu(ns.sum(W * x[:, None, :], axis=-1) + b), axis=-1)
        pull = -y / (1 + ns.exp(y * (bare + c)))
        means.append(ns.stack([bare * pull, bare * pull, c * pull], axis=-1))
    return ns.mean(ns.stack(means, axis=0), axis=0)


def begin(ns, rng, size, half, m):
    """A random dictionary, and the parameters at the start."""
    d0 = 2 * half
    basis = ns.xp.linalg.qr(rng.normal((size, d0, d0)))[0]
    W = rng.normal((size, m, d0)) / ns.sqrt(ns.asarray(d0))
    a = rng.normal((size, m)) / ns.sqrt(ns.asarray(m))
    return basis, {"W": W, "b": 0 * a, "a": a, "c": 0 * a[:, :1]}


def background_norm(ns, theta, basis, half):
    """Mean norm of a neuron's weights on the background. Shape (size,)."""
    W = ns.matmul(theta["W"], ns.matrix_transpose(basis))[:, :, half:]
    return ns.mean(ns.norm(W, axis=-1), axis=-1)


def fresh_loss(ns, rng, theta, half, basis, act, side):
    data = spheres(ns, rng, basis.shape[0], half, FRESH, basis, side)
    return ns.mean(LOGISTIC.value(ns, forward(ns, theta, data, act)[2]), axis=-1)


def contaminated(ns, rng, size, half, m, count, activation, side=-1, trains=True):
    """1 where the background norm grew by half and the loss under the shift is at least 1/2 and twice the other."""
    act = ACTIVATIONS[activation]
    basis, first = begin(ns, rng, size, half, m)
    data = spheres(ns, rng, size, half, count, basis)
    theta = adamw(ns, first, lambda now: slopes(ns, now, data, act), RECIPE) if trains else first
    start, end = (background_norm(ns, t, basis, half) for t in (first, theta))
    inside, outside = (fresh_loss(ns, rng, theta, half, basis, act, s) for s in (1, side))
    large = (outside >= 2 * inside) & (outside >= ns.rational(1, 2))
    return ns.number((2 * end >= 3 * start) & large)


def identities(ns, rng, size, half, m, count, activation):
    return contaminated(ns, rng, size, half, m, count, "identity")


def curves(ns, rng, half, m, count):
    """Figure 3 (d): background norm against steps, one training for each activation."""
    lines = []
    for name, act in ACTIVATIONS.items():
        basis, first = begin(ns, rng, 1, half, m)
        data = spheres(ns, rng, 1, half, count, basis)
        kept = [(0, float(background_norm(ns, first, basis, half)[0]))]

        def seen(t, theta, kept=kept, basis=basis):
            if t % 10 == 0:
                kept.append((t, float(background_norm(ns, theta, basis, half)[0])))

        adamw(ns, first, lambda now, data=data, act=act: slopes(ns, now, data, act), RECIPE, seen)
        lines.append(series(name, [t for t, _ in kept], [v for _, v in kept]))
    return panel("background norm", x="steps", y="mean norm of a neuron", lines=lines)


FIRST, LARGER = {half: 8, m: 16, count: 200}, {half: 16, m: 32, count: 400}
SIZES = {"smoke": FIRST, "standard": LARGER}
FOUR = ("relu", "gelu", "sigmoid", "tanh")

four = claim(
    "contamination-exp-activations",
    title="Background weights grow for four activations",
    says="In more than half of the trainings, for ReLU, GELU, sigmoid and tanh each: the mean norm of a neuron's "
    "weights on the background grows by half or more, and on fresh examples the logistic loss under the mirrored "
    "shift is at least 1/2 and twice that without.",
    role="reading",
    covers="bg-grows-all ood-large-all",
    domain={
        half: choices(8, 16),
        m: choices(16, 32),
        count: choices(200, 400),
        activation: choices(*FOUR),
    },
    where=sp.Or(*[sp.And(*[sp.Eq(k, v) for k, v in p.items()]) for p in (FIRST, LARGER)]),
    grid={name: [size | {activation: a} for a in FOUR] for name, size in SIZES.items()},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            contaminated,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            draws="seeds",
            lhs=r"\Pr[\text{background grows, loss under the shift}]",
            tex=r"\tfrac12",
        ),
        leg(
            "slopes",
            along_the_layers,
            reference=along_the_outputs,
            relation=equals(),
            instances=instances(any_network, "W b a c inputs labels", smoke=4),
            required=False,
            grid={"smoke": [FIRST | {activation: "relu"}]},
            where=lambda activation: activation == "relu",
            unit=1,
            lhs=r"\langle W,\nabla_W\rangle+\langle b,\nabla_b\rangle,\langle a,\nabla_a\rangle,c\nabla_c",
            tex=r"\overline{(h-c)\,y\,\ell'},\overline{(h-c)\,y\,\ell'},\overline{c\,y\,\ell'}",
        ),
    ],
    rivals=[
        variant(
            "identities", leg="trainings", simulation=identities, at=[FIRST | {activation: "relu"}]
        ),
        variant(
            "untrained",
            leg="trainings",
            call=contaminated,
            trains=False,
            at=[FIRST | {activation: "relu"}],
        ),
        variant(
            "no shift",
            leg="trainings",
            call=contaminated,
            side=1,
            at=[FIRST | {activation: "tanh"}],
        ),
        variant("biases at rest", leg="slopes", simulation=biases_at_rest),
    ],
    figures=[figure("Figure 3 (d)", curves, at=SIZES, caption="One training for each activation.")],
)
