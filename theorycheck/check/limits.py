"""How much time a computation takes, and a hard end to those that may not return by themselves.

Time is counted as the processor's, so that what is found does not depend on what else the machine does;
only the end of a whole budget is by the wall clock.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic, thread_time
from types import FrameType
from typing import Any

from flint.utils.flint_exceptions import DomainError
from mpmath.libmp import NoConvergence
from sympy.polys.polyerrors import BasePolynomialError

# An exception raised while an object is being destroyed, or in a callback of the garbage collector, is
# lost, so the signal comes again.
_AGAIN = 0.25


# What SymPy raises where it does not get through, on expressions such as floor(oo)**y or Mod(n, n - n).
GAVE_UP = (
    *(RecursionError, NotImplementedError, ValueError, TypeError, AttributeError),
    *(ArithmeticError, KeyError, IndexError, AssertionError, MemoryError),
    *(BasePolynomialError, NoConvergence, DomainError),
)


class TimeUp(BaseException):
    """Not an Exception, so that no handler on the way takes it for a failure of its own."""


Hook = Callable[[Any], None]


def now() -> float:
    """Seconds that this thread has computed."""
    return thread_time()


class Clock:
    """A budget in seconds of computing, and slices of what is left of it; ``wall`` is when it ends at the
    latest, as `time.monotonic` has it."""

    def __init__(self, seconds: float, wall: float = inf) -> None:
        self.started = monotonic()
        self.end, self.wall = now() + seconds, wall

    @property
    def spent(self) -> float:
        """Seconds since it was made, by the wall clock."""
        return monotonic() - self.started

    @property
    def left(self) -> float:
        return min(self.end - now(), self.wall - monotonic())

    def out(self) -> bool:
        return self.left <= 0

    def limit(self, longer: float = 0.0) -> AbstractContextManager[None]:
        """`time_limit` at the end of this clock, or so many seconds later."""
        return time_limit(self.left + longer, self.wall + longer)

    def slice(self, share: float, at_most: float = inf) -> Clock:
        """A part of the time that is left, by both clocks."""
        computed, wall = self.end - now(), self.wall - monotonic()
        if computed <= 0 or wall <= 0:
            return Clock(0.0, self.wall)
        share = min(share, at_most / computed)
        return Clock(computed * share, min(self.wall, monotonic() + wall * share))


@dataclass(frozen=True)
class _End:
    """When to stop: computed seconds, and the wall clock's."""

    computed: float
    wall: float


_ends: list[_End] = []
# While a module is being imported nothing is raised: half of a module is worse than a late end.
_IMPORTING = "<frozen importlib._bootstrap>"
_LATER = 0.02


def _stop(number: int, frame: FrameType | None) -> None:
    if not _ends:
        return
    end = _ends[-1]
    if end.computed > now() and monotonic() < end.wall:  # others had the processor
        signal.setitimer(signal.ITIMER_REAL, _until(end), _AGAIN)
    elif _importing(frame):
        signal.setitimer(signal.ITIMER_REAL, _LATER, _AGAIN)
    else:
        raise TimeUp


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _until(end: _End) -> float:
    return max(min(end.computed - now(), end.wall - monotonic()), 0.001)


@contextmanager
def time_limit(seconds: float, wall: float = inf) -> Iterator[None]:
    """Raise `TimeUp` inside the block after so many seconds of computing, or when `time.monotonic` is
    ``wall``; limits nest, the nearest one counts.

    Works in the main thread of systems with interval timers, where a command runs; elsewhere the
    block runs without it and ends by the checks of its own clock.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    outer = _ends[-1] if _ends else _End(inf, inf)
    end = _End(min(now() + max(seconds, 0.001), outer.computed), min(wall, outer.wall))
    depth = len(_ends)
    previous = signal.signal(signal.SIGALRM, _stop)
    silent = sys.unraisablehook
    try:
        try:
            # From here on the signal may come between any two steps, so all of them are undone below.
            sys.unraisablehook = _not_of_limits(silent)
            _ends.append(end)
            signal.setitimer(signal.ITIMER_REAL, _until(end), _AGAIN)
            yield
        except SystemError as error:
            # Compiled code that was left by the signal's exception says so in this way.
            if _set_off_by_the_end(error):
                raise TimeUp from error
            raise
        finally:
            # The signal may come here still: what is below is done in any case.
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # First of all: a signal that has arrived and not yet been seen to would set the timer anew, and
        # it would go off when nobody handles it, which ends the process.
        del _ends[depth:]
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.unraisablehook = silent
        if _ends:
            signal.setitimer(signal.ITIMER_REAL, _until(_ends[-1]), _AGAIN)


def _set_off_by_the_end(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, TimeUp):
            return True
        error = error.__cause__ or error.__context__
    return False


def _not_of_limits(hook: Callable[[Any], Any]) -> Hook:
    """The hook for exceptions that cannot be raised, without word of those that come again."""

    def quiet(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, TimeUp):
            hook(unraisable)

    return quiet


@contextmanager
def long_integers() -> Iterator[None]:
    """Counterexamples may have more digits than Python prints of its own accord."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(allowed)
