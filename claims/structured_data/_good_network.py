"""Shared model of the source: networks of tents that read the label off the number of relevant patterns."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

Neuron = tuple[Fraction, Fraction]
"""Read-out and bias; all share one weight vector."""

HALF = Fraction(1, 2)


def label_sets(k: int) -> Iterator[frozenset[int]]:
    """All subsets of {1, .., k}."""
    for size in range(k + 1):
        yield from map(frozenset, combinations(range(1, k + 1), size))


def label(s: int, positive: frozenset[int]) -> int:
    return 1 if s in positive else -1


def tents(
    k: int, mu: Fraction, positive: frozenset[int], slope: int, shift: Fraction, scale: Fraction
) -> list[Neuron]:
    """Three neurons for each count p in 0..k: a tent of the given slope and half-width 1/2 around p - mu + "
    "shift, with
    the sign of p's label, everything divided by ``scale`` inside and multiplied outside."""
    found = []
    for p in range(k + 1):
        for factor, offset in ((1, HALF), (-2, Fraction(0)), (1, -HALF)):
            read_out = label(p, positive) * slope * factor * scale
            found.append((read_out, (mu - p - shift + offset) / scale))
    return found


def output(network: list[Neuron], projection: Fraction) -> Fraction:
    """sum_i a_i sigma(projection + b_i), sigma the truncated ReLU."""
    one, zero = Fraction(1), Fraction(0)
    return sum((a * min(one, max(zero, projection + b)) for a, b in network), zero)


def least_bias(network: list[Neuron]) -> Fraction:
    return min(abs(b) for _, b in network)
