"""The error at alpha = 1e-6 for continuous data, by importance sampling.

Errors this rare are never seen by running. Instead paths are drawn from laws under which they are
common (exponential tilts of the true law, in both directions and several strengths) and each path
that ends in a rejection of the *true* mean counts with its likelihood ratio, computed here from the
laws, not from the package. The mean of these weights is the probability of ever rejecting.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats import (
    bounded,
    checkpoints,
    heavy,
    mixtures,
    new_state,
    update,
    variance_at_most,
)
from theorycheck.stats.intervals import _unit_evidence
from theorycheck.stats.schedule import log_threshold

Floats = NDArray[np.float64]
At = Callable[[int], bool]

ALPHA = 1e-6
LOOKS = list(takewhile(lambda n: n <= 2500, checkpoints()))


@dataclass(frozen=True)
class TiltedLaw:
    """A law with its exponential tilts: ``draw(rng, eta, n)``, ``log_moment(eta)``, its mean."""

    mean: float
    etas: tuple[float, ...]
    draw: Callable[[np.random.Generator, float, int], Floats]
    log_moment: Callable[[float], float]


NORMAL = TiltedLaw(
    0.0,
    (0.12, 0.18, 0.27, 0.4, 0.6),
    lambda rng, eta, n: rng.normal(eta, 1.0, n),
    lambda eta: eta * eta / 2,
)
# Density eta exp(eta x) / (exp(eta) - 1) on [0, 1], by inversion.
UNIFORM = TiltedLaw(
    0.5,
    (0.4, 0.6, 0.9, 1.4, 2.1),
    lambda rng, eta, n: np.clip(np.log1p(rng.random(n) * math.expm1(eta)) / eta, 0.0, 1.0),
    lambda eta: math.log(math.expm1(eta) / eta),
)


def rare(p: float) -> TiltedLaw:
    """Mean 0, variance 1, a large value with probability p."""
    high, low = math.sqrt((1 - p) / p), -math.sqrt(p / (1 - p))

    def log_moment(eta: float) -> float:
        return math.log(p * math.exp(eta * high) + (1 - p) * math.exp(eta * low))

    def draw(rng: np.random.Generator, eta: float, n: int) -> Floats:
        chance = p * math.exp(eta * high - log_moment(eta))
        return np.where(rng.random(n) < chance, high, low)

    return TiltedLaw(0.0, (0.12, 0.18, 0.27, 0.4, 0.6), draw, log_moment)


def error(
    law: TiltedLaw, rejected: Callable[[Floats], At], paths: int, start: int = 0
) -> tuple[float, float]:
    """Probability that ``rejected(x)`` of the whole path rejects at some look, and its noise.

    ``rejected(x)`` says whether the first n values reject. Values before ``start`` are drawn from the law itself.
    """
    rng = np.random.default_rng(20)
    tilts = np.array([sign * eta for sign in (1, -1) for eta in law.etas])
    moments = np.array([law.log_moment(eta) for eta in tilts])
    weights = np.zeros(paths)
    for i in range(paths):
        eta = float(tilts[i % tilts.size])
        x = law.draw(rng, 1e-9, LOOKS[-1])
        x[start:] = law.draw(rng, eta, LOOKS[-1] - start)
        at = rejected(x)
        stop = next((n for n in LOOKS if n > start and at(n)), None)
        if stop is not None:
            log_ratios = tilts * x[start:stop].sum() - (stop - start) * moments
            weights[i] = math.exp(-(np.logaddexp.reduce(log_ratios) - math.log(tilts.size)))
    return float(weights.mean()), float(weights.std() / math.sqrt(paths))


def normal_rejected(sigma: float, alpha: float = ALPHA) -> Callable[[Floats], At]:
    """Whether the confidence sequence of a sub-Gaussian mean rejects the true mean 0, by number of draws."""
    level = log_threshold(alpha)
    return lambda x: (
        lambda n: mixtures.sub_gaussian(float(n), np.array([abs(x[:n].mean()) / sigma]))[0] >= level
    )


def uniform_rejected(x: Floats) -> At:
    """Whether the confidence sequence of a bounded mean rejects the true mean 1/2, by number of draws."""
    sums = np.cumsum([y**k for y in (x, 1 - x) for k in (1, 2, 3, 4)], axis=1)

    def at(n: int) -> bool:
        evidence = _unit_evidence(bounded(0, 1), (n, *sums[:, n - 1]), None)
        return any(evidence(side, np.array([0.5]))[0] >= log_threshold(ALPHA) for side in (1, -1))

    return at


def heavy_rejected(var: float, alpha: float = ALPHA) -> Callable[[Floats], At]:
    """Whether the confidence sequence of a mean with a bounded variance rejects the true mean, by number of draws."""
    level = log_threshold(alpha)

    def rejected(x: Floats) -> At:
        records = update(new_state(variance_at_most(var)), x).records

        def at(n: int) -> bool:
            epochs = heavy.epochs(records[: LOOKS.index(n) + 1], var)
            return any(epochs.log_evidence(s, np.zeros(1))[0] >= level for s in (1, -1))

        return at

    return rejected
