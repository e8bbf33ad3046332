"""What every worker does with a job, in whatever process it lives."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from msgspec import structs

from theorycheck.arrays.backends import BackendError
from theorycheck.claims.model import ClaimError
from theorycheck.engine.execute import Outcome, execute
from theorycheck.entries.report import Entry, entry_from_json, entry_to_json
from theorycheck.evidence.cached import CachedOnly, CacheMiss, Evidence, Nothing
from theorycheck.evidence.origin import Origin
from theorycheck.evidence.reads import seen_for, watching
from theorycheck.evidence.store import Store
from theorycheck.executors import Job, JobResult
from theorycheck.formulas.memo import Memo, using
from theorycheck.library.loading import Loaded, load_or_error
from theorycheck.numbers.domain import Exact, from_text
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import Unjudged, entry_of
from theorycheck.record.files import observations_text

_found: dict[tuple[Path, str], Loaded] = {}


def found(items: Iterable[Loaded]) -> None:
    """Tell this process of claims that it has loaded, so that it does not load them again."""
    _found.update({(item.file, item.id): item for item in items})


def find(job: Job) -> Loaded:
    """The claim of a job. Raises ClaimError where its file does not hold it."""
    if (job.file, job.claim_id) not in _found:
        items = load_or_error(job.file)
        found(items)
        if items and items[0].broken and items[0].id != job.claim_id:
            raise ClaimError(items[0].claim.says)
    item = _found.get((job.file, job.claim_id))
    if item is None or not item.claim:  # one that is only known is loaded here
        raise ClaimError(f"{job.file.name}: no claim {job.claim_id}")
    return item


def work(job: Job, store: Store) -> JobResult:
    """Execute a job. Nothing that goes wrong with one claim is raised: it comes back as a result."""
    try:
        item = find(job)
    except ClaimError as error:
        return failed(job, f"cannot be loaded again: {error}")
    result = attempt(job, item, evidence_of(job, store), store.counterexamples(job.claim_id))
    found_at = result.entry.counterexample
    if result.entry.verdict == "fail" != item.claim.expect and found_at and found_at.point:
        store.keep_counterexample(
            job.claim_id, {k: from_text(str(v)) for k, v in found_at.point.items()}
        )
    store.flush()
    return result


def present_ahead(job: Job, result: JobResult) -> None:
    """Draw and typeset what the report will show of a result, into the store that it looks in: many
    workers take a tenth of a second a claim from the end of a run. Not under limits, which are for the
    claims alone."""
    if job.time_limit is not None or job.memory_limit is not None or not result.observations:
        return
    from theorycheck.reports.present import cached, kept

    data = observations_text(result.observations).encode()
    with kept() as store:
        cached(find(job), result.entry, job.settings, data, store)


def evidence_of(job: Job, store: Store) -> Evidence:
    return evidence_of_item(find(job), job.settings, store)


def evidence_of_item(item: Loaded, settings: Settings, store: Store) -> Evidence:
    return _evidence(item.origin, settings, store)


def _evidence(origin: Origin, settings: Settings, store: Store) -> Evidence:
    """What is cached of a claim; nothing where its device, whose name files evidence, is absent."""
    try:
        return store.evidence(origin, settings)
    except BackendError:
        return Nothing()


def attempt(
    job: Job, item: Loaded, evidence: Evidence, suspects: Sequence[Mapping[str, Exact]] = ()
) -> JobResult:
    """Execute a loaded claim with what is cached of it, yesterday's counterexamples included. The
    entry says under ``cached`` why evidence of it is never cached."""
    with watching() as reads:
        result = _attempt(job, item, evidence, suspects)
    never = seen_for(item.made_from, item.file.parent, reads).never
    if not never:
        return result
    return replace(result, entry=structs.replace(result.entry, cached=f"never, because {never}"))


def _attempt(
    job: Job, item: Loaded, evidence: Evidence, suspects: Sequence[Mapping[str, Exact]]
) -> JobResult:
    profile = job.settings.profile
    try:
        with using(evidence.memo(profile)) as memo:
            outcome = execute(item.claim, job.settings, evidence, suspects=suspects)
            result = _result(job, item, outcome)
            if not suspects:
                _keep_result(job, result, memo)
        evidence.keep_memo(profile, memo)
        return result
    except BackendError as error:
        return JobResult(job.claim_id, _unjudged(job, item, "skipped", f"skipped: {error}"))
    except Exception as error:  # noqa: BLE001 - an error of the engine must not cost the other claims
        message = f"internal error: {type(error).__name__}: {error}"
        entry = _unjudged(job, item, "error", message)
        return JobResult(job.claim_id, entry, internal=traceback.format_exc())


def _unjudged(job: Job, item: Loaded, verdict: Literal["error", "skipped"], reason: str) -> Entry:
    return entry_of(item, job.settings, Unjudged(verdict, reason), job.kind)


def cached_result(job: Job, store: Store) -> JobResult | None:
    """The result where cached evidence is all that it takes; None where anything is to be made. A claim
    that was judged before by the same engine, on the same evidence, is not even loaded."""
    if store.counterexamples(job.claim_id):  # what once failed is looked at again
        return None
    if job.origin is not None:
        held = _evidence(job.origin, job.settings, store).memo(job.settings.profile)
        judged = held.find(RESULT, _judged_by(job))
        if judged is not None:
            entry, observations = judged
            return JobResult(job.claim_id, entry_from_json(entry), observations)
    item = find(job)
    evidence, profile = CachedOnly(evidence_of(job, store)), job.settings.profile
    if not evidence.cached():
        return None
    try:
        with watching(), using(evidence.memo(profile)) as memo:
            outcome = execute(item.claim, job.settings, evidence)
            result = _result(job, item, outcome)
            _keep_result(job, result, memo)
            evidence.keep_memo(profile, memo)
        return result
    except (CacheMiss, BackendError):
        return None


RESULT = "result"
"""What a `Memo` holds a claim's entry and observations under."""


def _judged_by(job: Job) -> tuple[str, ...]:
    """What an entry depends on beside the claim's content, seed and profile and the engine."""
    return job.file.parent.name, job.kind, repr(job.settings.alpha), job.settings.device, job.shelf


def _keep_result(job: Job, result: JobResult, memo: Memo) -> None:
    """Judging is a pure function of evidence that the store holds: where that is all there, its result
    need not be worked out again. Errors are not kept, nor is what nobody will ask for."""
    if job.origin is not None and result.entry.verdict in ("pass", "fail", "inconclusive"):
        entry = entry_to_json(result.entry)
        memo.put(RESULT, _judged_by(job), [entry, result.observations])


def _result(job: Job, item: Loaded, outcome: Outcome) -> JobResult:
    return JobResult(
        job.claim_id,
        entry_of(item, job.settings, outcome, job.kind),
        [o.to_json() for o in outcome.observations],
        outcome.fresh,
        max(outcome.seconds, sum(o.seconds for o in outcome.observations)),
    )


def failed(job: Job, message: str) -> JobResult:
    """Result of a job whose worker died or ran out of time or memory."""
    return JobResult(job.claim_id, _unjudged(job, find(job), "error", message))
