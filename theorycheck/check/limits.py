"""A hard end to computations that may not return by themselves."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

# An exception raised while an object is being destroyed is lost, so the signal comes again.
_AGAIN = 0.25


class TimeUp(BaseException):
    """Not an Exception, so that no handler on the way takes it for a failure of its own."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeUp


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside the block after so many seconds; limits nest, the nearest one counts.

    Works in the main thread of systems with interval timers, where a command runs; elsewhere the
    block runs without it and ends by the checks of its own clock.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    outer = signal.getitimer(signal.ITIMER_REAL)[0]
    started = monotonic()
    limit = max(seconds, 0.001)
    previous = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, min(limit, outer) if outer else limit, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        if outer:
            left = outer - (monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), _AGAIN)
