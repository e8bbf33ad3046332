"""An array program over balls, at a working precision that is doubled until they are small."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from theorycheck.arithmetics.base import Arithmetic

if TYPE_CHECKING:
    from theorycheck.arrays.backends import Backend
    from theorycheck.numbers.enclosure import Enclosure

PRECISIONS = (128, 256, 512, 1024, 2048, 4096)
"""Working precisions of the ball ladder in bits; each doubling at most triples the cost."""

SMALL_BITS = 60
"""A ball of 2^-60 of its value is sharper than any target resolution of a profile."""

ZERO_BITS = 512
"""A ball that holds 0 at this precision is taken for zero: two doublings have not told them apart."""


class Ball(Arithmetic):
    """Balls; a branch that a ball cannot decide also asks for more precision."""

    name = "ball"
    stacks = True

    def namespaces(self, backend: Backend) -> Iterable[tuple[Any, int]]:
        from theorycheck.arrays.balls import BallNamespace  # claims are listed without arrays

        for bits in PRECISIONS:
            yield BallNamespace(bits), bits

    def sharp(self, value: Enclosure, bits: int) -> bool:
        if value.exact:
            return True
        if value.lo <= 0 <= value.hi:
            return bits >= ZERO_BITS
        return bool((value.hi - value.lo) * 2**SMALL_BITS <= min(abs(value.lo), abs(value.hi)))


ARITHMETIC = Ball()
