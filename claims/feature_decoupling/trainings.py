r"""Trained networks with and without masks: Theorem 3.4 and Corollary 3.5 in arms, biases that are trained too.

Setting. Flat dictionary of d = 8 columns in R^128, tau = 1, m = 16 neurons, batches of 128 with 64 negatives; q = 1/20,
sigma^2 = 3 q (noise dominates, per direction as in the source), eta = 3/10, lambda = 1/500, 900 steps from |w_i| about
1/20. The bias is 0 until all squared norms have grown tenfold, then set to sqrt(2 rho log d/d) |w_i|, rho = 7/10, and
raised by the schedule. The four arms (complementary masks, no mask, one mask on both views, two independent masks) see
the same codes, noises, starts and schedule; the seed is the unit.

Statements. (1) In each of four seeds the sparse share of the energy is above 7/10 with complementary masks and below
4/10 in each other arm, and complementary masks have more neurons with half of their squared norm on one column. (2)
Read out by ridge from 4,000 labels the masked features (m = 32) of a seed are below the best linear read-out of x,
|w*|^2 q sigma^2/(q + sigma^2). (3) Where weights and biases are trained by exact derivatives, no schedule, all biases
end positive with masks and negative without (footnote 4); with little noise, sigma^2 = q/3, both arms end negative in
the mean: the sign parts the arms only where noise dominates. (4) A training is a function of its seed. (5) Singletons
started closest to their column twice as often as by chance. (6) Without masks and biases the sparse share stays below
the law of uniform logits, and the mean of cos(f(x), f(xi)) is near (1 + q sf/sigma^2)^(-1/2).

Reference: lines 164-182, 192-194, 232-248. The source gives no sizes and no numbers.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import sympy as sp

from theorycheck import at_least, at_most, choices, claim, equals, leg, variant

from . import _training as training

seed = sp.Symbol("seed", integer=True, nonnegative=True)
arm = sp.Symbol("arm")

NOISY = training.Regime(
    d=8, d1=128, m=16, q=0.05, noise=0.15, start=0.05, K=128, N=64, eta=0.3, decay=0.002, steps=900
)
QUIET = replace(NOISY, q=0.06, noise=0.02, start=0.02, eta=0.5)
SEEDS = {"smoke": (0, 1), "standard": (0, 1, 2, 3)}
FOUR = {seed: choices(0, 1, 2, 3)}
GRID = {name: {seed: list(numbers)} for name, numbers in SEEDS.items()}
TRAINED = {
    "arithmetic": "external",
    "model": "trainings in float32, matrix products in any order; the same numbers from the same seed",
    "error": Fraction(1, 100),
    "unit": 1,
}


@cache
def networks(seed, bias="schedule"):
    return training.trained(NOISY, seed, bias=bias)


def share(seed, arm, bias="schedule"):
    """Share of the energy in the span of M. Shape ()."""
    return training.sparse_share(NOISY, networks(seed, bias)[arm].W)


def with_masks(seed, bias="schedule"):
    return share(seed, "masks", bias)


def singletons(seed, arm, bias="schedule"):
    """Share of the neurons with half of their squared norm on one column. Shape ()."""
    return float(np.mean(training.peaks(NOISY, networks(seed, bias)[arm].W) >= 0.5))


def more_singletons(seed, arm, bias="schedule"):
    return singletons(seed, "masks", bias) - singletons(seed, arm, bias)


arms = claim(
    "decoupling-arms-order",
    states="decoupling-aug-sparse",
    title="Complementary masks against three other arms",
    says=r"In each of four seeds: the share of the energy in the span of $M$ is $\ge\frac7{10}$ with complementary "
    r"masks and $\le\frac4{10}$ without masks, with one mask and with two independent ones, after 900 steps with the "
    r"schedule; complementary masks have more singletons, by one of the 16 neurons at least.",
    encodes="special-case",
    covers="arms-order",
    reads={"training": "seed"},
    domain=FOUR | {arm: choices("none", "same", "independent")},
    grid={
        name: {seed: list(numbers), arm: list(training.ARMS[1:])} for name, numbers in SEEDS.items()
    },
    legs=[
        leg(
            "complementary masks",
            with_masks,
            relation=at_least(),
            closed_form=sp.Rational(7, 10),
            lhs=r"\mathrm{sf}",
            tex=r"\tfrac7{10}",
            **TRAINED,
        ),
        leg(
            "other arm",
            share,
            relation=at_most(),
            closed_form=sp.Rational(4, 10),
            lhs=r"\mathrm{sf}_{arm}",
            tex=r"\tfrac4{10}",
            **TRAINED,
        ),
        leg(
            "singletons",
            more_singletons,
            relation=at_least(),
            closed_form=sp.Rational(1, 16),
            lhs=r"p-p_{arm}",
            tex=r"\tfrac1{16}",
            **TRAINED,
        ),
    ],
    rivals=[
        variant("nearly all of it", closed_form=sp.Rational(96, 100), leg="complementary masks"),
        variant("a tenth", closed_form=sp.Rational(1, 10), leg="other arm"),
        variant(
            "no bias",
            call=more_singletons,
            bias="none",
            leg="singletons",
            at=[{seed: 0, arm: "none"}],
        ),
    ],
)


def lucky(seed, moved=0):
    """Of the neurons with half of their squared norm on one column: the share that started closest to it, or that the
    start of another neuron was closest to. Shape ()."""
    W = networks(seed)["masks"].W
    ends = np.argmax(np.abs(training.coordinates(NOISY, W)), axis=1)
    starts = training.coordinates(NOISY, training.first_weights(NOISY, seed))
    chosen = np.roll(np.argmax(np.abs(starts), axis=1), moved)
    return float(np.mean((ends == chosen)[training.peaks(NOISY, W) >= 0.5]))


luck = claim(
    "decoupling-luckiness",
    states="decoupling-stage2-theorem",
    title="Neurons end where they started closest",
    says=r"In each of four seeds, of the neurons that end with half of their squared norm on one of the $d=8$ columns, "
    r"at least a share $\frac2d$ started closest to it: twice what chance gives.",
    encodes="special-case",
    covers="luckiness",
    reads={"i": "seed"},
    domain=FOUR,
    grid=GRID,
    legs=[
        leg(
            "trainings",
            lucky,
            relation=at_least(),
            closed_form=sp.Rational(1, 4),
            lhs=r"\Pr[\arg\max_j|\alpha_{ij}|=\arg\max_j|\alpha_{ij}(0)|]",
            tex=r"\tfrac2d",
            **TRAINED,
        )
    ],
    rivals=[variant("another neuron's start", call=lucky, moved=1, at=[{seed: 1}])],
)


@cache
def with_trained_biases(seed, noisy=True):
    return training.trained(NOISY if noisy else QUIET, seed, ("masks", "none"), bias="trained")


def biases(seed, arm, noisy=True):
    net = with_trained_biases(seed, noisy)[arm]
    return net.b / training.norms(net.W)


def least_bias(seed, arm="masks", noisy=True):
    """The least b_i/|w_i|. Shape ()."""
    return float(np.min(biases(seed, arm, noisy)))


def largest_bias(seed, arm="none", noisy=True):
    return float(np.max(biases(seed, arm, noisy)))


def mean_bias(seed, arm, noisy):
    return float(np.mean(biases(seed, arm, noisy)))


def quiet_bias(seed):
    """The larger mean of the two arms with little noise. Shape ()."""
    return max(mean_bias(seed, arm, False) for arm in ("masks", "none"))


up = claim(
    "decoupling-trained-biases-up",
    states="decoupling-exp-trainable-bias",
    title="Trained biases with masks",
    says=r"Where noise dominates, in each of four seeds, all biases that are trained beside the weights end positive "
    r"with complementary masks.",
    encodes="special-case",
    covers="aug-up",
    reads={"i": "seed"},
    domain=FOUR,
    grid=GRID,
    legs=[
        leg(
            "trainings",
            least_bias,
            relation=at_least(),
            closed_form=sp.Integer(0),
            lhs=r"\min_ib_i/\|w_i\|",
            tex="0",
            **TRAINED,
        )
    ],
    rivals=[
        variant("without masks", call=least_bias, arm="none", at=[{seed: 0}]),
        variant("little noise", call=least_bias, noisy=False, at=[{seed: 0}]),
    ],
)

down = claim(
    "decoupling-trained-biases-down",
    states="decoupling-exp-trainable-bias",
    title="Trained biases without masks",
    says=r"Where noise dominates, in each of four seeds, all biases that are trained beside the weights end negative "
    r"without masks.",
    encodes="special-case",
    covers="noaug-down",
    domain=FOUR,
    grid=GRID,
    legs=[
        leg(
            "trainings",
            largest_bias,
            relation=at_most(),
            closed_form=sp.Integer(0),
            lhs=r"\max_ib_i/\|w_i\|",
            tex="0",
            **TRAINED,
        )
    ],
    rivals=[variant("with masks", call=largest_bias, arm="masks", at=[{seed: 0}])],
)

parted = claim(
    "decoupling-trained-biases-parted",
    states="decoupling-exp-trainable-bias",
    title="Signs of trained biases in two regimes",
    says=r"In each of four seeds the signs of trained biases part masks from no masks where noise dominates; with "
    r"$\sigma^2=q/3$ both arms end negative in the mean.",
    encodes="special-case",
    covers="separation",
    left={"regime": "two regimes"},
    domain=FOUR,
    grid=GRID,
    legs=[
        leg(
            "masks",
            least_bias,
            relation=at_least(),
            closed_form=sp.Integer(0),
            lhs=r"\min_ib_i/\|w_i\|",
            tex="0",
            **TRAINED,
        ),
        leg(
            "no masks",
            largest_bias,
            relation=at_most(),
            closed_form=sp.Integer(0),
            lhs=r"\max_ib_i/\|w_i\|",
            tex="0",
            **TRAINED,
        ),
        leg(
            "little noise",
            quiet_bias,
            relation=at_most(),
            closed_form=sp.Integer(0),
            lhs=r"\max_{arm}\overline{b/\|w\|}",
            tex="0",
            **TRAINED,
        ),
    ],
    rivals=[
        variant("arms exchanged", call=least_bias, arm="none", leg="masks", at=[{seed: 0}]),
        variant(
            "arms exchanged again", call=largest_bias, arm="masks", leg="no masks", at=[{seed: 0}]
        ),
        variant("below -1/2", closed_form=-sp.Rational(1, 2), leg="little noise"),
    ],
)

BRIEF = replace(NOISY, steps=40)


def apart(seed, other=0):
    """The largest difference of the weights of two trainings of all arms. Shape ()."""
    one, two = (training.trained(BRIEF, s) for s in (seed, seed + other))
    return max(float(np.max(np.abs(one[a].W - two[a].W))) for a in training.ARMS)


rerun = claim(
    "decoupling-same-seed",
    states="decoupling-training-algorithm",
    title="Two runs of one seed",
    says="Two trainings with equal seed, of every arm, have the same weights.",
    covers="same-seed",
    domain=FOUR,
    grid=GRID,
    legs=[
        leg(
            "trainings",
            apart,
            relation=equals(),
            closed_form=sp.Integer(0),
            unit=1,
            error=0,
            lhs=r"\max|W-W'|",
            tex="0",
            arithmetic="external",
            model="trainings in float32, run twice on the same machine",
        )
    ],
    rivals=[variant("another seed", call=apart, other=1, at=[{seed: 0}])],
)

WIDE = replace(NOISY, m=32)
LABELS, FRESH, RIDGE = 4000, 20000, 4e-3


@cache
def read_out(seed, steps=WIDE.steps):
    """Mean square error of a ridge read-out of y = <w*, z> on fresh samples over the bound for linear ones. Shape
    ()."""
    regime = replace(WIDE, steps=steps)
    M = training.dictionary(regime.d, regime.d1)
    stream = np.random.default_rng((seed, 3))
    target = stream.choice([-1.0, 1.0], regime.d) * stream.uniform(0.5, 1.5, regime.d)
    net = training.trained(regime, seed, ("masks",))["masks"]
    W, b = net.W, net.b
    z, x = training.samples(stream, M, regime.q, regime.noise, LABELS)
    f = training.unit(x @ W.T, b)[0].astype(float)
    v = np.linalg.solve(f.T @ f + RIDGE * np.eye(len(W)), f.T @ (z @ target))
    z, x = training.samples(stream, M, regime.q, regime.noise, FRESH)
    f = training.unit(x @ W.T, b)[0]
    bound = target @ target * regime.q * regime.noise / (regime.q + regime.noise)
    return float(np.mean((f @ v - z @ target) ** 2) / bound)


barrier = claim(
    "decoupling-beats-barrier",
    states="decoupling-aug-downstream",
    title="Masked features against every linear read-out",
    lhs=r"\mathrm{MSE}\Big/\|w^*\|^2\tfrac{q\sigma^2}{q+\sigma^2}",
    tex="1",
    says=r"In each of four seeds a ridge read-out of masked features, from 4,000 labels, is below "
    r"$\|w^*\|^2\frac{q\sigma^2}{q+\sigma^2}$, which no linear representation passes (`decoupling-readout-barrier`).",
    encodes="special-case",
    covers="beats-barrier",
    domain=FOUR,
    grid=GRID,
    closed_form=sp.Integer(1),
    legs=[leg("trained, read out", read_out, relation=at_most(), gives="v", **TRAINED)],
    rivals=[
        variant("untrained", call=read_out, steps=0, at=[{seed: 0}]),
        variant("half of it", closed_form=sp.Rational(1, 2)),
    ],
)

UNMASKED = {
    "noise dominates": replace(NOISY, steps=300),
    "more of both": replace(training.FAST, steps=300),
    "equal": replace(NOISY, noise=0.05, start=0.01, eta=0.5, steps=600),
    "little noise": replace(QUIET, start=0.001, steps=600),
}
"""Trainings without masks and biases to after their losses settle, sigma^2/q = 3, 3, 1 and 1/3."""
regimes = sp.Symbol("regimes")


@cache
def linear(seed, regimes):
    regime = UNMASKED[regimes]
    return regime, training.trained(regime, seed, ("none",), bias="none")["none"].W


def dense_growth(regime, seed, W):
    """How much the norm of all weights beside the span of M has grown."""
    M = training.dictionary(regime.d, regime.d1)
    ends = [V - (V @ M) @ M.T for V in (W, training.first_weights(regime, seed))]
    return float(np.sqrt(np.sum(ends[0] ** 2) / np.sum(ends[1] ** 2)))


def over_the_law(seed, regimes, sign=-2):
    """Sparse share over 1/(1 + (d1/d - 1) R^(-2 rho)), R the growth of the dense norm. Shape ()."""
    regime, W = linear(seed, regimes)
    r = 1 - 1 / (regime.N + 1)
    sparse, dense = (
        np.log(1 + regime.eta * (r * rate - regime.decay))
        for rate in (regime.q + regime.noise, regime.noise)
    )
    odds = (regime.d1 / regime.d - 1) * dense_growth(regime, seed, W) ** (
        sign * (sparse / dense - 1)
    )
    return training.sparse_share(regime, W) * (1 + float(odds))


share_law = claim(
    "decoupling-unmasked-share",
    states="decoupling-noaug-weights",
    title="Sparse share of trainings without masks",
    lhs=r"\mathrm{sf}\,\big(1+(\tfrac{d_1}d-1)R^{-2\rho}\big)",
    tex="1",
    says=r"Trained without masks and biases to where the loss settles, four seeds of four regimes have "
    r"$\mathrm{sf}\le(1+(\frac{d_1}d-1)R^{-2\rho})^{-1}$, $R$ the growth of the dense norm.",
    encodes="special-case",
    covers="finite-regime",
    domain=FOUR | {regimes: choices(*UNMASKED)},
    grid={name: {seed: list(n), regimes: list(UNMASKED)} for name, n in SEEDS.items()},
    closed_form=sp.Integer(1),
    legs=[leg("trainings", over_the_law, relation=at_most(), **TRAINED)],
    rivals=[
        variant(
            "the share at the start", call=over_the_law, sign=0, at=[{seed: 0, regimes: "equal"}]
        ),
        variant("half of it", closed_form=sp.Rational(1, 2)),
    ],
)

SAMPLES = 6000


def mean_cosine(seed, regimes):
    """The mean of cos(f(x), f(xi)) over fresh samples. Shape ()."""
    regime, W = linear(seed, regimes)
    M = training.dictionary(regime.d, regime.d1)
    stream = np.random.default_rng((seed, 4))
    z, x = training.samples(stream, M, regime.q, regime.noise, SAMPLES)
    f, g = x @ W.T, (x - z @ M.T) @ W.T
    lengths = np.sum(f * f, axis=1) * np.sum(g * g, axis=1)
    return float(np.mean(np.sum(f * g, axis=1) / np.sqrt(lengths)))


def off_the_formula(seed, regimes, power=-0.5):
    """How far it is from (1 + q sf/sigma^2)^(-1/2). Shape ()."""
    regime, W = linear(seed, regimes)
    ratio = 1 + regime.q * training.sparse_share(regime, W) / regime.noise
    return abs(mean_cosine(seed, regimes) - ratio**power)


NOISE_FIRST = ["noise dominates", "more of both"]

cosines = claim(
    "decoupling-unmasked-cosine",
    states="decoupling-noaug-dense",
    title="Angle between the representations of a sample and of its noise",
    lhs=r"\Big|\overline{\cos(f(x),f(\xi))}-\big(1+\tfrac{q\,\mathrm{sf}}{\sigma^2}\big)^{-1/2}\Big|",
    tex=r"\tfrac1{100}",
    says=r"Trained without masks and biases, $\sigma^2=3q$, four seeds of two regimes have "
    r"$\overline{\cos(f(x),f(\xi))}$ within $\frac1{100}$ of $(1+q\,\mathrm{sf}/\sigma^2)^{-1/2}$ on fresh samples.",
    encodes="special-case",
    covers="cosine-formula",
    reads={"W": "seed regimes"},
    domain=FOUR | {regimes: choices(*NOISE_FIRST)},
    grid={name: {seed: list(n), regimes: NOISE_FIRST} for name, n in SEEDS.items()},
    closed_form=sp.Rational(1, 100),
    legs=[
        leg(
            "trainings",
            off_the_formula,
            gives="eps",
            relation=at_most(),
            arithmetic="external",
            unit=1,
            error=Fraction(1, 1000),
            model="trainings in float32, matrix products in any order; the same numbers from the same seed",
        )
    ],
    rivals=[
        variant(
            "without the root",
            call=off_the_formula,
            power=-1.0,
            at=[{seed: 0, regimes: "noise dominates"}],
        ),
        variant(
            "the square root again",
            call=off_the_formula,
            power=-0.25,
            at=[{seed: 0, regimes: "noise dominates"}],
        ),
    ],
)
