"""Theorem 4.3 (Theorem B.3): the hinge risk vanishes on the training law and stays above 1/polylog out of distribution.

Setting. As in `_training`, uniform features; T_2 = 12 m sqrt(log m)/(eta d_0), the proof's time with the constant 12.
Out of distribution the background weights have laws on [-1, 0]. Weight decay is below S/(4m): with the printed
O(d_0/m^1.01) and a constant of 1/10 nothing is fitted before m = 2.6 10^20 (`weight_decay_threshold`).

Statements. (1) For weights along the means, w_k = tau_k (s_k mu_core, mu_bg), for which every neuron fires on its own
class only, and on all of it out of distribution too: if no margin there passes 1, R_OOD = 1 - rho H with H = E[y h]
on the training law and rho = (S_c - sum_bg mu_j mu'_j)/(S_c + S_b), where -mu'_j are the means of the test law. (2)
In trainings, at one time T_2: R_ID <= 4/d_0; the mirrored law has hinge risk 1/log d_0 or more; and no test law has
hinge risk above log d_0. Risks are estimated from fresh examples, with Hoeffding's distance against the claim; the
upper bound holds for every x in the support, from the weights.

The failure is one of margin: the 0-1 error out of distribution is far below 1/log d_0 (a rival). What no size decides:
that the bounds go on as d_0 grows; both risks tend to 0 there, the second like 2/log d_0.

Reference: Theorem 4.3, lines 182-188; Theorem B.3, lines 936-1004 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

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
    variant,
)
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU, Network, Rule, outputs, risk

from ._population import mean_squares
from ._risks import distance, fresh, largest_loss, mirrored
from ._training import initial, rule, trained, whole_support

core, background, m, d = sp.symbols("core background m d", integer=True, positive=True)
decay = sp.Symbol("decay", nonnegative=True)
S_c, S_b, M, H = sp.symbols("S_c S_b M H", positive=True)


# ---- along the means


def along_the_means(rng, core, background, m):
    """Two values of every feature on both laws, and neurons tau_k (s_k mu_core, mu_bg).

    Core values of 1/2 and more and background means of core/(8 background) at most: the core decides the sign of every
    pre-activation. tau_k of a size with which no margin of the test law passes 1."""

    def between(low, high, count):
        return [low + (high - low) * Fraction(int(k), 59) for k in rng.integers(0, 60, (count,))]

    small = min(Fraction(1), Fraction(core, 8 * background))
    lows = between(Fraction(1, 2), Fraction(3, 4), core) + between(0, small / 2, background)
    highs = between(Fraction(3, 4), 1, core) + between(small / 2, small, background)
    test_lows = between(-1, Fraction(-1, 2), background)
    test_highs = between(Fraction(-1, 2), 0, background)
    mu = [(a + b) / 2 for a, b in zip(lows, highs, strict=True)]
    most = sum(u * b for u, b in zip(mu[:core], highs, strict=False))
    tau = [Fraction(1 + int(k), 10) / most for k in rng.integers(0, 10, (m,))]
    signs = [1 - 2 * int(k) for k in rng.integers(0, 2, (m,))]
    return {
        "lows": lows,
        "highs": highs,
        "test_lows": lows[:core] + test_lows,
        "test_highs": highs[:core] + test_highs,
        "s": signs,
        "weights": [
            [t * (s * u if j < core else u) for j, u in enumerate(mu)]
            for t, s in zip(tau, signs, strict=True)
        ],
        "S_c": mean_squares(lows[:core], highs[:core]),
        "S_b": mean_squares(lows[core:], highs[core:]),
        "M": -sum(
            u * (a + b) / 2 for u, a, b in zip(mu[core:], test_lows, test_highs, strict=True)
        ),
    }


def risk_out(ns, lows, highs, test_lows, test_highs, weights, s, core, activation=RELU):
    """The hinge risk on the test law, and E[y h] on the training law. Both of shape (B,)."""
    net = Network(weights, s / weights.shape[1])
    data = whole_support(ns, lows, highs, core)
    margins = data.labels * outputs(ns, net, data.inputs, activation)
    test = whole_support(ns, test_lows, test_highs, core)
    found = risk(ns, net, test, Rule(Fraction(1), activation=activation))
    return {"value": found, "H": ns.mean(margins, axis=-1)}


def linear_risk_out(ns, lows, highs, test_lows, test_highs, weights, s, core):
    return risk_out(ns, lows, highs, test_lows, test_highs, weights, s, core, LINEAR)


FIELDS = "lows highs test_lows test_highs weights s S_c S_b M"

law = claim(
    "contamination-id-ood-risks-law",
    states="contamination-id-ood-risks",
    lhs=r"R_{\mathrm{OOD}}",
    tex=r"1-\frac{S_c-\sum_{\mathrm{bg}}\mu_j\mu'_j}{S_c+S_b}\,\mathbb E[yh]",
    title="The hinge risk out of distribution by the mean margin",
    says=r"For weights along the means, neurons that fire on their own class only, all of it under the shift too, "
    r"and no margin there above 1: $R_{\mathrm{OOD}}=1-\rho H$, "
    r"$\rho=(S_c-\sum_{\mathrm{bg}}\mu_j\mu'_j)/(S_c+S_b)$, for all laws of the features and all background laws on "
    r"$[-1,0]$ with means $-\mu'_j$.",
    role="derived",
    covers="ood-law-explicit",
    reads={"D_prime": "test_lows test_highs", "H": "weights"},
    domain={core: integers(1), background: integers(1), m: integers(1)},
    # The support has 2^(d0 + 1) rows.
    where=(core + background <= 6) & (m <= 8),
    grid={
        "smoke": [{core: 2, background: 1, m: 2}, {core: 1, background: 2, m: 3}],
        "standard": [{core: 3, background: 2, m: 4}],
    },
    closed_form=1 - (S_c - M) / (S_c + S_b) * H,
    relation=equals(),
    legs=[
        leg(
            "whole populations",
            risk_out,
            arithmetic="rational",
            observed=["H"],
            instances=instances(along_the_means, FIELDS, smoke=3, standard=6),
        )
    ],
    rivals=[
        variant(
            "numbers for sums of squares",
            closed_form=1 - (core - background) * H / (core + background),
        ),
        variant("mirrored", closed_form=1 - (S_c - S_b) / (S_c + S_b) * H),
        variant("the core alone", closed_form=1 - S_c / (S_c + S_b) * H),
        variant("without H", closed_form=1 - (S_c - M) / (S_c + S_b)),
        variant("the linear network", simulation=linear_risk_out),
    ],
)


# ---- trainings

STEP, SAMPLES = Fraction(1, 4), 64
"""Natural time a step, examples a step."""


def trained_network(ns, rng, size, core, background, m, d, decay, activation=RELU, part=1):
    d0 = core + background
    how = rule(core, background, m, STEP, activation, decay=Fraction(decay) * d0 / (16 * m))
    steps = int(12 * sqrt(log(m)) * part / STEP)
    first = initial(ns, rng, size, m, d0, d)
    return trained(ns, rng, first, core, how, steps, SAMPLES), how


def risks(ns, rng, size, core, background, m, d, decay, errors=False, most=None, **more):
    """1 where R_ID <= 4/d0, the mirrored R_OOD >= 1/log d0, and every R_OOD <= log d0. Shape (size,).

    Each of the two means is off by more than its Hoeffding distance with probability 1/32 at most, so that of all
    seeds 1/16 more satisfy this than have the risks themselves so. ``errors``: the 0-1 error in place of the second
    risk; ``most``: in place of the upper log d0."""
    net, how = trained_network(ns, rng, size, core, background, m, d, decay, **more)
    near = fresh(ns, rng, size, core, background)
    far = mirrored(ns, near, core)
    d0 = core + background
    logarithm = ns.log(ns.asarray(d0)) ** power()
    apart = distance(ns, Fraction(1, 32))
    tops = [largest_loss(ns, net, core, out, how.activation) for out in (False, True)]
    inside = risk(ns, net, near, how) + tops[0] * apart
    outside = risk(ns, net, far, how)
    if errors:
        margin = far.labels * outputs(ns, net, far.inputs, how.activation)
        outside = ns.mean(ns.number(margin <= 0), axis=-1)
    upper = logarithm if most is None else ns.asarray(most)
    good = (inside <= ns.rational(4, d0)) & (tops[1] <= upper)
    return ns.number(good & (outside - tops[1] * apart >= 1 / logarithm))


def power():
    """A = 1, of the logarithm on both sides."""
    return 1


def linear(ns, rng, size, core, background, m, d, decay):
    return risks(ns, rng, size, core, background, m, d, decay, activation=LINEAR)


def early(ns, rng, size, core, background, m, d, decay):
    """At a third of the time."""
    return risks(ns, rng, size, core, background, m, d, decay, part=Fraction(1, 3))


def strong_decay(ns, rng, size, core, background, m, d, decay):
    """Weight decay of S/(2m), twice the threshold."""
    return risks(ns, rng, size, core, background, m, d, Fraction(2))


def wrong_class(ns, rng, size, core, background, m, d, decay):
    """The 0-1 error out of distribution."""
    return risks(ns, rng, size, core, background, m, d, decay, errors=True)


def cell(core_, background_, m_, d_, decay_=0):
    return {core: core_, background: background_, m: m_, d: d_, decay: decay_}


CELLS = {
    "smoke": [cell(24, 8, 32, 1060)],
    "standard": [cell(24, 8, 32, 1060, Fraction(1, 8)), cell(49, 15, 64, 4270)],
    "deep": [cell(102, 26, 128, 17198)],
}


def was_trained(core, background, m, d, decay):
    return cell(core, background, m, d, decay) in [p for points in CELLS.values() for p in points]


both = claim(
    "contamination-id-ood-risks",
    title="Small hinge risk in distribution, not out of it",
    says=r"In more than half of the trainings, at $T_2=12m\sqrt{\log m}/(\eta d_0)$ the hinge risk is at most "
    r"$4/d_0$ on the training law, at least $1/\log d_0$ on the mirrored one, and at most $\log d_0$ on every test "
    r"law.",
    role="reading",
    covers="id-risk-vanishes ood-risk-lower ood-risk-upper",
    reads={
        "instance": "core background m d decay",
        "d0": "core background",
        "eta": "m core background",
    },
    domain={
        core: choices(24, 49, 102),
        background: choices(8, 15, 26),
        m: choices(32, 64, 128),
        d: choices(1060, 4270, 17198),
        decay: choices(0, Fraction(1, 8)),
    },
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(9, 16),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            risks,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            draws="init batches",
            gives="epsilon A T2",
            chosen_by=power,
            inside="D",
            lhs=r"\Pr[R_{\mathrm{ID}}\le4/d_0,\ 1/\log d_0\le R_{\mathrm{OOD}}\le\log d_0]",
            tex=r"\tfrac9{16}",
        )
    ],
    rivals=[
        variant("linear networks", simulation=linear),
        variant("at a third of the time", simulation=early),
        variant("decay at twice the threshold", simulation=strong_decay),
        variant("the 0-1 error", simulation=wrong_class),
        variant("at most 1/2 on every test law", call=risks, most=Fraction(1, 2)),
    ],
)


# ---- 0-1 errors


def no_error(ns, rng, size, core, background, m, d, decay, part=1, swap=False):
    """1 where no fresh example of the mirrored law is misclassified. Shape (size,)."""
    blocks = (background, core) if swap else (core, background)
    net, how = trained_network(ns, rng, size, *blocks, m, d, decay, part=part)
    far = mirrored(ns, fresh(ns, rng, size, *blocks), blocks[0])
    margin = far.labels * outputs(ns, net, far.inputs, how.activation)
    return ns.number(ns.all(margin > 0, axis=-1))


zero_one = claim(
    "contamination-mirror-ood-errors",
    states="contamination-mirror-ood",
    title="No classification error under the mirrored shift",
    says="In more than half of the trainings, at $T_2$, none of 2000 fresh examples of the mirrored law is "
    "misclassified, where the core is at least three times the background: the failure of the ReLU network there is "
    "one of margin.",
    role="derived",
    covers="zero-one-error",
    reads={"d0": "core background", "t": "m core background"},
    domain=both.domain,
    where=was_trained,
    grid=CELLS,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            no_error,
            statistic=probability(),
            block=16,
            budget={"smoke": 64, "standard": 64},
            draws="init batches",
            lhs=r"\Pr[\text{no error of 2000}]",
            tex=r"\tfrac12",
        )
    ],
    rivals=[
        variant("blocks exchanged", call=no_error, swap=True),
        variant("untrained", call=no_error, part=0),
    ],
)
