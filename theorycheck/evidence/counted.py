"""Counted work: a limit on what a program may do that no clock and no machine decides.

Calls of functions are counted, Python's and C's; beside them the address space may grow by a fixed number
of bytes only, so that one call cannot fill the memory. Only far points of the attack run under it: what
passes the limit there is not reached, and said to be.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GROWTH = 2 * 2**30
"""Bytes that the address space may grow by: eight times the largest array of today's library."""


class NotReached(BaseException):
    """More work than the limit. No Exception, so that no program takes it for one of its own."""


@contextlib.contextmanager
def counted(calls: int) -> Iterator[None]:
    """Raises NotReached in the block after so many calls, MemoryError where it takes too much memory."""
    left = calls
    before = sys.getprofile()

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                sys.setprofile(before)
                raise NotReached(f"more than {calls} calls")

    with _bounded_memory():
        sys.setprofile(count)
        try:
            yield
        finally:
            sys.setprofile(before)


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
