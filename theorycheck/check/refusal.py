"""What is said of input that cannot be read: one line that names the part that is wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from theorycheck.numbers.errors import UserError


class InputError(UserError):
    """Bad input: one line that points at the place and says what is allowed (exit code 4)."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class NotParsed(InputError):
    """The text is no expression of the canonical grammar."""


class TooLarge(InputError):
    """The text passes a limit, however it is read."""


class Ambiguous(InputError):
    """Text that can be read in several ways; ``readings`` are canonical texts, all different."""

    def __init__(self, what: str, part: str, readings: tuple[str, ...]) -> None:
        self.what, self.part, self.readings = what, part, readings
        ways = " or ".join(readings)
        super().__init__(f"{what}: {part!r} can be read in more than one way; write {ways}")


def at(
    source: str, what: str, column: int, message: str, kind: type[InputError] = InputError
) -> InputError:
    """The error at a place of a text."""
    piece = source[column : column + 24].strip()
    near = f" at {piece!r}" if piece else " at the end"
    return kind(f"{what}, column {column + 1},{near}: {message}")


def nearest(word: str, words: Iterable[str]) -> str:
    """``; did you mean erfc?`` where a word of ``words`` is near, else nothing."""
    known = {w.lower(): w for w in words}
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.76)
    return f"; did you mean {known[close[0]]}?" if close else ""


def pairs_without_ends(i: str, j: str, head: str) -> str:
    """What to write for a sum over i < j that says not where they end."""
    return (
        f"{i} and {j} need ends; write \\sum_{{1 <= i < j <= n}}, or "
        f"{head}(term, (j, i+1, n), (i, 1, n)), for all pairs {head}(term, (j, 1, n), (i, 1, n))"
    )


__all__ = ["Ambiguous", "InputError", "NotParsed", "TooLarge", "at", "nearest"]
