"""Exactly flat orthonormal dictionaries and the codes of the model, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product


def flat_columns(d, n):
    """The first d columns of Sylvester's Hadamard matrix of size n = 2^e, entries +-1, before division by sqrt(n)."""
    return [[Fraction((-1) ** (i & j).bit_count()) for i in range(n)] for j in range(d)]


def codes(d, q):
    """All codes in {-1, 0, 1}^d with their probabilities."""
    for z in product((0, 1, -1), repeat=d):
        chance = Fraction(1)
        for entry in z:
            chance *= Fraction(q) / 2 if entry else 1 - Fraction(q)
        yield z, chance


ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}
"""Of a claim whose programs take everything from their instances."""


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
