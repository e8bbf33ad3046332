"""Theorem 4.9 (iii), Lemmas C.20 and C.19: every frequency is used.

Setting. f^(j_1, .., j_{k+1}) = sum over inputs and labels of f(a)[c] e^{-2 pi i (j_1 a_1 + .. + j_{k+1} c)/p}
for a network of unit L_{2,k+1} norm with the maximum margin, p odd.

Statement. f^(j, .., j, -j) > 0 for every j != 0, so each of the frequencies 1 .. (p-1)/2 is that of some
neuron. Sharper, from the same proof: the value is gamma* p^k, f^ vanishes at every other point with
j_{k+1} != 0, and the neurons of each frequency have the share 2/(p-1) of sum |theta_h|^{k+1}.

Evidence. Transforms of the explicit network; for *every* network the bound
margin <= gamma* (p-1)/p min_d sum_zeta m(zeta) (1 - cos(2 pi zeta d / p)), m(zeta) the weight of the
frequency, which equals gamma* only for equal weights; and the best margin that is left when one
frequency is forbidden, closed from both sides.

Printed wrongly in the proof for k = 3: the transform of u_1^3 w is said to live on j_1 = 0 and that of
u_1^2 u_2 w on j_1 = j_2 = 0; they live on j_2 = j_3 = 0 and on j_3 = 0. Only "some j_i = 0" is used.

Reference: Theorems 4.9, C.22, Lemmas C.19, C.20 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    BallNamespace,
    at_most,
    attained,
    certificate,
    claim,
    counts,
    hypothesis,
    integers,
    leg,
    maximises,
    odd_integers,
    primes,
    variant,
)

from ._cyclotomic import coordinates, times_cosine
from ._formula import gamma, k, p
from ._network import (
    Network,
    any_modulus_network,
    cosine_network,
    neuron_norms,
    norm_power,
    outputs,
    scaled,
    small_design,
    smallest_margin,
    source_design,
)
from ._neuron import frequency_norms, upper_bound
from ._training import exactly, train

zeta = sp.Symbol("zeta", integer=True, positive=True)
spread = sp.Symbol("spread", real=True)

# ---------------------------------------------------------------- transforms


def transform(ns, net, k, p):
    """f^ over the L_{2,k+1} norm to the power k+1, real and imaginary part. Shape (p,) * (k+1) each."""
    table = ns.reshape(outputs(ns, net, k, p), (p,) * (k + 1)) / norm_power(ns, net, k)
    re, im = table, None
    for axis in range(k + 1):
        re, im = ns.dft(re, im, axis=axis)
    return re, im


def diagonal_of(ns, net, k, p, last=-1):
    """f^(j, .., j, last * j) for j = 1 .. p-1. Shape (p - 1,)."""
    re, _ = transform(ns, net, k, p)
    return ns.stack([re[(j,) * k + (last * j % p,)] for j in range(1, p)])


def diagonal(ns, k, p):
    return diagonal_of(ns, cosine_network(ns, source_design(k, p), p), k, p)


def diagonal_k3(ns, p):
    return diagonal(ns, 3, p)


def with_plus(ns, k, p):
    return diagonal_of(ns, cosine_network(ns, source_design(k, p), p), k, p, last=1)


def with_plus_k3(ns, p):
    return with_plus(ns, 3, p)


def one_dropped(ns, k, p):
    design = [n for n in source_design(k, p) if n.frequency != 1]
    return diagonal_of(ns, cosine_network(ns, design, p), k, p)


def even_modulus(ns, k, p):
    return diagonal_of(ns, any_modulus_network(ns, k, p), k, p)


def off_diagonal(ns, k, p):
    """Sum of |f^| over all other points with j_{k+1} != 0."""
    re, im = transform(ns, cosine_network(ns, source_design(k, p), p), k, p)
    rest = [j for j in itertools.product(range(p), repeat=k + 1)
            if j[k] and j != (-j[k] % p,) * k + (j[k],)]  # fmt: skip
    return ns.sum(ns.norm(ns.stack([ns.stack([re[j], im[j]]) for j in rest]), axis=1))


def weights(ns, net, k, p):
    """m(zeta): sum of |theta_h|^{k+1} t_h(zeta)^{(k+1)/2} over that of |theta_h|^{k+1}. ((p-1)/2,)."""
    mass = ns.power(neuron_norms(ns, net), k + 1, 2)
    shares = frequency_norms(ns, net.u, net.w)[:, 1:] ** (k + 1)
    return ns.sum(ns.expand_dims(mass / ns.sum(mass), axis=-1) * shares, axis=0)


def spread_of(ns, net, k, p):
    """(p-1)/p min_d sum_zeta m(zeta)(1 - cos(2 pi zeta d/p)); 1 for equal weights 2/(p-1)."""
    m = weights(ns, net, k, p)
    frequencies = np.arange(1, (p - 1) // 2 + 1)
    gain = 1 - ns.cos_2pi(ns.indices(np.outer(np.arange(1, p), frequencies)), p)
    return ns.min(ns.matmul(gain, m)) * (p - 1) / p


def margin_and_spread(ns, net, k, p):
    return {"value": smallest_margin(ns, net, k, p), "spread": spread_of(ns, net, k, p)}


def unequal(ns, k, p):
    """Frequency 1 with amplitudes 11/10 of the others."""
    design = source_design(k, p)
    factors = ns.asarray([Fraction(11 if n.frequency == 1 else 10, 10) for n in design])
    return margin_and_spread(ns, scaled(ns, cosine_network(ns, design, p), factors), k, p)


def counts_unequal(ns, k, p):
    """The small design at frequency 1 and the source's at the others, weights equal all the same."""
    small = [n for n in small_design(k, p) if n.frequency == 1]
    large = [n for n in source_design(k, p) if n.frequency != 1]
    parts = [cosine_network(ns, small, p, 2 * (k + 1)), cosine_network(ns, large, p)]
    net = Network(ns.concat([n.u for n in parts]), ns.concat([n.w for n in parts]))
    per = ns.asarray(
        [Fraction(1, len(small))] * len(small) + [Fraction(1, 2 ** (2 * k - 1))] * len(large)
    )
    return margin_and_spread(ns, scaled(ns, net, ns.power(per, 1, k + 1)), k, p)


def trained(k, p):
    """A network trained with the source's width from a Gaussian start, measured in balls."""
    net = train(k, p, len(source_design(k, p)), [0.1, 0.03], seed=0)
    ns = BallNamespace(128)
    with ns.working():
        seen = margin_and_spread(ns, exactly(ns, net), k, p)
        return {name: value.data[()] for name, value in seen.items()}


SMALL = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
    "standard": [{k: 1, p: 7}, *[{k: 2, p: j} for j in (3, 5, 7, 9)], {k: 3, p: 3}, {k: 3, p: 5}],
}
BOUND = {"relation": at_most(), "closed_form": gamma * spread, "observed": [spread]}

all_frequencies = claim(
    "fourier-all-frequencies",
    lhs=r"\hat f(j,\dots,j,-j)",
    title="Every frequency is used",
    says="At a unit-norm maximum-margin network f^(j, .., j, -j) = gamma* p^k > 0 for every j != 0, f^ "
    "vanishes elsewhere off j_(k+1) = 0, and the weight of every frequency is 2/(p-1).",
    domain={k: integers(1), p: odd_integers(3)},
    grid=SMALL,
    closed_form=gamma * p**k,
    plot=p,
    legs=[
        leg("diagonal", diagonal),
        leg("off the diagonal", off_diagonal, closed_form=sp.Integer(0), unit=gamma * p**k,
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 2, p: 7}, {k: 3, p: 3}]}),
        leg("weights", lambda ns, k, p: weights(ns, cosine_network(ns, source_design(k, p), p), k, p),
            closed_form=2 / (p - 1)),
        leg("any network: unequal weights", unequal, **BOUND,
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 2, p: 7}, {k: 3, p: 5}]}),
        # At p = 3 there is one frequency, and nothing to be unequal to.
        leg("any network: unequal counts", counts_unequal, **BOUND, where=p >= 5,
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 2, p: 7}]}),
        leg("any network: trained", trained, **BOUND, arithmetic="external", error=0, required=False,
            model="float64 training; the network found is measured in balls",
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 3, p: 5}]}),
    ],
    rivals=[
        variant("gamma* p^(k+1)", closed_form=gamma * p ** (k + 1)),
        variant("gamma* p^(k-1)", closed_form=gamma * p ** (k - 1)),
        variant("f^(j, .., j, +j)", simulation=with_plus),
        variant("one frequency dropped", simulation=one_dropped, at=[{k: 2, p: 5}]),
        variant("weights 1/(p-1)", leg="weights", closed_form=1 / (p - 1)),
        variant("p for p - 1 in the bound", leg="any network: unequal weights",
                closed_form=gamma * spread * (p - 1) / p),
    ],
    assumes=[
        hypothesis("p is odd", without=[{k: 2, p: 4}], leg="diagonal",
                   simulation=even_modulus),
    ],
)  # fmt: skip

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
    """The network whose weights make all shifts but those two tie, by a linear system."""
    rest = [j for j in range(1, (p + 1) // 2) if j != zeta]
    blind = pow(zeta, -1, p)
    shifts = [d for d in range(1, (p + 1) // 2) if d not in (blind, p - blind)]
    gain = 1 - ns.cos_2pi(ns.indices(np.outer(shifts, rest)), p)
    one = ns.ones((len(shifts), 1))
    rows = ns.concat([ns.concat([gain, -one], axis=1),
                      ns.asarray([[1] * len(rest) + [0]])])  # fmt: skip
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


left = gamma * (p - 1) / (p - 1 + sp.sec(2 * sp.pi / p))

forbidden = claim(
    "fourier-forbidden-frequency",
    lhs=r"\gamma(\theta)",
    title="Best margin without one frequency",
    says="For prime p >= 5 a network without power at one frequency has a normalised margin of at most "
    "gamma* (p-1)/(p-1 + sec(2 pi/p)) < gamma*, and this is attained.",
    states="fourier-all-frequencies",
    role="derived",
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
    closed_form=left,
    relation=maximises(),
    legs=[attained(best_without), certificate(bound_without)],
    rivals=[
        variant("no loss", closed_form=gamma),
        variant("gamma* (p-1)/p", closed_form=gamma * (p - 1) / p),
        variant("equal weights", simulation=equal_without, at=[{k: 2, p: 7, zeta: 2}]),
    ],
)

# ---------------------------------------------------------------- k = 3

all_frequencies_k3 = claim(
    "fourier-all-frequencies-k3",
    lhs=r"\hat f(j,j,j,-j)",
    tex=r"\frac{3p^2}{16(p-1)}",
    title="Every frequency is used at k = 3",
    says="At a unit-norm maximum-margin network for k = 3, f^(j, j, j, -j) = 3 p^2/(16 (p-1)) > 0 for "
    "every j != 0.",
    domain={p: odd_integers(3)},
    grid={"smoke": {p: [3, 5]}, "standard": {p: [3, 5, 7]}},
    closed_form=3 * p**2 / (16 * (p - 1)),
    legs=[leg("diagonal", diagonal_k3)],
    rivals=[
        variant("3 p^3/(16 (p-1))", closed_form=3 * p**3 / (16 * (p - 1))),
        variant("f^(j, j, j, +j)", simulation=with_plus_k3),
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
    "encodes": "part",
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
    title="Supports of a neuron's monomials, as printed",
    says="The transform of u_1^3 w vanishes unless j_1 = 0, that of u_1^2 u_2 w unless j_1 = j_2 = 0.",
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
    says="The transform of u_1^3 w vanishes unless j_2 = j_3 = 0, that of u_1^2 u_2 w unless j_3 = 0; they "
    "have 8 and 12 points, and u_1 u_2 u_3 w has the 16 points with all j_i = +-zeta.",
    role="corrected",
    corrects="fourier-support-k3-printed",
    closed_form=sp.Matrix([0, 0]),
    legs=[
        leg("points off it", off_corrected),
        leg("points", sizes, closed_form=sp.Matrix([8, 12, 16])),
    ],
    rivals=[
        variant("as printed", leg="points off it", simulation=off_printed),
        variant("16, 12, 8", leg="points", closed_form=sp.Matrix([16, 12, 8])),
    ],
    **SUPPORT,
)
