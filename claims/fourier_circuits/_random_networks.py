"""Instances of small networks for statements about every network: three neurons, small rational entries."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ._network import Network

Array = Any
WIDTH = 3
"""Neurons of the random networks; nothing in the statements depends on it."""


def random_network(rng: Any, k: int, p: int) -> dict[str, Any]:
    """Fields ``u`` (3, k, p) and ``w`` (3, p)."""
    return {"u": rng.rational((WIDTH, k, p), 3), "w": rng.rational((WIDTH, p), 3)}


def random_law(rng: Any, size: int) -> list[Fraction]:
    """Positive and zero rational weights that sum to 1."""
    counts = [int(v) for v in rng.integers(0, 6, (size,))]
    counts[int(rng.integers(0, size))] += 1
    return [Fraction(c, sum(counts)) for c in counts]


def random_tau(rng: Any, k: int, p: int) -> list[list[Fraction]]:
    """For every input its own weights of the p - 1 wrong labels s + 1, .., s + p - 1."""
    return [random_law(rng, p - 1) for _ in range(p**k)]


def each(ns: Any, function: Callable[..., Array], u: Array, w: Array, *more: Array) -> Array:
    """The function of every instance's network, stacked along a first axis."""
    rows = range(u.shape[0])
    nets = (Network(u[i, ...], w[i, ...]) for i in rows)
    return ns.stack(
        [function(net, *(x[i, ...] for x in more)) for i, net in zip(rows, nets, strict=True)]
    )
