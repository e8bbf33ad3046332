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
from itertools import product
from math import comb

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
    vectors,
)

from ._network import dot, four_groups, simplified, step

d, m, r = sp.symbols("d m r", integer=True, positive=True)


def sixteenth():
    """The constant c of the exponent."""
    return Fraction(1, 16)


ALWAYS = "D features j"
# the logarithm of E e^(s (X - mp/4)) at s = -log 2
COUNT = formula_leg(
    "a quarter of the mean",
    typed(
        "m*log(1 - q + q*exp(-log(2))) + log(2)*m*p/4 <= -m*p/16",
        over=["m in 1..oo", "p in [0, 1]", "q in [p/2, 1]"],
    ),
    over=f"{ALWAYS} init",
    gives="c",
    chosen_by=sixteenth,
)
UNION = formula_leg(
    "union",
    typed("1 - r*t >= 1 - 2*r*t", over=["r in 1..oo", "t in [0, 1]"]),
    over=f"{ALWAYS} init",
)


ETA = Fraction(1, 3)


def slope_at_start(z):
    """l' of a loss whose slope at 0 is -1."""
    return -1 + z / 2


def first_weight(xs, ys, a, w, bias):
    """The first neuron of the symmetric start of (a, w, bias) after one step with weight decay 1/eta."""
    return step(xs, ys, *four_groups([a], [w], [bias]), ETA, 1 / ETA, slope_at_start)[1][0]


def nice(xs, ys, a, w, bias, direction, gamma, BG):
    """Whether that neuron is nice for the direction."""
    return is_nice(first_weight(xs, ys, a, w, bias), a, direction, gamma, BG)


def is_nice(new, a, direction, gamma, BG):
    """Whether the new weight is in the cone of the direction and as long as a gradient of length B_G makes it."""
    along, square = dot(new, direction), dot(new, new)
    long_enough = square >= (ETA * a * BG) ** 2
    return along > 0 and along**2 > (1 - gamma) ** 2 * square and long_enough


def nice_for(r):
    """For a = +-1 and each of the r weights, whether the neuron is nice for e_1, ..., e_r."""
    axes = [[int(i == j) for i in range(r)] for j in range(r)]
    weights = [[4 * v - 2 for v in axis] for axis in axes]
    found = []
    for a, w in product((Fraction(1), Fraction(-1)), weights):
        new = first_weight(axes, [1] * r, a, w, Fraction(1, 2))
        found.append([is_nice(new, a, axis, Fraction(1, 10), Fraction(1, r)) for axis in axes])
    return found


def at_least_in_each(counts, m, least, rest):
    """How many words of length m have at least so many letters of each kind, of which there are ``counts``; ``rest``
    letters are of no kind."""
    words, slack = {0: 1}, m - least * len(counts)
    for j, letters in enumerate(counts, start=1):
        words = {
            n: sum(
                comb(n, i) * letters**i * words.get(n - i, 0)
                for i in range(least, n - least * (j - 1) + 1)
            )
            for n in range(least * j, least * j + slack + 1)
        }
    return sum(comb(m, n) * found * rest ** (m - n) for n, found in words.items())


def enough_of_each(m, r):
    """P[|Nice_1|, ..., |Nice_r| >= m p/4] for m neurons, x one of e_1, ..., e_r and y = 1: no neuron is nice for two.
    Shape ()."""
    found = nice_for(r)
    counts = [sum(column) for column in zip(*found, strict=True)]
    p = Fraction(2 * min(counts), len(found))
    least = int(-(-m * p // 4))
    words = at_least_in_each(counts, m, least, len(found) - sum(counts))
    return Fraction(words, len(found) ** m)


count = claim(
    "gradfeat-emergence-count",
    states="gradfeat-feature-emergence",
    title="A quarter of mp neurons is nice for each of r features",
    says=r"For features chosen before the draw, $\Pr[\forall j:|G_{(D_j,s_j),\mathrm{Nice}}|\ge\frac{mp}4]\ge1-2r"
    r"e^{-mp/16}$.",
    covers="count-r-features",
    domain={m: integers(1), r: integers(2)},
    where=sp.And(m <= 400, r <= 16),
    # fourteen features: some nice set is too small more often than 2 e^(-mp/16)
    grid={
        "smoke": [{m: 1, r: 2}, {m: 40, r: 2}, {m: 96, r: 2}, {m: 225, r: 14}],
        "standard": {m: [7, 64, 130], r: [2, 3]},
    },
    closed_form=1 - 2 * r * sp.exp(-m / (16 * r)),
    relation=at_least(),
    legs=[
        COUNT,
        UNION,
        leg(
            "features apart",
            enough_of_each,
            unit=1,
            lhs=r"\Pr[|\mathrm{Nice}_1|,\dots,|\mathrm{Nice}_r|\ge\tfrac{mp}4]",
            tex=r"1-2re^{-m/(16r)}",
            required=False,
        ),
    ],
    rivals=[
        variant("c = 1/2, run", closed_form=1 - 2 * r * sp.exp(-m / (2 * r)), leg="features apart"),
        variant("without r, run", closed_form=1 - 2 * sp.exp(-m / (16 * r)), leg="features apart"),
        *rivals_of(
            COUNT,
            {
                "c = 1/10": "m*log(1 - q + q*exp(-log(2))) + log(2)*m*p/4 <= -m*p/10",
                "half of the mean": "m*log(1 - q + q*exp(-log(2))) + log(2)*m*p/2 <= -m*p/16",
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


def law_and_cone(rng):
    """A law of five points, weights, a bias and a direction of the plane."""
    return {
        "xs": rng.rational((5, 2), 5),
        "ys": [int(v) for v in rng.signs((5,))],
        "ws": rng.rational((6, 2), 5),
        "bias": rng.rational((), 2) + Fraction(1, 1009),
        "direction": [(Fraction(3, 5), Fraction(4, 5)), (1, 0), (0, -1)][int(rng.integers(0, 3))],
        "gamma": Fraction(int(rng.integers(2, 8)), 10),
    }


def nice_share(xs, ys, ws, bias, direction, gamma):
    """P[nice] over a in {1, -1, 2, -2} and the weights, by steps of the network. Shape ()."""
    found = [
        nice(xs, ys, Fraction(a), w, bias, direction, gamma, Fraction(1, 5))
        for a, w in product((1, -1, 2, -2), ws)
    ]
    return Fraction(sum(found), len(found))


def half_of_cone(xs, ys, ws, bias, direction, gamma):
    """Half of P[|<G, D>| > (1 - gamma) |G|, |G| >= B_G] over the weights. Shape ()."""
    return cone_share(xs, ys, ws, bias, direction, gamma) / 2


def cone_share(xs, ys, ws, bias, direction, gamma):
    found = [simplified(xs, ys, w, bias) for w in ws]
    inside = [
        dot(g, direction) ** 2 > (1 - gamma) ** 2 * dot(g, g) and 25 * dot(g, g) >= 1 for g in found
    ]
    return Fraction(sum(inside), len(inside))


half = claim(
    "gradfeat-emergence-half",
    states="gradfeat-feature-emergence",
    title="A neuron of the right bias is nice with half of the cone's probability",
    says=r"Of $a$ and $-a$ exactly one gives a nice weight if $G$ is in the cone and none else, so that the "
    r"probability is "
    r"half of that of the cone, at least $p/2$.",
    covers="one-neuron-half",
    legs=[
        SIGNS,
        leg(
            "first steps",
            nice_share,
            reference=half_of_cone,
            instances=instances(
                law_and_cone, "xs ys ws bias direction gamma", smoke=8, standard=20
            ),
            unit=1,
            lhs=r"\Pr[i\in\mathrm{Nice}]",
            tex=r"\tfrac12\Pr[|\langle G,D\rangle|>(1-\gamma)\|G\|,\ \|G\|\ge B_G]",
            required=False,
        ),
    ],
    rivals=[
        *rivals_of(
            SIGNS,
            {
                "one sign alone": "t == abs(t)",
                "both signs": "Min(t, -t) == abs(t)",
            },
        ),
        variant("the whole cone", reference=cone_share, leg="first steps"),
    ],
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
