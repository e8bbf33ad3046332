"""Workers of a Dask cluster: other machines, or processes of this one.

Workers need theorycheck and the same library versions, and nothing else in common with this machine:
a claim travels as its source folder's files, cached evidence travels with it, and new evidence comes
back with the result (during a long claim, every few seconds) to be kept here. A worker that is lost
costs time: Dask gives its claims to others, and the same draws give the same verdicts.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import queue
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from theorycheck.evidence.environment import environment
from theorycheck.evidence.store import Filed, Store, open_store, sealed, unsealed
from theorycheck.executors import Began, Executor, ExecutorError, Job, JobResult, unwatched
from theorycheck.executors.cached import evidence_of, find
from theorycheck.executors.local import cached_first
from theorycheck.executors.pinned import PINNED
from theorycheck.executors.shipment import Shipment, pack
from theorycheck.executors.shipped import (
    TOPIC,
    SealedEvidence,
    ShippedJob,
    WorkerBroke,
    WorkerMessage,
    differing,
    there,
)
from theorycheck.executors.worker import failed
from theorycheck.numbers.errors import BackendError

Future = Any
"""Of Dask, which has no types."""

CONNECT_SECONDS = 20
POLL_SECONDS = 0.2


def cluster(scheduler: str | None = None) -> Executor:
    """Executor on the cluster at ``scheduler``; without an address, on one started for the run.

    Raises ExecutorError where Dask is absent, or no scheduler answers at the address.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise ExecutorError(
            "--executor dask needs the package distributed: pip install 'theorycheck[dask]'"
        ) from None
    if scheduler is not None:  # now, before anything is written
        _connected(distributed, scheduler).close()

    def dask(jobs: Sequence[Job], workers: int, began: Began = unwatched) -> Generator[JobResult]:
        with open_store(jobs[0].store if jobs else None) as store:
            waiting = yield from cached_first(jobs, store)
            if waiting:
                with _client(distributed, scheduler, workers, waiting[0]) as client:
                    yield from _ClusterRun(client, waiting, store, began).results()

    return dask


@contextlib.contextmanager
def _client(distributed: Any, address: str | None, workers: int, job: Job) -> Iterator[Any]:
    # What goes wrong with a worker is in the claim's reason; Dask would print its own traces of it.
    settings = {
        "logging.distributed": "critical",
        "distributed.nanny.pre-spawn-environ": PINNED,
    }
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        stack.enter_context(importlib.import_module("dask").config.set(settings))
        if address is None:
            limit = "auto" if job.memory_limit is None else job.memory_limit // workers
            local = distributed.LocalCluster(
                n_workers=workers,
                silence_logs=logging.CRITICAL,
                threads_per_worker=1,
                memory_limit=limit,
                dashboard_address=None,
            )
            address = stack.enter_context(local)
        yield stack.enter_context(_connected(distributed, address))


def _connected(distributed: Any, address: Any) -> Any:
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ExecutorError(f"no Dask scheduler answers at {address}: {reason}") from None


class _ClusterRun:
    """The jobs of a run on a cluster: submitted, watched, collected."""

    def __init__(
        self, client: Any, jobs: Sequence[Job], store: Store, began: Began = unwatched
    ) -> None:
        self.began = began
        self.client, self.store = client, store
        self.jobs = {job.claim_id: job for job in jobs}
        self.evidence = {job.claim_id: evidence_of(job, store) for job in jobs}
        self.environment: Mapping[str, str] = {}
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.started: dict[str, tuple[float, str]] = {}
        self.futures: dict[str, Future] = {}

    def results(self) -> Generator[JobResult]:
        self._check_workers()
        self.client.subscribe_topic(TOPIC, self._heard)
        try:
            self._submit()
            while self.futures:
                with contextlib.suppress(
                    queue.Empty
                ):  # nothing ended meanwhile: look at the limits
                    claim_id = self.done.get(timeout=POLL_SECONDS)
                    future = self.futures.pop(claim_id, None)
                    if future is not None:
                        yield self._collect(self.jobs[claim_id], future)
                yield from self._over_time()
        finally:
            self.client.cancel(list(self.futures.values()), force=True)
            self.client.unsubscribe_topic(TOPIC)
            self.store.flush()

    def _check_workers(self) -> None:
        """Refuse workers whose numbers could differ from those of this machine."""
        device = next(iter(self.jobs.values())).settings.device
        workers = self.client.run(environment, device)
        try:
            self.environment = environment(device)
        except BackendError:  # no such device here: the workers need only agree among themselves
            self.environment = next(iter(workers.values()), {})
        for address, theirs in workers.items():
            unlike = differing(self.environment, theirs)
            if unlike:
                raise ExecutorError(f"worker {address} differs from this machine: {unlike}")

    def _submit(self) -> None:
        sent: dict[str, Future] = {}
        ordered = sorted(self.jobs.values(), key=lambda j: -j.expected_seconds)
        for rank, job in enumerate(ordered):
            made_from = find(job).made_from
            shipment = pack(job.file, made_from)
            if shipment.digest not in sent:
                # As a task, not scattered: a task that is lost with its worker is made again.
                sent[shipment.digest] = self.client.submit(
                    _same, shipment, key=f"theorycheck-files-{shipment.digest}"
                )
            evidence = self.evidence[job.claim_id]
            cached = {
                key: sealed(kept[1], kept[0])
                for key in list(evidence.cached())
                if isinstance(evidence, Filed) and (kept := evidence.find_with(key))
            }
            task = ShippedJob(
                replace(job, store=None),
                job.file.name,
                self.environment,
                cached,
                made_from,
            )
            future = self.client.submit(
                there, task, sent[shipment.digest], pure=False, priority=-rank
            )
            self.futures[job.claim_id] = future
            future.add_done_callback(lambda _, claim_id=job.claim_id: self.done.put(claim_id))

    def _heard(self, event: Any) -> None:
        """From the workers: a claim has begun, or evidence ahead of its result."""
        message = WorkerMessage(**event[1])
        if message.claim_id not in self.jobs:
            return
        if message.worker:
            self.started[message.claim_id] = (time.monotonic(), message.worker)
            self.began(message.claim_id)
        self._keep(message.claim_id, message.kept)

    def _keep(self, claim_id: str, kept: SealedEvidence) -> None:
        """Evidence that was made there, with what was read for it."""
        filed = self.evidence[claim_id]
        for key, data in kept.items():
            if isinstance(filed, Filed):
                filed.keep_made(key, *unsealed(data))

    def _collect(self, job: Job, future: Any) -> JobResult:
        if future.status == "finished":
            result: JobResult
            result, kept = future.result()
            self._keep(job.claim_id, kept)
            return replace(result, claim_id=job.claim_id)
        error = future.exception() if future.status == "error" else None
        if isinstance(error, importlib.import_module("distributed").KilledWorker):
            return failed(job, "its worker process died, again and again")
        if isinstance(error, WorkerBroke):
            line, trace = error.args
            return replace(failed(job, f"internal error: {line}"), internal=trace)
        return failed(job, f"lost by the cluster ({type(error).__name__}: {error})")

    def _over_time(self) -> Iterator[JobResult]:
        for claim_id, (began, worker) in list(self.started.items()):
            job = self.jobs[claim_id]
            limit = job.time_limit
            if claim_id in self.futures and limit and time.monotonic() - began > limit:
                if worker not in self.client.scheduler_info(n_workers=-1)["workers"]:
                    del self.started[claim_id]  # lost with its worker; its time begins again
                    continue
                self.client.cancel([self.futures.pop(claim_id)], force=True)
                # A task cannot be stopped from outside; its worker can, and others take what it had.
                # It may be gone already, or not answer: this claim has failed by its limit either way.
                with contextlib.suppress(OSError, ValueError, TimeoutError, KeyError):
                    self.client.restart_workers([worker], raise_for_error=False)
                yield failed(job, f"time: ran over its limit of {limit:g} s")


def _same(shipment: Shipment) -> Shipment:
    return shipment
