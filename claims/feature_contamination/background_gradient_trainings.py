"""Equation (7) along trainings: once neurons fire on one class only, every background weight is pushed up.

Setting. As in `activation_asymmetry`, uniform features, mu_j = 1/2; before saturation 2 m times minus the population
gradient on a background feature is at least mu_j - (1 - P+) - P- (`gradient_projection`), with P+ and P- bounded from
the weights, without sampling.

Statement. In trainings, at every recorded time from T_0 to c = 6 no margin passes 1 on the whole support, and for both
labels a quarter of all neurons or more has a positive bound. Looked at from the start, or with the blocks exchanged,
they have not.

Reference: Equation (7), lines 167-171; Theorem 4.1, lines 145-153 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, choices, claim, equals, leg, probability, variant

from ._training import initial, rule, trained
from .activation_asymmetry import first_time, misfires

core, background, m, d = sp.symbols("core background m d", integer=True, positive=True)

STEP, SAMPLES, END = Fraction(1, 4), 64, 6
"""Natural time a step, examples a step, end of a training: before saturation."""


def unsaturated(ns, W, core):
    """Whether y h <= 1 on the support, with own neurons at their largest, the others at 0. Booleans (size,)."""
    m, found = W.shape[1], []
    for first, y in ((0, 1), (1, -1)):
        row = ns.asarray([y] * core + [1] * (W.shape[2] - core))
        most = ns.sum(ns.relu(W * row), axis=-1)
        found.append(ns.sum(most[:, first::2], axis=-1) <= m)
    return found[0] & found[1]


def pushed(ns, W, core):
    """Whether for both labels a quarter of all neurons has 1/2 - (1 - P+) - P- > 0. Booleans (size,)."""
    silent, active = misfires(ns, W, core)
    good, m = ns.number(silent + active < ns.rational(1, 2)), W.shape[1]
    return (4 * ns.sum(good[:, ::2], axis=-1) >= m) & (4 * ns.sum(good[:, 1::2], axis=-1) >= m)


def upwards(ns, rng, size, core, background, m, d, since=None, end=END):
    """1 where every recorded time from T_0 (or ``since``) to ``end`` is `pushed` and `unsaturated`. Shape (size,)."""
    d0 = core + background
    begin = first_time(m, d, core, background) if since is None else since
    first = initial(ns, rng, size, m, d0, d)
    seen_at = [first.weights] if begin == 0 else []

    def seen(t, net):
        if (t + 1) * STEP >= begin:
            seen_at.append(net.weights)

    trained(ns, rng, first, core, rule(core, background, m, STEP), int(end / STEP), SAMPLES, seen)
    good = [pushed(ns, W, core) & unsaturated(ns, W, core) for W in seen_at]
    return ns.number(ns.all(ns.stack(good, axis=0), axis=0))


def made(ns, core, background, m, d):
    """Both conditions of six networks made by hand: every neuron fires on its own class only; those of one label do,
    the others are 0, for either label; those of one label are m times as large, for either; every neuron has one core
    weight and half as much on one background feature, where the bounds are 1/14 on 1 - P+ and 3/4 on P-. Shape (6,)."""
    own = [[Fraction(s, core)] * core + [0] * background for s in (1, -1)]
    times = [(1, 1), (1, 0), (0, 1), (m, 1), (1, m)]
    fine = [[[t[k % 2] * v for v in own[k % 2]] for k in range(m)] for t in times]
    leaning = [[s] + [0] * (core - 1) + [Fraction(1, 2)] + [0] * (background - 1) for s in (1, -1)]
    W = ns.asarray([*fine, [leaning[k % 2] for k in range(m)]])
    return ns.number(pushed(ns, W, core) & unsaturated(ns, W, core))


def first_of_made(ns, core, background, m, d):
    """Only the first has both. Shape (6,)."""
    return ns.asarray([1, 0, 0, 0, 0, 0])


def one_label_too(ns, core, background, m, d):
    return ns.asarray([1, 1, 0, 0, 0, 0])


def of_one_label_large(ns, core, background, m, d):
    return ns.asarray([1, 0, 0, 0, 1, 0])


def without_the_mean(ns, core, background, m, d):
    """As if P+ > P- were enough."""
    return ns.asarray([1, 0, 0, 0, 0, 1])


def from_the_start(ns, rng, size, core, background, m, d):
    return upwards(ns, rng, size, core, background, m, d, since=0)


def more_background(ns, rng, size, core, background, m, d):
    """The blocks exchanged."""
    return upwards(ns, rng, size, background, core, m, d)


def past_saturation(ns, rng, size, core, background, m, d):
    """To c = 20: neurons still fire on one class only, and margins are above 1."""
    return upwards(ns, rng, size, core, background, m, d, end=20)


def cell(core_, background_, m_, d_):
    return {core: core_, background: background_, m: m_, d: d_}


CELLS = {
    "smoke": [cell(24, 8, 32, 32**3)],
    "standard": [cell(49, 15, 64, 64**3)],
    "deep": [cell(102, 26, 128, 128**3)],
}


def was_trained(core, background, m, d):
    return cell(core, background, m, d) in [p for points in CELLS.values() for p in points]


positive = claim(
    "contamination-bg-gradient-trainings",
    states="contamination-bg-gradient-sign",
    title="Every background weight of a quarter of the neurons is pushed up",
    says=r"In more than half of the trainings, at every recorded time from $T_0=2m\sqrt{\log(md_0)}/(\eta\sqrt d)$ "
    "to $c=6$, before saturation, minus the population gradient is positive on every background feature for, of each "
    "label, a quarter of all neurons.",
    role="reading",
    covers="positive-after-asymmetry",
    domain={
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(32**3, 64**3, 128**3),
    },
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            upwards,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            inside="t K k j",
            lhs=r"\Pr[\text{for all }t\ge T_0\text{ and both labels }\tfrac m4\text{ neurons}]",
            tex=r"\tfrac12",
        ),
        leg(
            "networks made by hand",
            made,
            reference=first_of_made,
            relation=equals(),
            required=False,
            grid={"smoke": CELLS["smoke"]},
            unit=1,
            lhs=r"[\text{pushed for both labels, unsaturated}]",
            tex="1,0,0,0,0,0",
        ),
    ],
    rivals=[
        variant("one label", leg="networks made by hand", reference=one_label_too),
        variant("P+ > P-", leg="networks made by hand", reference=without_the_mean),
        variant("saturated", leg="networks made by hand", reference=of_one_label_large),
        variant("from the start", leg="trainings", simulation=from_the_start),
        variant("blocks exchanged", leg="trainings", simulation=more_background),
        variant("past saturation", leg="trainings", simulation=past_saturation),
    ],
)
