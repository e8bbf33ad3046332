"""Execute one claim: observe what its plan asks for, judge, and pursue a fail.

This is what a worker does. Observations that are cached are taken from there; sampling that was not
decided continues its stream. A fail is confirmed on a stream of its own and shrunk to a simpler point
before it is reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from theorycheck.claims.model import Claim
from theorycheck.engine.persistence import undecided
from theorycheck.evidence.cached import Evidence, InMemory
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.judge import Judgement, judge
from theorycheck.numbers.domain import Exact
from theorycheck.numbers.errors import Absent
from theorycheck.plan.keys import CLAIM, UnitKey
from theorycheck.plan.plan import Plan, confirming, examining, make_plan, shrinking, suspected
from theorycheck.plan.settings import Settings
from theorycheck.plan.units import FigureUnit, Unit

Progress = Callable[[UnitKey], None]
"""Called before each observation with its key."""


@dataclass(frozen=True)
class Outcome:
    """A claim's observations and what was judged of them. ``fresh``: observations made now."""

    judgement: Judgement
    observations: Sequence[Observation]
    seconds: float
    fresh: int = 0


def execute(
    claim: Claim,
    settings: Settings,
    evidence: Evidence | None = None,
    *,
    progress: Progress | None = None,
    suspects: Sequence[Mapping[str, Exact]] = (),
    figures: bool = True,
) -> Outcome:
    """Observe and judge a claim.

    ``evidence``: what is cached of it, and where fresh evidence is kept as soon as it is there; what
    makes nothing raises CacheMiss as soon as something cached does not suffice. ``suspects``:
    counterexamples of earlier runs, tried where the grid finds nothing. Without ``figures`` only what is
    judged is made. Raises Absent where a package that the claim needs, or the device, is not here.
    """
    started = time.perf_counter()
    _all_here(claim)
    plan = make_plan(claim, settings)
    looking = _Looking(ObservationContext.of(plan), evidence or InMemory(), progress)
    for unit in plan.units:
        if looking.look(unit).status == "error":
            break
    verdict = judge(plan, looking.seen, diagnosing=False)
    suspicious = suspected(plan, suspects) if verdict.verdict == "pass" else []
    if suspicious:
        looking.look_at(suspicious)
        verdict = judge(plan, looking.seen, diagnosing=False)
    while verdict.verdict == "inconclusive":
        further = list(undecided(plan, verdict, looking.samples))
        if not looking.go_on(further):
            break
        verdict = judge(plan, looking.seen, diagnosing=False)
    if verdict.verdict == "pass" and plan.attack:
        looking.look_at(plan.attack)
        verdict = judge(plan, looking.seen, diagnosing=False)
    if verdict.verdict == "pass" and plan.far:
        looking.look_out(plan.far)
        verdict = judge(plan, looking.seen, diagnosing=False)
    if verdict.verdict == "fail":
        looking.look_at(_pursuit(plan, verdict), broken=False)
        verdict = judge(plan, looking.seen)
    if figures and verdict.verdict != "error":
        looking.look_at(plan.figures)
    return Outcome(verdict, looking.seen, time.perf_counter() - started, looking.fresh)


def _all_here(claim: Claim) -> None:
    missing = [name for name in claim.needs if find_spec(name) is None]
    if missing:
        raise Absent(f"needs {', '.join(missing)}, not installed here")


class _Looking:
    """The observations of a claim as they are made."""

    def __init__(
        self, context: ObservationContext, evidence: Evidence, progress: Progress | None
    ) -> None:
        self.context, self.evidence, self.progress = context, evidence, progress
        self.seen: list[Observation] = []
        self.fresh = 0
        self.samples: dict[str, int] = {}
        """Samples that each unit has had, by its evidence key."""

    def look(self, unit: Unit | FigureUnit, *, broken: bool = True) -> Observation:
        """One observation more; without ``broken`` it is left out where it is in error."""
        if self.progress is not None:
            self.progress(unit.key)
        before = self.evidence.find(unit.evidence_key)
        seen = observe(unit, self.context, self.evidence)
        self.fresh += before is None or seen.status == "error" or seen.samples > before.samples
        self.samples[unit.evidence_key] = seen.samples
        if broken or seen.status == "ok":
            self.seen.append(seen)
        return seen

    def go_on(self, units: Sequence[Unit]) -> bool:
        """More samples of units that were looked at, in the place of what they gave; whether any had more
        to give."""
        before = dict(self.samples)
        for unit in units:
            place = next(i for i, o in enumerate(self.seen) if o.key == unit.key)
            again = self.look(unit)
            self.seen.pop()
            self.seen[place] = again
        return self.samples != before

    def look_at(self, units: Iterable[Unit | FigureUnit], *, broken: bool = True) -> None:
        for unit in units:
            self.look(unit, broken=broken)

    def look_out(self, ladders: Iterable[Iterable[Unit]]) -> None:
        """Up each ladder as far as it goes."""
        for ladder in ladders:
            for unit in ladder:
                if self.look(unit).status != "ok":
                    break


def _pursuit(plan: Plan, verdict: Judgement) -> list[Unit]:
    """Confirming the counterexample on its own stream, examining its sampling, then simpler points of the
    domain."""
    if verdict.failing is None:
        return []
    failing = verdict.failing
    leg, point = plan.claim.leg(failing.leg), failing.row.point
    again = confirming(plan, leg, point, failing.purpose, failing.owner)
    if failing.owner != CLAIM:
        return again
    return [
        *again,
        *examining(plan, leg, point),
        *shrinking(plan, leg, point),
    ]
