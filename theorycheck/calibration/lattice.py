"""Exact crossing probabilities for Bernoulli streams, by dynamic programming on the counts.

The mass of paths not yet rejected is carried from one look to the next by convolution with the
binomial increment, so the probability of ever being rejected at the given looks comes out to about
1e-14, without simulation. It is independent of the package: it only asks which counts reject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.stats import binom

# rejected(n, s): whether s successes in n trials reject.
Rule = Callable[[int, int], bool]


@dataclass(frozen=True)
class CrossingProbability:
    """``probability`` of having been rejected at some look; ``mean_n``: mean of min(N, last look)."""

    probability: float
    mean_n: float


def crossing(p: float, looks: Iterable[int], rejected: Rule) -> CrossingProbability:
    """Carry the accepted mass of a Bernoulli(p) stream through ``looks``.

    The accepted counts at each look must form an interval (found by halving from the mean); a rule
    that rejects the expected count is taken to reject always.
    """
    mass, first, n, mean_n = np.ones(1), 0, 0, 0.0
    for look in looks:
        mean_n += float(mass.sum()) * (look - n)
        step = binom.pmf(np.arange(look - n + 1), look - n, p)
        mass, n = np.convolve(mass, step), look
        centre = min(max(round(p * n), 0), n)
        if rejected(n, centre):
            return CrossingProbability(1.0, mean_n)
        low = edge(centre, -1, partial(rejected, n))
        high = edge(centre, n + 1, partial(rejected, n))
        counts = first + np.arange(mass.size)
        keep = (counts > low) & (counts < high)
        mass, first = mass[keep], int(counts[keep][0])
    return CrossingProbability(1.0 - float(mass.sum()), mean_n)


def first_rejection(p: float, looks: Iterable[int], low: Rule, high: Rule) -> float:
    """Mean of min(N, last look) for a stream that stops when ``low`` or ``high`` rejects.

    Unlike :func:`crossing` the truth p need not be where the rules accept: ``low`` rejects small
    counts, ``high`` large ones, each monotone.
    """
    mass, first, n, mean_n = np.ones(1), 0, 0, 0.0
    for look in looks:
        mean_n += float(mass.sum()) * (look - n)
        step = binom.pmf(np.arange(look - n + 1), look - n, p)
        mass, n = np.convolve(mass, step), look
        bottom = edge(n + 1, -1, partial(_within, low, n))
        top = edge(-1, n + 1, partial(_within, high, n))
        counts = first + np.arange(mass.size)
        keep = (counts > bottom) & (counts < top)
        if not keep.any():
            return mean_n
        mass, first = mass[keep], int(counts[keep][0])
    return mean_n


def _within(rule: Rule, n: int, s: int) -> bool:
    return 0 <= s <= n and rule(n, s)


def edge(accepted: int, rejected_end: int, rejects: Callable[[int], bool]) -> int:
    """The rejected count nearest to ``accepted``, or ``rejected_end`` if none rejects."""
    while abs(accepted - rejected_end) > 1:
        middle = (accepted + rejected_end) // 2
        accepted, rejected_end = (accepted, middle) if rejects(middle) else (middle, rejected_end)
    return rejected_end
