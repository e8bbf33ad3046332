"""Exact probabilities of the verdicts on a Bernoulli mean, by dynamic programming.

A sampled equality at one point stops at the first checkpoint at which the running confidence set
excludes the closed form c (*fail*), or lies within c +- distance (*pass*). The second happens when
c - distance has been rejected from below and c + distance from above, at this or at earlier looks:
so the counts, and two memories, are all there is to follow. The probability of each verdict at a
given truth comes out to about 1e-14, without simulation.

Where draws come in blocks, the sets are still taken at the checkpoints, but the verdict only where a block
ends: until then a path that could pass may still be refuted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from theorycheck.calibration.lattice import edge
from theorycheck.stats import mixtures
from theorycheck.stats.schedule import log_threshold

# rejects(n, s, m, side): do s successes in n trials show that the mean is larger (+1) than m,
# or smaller (-1)?
Evidence = Callable[[int, int, float, int], bool]


@dataclass(frozen=True)
class Verdicts:
    """Probabilities of each verdict within the budget, mean and mean square of the number of samples;
    ``failed_n``: its mean over the runs that fail, times their probability."""

    failed: float
    passed: float
    inconclusive: float
    mean_n: float
    square_n: float
    failed_n: float


def anytime(alpha: float) -> Evidence:
    """What the package does, by the evidence that its intervals are made from."""
    level = log_threshold(alpha)

    def rejects(n: int, s: int, m: float, side: int) -> bool:
        return bool(mixtures.coin(side, float(n), float(s), np.array([m]))[0] >= level)

    return rejects


def equality(
    truth: float, c: float, distance: float, looks: Iterable[int], rejects: Evidence, block: int = 1
) -> Verdicts:
    """Verdicts on "the mean equals c, to within distance" when the mean is ``truth``."""
    # Mass of undecided paths by count, for each memory (below rejected, above rejected).
    mass = {(low, high): np.zeros(1) for low in (False, True) for high in (False, True)}
    mass[False, False] = np.ones(1)
    n, failed, passed, mean_n, square_n, failed_n = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for look, drawn, stop, ends in _within_blocks(looks, block):
        alive = sum(float(m.sum()) for m in mass.values())
        mean_n += alive * (stop - drawn)
        square_n += alive * (stop**2 - drawn**2)
        before = failed
        step = binom.pmf(np.arange(look - n + 1), look - n, truth)
        n, counts = look, np.arange(look + 1)
        above = [_first_above(n, m, rejects) for m in (c - distance, c)]
        below = [_last_below(n, m, rejects) for m in (c + distance, c)]
        shows_low, shows_high = counts >= above[0], counts <= below[0]
        fails = (counts >= above[1]) | (counts <= below[1])
        moved = {key: np.zeros(look + 1) for key in mass}
        for (low, high), old in mass.items():
            new = np.convolve(old, step)
            failed += float(new[fails].sum())
            new = np.where(fails, 0.0, new)
            for low_now in (False, True):
                for high_now in (False, True):
                    here = (shows_low == low_now) & (shows_high == high_now)
                    moved[low or low_now, high or high_now] += np.where(here, new, 0.0)
        failed_n += (failed - before) * stop
        if ends:
            passed += float(moved[True, True].sum())
            moved[True, True] = np.zeros(look + 1)
        mass = moved
    left = sum(float(m.sum()) for m in mass.values())
    return Verdicts(failed, passed, left, mean_n, square_n, failed_n)


def at_most(
    truth: float, bound: float, looks: Iterable[int], rejects: Evidence, block: int = 1
) -> Verdicts:
    """Verdicts on "the mean is at most ``bound``" when the mean is ``truth``.

    *Pass* once it is shown to be smaller, *fail* once it is shown to be larger. A statement that
    holds with probability 1 - bound is this one about the probability that it does not.
    """
    mass, shown, n, failed, passed = np.ones(1), np.zeros(1), 0, 0.0, 0.0
    mean_n, square_n, failed_n = 0.0, 0.0, 0.0
    for look, drawn, stop, ends in _within_blocks(looks, block):
        alive = float(mass.sum() + shown.sum())
        mean_n += alive * (stop - drawn)
        square_n += alive * (stop**2 - drawn**2)
        step = binom.pmf(np.arange(look - n + 1), look - n, truth)
        mass, shown, n = np.convolve(mass, step), np.convolve(shown, step), look
        larger, smaller = _first_above(n, bound, rejects), _last_below(n, bound, rejects)
        fails = float(mass[larger:].sum() + shown[larger:].sum())
        failed += fails
        failed_n += fails * stop
        mass[larger:] = shown[larger:] = 0.0
        shown[: smaller + 1] += mass[: smaller + 1]
        mass[: smaller + 1] = 0.0
        if ends:
            passed += float(shown.sum())
            shown = np.zeros(look + 1)
    return Verdicts(failed, passed, float(mass.sum()), mean_n, square_n, failed_n)


def _within_blocks(looks: Iterable[int], block: int) -> Iterator[tuple[int, int, int, bool]]:
    """Each look, the samples drawn before it and for it (whole blocks), and whether a block's end
    comes before the next look."""
    counts = list(looks)
    drawn = 0
    for look, following in zip(counts, [*counts[1:], math.inf], strict=True):
        stop = -(-look // block) * block
        yield look, drawn, stop, following > stop
        drawn = stop


def _first_above(n: int, m: float, rejects: Evidence) -> int:
    """The smallest count that shows a mean larger than m; n + 1 if none does."""
    return edge(-1, n + 1, lambda s: s >= 0 and rejects(n, s, m, 1))


def _last_below(n: int, m: float, rejects: Evidence) -> int:
    """The largest count that shows a mean smaller than m; -1 if none does."""
    return edge(n + 1, -1, lambda s: s <= n and rejects(n, s, m, -1))
