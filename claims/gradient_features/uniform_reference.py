r"""Lemma B.64: features and reference network of the uniform parity.

Setting. k even, d >= 2 k^2, D the unit vector of A; G as in `uniform_gradient`, so that a weight that is constant on
A has coordinates 1 on A and +-q off A, q = (k - 1)/(d - k), up to a factor.

Statements. (1) The bumps with signs (-1)^i add up to the parity at the k + 1 values m = 2i - k of the block sum. (2)
For w constant on A, |+-G/|G| - D|_oo <= sqrt(k)/(d - k). (3) One pattern of w on A in 2^k has all coordinates of G on
A positive, one all negative, and any other is at least 1/sqrt k >= sqrt(k)/(d - k) away from +-D. (4) The norm of the
printed network is sqrt(6 k (k + 1)), above its printed bound 2 sqrt(k (k + 1)). (5) Printed: B_G = |G| of order d^-k.
At k = 2, |G| >= xi_1/ sqrt 2 and xi_1 >= 1/(2 sqrt n), d = 2n + 1: above C d^-2 for every C and all large d; the
order is d^(-(k-1)/2).

Reference: lines 7533-7559.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    even_integers,
    formula,
    formula_leg,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._cube import gradient_counted, majority_mean, sign
from .parity_reference import bumps

k = sp.symbols("k", integer=True, positive=True)


def worst_value(k):
    """max over the cube's block of |g* - parity|. Shape ()."""
    return max(abs(bumps(sum(x), k, 0) - prod(x)) for x in product((1, -1), repeat=k))


def odd_signs(k):
    """With (-1)^(i+1), as for odd k."""
    return max(abs(bumps(sum(x), k, 1) - prod(x)) for x in product((1, -1), repeat=k))


HAT = formula_leg(
    "hat",
    typed("relu(t + 1) - 2*relu(t) + relu(t - 1) == Max(0, 1 - abs(t))", over="t in R"),
    over="d x",
)
ELSEWHERE = formula_leg(
    "hats at the other knots", typed("Max(0, 1 - 2*n) == 0", over="n in 1..oo"), over="k d x"
)
SIGN = formula_leg(
    "sign", typed("(-1)**(2*n - q) == (-1)**q", over=["n in 0..oo", "q in 0..oo"]), over="k d x"
)

values = claim(
    "gradfeat-uniform-reference-values",
    lhs=r"\max_x\Big|g^*(x)-\prod_Ax_l\Big|",
    tex="0",
    states="gradfeat-uniform-parity-gstar",
    title="The bump network is the parity on the cube",
    says=r"$g^*(x)=\prod_Ax_l$ on $\{-1,1\}^d$ for every even $k$.",
    covers="values",
    domain={k: even_integers(2)},
    where=k <= 14,
    grid={"smoke": {k: [2, 4]}, "standard": {k: [6, 10]}},
    closed_form=sp.Integer(0),
    mutate=False,
    legs=[leg("enumeration", worst_value, unit=1, required=False), HAT, ELSEWHERE, SIGN],
    rivals=[
        variant("signs (-1)^(i+1)", simulation=odd_signs, leg="enumeration"),
        *rivals_of(
            HAT, {"half the width": "relu(t + 1) - 2*relu(t) + relu(t - 1) == Max(0, 1 - 2*abs(t))"}
        ),
        *rivals_of(ELSEWHERE, {"knots half as far apart": "Max(0, 1 - n/2) == 0"}),
        *rivals_of(SIGN, {"a sign less": "(-1)**(2*n + 1 - q) == (-1)**q"}),
    ],
)

# |G| in these units is sqrt(k + (k - 1)^2/(d - k)); s is its square less k
SETUP = ["k in 2..oo", "d in 2*k**2..oo"]
ON = formula_leg(
    "on A",
    typed(
        "1/sqrt(k) - 1/sqrt(k + s) <= s/(2*k*sqrt(k)) and 1/sqrt(k + s) <= 1/sqrt(k)",
        over=["k in 2..oo", "s in [0, oo)"],
    ),
    over="d w",
)
SIZE = formula_leg(
    "its size", typed("((k - 1)**2/(d - k))/(2*k*sqrt(k)) <= sqrt(k)/(d - k)", over=SETUP), over="w"
)
OFF = formula_leg(
    "off A",
    typed("((k - 1)/(d - k))/sqrt(k + s) <= sqrt(k)/(d - k)", over=[*SETUP, "s in [0, oo)"]),
    over="w",
)


d = sp.symbols("d", integer=True, positive=True)


def patterns(on, d, k):
    """Sign vectors with these signs on A: off A all 1, alternating, and -1 at first."""
    rest = range(d - k)
    for off in ([1 for _ in rest], [(-1) ** j for j in rest], [-1 if j == 0 else 1 for j in rest]):
        yield [*on, *off]


def off_direction(ns, d, k, alike=True):
    """The smaller of |G/|G| - D|_oo and |G/|G| + D|_oo at bias 0, the largest over patterns of w that are constant on A
    (or, if not ``alike``, alternate there). Shape ()."""
    found, share = [], 1 / ns.sqrt(ns.asarray(k))
    for first in (1, -1):
        for w in patterns([first * (1 if alike else (-1) ** j) for j in range(k)], d, k):
            g = ns.asarray(gradient_counted(w, 0, k))
            towards = ns.concat([ns.full((k,), 1), ns.zeros((d - k,))]) * share
            unit = g / ns.norm(g)
            found.append(ns.minimum(ns.max(ns.abs(unit - towards)), ns.max(ns.abs(unit + towards))))
    return ns.max(ns.stack(found))


def not_alike(ns, d, k):
    return off_direction(ns, d, k, alike=False)


radius = claim(
    "gradfeat-uniform-radius",
    states="gradfeat-uniform-parity-gstar",
    title="Gradients of the good weights are near the parity's direction",
    says=r"$\big\|\pm G/\|G\|-D\big\|_\infty\le\sqrt k/(d-k)$ for $w$ constant on $A$.",
    covers="gamma",
    domain={d: odd_integers(9), k: even_integers(2)},
    where=sp.And(d >= 2 * k**2, d <= 101),
    grid={"smoke": [{d: 9, k: 2}, {d: 33, k: 4}], "standard": [{d: 21, k: 2}, {d: 73, k: 6}]},
    closed_form=sp.sqrt(k) / (d - k),
    relation=at_most(),
    legs=[
        ON,
        SIZE,
        OFF,
        beside(
            "gradients",
            off_direction,
            r"\big\|\pm G/\|G\|-D\big\|_\infty",
            r"\sqrt k/(d-k)",
        ),
    ],
    rivals=[
        variant("half of the radius", closed_form=sp.sqrt(k) / (2 * (d - k)), leg="gradients"),
        variant("other patterns", simulation=not_alike, leg="gradients"),
        *rivals_of(
            ON,
            {
                "a quarter": "1/sqrt(k) - 1/sqrt(k + s) <= s/(4*k*sqrt(k)) and 1/sqrt(k + s) <= 1/sqrt(k)"
            },
        ),
        *rivals_of(
            SIZE, {"an eighth": "((k - 1)**2/(d - k))/(2*k*sqrt(k)) <= sqrt(k)/(16*(d - k))"}
        ),
        *rivals_of(OFF, {"half of it": "((k - 1)/(d - k))/sqrt(k + s) <= sqrt(k)/(2*(d - k))"}),
    ],
)


def good_patterns(k):
    """How many of the patterns of w on A give G coordinates of one sign on all of A, over their number: both signs,
    at the two smallest odd d. Shape (4,)."""
    shares = []
    for d in (2 * k * k + 1, 2 * k * k + 3):
        low = sign(majority_mean(d, k - 1))
        for way in (1, -1):
            patterns = product((1, -1), repeat=k)
            found = sum(all(way * low * prod(w) * v > 0 for v in w) for w in patterns)
            shares.append(Fraction(found, 2**k))
    return shares


def both_directions(k):
    """Those for D and for -D together."""
    found = sum(len(set(w)) == 1 for w in product((1, -1), repeat=k))
    return 4 * [Fraction(found, 2**k)]


AWAY = formula_leg("other patterns", typed("1/sqrt(k) >= sqrt(k)/(d - k)", over=SETUP), over="w")

share = claim(
    "gradfeat-uniform-share",
    lhs=r"\Pr_w[G\in C_{\pm D}]",
    tex=r"2^{-k}",
    states="gradfeat-uniform-parity-gstar",
    title="Share of the sign vectors that point to the parity",
    says=r"Exactly $2^{-k}$ of the sign vectors have $G$ in the sup-norm cone of $D$, and as many in that of $-D$.",
    covers="p",
    domain={k: even_integers(2)},
    where=k <= 12,
    grid={"smoke": {k: [2, 4]}, "standard": {k: [6, 8]}},
    closed_form=sp.Matrix(4 * [sp.Rational(1, 2) ** k]),
    legs=[leg("enumeration", good_patterns, inside="w"), AWAY],
    rivals=[
        variant("both directions", simulation=both_directions, leg="enumeration"),
        variant("2^-(k-1)", closed_form=sp.Matrix(4 * [sp.Rational(1, 2) ** (k - 1)])),
        *rivals_of(AWAY, {"half as far": "1/(2*sqrt(k)) >= 2*sqrt(k)/(d - k)"}),
    ],
)

norm = formula(
    "gradfeat-uniform-reference-norm",
    states="gradfeat-uniform-parity-gstar",
    title="Printed norm of the uniform parity's bump network",
    expect="fail",
    covers="norm2",
    says="sqrt(k*(k + 1)*(1 + 4 + 1)) <= 2*sqrt(k*(k + 1))",
    over="k in 2..oo",
)

# k = 2, d = 2 n + 1: |G| >= xi_1/sqrt 2 and xi_1 = C(2n, n)/4^n
order = formula(
    "gradfeat-uniform-gradient-order",
    states="gradfeat-uniform-parity-gstar",
    title="Printed order of the gradient's length",
    expect="fail",
    covers="BG",
    reads={"Theta": "C", "d": "n", "k": "C"},
    says="binomial(2*n, n)/4**n/sqrt(2) <= C/(2*n + 1)**2",
    over=["C in [4, oo)", "n in 1..oo"],
    where="n >= C",
)

CENTRAL = formula_leg(
    "central binomial", typed("binomial(2*n, n)/4**n >= 1/(2*sqrt(n))", over="n in 1..oo")
)
PASSES = formula_leg(
    "passes every multiple",
    typed(
        "1/(2*sqrt(n)*sqrt(2)) > C/(2*n + 1)**2",
        over=["C in [4, oo)", "n in 1..oo"],
        where="n >= C",
    ),
)

grows = claim(
    "gradfeat-uniform-gradient-order-passed",
    states="gradfeat-uniform-parity-gstar",
    title="No multiple of $d^{-2}$ bounds the gradient at $k=2$",
    says=r"$\|G\|\ge\xi_1/\sqrt2>C/d^2$ for every $C\ge4$ and every odd $d\ge2C+1$.",
    role="corrected",
    corrects="gradfeat-uniform-gradient-order",
    legs=[CENTRAL, PASSES],
    rivals=[
        *rivals_of(CENTRAL, {"3/4": "binomial(2*n, n)/4**n >= 3/(4*sqrt(n))"}),
        *rivals_of(PASSES, {"from n = 1 on": {"where": "n >= 1"}}),
    ],
)
