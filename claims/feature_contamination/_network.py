"""The two-layer network on dictionary data, exactly: weights in dictionary coordinates and finite laws of the z_j.

h(x) = sum_k (s_k/m) act(<w_k, x>), loss max(1 - y h, 0); x_j = y z_j on the core features (the first d_core), z_j on
the others. Everything in Fractions; laws are lists of (value, probability), one for each feature, and the population is
enumerated. Derivatives are difference quotients of the loss, which is piecewise linear in each weight: steps below
the distance to the next kink give the derivative itself, without any formula for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from ._laws import drawn_weights

Row = Sequence[Fraction]
Activation = Callable[[Fraction], Fraction]


def relu(u: Fraction) -> Fraction:
    return max(u, Fraction(0))


def identity(u: Fraction) -> Fraction:
    return u


def dot(u: Row, v: Row) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def output(W: Sequence[Row], s: Sequence[int], x: Row, act: Activation = relu) -> Fraction:
    """h(x)."""
    return sum((sign * act(dot(w, x)) for sign, w in zip(s, W, strict=True)), Fraction(0)) / len(W)


def loss(W: Sequence[Row], s: Sequence[int], x: Row, y: int, act: Activation = relu) -> Fraction:
    return max(1 - y * output(W, s, x, act), Fraction(0))


def on_a_kink(W: Sequence[Row], s: Sequence[int], x: Row, y: int, act: Activation = relu) -> bool:
    """Whether the loss has no derivative at W."""
    still = act is relu and any(dot(w, x) == 0 for w in W)
    return still or y * output(W, s, x, act) == 1


def slopes(
    W: Sequence[Row], s: Sequence[int], x: Row, y: int, act: Activation = relu
) -> list[list[Fraction]]:
    """d loss/d w_kj for all k, j, by difference quotients on the linear piece. Needs |x_j| <= 1. Shape (m, d0)."""
    found = []
    for k, w in enumerate(W):
        room = abs(1 - y * output(W, s, x, act))
        if act is relu:
            room = min(room, abs(dot(w, x)))
        step = room / 2
        row = []
        for j in range(len(x)):
            ends = []
            for move in (step, -step):
                moved = [list(v) for v in W]
                moved[k][j] += move
                ends.append(loss(moved, s, x, y, act))
            row.append((ends[0] - ends[1]) / (2 * step))
        found.append(row)
    return found


@dataclass(frozen=True)
class Example:
    """A point of the population: its probability, label, feature weights z and input x."""

    chance: Fraction
    y: int
    z: tuple[Fraction, ...]
    x: tuple[Fraction, ...]


def with_label(y: int, z: Sequence[Fraction], d_core: int) -> tuple[Fraction, ...]:
    return tuple(y * value if j < d_core else value for j, value in enumerate(z))


def population(
    values: Sequence[Row], weights: Sequence[Row], d_core: int, labels: Sequence[int] = (1, -1)
) -> Iterator[Example]:
    """All examples of independent features; ``values`` and ``weights`` have shape (d0, atoms)."""
    laws = [list(zip(v, w, strict=True)) for v, w in zip(values, weights, strict=True)]
    for y in labels:
        for chosen in product(*laws):
            z = tuple(value for value, _ in chosen)
            chance = prod((p for _, p in chosen), start=Fraction(1, len(labels)))
            yield Example(chance, y, z, with_label(y, z, d_core))


def means(values: Sequence[Row], weights: Sequence[Row]) -> list[Fraction]:
    """mu_j."""
    return [dot(v, w) for v, w in zip(values, weights, strict=True)]


def mean_slopes(W, s, values, weights, d_core, act: Activation = relu) -> list[list[Fraction]]:
    """The gradient of the population loss, by difference quotients. Shape (m, d0)."""
    total = [[Fraction(0)] * len(W[0]) for _ in W]
    for e in population(values, weights, d_core):
        for row, found in zip(total, slopes(W, s, e.x, e.y, act), strict=True):
            for j, slope in enumerate(found):
                row[j] += e.chance * slope
    return total


def drawn_network(rng, m: int, d0: int, size: int) -> tuple[list[list[Fraction]], list[int]]:
    """Weights in sevenths up to about ``size``, and signs of both kinds where there are two neurons."""
    W = [
        [Fraction(int(rng.integers(-7 * size, 7 * size + 1)), 7) for _ in range(d0)]
        for _ in range(m)
    ]
    s = [int(rng.signs()) for _ in range(m)]
    if m > 1:
        s[1] = -s[0]
    return W, s


def drawn_laws(rng, d0: int, atoms: int = 2) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Laws on [0, 1], unequal, with positive variance."""
    values = [
        [
            Fraction(int(rng.integers(0, 4)), 8),
            *(Fraction(int(rng.integers(4, 9)), 8) for _ in range(atoms - 1)),
        ]
        for _ in range(d0)
    ]
    return values, [drawn_weights(rng, atoms) for _ in range(d0)]
