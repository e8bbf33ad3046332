"""What every worker does with a job, in whatever process it lives."""

from __future__ import annotations

import os

from threadpoolctl import threadpool_limits

from theorycheck import record
from theorycheck.arrays.backends import BackendError
from theorycheck.claims import ClaimError
from theorycheck.execute import execute
from theorycheck.executors import Job, Result
from theorycheck.loading import Loaded, load_file
from theorycheck.store import open_store

# Set before numerical libraries start their threads: numbers must not depend on the worker count.
BLAS_THREADS = 1


def find(job: Job) -> Loaded:
    for item in load_file(job.file):
        if item.claim.id == job.claim_id:
            return item
    raise ClaimError(f"{job.file.name}: no claim {job.claim_id}")


def work(job: Job) -> Result:
    """Execute a job; what the claim's code does wrong comes back as verdict ``error``."""
    item = find(job)
    with open_store(job.store) as store, threadpool_limits(BLAS_THREADS):
        known = store.known(item)
        try:
            outcome = execute(
                item.claim,
                job.settings,
                known,
                keep=lambda key, seen: store.keep(item, key, seen),
            )
        except BackendError as error:
            entry = record.entry(item, job.settings, None, job.kind, f"skipped: {error}")
            return Result(job.claim_id, entry)
        store.took(item, job.settings, outcome.seconds)
    entry = record.entry(item, job.settings, outcome, job.kind)
    return Result(
        job.claim_id, entry, [o.to_json() for o in outcome.observations], outcome.fresh
    )


def failed(job: Job, message: str) -> Result:
    """Result of a job whose worker died or ran out of time or memory."""
    entry = record.entry(find(job), job.settings, None, job.kind, message)
    return Result(job.claim_id, entry)


def start() -> None:
    """Initialise a worker process."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(BLAS_THREADS)
