"""Reading a text in every way that it allows.

A parser that meets a place with several readings calls `Choices.among`; `every` runs it once for each
combination, drops those that fail, and keeps the results that differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from theorycheck.check.refusal import InputError

_T = TypeVar("_T")

MAX_RUNS = 200
"""So many combinations are tried: enough for four doubtful places of three readings and for all that
people type; a text with more of them is refused by its first error or as ambiguous."""


@dataclass
class Choices:
    """The decisions of one run: the first ones are given, the others take their first option.

    ``asked`` holds for each place how many options it had; ``places`` its column.
    """

    given: tuple[int, ...] = ()
    asked: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def among(self, options: int, column: int) -> int:
        """Which of ``options`` is taken here."""
        k = len(self.asked)
        self.asked.append(options)
        self.places.append(column)
        return self.given[k] if k < len(self.given) else 0


def every(parse: Callable[[Choices], _T]) -> list[tuple[_T, tuple[int, ...]]]:
    """All different results, each with the columns of the places where a choice was made.

    Raises:
        InputError: the error of the run that came furthest, where no run succeeds.
    """
    waiting: list[tuple[int, ...]] = [()]
    found: list[tuple[_T, tuple[int, ...]]] = []
    refused: InputError | None = None
    for _ in range(MAX_RUNS):
        if not waiting:
            break
        given = waiting.pop(0)
        choices = Choices(given)
        try:
            result = parse(choices)
        except InputError as error:
            refused = refused or error
        else:
            if all(result != other for other, _ in found):
                found.append((result, tuple(choices.places)))
        for k in range(len(given), len(choices.asked)):
            before = given + (0,) * (k - len(given))
            waiting += [(*before, option) for option in range(1, choices.asked[k])]
    if not found and refused is not None:
        raise refused
    return found


__all__ = ["Choices", "every"]
