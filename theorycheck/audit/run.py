"""The audit of a selection of claims: every change tried, with progress, resumable, in any number of workers."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from theorycheck.audit.baseline import Baseline, Told, baselines
from theorycheck.audit.declared import declared_changes
from theorycheck.audit.explained import Explained, read_explanations
from theorycheck.audit.pool import Done, TimedTask, run_all
from theorycheck.audit.sites import Site, Use, uses
from theorycheck.audit.source import Change, changes, ends
from theorycheck.audit.touched import Touched, meets
from theorycheck.audit.trial import (
    ALTOGETHER,
    LONGEST,
    Finding,
    TrialResult,
    declared_trial,
    source_trial,
)
from theorycheck.audit.wording import content_without_wording, module_without_wording
from theorycheck.evidence.environment import engine_digest
from theorycheck.library.loading import Loaded
from theorycheck.plan.settings import Settings

SLOWER, PATIENCE = 10.0, 3.0
"""A trial may take so many times what the claim's own evidence took, and so many seconds of processor time more,
for what the modules and the engine need: a program that is slower than that ran away, which is noticed."""

IDLE = 20.0
"""Times that limit a trial may take on the clock: on a machine with so many others it gets its processor time."""

DECLARED_SECONDS = (1.0, 10.0)
"""What points of the engine's own choice, or a prover on a wider domain, may take of themselves: as long as the
claim's own evidence did, between these two."""


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
    """A mutant before its trial. ``key``: content of all that the trial depends on, whatever the wording;
    ``beside``: the line stands, and evidence for it was touched."""

    key: str
    mutant: Mutant
    task: Callable[[], Finding]
    seconds: float
    beside: bool = False


Watch = Callable[[int, int, Mutant | None], None]
"""Called with how many trials are done, of how many, and the mutant that was just tried."""


def audit(
    items: Sequence[Loaded],
    settings: Settings,
    *,
    workers: int = 1,
    budget: float | None = None,
    journal: Path | None = None,
    store: Path | None = None,
    touched: Touched | None = None,
    watch: Watch | None = None,
    told: Told | None = None,
) -> list[Mutant]:
    """Every mutant of the claims, in the order of sources, files and lines.

    ``budget``: seconds after which the audit ends, of which at most half are spent on the claims as they are;
    ``journal``: a file of findings, which are used again while nothing that they depend on has changed; ``store``: of
    evidence, where that of the claims as they are is recalled from and kept; ``touched``: where given, functions and
    declarations at these lines are changed, and after them those whose legs reach a touched function or stand in a
    touched module: what measures them may be worth less than it was. Raises PoolError, ClaimError.
    """
    begun = time.monotonic()
    until = None if budget is None else begun + budget
    half = None if budget is None else begun + budget / 2
    bases = baselines(items, settings, workers=workers, store=store, told=told, until=half)
    explained = {item.file.parent: read_explanations(item.file.parent) for item in items}
    planned = [
        *_of_source(items, bases, explained, touched),
        *_of_declarations(items, bases, explained, touched),
    ]
    before = _read(journal)
    found: dict[int, Finding] = {i: before[p.key] for i, p in enumerate(planned) if p.key in before}
    tasks = [
        TimedTask(i, p.task, IDLE * most, processor=most)
        for i, p in enumerate(planned)
        for most in [SLOWER * p.seconds + PATIENCE]
        if i not in found
    ]
    # the cheapest first, so that a budget reaches more of them; what is declared takes its whole limit rarely
    tasks.sort(
        key=lambda task: (
            planned[task.number].beside,
            task.limit,
            planned[task.number].mutant.line > 0,
        )
    )
    total = len(found) + len(tasks)
    if watch is not None:
        watch(len(found), total, None)
    for done in run_all(tasks, workers, until):
        if done.cut:
            continue
        finding = done.result or _without_word(done)
        found[done.number] = finding
        _append(journal, planned[done.number].key, finding)
        if watch is not None:
            watch(len(found), total, _with(planned[done.number].mutant, finding))
    unreached = Finding(TrialResult.UNREACHED, why="not tried within the budget: a larger --budget")
    return [_with(p.mutant, found.get(i, unreached)) for i, p in enumerate(planned)]


def _without_word(done: Done[Finding]) -> Finding:
    """Of a trial that found nothing. What changed code raises is evidence and was caught; an error that
    reaches us is the engine's, and no success."""
    if done.error:
        return Finding(TrialResult.UNREACHED, why=f"internal error: {done.error}")
    if done.late:
        return Finding(TrialResult.RUNAWAY, why="ran far longer than the original")
    return Finding(TrialResult.BROKEN, why="its process died")


def _with(mutant: Mutant, finding: Finding) -> Mutant:
    return replace(mutant, finding=finding)


def _of_source(
    items: Sequence[Loaded],
    bases: Mapping[str, Baseline],
    explained: Mapping[Path, Mapping[Explained, str]],
    only: Touched | None,
) -> Iterator[_Planned]:
    content = {item.id: content_without_wording(item) for item in items}
    by_file: dict[Path, dict[int, tuple[Site, list[Use]]]] = {}
    of_sites = uses(items)
    weakened = _weakened(items, of_sites, only)
    for site, used in of_sites.items():
        by_file.setdefault(site.file, {})[site.line] = (site, used)
    for file, sites in sorted(by_file.items()):
        text = file.read_text(encoding="utf-8")
        last = ends(text)
        ordinals = {line: n for n, line in enumerate(sorted(last))}
        for line, (site, used) in sorted(sites.items()):
            beside = only is not None and not meets(only, file, line, last.get(line, line))
            if beside and not any((u.claim, u.leg) in weakened for u in used):
                continue
            touched = _touched(used, bases)
            missing = len({u.claim for u in used}) - len(touched)
            seconds = min(sum(min(b.seconds(legs), LONGEST) for b, legs in touched), ALTOGETHER)
            about = _digest(*_about((b.item, content[b.item.id]) for b, _ in touched))
            part = min((u.part for u in used), key=_PARTS.index)
            module, place = module_without_wording(file), str(ordinals.get(line, f"line {line}"))
            for number, change in enumerate(changes(text, frozenset({line}))):
                if part == "instances" and change.kind == "constant":
                    continue  # other data of the same kind: nothing says that it should be noticed
                why = explained[file.parent].get(Explained(site.name, change.old, change.new), "")
                mutated = change.applied(text)
                yield _Planned(
                    _digest(about, file.name, module, place, str(number)),
                    _mutant(file, site, part, change, why),
                    partial(source_trial, file, mutated, touched, part == "instances", missing),
                    seconds,
                    beside,
                )


def _weakened(
    items: Iterable[Loaded], of_sites: Mapping[Site, Sequence[Use]], only: Touched | None
) -> frozenset[tuple[str, str]]:
    """Claims and legs whose evidence may be worth less than it was: they reach a touched function, or their module
    was touched (grids and ranges stand outside of functions)."""
    if only is None:
        return frozenset()
    last = {file: ends(file.read_text(encoding="utf-8")) for file in {s.file for s in of_sites}}
    reached = {
        (use.claim, use.leg)
        for site, used in of_sites.items()
        if meets(only, site.file, site.line, last[site.file].get(site.line, site.line))
        for use in used
    }
    own = {(i.id, lg.name) for i in items if i.file in only for lg in i.claim.legs}
    return frozenset(reached | own)


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
    return [
        (bases[claim], frozenset(names))
        for claim, names in sorted(legs.items())
        if bases[claim].sound
    ]


def _of_declarations(
    items: Sequence[Loaded],
    bases: Mapping[str, Baseline],
    explained: Mapping[Path, Mapping[Explained, str]],
    only: Touched | None,
) -> Iterator[_Planned]:
    for item in items:
        base = bases[item.id]
        unseen = base.verdict == "error"
        if not (unseen or base.verdict == "pass") or (only is not None and item.file not in only):
            continue
        content = content_without_wording(item)
        least, most = DECLARED_SECONDS
        own = min(max(base.seconds(frozenset(lg.name for lg in item.claim.legs)), least), most)
        for change in declared_changes(item.claim):
            key = Explained(item.id, change.kind, change.text)
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
                explained[item.file.parent].get(key, ""),
            )
            yield _Planned(
                _digest(
                    *_about([(item, content)]),
                    item.id,
                    change.kind,
                    change.text,
                    *["unseen"] * unseen,
                ),
                mutant,
                partial(_unreached, base) if unseen else partial(declared_trial, base, change),
                own,
            )


def _unreached(base: Baseline) -> Finding:
    return Finding(TrialResult.UNREACHED, base.item.id, base.why)


_ENGINE = (
    *("numbers", "balls", "stats", "arrays", "arithmetics", "relations", "blocks", "claims"),
    *("plan", "evidence", "judge", "engine", "library", "audit"),
)
"""Rooms that a finding depends on."""

_PROVERS = ("check", "formulas")
"""Rooms that it depends on as well, where a claim asks for a proof."""


def _about(claims: Iterable[tuple[Loaded, str]]) -> list[str]:
    """What the findings of some claims, given with their contents, depend on."""
    claims = list(claims)
    rooms = [_ENGINE, *([_PROVERS] if any(item.origin.proof for item, _ in claims) else [])]
    return [*map(engine_digest, rooms), *sorted(content for _, content in claims)]


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
            found[row["key"]] = Finding(
                TrialResult(row["found"]), row["claim"], row["why"], row["left"]
            )
        except (ValueError, KeyError, TypeError):  # a line that was cut by a kill
            continue
    return found


def _append(journal: Path | None, key: str, finding: Finding) -> None:
    if journal is None:
        return
    journal.parent.mkdir(parents=True, exist_ok=True)
    row = {"key": key, **vars(finding)}
    with journal.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
