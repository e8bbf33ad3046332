"""Trials in processes of their own, several at once, each with a limit of time.

A process is a copy of this one (a fork), so that what is loaded here need not be loaded again and what a
trial changes is gone with it. Limits are kept from outside: signals do not end C code.
"""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

T = TypeVar("T")


class PoolError(RuntimeError):
    """Processes cannot be copied on this system."""


@dataclass(frozen=True)
class TimedTask(Generic[T]):
    """Something to do within ``limit`` seconds."""

    number: int
    run: Callable[[], T]
    limit: float


@dataclass(frozen=True)
class Done(Generic[T]):
    """``result`` is None where the task passed its limit, or where its process died. ``cut``: it still ran
    when all were to end."""

    number: int
    result: T | None
    late: bool = False
    cut: bool = False


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
                    result: T | None = None
                    try:
                        result = pipe.recv()
                    except EOFError:  # the process died without a word
                        result = None
                    process.join()
                elif time.monotonic() >= (end if until is None else min(end, until)):
                    process.kill()
                    process.join()
                    result = None
                else:
                    continue
                del alive[pipe]
                pipe.close()
                late = pipe not in ready and time.monotonic() >= end
                yield Done(task.number, result, late, cut=pipe not in ready and not late)
    finally:
        for _, left, _ in alive.values():
            left.kill()


def _child(task: TimedTask[T], pipe: Connection) -> None:
    gc.freeze()  # what was there before the fork outlives the task: looking through it would copy its pages
    pipe.send(task.run())
    pipe.close()
