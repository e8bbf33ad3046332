"""Lemmas B.59 and B.61: two steps of the framework in the sup norm.

Setting. v in R^d with |v|_oo <= gamma, x uniform signs; G~ = G + e with |e|_oo <= beta.

Statements. (1) Printed: Pr[|<v, x>| > sqrt(2 d log d) gamma] <= d^-2. At v = (gamma, ..., gamma) and d = 2 it is 1/2,
at d = 100 the exact binomial is above 10^-4 too. (2) It is at most 2/d: Markov's inequality for exp(lam <v, x>), whose
mean is prod_j cosh(lam v_j), at the best lam. (3) Printed: ||G~| - |G|| <= beta. False at e = beta sign(G): |G + e|^2
= |G|^2 + 2 beta |G|_1 + d beta^2. (4) It is at most |e|_2 <= sqrt(d) beta.

Reference: lines 7341-7370, 7447-7463.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import length, with_length

d = sp.symbols("d", integer=True, positive=True)


def exceeds(ns, d):
    """Pr[|x_1 + ... + x_d| > sqrt(2 d log d)] by counting, times d^2. Shape ()."""
    level = 2 * d * ns.log(ns.asarray(d))
    total = sum(comb(d, m) for m in range(d + 1) if bool(ns.asarray((d - 2 * m) ** 2) > level))
    return ns.asarray(Fraction(total * d * d, 2**d))


hoeffding = claim(
    "gradfeat-sup-hoeffding-printed",
    lhs=r"d^2\Pr\Big[\Big|\sum_jx_j\Big|>\sqrt{2d\log d}\Big]",
    tex="1",
    states="gradfeat-good-network-infnorm",
    title="Tail of a sum of signs, as printed",
    says=r"$\Pr[|\langle v,x\rangle|>\sqrt{2d\log d}\,\gamma_\infty]\le d^{-2}$ for "
    r"$\|v\|_\infty\le\gamma_\infty$; here $v$ is "
    r"constant.",
    expect="fail",
    covers="hoeffding-step",
    reads={"v": "d"},
    domain={d: integers(2)},
    where=d <= 2000,
    grid={"smoke": {d: [2, 100]}, "standard": {d: [100, 400]}},
    closed_form=sp.Integer(1),
    relation=at_most(),
    legs=[leg("counting", exceeds, inside="x")],
)

EVEN = formula_leg(
    "one sign",
    typed("cosh(s) <= exp(s**2/2)", over="s in R"),
    over="v d x",
)
# Markov's bound at lam = T/(d g^2), then T = g sqrt(2 d log d)
BOUND = "-(T/(d*g**2))*T + (T/(d*g**2))**2*d*g**2/2 == -T**2/(2*d*g**2)"
MARKOV = formula_leg(
    "best exponent",
    typed(
        BOUND + " and 2*exp(-(2*d*g**2*log(d))/(2*d*g**2)) == 2/d",
        over=["d in 2..oo", "g in (0, oo)", "T in [0, oo)"],
    ),
    over="v d x",
)


class Vector(NamedTuple):
    """A vector of the sup ball of radius 1."""

    v: Any


def vectors(rng, d):
    """Entries in quarters, the first two of size 1."""
    return Vector([Fraction(4 if j < 2 else int(rng.integers(-4, 5)), 4) for j in range(d)])


def beyond(ns, v, d, part=1):
    """d times the share of the 2^d sign vectors x with |<v, x>| > part sqrt(2 d log d). Shape (instances,)."""
    level = 2 * d * part**2 * ns.log(ns.asarray(d))
    signs = ns.asarray([list(x) for x in product((1, -1), repeat=d)])
    sums = ns.matmul(v, ns.matrix_transpose(signs))
    return d * ns.mean(ns.number(sums * sums > level), axis=-1)


hoeffding_corrected = claim(
    "gradfeat-sup-hoeffding",
    states="gradfeat-good-network-infnorm",
    title="Tail of a sum of signs",
    says=r"$\Pr[|\langle v,x\rangle|>\sqrt{2d\log d}\,\gamma_\infty]\le2/d$ for $\|v\|_\infty\le\gamma_\infty$.",
    role="corrected",
    corrects="gradfeat-sup-hoeffding-printed",
    covers="hoeffding-corrected",
    domain={d: integers(2)},
    where=d <= 9,
    grid={"smoke": {d: [2, 5]}, "standard": {d: [8, 9]}},
    closed_form=sp.Integer(2),
    relation=at_most(),
    legs=[
        leg(
            "all signs",
            beyond,
            instances=instances(vectors, Vector, smoke=3, standard=6),
            required=False,
            lhs=r"d\Pr\Big[\Big|\sum_jv_jx_j\Big|>\sqrt{2d\log d}\Big]",
            tex="2",
        ),
        EVEN,
        MARKOV,
    ],
    rivals=[
        *rivals_of(EVEN, {"s^2/3": "cosh(s) <= exp(s**2/3)"}),
        *rivals_of(
            MARKOV, {"1/d^2": BOUND + " and 2*exp(-(2*d*g**2*log(d))/(2*d*g**2)) == 2/d**2"}
        ),
        variant(
            "a third of the level", leg="all signs", call=beyond, part=Fraction(1, 3), at=[{d: 9}]
        ),
    ],
)

# a weight that is constant on A: up to a factor G is 1 on A and +-q off it, q = (k - 1)/(d - k)
shift = formula(
    "gradfeat-sup-inclusion-printed",
    states="gradfeat-good-network-infnorm-empirical",
    title="Change of the gradient's norm, as printed",
    expect="fail",
    covers="inclusion",
    reads={"e": "beta"},
    says="sqrt(k + (k - 1)**2/(d - k) + 2*beta*(2*k - 1) + d*beta**2) - sqrt(k + (k - 1)**2/(d - k)) <= beta",
    over=["k in 2..oo", "d in 2*k**2..oo", "beta in (0, oo)"],
)

LENGTH = formula_leg(
    "length of e",
    typed(
        "Sum(e[i]**2, (i, 1, d)) <= d*beta**2",
        over=["d in 1..oo", "beta in [0, oo)", "e[i] in [-beta, beta] for i in 1..d"],
    ),
)
TRIANGLE = formula_leg(
    "triangle", typed("norm(G + e) <= norm(G) + norm(e)", over=["d in 1..oo", "G, e in R^d"])
)


def two_gradients(rng):
    """Two vectors of rational length in R^5."""
    return {"G": with_length(rng, 5), "moved": with_length(rng, 5)}


def scaled(rng):
    """G constant, and e = G: the bound is reached."""
    return {"G": [Fraction(1)] * 4, "moved": [Fraction(2)] * 4}


def change(G, moved):
    """The square of |G + e| - |G|. Shape ()."""
    return (length(moved) - length(G)) ** 2


def largest_entry(G, moved):
    """d |e|_oo^2. Shape ()."""
    return len(G) * max((q - p) ** 2 for p, q in zip(G, moved, strict=True))


def without_d(G, moved):
    return largest_entry(G, moved) / len(G)


def moves(name, draw, count):
    return beside(
        name,
        change,
        r"\big(\|G+e\|-\|G\|\big)^2",
        r"d\|e\|_\infty^2",
        reference=largest_entry,
        instances=instances(draw, "G moved", smoke=count, standard=4 * count),
    )


corrected = claim(
    "gradfeat-sup-inclusion",
    states="gradfeat-good-network-infnorm-empirical",
    title="Change of the gradient's norm",
    says=r"$\big|\|G+e\|-\|G\|\big|\le\sqrt d\,\beta$ for $\|e\|_\infty\le\beta$.",
    role="corrected",
    corrects="gradfeat-sup-inclusion-printed",
    covers="inclusion-corrected",
    relation=at_most(),
    reads={"e": "e d"},
    legs=[LENGTH, TRIANGLE, moves("drawn moves", two_gradients, 6), moves("e = G", scaled, 1)],
    rivals=[
        variant("beta, run", reference=without_d, leg="e = G"),
        *rivals_of(LENGTH, {"beta": "Sum(e[i]**2, (i, 1, d)) <= beta**2"}),
        *rivals_of(TRIANGLE, {"half of e": "norm(G + e) <= norm(G) + norm(e)/2"}),
    ],
)
