"""Work that is counted, so that an answer is the same on every machine and beside any other work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

SECOND = 1_000_000
"""Steps that a processor does in about a second. What something costs in steps (the numbers at `spend`) is a rough part
that is fixed and one by size: over 150 statements of the reference report a step took 0.6 microseconds, 0.1 to 1.7 by
statement. They decide when an attempt ends, and no answer that is given."""


class OutOfEffort(Exception):
    """The steps that were given are used up."""


class _Left:
    steps = float("inf")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """What is done inside may take so many seconds' worth of steps, and no more than are left outside."""
    before = _Left.steps
    given = min(before, seconds * SECOND)
    _Left.steps = given
    try:
        yield
    finally:
        _Left.steps = before - (given - max(_Left.steps, 0))


def spend(steps: float) -> None:
    """Count steps. Raises OutOfEffort where none are left."""
    _Left.steps -= steps
    if _Left.steps < 0:
        raise OutOfEffort
