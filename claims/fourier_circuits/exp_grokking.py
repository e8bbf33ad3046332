"""Figure 4.4: the delay between fitting and generalising against the number of summands, reduced.

Observation. Transformers trained on half of the table fit their training rows long before they are right on
the others; with more summands k, at tables of about equal size, this delay shrinks.

What is measured. One-layer transformers (`_attention`) on half of the tables (k, p) = (2, 8), (3, 4) and (4, 3),
64, 64 and 81 rows: the steps until the accuracy on the other half reaches 3/5 over the steps until that on the training
half does; beyond the last step counts as infinite. The claim: for more than half of the seeds the
ratio is smaller at k = 3, and at k = 4, than at k = 2.

What it does not show. p changes together with k, as in the source. A model that does not see the order of
its inputs meets a permuted copy of a test row in training with probability 1/2 at k = 2 (distinct summands)
and about 1 - 2^{-5} at k = 3: that alone shortens the delay. The network of Theorem 4.9, which sees the
order, shows no such trend here (a rival below), so the trend is no consequence of that theorem; the source
says both. Between k = 3 and k = 4 about half of the seeds go either way, which is no claim.
The source's sizes are (2, 97), (3, 31), (4, 11), (5, 5) with 160 heads.

Reference: Figure 4.4, section 4.5, appendix C (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    figure,
    formula,
    leg,
    panel,
    probability,
    series,
    variant,
)
from theorycheck.blocks.adamw import Recipe, accuracy, adamw, train_rows

from . import _onelayer
from ._attention import Shape, forward, gradient, start, table, unordered
from ._network import labels

heads = sp.Symbol("heads", integer=True, positive=True)
few, many = sp.symbols("few many", integer=True, positive=True)
MODULUS = {2: 8, 3: 4, 4: 3}
"""Tables of equal size, as the source keeps its own near 10^4."""

STEPS = {2: 80, 3: 80, 4: 300}


def recipe(k):
    return Recipe(steps=STEPS[k], rate=Fraction(3, 100), decay=Fraction(1, 2), falls=False)


LEVEL = Fraction(3, 5)
EVERY = 5
"""Steps between two looks at the accuracies."""


class Delay:
    """First looks at which the two accuracies reached the level; called after every step."""

    def __init__(self, ns, size, k, look):
        self.ns, self.look, self.never = ns, look, 2 * STEPS[k]
        self.first = [ns.full((size,), self.never)] * 2

    def __call__(self, step, theta):
        if step % EVERY:
            return
        ns = self.ns
        for i, seen in enumerate(self.look(theta)):
            reached = seen >= ns.asarray(LEVEL)
            now = ns.full(seen.shape, step)
            self.first[i] = ns.where(reached, ns.minimum(self.first[i], now), self.first[i])

    def ratio(self):
        """Test over training; a large number where the test accuracy never reached the level."""
        fitted, generalised = self.first
        never = generalised >= self.never
        return self.ns.where(never, self.ns.full(fitted.shape, 10**6), generalised / fitted)


def halves(ns, rng, size, count):
    rows = train_rows(ns, rng, size, count, count // 2)
    return rows, 1 - rows


def transformers(ns, rng, size, k, heads, seen_by, targets=None):
    """Trains one transformer a seed on half of the table; ``seen_by(look)`` is called after every step and
    ``look(theta)`` gives both accuracies, each of shape (size,)."""
    p = MODULUS[k]
    s = Shape(p=p, k=k, d=8, heads=heads, inner=3)
    both = halves(ns, rng, size, p**k)
    if targets is None:  # rows of one multiset have the same label and logits: they are one row
        rows, which = unordered(k, p)
        merge = ns.one_hot(ns.indices(which), len(rows))
        seen, unseen = (ns.matmul(ns.matrix_transpose(merge), half) for half in both)
        data = table(ns, s, seen / (p**k // 2), rows=rows)
    else:
        seen, unseen = both
        data = table(ns, s, seen / (p**k // 2), targets(p, p**k))
    right = ns.argmax(data.targets, axis=-1)

    def look(theta):
        logits = forward(ns, theta, data, s)[3]
        return [accuracy(ns, logits, right, rows) for rows in (seen, unseen)]

    watch = seen_by(look)
    adamw(ns, start(ns, rng, size, s), lambda t: gradient(ns, t, data, s), recipe(k), watch)
    return watch


def transformer_delay(ns, rng, size, k, heads, targets=None):
    """Ratio of steps of every seed's transformer. Shape (size,)."""

    def delay(look):
        return Delay(ns, size, k, look)

    return transformers(ns, rng, size, k, heads, delay, targets).ratio()


def shorter(ns, rng, size, few, many, heads):
    """1 where the ratio at ``many`` summands is below that at ``few``."""
    less, more = (transformer_delay(ns, rng, size, k, heads) for k in (few, many))
    return ns.number(more < less)


def as_many(ns, rng, size, few, many, heads):
    """The control: as few summands on both sides, of which neither is shorter."""
    return shorter(ns, rng, size, few, few, heads)


def shuffled(ns, rng, size, few, many, heads):
    """Labels drawn at random, afresh for every training."""

    def targets(p, count):
        return ns.one_hot(rng.integers(0, p, (size, count)), p)

    less, more = (transformer_delay(ns, rng, size, k, heads, targets) for k in (few, many))
    return ns.number(more < less)


def network_delay(ns, rng, size, k):
    """The same for the one-hidden-layer network of Theorem 4.9, 32 neurons."""
    p = MODULUS[k]
    whole = _onelayer.table(ns, k, p)
    seen, unseen = halves(ns, rng, size, p**k)
    data = _onelayer.Table(whole.inputs, whole.targets, seen / (p**k // 2))
    right = ns.indices(labels(k, p))

    def look(theta):
        logits = _onelayer.forward(ns, theta["theta"], data, k, p)[-1]
        return [accuracy(ns, logits, right, rows) for rows in (seen, unseen)]

    delay = Delay(ns, size, k, look)
    first = {"theta": rng.normal((size, 32, k + 1, p)) / ns.sqrt(ns.asarray(p))}

    def slope(t):
        return {"theta": _onelayer.gradient(ns, t["theta"], data, k, p)}

    adamw(ns, first, slope, recipe(k), delay)
    return delay.ratio()


def networks(ns, rng, size, few, many, heads):
    less, more = (network_delay(ns, rng, size, k) for k in (few, many))
    return ns.number(more < less)


class Curve:
    """Mean, least and largest accuracy over the seeds at every look, on either half."""

    def __init__(self, ns, look):
        self.ns, self.look, self.steps, self.both = ns, look, [], ([], [])

    def __call__(self, step, theta):
        if step % EVERY == 0:
            self.steps.append(step)
            for kept, seen in zip(self.both, self.look(theta), strict=True):
                kept.append([float(of(seen)) for of in (self.ns.mean, self.ns.min, self.ns.max)])


SEEDS = 24
"""Trainings that a curve of the figure is the mean of."""


def curves(ns, rng, heads):
    """Accuracy on the training half and on the other half against steps, for every k."""
    panels = []
    for k in MODULUS:
        seen = transformers(ns, rng, SEEDS, k, heads, lambda look: Curve(ns, look))
        lines = []
        for name, kept in zip(("training half", "other half"), seen.both, strict=True):
            mean, low, high = zip(*kept, strict=True)
            lines.append(series(name, seen.steps, mean, low=low, high=high))
        title = f"k = {k}, p = {MODULUS[k]}, mean of {SEEDS}"
        panels.append(panel(title, x="step", y="accuracy", lines=lines))
    return panels


grokking = claim(
    "fourier-exp-grokking",
    lhs=r"\Pr[\text{shorter delay}]",
    title="Grokking against the number of summands",
    says="For more than half of the seeds a one-layer transformer's delay between fitting and "
    "generalising is shorter with three or four summands than with two, at tables of about equal size.",
    encodes="proxy",
    covers="weaker-with-k",
    reads={"k": "few", "k_prime": "many"},
    # Of what was trained: with one head three summands are no faster.
    domain={few: choices(2), many: choices(3, 4), heads: choices(4, 16)},
    grid={
        "smoke": [{few: 2, many: 3, heads: 4}],
        "standard": [{few: 2, many: 4, heads: 4}],
        "deep": [{few: 2, many: 3, heads: 4}, {few: 2, many: 3, heads: 16}],
    },
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "pairs of trainings",
            shorter,
            draws="seed",
            statistic=probability(),
            block=64,
            budget={"smoke": 64, "standard": 128, "deep": 512},
        )
    ],
    rivals=[
        variant("shuffled labels", simulation=shuffled),
        variant("as few summands on both sides", simulation=as_many),
        variant("one-hidden-layer networks, which see the order", simulation=networks),
    ],
    figures=[
        figure(
            "Figure 4.4",
            curves,
            at={"smoke": {heads: 4}, "deep": {heads: 16}},
            caption="The gap between the two curves, in steps, is the delay; the bands hold all trainings. "
            "At $k=2$ most of these small "
            "transformers never generalise.",
        )
    ],
)

table_sizes = formula(
    "fourier-exp-grokking-sizes",
    states="fourier-exp-grokking",
    title="Sizes of the four tables",
    says="97**2 == 9409 and 31**3 == 29791 and 11**4 == 14641 and 5**5 == 3125 and 9.53 < 31**3/5**5 < 9.54",
    covers="sizes-equal",
    rivals={"equal within a factor 2": "31**3/5**5 < 2"},
)
