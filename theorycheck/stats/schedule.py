"""When decisions are taken, and what an error probability asks of the evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import count, takewhile

FIRST_CHECKPOINT = 64
# A stop is at most a quarter later than it could be; the mean loss is about an eighth.
GROWTH = Fraction(5, 4)


def checkpoints() -> Iterator[int]:
    """The counts ceil(64 * 1.25**k), k = 0, 1, ..., without end: 64, 80, 100, 125, 157, ..."""
    return map(_checkpoint, count())


@cache
def _checkpoint(k: int) -> int:
    return math.ceil(FIRST_CHECKPOINT * GROWTH**k)


def last_checkpoint(budget: int) -> int:
    """The largest checkpoint that is at most ``budget``; 0 if there is none."""
    return max(takewhile(lambda n: n <= budget, checkpoints()), default=0)


def next_checkpoint(n: int) -> int:
    """The smallest checkpoint larger than ``n``."""
    return next(c for c in checkpoints() if c > n)


def log_threshold(alpha: float) -> float:
    """log(1/alpha), rounded up. Raises ValueError unless 0 < alpha < 1."""
    if not (isinstance(alpha, float) and 0.0 < alpha < 1.0):
        raise ValueError(f"alpha must be a float strictly between 0 and 1, got {alpha!r}")
    # Up by more than the roundings of the logarithms that are compared with it.
    return -math.log(alpha) * (1.0 + 2.0**-45)
