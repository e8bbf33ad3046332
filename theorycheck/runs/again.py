"""A run looked at again: judged from its kept observations, or a claim of it replayed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from theorycheck.engine.execute import Outcome
from theorycheck.entries.report import Entry, Report, RunHead
from theorycheck.evidence.observation import Observation
from theorycheck.executors import Job
from theorycheck.executors.cached import found
from theorycheck.executors.local import here
from theorycheck.judge import judge
from theorycheck.library.loading import Loaded
from theorycheck.numbers.domain import to_text
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import entry_of
from theorycheck.record.head import machine, versions
from theorycheck.record.observations import observations_from, observations_of
from theorycheck.record.runs import ReportError, find_entry
from theorycheck.reports.present import claims_of_report
from theorycheck.stats import MeanState

MOST_DIFFERENCES = 10
"""Differing observations that are named; more say nothing more."""


@dataclass
class JudgedAgain:
    """A report judged again. ``notes``: claims that could not be, and claims that have changed;
    ``left``: ids of those that could not be."""

    report: Report
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def judge_again(
    report: Report,
    folder: Path,
    items: Sequence[Loaded] | None = None,
    alpha: float | None = None,
) -> JudgedAgain:
    """Every verdict of a run again, from its kept observations and the claims as they are now.

    Nothing is simulated. A claim whose observations were not kept, or that cannot be loaded, keeps
    its entry, with a note. Raises ReportError where that is so of every claim.
    """
    known = claims_of_report(report, items)
    settings = Settings.of_run(report.run, alpha)
    notes, left, entries = [], [], []
    for entry in report.claims:
        item = known.get(entry.id)
        try:
            if item is None:
                raise ReportError("it is not in the library")
            observations = observations_of(folder, entry.id)
        except ReportError as error:
            notes.append(f"{entry.id}: kept as it was; {error}")
            left.append(entry.id)
            entries.append(entry)
            continue
        if item.content != entry.content:
            notes.append(f"{entry.id}: has changed since the run; judged as it is now")
        entries.append(_entry(entry, item, settings, observations))
    if left and len(left) == len(entries):
        raise ReportError(f"nothing of run {report.run.id} can be judged: {notes[0]}")
    spent = math.fsum(e.alpha_spent for e in entries)
    head = replace(report.run, alpha=settings.alpha, alpha_spent=spent)
    return JudgedAgain(Report.of(head, entries), notes, left)


def _entry(
    entry: Entry, item: Loaded, settings: Settings, observations: list[Observation]
) -> Entry:
    verdict = judge(make_plan(item.claim, settings), observations)
    outcome = Outcome(verdict, observations, entry.seconds)
    return entry_of(item, settings, outcome, entry.kind)


@dataclass
class Replayed:
    """A claim run again. ``differences``: observations that are not the same; empty where all are."""

    verdict: str
    compared: int
    differences: list[str]
    environment: list[str]
    notes: list[str]

    @property
    def same(self) -> bool:
        return not self.differences


def replay(
    report: Report, folder: Path, claim_id: str, items: Sequence[Loaded] | None = None
) -> Replayed:
    """Run one claim of a run again with its seed, profile, level and device, keeping nothing.

    Raises ReportError where the claim is not in the run, is gone, or has no kept observations.
    """
    entry = find_entry(report, claim_id)
    item = claims_of_report(report, items).get(claim_id)
    if item is None:
        raise ReportError(f"claim {claim_id} is in no library here; say where with --from PATH")
    kept = observations_of(folder, claim_id)
    found([item])
    job = Job(item.file, claim_id, entry.kind, Settings.of_run(report.run))
    result = next(iter(here([job], 1)))
    fresh = observations_from(result.observations) if result.observations else []
    if result.entry.verdict == "skipped":
        raise ReportError(f"{claim_id}: {result.entry.reason}")
    differences, notes = _differences(kept, fresh)
    if result.entry.verdict != entry.verdict:
        differences.insert(0, f"verdict: {entry.verdict} then, {result.entry.verdict} now")
    return Replayed(
        result.entry.verdict,
        len(kept),
        differences,
        _environment(report.run, entry, item),
        notes,
    )


def _differences(
    kept: Sequence[Observation], fresh: Sequence[Observation]
) -> tuple[list[str], list[str]]:
    """Observations that differ, and remarks on those that only went on for longer."""
    now = {_key(o): o for o in fresh}
    differences, notes = [], []
    for old in kept:
        new = now.pop(_key(old), None)
        if new is None:
            differences.append(f"{_place(old)}: not observed again")
            continue
        if old.state and new.state and old.samples != new.samples and _begins(old.state, new.state):
            notes.append(
                f"{_place(old)}: the same up to {min(old.samples, new.samples)} samples; "
                f"the run had {old.samples}, the replay {new.samples}"
            )
            continue
        changed = [name for name in _NUMBERS if getattr(old, name) != getattr(new, name)]
        if changed:
            differences.append(f"{_place(old)}: {', '.join(changed)}")
    differences += [f"{_place(o)}: not in the run" for o in now.values()]
    if len(differences) > MOST_DIFFERENCES:
        more = len(differences) - MOST_DIFFERENCES
        differences = [*differences[:MOST_DIFFERENCES], f"and {more} more"]
    return differences, notes


_NUMBERS = (
    "status",
    "values",
    "observed",
    "scalars",
    "units",
    "references",
    "state",
    "samples",
    "detail",
)


def _begins(one: MeanState, other: MeanState) -> bool:
    """Whether the checkpoints of one stream are the first ones of the other."""
    first, rest = sorted((one.records, other.records), key=len)
    return bool(first) and rest[: len(first)] == first


def _key(o: Observation) -> tuple[str, ...]:
    point = ", ".join(f"{k}={to_text(v)}" for k, v in sorted(o.point.items()))
    return o.purpose.value, o.leg, o.variant, point


def _place(o: Observation) -> str:
    purpose, leg, variant, point = _key(o)
    extra = f" ({variant})" if variant else ""
    return f"leg {leg}{extra}, {point or 'its only point'}" + (
        "" if purpose == "judge" else f", {purpose}"
    )


def _environment(run: RunHead, entry: Entry, item: Loaded) -> list[str]:
    """What differs between then and now: the claim, versions of libraries, the machine."""
    lines = []
    if entry.content != item.content:
        lines.append("the claim's content has changed")
    for what, then, now in (
        ("version", run.versions, versions()),
        ("machine", run.machine, machine()),
    ):
        for name in sorted(set(then) | set(now)):
            if then.get(name) != now.get(name):
                lines.append(f"{what} {name}: {then.get(name)} then, {now.get(name)} now")
    return lines
