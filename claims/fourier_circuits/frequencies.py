"""Theorem 4.9 (iii), Lemma C.20: every frequency is used.

Setting. p odd. The mass m(zeta) of a frequency is the sum over the neurons of |theta_h|^{k+1}
t_h(zeta)^{(k+1)/2}, t_h the share of a neuron's power, over the sum of |theta_h|^{k+1}; masses add up to at
most 1.

Statement (derived; sharpens C.20). With masses m the largest normalised margin is

    gamma* (p-1)/p min_{d != 0} sum_zeta m(zeta) (1 - cos(2 pi zeta d/p)).

The mean over d of the sum is p/(p-1) times the total mass, so that gamma* asks for the same value at every d,
which only the masses 2/(p-1) have: no frequency can be left out. Without one, at prime p, gamma* (p-1)/(p-1 +
sec(2 pi/p)) is left.

Reference: Theorem 4.9, Lemma C.20 (arXiv 2402.09469); the formulas are derived here.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np
import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    hypothesis,
    integers,
    maximises,
    odd_integers,
    primes,
    simplex,
    variant,
)

from ._formula import gamma, k, p
from ._network import Network, cosine_network, scaled, small_design, smallest_margin, with_masses
from ._neuron import MEANS, group_bounds, upper_bound

zeta = sp.Symbol("zeta", integer=True, positive=True)
m = sp.IndexedBase("m")


def margin_at(k, p, m):
    """gamma* (p-1)/p times the least sum of m(zeta) (1 - cos(2 pi zeta d/p)) over d = 1 .. (p-1)/2."""
    sums = [
        sum(m[z - 1] * (1 - sp.cos(2 * sp.pi * z * d / p)) for z in range(1, (p + 1) // 2))
        for d in range(1, (p + 1) // 2)
    ]
    best = gamma.subs({"k": k, "p": p})
    return best * (p - 1) / p * sp.Min(*sums)


def network(ns, k, p, m):
    """Normalised margin of the source's neurons with these masses."""
    return smallest_margin(ns, with_masses(ns, k, p, [ns.asarray(x) for x in m], None), k, p)


def one_neuron_less(ns, k, p, m):
    net = with_masses(ns, k, p, [ns.asarray(x) for x in m], None)
    return smallest_margin(ns, Network(net.u[1:, ...], net.w[1:, ...]), k, p)


def shift_weights(ns, p, d):
    """Half of the class weight on s + d and half on s - d."""
    return ns.asarray([Fraction(int(e == d) + int(e == p - d), 2) for e in range(1, p)])


def mass_bound(ns, k, p, m):
    """The least over d of what no network of these masses exceeds against the two shifts +-d."""
    masses = ns.asarray([0, *m])
    found = []
    for d in range(1, (p + 1) // 2):
        best, rest = group_bounds(ns, k, p, shift_weights(ns, p, d))
        found.append(ns.sum(best * masses) + rest)
    return ns.min(ns.stack(found))


def mean_over_shifts(ns, k, p, m):
    """The bound under uniform class weights, which does not see the masses."""
    best, rest = group_bounds(ns, k, p)
    return ns.sum(best * ns.asarray([0, *m])) + rest


def masses(*rows):
    return [
        dict(zip((k, p, m), (a, b, tuple(Fraction(x, sum(c)) for x in c)), strict=True))
        for a, b, c in rows
    ]


frequency_masses = claim(
    "fourier-frequency-masses",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{p-1}{p}\,\gamma^*\min_{d\ne0}\sum_\zeta m_\zeta\Big(1-\cos\frac{2\pi\zeta d}{p}\Big)",
    states="fourier-all-frequencies",
    title="What the masses of the frequencies are worth",
    says="Networks whose frequencies have the masses $m$ reach the margin "
    r"$\gamma^*\frac{p-1}{p}\min_d\sum_\zeta m(\zeta)(1-\cos(2\pi\zeta d/p))$ and no more: "
    r"$\gamma^*$ only with equal masses, so that every frequency is used.",
    role="derived",
    covers="equal-masses every-frequency",
    domain={k: integers(1), p: odd_integers(3), m: simplex((p - 1) / 2)},
    grid={
        "smoke": masses(
            (1, 5, (1, 2)), (2, 3, (1,)), (2, 5, (1, 1)), (2, 5, (2, 1)), (2, 7, (3, 2, 1))
        ),
        "standard": masses((2, 5, (1, 0)), (2, 9, (1, 1, 2, 1)), (3, 5, (1, 2)), (3, 5, (1, 1))),
    },
    closed_form=margin_at,
    relation=maximises(),
    legs=[
        attained(network, unit=gamma, gives="h", inside="zeta"),
        certificate(mass_bound, unit=gamma, over="theta", lemma=MEANS),
    ],
    rivals=[
        variant("gamma* whatever the masses are", closed_form=gamma),
        variant(
            "one neuron less", leg="attained", simulation=one_neuron_less, at=masses((2, 5, (1, 1)))
        ),
        variant(
            "certificate under uniform weights",
            leg="certificate",
            simulation=mean_over_shifts,
            at=masses((2, 5, (2, 1))),
        ),
    ],
)

# ---------------------------------------------------------------- one frequency forbidden


def forbidden_weights(ns, p, zeta):
    """Class weights q_d proportional to cos(2 pi/p) - cos(2 pi zeta d/p); they vanish at two shifts."""
    shifts = np.arange(1, p)
    top = ns.cos_2pi(ns.indices([1]), p)
    raw = top - ns.cos_2pi(ns.indices(zeta * shifts), p)
    return raw / ns.sum(raw)


def bound_without(ns, k, p, zeta):
    """What no neuron without power at zeta exceeds under these weights."""
    return upper_bound(ns, k, p, forbidden_weights(ns, p, zeta), without=zeta)


def best_without(ns, k, p, zeta):
    """The network whose weights make all shifts but those two tie, by a linear system; equal weights where zeta and p
    have a common divisor, and there are no two such shifts."""
    if gcd(zeta, p) > 1:
        return equal_without(ns, k, p, zeta)
    rest = [j for j in range(1, (p + 1) // 2) if j != zeta]
    blind = pow(zeta, -1, p)
    shifts = [d for d in range(1, (p + 1) // 2) if d not in (blind, p - blind)]
    gain = 1 - ns.cos_2pi(ns.indices(np.outer(shifts, rest)), p)
    one = ns.ones((len(shifts), 1))
    rows = ns.concat([ns.concat([gain, -one], axis=1), ns.asarray([[1] * len(rest) + [0]])])
    share = ns.solve(rows, ns.asarray([[0]] * len(shifts) + [[1]]))[:, 0]
    design = [n for n in small_design(k, p) if n.frequency != zeta]
    places = ns.indices([rest.index(n.frequency) for n in design])
    factors = ns.power(ns.take(share, places, axis=0), 1, k + 1)
    return smallest_margin(
        ns, scaled(ns, cosine_network(ns, design, p, 2 * (k + 1)), factors), k, p
    )


def equal_without(ns, k, p, zeta):
    design = [n for n in small_design(k, p) if n.frequency != zeta]
    return smallest_margin(ns, cosine_network(ns, design, p, 2 * (k + 1)), k, p)


forbidden = claim(
    "fourier-forbidden-frequency",
    title="Best margin without one frequency",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,\big(p-1+\sec\frac{2\pi}p\big)\,p^{(k-1)/2}}",
    says=r"For prime $p \ge5$ a network without power at one frequency has a normalised margin of at "
    r"most $\gamma^* (p-1)/(p-1 + \sec(2 \pi/p)) < \gamma^*$, and this is attained.",
    states="fourier-all-frequencies",
    role="derived",
    encodes="special-case",
    domain={k: integers(1), p: primes(5), zeta: integers(1)},
    where=2 * zeta < p,
    grid={
        "smoke": [{k: 2, p: 5, zeta: 1}, {k: 2, p: 7, zeta: 2}, {k: 1, p: 11, zeta: 3}],
        "standard": [
            *[{k: 2, p: 5, zeta: 1}, {k: 2, p: 7, zeta: 1}, {k: 2, p: 7, zeta: 2}],
            *[{k: 2, p: 11, zeta: 4}, {k: 3, p: 5, zeta: 2}, {k: 1, p: 11, zeta: 3}],
            *[{k: 1, p: 13, zeta: 5}, {k: 3, p: 7, zeta: 3}],
        ],
    },
    closed_form=gamma * (p - 1) / (p - 1 + sp.sec(2 * sp.pi / p)),
    relation=maximises(),
    legs=[attained(best_without), certificate(bound_without)],
    rivals=[
        variant("no loss", closed_form=gamma),
        variant("gamma* (p-1)/p", closed_form=gamma * (p - 1) / p),
        variant("equal weights", simulation=equal_without, at=[{k: 2, p: 7, zeta: 2}]),
    ],
    assumes=[hypothesis("p is prime", leg="attained", without=[{k: 2, p: 9, zeta: 3}])],
)
