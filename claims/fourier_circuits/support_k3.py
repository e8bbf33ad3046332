"""Lemma C.19: every frequency is used at k = 3, and where the monomials of a neuron have their transforms.

Setting. k = 3, p odd; an optimal neuron of frequency zeta; transforms over the three inputs and the label.

Statements. At a unit-norm maximum-margin network f^(j, j, j, -j) = 3 p^2/(16 (p-1)) > 0 for every j != 0. For p
prime above 3 the transform of u_1^3 w lives on j_2 = j_3 = 0 (8 points), that of u_1^2 u_2 w on j_3 = 0 (12
points), that of u_1 u_2 u_3 w on all j_i = +-zeta (16 points); so f^ of a neuron vanishes unless some j_i = 0
or all are +-zeta. Printed for the first two are j_1 = 0 and j_1 = j_2 = 0; only "some j_i = 0" is used.

Reference: Lemma C.19 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theorycheck import (
    claim,
    counts,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    primes,
    variant,
)

from ._cyclotomic import coordinates, times_cosine
from ._formula import k, p
from ._maximisers import FIELDS, MAXIMISER
from ._network import Network, outputs
from ._neuron import cosine_neurons
from .maximisers import diagonal, transform

zeta = sp.Symbol("zeta", integer=True, positive=True)


def with_plus_j(ns, zeta, turns, out, mass, k, p):
    return diagonal(ns, zeta, turns, out, mass, k, p, last=1)


all_frequencies_k3 = claim(
    "fourier-all-frequencies-k3",
    title="Every frequency is used at $k = 3$",
    lhs=r"\hat f(j,j,j,-j)",
    tex=r"\frac{3p^2}{16(p-1)}",
    says=r"At a unit-norm maximum-margin network for $k=3$, $\hat f(j,j,j,-j)=3p^2/(16(p-1))>0$ for "
    r"every $j\ne0$.",
    covers="diagonal-positive",
    reads={"f": FIELDS},
    domain={k: integers(3, 3), p: odd_integers(3)},
    grid={"smoke": {k: 3, p: [3, 5]}, "standard": {k: 3, p: [7]}},
    closed_form=3 * p**2 / (16 * (p - 1)),
    legs=[
        leg("diagonal", diagonal, inside="j", instances=instances(MAXIMISER, smoke=1, standard=2))
    ],
    rivals=[
        variant("3 p^3/(16 (p-1))", closed_form=3 * p**3 / (16 * (p - 1))),
        variant("f^(j, j, j, +j)", simulation=with_plus_j, at=[{k: 3, p: 5}]),
    ],
)


def support(power, zeta, p):
    """Frequencies at which cos(2 pi (zeta x/p))^power has a non-zero transform, exactly."""
    values = np.zeros((p, p), dtype=np.int64)
    values[:, 0] = 1
    for _ in range(power):
        values = times_cosine(values, zeta * np.arange(p) % p)
    found = []
    for j in range(p):
        total = sum(np.roll(values[x], -j * x % p) for x in range(p))
        if np.any(coordinates(total)):
            found.append(j)
    return found


def monomial_support(powers, zeta, p):
    """Points (j_1, j_2, j_3, j_4) where u_1^{e_1} u_2^{e_2} u_3^{e_3} w has a non-zero transform."""
    return list(itertools.product(*(support(e, zeta, p) for e in (*powers, 1))))


def off_printed(p, zeta):
    """Support points of u_1^3 w with j_1 != 0, and of u_1^2 u_2 w with (j_1, j_2) != (0, 0)."""
    cube = [j for j in monomial_support((3, 0, 0), zeta, p) if j[0]]
    mixed = [j for j in monomial_support((2, 1, 0), zeta, p) if j[0] or j[1]]
    return [len(cube), len(mixed)]


def off_corrected(p, zeta):
    """Support points of u_1^3 w with (j_2, j_3) != (0, 0), and of u_1^2 u_2 w with j_3 != 0."""
    cube = [j for j in monomial_support((3, 0, 0), zeta, p) if j[1] or j[2]]
    mixed = [j for j in monomial_support((2, 1, 0), zeta, p) if j[2]]
    return [len(cube), len(mixed)]


def sizes(p, zeta):
    """Support sizes of u_1^3 w, u_1^2 u_2 w and u_1 u_2 u_3 w; p prime above 3."""
    return [len(monomial_support(e, zeta, p)) for e in ((3, 0, 0), (2, 1, 0), (1, 1, 1))]


SUPPORT = {
    "states": "fourier-all-frequencies-k3",
    "domain": {p: primes(5), zeta: integers(1)},
    "where": 2 * zeta < p,
    "grid": {
        "smoke": [{p: 5, zeta: 1}, {p: 7, zeta: 2}],
        "standard": [{p: j, zeta: t} for j in (5, 7, 11) for t in range(1, (j + 1) // 2)],
    },
    "relation": counts(),
}

support_printed = claim(
    "fourier-support-k3-printed",
    lhs=r"\big(\#\{\hat\phi_1\ne0:j_1\ne0\},\ \#\{\hat\phi_4\ne0:(j_1,j_2)\ne(0,0)\}\big)",
    tex=r"(0,\ 0)",
    title="Supports of a neuron's monomials, as printed",
    says="The transform of $u_1^3 w$ vanishes unless $j_1 = 0$, that of $u_1^2 u_2 w$ unless $j_1 = "
    "j_2 = 0$.",
    role="variant",
    expect="fail",
    closed_form=sp.Matrix([0, 0]),
    legs=[leg("points off it", off_printed)],
    rivals=[variant("one point", closed_form=sp.Matrix([1, 1]))],
    **SUPPORT,
)

support_corrected = claim(
    "fourier-support-k3",
    title="Supports of a neuron's monomials",
    says="The transform of $u_1^3 w$ vanishes unless $j_2 = j_3 = 0$, that of $u_1^2 u_2 w$ unless "
    "$j_3 = 0$; they have 8 and 12 points, and $u_1 u_2 u_3 w$ has the 16 points with all $j_i = "
    r"\pm\zeta$.",
    role="corrected",
    corrects="fourier-support-k3-printed",
    covers="support-corrected",
    closed_form=sp.Matrix([0, 0]),
    legs=[
        leg(
            "points off it",
            off_corrected,
            lhs=r"\big(\#\{\hat\phi_1\ne0:(j_2,j_3)\ne(0,0)\},\ \#\{\hat\phi_4\ne0:j_3\ne0\}\big)",
            tex=r"(0,\ 0)",
        ),
        leg(
            "points",
            sizes,
            closed_form=sp.Matrix([8, 12, 16]),
            lhs=r"\big(\#\{\hat\phi_1\ne0\},\ \#\{\hat\phi_4\ne0\},\ \#\{\widehat{u_1u_2u_3w}\ne0\}\big)",
            tex=r"(8,\ 12,\ 16)",
        ),
    ],
    rivals=[
        variant("as printed", leg="points off it", simulation=off_printed),
        variant("16, 12, 8", leg="points", closed_form=sp.Matrix([16, 12, 8])),
    ],
    assumes=[hypothesis("2 zeta < p", leg="points", without=[{p: 5, zeta: 5}])],
    **SUPPORT,
)

# ---------------------------------------------------------------- a whole neuron


def phases(rng):
    turns = list(rng.rational((3,), 12))
    return {"turns": turns, "out": sum(turns)}


def transforms_of_neurons(ns, p, zeta, turns, out):
    """Moduli of f^ of each optimal neuron of frequency zeta. Shape (p, p, p, p) each."""
    u, w = cosine_neurons(ns, p, ns.asarray([zeta] * out.shape[0]), turns, out)
    for i in range(out.shape[0]):
        f = outputs(ns, Network(u[i : i + 1, ...], w[i : i + 1, ...]), 3, p)
        yield ns.norm(ns.stack(list(transform(ns, ns.reshape(f, (p,) * 4), p))), axis=0)


def off_the_support(ns, p, zeta, turns, out, inside=lambda j: not all(j[:3])):
    """Sum of |f^(j)| over the j outside of ``inside`` (some of j_1, j_2, j_3 is 0) that are not all +-zeta. (B,)."""
    off = [
        j
        for j in itertools.product(range(p), repeat=4)
        if not inside(j) and not set(j) <= {zeta, p - zeta}
    ]
    return ns.stack(
        [
            sum((size[j] for j in off), ns.asarray(0))
            for size in transforms_of_neurons(ns, p, zeta, turns, out)
        ]
    )


def first_index_zero(ns, p, zeta, turns, out):
    return off_the_support(ns, p, zeta, turns, out, inside=lambda j: j[0] == 0)


one_neuron = claim(
    "fourier-support-k3-neuron",
    lhs=r"\sum_{j_1j_2j_3\ne0,\ j\notin\{\pm\zeta\}^4}|\hat\phi(j)|",
    states="fourier-all-frequencies-k3",
    title="Support of the transform of an optimal neuron",
    says="The transform of an optimal neuron vanishes unless one of $j_1$, $j_2$, $j_3$ is 0 or all "
    r"four are $\pm\zeta$.",
    role="derived",
    covers="one-neuron-support",
    reads={"phases": "turns out"},
    domain={p: odd_integers(3), zeta: integers(1)},
    where=2 * zeta < p,
    grid={
        "smoke": [{p: 3, zeta: 1}, {p: 5, zeta: 2}],
        "standard": [{p: 7, zeta: 3}, {p: 9, zeta: 3}],
    },
    closed_form=sp.Integer(0),
    legs=[
        leg("phases", off_the_support, unit=1, instances=instances(phases, "turns out", smoke=2))
    ],
    rivals=[variant("unless j_1 = 0", simulation=first_index_zero, at=[{p: 5, zeta: 1}])],
)
