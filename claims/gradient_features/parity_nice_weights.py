r"""Lemma B.48: how likely a random weight is nice for a block of the structured parities, its lengths included.

Setting. w standard normal in R^d, sigma_w = 1, q = r k coordinates on A, D_j = sum of block j over sqrt k, c = C_b^2
tau, z = sqrt(c r log d). w is nice for j if <w, D_j> >= 3 z/2, |<w, D_l>| <= z/2 for the other blocks, |P_A w| <= 3
sqrt q and the part off A is at most 3 sqrt(d - q) long: the constants of both Thetas are read as 3, k >= Omega(tau log
d) as k >= c log d, and C_b large enough, at r > 1, as C_b >= 3: c >= 72.

Statement. The probability is at least 7/300 d^(-9 c r/8)/z. Let g_1 = <w, D_j> be in [x, x + 1], x = 3 z/2, which has
a chance of at least (1/5 - 1/25) e^(-x^2/2)/x; let the others on A have a sum of squares of at most 2 (q - 1), and
those off A of at most 2 (d - q), each with a chance of 1/2 at least (Markov); the other blocks fail with (r - 1)
e^(-z^2/8) at most. Then |P_A w|^2 <= (x + 1)^2 + 2 (q - 1) <= 9 q, and the three events are independent.

Reference: lines 6955-7040.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    integers,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

d, r, k = sp.symbols("d r k", integer=True, positive=True)
c = sp.symbols("c", positive=True)
Z = sp.sqrt(c * r * sp.log(d))
BOUND = sp.Rational(7, 300) * d ** (-9 * c * r / 8) / Z


def nice(ns, rng, size, d, r, k, c, share=Fraction(3, 2)):
    """Whether w is nice for the first block. Shape (size,)."""
    w, q = rng.normal((size, d)), r * k
    z = ns.sqrt(ns.asarray(c) * r * ns.log(ns.asarray(d)))
    inner = [ns.sum(w[:, i * k : i * k + k], axis=1) / ns.sqrt(ns.asarray(k)) for i in range(r)]
    inside = inner[0] >= ns.asarray(share) * z
    for other in inner[1:]:
        inside = inside & (ns.abs(other) <= z / 2)
    short = ns.sum(w[:, :q] ** 2, axis=1) <= 9 * q
    off = ns.sum(w[:, q:] ** 2, axis=1) <= 9 * (d - q)
    return ns.where(inside & short & off, 1, 0)


def nice_at_thrice(ns, rng, size, d, r, k, c):
    """With <w, D_j> >= 9 z/2."""
    return nice(ns, rng, size, d, r, k, c, share=Fraction(9, 2))


def constant():
    """The constant of the bounds."""
    return Fraction(7, 300)


EVERY = "law j w"
TEXTS = {
    "beyond x": typed("erfc(x/sqrt(2))/2 >= exp(-x**2/2)/(5*x)", over="x in [6/5, oo)"),
    "beyond x + 1": typed("erfc((x + 1)/sqrt(2))/2 <= exp(-x**2/2)/(25*x)", over="x in [6/5, oo)"),
    "another block": typed("erfc(y) <= exp(-y**2)", over="y in [0, oo)"),
    # m = r - 1, and c log(d)/8 >= 72 log(2)/8
    "all other blocks": typed("m*exp(-6*m) <= 1/16 and 72*log(2)/8 >= 6", over="m in [0, oo)"),
    "Markov": typed("1 - n*E[g**2]/(2*n) == 1/2", over=["n in 1..oo", "g ~ N(0, 1)"]),
    "length": typed("(3*z/2 + 1)**2 + 2*(q - 1) <= 9*q", over=["q in 1..oo", "z in [1, sqrt(q)]"]),
    "product": typed(
        "((1/5 - 1/25)/(3*z/2))*(1 - 1/2 - 1/16)*(1/2) == (7/300)/z", over="z in [1, oo)"
    ),
    "in d, r and c": typed(
        f"(7/300)*exp(-(3*{Z}/2)**2/2)/({Z}) == {BOUND}",
        over=["c in (0, oo)", "r in 1..oo", "d in 2..oo"],
    ),
}
WRONG = {
    "beyond x + 1": "erfc((x + 1)/sqrt(2))/2 <= exp(-x**2/2)/(30*x)",
    "another block": "erfc(y) <= exp(-y**2)/2",
    "all other blocks": "m*exp(-5*m) <= 1/16 and 72*log(2)/8 >= 5",
    "Markov": "1 - n*E[g**2]/n == 1/2",
    "length": "(3*z/2 + 1)**2 + 2*(q - 1) <= 4*q",
    "product": "((1/5 - 1/25)/(3*z/2))*(1 - 1/2)*(1/2) == (7/300)/z",
    "in d, r and c": f"(7/300)*exp(-(3*{Z}/2)**2/4)/({Z}) == {BOUND}",
}


def step(name):
    """A step of the proof."""
    return formula_leg(name, TEXTS[name], over=EVERY, gives="Theta", chosen_by=constant)


sure = claim(
    "gradfeat-parity-sure-set",
    states="gradfeat-parity-geometry",
    title="Probability of a nice weight for a block, its lengths included",
    says=r"$\Pr_w[w\in S_{D_j,\mathrm{Sure}}]\ge\frac7{300\sqrt c}\cdot\frac{d^{-9C_b^2\tau r/8}}{\sqrt{r\log d}}$, "
    r"$c=C_b^2\tau$, where $k\ge c\log d$ and $r=1$ or $C_b\ge3$; both caps are three "
    r"roots.",
    role="reading",
    covers="gradfeat-parity-geometry/probability",
    reads={"law": "d r k"},
    domain={d: integers(2), r: integers(1), k: integers(1), c: reals(0, low_open=True)},
    where=sp.And(r * k < d, Z >= 1, c * sp.log(d) <= k, sp.Or(r <= 1, c >= 72)),
    grid={
        "smoke": [{d: 5, r: 1, k: 3, c: Fraction(7, 10)}],
        "standard": [
            {d: 5, r: 1, k: 3, c: Fraction(7, 10)},
            {d: 12, r: 1, k: 5, c: Fraction(1, 2)},
        ],
    },
    closed_form=BOUND,
    relation=at_least(),
    legs=[
        *(step(name) for name in TEXTS),
        beside(
            "weights",
            nice,
            r"\Pr_w[w\in S_{D_1,\mathrm{Sure}}]",
            r"\tfrac7{300z}d^{-9cr/8}",
            statistic=probability(),
            block=8192,
            where=sp.And(r <= 1, d <= 20, sp.Rational(3, 2) >= Z),
        ),
    ],
    rivals=[
        variant(
            "3/10", closed_form=sp.Rational(3, 10) * BOUND * sp.Rational(300, 7), leg="weights"
        ),
        variant("three times the own product", simulation=nice_at_thrice, leg="weights"),
        *(
            rival
            for name, text in WRONG.items()
            for rival in rivals_of(step(name), {f"{name}, changed": text})
        ),
    ],
)
