"""Trials in processes of their own, several at once, each with a limit of time.

A process is a copy of this one (a fork), so that what is loaded here need not be loaded again and what a
trial changes is gone with it. Limits are kept from outside: signals do not end C code. Those of processor time
are kept by the system, and what else the machine does cuts nothing short.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

T = TypeVar("T")


class PoolError(RuntimeError):
    """Processes cannot be copied on this system."""


@dataclass(frozen=True)
class TimedTask(Generic[T]):
    """Something to do within ``limit`` seconds, of which ``processor`` on a processor (whole ones, rounded up)."""

    number: int
    run: Callable[[], T]
    limit: float
    processor: float = math.inf


@dataclass(frozen=True)
class Done(Generic[T]):
    """``result`` is None where the task passed its limit (``late``), raised (``error``: its type and message),
    still ran when all were to end (``cut``), or where its process died."""

    number: int
    result: T | None
    late: bool = False
    cut: bool = False
    error: str = ""


@dataclass(frozen=True)
class _Raised:
    """What a task raised, in a line."""

    text: str


def run_all(
    tasks: Sequence[TimedTask[T]], workers: int, until: float | None = None
) -> Iterator[Done[T]]:
    """Results as they come. After ``until`` (of `time.monotonic`) no further task is begun, and what still
    runs is ended.

    Raises PoolError where the system cannot copy a process.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        raise PoolError("the audit copies its process (fork), which this system does not offer")
    context = multiprocessing.get_context("fork")
    waiting = list(reversed(tasks))
    alive: dict[Connection, tuple[TimedTask[T], multiprocessing.process.BaseProcess, float]] = {}
    try:
        while waiting or alive:
            while waiting and len(alive) < workers and (until is None or time.monotonic() < until):
                task = waiting.pop()
                mine, theirs = context.Pipe(duplex=False)
                begun = context.Process(target=_child, args=(task, theirs), daemon=True)
                begun.start()
                theirs.close()
                alive[mine] = task, begun, time.monotonic() + task.limit
            if not alive:
                return
            ends = [end for _, _, end in alive.values()]
            nearest = min(ends if until is None else [*ends, until])
            ready = wait(list(alive), timeout=max(nearest - time.monotonic(), 0.0))
            for pipe in list(alive):
                task, process, end = alive[pipe]
                if pipe in ready:
                    done = _ended(task, process, pipe)
                elif time.monotonic() >= (end if until is None else min(end, until)):
                    process.kill()
                    process.join()
                    late = time.monotonic() >= end
                    done = Done(task.number, None, late=late, cut=not late)
                else:
                    continue
                del alive[pipe]
                pipe.close()
                yield done
    finally:
        for _, left, _ in alive.values():
            left.kill()


def _ended(
    task: TimedTask[T], process: multiprocessing.process.BaseProcess, pipe: Connection
) -> Done[T]:
    """What became of a task whose process has spoken, or ended."""
    said: T | _Raised | None = None
    with suppress(EOFError):  # the process died without a word
        said = pipe.recv()
    process.join()
    if isinstance(said, _Raised):
        return Done(task.number, None, error=said.text)
    return Done(task.number, said, late=process.exitcode == -signal.SIGXCPU)


def _child(task: TimedTask[T], pipe: Connection) -> None:
    if task.processor < math.inf:
        import resource  # where a process can be copied there are limits, too

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(task.processor), most))
    gc.freeze()  # what was there before the fork outlives the task: looking through it would copy its pages
    try:
        pipe.send(task.run())
    except Exception as error:  # noqa: BLE001 - it goes to whoever asked, in a line
        pipe.send(_Raised(f"{type(error).__name__}: {error}"))
    pipe.close()
