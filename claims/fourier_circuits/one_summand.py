"""Theorem 4.9 (ii) and Lemma 4.10 at k = 1: optimal neurons may mix frequencies.

Setting. k = 1, p odd, p >= 5. The main text takes "some integer k"; the appendix k >= 3.

Statement (derived). J(v, v) = gamma* for every sum-zero v of squared norm 1/2, whatever its frequencies. Hence
the p - 1 neurons u_h = w_h, multiples of any orthonormal basis of the sum-zero vectors, are a maximum-margin
network: f(a)[c] is a multiple of 1[c = a] - 1/p. So "one frequency a neuron" fails, while at k >= 2 half and
half costs a factor sqrt(2).

Reference: Theorem 4.9, Lemma 4.10, section 4.3.1 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, equals, instances, integers, leg, odd_integers, variant

from ._formula import gamma, k, p
from ._network import Network, margin_range
from ._neuron import cosine_neurons, normalised


def helmert(ns, p):
    """Rows h = 1 .. p - 1: (1, .., 1, -h, 0, ..)/sqrt(h (h + 1)), orthonormal and of sum 0; frequencies mixed."""
    rows = [[1] * h + [-h] + [0] * (p - 1 - h) for h in range(1, p)]
    length = ns.sqrt(ns.asarray([[h * (h + 1)] for h in range(1, p)]))
    return ns.asarray(rows) / length


def basis_network(ns, p):
    """Least and largest normalised margin of the network of that basis. Shape (2,)."""
    rows = helmert(ns, p)
    return margin_range(ns, Network(ns.expand_dims(rows, axis=1), rows), 1, p)


def one_vector_less(ns, p):
    rows = helmert(ns, p)[1:]
    return margin_range(ns, Network(ns.expand_dims(rows, axis=1), rows), 1, p)


def sum_zero(rng, p):
    """A vector of sum 0 that is not 0."""
    v = [Fraction(x) for x in rng.rational((p - 1,), 5)]
    v[0] += 3
    return {"v": [*v, -sum(v)]}


def with_mean(rng, p):
    v = [Fraction(x) for x in rng.rational((p,), 5)]
    v[0] += 3
    return {"v": v}


def own_margin(ns, v, p):
    """J(v, v) over the squared norm of the neuron. Shape (B,)."""
    return normalised(ns, ns.expand_dims(v, axis=1), v, 1, p)


gamma_1 = gamma.subs(k, 1)
any_basis = claim(
    "fourier-neuron-form-one-summand",
    lhs=r"\gamma(\theta)",
    tex=r"\frac1{2\,(p-1)}",
    states=["fourier-neuron-form", "fourier-single-neuron"],
    title="At $k = 1$ optimal neurons may mix frequencies",
    says=r"For $k = 1$ and odd $p \ge5$ every sum-zero vector is an optimal neuron, and a basis that "
    "mixes frequencies is a maximum-margin network.",
    role="derived",
    covers="fourier-neuron-form/k-equal-1 fourier-single-neuron/k-equal-1",
    domain={p: odd_integers(5)},
    grid={"smoke": {p: [5, 9]}, "standard": {p: [5, 7, 9, 15, 21]}},
    closed_form=gamma_1,
    relation=equals(),
    legs=[
        leg("basis", basis_network, gives="theta h", covers="fourier-neuron-form/k-equal-1"),
        leg(
            "neurons",
            own_margin,
            arithmetic="rational",
            instances=instances(sum_zero, "v", smoke=4, standard=10),
        ),
    ],
    rivals=[
        variant("one vector less", leg="basis", simulation=one_vector_less),
        variant("vectors with a mean", leg="neurons", instances=instances(with_mean, "v", smoke=2)),
        variant("p for p - 1", closed_form=gamma_1 * (p - 1) / p),
    ],
)


def halves(ns, k, p):
    """Equal power at frequencies 1 and 2, all phases 0. Shape (1,)."""
    zero = ns.asarray([[0] * k]), ns.asarray([0])
    u1, w1 = cosine_neurons(ns, p, ns.asarray([1]), *zero)
    u2, w2 = cosine_neurons(ns, p, ns.asarray([2]), *zero)
    return normalised(ns, u1 + u2, w1 + w2, k, p)


halves_any_k = claim(
    "fourier-neuron-form-every-k",
    title=r"One frequency a neuron, read for every $k \ge1$",
    lhs=r"J(\theta)",
    tex=r"\gamma^*/\sqrt2",
    says=r"For every $k \ge1$ a neuron that shares its power equally between two frequencies has at "
    r"most $\gamma^*/\sqrt{2}$, so no maximiser has one.",
    states="fourier-neuron-form",
    role="reading",
    encodes="part",
    expect="fail",
    domain={k: integers(1), p: odd_integers(5)},
    grid={"smoke": {k: [1, 2, 3], p: [5, 7]}},
    closed_form=gamma / sp.sqrt(2),
    relation=at_most(),
    legs=[leg("halves", halves)],
    rivals=[variant("half of it", closed_form=gamma / 4)],
)
