"""The audit of a selection of claims: every change tried, with progress, resumable, in any number of workers."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from theorycheck.audit.declared import Declared, declared_changes
from theorycheck.audit.explained import Explained, read_explanations
from theorycheck.audit.pool import TimedTask, run_all
from theorycheck.audit.sites import Site, Use, uses
from theorycheck.audit.source import Change, changes
from theorycheck.audit.trial import (
    Baseline,
    Finding,
    TrialResult,
    baseline,
    declared_trial,
    source_trial,
)
from theorycheck.library.loading import Loaded
from theorycheck.plan.settings import Settings

SLOWER, PATIENCE = 10.0, 10.0
"""A trial may take so many times what the claim's own evidence took, and so many seconds more: a program
that is slower than that ran away, which is noticed."""

LONGEST = 20.0
"""Seconds of a leg's evidence above which its code is not audited here: it is counted as not reached."""


@dataclass(frozen=True)
class Mutant:
    """A change with where it stands and what became of it. ``explained``: the author's line, or ""."""

    source: str
    file: str
    function: str
    line: int
    part: str
    kind: str
    old: str
    new: str
    finding: Finding
    explained: str = ""

    @property
    def unexplained(self) -> bool:
        return self.finding.found is TrialResult.SURVIVED and not self.explained


@dataclass(frozen=True)
class _Planned:
    """A mutant before its trial. ``key``: content of all that the trial depends on."""

    key: str
    mutant: Mutant
    task: Callable[[], Finding]
    seconds: float


Watch = Callable[[int, int, Mutant | None], None]
"""Called with how many trials are done, of how many, and the mutant that was just tried."""


def audit(
    items: Sequence[Loaded],
    settings: Settings,
    *,
    workers: int = 1,
    budget: float | None = None,
    journal: Path | None = None,
    watch: Watch | None = None,
) -> list[Mutant]:
    """Every mutant of the claims, in the order of sources, files and lines.

    ``budget``: seconds after which no further trial is begun; ``journal``: a file of findings, which
    are used again while nothing that they depend on has changed. Raises PoolError, ClaimError.
    """
    until = None if budget is None else time.monotonic() + budget
    bases = {item.id: base for item, base in _baselines(items, settings, workers)}
    explained = {item.file.parent: read_explanations(item.file.parent) for item in items}
    planned = [*_of_source(items, bases, explained), *_of_declarations(items, bases)]
    before = _read(journal)
    found: dict[int, Finding] = {i: before[p.key] for i, p in enumerate(planned) if p.key in before}
    tasks = [
        TimedTask(i, p.task, SLOWER * p.seconds + PATIENCE)
        for i, p in enumerate(planned)
        if i not in found and p.seconds <= LONGEST
    ]
    total = len(found) + len(tasks)
    if watch is not None:
        watch(len(found), total, None)
    for done in run_all(tasks, workers, until):
        finding = done.result or (
            Finding(TrialResult.RUNAWAY, why="ran far longer than the original")
            if done.late
            else Finding(TrialResult.BROKEN, why="its process died")
        )
        found[done.number] = finding
        _append(journal, planned[done.number].key, finding)
        if watch is not None:
            watch(len(found), total, _with(planned[done.number].mutant, finding))
    unreached = Finding(TrialResult.UNREACHED, why="not tried within the budget")
    return [_with(p.mutant, found.get(i, unreached)) for i, p in enumerate(planned)]


def _with(mutant: Mutant, finding: Finding) -> Mutant:
    return Mutant(**{**vars(mutant), "finding": finding})


def _baselines(
    items: Sequence[Loaded], settings: Settings, workers: int
) -> Iterator[tuple[Loaded, Baseline]]:
    """The claims as they are. Kept evidence would do as well, but it is made here so that what is compared
    was made by the same process."""
    for item in items:
        yield item, baseline(item, settings)


def _of_source(
    items: Sequence[Loaded],
    bases: Mapping[str, Baseline],
    explained: Mapping[Path, Mapping[Explained, str]],
) -> Iterator[_Planned]:
    content = {item.id: item.content for item in items}
    by_file: dict[Path, dict[int, tuple[Site, list[Use]]]] = {}
    for site, used in uses(items).items():
        by_file.setdefault(site.file, {})[site.line] = (site, used)
    for file, sites in sorted(by_file.items()):
        text = file.read_text(encoding="utf-8")
        for line, (site, used) in sorted(sites.items()):
            touched = _touched(used, bases)
            seconds = sum(b.seconds(legs) for b, legs in touched)
            about = _digest(*sorted(content[b.item.id] for b, _ in touched))
            part = min((u.part for u in used), key=_PARTS.index)
            for change in changes(text, frozenset({line})):
                if part == "instances" and change.kind == "constant":
                    continue  # other data of the same kind: nothing says that it should be noticed
                why = explained[file.parent].get(Explained(site.name, change.old, change.new), "")
                yield _Planned(
                    _digest(about, file.name, change.applied(text)),
                    _mutant(file, site, part, change, why),
                    partial(source_trial, file, change.applied(text), touched),
                    seconds,
                )


_PARTS = ("simulation", "certificate", "reference", "search", "instances")
"""A function that serves several is filed under the first."""


def _mutant(file: Path, site: Site, part: str, change: Change, why: str) -> Mutant:
    return Mutant(
        file.parent.name,
        file.name,
        site.name,
        change.line,
        part,
        change.kind,
        change.old,
        change.new,
        Finding(TrialResult.UNREACHED),
        why,
    )


def _touched(
    used: Iterable[Use], bases: Mapping[str, Baseline]
) -> list[tuple[Baseline, frozenset[str]]]:
    legs: dict[str, set[str]] = {}
    for use in used:
        legs.setdefault(use.claim, set()).add(use.leg)
    return [(bases[claim], frozenset(names)) for claim, names in sorted(legs.items())]


def _of_declarations(items: Sequence[Loaded], bases: Mapping[str, Baseline]) -> Iterator[_Planned]:
    for item in items:
        base = bases[item.id]
        if base.judgement.verdict != "pass":
            continue
        explained = read_explanations(item.file.parent)
        for change in declared_changes(item.claim):
            why = explained.get(Explained(item.id, change.kind, change.text), "")
            mutant = Mutant(
                item.source,
                item.file.name,
                item.id,
                0,
                "declaration",
                change.kind,
                change.kind,
                change.text,
                Finding(TrialResult.UNREACHED),
                why,
            )
            key = _digest(item.content, item.id, change.kind, change.text)
            seconds = sum(o.seconds for o in base.evidence.values())
            yield _Planned(key, mutant, partial(_declared, base, change), seconds)


def _declared(base: Baseline, change: Declared) -> Finding:
    legs = frozenset(lg.name for lg in base.claim.legs) if change.kind == "leg dropped" else None
    return declared_trial(base, change.claim, legs or frozenset())


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _read(journal: Path | None) -> dict[str, Finding]:
    if journal is None or not journal.exists():
        return {}
    found = {}
    for line in journal.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
            found[row["key"]] = Finding(TrialResult(row["found"]), row["claim"], row["why"])
        except (ValueError, KeyError, TypeError):  # a line that was cut by a kill
            continue
    return found


def _append(journal: Path | None, key: str, finding: Finding) -> None:
    if journal is None:
        return
    journal.parent.mkdir(parents=True, exist_ok=True)
    row = {"key": key, "found": finding.found, "claim": finding.claim, "why": finding.why}
    with journal.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
