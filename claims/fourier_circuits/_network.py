"""Shared model of the source: the one-hidden-layer network on k-sum modulo p, and its margin.

Everything is evaluated from the definition over all p**k inputs: gather, sum, power, matrix product.
No Fourier identity is used. Written once for balls, intervals and floats.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Network:
    """m neurons: embeddings ``u`` (m, k, p), one a summand, and output weights ``w`` (m, p)."""

    u: Array
    w: Array


@dataclass(frozen=True)
class Neuron:
    """Cosines of one frequency: u_i(x) = cos(2 pi (frequency x / p + phases[i] / turn)), w with ``out``.

    Phases are integers in units of 2 pi / turn; the turn belongs to the design.
    """

    frequency: int
    phases: tuple[int, ...]
    out: int


@cache
def all_inputs(k: int, p: int) -> np.ndarray:
    """Every (a_1, .., a_k) in Z_p^k, last summand fastest. Plain integers, shape (p**k, k)."""
    return np.stack(np.unravel_index(np.arange(p**k), (p,) * k), axis=1)


def labels(k: int, p: int) -> np.ndarray:
    """a_1 + .. + a_k mod p for every input. Shape (p**k,)."""
    return all_inputs(k, p).sum(axis=1) % p


def outputs(ns: Any, network: Network, k: int, p: int, degree: int | None = None) -> Array:
    """f(a)[c] = sum_h (sum_i u_{h,i}(a_i))^k w_h(c) over all inputs; shape (p**k, p).

    ``degree``: that of the activation, k unless given.
    """
    grid = all_inputs(k, p)
    total = sum(ns.take(network.u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in range(k))
    return ns.matmul(ns.matrix_transpose(ns.pow(total, degree or k)), network.w)


def by_shift(ns: Any, values: Array, k: int, p: int) -> Array:
    """f(a)[s + d] with the shift d = 0 .. p-1 along the last axis, from f(a)[c]. Shape (p**k, p)."""
    at = (labels(k, p)[:, None] + np.arange(p)) % p
    return ns.take_along_axis(values, ns.indices(at), axis=1)


def margins(ns: Any, network: Network, k: int, p: int) -> Array:
    """f(a)[s] - f(a)[c] over all inputs a and wrong labels c; shape (p**k, p - 1)."""
    shifted = by_shift(ns, outputs(ns, network, k, p), k, p)
    return shifted[:, :1] - shifted[:, 1:]


def neuron_norms(ns: Any, network: Network) -> Array:
    """Squared norm of each neuron, |u_1|^2 + .. + |u_k|^2 + |w|^2. Shape (m,)."""
    return ns.sum(network.u**2, axis=(1, 2)) + ns.sum(network.w**2, axis=1)


def norm_power(ns: Any, network: Network, k: int, outer: int | Fraction | None = None) -> Array:
    """The L_{2,b} norm of the parameters to the power k+1, b = ``outer`` > 0 or k+1; shape ().

    With b = k+1 this is sum_h |theta_h|^{k+1}.
    """
    b = Fraction(outer or k + 1)
    total = ns.sum(ns.power(neuron_norms(ns, network), b.numerator, 2 * b.denominator))
    if b == k + 1:
        return total
    back = (k + 1) / b
    return ns.power(total, back.numerator, back.denominator)


def margin_range(ns: Any, network: Network, k: int, p: int) -> Array:
    """Smallest and largest normalised margin over all inputs and wrong labels. Shape (2,)."""
    values = margins(ns, network, k, p)
    return ns.stack([ns.min(values), ns.max(values)]) / norm_power(ns, network, k)


def smallest_margin(ns: Any, network: Network, k: int, p: int) -> Array:
    """The normalised margin of the network. Shape ()."""
    return ns.min(margins(ns, network, k, p)) / norm_power(ns, network, k)


def cosine_network(ns: Any, design: list[Neuron], p: int, turn: int = 4) -> Network:
    """The network of a design; see `Neuron`."""
    x = np.arange(p)
    u = [[n.frequency * x * turn + b * p for b in n.phases] for n in design]
    w = [n.frequency * x * turn + n.out * p for n in design]
    return Network(
        ns.cos_2pi(ns.indices(np.array(u)), p * turn), ns.cos_2pi(ns.indices(np.array(w)), p * turn)
    )


def scaled(ns: Any, network: Network, factors: Array) -> Network:
    """Every neuron multiplied by its own factor; ``factors`` has shape (m,)."""
    outer = ns.expand_dims(factors, axis=1)
    return Network(network.u * ns.expand_dims(outer, axis=2), network.w * outer)


def products(n: int) -> list[tuple[tuple[int, ...], int]]:
    """cos(x_1 + .. + x_n) as signed products: which factors are sines, and the sign. Eq. C.21.

    2**(n-1) products; the number of sines is even, the sign is -1 where it is 2 mod 4.
    """
    return [
        (sines, -1 if sum(sines) % 4 == 2 else 1)
        for sines in itertools.product(range(2), repeat=n)
        if sum(sines) % 2 == 0
    ]


def source_design(k: int, p: int) -> list[Neuron]:
    """The source's construction, Lemma 4.11 = C.18: 2**(2k-1) (p-1)/2 neurons, turn 4.

    Every frequency takes the 2**k products of cos(a_1 + .. + a_k - c), and every product of k factors
    of the inputs is a signed sum of the powers of 2**(k-1) signed sums (polarisation).
    """
    design = []
    for frequency in range(1, (p - 1) // 2 + 1):
        for sines, sign in products(k + 1):
            for flips in itertools.product(range(2), repeat=k - 1):
                signs = (0, *flips)
                # sin = cos a quarter turn back; a minus is half a turn; sin(-c) = -sin(c)
                phases = tuple((2 * f - s) % 4 for f, s in zip(signs, sines[:k], strict=True))
                out = (sines[k] + 2 * sum(signs) + (1 - sign)) % 4
                design.append(Neuron(frequency, phases, out))
    return design


def small_design(k: int, p: int, rotations: int | None = None) -> list[Neuron]:
    """k + 1 rotations of all sign patterns: (k+1) 2**(k-1) neurons a frequency, turn 2 (k + 1).

    Signs turn the sum of powers into the product of the k cosines, rotations by pi j/(k+1) turn the
    product into the cosine of the sum. ``rotations`` other than k + 1 gives a design of turn
    2 ``rotations`` that is not optimal.
    """
    steps = rotations or k + 1
    return [
        Neuron(frequency, tuple(j + steps * x for x in signs), k * j + steps * sum(signs))
        for frequency in range(1, (p - 1) // 2 + 1)
        for j in range(steps)
        for signs in itertools.product(range(2), repeat=k)
        if signs[0] == 0
    ]


def half_design(k: int, p: int) -> list[Neuron]:
    """Even p: all sign patterns up to the common sign at frequency p/2; 2**(k-1) neurons, turn 4."""
    return [
        Neuron(p // 2, tuple(2 * b for b in signs), 2 * sum(signs))
        for signs in itertools.product(range(2), repeat=k)
        if signs[0] == 0
    ]


def with_masses(ns: Any, k: int, p: int, low: list[Array], half: Array) -> Network:
    """Optimal neurons with the given sum of |theta_h|^{k+1} at each frequency 1 .. (p-1)//2 (``low``)
    and, for even p, at p/2."""
    design = source_design(k, p)
    mass = [low[n.frequency - 1] / 2 ** (2 * k - 1) for n in design]
    squares = [ns.rational((k + 1) * p, 2)] * len(design)
    if p % 2 == 0:
        extra = half_design(k, p)
        design, mass = design + extra, mass + [half / len(extra)] * len(extra)
        squares += [ns.asarray((k + 1) * p)] * len(extra)
    factors = ns.power(ns.stack(mass), 1, k + 1) / ns.sqrt(ns.stack(squares))
    return scaled(ns, cosine_network(ns, design, p), factors)


def half_share(ns: Any, k: int) -> Array:
    """2^{-(k-1)/2}: the power of the frequency p/2 in an optimal network where the others have 2."""
    return 1 / ns.power(ns.asarray(2), k - 1, 2)


def class_weights(ns: Any, k: int, p: int) -> Array:
    """q_1 .. q_{p-1}: uniform at odd p, proportional to 1 + (-1)^d (1 - 2^{-(k-1)/2}) at even p.

    The weights of the wrong labels s + d under which all frequencies are worth the same.
    """
    tilt = 1 - half_share(ns, k) if p % 2 == 0 else ns.asarray(0)
    raw = ns.stack([1 + (-1) ** d * tilt for d in range(1, p)])
    return raw / ns.sum(raw)


def any_modulus_network(ns: Any, k: int, p: int) -> Network:
    """A maximum-margin network for every p >= 2; the source's, rescaled, for odd p."""
    return with_masses(ns, k, p, [ns.asarray(2)] * ((p - 1) // 2), half_share(ns, k))


def distinct(design: list[Neuron], k: int, turn: int = 4) -> int:
    """Number of neurons that differ as functions: half a turn of all inputs, with (-1)^k at the output, is none.

    Frequencies are to be at least 1 and below p/2, ``turn`` even.
    """
    half = turn // 2

    def kinds(n: Neuron) -> list[tuple[int, ...]]:
        return [
            (n.frequency, *((b + s * half) % turn for b in n.phases), (n.out + s * k * half) % turn)
            for s in range(2)
        ]

    return len({min(kinds(n)) for n in design})


def merged_design() -> list[Neuron]:
    """Nine neurons for k = p = 3, turn 6: translations by (b, b, c) of one neuron, two of its cosines negative.

    Translates of a neuron add up to a function of s - c up to the exponents that vanish on the
    translations; modulo 3 these meet in pairs, (2, 0, 1) with (-1, 0, -2) and (0, 2, 1) with (0, -1, -2),
    and the sign makes each pair cancel.
    """
    return [
        Neuron(1, (2 * b, 2 * b, 2 * c + 3), 4 * b + 2 * c + 3) for b in range(3) for c in range(3)
    ]


def linear_design(p: int, direction: tuple[int, ...], nodes: int, turn: int) -> list[Neuron]:
    """Nodes h * direction, h = 0 .. nodes - 1, in units of 2 pi / turn, for every frequency."""
    return [
        Neuron(frequency, tuple(h * g for g in direction), h * sum(direction))
        for frequency in range(1, (p - 1) // 2 + 1)
        for h in range(nodes)
    ]
