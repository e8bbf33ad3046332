"""Shared model of the source: parities on the cube, and what statistical queries see of them.

Everything is exact: integers over all of {-1, 1}^D, or sums over the number of ones where a quantity
is symmetric in the coordinates.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np


def cube(D: int) -> np.ndarray:
    """All of {-1, 1}^D, first coordinate slowest. Shape (2**D, D), integers."""
    return np.array(list(itertools.product((-1, 1), repeat=D)), dtype=np.int64)


def subsets(D: int, k: int) -> list[tuple[int, ...]]:
    return list(itertools.combinations(range(D), k))


def parities(D: int, k: int) -> np.ndarray:
    """Pi_A over the cube for all A of size k. Shape (2**D, C(D, k)), entries -1 and 1."""
    points = cube(D)
    return np.stack([points[:, a].prod(axis=1) for a in subsets(D, k)], axis=1)


def correlations(values: np.ndarray, D: int, k: int) -> list[Fraction]:
    """E[values Pi_A] under the uniform law for all A of size k; ``values`` integers, shape (2**D,).

    One Walsh-Hadamard transform gives all of them.
    """
    table = np.array(values, dtype=np.int64).reshape((2,) * D)
    for axis in range(D):
        minus, plus = np.take(table, 0, axis=axis), np.take(table, 1, axis=axis)
        table = np.stack([plus + minus, plus - minus], axis=axis)
    picked = [table[tuple(int(i in a) for i in range(D))] for a in subsets(D, k)]
    return [Fraction(int(c), 2**D) for c in picked]


def elementary(D: int, k: int, plus: int) -> int:
    """e_k(z), the sum of all Pi_A(z) with |A| = k, at a z with ``plus`` coordinates equal to 1."""
    return sum((-1) ** j * comb(D - plus, j) * comb(plus, k - j) for j in range(k + 1))


def symmetric_mean(D: int, value) -> Fraction:
    """E value(number of coordinates equal to 1) under the uniform law, exactly."""
    return sum(Fraction(comb(D, t) * value(t)) for t in range(D + 1)) / 2**D


def sign(x: int) -> int:
    return (x > 0) - (x < 0)
