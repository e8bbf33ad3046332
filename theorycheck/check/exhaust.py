"""Every point of a finite domain in exact or ball arithmetic, smallest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from theorycheck.check.domain import Point, Value
from theorycheck.check.judge import EXCLUDED, FAILS, UNDECIDED, UNDEFINED, Judge, PointOutcome
from theorycheck.check.limits import Clock, TimeUp, now, time_limit
from theorycheck.check.members import EndNotDecided

# More undecided points than these say nothing more.
MAX_UNDECIDED = 5


# One point may take so many seconds; longer ones (a sum of a million terms) are passed over.
POINT_SECONDS = 0.4
# The first point that is cut short may have paid for what is set up once, such as a sieve.
_SECOND_TRY = 4
# After so many points that took too long, larger ones are passed over unseen.
_SLOW = 3
# Points of more than this part of `POINT_SECONDS` may take so many seconds together; then they are slow.
_HEAVY, _HEAVY_SECONDS = 1 / 8, 2.5
# From this size on, a coordinate that is too long to evaluate at is out of reach, not undecided.
_FAR = 10**5
# Sides that tend to one another, as erf(x) and 1 do, agree to all digits from such places on.
_FAR_OUT = 100


@dataclass
class Tally:
    """What became of the points tried so far; ``failure`` is the first that fails. Points that are
    too long to evaluate at (``beyond``) do not count as tried; ``done`` counts whatever was gone
    through, so that a sweep cut short can be taken up again."""

    tried: int = 0
    done: int = 0
    excluded: int = 0
    beyond: int = 0
    slow: list[int] = field(default_factory=list)
    heavy: float = 0.0
    warm: bool = False
    failure: tuple[dict[str, Value], PointOutcome] | None = None
    undecided: list[tuple[dict[str, Value], PointOutcome]] = field(default_factory=list)
    finished: bool = False

    @property
    def met(self) -> int:
        """Points at which the hypotheses hold and the statement was decided true."""
        return self.tried - self.excluded - len(self.undecided)

    def add(self, judge: Judge, point: Point) -> PointOutcome:
        """Judge one point and count it."""
        outcome = judge.at(point)
        self.tried += 1
        if outcome.status == EXCLUDED:
            self.excluded += 1
        elif outcome.status in (FAILS, UNDEFINED):
            self.tried -= 1
            if not judge.contains(point):  # told only where it is proved to lie in the domain
                return PointOutcome(
                    UNDECIDED, outcome.comparison, "not proved to lie in the domain"
                )
            if self.failure is None:
                self.failure = (dict(point), outcome)
        elif outcome.status == UNDECIDED:
            if (outcome.out_of_reach and _far(point, _FAR)) or (
                outcome.touching and _far(point, _FAR_OUT)
            ):
                self.beyond += 1
                self.tried -= 1
            elif len(self.undecided) < MAX_UNDECIDED:
                self.undecided.append((dict(point), outcome))
            else:
                self.tried -= 1
        return outcome


def _size(point: Point) -> int:
    """The largest integer coordinate: what makes a point slow is the length of a sum, a factorial."""
    return max((abs(v) for v in point.values() if isinstance(v, int)), default=0)


def _far(point: Point, limit: int) -> bool:
    return any(
        isinstance(v, int | Fraction) and v != 0 and not 1 / limit < abs(Fraction(v)) < limit
        for v in point.values()
    )


def sweep(
    points: Iterable[Mapping[str, Value]],
    judge: Judge,
    clock: Clock,
    tally: Tally | None = None,
    *,
    pass_over: bool = True,
) -> Tally:
    """Judge the points in order until one fails, time runs out, or none is left (`finished`).

    ``pass_over`` leaves out points that take longer than `POINT_SECONDS`.
    """
    tally = tally or Tally()
    tally.finished = False
    try:
        with clock.limit(POINT_SECONDS):
            for point in points:
                if clock.out():
                    return tally
                if pass_over:
                    outcome = _quick(tally, judge, point)
                else:
                    outcome = tally.add(judge, point)
                tally.done += 1
                if outcome is not None and outcome.status in (FAILS, UNDEFINED):
                    return tally
    except (TimeUp, EndNotDecided):
        return tally
    tally.finished = True
    return tally


def _quick(tally: Tally, judge: Judge, point: Point) -> PointOutcome | None:
    size = _size(point)
    if len(tally.slow) >= _SLOW and size >= min(tally.slow) > 0:
        tally.beyond += 1
        return None
    limits = [POINT_SECONDS] if tally.warm else [POINT_SECONDS, _SECOND_TRY * POINT_SECONDS]
    for limit in limits:
        started = now()
        try:
            with time_limit(limit):
                outcome = tally.add(judge, point)
        except TimeUp:
            if now() - started < limit:
                raise  # the sweep's own time is over
            tally.warm = True
            continue
        seconds = now() - started
        if seconds > _HEAVY * POINT_SECONDS:
            tally.heavy += seconds
            if tally.heavy > _HEAVY_SECONDS:
                tally.slow.append(size)
        return outcome
    tally.beyond += 1
    tally.slow.append(size)
    return None
