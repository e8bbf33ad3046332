"""The remark after Theorem C.4: SGD finds a linear network with small risk in and out of distribution.

Setting. As in `linear_networks`; test laws have their background on [-1, 0].

Statements. (1) For every linear network, trained or not, the hinge risk on the mirrored law is that on the training
law: h is odd and the mirrored x given y is minus the training x given -y. So equal risks say nothing of what was
learned. (2) In trainings at c = 16, past saturation (at d_0/S_c, about 5): the hinge risk is at most 4/d_0 on the
training law, and at most 1/(2 log d_0) on every test law: the loss is 1-Lipschitz in h, and a background in [-1, 0]
moves h by no more than the sums of the positive or of the negative background weights of the whole network.

Reference: line 1061 (ICML 2024), without proof or rate; the bounds are ours, half of what ReLU exceeds in
`id_ood_risks`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    instances,
    integers,
    leg,
    probability,
    variant,
)
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU, Network, Rule, risk

from ._risks import (
    background_reach,
    coins_passed,
    distance,
    fresh,
    largest_loss,
    without_background,
)
from ._training import initial, rule, trained, whole_support

core, background, m, d, c = sp.symbols("core background m d c", integer=True, positive=True)


# ---- the mirrored law


def any_network(rng, core, background, m):
    """Weights in sevenths, some with margins above 1, and two values of every feature."""
    d0 = core + background
    return {
        "weights": [[Fraction(int(k), 7) for k in rng.integers(-9, 10, (d0,))] for _ in range(m)],
        "readout": [Fraction(int(k), m) for k in rng.integers(1, 4, (m,)) * rng.signs((m,))],
        "lows": [Fraction(int(k), 8) for k in rng.integers(0, 4, (d0,))],
        "highs": [Fraction(int(k), 8) for k in rng.integers(4, 9, (d0,))],
    }


def mirrored_risk(ns, weights, readout, lows, highs, core, activation=LINEAR):
    """The hinge risk on the mirrored law, all of it at once. Shape (B,)."""
    ends = [ns.concat([z[:, :core], -z[:, core:]], axis=-1) for z in (lows, highs)]
    data = whole_support(ns, *ends, core)
    return risk(ns, Network(weights, readout), data, Rule(Fraction(1), activation=activation))


def linear_output(ns, weights, readout, x):
    """h of one input, which broadcasts to (B, m, d0), neuron by neuron. Shape (B,)."""
    return ns.sum(readout * ns.sum(weights * x, axis=-1), axis=-1)


def training_risk(ns, weights, readout, lows, highs, core):
    """The mean hinge loss over both labels and both values of every feature, example by example. Shape (B,)."""
    losses = []
    for y, *ends in product((1, -1), *[(lows, highs)] * lows.shape[1]):
        columns = [(y * z if j < core else z)[:, j] for j, z in enumerate(ends)]
        x = ns.stack(columns, axis=-1)[:, None, :]
        losses.append(ns.relu(1 - y * linear_output(ns, weights, readout, x)))
    return ns.mean(ns.stack(losses, axis=0), axis=0)


def worst_risk(ns, weights, readout, lows, highs, core):
    """With -1 on the whole background, which is no mirror image."""
    ends = [ns.concat([z[:, :core], 0 * z[:, core:] - 1], axis=-1) for z in (lows, highs)]
    data = whole_support(ns, *ends, core)
    return risk(ns, Network(weights, readout), data, Rule(Fraction(1), activation=LINEAR))


mirror = claim(
    "contamination-linear-remark-mirror",
    lhs=r"R_{\mathrm{mirror}}",
    tex=r"R_{\mathrm{ID}}",
    states="contamination-linear-remark",
    title="The mirrored risk of a linear network is its training risk",
    says="For all linear networks, trained or not, and all laws of the features the hinge risk on the mirrored law "
    "equals that on the training law.",
    role="derived",
    covers="mirror-tautology",
    reads={"W": "weights", "a": "readout", "D_j": "lows highs"},
    domain={core: integers(1), background: integers(1), m: integers(1)},
    # The support has 2^(d0 + 1) rows.
    where=(core + background <= 6) & (m <= 8),
    grid={
        "smoke": [{core: 1, background: 1, m: 1}, {core: 2, background: 2, m: 2}],
        "standard": [{core: 3, background: 2, m: 3}],
    },
    relation=equals(),
    legs=[
        leg(
            "whole populations",
            mirrored_risk,
            arithmetic="rational",
            reference=training_risk,
            instances=instances(any_network, "weights readout lows highs", smoke=4, standard=8),
            unit=1,
        )
    ],
    rivals=[
        variant("ReLU", call=mirrored_risk, activation=RELU),
        variant("-1 on the whole background", simulation=worst_risk),
    ],
)


# ---- trainings

STEP, SAMPLES = Fraction(1, 4), 64
"""Natural time a step, examples a step."""


def small_risks(ns, rng, size, core, background, m, d, c, activation=LINEAR, start=1):
    """1 where R_ID <= 4/d0 and every R_OOD <= 1/(2 log d0). Shape (size,).

    Each of the two means is off by more than its distance with probability 1/32 at most. ``start``: factor of the
    weights at the start; a network of ReLUs is given its loss with -1 on the background."""
    d0 = core + background
    first = initial(ns, rng, size, m, d0, d)
    first = Network(start * first.weights, first.readout)
    how = rule(core, background, m, STEP, activation)
    net = trained(ns, rng, first, core, how, int(c / STEP), SAMPLES)
    near = fresh(ns, rng, size, core, background)
    apart = distance(ns, Fraction(1, 32))
    inside = risk(ns, net, near, how) + largest_loss(ns, net, core, False, activation) * apart
    top = largest_loss(ns, net, core, True, activation) * apart
    if activation is LINEAR:
        bare = without_background(ns, near, core)
        outside = risk(ns, net, bare, how) + background_reach(ns, net, core) + top
    else:
        outside = risk(ns, net, without_background(ns, near, core, -1), how) - top
    bound = 1 / (2 * ns.log(ns.asarray(d0)))
    return ns.number((inside <= ns.rational(4, d0)) & (outside <= bound))


def seeing(rng, core, background, m, *seen):
    """A network whose weights are not 0 on the features ``seen`` alone."""
    rows = rng.integers(-9, 10, (m, len(seen)))
    found = [dict(zip(seen, map(int, row), strict=True)) for row in rows]
    return {
        "weights": [[row.get(j, 0) for j in range(core + background)] for row in found],
        "readout": [Fraction(int(s), m) for s in rng.signs((m,))],
    }


def one_feature_each(rng, core, background, m, d, c):
    """It sees the first feature of either block."""
    return seeing(rng, core, background, m, 0, core)


def two_backgrounds(rng, core, background, m, d, c):
    """It sees the first two features of the background."""
    return seeing(rng, core, background, m, core, core + 1)


def largest_seen(ns, weights, readout, core, background, m, d, c):
    """The largest hinge loss over both labels and the ends of both features, in and out of distribution. (B, 2)."""
    most = []
    for side in (1, -1):
        losses = []
        for y, u, v in product((1, -1), (0, 1), (0, side)):
            x = ns.asarray([y * u, *[0] * (core - 1), v, *[0] * (background - 1)])
            losses.append(ns.relu(1 - y * linear_output(ns, weights, readout, x)))
        most.append(ns.max(ns.stack(losses, axis=0), axis=0))
    return ns.stack(most, axis=-1)


def largest_stated(ns, weights, readout, core, background, m, d, c):
    """`largest_loss` in and out of distribution. Shape (B, 2)."""
    net = Network(weights, readout)
    return ns.stack([largest_loss(ns, net, core, out, LINEAR) for out in (False, True)], axis=-1)


def without_the_one(ns, weights, readout, core, background, m, d, c):
    return largest_stated(ns, weights, readout, core, background, m, d, c) - 1


def largest_move(ns, weights, readout, core, background, m, d, c):
    """The most that |h| moves over the ends of both features, 0 and -1. Shape (B,)."""
    moves = []
    for ends in product((0, -1), repeat=2):
        x = ns.asarray([*[0] * core, *ends, *[0] * (background - 2)])
        moves.append(ns.abs(linear_output(ns, weights, readout, x)))
    return ns.max(ns.stack(moves, axis=0), axis=0)


def stated_move(ns, weights, readout, core, background, m, d, c):
    """`background_reach`. Shape (B,)."""
    return background_reach(ns, Network(weights, readout), core)


def half_of_the_move(ns, weights, readout, core, background, m, d, c):
    return stated_move(ns, weights, readout, core, background, m, d, c) / 2


def passed(ns, core, background, m, d, c, factor=1):
    """`coins_passed`. Shape ()."""
    return coins_passed(ns, Fraction(1, 32), factor)


def relu(ns, rng, size, core, background, m, d, c):
    return small_risks(ns, rng, size, core, background, m, d, c, RELU)


def before_saturation(ns, rng, size, core, background, m, d, c):
    return small_risks(ns, rng, size, core, background, m, d, 3)


def large_start(ns, rng, size, core, background, m, d, c):
    """Weights 40 times as large at the start: the background is kept, and the mirrored law does not see it."""
    return small_risks(ns, rng, size, core, background, m, d, c, start=40)


FIRST = {core: 24, background: 8, m: 32, d: 1060, c: 16}
LARGER = {core: 49, background: 15, m: 64, d: 4270, c: 16}

small = claim(
    "contamination-linear-remark",
    title="Trained linear networks have small risk in and out of distribution",
    says=r"In more than half of the trainings at natural time $c=16$ the hinge risk of the linear network is at "
    r"most $4/d_0$ on the training law and at most $1/(2\log d_0)$ on every law with background weights in $[-1,0]$.",
    role="reading",
    covers="small-id small-ood",
    reads={"d0": "core background", "t": "c"},
    domain={
        core: choices(24, 49),
        background: choices(8, 15),
        m: choices(32, 64),
        d: choices(1060, 4270),
        c: choices(16),
    },
    where=sp.Or(*[sp.And(*[sp.Eq(k, value) for k, value in p.items()]) for p in (FIRST, LARGER)]),
    grid={"smoke": [FIRST], "standard": [LARGER]},
    closed_form=sp.Rational(9, 16),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            small_risks,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            draws="init batches",
            inside="D",
            lhs=r"\Pr[R_{\mathrm{ID}}\le4/d_0,\ R_{\mathrm{OOD}}\le1/(2\log d_0)]",
            tex=r"\tfrac9{16}",
        ),
        # By which the distances of the estimates are scaled.
        leg(
            "largest loss",
            largest_seen,
            arithmetic="rational",
            reference=largest_stated,
            relation=equals(),
            instances=instances(one_feature_each, "weights readout", smoke=4),
            required=False,
            grid={"smoke": [FIRST]},
            lhs=r"\max_x\ell(x)",
            tex="1+|h|",
        ),
        leg(
            "reach of the background",
            largest_move,
            arithmetic="rational",
            reference=stated_move,
            relation=equals(),
            instances=instances(two_backgrounds, "weights readout", smoke=4),
            unit=1,
            required=False,
            grid={"smoke": [FIRST]},
            lhs=r"\max_{z_{\mathrm{bg}}}|h(z_{\mathrm{bg}})|",
            tex=r"\max\big(\textstyle\sum v_j^+,\sum v_j^-\big)",
        ),
        # Hoeffding's distance, by the mean of fair coins.
        leg(
            "distance",
            passed,
            relation=at_most(),
            closed_form=sp.Rational(1, 32),
            required=False,
            grid={"smoke": [FIRST]},
            lhs=r"\Pr[\bar\ell-\tfrac12\ge\delta]",
            tex=r"\tfrac1{32}",
        ),
    ],
    rivals=[
        variant("ReLU", leg="trainings", simulation=relu),
        variant("before saturation", leg="trainings", simulation=before_saturation),
        variant("a large start", leg="trainings", simulation=large_start),
        variant("without the 1", leg="largest loss", reference=without_the_one),
        variant("half of it", leg="reach of the background", reference=half_of_the_move),
        variant("half of the distance", leg="distance", call=passed, factor=Fraction(1, 2)),
    ],
)
