"""Eq. (C.7), (C.15): the two inequalities of the chain, and the norm as it is printed.

Statements. (1) For moduli x_1, .., x_{k+1} >= 0 the product is at most (mean of x_i^2)^{(k+1)/2}, with equality
exactly at equal ones. (2) For z >= 0 of sum at most p/2 over (p-1)/2 frequencies, sum z^{(k+1)/2} <=
(p/2)^{(k+1)/2}: exponents >= 1; for k >= 2 with equality only if z sits on one frequency. (3) Step (2) is
printed for every k with ||z||_2 in place of ||z||_1: sum z^{(k+1)/2} <= ||z||_2^{(k+1)/2} holds for k >= 3 and
fails at k = 2, z = (1, 1): 2 > 2^{3/4}.

Reference: Eq. (C.7), (C.15), Lemmas C.11, C.15 (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    simplex,
    variant,
)

from ._formula import k, p

# ---------------------------------------------------------------- means


def some_moduli(rng, k):
    """k + 1 moduli, the first not 0."""
    return {"x": [int(v) + int(i == 0) for i, v in enumerate(rng.integers(0, 9, (k + 1,)))]}


def equal_moduli(rng, k):
    return {"x": [int(rng.integers(1, 9))] * (k + 1)}


def squared_product(ns, x, k):
    """(prod x_i)^2 over (mean of x_i^2)^{k+1}. Shape (B,)."""
    return ns.prod(x, axis=1) ** 2 / ns.mean(x**2, axis=1) ** (k + 1)


def smaller_exponent(ns, x, k):
    return ns.prod(x, axis=1) ** 2 / ns.mean(x**2, axis=1) ** k


means = claim(
    "fourier-norm-chain-means",
    lhs=r"\frac{\big(\prod_ix_i\big)^2}{\big(\frac1{k+1}\sum_ix_i^2\big)^{k+1}}",
    states="fourier-norm-chain",
    title="The inequality of means",
    says="The product of $k+1$ moduli is at most the power $(k+1)/2$ of the mean of their squares, "
    "with equality at equal ones.",
    covers="means",
    reads={"moduli": "x"},
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}, "standard": {k: range(1, 9)}},
    closed_form=sp.Integer(1),
    relation=at_most(),
    legs=[
        leg(
            "drawn",
            squared_product,
            arithmetic="rational",
            instances=instances(some_moduli, "x", smoke=10, standard=40),
        ),
        leg(
            "equal moduli",
            squared_product,
            arithmetic="rational",
            relation=equals(),
            instances=instances(equal_moduli, "x", smoke=3, standard=6),
        ),
    ],
    rivals=[
        variant("9/10 of it", closed_form=sp.Rational(9, 10), leg="equal moduli"),
        variant("exponent k/2", simulation=smaller_exponent, leg="equal moduli", at={k: [2]}),
    ],
)

# ---------------------------------------------------------------- the sum over frequencies


def over_frequencies(ns, z, k, p):
    """sum (z p/2)^{(k+1)/2} for weights z of sum 1. Shape (B,)."""
    return ns.sum(ns.pow(ns.sqrt(z * p / 2), k + 1), axis=1)


def over_all(ns, z, k, p):
    """With the p - 1 frequencies for half of them: twice the sum."""
    return 2 * over_frequencies(ns, z, k, p)


def on_one_frequency(rng, p):
    return {"z": [1] + [0] * ((p - 3) // 2)}


norms = claim(
    "fourier-norm-chain-norms",
    lhs=r"\sum_jz(j)^{(k+1)/2}",
    tex=r"\Big(\frac p2\Big)^{(k+1)/2}",
    states="fourier-norm-chain",
    title="The sum of powers against the power of the sum",
    says=r"For $z\ge0$ of sum $p/2$, $\sum z^{(k+1)/2}\le(p/2)^{(k+1)/2}$, with equality on one "
    "frequency.",
    covers="norm-comparison",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": {k: [1, 2, 3], p: [5, 9]}, "standard": {k: [1, 2, 3, 6], p: [3, 5, 15]}},
    closed_form=(p / 2) ** ((k + 1) / 2),
    relation=at_most(),
    legs=[
        leg(
            "weights",
            over_frequencies,
            instances=instances({"z": simplex((p - 1) / 2)}, smoke=4, standard=10),
        ),
        leg(
            "one frequency",
            over_frequencies,
            relation=equals(),
            instances=instances(on_one_frequency, "z", smoke=1),
        ),
    ],
    rivals=[
        variant("over all p - 1 frequencies", simulation=over_all, leg="one frequency"),
        variant("exponent k/2", closed_form=(p / 2) ** (k / 2)),
    ],
)


def over_two_norm(ns, z, k):
    """sum z^{(k+1)/2} over ||z||_2^{(k+1)/2}. Shape (B,)."""
    return ns.sum(ns.pow(ns.sqrt(z), k + 1), axis=1) / ns.power(ns.sum(z**2, axis=1), k + 1, 4)


two_norm = claim(
    "fourier-norm-chain-two-norm",
    lhs=r"\frac{\sum_jz(j)^{(k+1)/2}}{\|z\|_2^{(k+1)/2}}",
    states="fourier-norm-chain",
    title="The printed 2-norm",
    says=r"For $k \ge3$ and $z \ge0$, $\sum z^{(k+1)/2} \le\|z\|_2^{(k+1)/2}$; at $k = 2$ it fails.",
    role="corrected",
    covers="printed-2-norm",
    domain={k: integers(3)},
    grid={"smoke": {k: [3, 4, 5]}, "standard": {k: range(3, 10)}},
    closed_form=sp.Integer(1),
    relation=at_most(),
    legs=[
        leg("weights", over_two_norm, instances=instances({"z": simplex(4)}, smoke=6, standard=20))
    ],
    rivals=[variant("9/10 of it", closed_form=sp.Rational(9, 10))],
    assumes=[hypothesis("k >= 3", without=[{k: 2}])],
)
