import math
from fractions import Fraction
from itertools import islice, pairwise

import pytest

from theorycheck.stats import checkpoints, last_checkpoint, next_checkpoint
from theorycheck.stats.schedule import log_threshold


def test_checkpoints_are_the_exact_ceilings():
    found = list(islice(checkpoints(), 120))
    assert found[:6] == [64, 80, 100, 125, 157, 196]
    assert found == [math.ceil(64 * Fraction(5, 4) ** k) for k in range(120)]
    assert all(a < b for a, b in pairwise(found))


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 79, 80, 10**6])
def test_neighbours_of_a_count(n):
    before, after = last_checkpoint(n), next_checkpoint(n)
    assert before <= n < after
    assert before == 0 or next_checkpoint(before) == after


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 2.0, math.nan, 1, "0.05", None])
def test_a_level_outside_the_open_interval_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha"):
        log_threshold(alpha)


@pytest.mark.parametrize("alpha", [0.5, 1e-12, 1e-300])
def test_the_threshold_is_never_below_the_logarithm(alpha):
    import mpmath

    with mpmath.workdps(50):
        exact = -mpmath.log(mpmath.mpf(alpha))
        assert exact <= log_threshold(alpha) <= exact * (1 + 1e-13)
