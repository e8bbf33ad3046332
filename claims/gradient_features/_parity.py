"""The structured parities: their inputs on A, labels, and the laws of both."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod


def blocks(phi, k):
    """The blocks A_1, ..., A_r of a vector on A."""
    return [phi[i : i + k] for i in range(0, len(phi), k)]


def label(phi, k):
    """The sign of the sum of the block parities, 0 where they cancel."""
    total = sum(prod(b) for b in blocks(phi, k))
    return (total > 0) - (total < 0)


def one_block(r, k, j, sign):
    """Block j constant, the others 0."""
    return tuple(sign if i // k == j else 0 for i in range(r * k))


def biased(r, k) -> Iterator[tuple[int, ...]]:
    """The 2 r inputs X_{j,+}, X_{j,-} on A."""
    for j in range(r):
        yield one_block(r, k, j, 1)
        yield one_block(r, k, j, -1)


def law(r, k, mass) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Inputs on A with their probabilities; ``mass``: p_A, that of each biased part."""
    mass = Fraction(mass)
    for phi in biased(r, k):
        yield phi, mass
    rest = (1 - 2 * r * mass) / 2 ** (r * k)
    for phi in product((1, -1), repeat=r * k):
        yield phi, rest


def noise(count, rate) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """``count`` independent coordinates off A, each +-1 with probability ``rate`` and 0 else."""
    rate = Fraction(rate)
    chance = {1: rate, -1: rate, 0: 1 - 2 * rate}
    for phi in product((1, -1, 0), repeat=count):
        weight = prod((chance[v] for v in phi), start=Fraction(1))
        if weight:
            yield phi, weight
