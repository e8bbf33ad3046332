"""A hard end to computations that may not return by themselves."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

# An exception raised while an object is being destroyed, or in a callback of the garbage collector, is
# lost, so the signal comes again.
_AGAIN = 0.25


class TimeUp(BaseException):
    """Not an Exception, so that no handler on the way takes it for a failure of its own."""


Hook = Callable[[Any], None]


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
    silent = sys.unraisablehook
    sys.unraisablehook = _not_of_limits(silent)
    signal.setitimer(signal.ITIMER_REAL, min(limit, outer) if outer else limit, _AGAIN)
    try:
        try:
            yield
        finally:
            # The signal may come here still: what is below is done in any case.
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.unraisablehook = silent
        if outer:
            left = outer - (monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), _AGAIN)


def _not_of_limits(hook: Callable[[Any], Any]) -> Hook:
    """The hook for exceptions that cannot be raised, without word of those that come again."""

    def quiet(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, TimeUp):
            hook(unraisable)

    return quiet
