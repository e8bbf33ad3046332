import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from theorycheck.stats import (
    AssumptionBroken,
    MeanState,
    bernoulli,
    bounded,
    last_checkpoint,
    mean_interval,
    mixtures,
    new_state,
    probability_interval,
    sub_gaussian,
    update,
    variance_at_most,
)
from theorycheck.stats.intervals import interval_ends

LEVELS = [0.5, 0.05, 1e-3, 1e-6 / 4096 / 2, 1e-12, 1e-100, 1e-300]
RNG = np.random.default_rng(11)
STREAMS = {
    bernoulli(): RNG.random(5000) < 0.2,
    bounded(-1.0, 3.0): RNG.beta(2.0, 5.0, 5000),
    sub_gaussian(0.5): RNG.uniform(2.5, 3.5, 5000),
    variance_at_most(1.0): RNG.exponential(size=5000),
}
MEANS = dict(zip(STREAMS, [0.2, 2.0 / 7.0, 3.0, 1.0], strict=True))
TAILS = list(STREAMS)
IDS = [tail.kind for tail in TAILS]
by_tail = pytest.mark.parametrize("tail", TAILS, ids=IDS)


def after(tail, values):
    return update(new_state(tail), np.asarray(values))


@by_tail
@pytest.mark.parametrize("alpha", LEVELS)
def test_the_interval_holds_the_mean_and_is_finite(tail, alpha):
    lo, hi = mean_interval(after(tail, STREAMS[tail]), alpha)
    assert lo < MEANS[tail] < hi
    assert math.isfinite(lo) and math.isfinite(hi)


@by_tail
def test_smaller_alpha_contains_larger(tail):
    state = after(tail, STREAMS[tail])
    for wide, narrow in zip(LEVELS[1:], LEVELS, strict=False):
        (a, b), (c, d) = mean_interval(state, wide), mean_interval(state, narrow)
        assert a < c < d < b


@by_tail
def test_more_data_never_widen_the_interval(tail):
    state, lo, hi = new_state(tail), -math.inf, math.inf
    for block in np.array_split(STREAMS[tail], 25):
        state = update(state, block)
        low, high = mean_interval(state, 1e-9)
        assert lo <= low <= high <= hi
        lo, hi = low, high


@by_tail
def test_without_a_checkpoint_nothing_is_known(tail):
    whole = {"bernoulli": (0.0, 1.0), "bounded": (-1.0, 3.0)}.get(tail.kind, (-math.inf, math.inf))
    assert mean_interval(new_state(tail), 1e-6) == whole
    assert mean_interval(after(tail, STREAMS[tail][:63]), 1e-6) == whole


@by_tail
def test_data_after_the_last_checkpoint_do_not_count_yet(tail):
    x = STREAMS[tail]
    assert mean_interval(after(tail, x[:99]), 0.05) == mean_interval(after(tail, x[:80]), 0.05)
    assert mean_interval(after(tail, x[:100]), 0.05) != mean_interval(after(tail, x[:80]), 0.05)


@by_tail
def test_a_stored_state_is_judged_alike(tail):
    state = after(tail, STREAMS[tail])
    assert mean_interval(MeanState.from_json(state.to_json()), 1e-9) == mean_interval(state, 1e-9)


@by_tail
@pytest.mark.parametrize("alpha", [0.0, 1.0, math.nan, 1])
def test_a_senseless_level_is_refused(tail, alpha):
    with pytest.raises(ValueError, match="alpha"):
        mean_interval(after(tail, STREAMS[tail]), alpha)


@by_tail
@pytest.mark.parametrize("focus", [0.0, -1.0, math.nan, math.inf])
def test_a_senseless_focus_is_refused(tail, focus):
    with pytest.raises(ValueError, match="focus"):
        mean_interval(after(tail, STREAMS[tail]), 0.05, focus=focus)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 10**15), share=st.floats(0, 1), level=st.sampled_from(LEVELS))
def test_a_probability_interval_holds_the_observed_share(n, share, level):
    k = min(n, round(share * n))
    lo, hi = probability_interval(k, n, level)
    assert 0.0 <= lo <= k / n <= hi <= 1.0
    assert (lo == 0.0) == (k == 0) or lo < 1e-25
    assert (hi == 1.0) == (k == n) or hi > 1 - 1e-15


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 10**6), share=st.floats(0, 1), level=st.sampled_from(LEVELS))
def test_success_and_failure_are_mirror_images(n, share, level):
    k = min(n, round(share * n))
    lo, hi = probability_interval(k, n, level)
    low, high = probability_interval(n - k, n, level)
    assert 1 - high == pytest.approx(lo, rel=1e-3, abs=1e-12)
    assert 1 - low == pytest.approx(hi, rel=1e-3, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 10**6), k=st.integers(0, 10**6), level=st.sampled_from(LEVELS))
def test_one_success_more_moves_the_interval_up(n, k, level):
    assume(k < n)
    lo, hi = probability_interval(k, n, level)
    low, high = probability_interval(k + 1, n, level)
    # Endpoints are searched to a share 2^-16 of their distance from the observed share.
    fuzz = 2.0**-15 * (hi - lo)
    assert low >= lo - fuzz and high >= hi - fuzz


@settings(max_examples=40)
@given(n=st.integers(1, 10**9), share=st.floats(0, 1), level=st.sampled_from(LEVELS))
def test_reported_ends_are_themselves_rejected(n, share, level):
    k = min(n, round(share * n))
    for side, end in zip((1, -1), probability_interval(k, n, level), strict=True):
        if 0.0 < end < 1.0:
            evidence = mixtures.coin(side, float(n), float(k), np.array([end]))[0]
            assert evidence >= math.log(1 / level)


@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9), st.floats(0, 1))
def test_a_range_is_mapped_back_outward(lo, width, share):
    hi = lo + max(width, 1e-12 * abs(lo))
    powers = [100.0 * share**k for k in (1, 2, 3, 4)] + [
        100.0 * (1 - share) ** k for k in (1, 2, 3, 4)
    ]
    level = np.array([20.0])
    unit, moved = (
        interval_ends(tail, ((100, *powers),), level) for tail in (bounded(0, 1), bounded(lo, hi))
    )
    exact = [Fraction(lo) + (Fraction(hi) - Fraction(lo)) * Fraction(float(e[0])) for e in unit]
    # Up to the outward step of the unit interval itself.
    step = (Fraction(hi) - Fraction(lo)) * Fraction(2) ** -49
    assert max(moved[0][0], lo) <= max(exact[0] + step, lo)
    assert min(moved[1][0], hi) >= min(exact[1] - step, hi)


def test_no_trials_no_failures_all_successes():
    assert probability_interval(0, 0, 1e-12) == (0.0, 1.0)
    # One success speaks only against probabilities below alpha/8.
    lo, hi = probability_interval(1, 1, 1e-12)
    assert lo == pytest.approx(1e-12 / 8, rel=1e-4) and hi == 1.0
    lo, hi = probability_interval(0, 10**6, 1e-10)
    # The atom at 0 gives log(8/alpha)/n; the grid adds a little. Wald's bound is log(1/alpha)/n.
    assert lo == 0.0
    assert math.log(1 / 1e-10) / 1e6 < hi < math.log(8 / 1e-10) / 1e6


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(ValueError, match="successes"):
        probability_interval(k, n, 0.05)


@pytest.mark.parametrize("alpha", [1e-3, 1e-12])
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (1e-6, 1e-3), (1e6, -1e7), (3.7, 1e3)])
def test_units_and_origin_do_not_matter(scale, shift, alpha):
    x = np.random.default_rng(3).random(2000)
    pairs = [
        (bounded(0, 1), bounded(shift, scale + shift)),
        (sub_gaussian(0.5), sub_gaussian(0.5 * scale)),
        (variance_at_most(0.1), variance_at_most(0.1 * scale**2)),
    ]
    for plain, moved in pairs:
        y = x * scale + shift
        y = np.clip(y, shift, scale + shift)
        expected = [e * scale + shift for e in mean_interval(after(plain, x), alpha)]
        found = mean_interval(after(moved, y), alpha)
        assert found == pytest.approx(expected, abs=1e-6 * scale + 1e-12 * abs(shift))


def test_mirrored_data_give_the_mirrored_interval():
    x = np.random.default_rng(4).beta(1.0, 9.0, 3000)
    for tail in (bounded(-1, 1), sub_gaussian(0.5), variance_at_most(0.01)):
        lo, hi = mean_interval(after(tail, x), 1e-9)
        low, high = mean_interval(after(tail, -x), 1e-9)
        assert (-high, -low) == pytest.approx((lo, hi), abs=1e-3 * (hi - lo))


def test_a_bounded_mean_adapts_to_the_variance():
    rng = np.random.default_rng(5)
    wide = mean_interval(after(bounded(0, 1), rng.random(100_000)), 1e-9)
    narrow = mean_interval(after(bounded(0, 1), 0.5 + 0.02 * (rng.random(100_000) - 0.5)), 1e-9)
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 10


@pytest.mark.parametrize("value", [0.0, 1e-9, 0.3, 0.5, 1 - 1e-9, 1.0])
def test_constant_data_in_a_range(value):
    lo, hi = mean_interval(after(bounded(0, 1), np.full(100_000, value)), 1e-9)
    assert lo <= value <= hi
    # One over n, not one over the square root of n.
    assert hi - lo < 2 * 30 / 80_000
    if value in (0.0, 1.0):
        assert value in (lo, hi)


@pytest.mark.parametrize(
    ("tail", "make"),
    [
        (bounded(0, 1), lambda r, n: r.random(n)),
        (sub_gaussian(1.0), lambda r, n: r.normal(size=n)),
        (variance_at_most(1.0), lambda r, n: r.normal(size=n)),
        (variance_at_most(3.0), lambda r, n: r.standard_t(3, n)),
    ],
    ids=["uniform", "normal", "normal, variance only", "Student 3, variance only"],
)
def test_widths_are_near_those_of_a_single_look(tail, make):
    """At the level of a decision, looking always costs a few tens of percent of width at most."""
    alpha = 1e-6 / 4096 / 2
    x = make(np.random.default_rng(8), 100_000)
    lo, hi = mean_interval(after(tail, x), alpha)
    n, sigma = last_checkpoint(100_000), math.sqrt(np.var(x))
    assert (hi - lo) / 2 < 1.25 * sigma * math.sqrt(2 * math.log(2 / alpha) / n)


def test_heavy_tails_are_covered_where_the_sample_mean_is_lost():
    # Values of 1/eps with probability eps^2: variance 1; one seen too many moves the mean by far.
    x = np.zeros(10_000)
    x[5000] = 1e6
    lo, hi = mean_interval(after(variance_at_most(1.0), x), 1e-9)
    assert -0.2 < lo < 0.0 < hi < 0.2
    assert x.mean() > 50


@by_tail
def test_an_empty_running_intersection_is_a_broken_assumption(tail):
    calm = {"bernoulli": (0, 1), "bounded": (-1.0, 3.0)}.get(tail.kind, (0.0, 50.0))
    x = np.concatenate([np.full(5000, calm[0]), np.full(200_000, calm[1])])
    with pytest.raises(AssumptionBroken, match="no mean is compatible"):
        mean_interval(after(tail, x), 0.05)


def test_too_small_a_sigma_is_noticed():
    # Sums spread ten times wider than declared wander out of their own past intervals.
    x = np.random.default_rng(2).normal(size=300_000)
    with pytest.raises(AssumptionBroken):
        mean_interval(after(sub_gaussian(0.1), x), 1e-6)


@pytest.mark.parametrize("kind", ["bernoulli", "bounded", "sub_gaussian"])
def test_focus_sharpens_at_its_own_distance(kind):
    tail = {"bernoulli": bernoulli(), "bounded": bounded(0, 1), "sub_gaussian": sub_gaussian(0.5)}[
        kind
    ]
    # At a mild level the share of the mixture that matters is a large part of the price.
    x = (np.arange(20_000) % 2).astype(float)
    plain = mean_interval(after(tail, x), 0.05)
    focused = mean_interval(after(tail, x), 0.05, focus=(plain[1] - plain[0]) / 2)
    assert focused[1] - focused[0] < plain[1] - plain[0]


def test_variance_alone_takes_no_focus():
    with pytest.raises(ValueError, match="focus"):
        mean_interval(new_state(variance_at_most(1.0)), 0.05, focus=0.1)
