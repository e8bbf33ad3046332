"""Theorem 4.2 (Theorem B.2): winning neurons store core and background features alike.

Setting. As in `_training`; T_1 = c m/(eta d_0), a fixed natural time before saturation (c = 16).

Statements. (1) For all laws, decays lambda >= 0 and steps T, while each neuron fires on its own class only and no
margin passes 1: T steps on the population add eta (1 + r + .. + r^(T-1))/(2m) times S_c to s_k times the core sum,
and S_b to the background sum, r = 1 - eta lambda, beside r^T times their start; for r < 1 that factor is (1 - r^T)/(2
m lambda). (2) In trainings, at c = 4: for each label a quarter of all m neurons or more has at once s_k times the
core sum between 1/2 and 2 times (c/2) S_c/d_0, and the background sum, positive for both labels, between 1/2 and 2
times (c/2) S_b/d_0, which is of order 1/log d_0. With weight decay the law is that of (1).

What no size decides: that q, c_1, c_2 and A stay as they are for all d_0. At d = d_0^2.01 the transient adds
sqrt(d_0/d) to the sums, a fifth at d_0 = 64; the factor 2 leaves room for it.

Reference: Theorem 4.2, lines 171-178; Theorem B.2, lines 874-934 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    instances,
    integers,
    leg,
    probability,
    reals,
    variant,
)
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU

from ._population import Laws, stepped, winners
from ._training import initial, rule, trained

core, background, m, T, d = sp.symbols("core background m T d", integer=True, positive=True)
i = sp.Symbol("i", integer=True, nonnegative=True)
eta, S_c, S_b = sp.symbols("eta S_c S_b", positive=True)
lam, decay = sp.symbols("lam decay", nonnegative=True)


# ---- the population


def gentle(rng, core, background, m, T, lam):
    """Steps so small that the patterns last for T of them."""
    one = winners(rng, core, background, m)
    return one._replace(eta=one.eta / (T * (1 + lam) * m))


def added(ns, lows, highs, weights, s, eta, core, T, lam, part, **more):
    """What T steps add to r^T times the mean-weighted sum of ``part``. Shape (B, m)."""
    rate = ns.asarray(lam)
    before, after, _ = stepped(ns, lows, highs, weights, s, eta, core, steps=T, lam=rate, **more)
    left = ns.pow(1 - eta * rate, T)[:, None, None]
    mu = (lows + highs)[:, None, :] / 2
    return ns.sum((mu * (after.weights - left * before.weights))[:, :, part], axis=-1)


def core_added(ns, lows, highs, weights, s, eta, core, T, lam, **more):
    return s * added(ns, lows, highs, weights, s, eta, core, T, lam, slice(None, core), **more)


def background_added(ns, lows, highs, weights, s, eta, core, T, lam):
    return added(ns, lows, highs, weights, s, eta, core, T, lam, slice(core, None))


def linear_core_added(ns, lows, highs, weights, s, eta, core, T, lam):
    return core_added(ns, lows, highs, weights, s, eta, core, T, lam, activation=LINEAR)


def labelled_background_added(ns, lows, highs, weights, s, eta, core, T, lam):
    """In the direction of the neuron's sign, as on the core."""
    return s * background_added(ns, lows, highs, weights, s, eta, core, T, lam)


STEPS = sp.Sum((1 - eta * lam) ** i, (i, 0, T - 1))
POPULATION = {
    "arithmetic": "rational",
    "instances": instances(gentle, Laws, smoke=3, standard=5),
    # The support has 2^(d0 + 1) rows and fractions grow with the steps.
    "where": (core + background <= 6) & (T <= 6) & (m <= 8),
}
LAW = r"\frac\eta{2m}\Big(\sum_{i<T}(1-\eta\lambda)^i\Big)"

sums = claim(
    "contamination-learned-features-sums",
    states="contamination-learned-features",
    title="Both sums of a winning neuron after any number of steps",
    says=r"For all laws, decays and steps, while each neuron fires on its own class only and no margin passes 1: "
    r"beside $r^T$ times the start, $r=1-\eta\lambda$, the core sum in the direction of $s_k$ is "
    r"$\frac{\eta}{2m}(1+r+\dots+r^{T-1})S_c$ and the background sum, for both signs, the same with $S_b$.",
    role="derived",
    covers="explicit-sums",
    reads={"laws": "lows highs", "lambda": "lam", "k": "weights s"},
    domain={
        core: integers(1),
        background: integers(1),
        m: integers(1),
        T: integers(1),
        lam: reals(0),
    },
    grid={
        "smoke": [
            {core: 2, background: 1, m: 2, T: 3, lam: Fraction(1, 3)},
            {core: 1, background: 2, m: 2, T: 2, lam: 0},
        ],
        "standard": [{core: 3, background: 2, m: 3, T: 3, lam: 2}],
    },
    relation=equals(),
    legs=[
        leg(
            "core",
            core_added,
            closed_form=eta * S_c * STEPS / (2 * m),
            lhs=r"s_k(C_T-r^TC_0)",
            tex=LAW + "S_c",
            **POPULATION,
        ),
        leg(
            "background",
            background_added,
            closed_form=eta * S_b * STEPS / (2 * m),
            lhs=r"B_T-r^TB_0",
            tex=LAW + "S_b",
            **POPULATION,
        ),
    ],
    rivals=[
        variant("T steps without decay", closed_form=eta * S_c * T / (2 * m), leg="core"),
        variant(
            "half of the decay",
            closed_form=eta * S_c * STEPS.subs(lam, lam / 2) / (2 * m),
            leg="core",
        ),
        variant("the rate of the linear network", simulation=linear_core_added, leg="core"),
        variant("with the label", simulation=labelled_background_added, leg="background"),
    ],
)


# ---- trainings

STEP, SAMPLES, TIME = Fraction(1, 8), 64, 4
"""Natural time a step, examples a step, T_1."""


def stored(ns, rng, size, core, background, m, d, decay, activation=RELU, law=(1, 1), sign=1):
    """1 where for both labels a quarter of all neurons has both sums within a factor 2 of ``law`` times theirs.

    ``decay``: a share of S/(4m). ``sign``: of the background sum of the neurons of sign -1. Shape (size,)."""
    d0 = core + background
    first = initial(ns, rng, size, m, d0, d)
    loss = Fraction(decay) * d0 / (16 * m)
    how = rule(core, background, m, STEP, activation, decay=loss)
    steps = int(TIME / STEP)
    W = trained(ns, rng, first, core, how, steps, SAMPLES).weights
    # eta sum_i (1 - eta lambda)^i/(2m) in units of 1/(8 d0): the sum of T steps of STEP, each shrunk by the later ones.
    grown = sum(STEP * (1 - how.rate * loss) ** t for t in range(steps))
    return ns.number(in_range(ns, W, core, grown, law, sign))


def in_range(ns, W, core, grown, law=(1, 1), sign=1):
    """Whether for both labels a quarter of all neurons has both sums within a factor 2 of ``law`` times the expected
    ones. Booleans (size,)."""
    _, m, d0 = W.shape
    background = d0 - core
    signs = ns.asarray([1 - 2 * (k % 2) for k in range(m)])
    both = ns.asarray([1 if k % 2 == 0 else sign for k in range(m)])
    good = signs == signs
    for got, factor, block in (
        (signs * ns.sum(W[:, :, :core], axis=-1) / 2, law[0], core),
        (both * ns.sum(W[:, :, core:], axis=-1) / 2, law[1], background),
    ):
        expected = Fraction(factor) * grown * block / (8 * d0)
        good = good & (got >= ns.asarray(expected / 2)) & (got <= ns.asarray(2 * expected))
    count = ns.number(good)
    least = ns.asarray(quarter() * m)
    half = [ns.sum(count[:, start::2], axis=-1) >= least for start in (0, 1)]
    return half[0] & half[1]


def made(ns, core, background, m, d, decay):
    """`in_range` of four networks made by hand, m a multiple of 4, both sums expected to be their block's size over 8:
    every neuron has both; those of one label, the others are 0; half of the neurons of each label has the core sum,
    half the background sum; every neuron has three times both. Shape (4,)."""
    quarter_each = [[s] * core + [1] * background for s in (1, -1)]
    fine = [[Fraction(v, 4) for v in row] for row in quarter_each]
    bare = [row[:core] + [0] * background for row in fine]
    dark = [0] * core + [Fraction(1, 4)] * background
    networks = [
        [fine[k % 2] for k in range(m)],
        [fine[0] if k % 2 == 0 else [0] * (core + background) for k in range(m)],
        [bare[k % 2] if k % 4 < 2 else dark for k in range(m)],
        [[3 * v for v in fine[k % 2]] for k in range(m)],
    ]
    return ns.number(in_range(ns, ns.asarray(networks), core, core + background))


def first_of_made(ns, core, background, m, d, decay):
    """Only the first has. Shape (4,)."""
    return ns.asarray([1, 0, 0, 0])


def a_set_for_each(ns, core, background, m, d, decay):
    return ns.asarray([1, 0, 1, 0])


def without_upper_ends(ns, core, background, m, d, decay):
    return ns.asarray([1, 0, 0, 1])


def one_label_too(ns, core, background, m, d, decay):
    return ns.asarray([1, 1, 0, 0])


def quarter():
    """q = 1/4; c_1 = 1/2 (c/2) S_c/d0 and c_2 four times that; A = 2."""
    return Fraction(1, 4)


def linear(ns, rng, size, core, background, m, d, decay):
    return stored(ns, rng, size, core, background, m, d, decay, activation=LINEAR)


def with_label(ns, rng, size, core, background, m, d, decay):
    """A background sum of the neuron's sign."""
    return stored(ns, rng, size, core, background, m, d, decay, sign=-1)


def without_background(ns, rng, size, core, background, m, d, decay):
    """A tenth of the background sum."""
    return stored(ns, rng, size, core, background, m, d, decay, law=(1, Fraction(1, 10)))


def background_like_core(ns, rng, size, core, background, m, d, decay):
    """A background sum as large as that of the core."""
    return stored(ns, rng, size, core, background, m, d, decay, law=(1, Fraction(core, background)))


def cell(core_, background_, m_, d_, decay_=0):
    return {core: core_, background: background_, m: m_, d: d_, decay: decay_}


CELLS = {
    "smoke": [cell(24, 8, 32, 1060)],
    "standard": [cell(24, 8, 32, 32**3, Fraction(1, 2)), cell(49, 15, 64, 4270)],
    "deep": [cell(102, 26, 128, 17198)],
}


def was_trained(core, background, m, d, decay):
    return cell(core, background, m, d, decay) in [p for points in CELLS.values() for p in points]


features = claim(
    "contamination-learned-features",
    title="Winning neurons store core and background alike",
    says=r"In more than half of the trainings, at natural time $c=4$ and for each label, a quarter of all neurons "
    r"or more has a core sum of the label's sign within a factor 2 of $\frac c2S_c/d_0$, and a positive background "
    r"sum within a factor 2 of $\frac c2S_b/d_0$, both for the same neurons.",
    role="reading",
    covers="core-two-sided bg-two-sided one-set-for-both-sums",
    reads={
        "instance": "core background m d decay",
        "d0": "core background",
        "eta": "m core background",
    },
    domain={
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(1060, 4270, 17198, 32**3),
        decay: choices(0, Fraction(1, 2)),
    },
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            stored,
            statistic=probability(),
            block=16,
            budget={"smoke": 96, "standard": 96},
            draws="init batches",
            gives="q c1 c2 A T1",
            chosen_by=quarter,
            inside="y K k",
            lhs=r"\Pr[\text{both sums of }\tfrac m4\text{ neurons, for both labels}]",
            tex=r"\tfrac12",
        ),
        leg(
            "networks made by hand",
            made,
            arithmetic="rational",
            reference=first_of_made,
            relation=equals(),
            required=False,
            grid={"smoke": CELLS["smoke"]},
            unit=1,
            lhs=r"[\text{both sums of }\tfrac m4\text{ neurons, for both labels}]",
            tex="1,0,0,0",
        ),
    ],
    rivals=[
        variant("linear networks", leg="trainings", simulation=linear),
        variant("background of the label's sign", leg="trainings", simulation=with_label),
        variant("a tenth of the background", leg="trainings", simulation=without_background),
        variant(
            "background as large as the core", leg="trainings", simulation=background_like_core
        ),
        variant("a set for each sum", leg="networks made by hand", reference=a_set_for_each),
        variant("no upper ends", leg="networks made by hand", reference=without_upper_ends),
        variant("one label", leg="networks made by hand", reference=one_label_too),
    ],
)
