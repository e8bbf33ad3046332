"""What every worker does with a job, in whatever process it lives."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from msgspec import structs

from theorycheck.claims.functions import ClaimError
from theorycheck.engine.execute import Outcome, execute
from theorycheck.entries.report import Entry
from theorycheck.evidence.cached import CachedOnly, CacheMiss, Evidence
from theorycheck.evidence.reads import seen_for, watching
from theorycheck.evidence.store import Store
from theorycheck.executors import Job, JobResult
from theorycheck.executors.cached import evidence_of, find, keep_result
from theorycheck.formulas.memo import using
from theorycheck.library.loading import Loaded
from theorycheck.numbers.domain import Exact, from_text
from theorycheck.numbers.errors import Absent, UserError
from theorycheck.record.entry import Unjudged, entry_of
from theorycheck.record.observations import observations_text


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

    data = result.observations.encode()
    with kept() as store:
        cached(find(job), result.entry, job.settings, data, store)


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
                keep_result(job, result, memo)
        evidence.keep_memo(profile, memo)
        return result
    except Absent as error:
        return JobResult(job.claim_id, _unjudged(job, item, "skipped", f"skipped: {error}"))
    except (
        UserError
    ) as error:  # the claim as written cannot be planned, say: its author's, and a line
        return JobResult(job.claim_id, _unjudged(job, item, "error", str(error)))
    except Exception as error:  # noqa: BLE001 - an error of the engine must not cost the other claims
        message = f"internal error: {type(error).__name__}: {error}"
        entry = _unjudged(job, item, "error", message)
        return JobResult(job.claim_id, entry, internal=traceback.format_exc())


def _unjudged(job: Job, item: Loaded, verdict: Literal["error", "skipped"], reason: str) -> Entry:
    return entry_of(item, job.settings, Unjudged(verdict, reason), job.kind)


def judged_of_cache(job: Job, store: Store) -> JobResult | None:
    """The result where cached evidence is all that it takes; None where anything is to be made."""
    item = find(job)
    evidence, profile = CachedOnly(evidence_of(job, store)), job.settings.profile
    if not evidence.cached():
        return None
    try:
        with watching(), using(evidence.memo(profile)) as memo:
            outcome = execute(item.claim, job.settings, evidence)
            result = _result(job, item, outcome)
            keep_result(job, result, memo)
            evidence.keep_memo(profile, memo)
        return result
    except (CacheMiss, Absent):
        return None


def _result(job: Job, item: Loaded, outcome: Outcome) -> JobResult:
    return JobResult(
        job.claim_id,
        entry_of(item, job.settings, outcome, job.kind),
        observations_text(outcome.observations),
        outcome.fresh,
        max(outcome.seconds, sum(o.seconds for o in outcome.observations)),
    )


def failed(job: Job, message: str) -> JobResult:
    """Result of a job whose worker died or ran out of time or memory."""
    return JobResult(job.claim_id, _unjudged(job, find(job), "error", message))
