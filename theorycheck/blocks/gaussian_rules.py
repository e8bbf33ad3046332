"""Rational quadrature rules that are exact for Gaussian expectations of low degree.

The expectation of a polynomial in independent standard normal variables is a finite sum over nodes and
weights, without error, as long as every single variable enters with at most the rule's degree.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

THIRD = [(1, Fraction(1, 2)), (-1, Fraction(1, 2))]
"""Rational nodes and weights with the first moments of a standard normal variable: exact up to degree 3."""

FIFTH = [
    (0, Fraction(1, 2)),
    *((s * x, w) for s in (1, -1) for x, w in ((1, Fraction(1, 6)), (2, Fraction(1, 12)))),
]
"""Exact up to degree 5 (moments 1, 3)."""

SEVENTH = [
    (0, Fraction(7, 18)),
    *(
        (s * x, w)
        for s in (1, -1)
        for x, w in ((1, Fraction(1, 4)), (2, Fraction(1, 20)), (3, Fraction(1, 180)))
    ),
]
"""Exact up to degree 7 (moments 1, 3, 15)."""


def product_rule(
    rules: Sequence[Sequence[tuple[int, Fraction]]],
) -> tuple[list[list[int]], list[Fraction]]:
    """Nodes (G, number of variables) and weights (G,) of the product of one-dimensional rules."""
    nodes, weights = [], []
    for combination in itertools.product(*rules):
        weight = Fraction(1)
        for _, w in combination:
            weight *= w
        nodes.append([node for node, _ in combination])
        weights.append(weight)
    return nodes, weights
