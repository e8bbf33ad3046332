"""What a sampled leg estimates, from the engine's side of the package."""

from fractions import Fraction

import numpy as np
import pytest

from theorycheck.claims.statistic import mean, probability, quantile
from theorycheck.stats import bounded, variance_at_most


def interval(statistic, x, alpha=1e-6):
    return statistic.interval(statistic.update(statistic.start(), x), alpha)


def test_each_kind_holds_what_it_estimates():
    x = np.random.default_rng(0).random(2000)
    assert interval(mean(bounded(0, 1)), x).contains(Fraction(1, 2))
    assert interval(mean(variance_at_most(0.1)), x).contains(Fraction(1, 2))
    assert interval(probability(), x < 0.25).contains(Fraction(1, 4))
    assert interval(quantile("1/10"), x).contains(Fraction(1, 10))
    assert interval(quantile(Fraction(9, 10)), x).contains(Fraction(9, 10))
    assert not interval(quantile("1/10"), x).contains(Fraction(2, 10))


@pytest.mark.parametrize("statistic", [mean(variance_at_most(1.0)), quantile("1/2")])
def test_what_is_not_known_yet_is_an_enclosure_of_every_float(statistic):
    nothing = interval(statistic, np.zeros(0))
    assert nothing.contains(Fraction(1.7e308)) and nothing.contains(-Fraction(1.7e308))


@pytest.mark.parametrize("level", ["0", "1", "-1/2", "3/2", "a half"])
def test_a_senseless_quantile_is_refused(level):
    with pytest.raises(ValueError):
        quantile(level)
