"""Lemma C.16, Eq. (C.18), (C.21): signed sums of powers and the cosine of a sum, for every number of places.

Statements. (1) The sum over all signs c of their product times e^{t c.a} is a product of factors e^{t a_i} -
e^{-t a_i} = 2 a_i t + O(t^3), so that its coefficient of t^k is 2^k a_1 .. a_k: polarisation; as c and -c give the
same term, half of the signs give half. (2) Let C and S be the signed sums over patterns with an even and with an odd
number of sines (sign -1 at 2 and 3 mod 4): one more angle turns (C, S) by it, and (1, 0) is where they start, so that C
is the cosine of the sum, at every number of angles.

Evidence. The sums are run through place by place (`_every_size`), whatever their number is, and by `polarisation` and
`cosine_expansion` at sizes.

Reference: Lemma C.16, Eq. (C.18), (C.21) (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

import sympy as sp

from theorycheck import claim, equals, formula_leg, integers, leg, rivals_of, typed, variant

from ._every_size import ONCE, Series, agreeing, exponential, letters, total
from .cosine_expansion import ANGLES, exactly_two_sines, expansion
from .polarisation import NUMBERS, half_of_the_signs, k, polarised

# ---------------------------------------------------------------- polarisation


def signs_so_far(series, a, weight=1):
    """One more sign: the sum over c = 1, -1 of c e^{t c a} times what was there. ``weight``: of -1."""
    return series * total([exponential(a, 3), exponential(-a, 3) * -weight]).lowered()


def every_number_of_signs(weight=1):
    """After n signs the sum starts with 2^n a_1 .. a_n t^n: L stands for that coefficient."""
    L, a = letters("L a")
    start = Series((0, 0), (a**0, 0 * a))
    return agreeing(
        "induction over the number of signs, in power series",
        first=(signs_so_far(start, a, weight), Series((0, 1), (2 * a, 0 * a))),
        one_more=(
            signs_so_far(Series((1, 0), (L, 0 * L)), a, weight),
            Series((1, 1), (2 * a * L, 0 * a)),
        ),
    )


def signs_not_counted():
    return every_number_of_signs(weight=-1)


def turned_half_way(times):
    return f"(-1)**k*P*(-S)**k == {times}*P*S**k"


same_twice = formula_leg(
    "opposite signs",
    typed(turned_half_way(1), over="k in 1..oo; P, S in R"),
    covers="half-suffices",
)
constants = formula_leg(
    "half of the constant",
    typed("2**k*factorial(k)/2 == 2**(k - 1)*factorial(k)", over="k in 1..oo"),
    covers="half-suffices",
)
polarisation = claim(
    "fourier-sum-to-product-every-k",
    states="fourier-sum-to-product",
    title="The polarisation identity, for every number of factors",
    says="For every $k$ the sum over all signs of their product times the exponential of $t$ times the signed sum "
    "starts with $2^ka_1\\cdots a_kt^k$; opposite signs give the same term.",
    covers="general half-suffices",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 6)}, "standard": {k: range(6, 9)}},
    relation=equals(),
    legs=[
        leg("signs", every_number_of_signs, arithmetic="proof", over="k a", grid=ONCE),
        same_twice,
        constants,
        leg(
            "half of the signs",
            half_of_the_signs,
            instances=NUMBERS,
            closed_form=2 ** (k - 1) * sp.factorial(k),
            covers="half-suffices",
            required=False,
            lhs=r"\frac{1}{x_1\cdots x_k}\sum_{s\in\{\pm1\}^k,\ s_1=1}\Big(\prod_i s_i\Big)(s\cdot x)^k",
            tex=r"2^{k-1}\,k!",
        ),
    ],
    rivals=[
        variant("without k!", leg="half of the signs", closed_form=2 ** (k - 1)),
        variant("all signs", leg="half of the signs", simulation=polarised),
        variant("signs not counted", leg="signs", simulation=signs_not_counted),
        *rivals_of(same_twice, {"opposite signs cancel": turned_half_way(-1)}),
        *rivals_of(constants, {"a quarter": "2**k*factorial(k)/2 == 2**(k - 2)*factorial(k)"}),
    ],
)

# ---------------------------------------------------------------- the cosine of a sum


def patterns_so_far(by_sines, cosine, sine):
    """One more angle: sums of products by their number of sines mod 4, with its cosine or its sine behind."""
    longer = [0 * cosine] * 4
    for sines, b in itertools.product(range(4), range(2)):
        longer[(sines + b) % 4] += by_sines[sines] * (sine if b else cosine)
    return longer


def signed(by_sines):
    """C and S: the even numbers of sines with sign -1 at 2, the odd ones with sign -1 at 3."""
    return by_sines[0] - by_sines[2], by_sines[1] - by_sines[3]


def by_number(by_sines):
    """Signs without regard to the number of sines."""
    return by_sines[0] + by_sines[2], by_sines[1] + by_sines[3]


def every_number_of_angles(signs=signed):
    """(C, S) is (1, 0) without angles, and one more angle turns it, whatever the four sums are."""
    *sums, cosine, sine = letters("T0 T1 T2 T3 cosine sine")
    C, S = signs(sums)
    one = cosine**0
    return agreeing(
        "induction over the number of angles, in cosines and sines",
        none=(signs([one, 0 * one, 0 * one, 0 * one]), (one, 0 * one)),
        one_more=(
            signs(patterns_so_far(sums, cosine, sine)),
            (C * cosine - S * sine, C * sine + S * cosine),
        ),
    )


def without_signs():
    return every_number_of_angles(by_number)


addition = formula_leg(
    "one more angle",
    typed(
        "cos(s)*cos(z) - sin(s)*sin(z) == cos(s + z) and cos(s)*sin(z) + sin(s)*cos(z) == sin(s + z)"
        " and cos(0) == 1 and sin(0) == 0",
        over="s, z in R",
    ),
)
OPPOSITE_TURN = (
    "cos(s)*cos(z) - sin(s)*sin(z) == cos(s - z) and cos(s)*sin(z) + sin(s)*cos(z) == sin(s - z)"
)
n, s, z = sp.Symbol("n", integer=True, positive=True), *sp.symbols("s z", real=True)


def products_added_up(ns, x, n, of=expansion):
    """The signed sum of products at n angles, the last angle, and the sum of those before. Shape (B,)."""
    return {"value": of(ns, x, n), "s": ns.sum(x[:, :-1], axis=1), "z": x[:, -1]}


def two_sines(ns, x, n):
    return products_added_up(ns, x, n, exactly_two_sines)


cosine = claim(
    "fourier-cos-expansion-every-n",
    states="fourier-cos-expansion",
    title="The cosine of a sum, for every number of angles",
    says="For every $n$ the signed sums of products with an even and with an odd number of sines are the cosine and "
    "the sine of the sum of the angles.",
    covers="identity",
    domain={n: integers(1)},
    grid={"smoke": {n: range(1, 8)}, "standard": {n: range(8, 11)}},
    relation=equals(),
    legs=[
        leg("patterns", every_number_of_angles, arithmetic="proof", over="n x", grid=ONCE),
        addition,
        leg(
            "angles",
            products_added_up,
            closed_form=sp.cos(s + z),
            instances=ANGLES,
            observed=[s, z],
            unit=1,
            required=False,
            lhs=r"\sum_{|b|\text{ even}}(-1)^{|b|/2}\prod_{b_i=1}\sin x_i\prod_{b_i=0}\cos x_i",
            tex=r"\cos(s+z),\quad s=x_1+\dots+x_{n-1},\ z=x_n",
        ),
    ],
    rivals=[
        variant("exactly two sines", leg="angles", simulation=two_sines, at={n: [6, 7]}),
        variant("the last angle turned back", leg="angles", closed_form=sp.cos(s - z)),
        variant("no signs", leg="patterns", simulation=without_signs),
        *rivals_of(addition, {"the other turn": OPPOSITE_TURN}),
    ],
)
