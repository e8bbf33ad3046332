"""Exactly flat orthonormal dictionaries: columns of Sylvester's Hadamard matrices, before division by sqrt(n)."""

from __future__ import annotations

from fractions import Fraction


def flat_columns(d, n):
    """The first d columns of the Hadamard matrix of size n = 2^e, entries +-1."""
    return [[Fraction((-1) ** (i & j).bit_count()) for i in range(n)] for j in range(d)]
