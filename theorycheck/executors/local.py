"""This machine: cached claims in this process, the others in worker processes, or all of them here.

The engine, with the libraries that it takes, is imported where something is to be judged or made: a run in
which nothing has changed does without.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager

from theorycheck.evidence.store import Store, open_store
from theorycheck.executors import Began, Job, JobResult, unwatched
from theorycheck.executors.cached import judged_before


def local(jobs: Sequence[Job], workers: int, began: Began = unwatched) -> Generator[JobResult]:
    """Cached claims here, the others in ``workers`` processes, longest expected first."""
    with _store_of(jobs) as store:
        waiting = yield from cached_first(jobs, store)
    if waiting:
        from theorycheck.executors.pool import Pool

        yield from Pool(waiting, workers, began).run()


def cached_first(jobs: Sequence[Job], store: Store) -> Generator[JobResult, None, list[Job]]:
    """Yields the results that cached evidence decides; returns the other jobs."""
    waiting = []
    for job in jobs:
        result = cached_result(job, store)
        if result is None:
            waiting.append(job)
        else:
            yield result
    return waiting


def cached_result(job: Job, store: Store) -> JobResult | None:
    """The result where cached evidence is all that it takes; None where anything is to be made. A claim
    that was judged before by the same engine, on the same evidence, is not even loaded."""
    if store.counterexamples(job.claim_id):  # what once failed is looked at again
        return None
    result = judged_before(job, store)
    if result is None:
        from theorycheck.executors.worker import judged_of_cache

        result = judged_of_cache(job, store)
    return result


def here(jobs: Sequence[Job], workers: int, began: Began = unwatched) -> Generator[JobResult]:
    """In this process, one after the other: for tests, notebooks and debugging."""
    from theorycheck.arrays.backends import pin_threads
    from theorycheck.executors.worker import work

    with _store_of(jobs) as store, pin_threads():
        for job in jobs:
            began(job.claim_id)
            yield work(job, store)


def _store_of(jobs: Sequence[Job]) -> AbstractContextManager[Store]:
    return open_store(jobs[0].store if jobs else None)
