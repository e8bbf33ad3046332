"""A claim on a worker of a Dask cluster: in a process of its own, as in the pool.

Dask runs a task in a thread of a process that talks to the cluster in another. Limits that end a computation
need the main thread (signals), and what that process says to the cluster is not the claim's use of the network:
each worker keeps one process beside it, in which its claims run one after the other. Jobs go in and messages come
out as pickles through its standard streams; it ends with its worker, and its worker with it.
"""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from traceback import format_exception
from typing import IO, Any

from theorycheck.arrays.backends import keep_memory, pin_threads
from theorycheck.evidence.cached import InMemory
from theorycheck.evidence.content import Content
from theorycheck.evidence.environment import environment
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.reads import Reads, current, note, seen_for
from theorycheck.evidence.store import sealed, unsealed
from theorycheck.executors import Job, JobResult
from theorycheck.executors.cached import find
from theorycheck.executors.pinned import PINNED
from theorycheck.executors.pool import resident
from theorycheck.executors.shipment import Shipment
from theorycheck.executors.worker import attempt, failed

TOPIC = "theorycheck"
SEND_SECONDS = 2.0
"""How often a long claim sends evidence ahead of its result."""

POLL_SECONDS = 0.2
"""How often the memory of a process is looked at."""

SealedEvidence = Mapping[str, bytes]
"""Observations by evidence key, as `theorycheck.evidence.store.sealed` gives them."""


@dataclass(frozen=True)
class WorkerMessage:
    """What a worker tells during a claim: its own address when it begins, evidence ahead of the result."""

    claim_id: str
    worker: str = ""
    kept: SealedEvidence = field(default_factory=dict)


@dataclass(frozen=True)
class ShippedJob:
    """A job as it travels, with the environment that its evidence is filed under."""

    job: Job
    file: str
    environment: Mapping[str, str]
    cached: SealedEvidence
    made_from: Content


@dataclass(frozen=True)
class _Done:
    """The result of a claim, and the evidence to keep."""

    result: JobResult
    kept: SealedEvidence


@dataclass(frozen=True)
class _Raised:
    """What went wrong outside of any claim: the error in a line, and its trace."""

    text: str
    trace: str

    @classmethod
    def of(cls, error: Exception) -> _Raised:
        return cls(f"{type(error).__name__}: {error}", "".join(format_exception(error)))


class WorkerBroke(RuntimeError):
    """An error outside of the claim on a worker: its line and its trace."""


Tell = Callable[[WorkerMessage], None]


def differing(mine: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """What two machines do not have in common, in words; "" where nothing."""
    names = [n for n in sorted({*mine, *theirs}) if mine.get(n) != theirs.get(n)]
    return ", ".join(f"{n} {theirs.get(n)} there, {mine.get(n)} here" for n in names)


# ---------------------------------------------------------------- in the worker of Dask


def there(task: ShippedJob, shipment: Shipment) -> tuple[JobResult, SealedEvidence]:
    """Execute a claim on a worker: its result, and the evidence to keep. Raises WorkerBroke with what went
    wrong outside of the claim. A process that dies takes the worker with it, whose claims Dask gives to others."""
    worker = importlib.import_module("distributed").get_worker()

    def tell(message: WorkerMessage) -> None:
        worker.log_event(TOPIC, asdict(message))  # Dask sends plain data only

    with _one_claim_at_a_time:
        tell(WorkerMessage(task.job.claim_id, worker=str(worker.address)))
        try:
            done = _beside().run(task, shipment, tell, worker.memory_manager.memory_limit)
        except Died:
            os._exit(1)
    if isinstance(done, _Raised):
        raise WorkerBroke(done.text, done.trace)
    return done.result, done.kept


class Died(Exception):
    """The process beside a worker is gone."""


class SideProcess:
    """The process beside a worker, and what it has said."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | PINNED | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self.said: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self.process.stdout, self.said), daemon=True).start()

    def run(
        self, task: ShippedJob, shipment: Shipment, tell: Tell, memory: int | None
    ) -> _Done | _Raised:
        """What comes of a job; ``memory``: bytes that the process may hold. Raises Died."""
        assert self.process.stdin is not None
        try:
            pickle.dump((task, shipment), self.process.stdin)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Died from None
        while True:
            try:
                message = self.said.get(timeout=POLL_SECONDS)
            except queue.Empty:
                if self.process.poll() is not None and self.said.empty():
                    raise Died from None
                if memory and resident(self.process.pid) > memory:
                    self.process.kill()
                continue
            if message is None:
                raise Died
            if not isinstance(message, WorkerMessage):
                ended: _Done | _Raised = message
                return ended
            tell(message)


_one_claim_at_a_time = threading.Lock()


@cache
def _beside() -> SideProcess:
    return SideProcess()


def _read(stream: IO[bytes], said: queue.SimpleQueue[Any]) -> None:
    """Everything that is said on a stream; None at its end."""
    try:
        while True:
            said.put(pickle.load(stream))
    except EOFError:
        said.put(None)
    except Exception as error:  # noqa: BLE001 - loading a pickle may raise anything; it is passed on with its trace
        said.put(_Raised.of(error))
        said.put(None)


# ---------------------------------------------------------------- in the process beside it


def serve() -> None:
    """The life of the process beside a worker: jobs in, messages and results out, until its worker is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    given, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # a claim that asks for input finds none
    os.dup2(2, 1)  # what a claim prints must not mix with messages
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    idle = threading.Event()
    idle.set()
    threading.Thread(target=_jobs, args=(given, jobs, idle), daemon=True).start()
    pin_threads()
    keep_memory()

    def tell(message: WorkerMessage | _Done | _Raised) -> None:
        pickle.dump(message, told)
        told.flush()

    while (job := jobs.get()) is not None:
        try:
            tell(job if isinstance(job, _Raised) else executed(job[0], job[1], tell))
        except Exception as error:  # noqa: BLE001 - an internal error: the run tells it with its trace (exit code 3)
            tell(_Raised.of(error))
        idle.set()


def _jobs(stream: IO[bytes], jobs: queue.SimpleQueue[Any], idle: threading.Event) -> None:
    """Jobs as they come; the process ends with its worker, whatever it computes."""
    said: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stream, said), daemon=True).start()
    while (one := said.get()) is not None:
        idle.clear()
        jobs.put(one)
        if isinstance(one, _Raised):
            idle.wait()  # it is told before the end that follows it
    jobs.put(None)
    if not idle.is_set():
        os._exit(1)


@dataclass(kw_only=True)
class _Carried(InMemory):
    """Evidence of one claim away from any store: brought along, and to be taken back. ``read_before``: what
    was read for what is brought along."""

    tell: Tell
    claim_id: str = ""
    made_from: Content = field(default_factory=Content)
    folder: Path = Path()
    read_before: dict[str, Content] = field(default_factory=dict)
    kept: dict[str, bytes] = field(default_factory=dict)
    _sent: float = field(default_factory=time.monotonic)
    _unsent: dict[str, bytes] = field(default_factory=dict)

    def find(self, key: str) -> Observation | None:
        if key in self.read_before:
            note(self.read_before[key], self.folder)
        return super().find(key)

    def keep(self, key: str, seen: Observation) -> None:
        super().keep(key, seen)
        read = seen_for(self.made_from, self.folder, current() or Reads())
        if seen.status == "error" or read.never:
            return
        self.kept[key] = self._unsent[key] = sealed(seen, read)
        if time.monotonic() - self._sent > SEND_SECONDS:
            self.tell(WorkerMessage(self.claim_id, kept=self._unsent))
            self._sent, self._unsent = time.monotonic(), {}


def executed(task: ShippedJob, shipment: Shipment, tell: Tell) -> _Done:
    """A claim's result, with the evidence to keep."""
    job = replace(task.job, file=shipment.unpack() / task.file)
    unlike = differing(task.environment, environment(job.settings.device))
    if unlike:
        return _Done(failed(job, f"its worker differs: {unlike}"), {})
    item = find(job)
    other = set(item.made_from.parts) ^ set(task.made_from.parts)
    if other:
        names = ", ".join(sorted({str(part) for part in other}))
        return _Done(failed(job, f"its worker sees another {names}"), {})
    before = {key: unsealed(data) for key, data in task.cached.items()}
    evidence = _Carried(
        held={key: seen for key, (seen, _) in before.items()},
        tell=tell,
        claim_id=job.claim_id,
        made_from=item.made_from,
        folder=job.file.parent,
        read_before={key: read for key, (_, read) in before.items()},
    )
    return _Done(attempt(job, item, evidence), evidence.kept)
