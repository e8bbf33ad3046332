"""Confidence sequences for means and probabilities, from the recorded evidence alone.

Every interval here is valid at all checkpoints simultaneously with probability at least 1 - alpha
(see ``mixtures.py`` and ``heavy.py`` for why), so it may be looked at as often as one likes, and
the intersection over the checkpoints so far is reported. Endpoints are found by bisection on the
bit patterns of floats: the reported endpoint is itself a candidate that the (under-estimated)
evidence rejects, so an inexact search can only widen the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats import heavy, mixtures
from theorycheck.stats.errors import AssumptionBroken
from theorycheck.stats.state import State

Floats = NDArray[np.float64]

# Roundings between a normalised endpoint and the reported one: a product, a sum, a quotient.
_ULPS = 4 * 2.0**-52
# In units of sigma.
_FARTHEST = 1e100


def mean_interval(state: State, alpha: float, *, focus: float | None = None) -> tuple[float, float]:
    """Time-uniform confidence interval [lo, hi] for the mean, rounded outward.

    Args:
        state: evidence; the interval uses its records, that is the data up to the last checkpoint.
            Without a record it is the whole range: [0, 1], [lo, hi] or (-inf, inf).
        alpha: in (0, 1), as small as 1e-300.
        focus: a difference that matters, in the units of the mean, fixed before the data were seen:
            twice the weight for telling means this far apart. Not for ``variance_at_most``.

    Raises:
        ValueError: alpha or focus out of range.
        AssumptionBroken: the running intersection is empty.
    """
    lows, highs = running_intervals(state, log_threshold(alpha), focus=focus)
    if lows.size == 0:
        return whole_range(state)
    lo, hi = float(lows.max()), float(highs.min())
    if lo > hi:
        raise AssumptionBroken(
            f"no mean is compatible with the evidence at level {alpha!r} under: {state.tail.text()}"
        )
    return lo, hi


def probability_interval(
    successes: int, n: int, alpha: float, *, focus: float | None = None
) -> tuple[float, float]:
    """Time-uniform interval for a probability, from counts alone (no running intersection).

    Valid at every n simultaneously. Raises ValueError unless 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"need 0 <= successes <= n, got {successes!r}, {n!r}")
    level = np.array([log_threshold(alpha)])
    if n == 0:
        return 0.0, 1.0
    lo, hi = _coin_ends(np.array([float(n)]), np.array([float(successes)]), level, _gap(focus, 1.0))
    return float(lo[0]), float(hi[0])


def log_threshold(alpha: float) -> float:
    """log(1/alpha), rounded up. Raises ValueError unless 0 < alpha < 1."""
    if not (isinstance(alpha, float) and 0.0 < alpha < 1.0):
        raise ValueError(f"alpha must be a float strictly between 0 and 1, got {alpha!r}")
    return -math.log(alpha) * (1.0 + _ULPS)


def whole_range(state: State) -> tuple[float, float]:
    """What is known of the mean without data."""
    if state.tail.kind == "bernoulli":
        return 0.0, 1.0
    if state.tail.kind == "bounded":
        return state.tail.params[0], state.tail.params[1]
    return -math.inf, math.inf


def running_intervals(
    state: State, threshold: float | Floats, *, focus: float | None = None
) -> tuple[Floats, Floats]:
    """Lower and upper ends of {m : log W_n(m) < threshold} at each record, shape (records,).

    ``threshold`` is log(1/alpha), or one number a record; it may be any real number, which joint
    sets of two means need. An interval may come out empty (lo > hi).
    """
    kind, params = state.tail.kind, state.tail.params
    records = state.records
    if kind == "variance_at_most":
        if focus is not None:
            raise ValueError("variance_at_most takes no focus")
        records = records[1:]
    level = np.broadcast_to(np.asarray(threshold, dtype=np.float64), (len(records),))
    if not records:
        return np.empty(0), np.empty(0)
    n = np.array([float(r[0]) for r in records])
    if kind == "bernoulli":
        return _coin_ends(n, np.array([float(r[1]) for r in records]), level, _gap(focus, 1.0))
    first = np.array([r[1] for r in records], dtype=np.float64)
    if kind == "bounded":
        second = np.array([r[2] for r in records], dtype=np.float64)
        return _bounded_ends(n, first, second, level, params[0], params[1], focus)
    if kind == "sub_gaussian":
        return _sub_gaussian_ends(n, first, level, params[0], focus)
    return _heavy_ends(state, level)


def _gap(focus: float | None, unit: float) -> float | None:
    if focus is None:
        return None
    if not (math.isfinite(focus) and focus > 0.0):
        raise ValueError(f"focus must be a positive number, got {focus!r}")
    return focus / unit


def _boundary(excluded: Callable[[Floats], NDArray[np.bool_]], out: Floats, inn: Floats) -> Floats:
    """The last excluded float on the way from ``out`` to ``inn``, elementwise.

    ``out`` counts as excluded (the caller has checked it, or it is the end of the range).
    """
    a, b = _rank(out), _rank(inn)
    while np.any(np.abs(a - b) > 1):
        # Halved before adding: the sum of two ranks may not fit.
        mid = (a >> 1) + (b >> 1) + (a & b & 1)
        gone = excluded(_unrank(mid))
        a, b = np.where(gone, mid, a), np.where(gone, b, mid)
    return _unrank(a)


def _rank(x: Floats) -> NDArray[np.int64]:
    """Integers in the order of the doubles: bit patterns, mirrored for negative numbers."""
    bits = np.abs(x).view(np.int64)
    return np.where(x < 0.0, -bits, bits)


def _unrank(rank: NDArray[np.int64]) -> Floats:
    size = np.abs(rank).view(np.float64)
    return np.where(rank < 0, -size, size)


def _unit_ends(
    log_evidence: Callable[[int, Floats], Floats], level: Floats
) -> tuple[Floats, Floats]:
    zero, one = np.zeros(level.size), np.ones(level.size)
    lo = _boundary(lambda m: log_evidence(1, m) >= level, zero, one)
    hi = _boundary(lambda m: log_evidence(-1, m) >= level, one, zero)
    return lo, hi


def _coin_ends(n: Floats, s: Floats, level: Floats, gap: float | None) -> tuple[Floats, Floats]:
    return _unit_ends(lambda side, m: mixtures.coin(side, n, s, m, focus=gap), level)


def _bounded_ends(
    n: Floats, d: Floats, d2: Floats, level: Floats, lo: float, hi: float, focus: float | None
) -> tuple[Floats, Floats]:
    width = hi - lo
    s, r = d / width, d2 / width / width
    gap = _gap(focus, width)

    def log_evidence(side: int, m: Floats) -> Floats:
        both = np.logaddexp(mixtures.coin(side, n, s, m, focus=gap), mixtures.fan(side, n, s, r, m))
        return both - math.log(2.0)

    low, high = _unit_ends(log_evidence, level)
    pad = _ULPS * (abs(lo) + abs(hi))
    return np.maximum(lo + width * low - pad, lo), np.minimum(lo + width * high + pad, hi)


def _sub_gaussian_ends(
    n: Floats, s: Floats, level: Floats, sigma: float, focus: float | None
) -> tuple[Floats, Floats]:
    gap = _gap(focus, sigma)

    def excluded(h: Floats) -> NDArray[np.bool_]:
        return mixtures.sub_gaussian(n, h, gap) >= level

    # At this distance even the weakest alternative is beyond any threshold.
    far = np.full(n.size, _FARTHEST)
    h = sigma * _boundary(excluded, far, -far)
    mean = s / n
    pad = _ULPS * (np.abs(mean) + np.abs(h))
    return mean - h - pad, mean + h + pad


def _heavy_ends(state: State, level: Floats) -> tuple[Floats, Floats]:
    epochs = heavy.epochs(state.records, state.tail.params[0])
    centre = epochs.pivots
    # Beyond this distance the evidence no longer grows: every step is at its limit.
    far = math.sqrt(epochs.var) * heavy.REACH + 2.0 * (centre.max() - centre.min())

    def end(side: int) -> Floats:
        # Candidates on the other side of the centre, side +1 looking for the lower end.
        def excluded(h: Floats) -> NDArray[np.bool_]:
            return epochs.log_evidence(side, centre - side * h, mixtures.SLACK) >= level

        start = np.full(centre.size, far)
        h = np.where(excluded(start), _boundary(excluded, start, -start), math.inf)
        return centre - side * (h + _ULPS * (np.abs(centre) + np.abs(h)))

    return end(1), end(-1)
