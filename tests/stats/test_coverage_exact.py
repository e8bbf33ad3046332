"""The error of the confidence sequences for Bernoulli data, computed exactly.

Ville's inequality proves it; these sums show that the code does what was proved, and that they
would notice if it did not (planted errors below).
"""

import math
from collections.abc import Callable
from itertools import takewhile

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from theorycheck.calibration.lattice import Rule, crossing
from theorycheck.stats import (
    bernoulli,
    bounded,
    checkpoints,
    mixtures,
    probability_interval,
    quantile_ranks,
    sub_gaussian,
)
from theorycheck.stats.intervals import _unit_evidence, interval_ends
from theorycheck.stats.schedule import log_threshold

LEVELS = [0.5, 0.2, 0.05, 1e-3]
TRUTHS = [0.001, 0.03, 0.3, 0.5, 0.99]


def looks(last):
    return list(takewhile(lambda n: n <= last, checkpoints()))


def bits(n, s):
    """The record of s ones and n - s zeros under ``bounded(0, 1)``."""
    return (n, *[float(s)] * 4, *[float(n - s)] * 4)


def by_evidence(tail, p, alpha, focus=None) -> Rule:
    """Does the count reject the true p? With the same evidence that intervals are made from."""
    level, at = log_threshold(alpha), np.array([p])

    def rejected(n, s):
        record = (n, s) if tail.kind == "bernoulli" else bits(n, s)
        evidence = _unit_evidence(tail, record, focus)
        return any(evidence(side, at)[0] >= level for side in (1, -1))

    return rejected


def by_gaussian(sigma, p, alpha) -> Rule:
    level = log_threshold(alpha)
    return lambda n, s: (
        mixtures.sub_gaussian(float(n), np.array([abs(s / n - p) / sigma]))[0] >= level
    )


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("p", TRUTHS)
def test_bernoulli_sequence_at_the_checkpoints(p, alpha):
    found = crossing(p, looks(8000), by_evidence(bernoulli(), p, alpha))
    assert found.probability <= alpha


@pytest.mark.parametrize("p", TRUTHS)
def test_bernoulli_sequence_at_every_single_count(p):
    # Stronger than what is used: no look is left out.
    found = crossing(p, range(1, 600), by_evidence(bernoulli(), p, 0.2))
    assert found.probability <= 0.2


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("p", [0.3, 0.5])
def test_with_a_focus(p, alpha):
    found = crossing(p, looks(8000), by_evidence(bernoulli(), p, alpha, focus=0.02))
    assert found.probability <= alpha
    # The focus is used: more of the level is spent.
    assert (
        found.probability > crossing(p, looks(8000), by_evidence(bernoulli(), p, alpha)).probability
    )


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("p", TRUTHS)
def test_bounded_sequence_on_zeros_and_ones(p, alpha):
    found = crossing(p, looks(8000), by_evidence(bounded(0, 1), p, alpha))
    assert found.probability <= alpha


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("p", [0.03, 0.5])
def test_sub_gaussian_sequence_on_zeros_and_ones(p, alpha):
    # Hoeffding's lemma: values in [0, 1] are sub-Gaussian with sigma = 1/2.
    found = crossing(p, looks(8000), by_gaussian(0.5, p, alpha))
    assert found.probability <= alpha


@pytest.mark.parametrize("alpha", [0.2, 1e-3])
@pytest.mark.parametrize("tail", [bernoulli(), bounded(0, 1), sub_gaussian(0.5)])
def test_the_reported_intervals_themselves(tail, alpha):
    p, level = 0.3, np.array([log_threshold(alpha)])

    def rejected(n, s):
        lo, hi = interval_ends(tail, (bits(n, s),), level)
        return bool(p < lo[0] or p > hi[0])

    assert crossing(p, looks(1000), rejected).probability <= alpha


def test_the_public_function_for_counts():
    def rejected(n, s):
        lo, hi = probability_interval(s, n, 0.05)
        return not lo <= 0.1 <= hi

    assert crossing(0.1, looks(400), rejected).probability <= 0.05


@pytest.mark.parametrize("q", [0.1, 0.5])
def test_quantile_ranks_at_every_single_count(q):
    # The q-quantile Q of a continuous law is missed if fewer than low values lie below it, or high
    # or more do.
    ranks = {n: quantile_ranks(n, q, 0.2) for n in range(1, 300)}

    def rejected(n, s):
        low, high = ranks[n]
        return s < low or s >= high

    assert crossing(q, range(1, 300), rejected).probability <= 0.2


# --- What must be noticed -----------------------------------------------------------------------


def clopper_pearson(p: float, alpha: float) -> Rule:
    """A sound interval for one look, used at every look."""
    return lambda n, s: bool(
        bdtr(s, n, p) < alpha / 2 or (s > 0 and bdtrc(s - 1, n, p) < alpha / 2)
    )


@pytest.mark.parametrize("alpha", [0.2, 0.05, 1e-3])
@pytest.mark.parametrize("p", [0.03, 0.5])
def test_a_fixed_sample_interval_looked_at_often_breaks_its_level(p, alpha):
    one = crossing(p, [8000], clopper_pearson(p, alpha))
    often = crossing(p, looks(8000), clopper_pearson(p, alpha))
    assert one.probability <= alpha
    assert often.probability > 2 * alpha


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
def test_the_law_of_the_iterated_logarithm_is_needed(alpha):
    """The normal approximation with alpha/2 a side, at every count: far over its level."""
    from scipy.stats import norm

    z = float(norm.isf(alpha / 2))
    found = crossing(0.5, range(64, 2000), lambda n, s: abs(s - n / 2) > z * math.sqrt(n) / 2)
    assert found.probability > 3 * alpha


@pytest.mark.parametrize(
    "plant",
    [
        lambda m: m.setattr(mixtures, "_GRID_WEIGHT", 12.0),
        lambda m: m.setattr(
            mixtures, "log_mean", lambda terms, weight: np.logaddexp.reduce(terms, axis=0)
        ),
        lambda m: m.setattr(mixtures, "against", lambda grid, x: 1.1 * grid.reshape(-1, 1)),
    ],
    ids=["weights that do not add up to one", "a sum for a mean", "harmless"],
)
def test_planted_errors_break_the_level(monkeypatch, request, plant):
    rule: Callable[[], float] = lambda: (  # noqa: E731
        crossing(0.5, looks(8000), by_evidence(bernoulli(), 0.5, 0.05)).probability
    )
    plant(monkeypatch)
    broken = rule() > 0.05
    assert broken == ("harmless" not in request.node.name)


def test_a_wrong_normaliser_breaks_the_level(monkeypatch):
    """A tilt whose log-moment is half of what it should be: no supermartingale any more."""
    right = mixtures._coin_terms

    def wrong(n, s, m, theta):
        return right(n, s, m, theta) + 0.5 * n * np.abs(np.log1p(m * np.expm1(theta)) - m * theta)

    monkeypatch.setattr(mixtures, "_coin_terms", wrong)
    assert crossing(0.5, looks(8000), by_evidence(bernoulli(), 0.5, 1e-3)).probability > 1e-3


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
def test_a_sigma_declared_too_small_breaks_the_level(alpha):
    assert crossing(0.5, looks(8000), by_gaussian(0.25, 0.5, alpha)).probability > alpha


def test_the_sums_are_right():
    """The dynamic programme against a case that can be summed by hand: reject on 3 of 3 or 6 of 6."""
    found = crossing(0.5, [3, 6], lambda n, s: s in (0, n))
    # Three alike: 1/4. Otherwise six alike is impossible.
    assert found.probability == pytest.approx(0.25, abs=1e-15)
    assert found.mean_n == pytest.approx(3 + 3 * 0.75, abs=1e-15)
    found = crossing(0.25, [1, 2], lambda n, s: s == 2)
    assert found.probability == pytest.approx(1 / 16, abs=1e-15)
