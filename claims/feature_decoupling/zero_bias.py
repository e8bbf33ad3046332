r"""Lemma A.2 in the limit b -> 0: the noise's part of the positive gradient vanishes.

Setting. That of `exact_gradients`: the noise's part is E_(D, z) [H'' Dp' 4 s2 w^T D v], H'' = E h(u''), Dp' the density
of u' at b less that at -b, s' its deviation; for s' = 0 it is 0.

Statements. |H''| <= |mu''| + s'', and Dp' is at most 2 b (s' + b)/(sqrt(2 pi) s'^3) in size: with x = |mu'|/s', c =
b/s' it is (e^(-(x - c)^2/2) - e^(-(x + c)^2/2))/(sqrt(2 pi) s'), the first less e^(-2 x c) times it, 1 - e^-y <= y, and
x e^(-(x - c)^2/2) <= 1 + c. So the part is at most b times what stays bounded as b -> 0, with masks that split the
coordinates between the views. With one mask for both views h(u) stands in place of H'' inside of the mean, and the part
tends to 2 s2 w^T v, which does not vanish.

Reference: lines 372-378 and 575-583.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes
from ._gaussian import BITS, mean_of, number, unit
from .exact_gradients import complement, deviation, masked, noise_gradient

b, k = sp.symbols("b k", nonnegative=True)
VANISHES = b * k


def bound(w, v, M, q, sigma, b):
    """E_(D, z) (|mu''| + s'')(s' + b)/s'^3 4 s2 |w^T D v|, masks that keep both coordinates or none shut a view."""
    total = arb(0)
    for D in ((1, 0), (0, 1)):
        for (z,), p in codes(1, q):
            other = complement(D)
            height = number(abs(z * masked(w, M, other))) + deviation(w, sigma, other)
            s, product = deviation(w, sigma, D), abs(masked(w, v, D))
            total += (
                number(p)
                / 4
                * height
                * (s + number(b))
                / s**3
                * 2
                * number(sigma) ** 2
                * number(product)
            )
    return total


def noise_part(w, v, M, q, sigma, b):
    """Size of the noise's part, integrated; k is what b is multiplied with."""
    with ctx.workprec(BITS):
        return {
            "value": abs(noise_gradient(w, v, M, q, sigma, b)),
            "k": bound(w, v, M, q, sigma, b),
        }


def one_mask(w, v, M, q, sigma, b):
    """As if both views had the mask of the first."""
    with ctx.workprec(BITS):
        total = arb(0)
        for D in ((1, 0), (0, 1)):
            for (z,), p in codes(1, q):
                at, centre = D.index(1), number(z * masked(w, M, D))
                noise, s = number(v[at]) / number(w[at]), deviation(w, sigma, D)
                pieces = unit(b, lambda u, c=centre, r=noise: r * (u - c))
                total += number(p) / 4 * mean_of(pieces, centre, s)
        return {"value": abs(total), "k": bound(w, v, M, q, sigma, b)}


def small_bias(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 7)), 3), Fraction(int(rng.integers(1, 7)), 4)],
        "v": [Fraction(int(rng.integers(1, 5)), 2), Fraction(int(rng.integers(1, 5)), 3)],
        "M": [
            Fraction(int(rng.integers(1, 5)), 5),
            Fraction(int(rng.signs()) * int(rng.integers(1, 5)), 5),
        ],
        "q": Fraction(1, int(rng.integers(2, 6))),
        "sigma": Fraction(int(rng.integers(1, 5)), 3),
        "b": Fraction(1, 10 ** int(rng.integers(3, 6))),
    }


HEIGHT = formula_leg(
    "mean of the unit",
    typed("abs(Max(u - b, 0) - Max(-u - b, 0)) <= abs(u)", over=["u in R", "b in [0, oo)"]),
    over="w v",
)
STEP = formula_leg(
    "one density less the other", typed("1 - exp(-y) <= y", over="y in [0, oo)"), over="w v"
)
SQUARES = formula_leg(
    "exponents",
    typed("-(x + c)**2/2 == -(x - c)**2/2 - 2*x*c", over=["x in R", "c in R"]),
    over="w v",
)
PEAK = formula_leg("peak", typed("t*exp(-t**2/2) <= 1", over="t in R"), over="w v")
SHIFTED = formula_leg(
    "beside the peak",
    typed(
        "(t + c)*e <= 1 + c",
        over=["c in [0, oo)", "t in [-c, oo)", "e in [0, 1]"],
        where="t*e <= 1",
    ),
    over="w v",
)
# K is (|mu''| + s'')(s' + b)/s'^3 4 s2 |w^T D v|, whose mean is k
TERM = formula_leg(
    "a mask and a code",
    typed(
        "H*(2*(b/s)*(1 + b/s)/(sqrt(2*pi)*s))*Y <= b*(G*(s + b)/s**3*Y)",
        over=["G in [0, oo)", "H in [0, G]", "s > 0", "b in [0, oo)", "Y in [0, oo)"],
    ),
    over="w v",
)
MEAN = formula_leg(
    "mean",
    typed(
        f"p*(b*K) + (1 - p)*(b*J) <= {VANISHES}",
        over=["b in [0, oo)", "p in [0, 1]", "K in [0, oo)", "J in [0, oo)", "k in [0, oo)"],
        where="p*K + (1 - p)*J <= k",
    ),
    over="w v",
)

vanishes = claim(
    "decoupling-zero-bias-limit",
    lhs=r"\big|\mathbb E[H''\,\Delta p'\,4\sigma_\xi^2w^\top Dv]\big|",
    tex=r"b\,k",
    states="decoupling-dense-gradient-sketch",
    title="The noise's part at small biases",
    says=r"With decoupled masks the noise's part of the gradient is at most $b\,k$ in size, $k=\mathbb "
    r"E\frac{(|\mu''|+s'')(s'+b)}{s'^3}4\sigma_\xi^2|w^\top Dv|$: it tends to 0 with $b$.",
    covers="zero-bias-limit",
    **ONE_POINT,
    closed_form=VANISHES,
    relation=at_most(),
    legs=[
        leg(
            "masks, codes and noise",
            noise_part,
            observed=["k"],
            instances=instances(small_bias, "w v M q sigma b", smoke=3, standard=8),
            required=False,
        ),
        HEIGHT,
        STEP,
        SQUARES,
        PEAK,
        SHIFTED,
        TERM,
        MEAN,
    ],
    rivals=[
        variant("one mask for both views", simulation=one_mask, leg="masks, codes and noise"),
        variant("b^2", closed_form=b**2 * k, leg="masks, codes and noise"),
        *rivals_of(HEIGHT, {"half of u": "abs(Max(u - b, 0) - Max(-u - b, 0)) <= abs(u)/2"}),
        *rivals_of(STEP, {"half of y": "1 - exp(-y) <= y/2"}),
        *rivals_of(SQUARES, {"once": "-(x + c)**2/2 == -(x - c)**2/2 - x*c"}),
        *rivals_of(PEAK, {"half of the peak": "t*exp(-t**2/2) <= 1/2"}),
        *rivals_of(SHIFTED, {"without c": "(t + c)*e <= 1"}),
        *rivals_of(
            TERM, {"without b beside s": "H*(2*(b/s)*(1 + b/s)/(sqrt(2*pi)*s))*Y <= b*(G*s/s**3*Y)"}
        ),
        *rivals_of(MEAN, {"half of k": "p*(b*K) + (1 - p)*(b*J) <= b*k/2"}),
    ],
)
