"""Shared model of the source: members of the data family as exact laws on patterns.

A law maps (pattern in {0, 1}^D, label) to a rational weight. Label y = Pi_A(2 phi - 1) with A the first k
coordinates and k odd (P the odd counts). With probability 1 - 2 gamma the relevant patterns are uniform,
otherwise all 0 or all 1; background patterns are independent Bernoulli(p).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

Pattern = tuple[int, ...]


def parity(pattern: Pattern) -> int:
    """prod (2 phi_i - 1)."""
    return -1 if pattern.count(0) % 2 else 1


def relevant_law(k: int, gamma: Fraction) -> dict[Pattern, Fraction]:
    """Law of phi_A in the repaired mixture; covariance gamma with the label for every pattern."""
    law = dict.fromkeys(itertools.product((0, 1), repeat=k), (1 - 2 * gamma) / 2**k)
    for end in ((0,) * k, (1,) * k):
        law[end] += gamma
    return law


def exchangeable_law(k: int, gamma: Fraction, rng) -> dict[Pattern, Fraction]:
    """Another member with the same gamma: random weights by number of ones, class-balanced, mixed with
    the two extreme laws so that the covariance is gamma."""
    by_count = [Fraction(int(rng.integers(1, 9))) for _ in range(k + 1)]
    phis = list(itertools.product((0, 1), repeat=k))
    mass = {y: sum(by_count[sum(f)] for f in phis if parity(f) == y) for y in (-1, 1)}
    free = {f: by_count[sum(f)] / (2 * mass[parity(f)]) for f in phis}
    own = sum(w * parity(f) * f[0] for f, w in free.items())
    # Small enough that the rest keeps a covariance inside (0, 1/2), whatever own in [-1/2, 1/2] is.
    share = min(gamma, Fraction(1, 2) - gamma) / 2
    rest = (gamma - share * own) / (1 - share)
    base = relevant_law(k, rest)
    return {f: share * free[f] + (1 - share) * base[f] for f in phis}


def background(count: int, p: Fraction) -> Iterator[tuple[Pattern, Fraction]]:
    """Independent Bernoulli(p) patterns with their weights."""
    for phi in itertools.product((0, 1), repeat=count):
        ones = sum(phi)
        yield phi, p**ones * (1 - p) ** (count - ones)


def hinge(z: Fraction) -> Fraction:
    return max(Fraction(0), 1 - z)
