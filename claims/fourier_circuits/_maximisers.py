"""Maximum-margin networks in their variety, for statements about every maximiser at odd p.

At each frequency a convex combination of two designs of `_network.small_design`, each moved by phases of its own:
moving every input phase of a design by tau_i and the output phases by their sum multiplies the exponents that must
cancel by a constant, so that they still cancel. Frequencies have equal masses, as they must.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from theorycheck import vectors

from . import _formula
from ._network import Network, small_design
from ._neuron import cosine_neurons

Array = Any
FIELDS = "zeta turns out mass"


def parts(move: Any, mix: Any, k: int, p: int) -> Iterator[tuple[int, list[Any], Fraction]]:
    """Frequency, phases in turns and |theta_h|^{k+1} of every neuron. ``move``: what the phases of each design are
    moved by, k (p-1) turns; ``mix``: (p-1)/2 numbers that say which shares the two designs have."""
    design = [n for n in small_design(k, p) if n.frequency == 1]
    moves = iter(move)
    for zeta, x in zip(range(1, (p + 1) // 2), mix, strict=True):
        share = (1 + Fraction(x) ** 2) / (2 + Fraction(x) ** 2)
        for part in (share, 1 - share):
            moved = [Fraction(next(moves)) for _ in range(k)]
            for neuron in design:
                phases = zip(neuron.phases, moved, strict=True)
                turns = [Fraction(b, 2 * (k + 1)) + t for b, t in phases]
                yield zeta, turns, part / len(design) * Fraction(2, p - 1)


def frequencies(move: Any, mix: Any, k: int, p: int) -> list[int]:
    return [zeta for zeta, _, _ in parts(move, mix, k, p)]


def phases(move: Any, mix: Any, k: int, p: int) -> list[list[Any]]:
    return [turns for _, turns, _ in parts(move, mix, k, p)]


def sums(turns: Any) -> list[Any]:
    return [sum(row) for row in turns]


def masses(move: Any, mix: Any, k: int, p: int) -> list[Fraction]:
    return [mass for _, _, mass in parts(move, mix, k, p)]


MAXIMISER = {
    "move": vectors(_formula.k * (_formula.p - 1)),
    "mix": vectors((_formula.p - 1) / 2),
    "zeta": frequencies,
    "turns": phases,
    "out": sums,
    "mass": masses,
}
"""Neurons by frequency ``zeta`` (m,), phases ``turns`` (m, k) and ``out`` (m,) in turns, and ``mass`` (m,), their
|theta_h|^{k+1}, of sum 1. Phases and shares have domains, so that the engine draws and attacks them."""


def unmoved(k: int, p: int) -> list[Fraction]:
    """The output phases of the designs, not moved with the inputs': of no maximiser."""
    zero = [0] * (k * (p - 1)), [0] * ((p - 1) // 2)
    return [sum(turns) for _, turns, _ in parts(*zero, k, p)]


def network_of(
    ns: Any, zeta: Array, turns: Array, out: Array, mass: Array, k: int, p: int
) -> Network:
    """The network of one instance, of L_{2,k+1} norm 1 at odd p."""
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    size = ns.power(mass, 1, k + 1) / ns.sqrt(ns.rational((k + 1) * p, 2))
    outer = ns.expand_dims(size, axis=1)
    return Network(u * ns.expand_dims(outer, axis=2), w * outer)
