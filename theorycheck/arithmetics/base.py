"""What every arithmetic says of itself: how a leg is run in it, what rung that reaches, and in what words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # claims are listed without arrays
    from theorycheck.arrays.backends import Backend
    from theorycheck.numbers.enclosure import Enclosure


class Arithmetic:
    """A way to run a leg. Subclasses override what differs.

    ``rung``: what its evidence at the points tried reaches at most; ``sampled``: returns independent
    draws, judged through a statistic; ``proves``: returns a `Proof` instead of numbers;
    ``controlled``: whether the engine bounds its errors; ``exact``: whether its values are exact
    numbers; ``stacks``: whether instances are stacked along a first axis; ``stands_alone``: whether a
    script without theorycheck can do the same.
    """

    name: str
    rung = "certified"
    sampled = False
    proves = False
    controlled = True
    exact = False
    stacks = False
    stands_alone = True

    def __repr__(self) -> str:
        return f"<arithmetic {self.name}>"

    @property
    def takes_reference(self) -> bool:
        """Whether the other side may be a procedure run in the same way."""
        return self.controlled and not self.sampled

    def missing(self, statistic: object, model: str, error: Fraction | int | None) -> str:
        """What a leg in this arithmetic lacks, in words that say what to write; "" where nothing."""
        return ""

    def tells_apart(self, target: float) -> str:
        """In words, what a look at this target resolution can tell apart."""
        return f"{target:.1g}"

    def namespaces(self, backend: Backend) -> Iterable[tuple[Any, int]]:
        """Array namespaces to try in order, each with its bits of precision; none for plain Python and
        for samples."""
        return ()

    def sharp(self, value: Enclosure, bits: int) -> bool:
        """Whether a value seen at this precision needs no further namespace."""
        return True
