r"""Lemma 3.13 = Lemma B.5: how many neurons have a nice first gradient.

Setting. m neurons of the right bias sign, each nice independently with probability p/2 at the least: G falls into the
cone with probability p given the sign of the bias, and the sign of a_i, which decides on which side of the cone -a_i
G lies, is fair and independent of it. (D_1, s_1), ..., (D_r, s_r) are chosen before the draw.

Statements. (1) P[X < mp/4] <= e^(-mp/16) for X ~ Bin(m, q), q >= p/2: P[X <= a] <= E e^(s (X - a)) at s = -log 2 is
at most e^(-m q/2 + (log 2) mp/4) <= e^(-mp (1 - log 2)/4), and (1 - log 2)/4 = 0.0767 > 1/16. A union over r features
and 2 r e^(-cmp) follow with c = 1/16. (2) The cone has both signs: a_i G is in one half and -a_i G in the other, so
that the fair sign gives exactly half of p. (3) The set of (3.14) tests the gradient, that of Definition B.4 the new
weight, which is -eta times it: with a vector in one, minus it is in the other.

Reference: lines 929-933, 5633-5668.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    vectors,
)

d = sp.symbols("d", integer=True, positive=True)


def sixteenth():
    """The constant c of the exponent."""
    return Fraction(1, 16)


ALWAYS = "D features j"
ONE = formula_leg(
    "one neuron",
    typed("1 - q + q*exp(-log(2)) <= exp(-q/2)", over="q in [0, 1]"),
    over=ALWAYS,
    gives="c",
    chosen_by=sixteenth,
)
EXPONENT = formula_leg(
    "exponent",
    typed("-m*q/2 + log(2)*m*p/4 <= -m*p/16", over=["m in 1..oo", "p in [0, 1]", "q in [p/2, 1]"]),
    over=f"{ALWAYS} init",
)
UNION = formula_leg(
    "union",
    typed("1 - r*t >= 1 - 2*r*t", over=["r in 1..oo", "t in [0, 1]"]),
    over=f"{ALWAYS} init",
)

count = claim(
    "gradfeat-emergence-count",
    states="gradfeat-feature-emergence",
    title="A quarter of mp neurons is nice for each of r features",
    says=r"For features chosen before the draw, $\Pr[\forall j:|G_{(D_j,s_j),\mathrm{Nice}}|\ge\frac{mp}4]\ge1-2r"
    r"e^{-mp/16}$.",
    covers="count-r-features",
    legs=[ONE, EXPONENT, UNION],
    rivals=[
        *rivals_of(ONE, {"3/5 in the exponent": "1 - q + q*exp(-log(2)) <= exp(-3*q/5)"}),
        *rivals_of(
            EXPONENT,
            {
                "c = 1/10": "-m*q/2 + log(2)*m*p/4 <= -m*p/10",
                "half of the mean": {"says": "-m*q/2 + log(2)*m*p/2 <= -m*p/16"},
                "q from p/4 on": {"over": ["m in 1..oo", "p in [0, 1]", "q in [p/4, 1]"]},
            },
        ),
        *rivals_of(UNION, {"without r": "1 - r*t >= 1 - 2*t"}),
    ],
)

# t = <G, D> and c = (1 - gamma) |G| >= 0, divided by |a|: -a G is nice if t > c or -t > c, by the sign of -a; one of
# them holds exactly if the larger of t and -t is above c, never both
SIGNS = formula_leg(
    "one of two signs",
    typed("Max(t, -t) == abs(t) and Min(t, -t) <= 0", over="t in R"),
    over="D s i init",
)

half = claim(
    "gradfeat-emergence-half",
    states="gradfeat-feature-emergence",
    title="A neuron of the right bias is nice with half of the cone's probability",
    says=r"Of $a$ and $-a$ exactly one gives a nice weight if $G$ is in the cone and none else, so that the "
    r"probability is "
    r"half of that of the cone, at least $p/2$.",
    covers="one-neuron-half",
    legs=[SIGNS],
    rivals=rivals_of(
        SIGNS,
        {
            "one sign alone": "t == abs(t)",
            "both signs": "Min(t, -t) == abs(t)",
        },
    ),
)


def membership(gradient, eta):
    """Whether the neuron is nice by (3.14), and by Definition B.4, for D = e_1, gamma = 1/10, B_G = 0. Shape (2,)."""
    new = [-eta * v for v in gradient]
    return [int(inside(gradient)), int(inside(new))]


def inside(v):
    """<v, e_1> > (9/10) |v|."""
    return v[0] > 0 and 100 * v[0] ** 2 > 81 * sum(x * x for x in v)


def by_definition(gradient, eta):
    """What both would be if the sets were the same: (3.14) twice. Shape (2,)."""
    return [int(inside(gradient))] * 2


sets = claim(
    "gradfeat-emergence-two-sets",
    lhs=r"\big([i\in(3.14)],\ [i\in\mathrm{B.4}]\big)",
    tex=r"\big([i\in(3.14)],\ [i\in(3.14)]\big)",
    states="gradfeat-feature-emergence",
    title="The two definitions of the nice set",
    says="Equation (3.14) and Definition B.4 define the same set.",
    expect="fail",
    covers="two-nice-sets",
    reads={"D": "d", "law": "gradient", "draw": "eta"},
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 3]}},
    relation=equals(),
    legs=[
        leg(
            "draws",
            membership,
            reference=by_definition,
            instances=instances({"gradient": vectors(d), "eta": reals(0, low_open=True)}, smoke=6),
        )
    ],
)
