"""How many neurons one frequency needs: designs on the torus, and bounds from below.

A maximum-margin network computes gamma* (1[c = s] - 1/p) and all of its neurons are cosines of one
frequency (`duality`, `neuron_form`). At one frequency, with phases t_h in T^k and weights a_h > 0 adding
up to 1, expanding (cos(x_1 + t_1) + .. + cos(x_k + t_k))^k cos(y + t_1 + .. + t_k) in exponentials gives
coefficients proportional to sum_h a_h e^{i (m - 1).t_h}, m the exponents that occur, 1 = (1, .., 1). All
but that of m = 1 must vanish: the nodes form a *design*. (Exponents that agree modulo p would merge; for
prime p > k none do.) N_k is the least number of nodes.

Bound. Let F(t) = sum_d c_d e^{i d.t} = sum_j |l_j(t)|^2 >= 0. For a design

    F(0)/N <= F(0) sum a_h^2 <= sum_{h,h'} a_h a_h' F(t_h - t_h') = sum_d c_d |sum_h a_h e^{i d.t_h}|^2
           <= c_0 + sum of the positive c_d over the d that the design does not annihilate,

so N >= F(0)/(that sum): the linear-programming bound of Delsarte, here with an explicit sum of squares.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np

from ._cyclotomic import coordinates
from ._width_certificates import ROWS

Vector = tuple[int, ...]


@cache
def exponents(k: int) -> list[Vector]:
    """Exponents m with a non-zero coefficient in (cos x_1 + .. + cos x_k)^k, in order.

    All coefficients are positive: the k-th power of a sum of exponentials.
    """
    terms: Counter[Vector] = Counter({(0,) * k: 1})
    for _ in range(k):
        longer: Counter[Vector] = Counter()
        for m, count in terms.items():
            for i, step in itertools.product(range(k), (1, -1)):
                longer[(*m[:i], m[i] + step, *m[i + 1 :])] += count
        terms = longer
    return sorted(terms)


@cache
def annihilated(k: int) -> frozenset[Vector]:
    """The d != 0 for which every design has sum_h a_h e^{i d.t_h} = 0: +-(m - 1)."""
    found = {tuple(x - 1 for x in m) for m in exponents(k)} - {(0,) * k}
    return frozenset(found | {tuple(-x for x in d) for d in found})


def is_design(nodes: list[Vector], turn: int) -> bool:
    """Whether equal weights on the nodes, in units of 2 pi / turn, form a design; exactly."""
    k = len(nodes[0])
    t = np.array(nodes)
    for d in annihilated(k):
        counts = np.bincount((t @ np.array(d)) % turn, minlength=turn)
        if np.any(coordinates(counts)):
            return False
    return True


def distinct_nodes(nodes: list[Vector], turn: int) -> int:
    """Number of different neurons; t and t + (pi, .., pi) are the same one."""
    half = turn // 2
    kinds = {min(tuple(x % turn for x in t), tuple((x + half) % turn for x in t)) for t in nodes}
    return len(kinds)


def rotations_and_signs(k: int, steps: int | None = None) -> tuple[list[Vector], int]:
    """k + 1 rotations by pi j/(k+1) of all sign patterns up to a common sign; the turn is 2 (k + 1)."""
    r = steps or k + 1
    signs = [s for s in itertools.product(range(2), repeat=k) if s[0] == 0]
    return [tuple(j + r * x for x in s) for j in range(r) for s in signs], 2 * r


def clique(k: int) -> list[Vector]:
    """Even-weight vectors of zeros and ones: 2^{k-1} of them, their differences all annihilated."""
    return [v for v in itertools.product(range(2), repeat=k) if sum(v) % 2 == 0]


def clique_bound(k: int, vectors: list[Vector] | None = None) -> int:
    """Number of the vectors that have annihilated differences to all those kept before them.

    The characters e^{i b.t} of those kept are orthonormal in L^2 of the design, so there are at most N of them.
    """
    kept: list[Vector] = []
    for b in vectors or clique(k):
        if all(tuple(x - y for x, y in zip(a, b, strict=True)) in annihilated(k) for a in kept):
            kept.append(b)
    return len(kept)


def rows_of(k: int) -> list[list[int]]:
    """The bundled coefficient vectors l_j over `exponents(k)`."""
    return [[int(x) for x in text.split()] for text in ROWS[k]]


def square_bound(k: int, rows: list[list[int]]) -> Fraction:
    """F(0)/(c_0 + sum of positive c_d off the annihilated set), in integers.

    F = sum over the rows, the permutations of the coordinates and t -> -t of |l_j|^2. Every sum of
    squares is valid; how good the bound is depends on the rows.
    """
    points = exponents(k)
    at = {m: i for i, m in enumerate(points)}
    moves = [
        [at[tuple(sign * m[i] for i in order)] for m in points]
        for order in itertools.permutations(range(k))
        for sign in (1, -1)
    ]
    given = np.array(rows, dtype=np.int64)
    total = np.concatenate([given[:, move] for move in moves])
    if int(np.abs(total).sum()) ** 2 >= 2**62:
        raise OverflowError("coefficients leave 62 bits")
    gram = total.T @ total
    table: Counter[Vector] = Counter()
    for (i, a), (j, b) in itertools.product(enumerate(points), repeat=2):
        table[tuple(x - y for x, y in zip(a, b, strict=True))] += int(gram[i, j])
    off = sum(c for d, c in table.items() if c > 0 and any(d) and d not in annihilated(k))
    return Fraction(sum(table.values()), table[(0,) * k] + off)


def least_neurons(k: int) -> int:
    """A lower bound on N_k: the bundled certificate's, rounded up."""
    bound = square_bound(k, rows_of(k))
    return -(-bound.numerator // bound.denominator)
