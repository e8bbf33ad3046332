import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from theorycheck.stats.exact import UNIT_EXPONENT, exact_sum, from_text, rounded, to_text

finite = st.floats(-1e290, 1e290)
arrays = hnp.arrays(np.float64, st.integers(0, 200), elements=finite)


@given(arrays)
def test_the_sum_is_exact(x):
    assert Fraction(exact_sum(x), 2**UNIT_EXPONENT) == sum(map(Fraction, x.tolist()), Fraction(0))


@given(arrays)
def test_rounding_agrees_with_fsum(x):
    assert rounded(exact_sum(x)) == math.fsum(x.tolist())


def test_long_and_ill_conditioned():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50_000) * 10.0 ** rng.integers(-200, 200, size=50_000)
    x = np.concatenate([x, -x, [1e-30]])
    assert rounded(exact_sum(x)) == 1e-30
    assert exact_sum(rng.permutation(x)) == exact_sum(x)


def test_subnormals_are_not_lost():
    tiny = np.full(1000, 5e-324)
    assert rounded(exact_sum(tiny)) == 1000 * 5e-324


@given(arrays)
def test_text_round_trip(x):
    total = exact_sum(x)
    assert from_text(to_text(total)) == total


@pytest.mark.parametrize("text", ["", "12", "p", "xp3", "1p-9999", "1p99999", None, 3])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError):
        from_text(text)


def test_too_large_to_sum():
    with pytest.raises(ValueError, match="too large"):
        exact_sum(np.full(4, 1e308))
