r"""Remarks 3.20 and B.44: how much of a structured parity is noise.

Setting. r blocks of k coordinates. With probability p_A for each block and each sign that block is constant and the
others are 0; with the rest 1 - 2 r p_A all are uniform signs. Off A each of the d - r k coordinates is 1 and -1 with
probability p_o each.

Statements. (1) k = d/16, r = 1, p_o = 1/2 meets p_o <= c k/(d - k) exactly if c >= 15/2, and k >= tau log d for every
tau >= 8 and d >= 256 tau^2. (2) The mean squares are E|phi_A|^2 = r k (1 - 2 r p_A) + 2 r p_A k and E|phi_off|^2 = 2
p_o (d - r k), which is 2 c r k at p_o = c r k/(d - r k). Printed: they are comparable. At 2 r p_A = 1 the quotient is
2 c r, above every constant for large r, also for odd r; it is at least 2 c and at most 2 c r always, and at most 4 c
where 4 (r - 1) p_A <= 1.

Reference: lines 1010, 6956.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    odd_integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._parity import law


def fifteen_halves():
    """The constant hidden in p_o = O(k/(d - k))."""
    return Fraction(15, 2)


SHARE = formula_leg(
    "noise",
    typed("1/2 <= (15/2)*k/(d - k)", over=["d in 16..oo", "k in [d/16, d/16]"]),
    gives="c",
    chosen_by=fifteen_halves,
)
LARGE = formula_leg(
    "block size",
    typed("d/16 >= tau*log(d)", over=["tau in [8, oo)", "d in [256*tau**2, oo)"]),
)

scope = claim(
    "gradfeat-parity-scope",
    states="gradfeat-remarks",
    title="A sixteenth of the coordinates, and noise of probability 1/2",
    says=r"$k=\frac d{16}$, $r=1$, $p_o=\frac12$ meets $p_o\le c\frac k{d-k}$ with $c=\frac{15}2$, and "
    r"$k\ge\tau\log d$ for $d\ge256\tau^2$.",
    role="reading",
    covers="scope-3-20",
    legs=[SHARE, LARGE],
    rivals=[
        *rivals_of(SHARE, {"c = 7": "1/2 <= 7*k/(d - k)"}),
        *rivals_of(LARGE, {"d from tau^2 on": {"over": ["tau in [8, oo)", "d in [tau**2, oo)"]}}),
    ],
)

# c = 1, r = 2 t + 1
printed = formula(
    "gradfeat-parity-noise-share-printed",
    states="gradfeat-remarks",
    title="Mean squares on and off the blocks, as printed",
    expect="fail",
    covers="norms-B44",
    reads={"Theta": "C", "r": "t", "p_A": "p"},
    says="2*(2*t + 1)*k <= C*((2*t + 1)*k*(1 - 2*(2*t + 1)*p) + 2*(2*t + 1)*p*k)",
    over=["C in [1, oo)", "k in 1..oo", "t in 0..oo", "p in [0, 1/2]"],
    where=["2*(2*t + 1)*p == 1", "t >= C"],
)

ON = "(r*k*(1 - 2*r*p) + 2*r*p*k)"
RANGE = formula_leg(
    "all masses",
    typed(
        f"2*c <= 2*c*r*k/{ON} <= 2*c*r",
        over=["c in (0, oo)", "k in 1..oo", "r in 1..oo", "p in [0, 1/(2*r)]"],
    ),
)
SMALL = formula_leg(
    "small masses",
    typed(
        f"2*c*r*k/{ON} <= 4*c",
        over=["c in (0, oo)", "k in 1..oo", "r in 1..oo", "p in [0, 1/(2*r)]"],
        where="4*(r - 1)*p <= 1",
    ),
)

blocks, per = sp.symbols("blocks per", integer=True, positive=True)
mass = sp.symbols("mass", nonnegative=True)


def square_on_blocks(blocks, per, mass):
    """E|phi_A|^2 of the law on the blocks. Shape ()."""
    return sum((w * sum(v * v for v in phi) for phi, w in law(blocks, per, mass)), Fraction(0))


def uniform_square(blocks, per, mass):
    """With the uniform part alone."""
    return square_on_blocks(blocks, per, Fraction(0)) * (1 - 2 * blocks * mass)


share = claim(
    "gradfeat-parity-noise-share",
    states="gradfeat-remarks",
    title="Mean squares on and off the blocks",
    says=r"$2c\le\mathbb E\|\phi_{A^\perp}\|^2/\mathbb E\|\phi_A\|^2\le2cr$ at $p_o=\frac{crk}{d-rk}$, and at most "
    r"$4c$ where $4(r-1)p_A\le1$.",
    role="corrected",
    corrects="gradfeat-parity-noise-share-printed",
    lhs=r"\mathbb E\|\phi_A\|^2",
    tex="rk(1-2rp_A)+2rp_Ak",
    domain={blocks: odd_integers(1), per: integers(1), mass: reals(0, Fraction(1, 2))},
    where=sp.And(blocks * per <= 12, 2 * blocks * mass <= 1),
    grid={
        "smoke": [
            {blocks: 1, per: 3, mass: Fraction(1, 4)},
            {blocks: 3, per: 2, mass: Fraction(1, 8)},
        ],
        "standard": [{blocks: 3, per: 3, mass: Fraction(1, 8)}],
    },
    closed_form=blocks * per * (1 - 2 * blocks * mass) + 2 * blocks * mass * per,
    legs=[leg("enumeration", square_on_blocks), RANGE, SMALL],
    rivals=[
        variant("the uniform part alone", simulation=uniform_square, leg="enumeration"),
        *rivals_of(RANGE, {"c and 2 c": f"2*c <= 2*c*r*k/{ON} <= 4*c"}),
        *rivals_of(SMALL, {"2 c": f"2*c*r*k/{ON} <= 2*c"}),
    ],
)
