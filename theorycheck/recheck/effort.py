"""Work that is counted, so that an answer is the same on every machine and beside any other work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

SECOND = 1_000_000
"""Steps that a processor does in about a second, or in less."""


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
