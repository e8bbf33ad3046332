"""The building blocks: each is a supermartingale, and its computed log is a lower bound."""

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from theorycheck.stats import bets, heavy, mixtures

MEANS = [1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999]


def power_sums(x, side=1):
    x = x if side > 0 else 1 - x
    return [float((x**k).sum()) for k in (1, 2, 3, 4)]


def wealth_of_bits(side, n, s, m):
    """The bets' wealth on s ones and n - s zeros."""
    s, m = (s, m) if side > 0 else (n - s, 1.0 - m)
    return bets.bets(n, [s] * 4).wealth(m)


def expected_wealth(side, n, p, evidence):
    s = np.arange(n + 1)
    logs = np.array([evidence(side, float(n), float(k), np.array([p]))[0] for k in s])
    return float(np.sum(np.exp(logs + binom.logpmf(s, n, p))))


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("p", MEANS)
@pytest.mark.parametrize("n", [1, 7, 64, 300])
def test_coin_wealth_is_worth_its_weight_at_the_true_probability(side, p, n):
    # A martingale for Bernoulli data: exactly the starting weight, up to the slack.
    assert expected_wealth(side, n, p, mixtures.coin) == pytest.approx(0.5, rel=1e-9)
    assert expected_wealth(side, n, p, mixtures.coin) <= 0.5


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("focus", [0.001, 0.2, 5.0])
@pytest.mark.parametrize("p", MEANS)
def test_focused_coin_wealth_is_never_worth_more(side, p, focus):
    def evidence(side, n, s, m):
        return mixtures.coin(side, n, s, m, focus)

    assert expected_wealth(side, 64, p, evidence) <= 0.5


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("p", MEANS)
@pytest.mark.parametrize("n", [1, 7, 64, 300])
def test_wealth_of_bets_is_never_worth_more_than_its_weight(side, p, n):
    def evidence(side, n, s, m):
        return wealth_of_bits(side, n, s, m)

    assert expected_wealth(side, n, p, evidence) <= 0.5


@pytest.mark.parametrize("side", [1, -1])
def test_wealth_on_three_values_is_never_worth_more(side):
    # All sequences of length 6 over {0, 1/4, 1}: the state (s, r) is no longer one number.
    values, law = np.array([0.0, 0.25, 1.0]), np.array([0.5, 0.3, 0.2])
    mean = np.array([float(values @ law)])
    for evidence in (
        lambda n, x: mixtures.coin(side, n, x.sum(), mean)[0],
        lambda n, x: bets.bets(n, power_sums(x, side)).wealth(mean if side > 0 else 1 - mean)[0],
    ):
        worth = 0.0
        for path in product(range(3), repeat=6):
            x = values[list(path)]
            worth += math.prod(law[list(path)]) * math.exp(evidence(6.0, x))
        assert worth <= 0.5


@given(st.floats(-1.0, 50.0), st.floats(1e-6, 0.999))
def test_the_inequality_behind_the_bets(y, b):
    with mpmath.workdps(40):
        z, b = mpmath.mpf(y) * b, mpmath.mpf(b)
        kappa = -(mpmath.log1p(-b) + b + b**2 / 2 + b**3 / 3) / b**4
        assert mpmath.log1p(z) >= z - z**2 / 2 + z**3 / 3 - kappa * z**4 - mpmath.mpf(10) ** -15


def test_kappa_in_forty_digits():
    with mpmath.workdps(60):
        for b, kappa in zip(bets._STAKES.tolist(), bets._kappa(bets._STAKES).tolist(), strict=True):
            b = mpmath.mpf(b)
            exact = -(mpmath.log1p(-b) + b + b**2 / 2 + b**3 / 3) / b**4
            assert exact <= kappa <= exact * (1 + mpmath.mpf(2) ** -38)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.001, 0.999))
def test_the_bound_is_below_the_wealth_itself(values, m):
    x, at = np.array(values), np.array([m])
    exact = np.log1p(np.outer(bets._STAKES, x / m - 1)).sum(axis=1)
    exact = np.logaddexp.reduce(exact) - math.log(2 * bets._STAKES.size)
    # Comparisons of roundings: 30 logs of up to log(1 + 1/m).
    assert bets.bets(float(x.size), power_sums(x)).wealth(at)[0] <= exact + 1e-11


@pytest.mark.parametrize("scale", [1e-3, 1.0])
def test_the_bound_is_close_where_decisions_fall(scale):
    x = 0.5 + scale * (np.random.default_rng(0).random(3000) - 0.5)
    data = bets.bets(float(x.size), power_sums(x))
    for h in np.geomspace(1e-4, 0.2, 60):
        m = np.array([x.mean() - h])
        exact = np.log1p(np.outer(bets._STAKES, x / m - 1)).sum(axis=1)
        exact = np.logaddexp.reduce(exact) - math.log(2 * bets._STAKES.size)
        if exact > 20:
            break
    assert 20 < exact < 40
    assert 0.97 * exact < data.wealth(m)[0] < exact


@given(st.floats(-30.0, 30.0))
def test_the_influence_function_lies_between_its_logarithms(y):
    psi = y - y**3 / 6 if abs(y) <= math.sqrt(2.0) else math.copysign(2 * math.sqrt(2.0) / 3, y)
    assert math.exp(psi) <= (1 + y + y * y / 2) * (1 + 1e-12)
    assert math.exp(-psi) <= (1 - y + y * y / 2) * (1 + 1e-12)


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=50), st.integers(0, 20))
def test_band_sums_stand_for_the_influence_of_every_value(values, j):
    x, var, pivot = np.array(values), 2.5, 0.75
    lam = 2.0 ** (1 - j) / math.sqrt(var)
    y = lam * (x - pivot)
    inside = np.abs(y) <= math.sqrt(2.0)
    direct = np.where(inside, y - y**3 / 6, np.sign(y) * 2 * math.sqrt(2.0) / 3).sum()
    record = heavy.band_record(heavy.band_totals(x, pivot, var))
    sums = heavy.epochs(((64, 0.0, ()), (64 + x.size, pivot, record)), var)
    assert sums.influence[j] == pytest.approx(direct, abs=1e-9 * x.size)


def test_evidence_decreases_towards_the_data():
    m = np.linspace(1e-6, 1 - 1e-6, 2001)
    for n, s in ((100.0, 30.0), (1e6, 2.5e5), (80.0, 1.0)):
        # Constant values have the least spread for their mean, two values the most.
        constant, two = [n * (s / n) ** k for k in (1, 2, 3, 4)], [s] * 4
        for up in (
            mixtures.coin(1, n, s, m),
            bets.bets(n, constant).wealth(m),
            bets.bets(n, two).wealth(m),
        ):
            assert (np.diff(up) <= 1e-9 * n).all()
        assert (np.diff(mixtures.coin(-1, n, s, m)) >= -1e-9 * n).all()


def exact_coin(side, n, s, m):
    """The coin mixture in 60 digits, written from its definition."""
    with mpmath.workdps(60):
        n, s, m = mpmath.mpf(n), mpmath.mpf(s), mpmath.mpf(m)
        total = mpmath.mpf(0)
        for k in range(32):
            theta = side * mpmath.mpf(float(8.0 * 1.5**-k))
            total += mpmath.exp(theta * s - n * mpmath.log(1 + m * mpmath.expm1(theta)))
        total *= mpmath.mpf(3) / 8 / 32
        if side > 0 and s == n:
            total += m**-n / 8
        if side < 0 and s == 0:
            total += (1 - m) ** -n / 8
        return mpmath.log(total)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(
    ("n", "s", "m"),
    [
        (64.0, 0.0, 0.3),
        (64.0, 64.0, 0.3),
        (1e6, 0.0, 3e-5),
        (1e9, 123456.0, 1.25e-4),
        (1e12, 5e11, 0.5000001),
        (1e15, 5e14, 0.5),
        (1e4, 9999.0, 0.99999999),
        (1e4, 1.0, 1e-12),
        (1e4, 10000.0, 1 - 2.0**-53),
    ],
)
def test_computed_evidence_is_a_close_lower_bound(side, n, s, m):
    computed = float(mixtures.coin(side, n, s, np.array([m]))[0])
    exact = exact_coin(side, n, s, m)
    assert computed <= exact
    # 16 roundings of numbers of the size of n times the largest tilt's divergence, at most 10 n.
    assert computed >= exact - max(1e-10, 16 * 2.0**-52 * 3000 * n)
