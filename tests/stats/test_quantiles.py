import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstwo

from theorycheck.stats import (
    bernoulli,
    cdf_radius,
    distribution,
    new_state,
    next_checkpoint,
    quantile_interval,
    quantile_ranks,
    update,
)


def state_of(x, **kwargs):
    return update(new_state(distribution(**kwargs)), x)


@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=300), st.sampled_from([1, 6, 20]))
def test_bins_hold_the_order_statistics(values, bits):
    x, q = np.sort(np.array(values)), 0.4
    low, high = quantile_ranks(x.size, q, 0.3)
    lo, hi = quantile_interval(state_of(x, bits=bits), q, 0.3)
    if low >= 1:
        first = x[low - 1]
        assert lo <= first and first - lo <= 2.0**-bits * abs(first)
    else:
        assert lo == -math.inf
    if high <= x.size:
        last = x[high - 1]
        assert last <= hi and hi - last <= 2.0**-bits * abs(last)
    else:
        assert hi == math.inf


@pytest.mark.parametrize("q", [0.01, 0.5, 0.95])
def test_the_quantile_is_covered_and_approached(q):
    rng = np.random.default_rng(1)
    exact = -math.log1p(-q)
    widths = []
    for n in (1000, 100_000):
        lo, hi = quantile_interval(state_of(rng.exponential(size=n)), q, 1e-6)
        assert lo < exact < hi
        widths.append(hi - lo)
    assert widths[1] < widths[0] / 4


def test_an_origin_sharpens_far_from_zero():
    x = 1e6 + np.random.default_rng(2).normal(size=20_000)
    coarse = quantile_interval(state_of(x), 0.5, 1e-6)
    fine = quantile_interval(state_of(x, origin=1e6), 0.5, 1e-6)
    assert coarse[0] <= fine[0] < 1e6 < fine[1] <= coarse[1]
    assert fine[1] - fine[0] < 0.2 < coarse[1] - coarse[0]


def test_ties_and_atoms_are_covered():
    x = np.repeat([0.0, 1.0, 2.0], 1000)
    assert quantile_interval(state_of(x), 0.5, 1e-6)[0] <= 1.0
    lo, hi = quantile_interval(state_of(np.full(1000, -3.0)), 0.5, 1e-6)
    assert lo <= -3.0 <= hi and hi - lo < 0.01


@pytest.mark.parametrize("alpha", [0.1, 1e-9])
@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("n", [1, 10, 1000, 10**6])
def test_ranks_enclose_the_observed_quantile_and_mirror(n, q, alpha):
    low, high = quantile_ranks(n, q, alpha)
    assert 0 <= low <= max(1, math.ceil(q * n)) and min(n, math.floor(q * n)) <= high <= n + 1
    mirrored = quantile_ranks(n, 1 - q, alpha)
    assert abs(n + 1 - mirrored[1] - low) <= 1 and abs(n + 1 - mirrored[0] - high) <= 1


def test_few_data_say_nothing():
    assert quantile_ranks(0, 0.5, 0.05) == (0, 1)
    assert quantile_ranks(3, 0.5, 1e-6) == (0, 4)
    assert quantile_interval(new_state(distribution()), 0.5, 0.05) == (-math.inf, math.inf)
    assert quantile_interval(state_of(np.ones(3)), 0.5, 1e-6) == (-math.inf, math.inf)


@pytest.mark.parametrize(("n", "q"), [(10, 0.0), (10, 1.0), (10, math.nan), (-1, 0.5)])
def test_senseless_quantiles_are_refused(n, q):
    with pytest.raises(ValueError):
        quantile_ranks(n, q, 0.05)


def test_another_state_is_refused():
    with pytest.raises(ValueError, match=r"distribution\(\)"):
        quantile_interval(new_state(bernoulli()), 0.5, 0.05)


def test_the_band_is_wide_enough_at_each_checkpoint_by_the_exact_law():
    """Kolmogorov's exact distribution: the misses at all checkpoints sum to less than alpha."""
    alpha, n, misses = 0.05, 64, 0.0
    for _ in range(20):
        misses += kstwo.sf(cdf_radius(n, alpha), n)
        n = next_checkpoint(n)
    assert alpha / 3 < misses < alpha


@pytest.mark.parametrize("n", [0, 1, 63, 65, 1000])
def test_the_band_holds_at_checkpoints_only(n):
    with pytest.raises(ValueError, match="checkpoint"):
        cdf_radius(n, 0.05)
