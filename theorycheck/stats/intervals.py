"""Confidence sequences for means and probabilities, from the recorded evidence alone.

Every interval here is valid at all checkpoints simultaneously with probability at least 1 - alpha
(see ``mixtures.py`` and ``heavy.py`` for why), so it may be looked at as often as one likes, and
the intersection over the checkpoints so far is reported. Endpoints are found by nested section
between a rejected and an accepted candidate: the reported endpoint is itself a candidate
that the (under-estimated) evidence rejects, so an inexact search can only widen the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats import bets, heavy, mixtures
from theorycheck.stats.errors import AssumptionBroken
from theorycheck.stats.schedule import log_threshold
from theorycheck.stats.state import MeanState, Record
from theorycheck.stats.tails import REFUSAL, Tail

Floats = NDArray[np.float64]
LogEvidence = Callable[[int, Floats], Floats]

# Roundings between a normalised endpoint and the reported one: a product, a sum, a quotient.
_ULPS = 4 * 2.0**-52
# Candidates a pass of the search. For one level an array operation on so many costs about as much as
# on one; for many levels the work counts, and few candidates a pass need the least of it.
_SECTIONS_ALONE, _SECTIONS_MANY = 32, 4
# The search stops when it could move an endpoint by this share of its distance from the estimate.
_SHARE = 2.0**-16
# ... or when sections would be single roundings wide, or nearer to 0 than anything of interest.
_NEIGHBOURS, _NOTHING = 2.0**-46, 1e-30


def mean_interval(
    state: MeanState, alpha: float, *, focus: float | None = None
) -> tuple[float, float]:
    """Time-uniform confidence interval [lo, hi] for the mean, rounded outward.

    Args:
        state: evidence; the interval uses its records, that is the data up to the last checkpoint.
            Without a record it is the whole range: [0, 1], [lo, hi] or (-inf, inf).
        alpha: in (0, 1), as small as 1e-300.
        focus: a difference that matters, in the units of the mean, fixed before the data were seen:
            half of the weight for telling means this far apart. Not for ``variance_at_most``.

    Raises:
        ValueError: alpha or focus out of range.
        AssumptionBroken: the running intersection is empty.
    """
    level = log_threshold(alpha)
    check_focus(state.tail, focus)
    lo, hi = whole_range(state.tail)
    for history in histories(state):
        low, high = _cached_ends(state.tail, history, level, focus)
        lo, hi = max(lo, low), min(hi, high)
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
    level, tail = log_threshold(alpha), Tail("bernoulli")
    check_focus(tail, focus)
    return _cached_ends(tail, ((n, successes),), level, focus) if n else (0.0, 1.0)


def check_focus(tail: Tail, focus: float | None) -> None:
    """Raise ValueError unless ``focus`` is None or a positive number that the tail can use."""
    if focus is None:
        return
    if tail.kind == "variance_at_most":
        raise ValueError("variance_at_most takes no focus")
    if not (math.isfinite(focus) and focus > 0.0):
        raise ValueError(f"focus must be a positive number, got {focus!r}")


def whole_range(tail: Tail) -> tuple[float, float]:
    """What is known of the mean without data."""
    if tail.kind == "distribution":
        raise ValueError(f"distribution() serves quantiles, not means: {REFUSAL}")
    if tail.kind == "bernoulli":
        return 0.0, 1.0
    return (tail.params[0], tail.params[1]) if tail.kind == "bounded" else (-math.inf, math.inf)


def histories(state: MeanState) -> list[tuple[Record, ...]]:
    """For each checkpoint with an interval, the records that it needs (the last is its own)."""
    if state.tail.kind == "variance_at_most":
        return [state.records[:k] for k in range(2, len(state.records) + 1)]
    return [(record,) for record in state.records]


@lru_cache(maxsize=1 << 14)
def _cached_ends(
    tail: Tail, history: tuple[Record, ...], level: float, focus: float | None
) -> tuple[float, float]:
    lo, hi = interval_ends(tail, history, np.array([level]), focus)
    return float(lo[0]), float(hi[0])


def interval_ends(
    tail: Tail, history: tuple[Record, ...], levels: Floats, focus: float | None = None
) -> tuple[Floats, Floats]:
    """Ends of {m : log W_n(m) < level} at the last record of ``history``, for each of ``levels``.

    A level is log(1/alpha), but may be any real number, which joint sets of two means need; the set
    may come out empty (lo > hi).
    """
    n = float(history[-1][0])
    if tail.kind == "bernoulli":
        return _unit_ends(_unit_evidence(tail, history[-1], focus), history[-1][1] / n, levels)
    if tail.kind == "bounded":
        lo, hi = tail.params
        width = hi - lo
        centre = min(history[-1][1] / n, 1.0)
        low, high = _unit_ends(_unit_evidence(tail, history[-1], focus), centre, levels)
        pad = _ULPS * (abs(lo) + abs(hi))
        return np.maximum(lo + width * low - pad, lo), np.minimum(lo + width * high + pad, hi)
    if tail.kind == "sub_gaussian":
        sigma, mean = tail.params[0], history[-1][1] / n
        gap = None if focus is None else focus / sigma
        far = mixtures.sub_gaussian_reach(n, levels)
        h = _boundary(lambda h: mixtures.sub_gaussian(n, h, gap) >= levels, far, 0.0, -far) * sigma
        pad = _ULPS * (abs(mean) + np.abs(h))
        return mean - h - pad, mean + h + pad
    return _heavy_ends(heavy.epochs(history, tail.params[0]), levels)


def evidence_floor(tail: Tail, history: tuple[Record, ...]) -> float:
    """A level at and below which the set of ``interval_ends`` is empty.

    Evidence for "larger" decreases in m and evidence for "smaller" increases, so at every m one of
    them is at least what it is at any fixed centre.
    """
    if tail.kind == "sub_gaussian":
        return float(mixtures.sub_gaussian(float(history[-1][0]), np.zeros(1), None)[0])
    if tail.kind == "variance_at_most":
        epochs = heavy.epochs(history, tail.params[0])
        centre = np.array([epochs.pivots[-1]])
        sides = [epochs.log_evidence(side, centre) for side in (1, -1)]
    else:
        centre = np.clip([history[-1][1] / history[-1][0]], 2.0**-60, 1.0 - 2.0**-53)
        sides = [_unit_evidence(tail, history[-1], None)(side, centre) for side in (1, -1)]
    return float(min(side[0] for side in sides))


def _unit_evidence(tail: Tail, record: Record, focus: float | None) -> LogEvidence:
    n = float(record[0])
    if tail.kind == "bernoulli":
        return lambda side, m: mixtures.coin(side, n, float(record[1]), m, focus)
    gap = None if focus is None else focus / (tail.params[1] - tail.params[0])
    larger = bets.bets(n, record[1 : 1 + bets.POWERS])
    smaller = bets.bets(n, record[1 + bets.POWERS :])

    def both(side: int, m: Floats) -> Floats:
        coin = mixtures.coin(side, n, record[1], m, gap)
        wealth = larger.wealth(m) if side > 0 else smaller.wealth(1.0 - m)
        mixture: Floats = np.logaddexp(coin, wealth) - math.log(2.0)
        return mixture

    return both


def _unit_ends(evidence: LogEvidence, centre: float, levels: Floats) -> tuple[Floats, Floats]:
    zero, one = np.zeros(levels.shape), np.ones(levels.shape)
    lo = _boundary(lambda m: evidence(1, m) >= levels, zero, centre, one, top=1.0)
    hi = _boundary(lambda m: evidence(-1, m) >= levels, one, centre, zero, top=1.0)
    return lo, hi


def _heavy_ends(epochs: heavy.Epochs, levels: Floats) -> tuple[Floats, Floats]:
    centre = float(epochs.pivots[-1])
    # Beyond this distance the evidence no longer grows: every step is at its limit.
    far = math.sqrt(epochs.var) * heavy.REACH + float(np.ptp(epochs.pivots))

    def end(side: int) -> Floats:
        # Candidates on the other side of the centre; side +1 looks for the lower end.
        def excluded(h: Floats) -> NDArray[np.bool_]:
            return epochs.log_evidence(side, centre - side * h) >= levels

        start = np.full(levels.shape, far)
        h = np.where(excluded(start), _boundary(excluded, start, 0.0, -start), math.inf)
        return centre - side * (h + _ULPS * (abs(centre) + np.abs(h)))

    return end(1), end(-1)


def _boundary(
    excluded: Callable[[Floats], NDArray[np.bool_]],
    out: Floats,
    centre: float,
    beyond: Floats,
    top: float = math.inf,
) -> Floats:
    """A rejected candidate next to the accepted ones, coming from ``out``, one for each level.

    ``out`` counts as rejected (the caller has checked it, or it is the end of the range), ``centre``
    is where acceptance is expected, and ``beyond`` on its other side is where the search ends if
    even the centre is rejected. The range ends at 0 and ``top``. ``excluded`` takes candidates of
    shape (sections, levels).
    """
    middle = np.full(out.shape, centre)
    gone = excluded(middle)
    a, b = np.where(gone, middle, out), np.where(gone, beyond, middle)
    sections = _SECTIONS_ALONE if out.size == 1 else _SECTIONS_MANY
    count = np.arange(1.0, sections + 1.0)[:, None]
    while True:
        gap, reach = np.abs(a - b), np.abs(b - centre)
        # Accuracy is relative to the distances from the estimate and from the ends of the range.
        room = np.minimum(reach, np.minimum(np.abs(b), np.abs(top - b)))
        wide = gap > _SHARE * room + _NEIGHBOURS * np.abs(b) + _NOTHING
        if not wide.any():
            return a
        # Halve the distance from the centre until its size is known, then cut evenly.
        halving = np.abs(a - centre) > 4.0 * reach
        mid = np.where(
            halving,
            centre + (a - centre) * 2.0**-count,
            a + (b - a) * (count / (sections + 1.0)),
        )
        between = wide & ((mid - a) * (b - mid) > 0.0)
        mid = np.where(between, mid, b)
        passed = np.logical_and.accumulate(between & excluded(mid), axis=0).sum(axis=0)
        rows = np.concatenate([a[None], mid, b[None]])
        columns = np.arange(a.size)
        a, b = rows[passed, columns], rows[passed + 1, columns]
