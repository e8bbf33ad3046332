"""Worker processes of this machine. A worker that dies costs its own claim an ``error``."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, TimeoutError, wait

from pebble import ProcessExpired, ProcessPool

from theorycheck.executors import Job, Result
from theorycheck.executors.worker import failed, start, work


def local(jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """Longest expected first, so that no long claim starts last; results as they finish."""
    ordered = sorted(jobs, key=lambda j: -j.expected_seconds)
    context = multiprocessing.get_context("spawn")
    with ProcessPool(max_workers=max(1, workers), initializer=start, context=context) as pool:
        pending = {pool.schedule(work, args=(job,), timeout=job.time_limit): job for job in ordered}
        try:
            while pending:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    job = pending.pop(future)
                    try:
                        yield future.result()
                    except TimeoutError:
                        yield failed(job, f"time: ran over its limit of {job.time_limit:g} s")
                    except ProcessExpired as error:
                        yield failed(job, f"its worker died (exit code {error.exitcode})")
        finally:
            if pending:
                pool.stop()


def here(jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """In this process, one after the other: for tests, notebooks and debugging."""
    for job in jobs:
        yield work(job)
