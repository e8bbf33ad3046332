"""Blocks of draws of a sampled leg: drawn, checked, and fed to the evidence and to its assumptions.

Blocks are what streams are keyed by and what is looked at; how many are fed at once changes nothing but
the time that it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck import stats
from theorycheck.claims.statistic import Statistic
from theorycheck.stats import assumptions
from theorycheck.stats.assumptions import Assumptions, KeptAssumptions

BATCH = 32
"""Blocks that are fed at once: some 30,000 values, where the cost of a call is a few percent."""

Values = NDArray[Any]


class BadDraws(Exception):
    """A block that is not what a sampled leg has to return; one line that says what to write."""


@dataclass(frozen=True)
class Kept:
    """Where a stream had come to: ``done`` values, for which ``drawn`` numbers were drawn."""

    state: stats.MeanState
    watched: KeptAssumptions
    done: int
    drawn: int


@dataclass
class Sampling:
    """A stream of values under way: the state of its evidence after ``done`` values.

    ``draw(index)`` gives block ``index`` and how many numbers were drawn from its stream.
    """

    draw: Callable[[int], tuple[Values, int]]
    block: int
    state: stats.MeanState
    watched: Assumptions
    done: int = 0
    drawn: int = 0

    @classmethod
    def of(
        cls,
        draw: Callable[[int], tuple[Values, int]],
        block: int,
        statistic: Statistic,
        kept: Kept | None,
    ) -> Sampling:
        """At its start, or where it had come to."""
        fresh = statistic.start()
        if kept is None:
            return cls(draw, block, fresh, Assumptions(fresh.tail, block))
        watched = Assumptions.of_kept(kept.state.tail, kept.watched)
        return cls(draw, block, kept.state, watched, kept.done, kept.drawn)

    def advance(self, stop: int) -> None:
        """At most `BATCH` blocks more, never beyond ``stop`` values, which is a whole number of blocks."""
        first = self.done // self.block
        if self.watched.waits:
            self.watched = assumptions.resume(self.watched, self._numbers(first - 1))
        last = min(first + BATCH, stop // self.block)
        x = np.stack([self._numbers(index) for index in range(first, last)])
        self.state = stats.update(self.state, x)
        self.watched = assumptions.watch(self.watched, x)
        self.done = last * self.block
        if self.done == stop:
            self.watched = assumptions.record(self.watched)

    def _numbers(self, index: int) -> Values:
        values, drawn = self.draw(index)
        self.drawn += drawn
        if 0 < drawn < self.block:
            raise BadDraws(
                f"drew {drawn} number{'s' * (drawn > 1)} for {self.block} values, which are to be "
                "independent: draw what is random for each of them, with shape (size, ...)"
            )
        return values


def checked(values: Any, block: int) -> Values:
    """The block as host values. Raises BadDraws where it is not a block of real numbers."""
    found = np.asarray(values)
    if found.dtype == object:
        raise BadDraws(
            "returned Python objects, as a Fraction times an array of floats gives them: write "
            "ns.rational(1, 3) * x, or ns.asarray(c) * x for an exact number c"
        )
    if found.shape != (block,):
        raise BadDraws(f"returned shape {found.shape}, asked for ({block},) independent values")
    return found
