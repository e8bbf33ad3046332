"""Parts of a batch that are worked on at a time."""

from __future__ import annotations

import array_api_compat.numpy as xp
import array_api_strict
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.arrays import FloatNamespace
from theorycheck.arrays.slices import IN_CACHE, in_cache


@given(st.integers(1, 500), st.integers(0, 2 * IN_CACHE))
def test_they_cover_the_axis_in_order_and_fit(count, entries):
    cuts = in_cache(FloatNamespace(xp), count, entries)
    assert [i for c in cuts for i in range(count)[c]] == list(range(count))
    sizes = [c.stop - c.start for c in cuts]
    assert all(size == 1 or size * entries <= IN_CACHE for size in sizes)
    assert all(size == sizes[0] for size in sizes[:-1])


def test_other_array_libraries_get_all_at_once():
    assert in_cache(FloatNamespace(array_api_strict), 300, IN_CACHE) == [slice(0, 300)]
