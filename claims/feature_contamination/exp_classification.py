"""Section F.1, Figures 3 (a)-(c), 7 and 8: ReLU and linear networks trained on the toy of classification.

Protocol of the source: d_core = d_bg = 32, d = 256, m = 256, uniform features, test background on [-1, 0], hinge
loss, SGD with batches of 1000, step and weight decay 0.001; the number of steps is not given. Here: the same law of
the data, the same ratios d/d_0 = 4 and m >= d_0, weight decay at the same share 0.064 of S/(4m), the levels below;
profile ``paper`` has the source's sizes.

Departures. Steps of 1/4 in natural time and batches of 64: at the source's step, c = 1/4000 a step, the end c = 40
takes 160,000 steps, and at 20,000 (c = 5) the training risk of ReLU is still 0.76. Smaller sizes up to ``deep``.
Equal blocks are outside of the theory (d_bg = Theta(d_0/log d_0), d = Omega(d_0^2.01)).

Observation. ReLU: the training risk is small and that on the mirrored law is not; no neuron of all m has positive mean
correlation with both classes; the mean background sum grows. Linear: both risks small, on every test law; background
weights do not grow. Levels, ours: 1/10 on the
training law; under the shift 1/2 for ReLU, 1/5 for linear; growth by 1/2 from a start below 1/10.

Reference: lines 155-160, 199-201, 1217-1228, 1270-1282 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    figure,
    leg,
    panel,
    probability,
    series,
    variant,
)
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU, outputs, risk

from ._risks import (
    background_reach,
    distance,
    fresh,
    largest_loss,
    mirrored,
    without_background,
)
from ._training import initial, rule, trained

half, m, c = sp.symbols("half m c", integer=True, positive=True)

STEP, SAMPLES, DECAY = Fraction(1, 4), 64, Fraction(8, 125)
"""Natural time a step, examples a step, share of S/(4m)."""


def start_and_rule(ns, rng, size, half, m, activation):
    d0 = 2 * half
    first = initial(ns, rng, size, m, d0, 4 * d0)
    return first, rule(half, half, m, STEP, activation, decay=DECAY * d0 / (16 * m))


def sums(ns, W, half):
    """Mean-weighted core and background sums of every neuron. Two of shape (size, m)."""
    return ns.sum(W[:, :, :half], axis=-1) / 2, ns.sum(W[:, :, half:], axis=-1) / 2


def one_class_each(ns, W, half):
    """Whether no neuron has a positive mean on both classes. Booleans (size,)."""
    A, B = sums(ns, W, half)
    return ns.all((A + B <= 0) | (B - A <= 0), axis=-1)


TENTH, HALF, FIFTH = Fraction(1, 10), Fraction(1, 2), Fraction(1, 5)
LEVELS = (TENTH, HALF, HALF)
"""Of the training risk, the mirrored one, and the growth of the background."""


def relu_network(
    ns, rng, size, half, m, c, activation=RELU, errors=False, early=False, levels=LEVELS
):
    """1 where all four observations on ReLU are made. Shape (size,).

    ``errors``: 0-1 errors; ``early``: of the neurons at the start. Each of two means is off by its distance
    with probability 1/32."""
    fitted, failed, grown = (ns.asarray(level) for level in levels)
    first, how = start_and_rule(ns, rng, size, half, m, activation)
    net = trained(ns, rng, first, half, how, int(c / STEP), SAMPLES)
    near = fresh(ns, rng, size, half, half)
    far = mirrored(ns, near, half)
    apart = distance(ns, Fraction(1, 32))
    inside = risk(ns, net, near, how) + largest_loss(ns, net, half, False, activation) * apart
    outside, top = risk(ns, net, far, how), largest_loss(ns, net, half, True, activation)
    if errors:
        margin = far.labels * outputs(ns, net, far.inputs, activation)
        outside, top = ns.mean(ns.number(margin <= 0), axis=-1), 1
    (_, B_0), (_, B) = (sums(ns, one.weights, half) for one in (first, net))
    begin, end = ns.mean(B_0, axis=-1), ns.mean(B, axis=-1)
    one_class = one_class_each(ns, (first if early else net).weights, half)
    grows = (end - begin >= grown) & (ns.abs(begin) <= ns.rational(1, 10))
    fits = (inside <= fitted) & (outside - top * apart >= failed)
    return ns.number(fits & one_class & grows)


def linear_network(ns, rng, size, half, m, c, activation=LINEAR, levels=(TENTH, FIFTH, 1)):
    """1 where the linear network has R_ID <= 1/10, every R_OOD <= 1/5, and its background weights did not grow:
    ``levels``, the last a multiple of the start. Shape (size,)."""
    fitted, moved, kept = (ns.asarray(level) for level in levels)
    first, how = start_and_rule(ns, rng, size, half, m, activation)
    net = trained(ns, rng, first, half, how, int(c / STEP), SAMPLES)
    near = fresh(ns, rng, size, half, half)
    top = largest_loss(ns, net, half, False, activation) * distance(ns, Fraction(1, 32))
    inside = risk(ns, net, near, how) + top
    outside = risk(ns, net, without_background(ns, near, half), how) + top
    outside = outside + background_reach(ns, net, half)
    start, end = (
        ns.mean(ns.norm(W[:, :, half:], axis=-1), axis=-1) for W in (first.weights, net.weights)
    )
    small = (inside <= fitted) & (outside <= moved)
    return ns.number(small & (end <= kept * start))


def linear_for_relu(ns, rng, size, half, m, c):
    return relu_network(ns, rng, size, half, m, c, LINEAR)


def relu_for_linear(ns, rng, size, half, m, c):
    return linear_network(ns, rng, size, half, m, c, RELU)


def stopped(ns, rng, size, half, m, c):
    """At c = 5, which is 20,000 of the source's steps."""
    return relu_network(ns, rng, size, half, m, 5)


def wrong_class(ns, rng, size, half, m, c):
    """The 0-1 error out of distribution."""
    return relu_network(ns, rng, size, half, m, c, errors=True)


def untrained(ns, rng, size, half, m, c):
    return linear_network(ns, rng, size, half, m, 0)


def curves(ns, rng, half, m, c):
    """Figures 3 (a)-(c) and 7 from one training of each network: risks, background sums, ten neurons."""
    times = [float(4 * STEP) * i for i in range(int(c / STEP / 4) + 1)]
    risks, backgrounds, neurons = [], [], []
    for activation in (RELU, LINEAR):
        first, how = start_and_rule(ns, rng, 1, half, m, activation)
        kept = [first]

        def seen(t, net, kept=kept):
            if (t + 1) % 4 == 0:
                kept.append(net)

        trained(ns, rng, first, half, how, int(c / STEP), SAMPLES, seen)
        near = fresh(ns, rng, 1, half, half)
        far = mirrored(ns, near, half)
        for name, data in (("ID", near), ("OOD", far)):
            values = [float(risk(ns, net, data, how)[0]) for net in kept]
            risks.append(series(f"{activation.name}, {name}", times, values))
        both = [sums(ns, net.weights, half) for net in kept]
        backgrounds.append(series(activation.name, times, [float(ns.mean(B)) for _, B in both]))
        if activation is RELU:
            for k in range(min(10, m)):
                positive = [float((A + B)[0, k]) for A, B in both]
                neurons.append(series(f"neuron {k}", times, positive))
    return [
        panel("hinge risk", x="natural time c", y="risk", lines=risks),
        panel("mean background sum", x="natural time c", y="sum", lines=backgrounds),
        panel(
            "mean correlation with class +1, ReLU",
            x="natural time c",
            y="E[<w,x>|y=1]",
            lines=neurons,
        ),
    ]


def cell(half_, m_):
    return {half: half_, m: m_, c: 40}


CELLS = {
    "smoke": [cell(8, 32)],
    "standard": [cell(16, 32)],
    "deep": [cell(32, 64)],
    "paper": [cell(32, 256)],
}
SAMPLED = {
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
    "draws": "seeds",
}


def was_trained(half, m, c):
    return cell(half, m) in [p for points in CELLS.values() for p in points]


toy = claim(
    "contamination-exp-classification",
    title="ReLU and linear networks on the toy of classification",
    says="In more than half of the trainings at natural time $c=40$: the ReLU network has training risk of at most "
    "1/10 and mirrored risk of at least 1/2, none of its neurons correlates with both classes, and its mean "
    "background sum grew by 1/2 or more; the linear network has training risk of at most 1/10, at most 1/5 on every "
    "test law, and its background weights did not grow.",
    covers="relu-id-small relu-ood-large one-class-per-neuron relu-bg-grows linear-clean",
    domain={half: choices(8, 16, 32), m: choices(32, 64, 256), c: choices(40)},
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(9, 16),
    relation=at_least(),
    legs=[
        leg(
            "ReLU",
            relu_network,
            covers="relu-id-small relu-ood-large one-class-per-neuron relu-bg-grows",
            inside="k",
            lhs=r"\Pr[\text{fits, fails under the shift, one class a neuron, background grows}]",
            tex=r"\tfrac9{16}",
            **SAMPLED,
        ),
        leg(
            "linear",
            linear_network,
            covers="linear-clean",
            lhs=r"\Pr[\text{both risks small, background as at the start}]",
            tex=r"\tfrac9{16}",
            **SAMPLED,
        ),
    ],
    rivals=[
        variant("the linear network", simulation=linear_for_relu, leg="ReLU"),
        variant("after 20,000 of the source's steps", simulation=stopped, leg="ReLU"),
        variant("the 0-1 error", simulation=wrong_class, leg="ReLU"),
        variant("neurons at the start", call=relu_network, early=True, leg="ReLU"),
        # What is asked for once more, with one level that is out of reach.
        variant(
            "a training risk of 1/100",
            call=relu_network,
            levels=(TENTH / 10, HALF, HALF),
            leg="ReLU",
        ),
        variant("a mirrored risk of 5", call=relu_network, levels=(TENTH, 5, HALF), leg="ReLU"),
        variant("a growth by 5", call=relu_network, levels=(TENTH, HALF, 5), leg="ReLU"),
        variant(
            "a training risk of 1/100, linear",
            call=linear_network,
            levels=(TENTH / 10, FIFTH, 1),
            leg="linear",
        ),
        variant(
            "a moved risk of 1/100",
            call=linear_network,
            levels=(TENTH, TENTH / 10, 1),
            leg="linear",
        ),
        variant(
            "half of the background", call=linear_network, levels=(TENTH, FIFTH, HALF), leg="linear"
        ),
        variant("ReLU", simulation=relu_for_linear, leg="linear"),
        variant("untrained", simulation=untrained, leg="linear"),
    ],
    figures=[
        figure(
            "Figures 3 (a)-(c) and 7",
            curves,
            at={"smoke": cell(8, 32), "standard": cell(16, 32), "deep": cell(32, 64)},
            caption="One training of each network.",
        )
    ],
)
