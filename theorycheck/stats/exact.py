"""Exact sums of float64 values, so that no batching can move a bit of the evidence.

A double is an integer multiple of 2**-1074, hence any sum of doubles is an integer in that unit,
and integers add in any order. The sum of a block is taken in vectorised passes by error-free
extraction (Rump, Ogita and Oishi, 2008, "Accurate floating-point summation I", SIAM J. Sci.
Comput. 31): with a power of two ``s`` larger than twice the block's absolute sum,
``q = (s + r) - s`` is the part of ``r`` on the grid of spacing ``s * 2**-53``, both ``q`` and
``r - q`` are exact, and the ``q`` sum up without rounding because every partial sum is a multiple
of that spacing below ``s / 2``. Passes repeat on ``r - q`` until nothing is left.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The unit is 2**-UNIT_EXPONENT, the smallest positive double.
UNIT_EXPONENT = 1074
_UNIT = 1 << UNIT_EXPONENT
# Values a pass: leaves 53 - 14 - 2 bits to each pass, and stays inside a processor's cache.
_BLOCK = 1 << 14


def exact_sum(values: NDArray[np.float64]) -> int:
    """Sum of finite values (any shape, each at most 1e300 in size) in units of 2**-1074."""
    total = 0
    flat = values.reshape(-1)
    for start in range(0, flat.size, _BLOCK):
        rest = flat[start : start + _BLOCK].copy()
        while True:
            largest = float(np.abs(rest).max())
            if largest == 0.0:
                break
            exponent = math.frexp(largest)[1] + (rest.size - 1).bit_length() + 1
            if exponent > 1023:
                raise ValueError("values too large to be summed exactly")
            grid = math.ldexp(1.0, exponent)
            part = (grid + rest) - grid
            rest -= part
            total += units(float(part.sum()))
    return total


def units(value: float) -> int:
    """A finite double in units of 2**-1074."""
    numerator, denominator = value.as_integer_ratio()
    return numerator * (_UNIT // denominator)


def rounded(total: int) -> float:
    """The double nearest to ``total`` units (Python's integer division rounds correctly)."""
    return total / _UNIT


def to_text(total: int) -> str:
    """``total`` units as ``<hexadecimal integer>p<exponent of two>``, exactly and shortly."""
    if total == 0:
        return "0p0"
    shift = (total & -total).bit_length() - 1
    return f"{total >> shift:x}p{shift - UNIT_EXPONENT}"


def from_text(text: Any) -> int:
    """Inverse of :func:`to_text`; raises ValueError on anything else."""
    mantissa, mark, exponent = str(text).partition("p")
    if not mark:
        raise ValueError(f"not an exact sum: {text!r}")
    shift = int(exponent) + UNIT_EXPONENT
    if mantissa == "0":
        return 0
    if not 0 <= shift <= 4 * UNIT_EXPONENT:
        raise ValueError(f"not an exact sum: {text!r}")
    return int(mantissa, 16) << shift
