"""Figures 4.1, 4.2, C.1 - C.4: trained one-hidden-layer networks, at reduced sizes.

Observation. After training with AdamW and weight decay each neuron's embeddings are cosines of one
frequency, and all frequencies occur.

What is measured. Power shares are one-sided (a frequency with its conjugate): of the full spectrum a real
cosine has at most 1/2 at one entry, so that "almost 1" can only mean this. Neurons count by
|theta_h|^{k+1}, which is how they enter the margin. A training *succeeds* if the mean largest share is at
least 9/10 and every frequency is held by neurons that have 9/10 of their power there, with at least a
quarter of the weight 2/(p-1) that Theorem 4.9 gives it. The claim: from a random start more than half of the trainings
on the whole table succeed.

Departures from the source, which trains on half of the table with rate 0.005 and decay 0.005 at (k, p, m) = (4,
47, 2944), (3, 97, 1536), (5, 23, 5632): the share of the table (at small p half of it is memorised, a rival
below), rate 1/50 and decay 1/2, widths, 400 steps; the start and the number of steps are not given. The
source's own protocol and sizes are the profile ``paper``.

Reference: Figures 4.1, 4.2, C.1 - C.4, appendix C.10 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy as sp

from theorycheck import (
    FloatNamespace,
    at_least,
    choices,
    claim,
    figure,
    integers,
    iterated,
    leg,
    odd_integers,
    probability,
    select,
    to_host,
    variant,
)
from theorycheck.blocks.adamw import Recipe, adamw_start, adamw_step, train_rows

from ._formula import k, p
from ._onelayer import Table, concentration, gradient, rarest_frequency, spectra, table, train
from ._pictures import network_panels

LEVEL = Fraction(9, 10)
m = sp.Symbol("m", integer=True, positive=True)
TRAINING = Recipe(steps=400, rate=Fraction(1, 50), decay=Fraction(1, 2))


def start(ns, rng, size, k, p, m):
    """Gaussian entries of standard deviation 1/sqrt(p)."""
    return rng.normal((size, m, k + 1, p)) / ns.sqrt(ns.asarray(p))


def fitted(ns, rng, size, k, p, m, targets=None, share=1):
    """Parameters after training on a random ``share`` of the table. Shape (size, m, k+1, p)."""
    whole = table(ns, k, p)
    count = p**k
    kept = int(share * count)
    rows = train_rows(ns, rng, size, count, kept)
    data = Table(whole.inputs, whole.targets if targets is None else targets, rows / kept)
    return train(ns, start(ns, rng, size, k, p, m), data, k, p, TRAINING)


def success(ns, theta, k, p):
    """1 where the training succeeded in the sense of the module's docstring. Shape (size,)."""
    level = ns.asarray(LEVEL)
    whole = concentration(ns, theta, k) >= level
    every = rarest_frequency(ns, theta, k, level) >= ns.rational(1, 2 * (p - 1))
    return ns.number(whole) * ns.number(every)


def trained(ns, rng, size, k, p, m):
    return success(ns, fitted(ns, rng, size, k, p, m), k, p)


def untrained(ns, rng, size, k, p, m):
    return success(ns, start(ns, rng, size, k, p, m), k, p)


def one_frequency_only(ns, rng, size, k, p, m):
    """Neurons of frequency 1 alone, amplitudes and phases drawn: single frequencies, but not all of them."""
    x = ns.asarray(np.arange(p)) * 2 * ns.pi / p
    a, b = (rng.normal((size, m, k + 1, 1)) for _ in range(2))
    return success(ns, a * ns.cos(x) + b * ns.sin(x), k, p)


def pure(ns, rng, size, m, rows, p):
    """Vectors (size, m, rows, p) of one frequency each, every frequency in turn, of the size of those at the start."""
    x = ns.asarray(np.outer(1 + np.arange(m) % ((p - 1) // 2), np.arange(p))) * 2 * ns.pi / p
    a, b = (rng.normal((size, m, rows, 1)) for _ in range(2))
    x = ns.expand_dims(x, axis=1)
    return (a * ns.cos(x) + b * ns.sin(x)) / ns.sqrt(ns.asarray(p))


def pure_outputs(ns, rng, size, k, p, m):
    """Cosines of every frequency as outputs, and embeddings as at the start."""
    drawn = start(ns, rng, size, k, p, m)[:, :, :k, :]
    return success(ns, ns.concat([drawn, pure(ns, rng, size, m, 1, p)], axis=2), k, p)


def pure_embeddings(ns, rng, size, k, p, m):
    """The other way round: one frequency in all embeddings of a neuron, outputs as at the start."""
    drawn = start(ns, rng, size, k, p, m)[:, :, k:, :]
    return success(ns, ns.concat([pure(ns, rng, size, m, k, p), drawn], axis=2), k, p)


def shuffled(ns, rng, size, k, p, m):
    """Labels drawn at random, afresh for every training."""
    drawn = ns.one_hot(rng.integers(0, p, (size, p**k)), p)
    return success(ns, fitted(ns, rng, size, k, p, m, drawn), k, p)


def half_of_the_table(ns, rng, size, k, p, m):
    return success(ns, fitted(ns, rng, size, k, p, m, share=Fraction(1, 2)), k, p)


def two_sided(ns, rng, size, k, p, m):
    """The largest entry of the full spectrum, half of the one-sided share."""
    theta = fitted(ns, rng, size, k, p, m)
    return ns.number(concentration(ns, theta, k) / 2 >= ns.asarray(LEVEL))


def pictures(ns, rng, k, p, m):
    """The figures of the source from one training on nine tenths of the table."""
    begin = start(ns, rng, 1, k, p, m)
    rows = train_rows(ns, rng, 1, p**k, int(Fraction(9, 10) * p**k))
    whole = table(ns, k, p)
    data = Table(whole.inputs, whole.targets, rows / ns.sum(rows))
    return network_panels(ns, begin, train(ns, begin, data, k, p, TRAINING), k, p, to_host)


def trained_size(k, p, m):
    return (k, p, m) in {(2, 5, 16), (2, 7, 24), (2, 11, 60), (3, 5, 64)}


onelayer = claim(
    "fourier-exp-onelayer",
    lhs=r"\Pr[\text{single frequencies, all of them}]",
    title="Trained one-hidden-layer networks",
    says="Trained from a random start on the table, more than half of the networks end with "
    "single-frequency neurons that cover all frequencies.",
    encodes="proxy",
    covers="single-frequency all-frequencies",
    # Of what was trained: with one neuron or two the bound is not met.
    domain={k: choices(2, 3), p: choices(5, 7, 11), m: choices(16, 24, 60, 64)},
    where=trained_size,
    grid={
        "smoke": [{k: 2, p: 5, m: 16}],
        "standard": [{k: 2, p: 7, m: 24}],
        "deep": [{k: 2, p: 7, m: 24}, {k: 2, p: 11, m: 60}, {k: 3, p: 5, m: 64}],
    },
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            trained,
            draws="seed",
            inside="h zeta",
            statistic=probability(),
            block=64,
            budget={"smoke": 64, "standard": 128, "deep": 512},
        )
    ],
    rivals=[
        variant("untrained", simulation=untrained),
        variant("one frequency in all neurons", simulation=one_frequency_only),
        variant("cosines as outputs alone", simulation=pure_outputs),
        variant("cosines as embeddings alone", simulation=pure_embeddings),
        variant("shuffled labels", simulation=shuffled),
        variant("two-sided spectrum", simulation=two_sided),
        variant("half of a small table", simulation=half_of_the_table),
    ],
    figures=[
        figure(
            "Figures 4.1 and 4.2",
            pictures,
            at={
                "smoke": {k: 2, p: 11, m: 40},
                "standard": {k: 2, p: 23, m: 88},
                "deep": {k: 3, p: 11, m: 160},
            },
            caption="One network after training. The two heaviest neurons are cosines of one frequency; "
            "marks near the line: all frequencies are used; sorted over the neurons, the largest share "
            "of the power is near 1, as it is not at the start.",
        )
    ],
)

# ---------------------------------------------------------------- the source's sizes

SOURCE = Recipe(steps=20_000, rate=Fraction(1, 200), decay=Fraction(1, 200))
"""Rate and weight decay as printed; the number of steps is not given."""
BATCH = 1024


def recipe_of(k, p):
    """Small tables are trained on as a whole, as above; larger ones as in the source."""
    return TRAINING if p**k <= BATCH else SOURCE


@cache
def whole_table(ns, k, p):
    return table(ns, k, p)


@cache
def half_of_the_rows(k, p):
    return np.random.default_rng(0).permutation(p**k)[: p**k // 2]


def rows_of(ns, k, p, t):
    """What step t sees: the whole table, or of larger ones a batch of 1024 from half of it."""
    if p**k <= BATCH:
        return whole_table(ns, k, p)
    return table(ns, k, p, np.random.default_rng((1, t)).choice(half_of_the_rows(k, p), BATCH))


def parameters_at_the_start(ns, k, p, m):
    """From a fixed seed. Shape (1, m, k+1, p)."""
    return ns.from_float64(np.random.default_rng(0).standard_normal((1, m, k + 1, p)) / np.sqrt(p))


def training_step(ns, state, t, k, p):
    """The state of AdamW after one more step."""

    def slope(now):
        return {"theta": gradient(ns, now["theta"], rows_of(ns, k, p, t), k, p)}

    return adamw_step(ns, state, t, slope, recipe_of(k, p))


def one_training(ns, k, p, m):
    """Parameters (1, m, k+1, p) before and after one training."""
    begin = parameters_at_the_start(ns, k, p, m)
    state = adamw_start(ns, {"theta": begin})
    for t in range(recipe_of(k, p).steps):
        state = training_step(ns, state, t, k, p)
    return begin, state["theta"]["theta"]


@cache
def best_device():
    """Floats on a GPU where there is one."""
    return FloatNamespace(select("auto").xp, "float64")


def begin_training(k, p, m):
    ns = best_device()
    return adamw_start(ns, {"theta": parameters_at_the_start(ns, k, p, m)})


def train_once(state, t, k, p):
    return training_step(best_device(), state, t, k, p)


def weight_of_pure_neurons(state, k):
    """Weight of the neurons that have nine tenths of their power at one frequency."""
    found = spectra(best_device(), state["theta"]["theta"], k)
    weight, shares = (to_host(x)[0] for x in found)
    return float(weight[shares.max(axis=-1) >= float(LEVEL)].sum())


# Hours at the source's sizes: an interrupted run goes on inside it.
pure_after_training = iterated(
    begin_training,
    train_once,
    weight_of_pure_neurons,
    steps=lambda k, p: recipe_of(k, p).steps,
)


def weight_at_the_start(k, p, m):
    """The same without training."""
    ns = FloatNamespace(np, "float64")
    theta = np.random.default_rng(0).standard_normal((1, m, k + 1, p))
    weight, shares = (x[0] for x in spectra(ns, theta, k))
    return float(weight[shares.max(axis=-1) >= float(LEVEL)].sum())


def pictures_of_one(ns, k, p, m):
    return network_panels(ns, *one_training(ns, k, p, m), k, p, to_host)


def pictures_at(name, k_, p_, m_):
    return figure(name, pictures_of_one, at={"paper": {k: k_, p: p_, m: m_}})


onelayer_sizes = claim(
    "fourier-exp-onelayer-sizes",
    lhs=r"\text{share of weight}",
    title="One training, up to the source's sizes",
    says="After one training the neurons with nine tenths of their power at one frequency have more than "
    "half of the weight.",
    states="fourier-exp-onelayer",
    encodes="proxy",
    covers="grid-of-k",
    domain={k: integers(2), p: odd_integers(5), m: integers(1)},
    grid={
        "smoke": [{k: 2, p: 7, m: 24}],
        "standard": [{k: 2, p: 11, m: 60}, {k: 3, p: 5, m: 64}],
        "deep": [{k: 2, p: 23, m: 88}, {k: 3, p: 7, m: 96}],
        "paper": [{k: 3, p: 97, m: 1536}, {k: 4, p: 47, m: 2944}, {k: 5, p: 23, m: 5632}],
    },
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "one training",
            pure_after_training,
            arithmetic="external",
            error=Fraction(1, 10**6),
            model="one seed; floating-point training as it comes out",
        )
    ],
    rivals=[variant("untrained", simulation=weight_at_the_start)],
    figures=[
        pictures_at("Figures 4.1 and 4.2", 4, 47, 2944),
        pictures_at("Figures C.1 and C.2", 3, 97, 1536),
        pictures_at("Figures C.3 and C.4", 5, 23, 5632),
    ],
)
