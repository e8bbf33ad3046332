"""What a sampled leg estimates: a mean, a probability or a quantile, as a confidence sequence.

The evidence is a small state that is enough to compute the interval at any level again
(`theorycheck.stats`); the sampled values themselves are not kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from theorycheck import stats
from theorycheck.numbers.enclosure import Enclosure

if TYPE_CHECKING:
    import numpy as np

    from theorycheck.stats import Tail


@dataclass(frozen=True)
class Statistic:
    """``kind``: mean, probability or quantile; ``tail`` the declared assumption of a mean."""

    kind: str
    tail: Tail | None = None
    level: Fraction | None = None

    def text(self) -> str:
        if self.kind == "mean" and self.tail is not None:
            return f"mean ({self.tail.text()})"
        return "probability" if self.kind == "probability" else f"quantile {self.level}"

    def start(self) -> Any:
        if self.kind == "quantile":
            return stats.new_state(stats.distribution())
        return stats.new_state(stats.bernoulli() if self.tail is None else self.tail)

    def update(self, state: Any, values: np.ndarray[Any, Any]) -> Any:
        return stats.update(state, values)

    def interval(self, state: Any, alpha: float) -> Enclosure:
        """Confidence set at level 1 - alpha, valid at all sample counts, rounded outward."""
        if self.kind == "quantile":
            low, high = stats.quantile_interval(state, float(self.level or 0), alpha)
        else:
            low, high = stats.mean_interval(state, alpha)
        return Enclosure(_rational(low), _rational(high))


def _rational(value: float) -> fmpq:
    if math.isinf(value):  # nothing is known yet on this side: beyond every float will do
        return fmpq(2**1024 if value > 0 else -(2**1024))
    p, q = value.as_integer_ratio()
    return fmpq(p, q)


def mean(tail: Tail) -> Statistic:
    """The mean, under a declared assumption on the tails: ``mean(bounded(0, 1))``, ..."""
    return Statistic("mean", tail)


def probability() -> Statistic:
    """The probability of an event; the simulation returns booleans or 0/1."""
    return Statistic("probability")


def quantile(level: Fraction | str) -> Statistic:
    """The quantile at ``level`` in (0, 1): ``quantile("1/10")``; of any distribution.

    Raises ValueError for a level outside (0, 1).
    """
    exact = Fraction(level)
    if not 0 < exact < 1:
        raise ValueError(f"quantile(level) needs 0 < level < 1, got {level!r}")
    return Statistic("quantile", level=exact)
