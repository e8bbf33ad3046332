r"""Theorem B.56: its sample size against that of Lemma B.54.

Setting. d = 2 n + 1 odd, k = 2 j + 2 even; xi = xi_(k-1) is C(n, j)/C(2n, 2j) times 4^-n C(2n, n) in size
(`majority`). Lemma B.54 asks for 2 log(4 d m/delta)/tau^2 samples, tau = xi/(16 k sqrt(2 d log(32 k^3 d/eps)));
Theorem B.56 has a multiple of k^(7/6) d C(d, k - 1) log(k d/eps) log(d m/eps).

Statement. Printed: the second is at least a constant times the first. C(n, j)^2 <= C(2n, 2j), as two subsets of size
j of the two halves are one of size 2 j of the whole, and n (4^-n C(2n, n))^2 <= 1, so that 1/xi^2 >= n C(2n, 2j), and
d C(2n, 2j) = (k - 1) C(d, k - 1): the first is at least 512 k^2 (k - 1) (d - 1) C(d, k - 1) times the logarithms
log(32 k^3 d/eps) >= log(k d/eps) and log(4 d m/delta) >= log(d m/eps), delta <= eps. Its quotient by the second grows
at least like k^(11/6), at d >= k^4 as elsewhere.

Reference: lines 7267-7287.
"""

from __future__ import annotations

from math import comb

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

SIDES = ["C in [1, oo)", "j in 0..oo", "d in 17..oo"]
PRINTED = "C*(2*j + 2)**(7/6)*d"
NEEDED = "512*(2*j + 2)**2*(2*j + 1)*(d - 1)"

printed = formula(
    "gradfeat-uniform-samples-printed",
    states="gradfeat-uniform-parity-main",
    title="The printed sample size against the lemma's",
    expect="fail",
    covers="n-implies-lemma",
    reads={"c": "C", "k": "j"},
    says=f"{PRINTED} >= {NEEDED}",
    over=SIDES,
    where=["j >= C", "d >= (2*j + 2)**4", "Mod(d, 2) == 1"],
)

ABSORB = formula_leg(
    "one coordinate more",
    typed(
        "(2*h + 1)*binomial(2*h, 2*i) == (2*i + 1)*binomial(2*h + 1, 2*i + 1)",
        over=["h in 0..oo", "i in 0..h"],
    ),
)
CENTRAL = formula_leg(
    "central binomial", typed("binomial(2*h, h) <= 4**h/sqrt(pi*h)", over="h in 1..oo")
)
LOGS = formula_leg(
    "logarithms",
    typed(
        "log(32*k**3*d/eps) >= log(k*d/eps) and log(4*d/delta) >= log(d/eps)",
        over=["k, d in [1, oo)", "eps in (0, 1/2)", "delta in (0, eps]"],
    ),
)
PASSES = formula_leg(
    "passes every multiple",
    typed(
        "512*k**2*(k - 1)*(d - 1) > C*k**2*d and k**(7/6) <= k**2",
        over=["C in [1, oo)", "k in 2..oo", "d in 2..oo"],
        where="k >= C",
    ),
)

n, j = sp.symbols("n j", integer=True, nonnegative=True)


def halves(n, j):
    """Pairs of subsets of size j of the two halves of 2 n points. Shape ()."""
    return comb(n, j) ** 2


needed = claim(
    "gradfeat-uniform-samples-needed",
    states="gradfeat-uniform-parity-main",
    title="The lemma's sample size passes every multiple of the printed one",
    says=r"$\frac2{\tau^2}\ge512k^2(k-1)(d-1)\binom{d}{k-1}\log\frac{kd}\epsilon$, above every multiple of "
    r"$k^{7/6}d\binom{d}{k-1}\log\frac{kd}\epsilon$ for large $k$.",
    role="corrected",
    corrects="gradfeat-uniform-samples-printed",
    lhs=r"\binom{n}{j}^2",
    tex=r"\binom{2n}{2j}",
    domain={n: integers(0), j: integers(0)},
    where=sp.And(j <= n, n <= 40),
    grid={
        "smoke": [{n: 1, j: 1}, {n: 5, j: 2}, {n: 9, j: 4}],
        "standard": [{n: 20, j: 7}, {n: 33, j: 16}],
    },
    closed_form=sp.binomial(2 * n, 2 * j),
    relation=at_most(),
    legs=[leg("pairs of subsets", halves), ABSORB, CENTRAL, LOGS, PASSES],
    rivals=[
        variant("half of it", closed_form=sp.binomial(2 * n, 2 * j) / 2),
        *rivals_of(CENTRAL, {"sqrt(4 h)": "binomial(2*h, h) <= 4**h/sqrt(4*h)"}),
        *rivals_of(LOGS, {"without 32": "log(k**3*d/eps) >= log(2*k*d/eps)"}),
        *rivals_of(PASSES, {"linear in k": "512*k*(d - 1) > C*k**2*d"}),
    ],
)
