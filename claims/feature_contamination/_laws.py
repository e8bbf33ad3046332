"""Sums of independent finite laws, exactly: a law is a list of (value, probability)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

Law = Sequence[tuple[Fraction, Fraction]]


def law_of_sum(laws: Iterable[Law]) -> dict[Fraction, Fraction]:
    """The law of the sum of independent variables: value -> probability."""
    found = {Fraction(0): Fraction(1)}
    for law in laws:
        step: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for total, p in found.items():
            for value, q in law:
                step[total + value] += p * q
        found = step
    return dict(found)


def paired(
    values: Sequence[Sequence[Fraction]], weights: Sequence[Sequence[Fraction]]
) -> list[Law]:
    """The laws of fields ``values`` and ``weights``, both of shape (n, atoms)."""
    return [list(zip(v, w, strict=True)) for v, w in zip(values, weights, strict=True)]


def moment(law: Law, power: int) -> Fraction:
    """E x^power."""
    return sum((p * value**power for value, p in law), Fraction(0))


def drawn_weights(rng, atoms: int) -> list[Fraction]:
    """Positive probabilities with small denominators."""
    parts = [int(rng.integers(1, 6)) for _ in range(atoms)]
    return [Fraction(part, sum(parts)) for part in parts]
