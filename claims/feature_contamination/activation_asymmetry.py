"""Theorem 4.1 (Theorem B.1): from some time on a constant fraction of the neurons fires on one class only.

Setting. As in `_training`, uniform features; T_0 = 2 m sqrt(log(m d_0))/(eta sqrt(d)), the proof's time with the
constant 2. Weight decay is given as a share of S/(4m), above which nothing is fitted (`weight_decay_threshold`).

Statements. (1) In trainings, at every recorded time from T_0 to the end (after saturation), for both labels y a
quarter of all m neurons or more satisfies both lines at once: P[<w_k, x> < 0 | y] and P[<w_k, x> >= 0 | -y] are at
most 1/d_0, which is below d_0^(-1/2). The neurons are counted afresh at each time. At t = 0 far fewer do, and with a
background as large as the core they never come (rivals). With a quarter of the step T_0 is four times as many steps,
and after as many as before they have not come: no T_0 is one for all eta.
(2) For a weight vector (s mu, .., mu, ..) and uniform features the other class is active with
probability P[U_1 + .. + U_d0 <= d_bg] exactly, at most exp(-(S_c - S_b)^2/(2(V_c + V_b))).

The probabilities of (1) are bounded from the weights, without sampling: a uniform variable on [0, 1] is sub-Gaussian
with its own variance 1/12, sinh(t)/t <= exp(t^2/6), so that a neuron with E = E[<w, x> | y] > 0 is silent with
probability exp(-6 E^2/|w|^2) at most.

What no size decides: "w.h.p." and "for all large d_0" (d_0 = 32 to 128 here); T_0 < T_1, used for Theorem 4.2, rests on
constants at d = d_0^2.01 (log d_0 > 728 with constants 1).

Reference: Theorem 4.1, lines 145-153; Theorem B.1, lines 804-872 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, log, sqrt

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    figure,
    formula_leg,
    integers,
    leg,
    panel,
    probability,
    series,
    typed,
    variant,
)

from ._training import initial, rule, trained

core, background, m, d = sp.symbols("core background m d", integer=True, positive=True)
decay = sp.Symbol("decay", nonnegative=True)

STEP, SAMPLES, END = Fraction(1, 4), 64, 20
"""Natural time a step, examples a step, end of a training: past saturation, which is at c = 16."""


def misfires(ns, W, core):
    """Bounds on P[<w_k, x> < 0 | own class] and P[<w_k, x> >= 0 | other class]; neurons 0, 2, .. have the sign 1, the
    others -1. Two of shape (size, m)."""
    m = W.shape[1]
    signs = ns.asarray([1 - 2 * (k % 2) for k in range(m)])
    A = signs * ns.sum(W[:, :, :core], axis=-1) / 2
    B = ns.sum(W[:, :, core:], axis=-1) / 2
    size = ns.sum(ns.square(W), axis=-1)

    def tail(mean):
        return ns.where(mean > 0, ns.exp(-6 * ns.square(mean) / size), 1)

    return tail(A + B), tail(A - B)


def settled(ns, W, core, lines=(0, 1), level=None):
    """Whether for both labels a quarter of all neurons has both lines at 1/d0 (or ``level``). Booleans (size,)."""
    found = misfires(ns, W, core)
    most = ns.maximum(*(found[i] for i in lines))
    good = ns.number(most <= ns.asarray(level or Fraction(1, W.shape[2])))
    least = quarter() * W.shape[1]
    counts = [ns.sum(good[:, start::2], axis=-1) for start in (0, 1)]
    return (counts[0] >= ns.asarray(least)) & (counts[1] >= ns.asarray(least))


def made(ns, core, background, m, d, decay):
    """`settled` of four networks made by hand, m a multiple of 4: every neuron fires on its own class only; those of
    one label, the others are 0, for either label; half of the neurons of each label has the first line, half the
    second. Shape (4,)."""
    fine = [[1] * core + [0] * background, [-1] * core + [0] * background]
    first, none = [0] * core + [1] * background, [0] * (core + background)
    second = [[s] * core + [-2 * core] * background for s in (1, -1)]
    networks = [
        [fine[k % 2] for k in range(m)],
        [fine[0] if k % 2 == 0 else none for k in range(m)],
        [fine[1] if k % 2 else none for k in range(m)],
        [first if k % 4 < 2 else second[k % 2] for k in range(m)],
    ]
    return ns.number(settled(ns, ns.asarray(networks), core))


def first_of_made(ns, core, background, m, d, decay):
    """Only the first is. Shape (4,)."""
    return ns.asarray([1, 0, 0, 0])


def one_label_too(ns, core, background, m, d, decay):
    return ns.asarray([1, 1, 1, 0])


def a_set_for_each(ns, core, background, m, d, decay):
    return ns.asarray([1, 0, 0, 1])


def four_neurons(ns, core, background):
    """Of sign 1 and -1 in turns: where the background outweighs the core two miss their own class, and two fire on the
    other. Shape (1, 4, d0)."""
    ends = [(1, -1), (-1, -1), (1, 1), (-1, 1)]
    return ns.asarray([[[a] * core + [b] * background for a, b in ends]])


def share_of_the_bound(ns, core, background, m, d, decay, power=1):
    """The exact probability of that, P[a sum of d0 uniform variables <= d_bg], over the bound. Shape (4,)."""
    exact = irwin_hall(core + background, background)
    silent, active = misfires(ns, four_neurons(ns, core, background), core)
    bound = ns.concat([silent[0, :2], active[0, 2:]], axis=0)
    return ns.asarray(exact) / bound**power


def first_time(m, d, core, background):
    """T_0 in natural time: c = eta t d0/m."""
    d0 = core + background
    return 2 * sqrt(log(m * d0)) * d0 / sqrt(d)


def quarter():
    """q = 1/4 of all neurons for each label, C = 1, epsilon = 1/d0, A = 1."""
    return Fraction(1, 4)


def lasting(ns, rng, size, core, background, m, d, decay, since=None, step=STEP, end=END, **more):
    """1 where every recorded time from T_0 (or ``since``) to ``end`` is `settled`. Shape (size,)."""
    d0 = core + background
    begin = first_time(m, d, core, background) if since is None else since
    first = initial(ns, rng, size, m, d0, d)
    good = settled(ns, first.weights, core, **more) if begin == 0 else None

    def seen(t, net):
        nonlocal good
        if (t + 1) % 4 == 0 and (t + 1) * step >= begin:
            now = settled(ns, net.weights, core, **more)
            good = now if good is None else good & now

    how = rule(core, background, m, step, decay=Fraction(decay) * d0 / (16 * m))
    trained(ns, rng, first, core, how, int(end / step), SAMPLES, seen)
    return ns.number(good)


def small_steps(ns, rng, size, core, background, m, d, decay, since=None):
    """The same with a quarter of the step, to c = 2. Shape (size,)."""
    return lasting(ns, rng, size, core, background, m, d, decay, since=since, step=STEP / 4, end=2)


def as_many_small_steps(ns, rng, size, core, background, m, d, decay):
    """After the number of steps that is T_0 for the whole step: a quarter of the natural time."""
    since = first_time(m, d, core, background) / 4
    return small_steps(ns, rng, size, core, background, m, d, decay, since=since)


def from_the_start(ns, rng, size, core, background, m, d, decay):
    return lasting(ns, rng, size, core, background, m, d, decay, since=0)


def equal_blocks(ns, rng, size, core, background, m, d, decay):
    """As many background features as core features."""
    half = (core + background) // 2
    return lasting(ns, rng, size, half, half, m, d, decay)


def more_background(ns, rng, size, core, background, m, d, decay):
    """The blocks exchanged."""
    return lasting(ns, rng, size, background, core, m, d, decay)


def curves(ns, rng, core, background, m, d, decay):
    """Quantiles over the neurons of both bounds, in one training, against c."""
    d0 = core + background
    first = initial(ns, rng, 1, m, d0, d)
    kept = [first.weights]
    how = rule(core, background, m, STEP, decay=Fraction(decay) * d0 / (16 * m))
    trained(
        ns, rng, first, core, how, int(8 / STEP), SAMPLES, lambda t, net: kept.append(net.weights)
    )
    times = [float(STEP) * t for t in range(len(kept))]
    lines = []
    for name, which in (("silent on its own class", 0), ("fires on the other class", 1)):
        found = [ns.sort(misfires(ns, W, core)[which][0]) for W in kept]
        low, middle, high = (
            [float(x[int(share * (m - 1))]) for x in found] for share in (0.25, 0.5, 0.75)
        )
        lines.append(series(name, times, middle, low=low, high=high))
    T_0 = first_time(m, d, core, background)
    lines.append(series("T_0", [T_0, T_0], [0, 1], dashed=True))
    return panel("bounds over the neurons", x="natural time c", y="probability", lines=lines)


def cell(core_, background_, m_, d_, decay_=0):
    return {core: core_, background: background_, m: m_, d: d_, decay: decay_}


HALF = Fraction(1, 2)
CELLS = {
    "smoke": [cell(24, 8, 32, 1060)],
    "standard": [cell(24, 8, 32, 32**3), cell(24, 8, 32, 1060, HALF), cell(49, 15, 64, 4270)],
    "deep": [cell(102, 26, 128, 17198)],
}


def was_trained(core, background, m, d, decay):
    return cell(core, background, m, d, decay) in [p for points in CELLS.values() for p in points]


ORDER = "core background m d decay"
EACH_TRAINING = {
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
    "draws": "init batches",
    "gives": "q C epsilon A T0",
    "chosen_by": quarter,
    "inside": "y t K_t k",
    "lhs": r"\Pr[\text{for all }t\ge T_0\text{ and both labels }\tfrac m4\text{ neurons}]",
    "tex": r"\tfrac12",
}

asymmetry = claim(
    "contamination-activation-asymmetry",
    title="Each winning neuron fires on one class only",
    says=r"In more than half of the trainings, at every recorded time from $T_0=2m\sqrt{\log(md_0)}/(\eta\sqrt d)$ on, "
    r"a quarter of all neurons or more is, for each label, silent on that class and active on the other with "
    r"probabilities of at most $1/d_0$, both for the same neurons; with a quarter of the step, too.",
    role="reading",
    covers="own-class-fires other-class-silent one-set-for-both time-scale",
    reads={
        "instance": ORDER,
        "d0": "core background",
        "eta": "m core background",
    },
    domain={
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(1060, 4270, 17198, 32**3),
        decay: choices(0, HALF),
    },
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            lasting,
            **EACH_TRAINING,
        ),
        # eta after T_0: another step, where T_0 is below c = 1.
        leg(
            "a quarter of the step",
            small_steps,
            where=sp.Eq(d, 32**3),
            grid={"smoke": [cell(24, 8, 32, 32**3)]},
            **EACH_TRAINING,
        ),
        leg(
            "networks made by hand",
            made,
            reference=first_of_made,
            relation=equals(),
            required=False,
            grid={"smoke": CELLS["smoke"]},
            unit=1,
            lhs=r"[\text{a quarter of all neurons for both labels}]",
            tex="1,0,0,0",
        ),
        # The bound on both probabilities, by four neurons of which they are known.
        leg(
            "bound on a probability",
            share_of_the_bound,
            closed_form=sp.Integer(1),
            relation=at_most(),
            required=False,
            grid={"smoke": CELLS["smoke"]},
            lhs=r"P\,e^{6E^2/\|w\|^2}",
            tex="1",
        ),
    ],
    rivals=[
        variant(
            "twice the exponent",
            leg="bound on a probability",
            call=share_of_the_bound,
            power=2,
        ),
        variant("from the start", leg="trainings", simulation=from_the_start),
        variant(
            "one T_0 for all steps", leg="a quarter of the step", simulation=as_many_small_steps
        ),
        variant("blocks of equal size", leg="trainings", simulation=equal_blocks),
        variant("blocks exchanged", leg="trainings", simulation=more_background),
        variant("one label", leg="networks made by hand", reference=one_label_too),
        variant("a set for each line", leg="networks made by hand", reference=a_set_for_each),
    ],
    figures=[
        figure(
            "Bounds on both probabilities",
            curves,
            at={"smoke": cell(24, 8, 32, 1060), "standard": cell(49, 15, 64, 4270)},
            caption="Median over the neurons of one training, with quartiles.",
        )
    ],
)


# ---- along the direction of the means


def irwin_hall(n, x):
    """P[U_1 + .. + U_n <= x] for an integer x, exactly."""
    total = sum((-1) ** j * comb(n, j) * (x - j) ** n for j in range(x + 1))
    return Fraction(total, factorial(n))


def other_class_active(core, background):
    """P[sum_bg z_j >= sum_core z_j]: with 1 - z_j for z_j on the background, a sum of d0 uniforms is at most d_bg."""
    return irwin_hall(core + background, background)


def own_class_silent(core, background):
    return irwin_hall(core + background, 0)


S_c, S_b = core / sp.Integer(4), background / sp.Integer(4)
VARIANCE = (core + background) / sp.Integer(48)
GAP = (S_c - S_b) ** 2 / (2 * VARIANCE)
NORMAL = sp.erfc((S_c - S_b) / sp.sqrt(2 * VARIANCE)) / 2

limit = claim(
    "contamination-activation-asymmetry-direction",
    states="contamination-activation-asymmetry",
    title="The other class along the direction of the means",
    says=r"For $w=(s\mu,\mu)$, uniform features and at least as many of the core as of the background the other "
    r"class is active with probability at most $e^{-(S_c-S_b)^2/(2(V_c+V_b))}$.",
    role="derived",
    covers="limit-law",
    domain={core: integers(1), background: integers(1)},
    where=core >= background,
    grid={
        "smoke": [{core: 2, background: 1}, {core: 24, background: 8}, {core: 36, background: 28}],
        "standard": [{core: 49, background: 15}, {core: 102, background: 26}],
    },
    legs=[
        leg(
            "exact",
            other_class_active,
            closed_form=sp.exp(-GAP),
            relation=at_most(),
            where=core + background <= 300,
            lhs=r"\Pr[\langle w,x\rangle\ge0\mid-y]",
            tex=r"e^{-(S_c-S_b)^2/(2(V_c+V_b))}",
        ),
        formula_leg(
            "sub-Gaussian",
            typed("sinh(t) <= t*exp(t**2/6)", over="t in [0, oo)"),
            over="core background",
        ),
        formula_leg(
            "the best exponent",
            typed(
                "(p + q)*(6*(p - q)/(p + q))**2/24 - 6*(p - q)/(p + q)*(p - q)/2 "
                "== -((p - q)/4)**2/(2*(p + q)/48)",
                over=["p in 1..oo", "q in 1..oo"],
            ),
            over="core background",
        ),
    ],
    rivals=[
        variant("the normal tail", closed_form=NORMAL, leg="exact"),
        variant(
            "variance halved",
            leg="sub-Gaussian",
            simulation=typed("sinh(t) <= t*exp(t**2/12)", over="t in [0, oo)"),
        ),
    ],
)
