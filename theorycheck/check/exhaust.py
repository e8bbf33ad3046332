"""Every point of a finite domain in exact or ball arithmetic, smallest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from theorycheck.check.domain import Point, Value
from theorycheck.check.judge import EXCLUDED, FAILS, HOLDS, UNDECIDED, UNDEFINED, Judge, Outcome
from theorycheck.check.problem import Clock

# More undecided points than these say nothing more.
MAX_UNDECIDED = 5


@dataclass
class Tally:
    """What became of the points tried so far; ``failure`` is the first that fails."""

    tried: int = 0
    excluded: int = 0
    failure: tuple[dict[str, Value], Outcome] | None = None
    undecided: list[tuple[dict[str, Value], Outcome]] = field(default_factory=list)
    finished: bool = False

    @property
    def met(self) -> int:
        """Points at which the hypotheses hold and the statement was decided true."""
        return self.tried - self.excluded - len(self.undecided)

    def add(self, judge: Judge, point: Point) -> Outcome:
        """Judge one point and count it."""
        outcome = judge.at(point)
        self.tried += 1
        if outcome.status == EXCLUDED:
            self.excluded += 1
        elif outcome.status in (FAILS, UNDEFINED):
            self.tried -= 1
            if self.failure is None:
                self.failure = (dict(point), outcome)
        elif outcome.status == UNDECIDED:
            if len(self.undecided) < MAX_UNDECIDED:
                self.undecided.append((dict(point), outcome))
            else:
                self.tried -= 1
        return outcome


def sweep(
    points: Iterable[Mapping[str, Value]], judge: Judge, clock: Clock, tally: Tally | None = None
) -> Tally:
    """Judge the points in order until one fails, time runs out, or none is left (`finished`)."""
    tally = tally or Tally()
    tally.finished = False
    for point in points:
        if clock.out():
            return tally
        if tally.add(judge, point).status in (FAILS, UNDEFINED):
            return tally
    tally.finished = True
    return tally


__all__ = ["HOLDS", "Tally", "sweep"]
