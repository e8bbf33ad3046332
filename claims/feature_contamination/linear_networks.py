"""Theorem 4.4 (Theorem C.4): a linear network keeps its background weights at the scale of their start.

Setting. As in `_training` with h(x) = sum_k (s_k/m) <w_k, x>; T_1 = c m/(eta d_0), before any margin passes 1.

Statements. (1) On the population T steps multiply every background weight by (1 - eta lambda)^T and do nothing else,
for all laws of the features: y is fair and independent of the z_j. (2) Without decay they add s_k eta T mu_j/m to the
core weights, twice what a ReLU neuron of one class gains. (3) Trainings: all background weights of all neurons
together stay below 2 sqrt(log(m d_bg)/d), of Gaussian maxima, and the distance that the examples leave by Hoeffding's
inequality; the mean background sum of a ReLU network from the same start passes half of (c/2) S_b/d_0, that of the
linear one stays below 3 sqrt(S_b/(d m)), where d is so large (d_0^4) that these are apart at 32 features. At d =
d_0^2.01 and c = 2 the two networks differ by constants only, at every size that can be trained.

Reference: Theorem 4.4, lines 188-197; Theorem C.4, lines 1006-1061 (ICML 2024).
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
lam, c = sp.symbols("lam c", nonnegative=True)


# ---- the population


def gentle(rng, core, background, m, T, lam):
    """Steps so small that no margin passes 1 in T of them: each adds at most 9/(5 24 background) to <w, x>."""
    one = winners(rng, core, background, m)
    return one._replace(eta=one.eta / (T * (core + background) * (1 + lam)))


def gentle_without_decay(rng, core, background, m, T):
    return gentle(rng, core, background, m, T, 0)


def after(ns, lows, highs, weights, s, eta, core, T, lam, activation=LINEAR):
    """The weights after T steps on the population with decay lambda. Shape (B, m, d0)."""
    decay = ns.asarray(lam)
    _, net, _ = stepped(
        ns, lows, highs, weights, s, eta, core, steps=T, lam=decay, activation=activation
    )
    return net.weights


def kept(ns, eta, T, lam):
    """(1 - eta lambda)^T. Shape (B, 1, 1)."""
    return ns.pow(1 - eta * ns.asarray(lam), T)[:, None, None]


def background_after(ns, lows, highs, weights, s, eta, core, T, lam):
    return after(ns, lows, highs, weights, s, eta, core, T, lam)[:, :, core:]


def background_shrunk(ns, weights, eta, core, T, lam):
    """Shape (B, m, background)."""
    return kept(ns, eta, T, lam) * weights[:, :, core:]


def background_as_it_was(ns, weights, eta, core, T, lam):
    return weights[:, :, core:]


def background_shrunk_once(ns, weights, eta, core, T, lam):
    return kept(ns, eta, 1, lam) * weights[:, :, core:]


def relu_background_after(ns, lows, highs, weights, s, eta, core, T, lam):
    return after(ns, lows, highs, weights, s, eta, core, T, lam, RELU)[:, :, core:]


def core_moved(ns, lows, highs, weights, s, eta, core, T, lam=0, activation=LINEAR):
    """What T steps without decay add to the core weights, in the direction of the neuron's sign. Shape (B, m, core)."""
    end = after(ns, lows, highs, weights, s, eta, core, T, lam, activation)
    return s[:, :, None] * (end - kept(ns, eta, T, lam) * weights)[:, :, :core]


def relu_core_moved(ns, lows, highs, weights, s, eta, core, T):
    return core_moved(ns, lows, highs, weights, s, eta, core, T, 0, RELU)


def linear_rate(ns, lows, highs, weights, eta, m, core, T):
    """eta T mu_j/m for every neuron. Shape (B, m, core)."""
    mu = (lows + highs)[:, None, :core] / 2
    return eta[:, None, None] * T * mu / m + 0 * weights[:, :, :core]


def relu_rate(ns, lows, highs, weights, eta, m, core, T):
    return linear_rate(ns, lows, highs, weights, eta, m, core, T) / 2


SIZES = {core: integers(1), background: integers(1), m: integers(1), T: integers(1)}
# The support has 2^(d0 + 1) rows and fractions grow with the steps.
SMALL = (core + background <= 6) & (T <= 6) & (m <= 8)
DRAWN = instances(gentle, Laws, smoke=3, standard=5)
UNDECAYED = instances(gentle_without_decay, Laws, smoke=3, standard=5)

freeze = claim(
    "contamination-linear-networks-freeze",
    lhs=r"w_{kj}^{(T)},\ j\in\mathrm{bg}",
    tex=r"(1-\eta\lambda)^T\,w_{kj}^{(0)}",
    states="contamination-linear-networks",
    title="Background weights of a linear network on the population",
    says=r"For all laws, steps and decays, while no margin passes 1: $T$ steps of a linear network on the population "
    r"multiply every background weight of every neuron by $(1-\eta\lambda)^T$ and do nothing else.",
    role="reading",
    covers="population-freeze",
    reads={"D_j": "lows highs", "lambda": "lam"},
    grid={
        "smoke": [{core: 2, background: 1, m: 2, T: 3, lam: Fraction(1, 3)}],
        "standard": [
            {core: 1, background: 2, m: 3, T: 2, lam: 2},
            {core: 3, background: 2, m: 2, T: 2, lam: 0},
        ],
    },
    legs=[
        leg(
            "whole population",
            background_after,
            arithmetic="rational",
            reference=background_shrunk,
            instances=DRAWN,
            inside="k j",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("it stays as it was", reference=background_as_it_was),
        variant("shrunk once", reference=background_shrunk_once),
        variant("ReLU", simulation=relu_background_after),
    ],
    domain={**SIZES, lam: reals(0)},
    relation=equals(),
)

double = claim(
    "contamination-linear-networks-core",
    lhs=r"s_k\,(w_{kj}^{(T)}-w_{kj}^{(0)}),\ j\in\mathrm{core}",
    tex=r"\frac{\eta T}{m}\,\mu_j",
    states="contamination-linear-networks",
    title="Core weights of a linear network on the population",
    says=r"Without decay and while no margin passes 1, $T$ steps add $\eta T\mu_j/m$ to every core weight in the "
    "direction of the neuron's sign, for neurons of both signs: twice the rate of a ReLU neuron.",
    role="derived",
    covers="core-rate-double",
    grid={
        "smoke": [{core: 2, background: 1, m: 3, T: 3}],
        "standard": [{core: 3, background: 2, m: 2, T: 2}],
    },
    legs=[
        leg(
            "whole population",
            core_moved,
            arithmetic="rational",
            reference=linear_rate,
            instances=UNDECAYED,
            inside="k j",
            where=SMALL,
        )
    ],
    rivals=[
        variant("the rate of ReLU", reference=relu_rate),
        variant("ReLU", simulation=relu_core_moved),
        variant("decay of 1/3", call=core_moved, lam=Fraction(1, 3)),
    ],
    domain=SIZES,
    relation=equals(),
)


# ---- trainings

STEP, SAMPLES = Fraction(1, 8), 64
"""Natural time a step, examples a step."""


def both_networks(ns, rng, size, core, background, m, d, c, activations=(LINEAR, RELU)):
    """Background weights at natural time c of trainings from one start, for each activation. (size, m, background)."""
    first = initial(ns, rng, size, m, core + background, d)
    for activation in activations:
        steps = rule(core, background, m, STEP, activation)
        end = trained(ns, rng, first, core, steps, int(c / STEP), SAMPLES)
        yield end.weights[:, :, core:]


def reach(ns, core, background, m, d, c):
    """What all |w_kj| of the background together stay below with probability 3/4 - 2/(m background).

    2 sqrt(log(m background)/d): maximum of m background Gaussians of variance 1/d (Lemma D.5). The moves of a feature
    are the same for every neuron, (STEP/(d0 N)) times a sum of N c/STEP independent y z of range 1 and mean sum 0:
    Hoeffding, with probability 1/(4 background) for each.
    """
    start = 2 * ns.sqrt(ns.log(ns.asarray(m * background)) / ns.asarray(d))
    drawn = SAMPLES * int(c / STEP)
    moved = ns.sqrt(ns.asarray(drawn) * ns.log(ns.asarray(8 * background)) / 2)
    return start + ns.asarray(STEP / ((core + background) * SAMPLES)) * moved


def all_small(ns, rng, size, core, background, m, d, c, activation=LINEAR):
    """1 where every background weight of every neuron is below `reach`. Shape (size,)."""
    (W,) = both_networks(ns, rng, size, core, background, m, d, c, (activation,))
    return below_reach(ns, W, reach(ns, core, background, m, d, c))


def below_reach(ns, W, level):
    """1 where all |w_kj| are at most ``level``. Shape (size,)."""
    return ns.number(ns.max(ns.abs(W), axis=(1, 2)) <= level)


def made(ns, core, background, m, d, c):
    """`below_reach` of background weights made by hand: all are half of it; the first, or the last, is twice it, or
    minus that. Shape (5,)."""
    level = reach(ns, core, background, m, d, c)
    places = ns.reshape(ns.arange(m * background), (m, background))
    ends = [(-1, 1), (0, 2), (0, -2), (m * background - 1, 2), (m * background - 1, -2)]
    W = [ns.where(places == at, ns.asarray(times), ns.rational(1, 2)) for at, times in ends]
    return below_reach(ns, level * ns.stack(W, axis=0), level)


def first_of_made(ns, core, background, m, d, c):
    """Only the first are. Shape (5,)."""
    return ns.asarray([1, 0, 0, 0, 0])


def from_above_only(ns, core, background, m, d, c):
    return ns.asarray([1, 0, 1, 0, 1])


def relu_all_small(ns, rng, size, core, background, m, d, c):
    return all_small(ns, rng, size, core, background, m, d, c, RELU)


def below_the_deviation(ns, rng, size, core, background, m, d, c):
    """1 where they are below 1/sqrt(d), without the logarithm."""
    (W,) = both_networks(ns, rng, size, core, background, m, d, c, (LINEAR,))
    return ns.number(ns.max(ns.square(W), axis=(1, 2)) <= ns.asarray(Fraction(1, d)))


def apart(ns, rng, size, core, background, m, d, c, activations=(LINEAR, RELU)):
    """1 where the mean background sum is below 3 sqrt(S_b/(d m)) in the first, above (c/4) S_b/d0 in the second.

    Both signs occur equally often, so that the moves of a linear network cancel in the mean over the neurons: what is
    left of it has the standard deviation sqrt(S_b/(d m)).
    """
    S_b, d0 = Fraction(background, 4), core + background
    linear, relu = (
        ns.mean(ns.sum(W, axis=-1), axis=-1) / 2
        for W in both_networks(ns, rng, size, core, background, m, d, c, activations)
    )
    kept = ns.square(linear) <= ns.asarray(9 * S_b / (d * m))
    return ns.number(kept & (relu >= ns.asarray(Fraction(c) * S_b / (4 * d0))))


def one_start(ns, rng, size, core, background, m, d, c):
    """1 where the two networks begin with the same weights. Shape (size,)."""
    first, second = both_networks(ns, rng, size, core, background, m, d, 0)
    return ns.number(ns.all(first == second, axis=(1, 2)))


def two_starts(ns, rng, size, core, background, m, d, c):
    """The same of two draws."""
    (first,) = both_networks(ns, rng, size, core, background, m, d, 0, (LINEAR,))
    (second,) = both_networks(ns, rng, size, core, background, m, d, 0, (RELU,))
    return ns.number(ns.all(first == second, axis=(1, 2)))


def linear_twice(ns, rng, size, core, background, m, d, c):
    return apart(ns, rng, size, core, background, m, d, c, (LINEAR, LINEAR))


def relu_twice(ns, rng, size, core, background, m, d, c):
    return apart(ns, rng, size, core, background, m, d, c, (RELU, RELU))


def at_once(ns, rng, size, core, background, m, d, c):
    """After a tenth of the time."""
    return apart(ns, rng, size, core, background, m, d, Fraction(c) / 10)


def exponent():
    """A = 1: 2 sqrt(log(m d_bg)) is below a multiple of log d0 for m polynomial in d0."""
    return 1


FIRST = {core: 24, background: 8, m: 16, d: 32**4, c: 2}
LARGER = {core: 49, background: 15, m: 32, d: 64**4, c: 2}
CLOSE = {core: 24, background: 8, m: 16, d: 1060, c: 2}
SAMPLED = {
    "closed_form": sp.Rational(1, 2),
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
    "draws": "init batches",
}

bounded = claim(
    "contamination-linear-networks",
    title="Trained linear networks keep their background weights",
    says=r"In more than half of the trainings at natural time $c=2$ every background weight of a linear network is "
    r"below $2\sqrt{\log(m\,d_{\mathrm{bg}})/d}$ and what the examples leave by Hoeffding's inequality; the mean "
    r"background sum is below $3\sqrt{S_b/(dm)}$, and that of a ReLU network from the same start above "
    r"$(c/4)S_b/d_0$, at $d=d_0^4$. At $d=d_0^{2.01}$ the bound holds and does not separate the two.",
    role="reading",
    covers="bg-weights-small separates-from-relu",
    reads={
        "instance": "core background m d",
        "d0": "core background",
        "eta": "m core background",
        "T1": "c m core background",
    },
    domain={
        core: choices(24, 49),
        background: choices(8, 15),
        m: choices(16, 32),
        d: choices(1060, 32**4, 64**4),
        c: choices(2),
    },
    where=sp.Or(
        *[
            sp.And(*[sp.Eq(name, value) for name, value in p.items()])
            for p in (CLOSE, FIRST, LARGER)
        ]
    ),
    grid={"smoke": [FIRST], "standard": [LARGER]},
    relation=at_least(),
    legs=[
        leg(
            "every background weight",
            all_small,
            covers="bg-weights-small",
            gives="A",
            chosen_by=exponent,
            inside="k j",
            lhs=r"\Pr[\max_{k,j}|w_{kj}|\le2\sqrt{\log(m\,d_{\mathrm{bg}})/d}+\delta]",
            tex=r"\tfrac12",
            grid={"smoke": [FIRST], "standard": [CLOSE, LARGER]},
            **SAMPLED,
        ),
        leg(
            "weights made by hand",
            made,
            covers="bg-weights-small",
            reference=first_of_made,
            relation=equals(),
            required=False,
            grid={"smoke": [FIRST]},
            unit=1,
            lhs=r"[\max_{k,j}|w_{kj}|\le2\sqrt{\log(m\,d_{\mathrm{bg}})/d}+\delta]",
            tex="1,0,0,0,0",
        ),
        leg(
            "linear and ReLU",
            apart,
            covers="separates-from-relu",
            lhs=r"\Pr[\text{linear below, ReLU above}]",
            tex=r"\tfrac12",
            where=sp.Gt(d, 32**3),
            **SAMPLED,
        ),
        leg(
            "one start",
            one_start,
            covers="separates-from-relu",
            lhs=r"\Pr[W_{\mathrm{linear}}^{(0)}=W_{\mathrm{ReLU}}^{(0)}]",
            tex=r"\tfrac12",
            where=sp.Gt(d, 32**3),
            **SAMPLED,
        ),
    ],
    rivals=[
        variant("ReLU", simulation=relu_all_small, leg="every background weight", at=[FIRST]),
        variant("below 1/sqrt(d)", simulation=below_the_deviation, leg="every background weight"),
        variant("from above only", reference=from_above_only, leg="weights made by hand"),
        variant("two starts", simulation=two_starts, leg="one start"),
        variant("two linear networks", simulation=linear_twice, leg="linear and ReLU"),
        variant("two ReLU networks", simulation=relu_twice, leg="linear and ReLU"),
        variant("after a tenth of the time", simulation=at_once, leg="linear and ReLU"),
    ],
)
