r"""Fact A.1: how the error of a batch's gradient falls with its size.

Setting. g_1, .., g_K are gradients of the stop-gradient loss (2.2) at K independent positives, each with a mask and
negatives of its own; g is their mean, v = E |g_1 - g|^2, W fixed.

Statements. E |(g_1 + .. + g_K)/K - g|^2 = v/K: what is independent has no mean product, so that every sample adds v to
the mean square of the sum of the errors, and 1/K^2 of K v is v/K. With one set of negatives for the whole batch it does
not fall to 0.

Reference: lines 310-314. The degree of the polynomial batch size is left open there.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import claim, formula_leg, instances, integers, leg, rivals_of, typed, variant

from ._gaussian import BITS
from .info_nce import by_weights

K = sp.Symbol("K", integer=True, positive=True)
v = sp.Symbol("v", nonnegative=True)
FALLS = v / K


def gradient(W, b, tau, sample):
    """Every entry of the gradient at one positive with its batch."""
    x, C = sample
    rows = by_weights(W, b, x, C, tau, len(W), len(C) - 1, len(x))
    return [g for row in rows for g in row]


def mean(vectors):
    return [sum(entries, arb(0)) / len(vectors) for entries in zip(*vectors, strict=True)]


def distance(a, b):
    return sum(((x - y) * (x - y) for x, y in zip(a, b, strict=True)), arb(0))


def error_of_the_mean(W, b, tau, views, batches, K, drawn):
    """E |mean of K gradients - g|^2 over all choices of K samples among the equally likely pairs of a view and a
    batch that ``drawn`` gives; v is that at K = 1."""
    with ctx.workprec(BITS):
        samples = drawn(views, batches, K)
        single = [gradient(W, b, tau, s) for row in drawn(views, batches, 1) for s in row]
        centre = mean(single)
        errors = [distance(mean([gradient(W, b, tau, s) for s in row]), centre) for row in samples]
        return {
            "value": sum(errors, arb(0)) / len(errors),
            "v": sum((distance(g, centre) for g in single), arb(0)) / len(single),
        }


def independent(views, batches, K):
    """Every positive with a batch of its own."""
    return list(product(list(product(views, batches)), repeat=K))


def shared(views, batches, K):
    """One batch for all positives."""
    return [[(x, C) for x in row] for row in product(views, repeat=K) for C in batches]


def of_independent(W, b, tau, views, batches, K):
    return error_of_the_mean(W, b, tau, views, batches, K, independent)


def of_shared(W, b, tau, views, batches, K):
    return error_of_the_mean(W, b, tau, views, batches, K, shared)


def a_population(rng, K):
    """A network of two neurons, two views and two batches: a positive and two negatives each."""
    return {
        "W": rng.rational((2, 2), 3),
        "b": [Fraction(1, 17), Fraction(0)],
        "tau": Fraction(int(rng.integers(1, 7)), 3),
        "views": rng.rational((2, 2), 3),
        "batches": [rng.rational((3, 2), 2) for _ in range(2)],
    }


FIELDS = "W b tau views batches"
DRAWN = instances(a_population, FIELDS, smoke=2, standard=4)
# the sum of K - 1 errors has the mean square (K - 1) v, one more adds v, and the mean is the sum over K
NEXT = formula_leg(
    "one sample more",
    typed(f"((K - 1)*v + v)/K**2 == {FALLS}", over=["K in 1..oo", "v in [0, oo)"]),
    over="W",
)

rate = claim(
    "decoupling-batch-error",
    lhs=r"\mathbb E\|\hat g_K-g\|^2",
    tex=r"\tfrac1K\,\mathbb E\|\hat g_1-g\|^2",
    states="decoupling-empirical-gradient",
    title="The error of a batch's gradient",
    says=r"$\mathbb E\|\hat g_K-g\|^2=\frac1K\mathbb E\|\hat g_1-g\|^2$ for $K$ independent positives with masks and "
    "negatives of their own, whatever the weights.",
    covers="rate",
    domain={K: integers(1)},
    grid={"smoke": {K: [1, 2, 3]}, "standard": {K: [1, 2, 4]}},
    closed_form=FALLS,
    legs=[
        leg(
            "all batches",
            of_independent,
            observed=["v"],
            instances=DRAWN,
            where=K <= 4,
            required=False,
            unit=1,
        ),
        NEXT,
    ],
    rivals=[
        variant("one over the root", closed_form=v / sp.sqrt(K), leg="all batches"),
        variant("negatives in common", simulation=of_shared, leg="all batches"),
        *rivals_of(NEXT, {"the root of it": "((K - 1)*v + v)/K**2 == v/sqrt(K)"}),
    ],
)
