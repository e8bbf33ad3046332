"""Eq. (C.4)-(C.8), (C.11)-(C.16): from the Fourier sum to gamma*.

Setting. Moduli of u_1^(j), .., u_k^(j), w^(j); z(j) the sum of their squares; p odd, j = 1 .. (p-1)/2.

Statements. (1) The Fourier sum is 2 sum_j |w^(j)| prod |u_i^(j)| cos(defect of phases). (2) Plancherel: the
squared transforms add up to p times the squared norm, z(1) + .. to at most p |theta|^2/2. (3) The product of
the k + 1 moduli is at most (z/(k+1))^{(k+1)/2}. (4) sum_j z(j)^{(k+1)/2} <= (sum_j z(j))^{(k+1)/2}. (5)
Together J <= gamma* |theta|^{k+1}.

Step (4) is printed with the norm ||z||_2, which is that of k = 3: sum z^{(k+1)/2} <= ||z||_2^{(k+1)/2} holds
for k >= 3 and fails at k = 2.

Reference: Eq. (C.4)-(C.16), Lemmas C.11, C.15 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    instances,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._formula import gamma, k, p
from ._neuron import MEANS, ascend, objective, squared_norm, transform_product, upper_bound
from .dft_reduction import by_transform, random_neurons

# ---------------------------------------------------------------- moduli and phases


def moduli(ns, u, w):
    """Moduli of the transforms, one row a vector. Shape (B, k + 1, p)."""
    rows = ns.concat([u, ns.expand_dims(w, axis=1)], axis=1)
    return ns.norm(ns.stack(list(ns.dft(rows))), axis=0)


def phase_form(ns, u, w, k, p):
    """2 k!/((p-1) p^k) sum over j = 1 .. (p-1)/2 of the product of moduli times cos(phase defect)."""
    cosine = transform_product(ns, u, w) / ns.prod(moduli(ns, u, w), axis=1)
    terms = (ns.prod(moduli(ns, u, w), axis=1) * cosine)[:, 1 : (p + 1) // 2]
    return 2 * ns.sum(terms, axis=1) * factorial(k) / ((p - 1) * p**k)


def without_phases(ns, u, w, k, p):
    size = ns.prod(moduli(ns, u, w), axis=1)[:, 1 : (p + 1) // 2]
    return 2 * ns.sum(size, axis=1) * factorial(k) / ((p - 1) * p**k)


NEURONS = instances(random_neurons, "u w", smoke=3, standard=6)

phase_identity = claim(
    "fourier-phase-form",
    lhs=r"\frac{k!}{(p-1)\,p^k}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
    tex=r"\frac{2\,k!}{(p-1)\,p^k}\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\,\cos\Big("
    r"\sum_i\theta_{u_i}(j)-\theta_w(j)\Big)",
    title="Conjugate frequencies paired",
    says=r"For odd $p$ the sum over $j \ne0$ equals twice the sum over $j \le(p-1)/2$ of the product of"
    " moduli times the cosine of the phase defect.",
    states="fourier-norm-chain",
    covers="phase-form",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 5}, {k: 3, p: 7}],
        "standard": [{k: i, p: j} for i in (1, 2, 3, 4) for j in (3, 5, 7, 9)],
    },
    legs=[leg("neurons", by_transform, reference=phase_form, instances=NEURONS)],
    rivals=[
        variant("even p", at=[{k: 3, p: 6}]),
        variant("without phases", reference=without_phases, at=[{k: 2, p: 5}]),
    ],
)


def plancherel(ns, u, w, p):
    """(|u_1^|^2 + .. + |w^|^2) / (|u_1|^2 + .. + |w|^2). Shape (B,)."""
    return ns.sum(moduli(ns, u, w) ** 2, axis=(1, 2)) / squared_norm(ns, u, w)


def half_power(ns, u, w, p):
    """z(1) + .. + z((p-1)/2), over the squared norm. Shape (B,)."""
    z = ns.sum(moduli(ns, u, w) ** 2, axis=1)[:, 1 : (p + 1) // 2]
    return ns.sum(z, axis=1) / squared_norm(ns, u, w)


def whole_power(ns, u, w, p):
    return ns.sum(ns.sum(moduli(ns, u, w) ** 2, axis=1)[:, 1:], axis=1) / squared_norm(ns, u, w)


power = claim(
    "fourier-plancherel",
    states="fourier-norm-chain",
    title="The norm constraint in Fourier space",
    says=r"The squared transforms add up to $p$ times the squared norm; over $j=1,\dots,(p-1)/2$ to at "
    "most $p/2$ times it.",
    covers="plancherel",
    domain={k: integers(1), p: integers(1)},
    grid={"smoke": {k: [1, 2], p: [1, 2, 5]}, "standard": {k: [1, 3], p: [1, 2, 3, 4, 9, 15]}},
    closed_form=p,
    legs=[
        leg(
            "all frequencies",
            plancherel,
            instances=NEURONS,
            lhs=r"\frac{\|\hat u_1\|^2+\dots+\|\hat w\|^2}{\|u_1\|^2+\dots+\|w\|^2}",
        ),
        leg(
            "half of them",
            half_power,
            instances=NEURONS,
            closed_form=p / 2,
            relation=at_most(),
            where=p >= 3,
            covers="plancherel",
            lhs=r"\frac{z(1)+\dots+z((p-1)/2)}{\|u_1\|^2+\dots+\|w\|^2}",
        ),
    ],
    rivals=[
        variant("without the factor p", leg="all frequencies", closed_form=sp.Integer(1)),
        variant(
            "all but frequency 0", leg="half of them", simulation=whole_power, at=[{k: 2, p: 9}]
        ),
    ],
)

# ---------------------------------------------------------------- the chain


def unit(ns, u, w, k):
    return ns.power(squared_norm(ns, u, w), k + 1, 2)


def over_half(ns, values, k, p):
    """2 k!/((p-1) p^k) times the sum over j = 1 .. (p-1)/2 of the last axis."""
    return ns.sum(values[:, 1 : (p + 1) // 2], axis=1) * 2 * factorial(k) / ((p - 1) * p**k)


def links(ns, u, w, k, p):
    """J, the sum of products of moduli, the sum of powers of means, the power of the sum; over |theta|^{k+1}. Shape
    (B, 4)."""
    size = moduli(ns, u, w)
    z = ns.norm(size, axis=1)  # the root of z(j): no root of a ball around 0
    mean = ns.pow(z, k + 1) / ns.power(ns.asarray(k + 1), k + 1, 2)
    total = ns.power(ns.sum(z[:, 1 : (p + 1) // 2] ** 2, axis=1) / (k + 1), k + 1, 2)
    chain = [
        objective(ns, u, w, k, p),
        over_half(ns, ns.prod(size, axis=1), k, p),
        over_half(ns, mean, k, p),
        total * 2 * factorial(k) / ((p - 1) * p**k),
    ]
    return ns.stack([x / unit(ns, u, w, k) for x in chain], axis=1)


def lower_links(ns, u, w, k, p):
    """The first three of them. Shape (B, 3)."""
    return links(ns, u, w, k, p)[:, :3]


def upper_links(ns, u, w, k, p):
    """What each of them is at most. Shape (B, 3)."""
    return links(ns, u, w, k, p)[:, 1:]


def near_optimal(rng, k, p):
    """An ascent's end, rounded to three decimals: a neuron close to the maximum."""
    (best,) = ascend(k, p, starts=1, seed=int(rng.integers(0, 1000)))
    exact = [[Fraction(round(float(x) * 1000), 1000) for x in row] for row in best]
    return {"u": exact[:k], "w": exact[k]}


def certified(ns, k, p):
    """What J passes nowhere, from its coefficients."""
    return upper_bound(ns, k, p)


MANY = instances(random_neurons, "u w", smoke=20, standard=60)

norm_chain = claim(
    "fourier-norm-chain",
    title="The bound on every neuron, link by link",
    lhs=r"\frac{\text{each link from }J(u,w)}{\|\theta\|^{k+1}}",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"For odd $p$, $J(u,w)\le\gamma^*\|\theta\|^{k+1}$ at every neuron, link by link.",
    covers="chain",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 5}, {k: 3, p: 5}],
        "standard": [
            *[{k: 1, p: 5}, {k: 2, p: 9}, {k: 3, p: 7}],
            *[{k: 4, p: 5}, {k: 5, p: 3}],
        ],
    },
    closed_form=gamma,
    relation=at_most(),
    legs=[
        leg("chain", links, instances=MANY),
        leg(
            "links in order",
            lower_links,
            reference=upper_links,
            instances=MANY,
            lhs=r"\text{each link}",
            tex=r"\text{the next link}",
        ),
        leg(
            "near the maximum", links, instances=instances(near_optimal, "u w", smoke=2, standard=4)
        ),
        leg("coefficients", certified, side="certificate", over="u w", lemma=MEANS),
    ],
    rivals=[
        variant("9/10 of the bound", closed_form=9 * gamma / 10),
        variant("nothing", leg="chain", closed_form=sp.Integer(0)),
        variant("p for p - 1", leg="near the maximum", closed_form=gamma * (p - 1) / p),
        variant(
            "sum of z at most p/4", leg="near the maximum", closed_form=gamma / 2 ** ((k + 1) / 2)
        ),
        variant(
            "links in the opposite order",
            leg="links in order",
            simulation=upper_links,
            reference=lower_links,
        ),
    ],
)
