"""What the cache alone answers of a job: the claim as it was found, its evidence, its result as judged before.

Light: no module here loads an array library, SymPy or the engine, so that a run in which nothing has
changed starts and ends without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from theorycheck.claims.functions import ClaimError
from theorycheck.entries.report import entry_from_json, entry_to_json
from theorycheck.evidence.cached import Evidence, Nothing
from theorycheck.evidence.origin import Origin
from theorycheck.evidence.store import Store
from theorycheck.executors import Job, JobResult
from theorycheck.formulas.memo import Memo
from theorycheck.library.loading import Loaded, load_or_error
from theorycheck.numbers.errors import BackendError
from theorycheck.plan.settings import Settings

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
    if item is None or not item.claim:  # a cached one is loaded here
        raise ClaimError(f"{job.file.name}: no claim {job.claim_id}")
    return item


def evidence_of(job: Job, store: Store) -> Evidence:
    """What is cached of a job's claim. Raises ClaimError where there is no such claim."""
    return evidence_of_item(find(job), job.settings, store)


def evidence_of_item(item: Loaded, settings: Settings, store: Store) -> Evidence:
    """What is cached of a claim under these settings."""
    return _evidence(item.origin, settings, store)


def _evidence(origin: Origin, settings: Settings, store: Store) -> Evidence:
    """What is cached of a claim; nothing where its device, whose name files evidence, is absent."""
    try:
        return store.evidence(origin, settings)
    except BackendError:
        return Nothing()


RESULT = "result"
"""What a `Memo` holds a claim's entry and observations under."""


def judged_before(job: Job, store: Store) -> JobResult | None:
    """The result as the same engine judged it of the same evidence, without loading the claim; None where
    there is none."""
    if job.origin is None:
        return None
    held = _evidence(job.origin, job.settings, store).memo(job.settings.profile)
    judged = held.find(RESULT, _judged_by(job))
    if judged is None:
        return None
    entry, observations = judged
    return JobResult(job.claim_id, entry_from_json(entry), observations)


def keep_result(job: Job, result: JobResult, memo: Memo) -> None:
    """Judging is a pure function of evidence that the store holds: where that is all there, its result
    need not be worked out again. Errors are not kept, nor is what nobody will ask for."""
    if job.origin is not None and result.entry.verdict in ("pass", "fail", "inconclusive"):
        entry = entry_to_json(result.entry)
        memo.put(RESULT, _judged_by(job), [entry, result.observations])


def _judged_by(job: Job) -> tuple[str, ...]:
    """What an entry depends on beside the claim's content, seed and profile and the engine."""
    alpha, device = repr(job.settings.alpha), job.settings.device
    return job.file.parent.name, job.kind, alpha, device, job.registers
