"""Claims as they are: the evidence that changes are compared with, recalled from the store where it is there.

Each claim is looked at in a process of its own, several at once, so that an audit's own budget begins when
the first change is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from theorycheck.audit.pool import TimedTask, run_all
from theorycheck.claims.model import Claim
from theorycheck.engine.execute import execute
from theorycheck.entries.rungs import weakest
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.reads import watching
from theorycheck.evidence.store import open_store
from theorycheck.executors.cached import evidence_of_item
from theorycheck.formulas.memo import using
from theorycheck.judge import Judgement, judge
from theorycheck.judge.payments import STATUSES
from theorycheck.library.loading import Loaded
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings

HOURS = 24 * 3600.0
"""Limit of time of one claim's own evidence: it is as long as it is."""


@dataclass(frozen=True)
class Judged:
    """A claim's evidence by evidence key, and what was judged of it; it can go from one process to another.

    ``signature``: what a reader would see change. ``rung``, ``clauses`` and ``legs``: what the verdict is
    worth, the status of each clause and what each leg came to, which a reader sees as well. ``why``: the
    reason of the verdict.
    """

    evidence: Mapping[str, Observation]
    verdict: str
    signature: str
    rung: str | None = None
    clauses: Mapping[str, str] = field(default_factory=dict)
    legs: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True)
class Baseline:
    """A claim as it is, and what was judged of its evidence under settings; see `Judged`."""

    item: Loaded
    settings: Settings
    evidence: Mapping[str, Observation]
    verdict: str
    signature: str
    rung: str | None = None
    clauses: Mapping[str, str] = field(default_factory=dict)
    legs: Mapping[str, str] = field(default_factory=dict)
    why: str = ""

    @property
    def claim(self) -> Claim:
        return self.item.claim

    @property
    def sound(self) -> bool:
        """Whether there is a verdict that a change could turn."""
        return self.verdict in ("pass", "fail")

    @property
    def refuted_at_a_point(self) -> bool:
        """Whether it fails by a counterexample, which is part of its signature."""
        return self.verdict == "fail" and self.signature != self.verdict

    def seconds(self, legs: frozenset[str]) -> float:
        """What the observations of these legs took."""
        return sum(o.seconds for o in self.evidence.values() if o.leg in legs and not o.variant)


def signature(judgement: Judgement) -> str:
    """The verdict, and of a fail its counterexample."""
    found = judgement.counterexample
    if judgement.verdict != "fail" or found is None:
        return judgement.verdict
    return f"{judgement.verdict} at {found.point}: {found.lhs}"


def lost(base: Baseline, judgement: Judgement) -> str:
    """What the changed claim is worth less than the original: a clause whose status fell, a leg that no longer
    holds (a search that was a positive control), a weaker rung; "" where it is worth as much. It speaks of
    claims that pass."""
    for clause in judgement.clauses:
        before = base.clauses.get(clause.id, clause.status)
        if STATUSES.index(clause.status) > STATUSES.index(before):
            return f"{clause.id}: {before} -> {clause.status}"
    for leg in judgement.legs:
        if leg.verdict != base.legs.get(leg.name, leg.verdict) == "pass":
            return f"{leg.name}: pass -> {leg.verdict}"
    rung, now = base.rung, judgement.rung
    if rung is not None and now is not None and weakest([rung, now]) != rung:
        return f"{rung} -> {now}"
    return ""


Told = Callable[[int, int], None]
"""Called with how many claims have been looked at, of how many."""


def baselines(
    items: Sequence[Loaded],
    settings: Settings,
    *,
    workers: int = 1,
    store: Path | None = None,
    told: Told | None = None,
    until: float | None = None,
) -> dict[str, Baseline]:
    """Baselines by claim id. What is cached in ``store`` is taken from there, what is made is kept. A claim
    that was not looked at ``until`` then (of `time.monotonic`) has no verdict.

    Raises PoolError where the system cannot copy a process.
    """
    tasks = [
        TimedTask(i, partial(_judged, item, settings, store), HOURS) for i, item in enumerate(items)
    ]
    unseen = Judged({}, "error", "error", why="not looked at within the budget")
    found = {item.id: Baseline(item, settings, **vars(unseen)) for item in items}
    count = 0
    for done in run_all(tasks, workers, until):
        if done.cut:
            continue
        item = items[done.number]
        judged = done.result or Judged({}, "error", "error", why=done.error or "its process died")
        found[item.id] = Baseline(item, settings, **vars(judged))
        count += 1
        if told is not None:
            told(count, len(items))
    return found


def baseline(item: Loaded, settings: Settings, store: Path | None = None) -> Baseline:
    """The baseline of one claim, made in this process."""
    return Baseline(item, settings, **vars(_judged(item, settings, store)))


def _judged(item: Loaded, settings: Settings, store: Path | None) -> Judged:
    with open_store(store) as opened:
        evidence = evidence_of_item(item, settings, opened)
        with watching(), using(evidence.memo(settings.profile)):
            outcome = execute(item.claim, settings, evidence, figures=False)
    plan = make_plan(item.claim, settings)
    by_key = {o.key: o for o in outcome.observations}
    seen = {u.evidence_key: by_key[u.key] for u in (*plan.units, *plan.attack) if u.key in by_key}
    found = judge(plan, list(seen.values()), diagnosing=False)  # a fail is not pursued in trials
    clauses = {c.id: c.status for c in found.clauses}
    legs = {e.name: e.verdict for e in found.legs}
    return Judged(
        seen, found.verdict, signature(found), found.rung, clauses, legs, why=found.reason
    )
