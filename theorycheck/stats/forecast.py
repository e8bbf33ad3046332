"""What a budget of samples can tell apart: forecasts for planning, and Wald's bound for tests."""

from __future__ import annotations

import math

import numpy as np

from theorycheck.stats import bets
from theorycheck.stats.intervals import check_focus, interval_ends
from theorycheck.stats.schedule import FIRST_CHECKPOINT, checkpoints, log_threshold
from theorycheck.stats.state import Record
from theorycheck.stats.tails import REFUSAL, Tail

# A forecast beyond this is "never": no budget reaches it.
_NEVER = 10**15


def samples_needed(
    tail: Tail,
    alpha: float,
    distance: float,
    *,
    mean: float | None = None,
    deviation: float | None = None,
    focus: float | None = None,
) -> int | None:
    """The first checkpoint at which typical data exclude both ``mean - distance`` and
    ``mean + distance``; None if it is beyond 1e15.

    For an equality with target resolution rho this is when it passes (distance = rho * scale); for
    a closed form that is off by ``distance``, when it is refuted. Candidates outside the range of
    a bounded mean are excluded from the start.

    Args:
        tail: the declared assumption.
        alpha: the level of the decision.
        distance: positive, in the units of the mean.
        mean: expected mean; needed by ``bernoulli`` and ``bounded`` (default: the middle, the worst).
        deviation: expected standard deviation for ``bounded``, at most
            sqrt((mean - lo)(hi - mean)), which is also the default (the worst).
        focus: as for ``mean_interval``.

    Raises ValueError on arguments out of range.
    """
    level = np.array([log_threshold(alpha)])
    check_focus(tail, focus)
    if not (math.isfinite(distance) and distance > 0.0):
        raise ValueError(f"distance must be a positive number, got {distance!r}")
    if tail.kind == "distribution":
        raise ValueError(f"distribution() serves quantiles, not means: {REFUSAL}")
    centre = _expected_mean(tail, mean)

    def resolved(n: int) -> bool:
        lo, hi = interval_ends(tail, _typical(tail, n, centre, deviation), level, focus)
        return bool(lo[0] > centre - distance and hi[0] < centre + distance)

    steps: list[int] = []
    for n in checkpoints():
        if n > _NEVER:
            break
        steps.append(n)
    # The typical interval shrinks with n, so the first success is found by halving.
    first, beyond = 0, len(steps)
    while first < beyond:
        middle = (first + beyond) // 2
        first, beyond = (first, middle) if resolved(steps[middle]) else (middle + 1, beyond)
    return steps[first] if first < len(steps) else None


def expected_wald(p0: float, p1: float, alpha: float, beta: float = 0.0) -> float:
    """Wald's lower bound on the mean number of Bernoulli(p1) trials of any sequential test.

    The test rejects p0 with probability at most ``alpha`` when p0 is true, and fails to reject with
    probability at most ``beta`` (may be 0) when p1 is true: E N >= ((1 - beta) log((1 - beta)/alpha)
    + beta log(beta/(1 - alpha))) / KL(p1, p0) (Wald, 1945, "Sequential tests of statistical
    hypotheses", Ann. Math. Statist. 16). 0 if p1 is impossible under p0.
    Raises ValueError if p0 = p1 or a probability is out of range.
    """
    if not (0.0 <= p0 <= 1.0 and 0.0 <= p1 <= 1.0 and p0 != p1):
        raise ValueError(f"need two different probabilities, got {p0!r}, {p1!r}")
    log_threshold(alpha)
    if not 0.0 <= beta < 1.0 - alpha:
        raise ValueError(f"beta must lie in [0, 1 - alpha), got {beta!r}")
    information = _divergence(p1, p0) + _divergence(1.0 - p1, 1.0 - p0)
    missed = beta * math.log(beta / (1.0 - alpha)) if beta else 0.0
    return ((1.0 - beta) * math.log((1.0 - beta) / alpha) + missed) / information


def _divergence(p: float, q: float) -> float:
    if p == 0.0:
        return 0.0
    return p * math.log(p / q) if q > 0.0 else math.inf


def _expected_mean(tail: Tail, mean: float | None) -> float:
    lo, hi = {"bernoulli": (0.0, 1.0), "bounded": tail.params}.get(tail.kind, (-math.inf, math.inf))
    if mean is None:
        return (lo + hi) / 2.0 if math.isfinite(lo) else 0.0
    if not (math.isfinite(mean) and lo <= mean <= hi):
        raise ValueError(f"mean {mean!r} is impossible: {tail.text()}")
    return mean


def _typical(tail: Tail, n: int, mean: float, deviation: float | None) -> tuple[Record, ...]:
    """Records as if the data had exactly the expected mean and deviation."""
    if tail.kind in ("bernoulli", "sub_gaussian"):
        return ((n, n * mean),)
    if tail.kind == "variance_at_most":
        return ((FIRST_CHECKPOINT, mean, ()), (n, mean, ()))
    lo, hi = tail.params
    variance = (mean - lo) * (hi - mean)
    if deviation is not None:
        # The largest deviation is allowed as callers compute it, some roundings off.
        if not 0.0 <= deviation <= math.sqrt(variance) * (1.0 + 1e-12):
            raise ValueError(
                f"deviation {deviation!r} is impossible with mean {mean!r}: {tail.text()}"
            )
        variance = deviation**2
    share, spread = (mean - lo) / (hi - lo), variance / (hi - lo) ** 2
    return ((n, *_two_point_moments(n, share, spread), *_two_point_moments(n, 1 - share, spread)),)


def _two_point_moments(n: int, mean: float, variance: float) -> tuple[float, ...]:
    """Sums of powers for the law with the given mean and variance on 0 and one more value.

    Of all laws on [0, 1] with this mean and variance it has the least third and fourth moments.
    """
    ratio = variance / mean + mean if mean > 0.0 else 0.0
    return tuple(n * mean * ratio**k for k in range(bets.POWERS))
