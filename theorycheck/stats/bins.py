"""Counts of values by bin: the leading bits of their floating-point pattern.

A bin is an interval of floats; ``params`` are those of `tails.distribution`: the bits of the fraction
that are kept, and the origin from which values are measured.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bins = tuple[tuple[int, int], ...]
# Stored bits of a double's fraction.
_FRACTION = 52


def merged(bins: Bins, x: NDArray[np.float64], params: tuple[float, ...]) -> Bins:
    """Counts by bin after the values ``x`` as well."""
    distance = np.ascontiguousarray(x - params[1])
    size = np.abs(distance).view(np.int64)
    # Patterns in the order of the numbers; the shift rounds towards -inf, on both sides of 0.
    keys, counts = np.unique(
        np.where(distance < 0.0, -size, size) >> (_FRACTION - int(params[0])), return_counts=True
    )
    total = dict(bins)
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        total[key] = total.get(key, 0) + count
    return tuple(sorted(total.items()))


def edges(key: int, params: tuple[float, ...]) -> tuple[float, float]:
    """Smallest and largest value of a bin, outward by the rounding of x - origin."""
    shift = _FRACTION - int(params[0])
    first, last = (_float(r) + params[1] for r in (key << shift, ((key + 1) << shift) - 1))
    pad = 2.0**-51 * (abs(first) + abs(last) + abs(params[1])) if params[1] else 0.0
    return first - pad, last + pad


def _float(rank: int) -> float:
    size = float(np.array(abs(rank), dtype=np.int64).view(np.float64))
    return -size if rank < 0 else size
