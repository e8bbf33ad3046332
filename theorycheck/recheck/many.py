"""Many kept proofs, in one process or in several: the same answers in the same order."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

from theorycheck.recheck.files import KeptProof
from theorycheck.recheck.judge import UNREAD, Answer, recheck


def recheck_all(
    kept: Sequence[KeptProof], *, seconds: float = 2.0, workers: int = 1
) -> Iterator[Answer]:
    """The answers in the order of the proofs, each as soon as those before it are there."""
    one = partial(recheck, seconds=seconds)
    if workers <= 1 or len(kept) <= 1:
        yield from map(one, kept)
        return
    # not a copy of this process: it may hold threads and what they lock
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(kept)), context, initializer=_left_to_the_first)
    try:
        for given in [pool.submit(one, k) for k in kept]:
            yield _answer(given)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _left_to_the_first() -> None:
    """An interruption is told once, by the process that asked for the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _answer(given: Future[Answer]) -> Answer:
    try:
        return given.result()
    except BrokenProcessPool:
        return Answer(UNREAD, "a process that rechecks has died")
