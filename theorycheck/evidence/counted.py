"""Counted work: a limit on what a program may do that no clock and no machine decides.

Array operations and draws count by their size (`theorycheck.arrays.work`); so do lines of Python, calls of
functions, and plain NumPy arrays and long integers each time that they are given to a function or returned
by one. What is cached from an earlier point is not counted again, nor what happens inside one call of C code
that makes no array. Beside
that the address space may grow by a fixed number of bytes only, so that one call cannot fill the memory.
Only far points of the attack run under it: what passes the limit there is not reached, and said to be.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from theorycheck.arrays.work import (
    NotReached,
    limited,
    passed,
    spend,
    spend_doubles,
    spend_integer,
    spent,
)

__all__ = ["NotReached", "counted"]

GROWTH = 2**29
"""Bytes that the address space may grow by: twice the largest array of today's library."""


@contextlib.contextmanager
def counted(operations: int) -> Iterator[None]:
    """Raises NotReached in the block after so much work, MemoryError where it takes too much memory.

    Once the limit is passed nothing more is counted, so that what is left behind can be closed; and what C
    code makes of the error is no error of the program's. Where the error is raised while an object is being
    destroyed, a generator for instance, Python drops it and goes on: there it is raised once more, outside.
    """
    traced, profiled = sys.gettrace(), sys.getprofile()
    hook = sys.unraisablehook
    with _bounded_memory(), limited(operations):
        _Again.due = False
        sys.unraisablehook = _Again(hook)
        sys.setprofile(_called)
        sys.settrace(_entered)
        try:
            yield
            if spent():
                raise passed()
        except (
            Exception
        ) as error:  # raised on; C code may have turned the limit's into one of its own
            if spent():
                raise passed() from error
            raise
        finally:
            sys.settrace(traced)
            sys.setprofile(profiled)
            sys.unraisablehook = hook


class _Again:
    """The hook for errors that Python drops, which has that of the limit raised once more. A function that
    raised is no profiler any more, so it is set anew."""

    due = False

    def __init__(self, hook: Callable[[Any], Any]) -> None:
        self.hook = hook

    def __call__(self, dropped: Any) -> None:
        if not issubclass(dropped.exc_type, NotReached):
            self.hook(dropped)
            return
        sys.setprofile(_called)
        sys.settrace(_entered)
        _Again.due = True


def _over(frame: Any) -> bool:
    """Whether the limit was passed. Raises the error where it was dropped, but not inside the hook."""
    if _Again.due and frame.f_code is not _Again.__call__.__code__:
        _Again.due = False
        raise passed()
    return spent()


def _called(frame: Any, event: str, argument: Any) -> None:
    """A call counts as one, and as what the arrays that go in and come out are worth."""
    if _over(frame):
        return
    if event == "c_call":
        spend(1)
    elif event == "call":
        spend(1)
        for value in frame.f_locals.values():
            _size(value)
    elif event == "return":
        _size(argument)


def _entered(frame: Any, event: str, argument: Any) -> Callable[..., Any]:
    """A line counts as one; so a loop without calls comes to an end too."""
    if not _over(frame):
        spend(1)
    return _entered


def _size(value: Any) -> None:
    """Asked of the type alone: a program's own objects may answer anything."""
    kind = type(value)
    if issubclass(kind, np.ndarray):
        spend_doubles(value.size)
    elif kind is int:
        spend_integer(value.bit_length())
    elif kind is Fraction:
        spend_integer(max(value.numerator.bit_length(), value.denominator.bit_length()))


@contextlib.contextmanager
def _bounded_memory() -> Iterator[None]:
    """Where the system has such a limit and says how much is used."""
    try:
        import resource

        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        used = int(pages) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + GROWTH
    limit = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
