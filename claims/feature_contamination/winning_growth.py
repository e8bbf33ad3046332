"""Lemmas B.3, B.4, B.6 and B.8 along trainings: sizes of the gradients, growth of the own-class mean, members stay.

Setting. As in `_training`, uniform features; N_y(t) holds the neurons of sign y with E_k^+ = E[<w_k, x> | y] >= c_0
sqrt(d_0/d), c_0 = 1/4. Weight decay is a share of S/(4m). Every step to c = 4 is looked at, before saturation (c = 16).

Statements. (1) In each step every member's own-class mean grows, beyond its decay, by eta d_0/(64 m) or more; and no
member is ever lost, for both labels. The decay has to be small: lambda c_0 sqrt(d_0/d) <= q S/(2m) with q <= 1/4 in
trainings; members that are on for their own class only stay up to q = 1, in a step on a whole population. (2) At
c = 0, 1/2, .., 4 every member has g_own between S_c/(4 m) (1 - d_0^(-1/2)) and d_0/(4 m) on the core, and between
d_bg/(64 m) and d_bg/(4 m) on the background. g is a mean over fresh examples, with Hoeffding's distance for all members
and times together counted against the claim.

(3) With a decay of lambda c_0 sqrt(d_0/d) = q (S_c/(4m)) (1 - d_0^(-1/2)), q < 1, no member of N_y(t) with that c_0 is
ever lost, and each gains eta (S_c/(4m)) (1 - d_0^(-1/2)) or more beyond the decay in every step; with q = 5 they are
lost (members settle at E^+ = S/(2 m lambda)).

The truth on the core is S_c/(2m) times a member's activity on its own class, more than half at the threshold and all
of it later. What no size decides: that these constants are good for all d_0.

Reference: Lemmas B.3 and B.4, lines 571-658; B.6, lines 672-718; B.8, lines 745-770 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, sqrt

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    instances,
    leg,
    probability,
    reals,
    variant,
)

from ._network import dot, means
from ._risks import FRESH, fresh
from ._training import initial, rule, trained
from .gradient_projection import FIELDS
from .one_step import class_mean, stepped

core, background, m, d = sp.symbols("core background m d", integer=True, positive=True)
c0, q = sp.symbols("c0 q", nonnegative=True)
decay = sp.Symbol("decay", nonnegative=True)

STEP, SAMPLES, END = Fraction(1, 8), 128, 4
"""Natural time a step, examples a step, end of a training."""


def own_means(ns, W, core):
    """E_k^+ of every neuron; neurons 0, 2, .. have the sign 1. Shape (size, m)."""
    signs = ns.asarray([1 - 2 * (k % 2) for k in range(W.shape[1])])
    return (signs * ns.sum(W[:, :, :core], axis=-1) + ns.sum(W[:, :, core:], axis=-1)) / 2


def members(ns, W, core, d, c0=Fraction(1, 4)):
    """Whether k is in N_y(t). Booleans (size, m)."""
    return own_means(ns, W, core) >= ns.sqrt(ns.asarray(Fraction(c0) ** 2 * W.shape[2] / d))


def run(ns, rng, size, core, background, m, d, decay, seen):
    """A training of which ``seen(t, W)`` gets the weights after t steps, t = 0, 1, .."""
    d0 = core + background
    first = initial(ns, rng, size, m, d0, d)
    seen(0, first.weights)
    how = rule(core, background, m, STEP, decay=Fraction(decay) * d0 / (16 * m))
    trained(
        ns, rng, first, core, how, int(END / STEP), SAMPLES, lambda t, net: seen(t + 1, net.weights)
    )
    return how


def lasting(ns, rng, size, core, background, m, d, decay, least, c0=Fraction(1, 4), everyone=False):
    """1 where in every step every member grows by ``least`` eta d0/m or more beyond the decay, and stays. (size,)

    ``everyone``: the same of all neurons."""
    means, inside = [], []

    def seen(t, W):
        means.append(own_means(ns, W, core))
        inside.append(members(ns, W, core, d, c0))

    how = run(ns, rng, size, core, background, m, d, decay, seen)
    kept, step = ns.asarray(1 - how.rate * how.decay), least * ns.asarray(STEP)
    good = inside[0] == inside[0]
    for before, after, member, still in zip(means, means[1:], inside, inside[1:], strict=False):
        outside = member != member if everyone else ~member
        good = good & (outside | (still & (after - kept * before >= step)))
    return ns.number(ns.all(good, axis=-1))


def growing(ns, rng, size, core, background, m, d, q, least=Fraction(1, 64), everyone=False):
    """`lasting` with ``least`` and lambda c_0 sqrt(d_0/d) = q S/(2m). Shape (size,)."""
    root = Fraction(sqrt(d / (core + background))).limit_denominator(10**6)
    decay = 8 * Fraction(q) * root  # counted in S/(4 m)
    return lasting(
        ns, rng, size, core, background, m, d, decay, ns.asarray(least), everyone=everyone
    )


def drive(core, background):
    """(S_c/(4 m)) (1 - d_0^(-1/2)) in units of d_0/m."""
    d0 = core + background
    return Fraction(core, 16 * d0) * (1 - Fraction(1 / sqrt(d0)).limit_denominator(10**6))


def staying(ns, rng, size, core, background, m, d, c0, q, everyone=False):
    """`lasting` with lambda c_0 sqrt(d_0/d) = q times the drive, by which members grow at least. Shape (size,)."""
    d0, least = core + background, drive(core, background)
    # The decay is counted in S/(4 m) = d_0/(16 m).
    decay = q * 16 * least / c0 * Fraction(sqrt(d / d0)).limit_denominator(10**6)
    return lasting(
        ns, rng, size, core, background, m, d, decay, ns.asarray(least), c0, everyone=everyone
    )


def strong_decay(ns, rng, size, core, background, m, d, c0, q):
    return staying(ns, rng, size, core, background, m, d, c0, 5)


def sized(ns, rng, size, core, background, m, d, decay, factor=1, everyone=False):
    """1 where at the marks every member has g_own in the ranges of (2), the lower ends times ``factor``. Shape (size,).

    In units of d0/m on the core, d_bg/m on the background; S_c/(4m) is d_core/(16 m)."""
    d0 = core + background
    ends = (
        ns.rational(factor * core, 16 * d0) * (1 - 1 / ns.sqrt(ns.asarray(d0))),
        ns.rational(factor, 64),
    )
    near = fresh(ns, rng, size, core, background)
    blocks = [near.inputs[:, ::2, :core], near.inputs[:, ::2, core:]]  # label 1
    mirror = [-near.inputs[:, 1::2, :core], near.inputs[:, 1::2, core:]]  # label -1, z again
    marks = int(END / STEP) // 4 + 1
    # Each g is a mean over FRESH/2 terms in [0, 1/4] in these units; two blocks, two sides, m members, the marks.
    room = ns.sqrt(ns.log(ns.asarray(16 * 4 * m * marks)) / FRESH) / 4
    found = []

    def seen(t, W):
        if t % 4:
            return
        own = [W[:, ::2, :], W[:, 1::2, :]]
        rows = [near.inputs[:, ::2, :], near.inputs[:, 1::2, :]]
        inside = members(ns, W, core, d)
        for which, (V, x) in enumerate(zip(own, rows, strict=True)):
            active = ns.number(ns.matmul(x, ns.matrix_transpose(V)) >= 0)
            outside = (
                inside[:, which::2] != inside[:, which::2] if everyone else ~inside[:, which::2]
            )
            for z, unit, low in zip((blocks, mirror)[which], (d0, background), ends, strict=True):
                total = ns.sum(z, axis=-1)[:, :, None] / 2
                g = ns.mean(active * total, axis=1) / (2 * unit)
                fine = (g - room >= low) & (g + room <= ns.rational(1, 4))
                found.append(ns.all(outside | fine, axis=-1))

    run(ns, rng, size, core, background, m, d, decay, seen)
    return ns.number(ns.all(ns.stack(found, axis=0), axis=0))


def one():
    """c = c_1 = 1/64, c_2 = 1/4."""
    return Fraction(1, 64)


def of_everyone(ns, rng, size, core, background, m, d, q):
    return growing(ns, rng, size, core, background, m, d, q, everyone=True)


def strongly_decaying(ns, rng, size, core, background, m, d, q):
    return growing(ns, rng, size, core, background, m, d, 2)


def sizes_of_everyone(ns, rng, size, core, background, m, d, decay):
    return sized(ns, rng, size, core, background, m, d, decay, everyone=True)


def cell(core_, background_, m_, d_, decay_=0):
    return {core: core_, background: background_, m: m_, d: d_, decay: decay_}


HALF = Fraction(1, 2)
CELLS = {
    "smoke": [cell(24, 8, 32, 1060)],
    "standard": [cell(24, 8, 32, 1060, HALF), cell(49, 15, 64, 4270)],
    "deep": [cell(102, 26, 128, 17198)],
}


def was_trained(core, background, m, d, decay):
    return cell(core, background, m, d, decay) in [p for points in CELLS.values() for p in points]


SETTING = {
    "domain": {
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(1060, 4270, 17198),
        decay: choices(0, HALF),
    },
    "where": was_trained,
    "grid": CELLS,
    "role": "reading",
    "relation": at_least(),
}
SAMPLED = {
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
    "chosen_by": one,
}

# ---- one step on a whole population

POPULATION = {core: 3, background: 1, m: 2, d: 25}


def threshold(core, background, d):
    """c_0 sqrt(d_0/d) with c_0 = 1/4, of two squares."""
    return Fraction(isqrt(core + background), 4 * isqrt(d))


def some_members(rng, core, background, m, d, q):
    """Neurons that are on for their own class only, one at the threshold, the others at or above it; unequal fair
    features."""
    values = [
        [Fraction(int(rng.integers(2, 5)), 8), Fraction(int(rng.integers(5, 9)), 8)]
        for _ in range(core + background)
    ]
    weights = [[Fraction(1, 2)] * 2] * (core + background)
    signs = [int(rng.signs()) for _ in range(m)]
    W = []
    for k, y in enumerate(signs):
        # The core part is at least core/4, the background's at most 1/8.
        w = [y * Fraction(int(rng.integers(4, 9)), 4) for _ in range(core)]
        w += [Fraction(int(rng.integers(-4, 5)), 32 * background) for _ in range(background)]
        size = (1 + Fraction(min(k, 1) * int(rng.integers(0, 5)), 4)) / class_mean(
            w, values, weights, core, y
        )
        W.append([size * threshold(core, background, d) * v for v in w])
    return {"W": W, "s": signs, "values": values, "weights": weights}


def after_a_step(W, s, values, weights, core, background, m, d, q):
    """E^+ of the members after a step, in units of the threshold. Shape (m,)."""
    mu = means(values, weights)
    lam = Fraction(q) * dot(mu, mu) / (2 * m * threshold(core, background, d))
    eta = STEP * m / (core + background)
    after = stepped(W, s, values, weights, core, eta, lam)
    ends = [class_mean(w, values, weights, core, y) for w, y in zip(after, s, strict=True)]
    return [end / threshold(core, background, d) for end in ends]


def grown(core_, background_, m_, d_, q_=0):
    return {core: core_, background: background_, m: m_, d: d_, q: q_}


GROWN = {
    "smoke": [grown(24, 8, 32, 1060)],
    "standard": [grown(24, 8, 32, 1060, Fraction(1, 4)), grown(49, 15, 64, 4270)],
    "deep": [grown(102, 26, 128, 17198)],
}
SIZED = sp.Or(
    *[
        sp.And(*[sp.Eq(k, p[k]) for k in (core, background, m, d)])
        for p in (POPULATION, GROWN["smoke"][0], GROWN["standard"][1], *GROWN["deep"])
    ]
)


def was_grown(core, background, m, d, q):
    return grown(core, background, m, d, q) in [p for points in GROWN.values() for p in points]


MEMBERS = instances(some_members, FIELDS, smoke=4, standard=12)

members_grow = claim(
    "contamination-winning-growth",
    states=["contamination-neuron-set-monotone", "contamination-positive-correlation-lower"],
    title="Winning neurons grow in every step and stay",
    says=r"For decays with $\lambda c_0\sqrt{d_0/d}=q\frac S{2m}$, $q\le1/4$: in more than half of the trainings, in "
    r"every step up to natural time $c=4$ and for both labels, every member of $N_y(t)$ gains $\eta d_0/(64m)$ or more "
    r"of $E^+$ beyond its decay, and is in $N_y(t+1)$; in a step on a whole population members that are on for their "
    r"own class only stay for every $q\le1$.",
    role="reading",
    covers="no-loss growth-lower",
    reads={
        "d0": "core background",
        "eta": "m core background",
        "lambda": "q core background m d",
    },
    domain={
        core: choices(3, 24, 49, 102),
        background: choices(1, 8, 15, 26),
        m: choices(2, 32, 64, 128),
        d: choices(25, 1060, 4270, 17198),
        q: reals(0, 1),
    },
    where=SIZED,
    grid=GROWN,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "whole populations",
            after_a_step,
            instances=MEMBERS,
            covers="no-loss",
            inside="k",
            closed_form=sp.Integer(1),
            where=core <= 3,
            required=False,
            grid={"smoke": [POPULATION | {q: share} for share in (0, HALF, 1)]},
            lhs=r"E_k^+(t+1)/(c_0\sqrt{d_0/d})",
            tex="1",
        ),
        leg(
            "trainings",
            growing,
            where=was_grown,
            gives="c",
            draws="init batches",
            inside="y t k",
            lhs=r"\Pr[\text{every member grows and stays}]",
            tex=r"\tfrac12",
            **SAMPLED,
        ),
    ],
    rivals=[
        variant("every neuron", leg="trainings", simulation=of_everyone),
        variant("an eighth of eta d0/m", call=growing, leg="trainings", least=Fraction(1, 8)),
        variant("twice the limit", leg="trainings", simulation=strongly_decaying),
        variant(
            "beyond the limit",
            leg="whole populations",
            simulation=after_a_step,
            at=[POPULATION | {q: Fraction(5, 4)}],
        ),
    ],
)

member_sizes = claim(
    "contamination-gradient-sizes",
    states=["contamination-core-gradient", "contamination-bg-gradient"],
    title="Sizes of the own-class gradient of winning neurons",
    says=r"In more than half of the trainings, at $c=0,\frac12,\dots,4$ and for both labels every member of "
    r"$N_y(t)$ has $g_{\mathrm{own}}$ between $\frac{S_c}{4m}(1-d_0^{-1/2})$ and $d_0/(4m)$ on the core, and "
    r"between $d_{\mathrm{bg}}/(64m)$ and $d_{\mathrm{bg}}/(4m)$ on the background.",
    covers=[
        "contamination-core-gradient/own-size",
        "contamination-core-gradient/own-lower-explicit",
        "contamination-bg-gradient/own-size",
    ],
    reads={"d0": "core background"},
    closed_form=sp.Rational(9, 16),
    legs=[
        leg(
            "trainings",
            sized,
            gives="c1 c2 constants",
            inside="y t k",
            lhs=r"\Pr[\text{all }g_{\mathrm{own}}\text{ in their ranges}]",
            tex=r"\tfrac9{16}",
            **SAMPLED,
        )
    ],
    rivals=[
        variant("every neuron", simulation=sizes_of_everyone),
        variant("twice the lower ends", call=sized, factor=2),
    ],
    **SETTING,
)


def held(core_, background_, m_, d_, c0_, q_):
    return {core: core_, background: background_, m: m_, d: d_, c0: c0_, q: q_}


HELD = {
    "smoke": [held(24, 8, 32, 1060, Fraction(1, 4), Fraction(9, 10))],
    "standard": [
        held(24, 8, 32, 1060, HALF, HALF),
        held(49, 15, 64, 4270, Fraction(1, 4), Fraction(9, 10)),
    ],
    "deep": [held(102, 26, 128, 17198, Fraction(1, 4), Fraction(9, 10))],
}


def was_held(core, background, m, d, c0, q):
    return held(core, background, m, d, c0, q) in [p for points in HELD.values() for p in points]


members_stay = claim(
    "contamination-neuron-set-threshold-trainings",
    states="contamination-neuron-set-monotone",
    title="Members stay under a decay just below the threshold's",
    says=r"In more than half of the trainings with $\lambda c_0\sqrt{d_0/d}=q\frac{S_c}{4m}(1-d_0^{-1/2})$, $q<1$, in "
    r"every step up to $c=4$ and for both labels every member of $N_y(t)$ gains "
    r"$\eta\frac{S_c}{4m}(1-d_0^{-1/2})$ or more beyond its decay, and is in $N_y(t+1)$.",
    role="reading",
    covers="threshold-drift",
    reads={"lambda": "q c0 core background m d", "d0": "core background"},
    domain={
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(1060, 4270, 17198),
        c0: choices(Fraction(1, 4), HALF),
        q: choices(HALF, Fraction(9, 10)),
    },
    where=was_held,
    grid=HELD,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            staying,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            lhs=r"\Pr[\text{every member grows and stays}]",
            tex=r"\tfrac12",
        )
    ],
    rivals=[
        variant("five times the threshold's decay", simulation=strong_decay),
        variant("every neuron", call=staying, everyone=True),
    ],
)
