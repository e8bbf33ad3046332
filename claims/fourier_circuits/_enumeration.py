"""Margins over all p**k inputs at the source's sizes: in blocks, or at one input of every orbit.

`margin_extent` evaluates the network from its definition, block by block, so that memory stays flat.
`representatives` leaves out inputs at which the margins are those of another input. It takes nothing from
the theorems: it looks for symmetries of the very design, in integers, and uses only those that it finds.

- A unit x of Z/p maps the frequency z of every neuron to x z. If that permutes the neurons, then
  f(x a)[x c] = f(a)[c].
- If exchanging two summands permutes the neurons, then f does not see their order.

Two neurons are the same function if they differ by cos(-t) = cos(t), or by a minus in all embeddings
and (-1)^k in the output.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._network import Network, Neuron, cosine_network, norm_power

Array = Any

BLOCK = 2**19
"""Hidden activations at work at a time: 4 MiB of float64, which a second- or third-level cache holds."""

CODES = 2**20
"""Inputs looked at together when representatives are chosen."""


def margin_extent(
    ns: Any, network: Network, k: int, p: int, inputs: np.ndarray | None = None, block: int = BLOCK
) -> Array:
    """Least and largest f(a)[s] - f(a)[c] over wrong labels c and all inputs a. Shape (2,).

    ``inputs``: integers (n, k), n >= 1, to look at these only; ``block``: numbers in one array of
    hidden activations, which bounds the memory (never less than p rows of them).
    """
    least, largest = [], []
    for total, right in _sums(ns, network, k, p, inputs, block):
        f = ns.matmul(ns.pow(total, k), network.w)
        at = ns.indices((right[:, None] + np.arange(p)) % p)
        shifted = ns.take_along_axis(f, at, axis=1)
        gaps = shifted[:, :1] - shifted[:, 1:]
        least.append(ns.min(gaps))
        largest.append(ns.max(gaps))
    return ns.stack([ns.min(ns.stack(least)), ns.max(ns.stack(largest))])


def _sums(
    ns: Any, network: Network, k: int, p: int, inputs: np.ndarray | None, block: int
) -> Iterator[tuple[Array, np.ndarray]]:
    """Blocks of sum_i u_{h,i}(a_i), shape (rows, m), with the labels of the rows."""
    m = network.w.shape[0]
    # `take` makes each table contiguous: an input's row is then one run of memory.
    tables = [
        ns.take(ns.matrix_transpose(network.u[:, i, :]), ns.arange(p), axis=0) for i in range(k)
    ]
    rows = max(1, block // m)
    if inputs is not None:
        for start in range(0, len(inputs), rows):
            part = inputs[start : start + rows]
            yield _gathered(ns, tables, part), part.sum(axis=1) % p
        return
    # The last summand runs over all of Z_p inside every block: its sums are one broadcast addition.
    count, step = p ** (k - 1), max(1, rows // p)
    for start in range(0, count, step):
        code = np.arange(start, min(start + step, count))
        total, right = tables[-1], np.arange(p)[None, :]
        if k > 1:
            first = np.stack(np.unravel_index(code, (p,) * (k - 1)), axis=1)
            total = ns.expand_dims(_gathered(ns, tables, first), axis=1) + total
            right = right + first.sum(axis=1)[:, None]
        yield ns.reshape(total, (len(code) * p, m)), right.reshape(-1) % p


def _gathered(ns: Any, tables: list[Array], inputs: np.ndarray) -> Array:
    """sum_i tables[i][inputs[:, i]] over the columns of ``inputs``. Shape (rows, m)."""
    total = ns.take(tables[0], ns.indices(inputs[:, 0]), axis=0)
    for i in range(1, inputs.shape[1]):
        total = total + ns.take(tables[i], ns.indices(inputs[:, i]), axis=0)
    return total


def symmetries(design: list[Neuron], k: int, p: int, turn: int = 4) -> tuple[list[int], bool]:
    """The units of Z/p that permute the neurons of a design, and whether all orders of summands do.

    ``turn`` must be even (ValueError otherwise): see `Neuron`.
    """
    if turn % 2:
        raise ValueError(f"half a turn is no phase when the turn is {turn}")
    frequency = np.array([n.frequency for n in design])
    phases = np.array([[*n.phases, n.out] for n in design])

    def as_functions(z: np.ndarray, b: np.ndarray) -> np.ndarray:
        half = np.array([turn // 2] * k + [k * turn // 2])
        codes = [
            np.ravel_multi_index((s * z % p, *(s * b + shift).T % turn), (p,) + (turn,) * (k + 1))
            for s in (1, -1)
            for shift in (0 * half, half)
        ]
        return np.sort(np.min(codes, axis=0))

    itself = as_functions(frequency, phases)
    units = [
        x
        for x in range(1, p)
        if math.gcd(x, p) == 1 and np.array_equal(as_functions(x * frequency, phases), itself)
    ]

    def exchanged(i: int) -> np.ndarray:
        order = list(range(k + 1))
        order[i], order[i + 1] = order[i + 1], order[i]
        return phases[:, order]

    any_order = all(
        np.array_equal(as_functions(frequency, exchanged(i)), itself) for i in range(k - 1)
    )
    return units, any_order


def representatives(k: int, p: int, units: list[int], any_order: bool) -> np.ndarray:
    """One input of every orbit under the given units and, if so, under all orders. Shape (n, k)."""
    kept = [
        _least_of_orbit(np.arange(start, min(start + CODES, p**k)), k, p, units, any_order)
        for start in range(0, p**k, CODES)
    ]
    return np.concatenate(kept)


def _least_of_orbit(
    code: np.ndarray, k: int, p: int, units: list[int], any_order: bool
) -> np.ndarray:
    """The inputs among the given ones that come first in their orbit. ``code``: a_1 leading."""
    inputs = np.stack(np.unravel_index(code, (p,) * k), axis=1)
    if any_order:
        inputs = inputs[np.all(inputs[:, :-1] <= inputs[:, 1:], axis=1)]
    base = p ** np.arange(k - 1, -1, -1)
    for unit in units:
        image = inputs * unit % p
        if any_order:
            image = np.sort(image, axis=1)
        inputs = inputs[image @ base >= inputs @ base]
    return inputs


def design_margins(ns: Any, design: list[Neuron], k: int, p: int, turn: int = 4) -> Array:
    """Least and largest normalised margin of a network of unscaled cosines. Shape (2,).

    Every input counts; those are evaluated that the symmetries of the design leave.
    """
    network = cosine_network(ns, design, p, turn)
    inputs = representatives(k, p, *symmetries(design, k, p, turn))
    return margin_extent(ns, network, k, p, inputs) / norm_power(ns, network, k)
