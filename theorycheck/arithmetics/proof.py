"""A program that returns a proof, checked by its own means."""

from __future__ import annotations

from theorycheck.arithmetics.base import Arithmetic


class ByProof(Arithmetic):
    """A `Proof` in place of numbers: no rows, no closed form, no mutants."""

    name = "proof"
    proves = True
    stands_alone = False

    def tells_apart(self, target: float) -> str:
        return "a proof"


ARITHMETIC = ByProof()
