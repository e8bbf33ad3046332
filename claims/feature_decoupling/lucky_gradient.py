r"""Lemma A.3: the gradient along a lucky column, with and without the bias.

Setting. |alpha| > b, no noise, no other feature and no mask: u = alpha z_j on both views. With masks
the mean is the same as long as none of them shuts a gate.

Statements. (1) E z_j h(alpha z_j) 1{|alpha z_j| >= b} = q (alpha - b sign alpha). (2) Noise of deviation s moves the
mean of h by at most sqrt(2/pi) s, h being 1-Lipschitz, and shuts the gate with probability at most e^(-(|alpha| -
b)^2/(2 s^2)): both vanish as s -> 0. (3) Printed: q alpha up to q K |w|/sqrt d1, K polylogarithmic. It is off by q b
with b = sqrt(2 log d/d) |w|, which is more for every K once d1 >= d^2 and d >= K^2.

Reference: lines 380-384. Lemma D.3 (b) has alpha - b; up to a constant factor the sketch is right for alpha = (1 + c)
b.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes
from ._gaussian import BITS, gate, mean_of, number, unit


def on_a_column(alpha, b, s, q):
    """E z h(alpha z + s g'') 1{|alpha z + s g'| >= b}, independent noises. A ball."""
    total = arb(0)
    for (z,), p in codes(1, q):
        total += number(p) * z * mean_of(unit(b), alpha * z, s) * mean_of(gate(b), alpha * z, s)
    return total


def distance(alpha, b, s, q, bias=1):
    """Distance from q (alpha - b sign alpha) over q (sqrt(2/pi) s + |alpha| e^(-(|alpha| - b)^2/(2 s^2))). Shape ()."""
    with ctx.workprec(BITS):
        size, alpha = abs(Fraction(alpha)), Fraction(alpha)
        centre = number(q) * number(alpha) * number(size - bias * b) / number(size)
        shut = (-((number(size - b) / number(s)) ** 2) / 2).exp()
        most = number(q) * ((2 / arb.pi()).sqrt() * number(s) + number(size) * shut)
        return abs(on_a_column(alpha, b, s, q) - centre) / most


def without_bias(alpha, b, s, q):
    return distance(alpha, b, s, q, bias=0)


def a_winner(rng):
    b = Fraction(int(rng.integers(2, 6)), 2)
    return {
        "alpha": int(rng.signs()) * (b + Fraction(int(rng.integers(1, 9)), 4)),
        "b": b,
        "s": Fraction(1, int(rng.integers(1, 20))),
        "q": Fraction(1, int(rng.integers(2, 9))),
    }


VALUE = formula_leg(
    "no noise",
    typed("q*Max(a - b, 0) == q*(a - b)", over=["q in (0, 1]", "b >= 0", "a in (b, oo)"]),
)
MEAN = formula_leg(
    "both signs of z",
    typed(
        "q/2*(Max(a - b, 0) - Max(-a - b, 0)) + q/2*(-(Max(-a - b, 0) - Max(a - b, 0))) == q*Max(a - b, 0)",
        over=["q in (0, 1]", "b >= 0", "a in (b, oo)"],
    ),
)
MIRROR = formula_leg(
    "alpha < -b",
    typed(
        "q/2*(Max(-a - b, 0) - Max(a - b, 0)) + q/2*(-(Max(a - b, 0) - Max(-a - b, 0))) == q*(-a + b)",
        over=["q in (0, 1]", "b >= 0", "a in (b, oo)"],
    ),
)
SHUT = formula_leg("a shut gate", typed("erfc(x)/2 <= exp(-x**2)", over="x >= 0"), over="alpha")
MOVED = formula_leg(
    "mean size of the noise",
    typed("E[Max(g, 0)] + E[Max(-g, 0)] == sqrt(2/pi)*s", over=["s > 0", "g ~ N(0, s**2)"]),
    over="alpha",
)

# d_1 >= d^2 and d > K^2
FAR = ["L >= 1", "n > 0 real", "K > 0 real", "d in (K**2, oo)", "D in [d**2, oo)"]
PASSED = formula_leg(
    "the bias passes every K", typed("sqrt(2*L/d)*n > K*n/sqrt(D)", over=FAR), over="alpha"
)
corrected = claim(
    "decoupling-lucky-gradient",
    states="decoupling-lucky-gradient-sketch",
    title="The gradient along a lucky column",
    says=r"At $u=\alpha z_j$ on both views it is $q(\alpha-b\operatorname{sign}\alpha)$ for $|\alpha|>b$; noise of "
    r"deviation $s$ moves it by at most "
    r"$q\big(\sqrt{2/\pi}\,s+|\alpha|e^{-(|\alpha|-b)^2/(2s^2)}\big)$.",
    role="corrected",
    corrects="decoupling-lucky-printed",
    covers="corrected",
    reads={"alpha": "a", "sigma": "s"},
    **ONE_POINT,
    legs=[
        leg(
            "codes and noise",
            distance,
            relation=at_most(),
            closed_form=sp.Integer(1),
            lhs=r"\frac{|\mathbb E\,zh\mathbf 1-q(\alpha-b\operatorname{sign}\alpha)|}"
            r"{q(\sqrt{2/\pi}\,s+|\alpha|e^{-(|\alpha|-b)^2/(2s^2)})}",
            tex=r"1",
            required=False,
            instances=instances(a_winner, "alpha b s q", smoke=4, standard=8),
        ),
        VALUE,
        MEAN,
        MIRROR,
        SHUT,
        MOVED,
        PASSED,
    ],
    rivals=[
        variant("around q alpha", simulation=without_bias, leg="codes and noise"),
        *rivals_of(VALUE, {"without the bias": "q*Max(a - b, 0) == q*a"}),
        *rivals_of(MEAN, {"half": "q/2*(Max(a - b, 0) - Max(-a - b, 0)) == q*Max(a - b, 0)"}),
        *rivals_of(
            MIRROR,
            {
                "the same sign": "q/2*(Max(-a - b, 0) - Max(a - b, 0)) + q/2*(-(Max(a "
                "- b, 0) - Max(-a - b, 0))) == q*(-a - b)"
            },
        ),
        *rivals_of(SHUT, {"2 x^2": "erfc(x)/2 <= exp(-2*x**2)"}),
        *rivals_of(PASSED, {"for every d_1 from d on": {"over": [*FAR[:4], "D in [d, oo)"]}}),
        *rivals_of(MOVED, {"s": "E[Max(g, 0)] + E[Max(-g, 0)] == s"}),
    ],
)

printed = claim(
    "decoupling-lucky-printed",
    states="decoupling-lucky-gradient-sketch",
    title="The gradient along a lucky column as printed",
    says=r"It is $q\alpha$ up to $qK\frac{\|w\|}{\sqrt{d_1}}$, $K$ polylogarithmic.",
    covers="printed",
    expect="fail",
    # |q (alpha - b) - q alpha| = q b, divided by q
    legs=[
        formula_leg("the bias", typed("sqrt(2*L/d)*n <= K*n/sqrt(D)", over=FAR), over="i j order")
    ],
)
