"""Shared model of the source, parity part: the population network of linear-attention heads with ReLU.

In the unit v = 4 gamma G^T W G the network on task (i, j) is g(phi) = sum_n a_n relu((v_n[i] + v_n[j]) . phi / 2),
free of gamma; the weight decay is sum |v_n|_F^2 / (16 gamma^2). Everything is exact: rows of v are rationals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

Row = tuple[Fraction | int, ...]


@dataclass(frozen=True)
class Head:
    """Sign ``a`` of a head and its matrix v (d rows of length d)."""

    a: int
    v: tuple[Row, ...]


def diagonal(a: int, entries: Sequence[Fraction | int]) -> Head:
    d = len(entries)
    return Head(
        a, tuple(tuple(x if c == n else 0 for c in range(d)) for n, x in enumerate(entries))
    )


def paired(heads: Sequence[Head]) -> list[Head]:
    """Every head with its negative."""
    return [
        h
        for one in heads
        for h in (one, Head(one.a, tuple(tuple(-x for x in row) for row in one.v)))
    ]


def bit(b: int, c: int) -> int:
    """Sign of bit b of c."""
    return 1 if c >> b & 1 else -1


def bit_network(
    nu: int, d: int, positive: Fraction | int | None = None, negative: Fraction | int = 1
) -> list[Head]:
    """The source's network: pairs +-diag(signs of bit b) with a = -1 for b < nu, one pair +-nu I with a = 1
    (``positive`` replaces the scale nu); 2 (nu + 1) heads."""
    scale = nu if positive is None else positive
    bits = [diagonal(-1, [negative * bit(b, c) for c in range(d)]) for b in range(nu)]
    return paired([*bits, diagonal(1, [scale] * d)])


def four_heads(d: int) -> list[Head]:
    """Four diagonal heads that solve every task: +-diag(2c - d - 1) with a = -1, +-(d-1) I with a = 1."""
    return paired(
        [diagonal(-1, [2 * c - d - 1 for c in range(1, d + 1)]), diagonal(1, [d - 1] * d)]
    )


def output(heads: Sequence[Head], i: int, j: int, phi: Sequence[int]) -> Fraction:
    total = Fraction(0)
    for head in heads:
        inner = sum((x + y) * s for x, y, s in zip(head.v[i], head.v[j], phi, strict=True))
        total += head.a * max(Fraction(0), Fraction(inner) / 2)
    return total


def is_diagonal(heads: Sequence[Head]) -> bool:
    return all(
        x == 0 for h in heads for n, row in enumerate(h.v) for c, x in enumerate(row) if c != n
    )


def margins(
    heads: Sequence[Head], d: int, tasks: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple, Fraction]]:
    """((i, j, phi_i, phi_j), y g) over the tasks and all sign vectors; diagonal heads see only the two signs."""
    narrow = is_diagonal(heads)
    for i, j in tasks:
        for signs in itertools.product((-1, 1), repeat=2 if narrow else d):
            phi = [1] * d
            if narrow:
                phi[i], phi[j] = signs
            else:
                phi = list(signs)
            yield (i, j, phi[i], phi[j]), phi[i] * phi[j] * output(heads, i, j, phi)


def all_tasks(d: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(d), 2))


def minor_tasks(d: int, k: int) -> list[tuple[int, int]]:
    """S2: pairs that are not inside the first k features."""
    return [(i, j) for i, j in all_tasks(d) if j >= k]


def smallest_margin(heads: Sequence[Head], d: int) -> Fraction:
    return min(m for _, m in margins(heads, d, all_tasks(d)))


def hinge_loss(
    heads: Sequence[Head], d: int, tasks: Sequence[tuple[int, int]], gamma: Fraction
) -> Fraction:
    """Mean hinge over uniform tasks; sign pairs (1,1), (1,-1), (-1,1), (-1,-1) of the task's features have
    probabilities 1/4 + gamma, 1/4, 1/4, 1/4 - gamma, the other features are uniform."""
    total, patterns = Fraction(0), {}
    for (i, j, s, t), m in margins(heads, d, tasks):
        weight = Fraction(1, 4) + (gamma if s == t == 1 else -gamma if s == t == -1 else 0)
        patterns[i, j, s, t] = patterns.get((i, j, s, t), 0) + 1
        total += weight * max(Fraction(0), 1 - m)
    return total / max(patterns.values()) / len(tasks)


def cost(heads: Sequence[Head]) -> Fraction:
    """sum |v_n|_F^2, the weight decay in v-units."""
    return sum((Fraction(x) ** 2 for h in heads for row in h.v for x in row), Fraction(0))


def threshold(nu2, gamma):
    """The printed bound on p_T."""
    quarter, pairs = Fraction(1, 4), 2**nu2 * (2**nu2 - 1) // 2
    return (quarter - gamma) / (pairs * (quarter + gamma) + quarter - gamma)


def admitted(nu1, nu2, gamma, p_T):
    return nu1 < nu2 and p_T < threshold(nu2, gamma)


def total_loss(network, nu1, nu2, gamma, p_T):
    """Share 1 - p_T of tasks inside the first k features, p_T of the others. Shape ()."""
    d, k = 2**nu2, 2**nu1
    tasks = ((1 - p_T, list(itertools.combinations(range(k), 2))), (p_T, minor_tasks(d, k)))
    return sum(share * hinge_loss(network, d, pairs, Fraction(gamma)) for share, pairs in tasks)


def small_loss(nu1, nu2, gamma, p_T, scale=None):
    """Total loss of the printed small network: nothing on the important tasks, its S2 hinge otherwise."""
    return total_loss(bit_network(nu1, 2**nu2, positive=scale), nu1, nu2, gamma, p_T)


NEVER = 10**9
"""Beyond every norm and number of heads here: for networks that no scale makes solve every task."""


def scaled_norm(heads, d):
    """Norm of the network scaled to margin 1 on every task and sign pattern."""
    margin = smallest_margin(heads, d)
    return cost(heads) / margin**2 if margin > 0 else Fraction(NEVER)


def printed_norm(nu2, fewer=0):
    """Norm of the printed network, of so many bits ``fewer``, scaled likewise."""
    return scaled_norm(bit_network(nu2 - fewer, 2**nu2), 2**nu2)
