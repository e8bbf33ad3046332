import math
from dataclasses import replace

import numpy as np
import pytest

from theorycheck.stats import (
    AssumptionBroken,
    bernoulli,
    bounded,
    difference_interval,
    last_checkpoint,
    mean_interval,
    mixtures,
    new_state,
    pairs,
    ratio_interval,
    sub_gaussian,
    update,
    variance_at_most,
)

RNG = np.random.default_rng(5)
N = 4000
TAILS = [bernoulli(), bounded(0.0, 2.0), sub_gaussian(1.0), variance_at_most(1.0)]


def stream(tail, mean, seed=0):
    rng = np.random.default_rng(seed)
    if tail.kind == "bernoulli":
        x = rng.random(N) < mean
    elif tail.kind == "bounded":
        x = mean + 0.2 * (rng.random(N) - 0.5)
    else:
        x = rng.normal(mean, 1.0, N)
    return update(new_state(tail), x)


@pytest.mark.parametrize("tail", TAILS, ids=lambda t: t.kind)
@pytest.mark.parametrize("alpha", [0.05, 1e-10])
def test_difference_and_ratio_cover_and_beat_two_intervals(tail, alpha):
    a, b = stream(tail, 0.7, 1), stream(tail, 0.5, 2)
    low_a, high_a = mean_interval(a, alpha / 2)
    low_b, high_b = mean_interval(b, alpha / 2)
    lo, hi = difference_interval(a, b, alpha)
    assert lo < 0.2 < hi
    assert hi - lo < 0.92 * (high_a - low_b - (low_a - high_b))
    lo, hi = ratio_interval(a, b, alpha)
    assert lo < 1.4 < hi
    if low_b > 0:
        assert hi - lo < 0.95 * (high_a / low_b - low_a / high_b)


def test_mixed_tails():
    a, b = stream(bernoulli(), 0.7), stream(sub_gaussian(1.0), 0.5)
    lo, hi = difference_interval(a, b, 1e-6)
    assert lo < 0.2 < hi < 0.5


def test_swapping_the_streams_mirrors_the_difference():
    a, b = stream(bounded(0.0, 2.0), 0.7, 1), stream(bounded(0.0, 2.0), 0.5, 2)
    lo, hi = difference_interval(a, b, 1e-6)
    low, high = difference_interval(b, a, 1e-6)
    assert (-high, -low) == pytest.approx((lo, hi), rel=1e-2)


def test_exact_error_of_the_difference_of_two_coins():
    """All pairs of counts at one look: the misses weigh less than alpha."""
    from scipy.stats import binom

    n, pa, pb, alpha = 64, 0.6, 0.3, 0.05
    state = new_state(bernoulli())
    ends = [
        [
            difference_interval(
                update(state, np.arange(n) < sa), update(state, np.arange(n) < sb), alpha
            )
            for sb in range(8, 33, 4)
        ]
        for sa in range(26, 55, 4)
    ]
    # Counts on a coarse grid, each standing for four: ends move monotonically with the counts.
    missed = 0.0
    for i, sa in enumerate(range(26, 55, 4)):
        for j, sb in enumerate(range(8, 33, 4)):
            lo, hi = ends[i][j]
            weight = binom.pmf(range(sa - 2, sa + 2), n, pa).sum()
            weight *= binom.pmf(range(sb - 2, sb + 2), n, pb).sum()
            missed += weight * (not lo <= pa - pb <= hi)
    assert missed < alpha


@pytest.mark.parametrize(("cells", "excess"), [(32, 1.03), (3, 1.5)])
def test_the_difference_covers_the_joint_set(monkeypatch, cells, excess):
    """Against the joint set itself, walked along its border: few cells add more, none leave out."""
    monkeypatch.setattr(pairs, "_CELLS", cells)
    pairs._joint.cache_clear()
    a, b = stream(sub_gaussian(1.0), 0.7, 1), stream(sub_gaussian(0.5), 0.5, 2)
    first = (update(new_state(s.tail), np.zeros(64)) for s in (a, b))
    a, b = (replace(s, records=((64, 64 * m),)) for s, m in zip(first, (0.7, 0.5), strict=True))
    alpha = 1e-6
    h = np.linspace(0.0, 1.2, 20_001)
    log_a, log_b = mixtures.sub_gaussian(64.0, h), mixtures.sub_gaussian(64.0, h / 0.5)
    rest = np.searchsorted(log_b, math.log(1 / alpha) - log_a)
    reach = (h + h[np.clip(rest - 1, 0, None)])[rest > 0].max()
    lo, hi = difference_interval(a, b, alpha)
    pairs._joint.cache_clear()
    assert reach <= hi - 0.2 <= excess * reach
    assert reach <= 0.2 - lo <= excess * reach


def test_smaller_alpha_is_wider():
    a, b = stream(bernoulli(), 0.7, 1), stream(bernoulli(), 0.5, 2)
    ends = [difference_interval(a, b, alpha) for alpha in (0.1, 1e-3, 1e-9)]
    assert ends[2][0] < ends[1][0] < ends[0][0] < ends[0][1] < ends[1][1] < ends[2][1]


def test_without_evidence_only_the_ranges_speak():
    coin, normal = new_state(bernoulli()), new_state(sub_gaussian(1.0))
    lo, hi = difference_interval(coin, coin, 0.05)
    assert (lo, hi) == pytest.approx((-1.0, 1.0), abs=1e-15) and lo <= -1.0 and hi >= 1.0
    assert difference_interval(coin, normal, 0.05) == (-math.inf, math.inf)
    assert ratio_interval(coin, coin, 0.05) == (-math.inf, math.inf)
    assert ratio_interval(coin, normal, 0.05) == (-math.inf, math.inf)


def test_a_ratio_over_a_mean_that_may_be_zero_is_unknown():
    assert ratio_interval(stream(sub_gaussian(1.0), 5.0), stream(sub_gaussian(1.0), 0.0), 0.05) == (
        -math.inf,
        math.inf,
    )


def test_negative_denominators():
    a, b = stream(sub_gaussian(1.0), 5.0, 1), stream(sub_gaussian(1.0), -2.0, 2)
    lo, hi = ratio_interval(a, b, 0.05)
    assert lo < -2.5 < hi < -2.0


def test_excess_data_of_one_stream_are_left_out():
    x, y = RNG.random(N) < 0.5, RNG.random(N) < 0.5
    short = last_checkpoint(1000)
    state = new_state(bernoulli())
    cut = difference_interval(update(state, x[:short]), update(state, y[:short]), 0.05)
    assert difference_interval(update(state, x), update(state, y[:1000]), 0.05) == cut


def test_contradictory_evidence_is_a_broken_assumption():
    state = new_state(bernoulli())
    drifting = update(state, np.arange(60_000) > 2000)
    with pytest.raises(AssumptionBroken, match="no pair of means"):
        difference_interval(drifting, update(state, np.arange(60_000) <= 2000), 0.05)


def test_a_senseless_level_is_refused():
    with pytest.raises(ValueError, match="alpha"):
        difference_interval(new_state(bernoulli()), new_state(bernoulli()), 0.0)
