"""The error at alpha = 1e-6 for continuous data, by importance sampling (`theorycheck.calibration.tilted`)."""

import numpy as np
import pytest

from theorycheck.calibration.tilted import (
    ALPHA,
    LOOKS,
    NORMAL,
    UNIFORM,
    error,
    heavy_rejected,
    normal_rejected,
    rare,
    uniform_rejected,
)
from theorycheck.stats import bets, bounded, new_state, sub_gaussian, update, variance_at_most


def test_normal_data():
    found, noise = error(NORMAL, normal_rejected(1.0), 1500)
    assert found + 4 * noise <= ALPHA
    # The estimate has seen what it speaks of.
    assert found > 4 * noise > 0 and found > ALPHA / 100


def test_a_sigma_too_small_is_noticed():
    found, noise = error(NORMAL, normal_rejected(0.8), 600)
    assert found - 4 * noise > ALPHA


def test_uniform_data():
    found, noise = error(UNIFORM, uniform_rejected, 150)
    assert found + 4 * noise <= ALPHA
    assert found > 2 * noise > 0 and found > ALPHA / 10_000


def test_a_planted_coefficient_is_noticed(monkeypatch):
    c1, c2, c3, c4 = bets._COEFFICIENTS
    monkeypatch.setattr(bets, "_COEFFICIENTS", (c1, c2 / 2, c3, c4))
    found, noise = error(UNIFORM, uniform_rejected, 100)
    assert found - 3 * noise > ALPHA


@pytest.mark.parametrize("p", [0.5, 0.02])
def test_rare_large_values_under_a_variance_bound(p):
    found, noise = error(rare(p), heavy_rejected(1.0), 120, start=64)
    assert found + 4 * noise <= ALPHA
    assert found > 0


def test_a_variance_bound_too_small_is_noticed():
    # No tilt needed: misses of chance 1e-6 show up in 60 plain paths.
    rng, law, rejected = np.random.default_rng(3), rare(0.02), heavy_rejected(0.2)
    paths = [law.draw(rng, 1e-9, LOOKS[-1]) for _ in range(60)]
    assert sum(any(map(rejected(x), LOOKS[1:])) for x in paths) >= 3


@pytest.mark.parametrize(
    ("tail", "draw", "mean"),
    [
        (variance_at_most(3.0), lambda r: r.standard_t(3, 800), 0.0),
        (variance_at_most(1.0), lambda r: r.exponential(size=800), 1.0),
        (bounded(0, 1), lambda r: r.beta(0.1, 3.0, 800), 0.1 / 3.1),
        (sub_gaussian(1.0), lambda r: r.normal(size=800), 0.0),
    ],
    ids=["Student 3", "exponential", "skew beta", "normal"],
)
def test_whole_intervals_at_an_even_bet(tail, draw, mean):
    """Public functions only, alpha = 1/2: misses are far rarer, so that 20 in 40 would be past luck."""
    from theorycheck.stats import mean_interval

    rng = np.random.default_rng(6)
    missed = 0
    for _ in range(40):
        lo, hi = mean_interval(update(new_state(tail), draw(rng)), 0.5)
        missed += not lo <= mean <= hi
    assert missed <= 20
