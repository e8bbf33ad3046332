"""Shared model of the source: the one-hidden-layer network on k-sum modulo p, and its margin.

Everything is evaluated from the definition over all p**k inputs: gather, sum, power, matrix product.
No Fourier identity is used. Written once for balls, intervals and floats.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

Array = Any


@dataclass(frozen=True)
class Network:
    """m neurons: embeddings ``u`` (m, k, p), one a summand, and output weights ``w`` (m, p)."""

    u: Array
    w: Array


def all_inputs(k: int, p: int) -> list[tuple[int, ...]]:
    """Every (a_1, .., a_k) in Z_p^k, last summand fastest."""
    return list(itertools.product(range(p), repeat=k))


def outputs(ns: Any, network: Network, k: int, p: int) -> Array:
    """f(a)[c] = sum_h (sum_i u_{h,i}(a_i))^k w_h(c) over all inputs; shape (p**k, p)."""
    grid = all_inputs(k, p)
    total = network.u[:, 0, :][:, [a[0] for a in grid]]
    for i in range(1, k):
        total = total + network.u[:, i, :][:, [a[i] for a in grid]]
    return ns.matmul(ns.matrix_transpose(total**k), network.w)


def margins(ns: Any, network: Network, k: int, p: int) -> Array:
    """f(a)[s] - f(a)[c] over all inputs a and wrong labels c; shape (p**k * (p-1),)."""
    values = outputs(ns, network, k, p)
    grid = all_inputs(k, p)
    rows = list(range(len(grid)))
    right = values[rows, [sum(a) % p for a in grid]]
    gaps = [
        right - values[rows, [(sum(a) + shift) % p for a in grid]] for shift in range(1, p)
    ]
    return ns.concat(gaps)


def norm_power(ns: Any, network: Network, k: int) -> Array:
    """The L_{2,k+1} norm of the parameters to the power k+1: sum_h |theta_h|^{k+1}; shape ()."""
    squared = ns.sum(network.u**2, axis=(1, 2)) + ns.sum(network.w**2, axis=1)
    half, odd = divmod(k + 1, 2)
    powered = squared**half
    return ns.sum(powered * ns.sqrt(squared) if odd else powered)


def cosine_network(ns: Any, neurons: list[tuple[int, tuple[int, ...], int]], p: int, turn: int = 4) -> Network:
    """Neurons u_i(x) = cos(2 pi (zeta x / p + b_i / turn)), w the same with b_w.

    ``neurons``: (zeta, (b_1, .., b_k), b_w), phases in units of 2 pi / turn.
    """
    def table(zeta: int, phase: int) -> list[int]:
        return [zeta * x * turn + phase * p for x in range(p)]

    u = [[table(zeta, b) for b in phases] for zeta, phases, _ in neurons]
    w = [table(zeta, b) for zeta, _, b in neurons]
    unit = 2 * ns.pi / (p * turn)
    return Network(ns.cos(ns.asarray(u) * unit), ns.cos(ns.asarray(w) * unit))


def source_design(k: int, p: int) -> list[tuple[int, tuple[int, ...], int]]:
    """The source's construction: for every frequency all quarter-turn phases (b_1, .., b_k) up to the
    common half turn, b_w their sum; 2**(2k-1) (p-1)/2 neurons. Lemma 4.11 = C.18."""
    return [
        (zeta, phases, sum(phases) % 4)
        for zeta in range(1, (p - 1) // 2 + 1)
        for phases in itertools.product(range(4), repeat=k)
        if phases[0] < 2
    ]
