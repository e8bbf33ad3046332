"""Sections 4.1, 4.6, Lemma C.20: the argmax over labels, parity and a part of the output, for every size.

Statements. (1) With p = g q, zeta = g r, g their greatest common divisor, cos(2 pi zeta d/p) = cos(2 pi r d/q) is 1
where q divides r d and less elsewhere. Euclid's algorithm on q and r keeps its two numbers combinations of them, and
their common divisors: v q + u r = 1 at its end. So where r d = q m, d is q (v d + u m): q divides d, and of g q labels
in a row g are such: the number of argmaxes is gcd(zeta, p). (2) After any number of bits the sign is (-1)^label, label
and sign being one of finitely many pairs. (3) What does not depend on the label c adds up over c to p times itself.

Reference: sections 4.1, 4.6, Lemma C.20 (arXiv 2402.09469); programs: `argmax_cosine`, `parity`.
"""

from __future__ import annotations

from math import gcd

import sympy as sp

from theorycheck import (
    Proof,
    claim,
    counts,
    formula,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._every_size import ONCE, agreeing, letters
from .argmax_cosine import argmaxes, argmaxes_of_sine, p, zeta

# ---------------------------------------------------------------- parity


def one_more_bit(label, sign, bit, modulus=2):
    """Label and product of the (-1)^{a_i} with one more bit."""
    return (label + bit) % modulus, sign * (-1) ** bit


def every_number_of_bits(modulus=2):
    """All pairs of a label and a sign that any number of bits leads to; the sign is (-1)^label in each."""
    reached, new = set(), {(0, 1)}
    while new:
        reached |= new
        new = {one_more_bit(*state, bit, modulus) for state in new for bit in (0, 1)} - reached
    apart = sorted((label, sign) for label, sign in reached if sign != (-1) ** label)
    return Proof(
        holds=not apart,
        method="all states after any number of bits",
        witness={"states": len(reached)},
        counterexample={"label and sign": apart[0]} if apart else None,
    )


def labels_modulo_3():
    return every_number_of_bits(modulus=3)


parity = claim(
    "fourier-parity-every-k",
    states="fourier-parity-limit",
    title="At $p=2$ the task is parity, for every number of summands",
    says="For every $k$ and all inputs the sign of the label at $p=2$ is the product of the signs of the summands.",
    covers="parity",
    legs=[leg("bits", every_number_of_bits, arithmetic="proof", over="k a")],
    rivals=[variant("labels modulo 3", leg="bits", simulation=labels_modulo_3)],
)

# ---------------------------------------------------------------- argmaxes


def euclid(further=1):
    """One step (a, b) -> (b, a - n b) of Euclid's algorithm from (q, r), with a = v q + u r and b = t q + s r: the
    combinations go along, a common divisor g of both stays one, and one of the new pair is one of the old. It starts
    with (1, 0) and (0, 1). ``further``: how many times n b is taken off from the combinations."""
    q, r, v, u, t, s, n, g, x, y = letters("q r v u t s n g x y")
    a, b = v * q + u * r, t * q + s * r
    after = b, a - n * b
    combined = t * q + s * r, (v - further * n * t) * q + (u - further * n * s) * r
    return agreeing(
        "one step of Euclid's algorithm, in polynomials",
        start=((1 * q + 0 * r, 0 * q + 1 * r), (q, r)),
        combinations=(combined, after),
        divisor_stays=((g * y, g * x - n * (g * y)), (g * y, g * (x - n * y))),
        divisor_was=((g * x + n * (g * y), g * y), (g * (x + n * y), g * y)),
    )


def combinations_twice():
    return euclid(further=2)


bezout = formula_leg(
    "divisor of a product",
    typed(
        "d - q*(v*d + u*m) == d*(1 - (v*q + u*r)) + u*(r*d - q*m)",
        over="q, r, d, m, u, v in Z",
    ),
)
cancelled = formula_leg(
    "common divisor cancelled",
    typed("(g*r)*d/(g*q) == r*d/q", over="g, q, r in 1..oo; d in Z"),
)
whole = formula_leg("whole turns", typed("cos(y + 2*pi*m) == cos(y)", over="y in R; m in Z"))
between = formula_leg(
    "between whole turns",
    typed("0 < 2*pi*s/q and 2*pi*s/q < 2*pi", over="q in 2..oo; s in 1..q - 1"),
)
below = formula_leg("less than 1", typed("cos(y) < 1", over="y in (0, 2*pi)"))
in_a_row = formula_leg(
    "multiples of q in a row",
    typed("floor((g*q - 1)/q) + 1 == g", over="g, q in 1..oo"),
)
g, q = sp.symbols("g q")
IN_A_ROW = sp.floor((g * q - 1) / q) + 1


def counted(p, zeta, of=argmaxes):
    """The most argmaxes over all a_1 and a_2, the sum among them, and what p and zeta have in common."""
    common = gcd(p, zeta)
    return {"value": of(p, zeta), "g": common, "q": p // common}


def of_the_sine(p, zeta):
    return counted(p, zeta, argmaxes_of_sine)


argmax = claim(
    "fourier-argmax-cosine-every-modulus",
    states="fourier-argmax-cosine",
    title="Argmaxes at every modulus",
    lhs=r"\#\operatorname{arg\,max}_c\cos\frac{2\pi\zeta(a_1+a_2-c)}{p}",
    tex=r"\gcd(\zeta,p)",
    says=r"At every $p=gq$ and $\zeta=gr$ with $q$, $r$ prime to each other the argmaxes are the labels at a multiple "
    "of $q$ from the sum, $g$ of them.",
    role="derived",
    covers="any-modulus",
    reads={"p": "g q", "zeta": "g r"},
    domain={p: integers(2), zeta: integers(1)},
    where=zeta < p,
    grid={
        "smoke": [{p: j, zeta: t} for j in (4, 5, 6, 9) for t in range(1, j)],
        "standard": [{p: j, zeta: t} for j in (12, 15, 21) for t in range(1, j)],
    },
    relation=counts(),
    legs=[
        leg("Euclid's algorithm", euclid, arithmetic="proof", over="p zeta", grid=ONCE),
        leg(
            "counted",
            counted,
            closed_form=IN_A_ROW,
            observed=[g, q],
            required=False,
            lhs=r"\#\operatorname{arg\,max}_c\cos\frac{2\pi\zeta(a_1+a_2-c)}{p}",
            tex=r"\Big\lfloor\frac{gq-1}q\Big\rfloor+1,\quad p=gq",
        ),
        bezout,
        cancelled,
        whole,
        between,
        below,
        in_a_row,
    ],
    rivals=[
        variant("one less, run", leg="counted", closed_form=IN_A_ROW - 1),
        variant("sine for cosine", leg="counted", simulation=of_the_sine, at=[{p: 5, zeta: 1}]),
        variant("combinations twice", leg="Euclid's algorithm", simulation=combinations_twice),
        *rivals_of(
            bezout,
            {"the other combination": "d - q*(v*d + u*m) == d*(1 - (v*r + u*q)) + u*(r*d - q*m)"},
        ),
        *rivals_of(between, {"half as far": "0 < 2*pi*s/q and 2*pi*s/q < pi"}),
        *rivals_of(cancelled, {"not in p": "(g*r)*d/q == r*d/q"}),
        *rivals_of(whole, {"half turns": "cos(y + pi*m) == cos(y)"}),
        *rivals_of(below, {"at 0 too": {"over": "y in [0, 2*pi)"}}),
        *rivals_of(in_a_row, {"one less": "floor((g*q - 1)/q) == g"}),
    ],
)

# ---------------------------------------------------------------- the part of the output that has no label

LABELS = "Sum(Sum(F[a]*x[a], (a, 1, n)), (c, 1, p))"
without_label = formula(
    "fourier-all-frequencies-transform-of-f-every-size",
    states="fourier-all-frequencies",
    title="The factor $p$ that the sum over labels brings, for every size",
    says=f"{LABELS} == p*Sum(F[a]*x[a], (a, 1, n))",
    over=["n in 1..oo; p in 3..oo", "F[a], x[a] in R for a in 1..n"],
    covers="proof-transform-of-F",
    reads={"k": "n", "j": "x"},
    rivals={"without the factor, as printed": f"{LABELS} == Sum(F[a]*x[a], (a, 1, n))"},
)
