r"""Differences and ratios of two means, from two independent streams.

*Joint set.* If both streams are drawn independently and in step (the same checkpoints), the product
of their mixture martingales at (m_a, m_b) is again a supermartingale with start 1, so
{(m_a, m_b): log W_a(m_a) + log W_b(m_b) < log(1/alpha)} covers the pair of true means at all
checkpoints simultaneously. Its image under the difference or the ratio is reported. It is narrower
than two intervals at alpha/2: two equal half-widths h combine to about sqrt(2) h instead of 2 h.

*Covering it.* Cut the axis of t = log W_a at t_0 < ... < t_K. A pair of the set whose t lies in
(t_i, t_{i+1}] has m_a in the set of stream a at level t_{i+1} and m_b in the set of stream b at
level L - t_i, L = log(1/alpha). So the set lies in K + 2 rectangles, whose images are taken by
interval arithmetic. With 32 cells the loss is about two parts in a hundred of the width.

*Streams out of step.* The product is no supermartingale in two separate sample sizes. Only the
checkpoints that both states have are used; when they differ, the excess data of one is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats.errors import AssumptionBroken
from theorycheck.stats.intervals import evidence_floor, histories, interval_ends, whole_range
from theorycheck.stats.schedule import log_threshold
from theorycheck.stats.state import MeanState, Record
from theorycheck.stats.tails import Tail

Floats = NDArray[np.float64]
Image = Callable[[Floats, Floats, Floats, Floats], tuple[Floats, Floats]]
History = tuple[Record, ...]

_CELLS = 32


def difference_interval(a: MeanState, b: MeanState, alpha: float) -> tuple[float, float]:
    """Time-uniform interval for mean(a) - mean(b), two independent streams drawn in step.

    For paired replicates feed the differences to one state instead.

    Raises:
        ValueError: alpha out of range.
        AssumptionBroken: the running intersection is empty.
    """
    return _joint_interval(a, b, alpha, _difference)


def ratio_interval(a: MeanState, b: MeanState, alpha: float) -> tuple[float, float]:
    """Time-uniform interval for mean(a) / mean(b), two independent streams drawn in step.

    (-inf, inf) while the evidence does not keep mean(b) away from 0. Raises as
    :func:`difference_interval`.
    """
    return _joint_interval(a, b, alpha, _ratio)


def _joint_interval(a: MeanState, b: MeanState, alpha: float, image: Image) -> tuple[float, float]:
    level = log_threshold(alpha)
    lo, hi = (float(end) for end in image(*_row(whole_range(a.tail)), *_row(whole_range(b.tail))))
    of_b = {history[-1][0]: history for history in histories(b)}
    for history in histories(a):
        if history[-1][0] in of_b:
            low, high = _joint(a.tail, history, b.tail, of_b[history[-1][0]], level, image)
            lo, hi = max(lo, low), min(hi, high)
    if lo > hi:
        raise AssumptionBroken(
            f"no pair of means is compatible with the evidence at level {alpha!r} under: "
            f"{a.tail.text()}; {b.tail.text()}"
        )
    return lo, hi


def _row(ends: tuple[float, float]) -> tuple[Floats, Floats]:
    return np.array(ends[0]), np.array(ends[1])


@lru_cache(maxsize=1 << 12)
def _joint(
    tail_a: Tail, a: History, tail_b: Tail, b: History, level: float, image: Image
) -> tuple[float, float]:
    first, last = evidence_floor(tail_a, a), level - evidence_floor(tail_b, b)
    if first >= last:
        return math.inf, -math.inf
    # At the first cut the set of stream a is empty, at the last that of stream b.
    cuts = np.linspace(first, last, _CELLS + 1)
    low_a, high_a = interval_ends(tail_a, a, cuts[1:])
    low_b, high_b = interval_ends(tail_b, b, level - cuts[:-1])
    real = (low_a <= high_a) & (low_b <= high_b)
    if not real.any():
        return math.inf, -math.inf
    low, high = image(low_a[real], high_a[real], low_b[real], high_b[real])
    return float(low.min()), float(high.max())


def _outward(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    return np.nextafter(low, -math.inf), np.nextafter(high, math.inf)


def _difference(la: Floats, ha: Floats, lb: Floats, hb: Floats) -> tuple[Floats, Floats]:
    return _outward(la - hb, ha - lb)


def _ratio(la: Floats, ha: Floats, lb: Floats, hb: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        corners = np.stack([la / lb, la / hb, ha / lb, ha / hb])
    # A quotient of infinities may be anything, as may one by a range that holds 0.
    clear = ((lb > 0.0) | (hb < 0.0)) & ~np.isnan(corners).any(axis=0)
    low, high = corners.min(axis=0), corners.max(axis=0)
    return _outward(np.where(clear, low, -math.inf), np.where(clear, high, math.inf))
