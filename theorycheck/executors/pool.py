"""Worker processes.

Each worker has a pipe of its own and one claim at a time, so that a worker that dies, or is stopped for
running over a limit, costs its own claim an ``error`` and nothing else: no lock or queue is shared that it
could leave broken.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import connection
from pathlib import Path
from typing import Any

from theorycheck.arrays.backends import keep_memory, pin_threads
from theorycheck.evidence.store import open_store
from theorycheck.executors import Began, Job, JobResult, in_bytes, unwatched
from theorycheck.executors.pinned import pinned_environment
from theorycheck.executors.worker import failed, present_ahead, work

POLL_SECONDS = 0.05
"""How often limits are looked at. A claim that fills memory at 4 GB/s is 0.2 GB over when stopped."""


@dataclass(eq=False)
class _Worker:
    """A process, this end of its pipe, and what it is doing."""

    process: Any
    pipe: Any
    job: Job | None = None
    started: float = 0.0
    peak: int = 0

    def give(self, job: Job) -> None:
        self.job, self.started, self.peak = job, time.monotonic(), 0
        with contextlib.suppress(BrokenPipeError):  # it has died idle; seen when results are read
            self.pipe.send(job)

    def stop(self) -> None:
        self.pipe.close()  # an idle one ends by itself
        if self.job is not None:
            self.process.kill()
        self.process.join()
        self.process.close()

    @property
    def over_time(self) -> bool:
        limit = None if self.job is None else self.job.time_limit
        return limit is not None and time.monotonic() - self.started > limit


class Pool:
    """The worker processes of a run, and the jobs that wait for one. ``size``: how many at once; the jobs' own
    limits hold."""

    def __init__(self, jobs: Sequence[Job], size: int, began: Began = unwatched) -> None:
        self.began = began
        # Longest first, so that no long claim starts last.
        self.waiting = sorted(jobs, key=lambda j: -j.expected_seconds)
        self.alone: list[Job] = []  # stopped once for memory while others ran beside them
        self.size = max(1, size)
        self.limit, self.store = jobs[0].memory_limit, jobs[0].store
        self.workers: list[_Worker] = []
        self.context = _context()

    @property
    def busy(self) -> list[_Worker]:
        return [w for w in self.workers if w.job is not None]

    def run(self) -> Iterator[JobResult]:
        try:
            while self.waiting or self.alone or self.busy:
                self._hand_out()
                yield from self._results()
                yield from self._limits()
        finally:
            for worker in self.workers:
                worker.stop()
            self.workers = []

    def _hand_out(self) -> None:
        while self.waiting and len(self.busy) < self.size:
            job = self._next()
            if job is None:
                return
            self._idle().give(job)
            self.began(job.claim_id)
        if self.alone and not self.waiting and not self.busy:
            self._idle().give(self.alone.pop())

    def _next(self) -> Job | None:
        """The longest job that is expected to fit into memory beside those that run."""
        used = sum(w.job.expected_memory for w in self.busy if w.job is not None)
        for index, job in enumerate(self.waiting):
            if not self.busy or self.limit is None or used + job.expected_memory <= self.limit:
                return self.waiting.pop(index)
        return None

    def _idle(self) -> _Worker:
        for worker in self.workers:
            if worker.job is None and worker.process.is_alive():
                return worker
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=serve, args=(theirs, self.store), daemon=True)
        with pinned_environment(), _no_main_module():
            process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        return worker

    def _results(self) -> Iterator[JobResult]:
        """Wait a moment, then yield what has finished and what has died."""
        watched = [w.pipe for w in self.busy] + [w.process.sentinel for w in self.busy]
        ready = connection.wait(watched, timeout=POLL_SECONDS)
        for worker in self.busy:
            if worker.pipe not in ready and worker.process.sentinel not in ready:
                continue
            job = worker.job
            if job is None:
                continue
            try:
                # A worker may have sent its result and died after that: the pipe comes first.
                result = worker.pipe.recv() if worker.pipe.poll() else None
            except (EOFError, OSError):
                result = None
            if result is not None:
                worker.job = None
                yield replace(result, memory=worker.peak or None)
            elif worker.process.sentinel in ready or not worker.process.is_alive():
                yield self._dead(worker, job)

    def _dead(self, worker: _Worker, job: Job) -> JobResult:
        worker.process.join()
        code = worker.process.exitcode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self._remove(worker)
        return failed(job, f"its worker process died ({how})")

    def _limits(self) -> Iterator[JobResult]:
        for worker in self.busy:
            if worker.over_time and worker.job is not None:
                job = worker.job
                self._remove(worker)
                yield failed(
                    job,
                    f"time: ran over its limit of {job.time_limit:g} s; what it had seen is kept, "
                    "a larger --time-limit continues it",
                )
        used = {}
        for worker in self.busy:
            used[worker] = resident(worker.process.pid)
            worker.peak = max(worker.peak, used[worker])
        if self.limit is None or sum(used.values()) <= self.limit:
            return
        largest = max(used, key=lambda w: used[w])
        if largest.job is None:
            return
        job = largest.job
        self._remove(largest)
        if len(used) == 1:
            yield failed(
                job, f"memory: grew over the limit of {in_bytes(self.limit)}; see --memory"
            )
        else:  # which others run beside a claim must not decide its verdict
            self.alone.append(job)

    def _remove(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.stop()


def _context() -> Any:
    """Workers start from a server process that has the imports done and no threads to inherit."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


@contextlib.contextmanager
def _no_main_module() -> Iterator[None]:
    """Workers need nothing of the script that runs claims: it is not imported again in each of them, and
    needs no ``if __name__ == "__main__"``."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def serve(pipe: Any, store_path: Path | None) -> None:
    """The life of a worker process: jobs in, results out, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(2, 1)  # what a claim prints must not mix with a report on standard output
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pin_threads()
    keep_memory()
    with open_store(store_path) as store:
        while True:
            try:
                job = pipe.recv()
            except EOFError:
                return
            result = work(job, store)
            pipe.send(result)
            present_ahead(job, result)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 if it is gone."""
    try:
        if Path("/proc/self/statm").exists():
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True)
        return int(shown.stdout or 0) * 1024
    except (OSError, ValueError, IndexError):
        return 0
