"""Work that array operations and draws take, counted where somebody asks for it.

The unit is one operation on one exact number or ball, about as much as a line of Python; doubles are
cheaper. Nothing here looks at a clock, so that the same program comes as far on every machine. Without a
limit nothing is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

DOUBLES = 32
"""Operations on doubles, or draws, that count as one: of arrays, a nanosecond or two against some fifty."""


class NotReached(BaseException):
    """More work than the limit. No Exception, so that no program takes it for one of its own."""


class _Limit:
    """What is left of the limit, None where there is none; one for the process, as its arrays are."""

    left: int | None = None
    granted = 0


def spend(operations: int) -> None:
    """Count operations on exact numbers or balls. Raises NotReached where they pass the limit."""
    if _Limit.left is not None:
        _Limit.left -= operations
        if _Limit.left < 0:
            raise passed()


def passed() -> NotReached:
    """The error of a limit that was passed, in words."""
    return NotReached(f"more than {_Limit.granted} operations")


def spend_doubles(operations: int) -> None:
    """Count operations on doubles."""
    if _Limit.left is not None:
        spend(-(-operations // DOUBLES))


def spend_shapes(*shapes: Sequence[int]) -> None:
    """Count an operation entry by entry, before it is made: its result may be much larger than its parts."""
    if _Limit.left is not None:
        reach: dict[int, int] = {}
        for shape in shapes:
            for place, n in enumerate(reversed(shape)):
                reach[place] = max(reach.get(place, 1), n)
        spend(math.prod(reach.values()))


def spend_integer(bits: int) -> None:
    """Count an operation on an integer of so many bits: nothing up to a few words, then somewhat more than
    their number, as multiplying them takes."""
    words = bits >> 6
    if words > 6:
        spend(int(words**1.5) >> 4)


def spent() -> bool:
    """Whether the limit was passed."""
    return _Limit.left is not None and _Limit.left < 0


@contextmanager
def limited(operations: int) -> Iterator[None]:
    """At most so much work inside; raises NotReached beyond it. Limits are not nested."""
    _Limit.left = _Limit.granted = operations
    try:
        yield
    finally:
        _Limit.left = None
