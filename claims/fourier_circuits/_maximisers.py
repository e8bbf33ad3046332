"""Maximum-margin networks in their variety, for statements about every maximiser at odd p.

At each frequency a convex combination of two designs of `_network.small_design`, each moved by phases of its own:
moving every input phase of a design by tau_i and the output phases by their sum multiplies the exponents that must
cancel by a constant, so that they still cancel. Frequencies have equal masses, as they must.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ._network import Network, small_design
from ._neuron import cosine_neurons

Array = Any
FIELDS = "zeta turns out mass"


def maximiser(rng: Any, k: int, p: int) -> dict[str, Any]:
    """Neurons by frequency ``zeta`` (m,), phases ``turns`` (m, k) and ``out`` (m,) in turns, and ``mass`` (m,),
    their |theta_h|^{k+1}, of sum 1."""
    found: dict[str, list[Any]] = {name: [] for name in FIELDS.split()}
    design = [n for n in small_design(k, p) if n.frequency == 1]
    for zeta in range(1, (p + 1) // 2):
        share = Fraction(int(rng.integers(1, 10)), 10)
        for part in (share, 1 - share):
            move = [Fraction(int(v), 30) for v in rng.integers(0, 30, (k,))]
            for neuron in design:
                turns = [
                    Fraction(b, 2 * (k + 1)) + t for b, t in zip(neuron.phases, move, strict=True)
                ]
                found["zeta"].append(zeta)
                found["turns"].append(turns)
                found["out"].append(sum(turns))
                found["mass"].append(part / len(design) * Fraction(2, p - 1))
    return found


def network_of(
    ns: Any, zeta: Array, turns: Array, out: Array, mass: Array, k: int, p: int
) -> Network:
    """The network of one instance, of L_{2,k+1} norm 1 at odd p."""
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    size = ns.power(mass, 1, k + 1) / ns.sqrt(ns.rational((k + 1) * p, 2))
    outer = ns.expand_dims(size, axis=1)
    return Network(u * ns.expand_dims(outer, axis=2), w * outer)
