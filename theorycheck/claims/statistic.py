"""What a sampled leg estimates: a mean, a probability or a quantile, as a confidence sequence.

The evidence is a small state that is enough to compute the interval at any level again
(`theorycheck.stats`); the sampled values themselves are not kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from theorycheck import stats
from theorycheck.claims.tails import DeclaredTail
from theorycheck.numbers.domain import Exact
from theorycheck.numbers.enclosure import Enclosure

if TYPE_CHECKING:
    import numpy as np

    from theorycheck.stats import MeanState, Tail


@dataclass(frozen=True)
class Statistic:
    """``kind``: mean, probability or quantile; ``tail`` the declared assumption of a mean, which may
    depend on the point: `at` gives the statistic there.
    """

    kind: str
    tail: Tail | DeclaredTail | None = None
    level: Fraction | None = None

    def text(self) -> str:
        if self.kind == "mean" and self.tail is not None:
            return f"mean ({self.tail.text()})"
        return "probability" if self.kind == "probability" else f"quantile {self.level}"

    @property
    def names(self) -> frozenset[str]:
        """Parameters of the claim that the declared tail asks for."""
        return self.tail.names if isinstance(self.tail, DeclaredTail) else frozenset()

    def at(self, point: Mapping[str, Exact]) -> Statistic:
        """The statistic at a point, its tail in numbers. Raises ClaimError where it has none there."""
        if isinstance(self.tail, DeclaredTail):
            return replace(self, tail=self.tail.at(point))
        return self

    def start(self) -> MeanState:
        """The evidence before any value. Raises ValueError for a tail that still depends on a point."""
        if self.kind == "quantile":
            return stats.new_state(stats.distribution())
        if isinstance(self.tail, DeclaredTail):
            raise ValueError("the declared tail depends on the point: start at(point)")
        return stats.new_state(stats.bernoulli() if self.tail is None else self.tail)

    def update(self, state: MeanState, values: np.ndarray[Any, Any]) -> MeanState:
        return stats.update(state, values)

    def interval(self, state: MeanState, alpha: float) -> Enclosure:
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


def mean(tail: Tail | DeclaredTail) -> Statistic:
    """The mean, under a declared assumption on the tails: ``mean(bounded(0, 1))``,
    ``mean(variance_at_most(2 * m**2))`` with a parameter m, ..."""
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
