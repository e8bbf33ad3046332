"""Section F.1.1, Figure F.1: an optimal representation on which the label is an XOR.

Setting. z_R uniform on {-1, 1}^2 (not printed), phi in R^2 with |phi| = B, x = B^2 (printed: 1), logistic loss; y =
z_1. The printed code sends (-1,-1), (-1,1), (1,-1), (1,1) to (-1,0), (1,0), (0,-1), (0,1).

Statements. (1) It is optimal among all codes in the plane, with loss ell(0)/4 + ell(2x)/4 + ell(x)/2; codes that
depend on z_U are no better: with v_{a,u}, u = z_U, the loss of a pair of values a != b is at least E ell(x(1 - s)), for
ell falls and the positive pair's product is at most x, and that of a = b is at least ell(0), since exchanging z_U^+
and z_U^- turns the argument round and ell is convex. With f(s) = ell(x(1 - s)), h(s) = f(0) + f'(0) s + c
s^2 and c = f(-1) - f(0) + f'(0), f - h vanishes doubly at 0 and at -1, so it is f'''/6 s^2 (s + 1) at some point
between, and f''' >= 0: h <= f on [-1, 1]. Over all pairs the sums of cos and of cos 2 are squares of lengths, so
those of h are at least 16 f(0) + 8 c, and h <= h(1) takes the pairs of one value off. (2) Every u that is
orthogonal to no code has sign(u^T phi) = y on exactly two of the four values. (3) Of the 24 squares 8 are an XOR for
y: those where the values with y = 1 are opposite.

Reference: section F.1.1, Figure F.1, lines 9545-9549 and 9556.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    typed,
    variant,
)

from ._views import code_loss, logistic

x, u_1, u_2 = sp.symbols("x u_1 u_2", real=True)
bit = sp.Symbol("bit", integer=True, positive=True)

VALUES = ((-1, -1), (-1, 1), (1, -1), (1, 1))
PRINTED = ((-1, 0), (1, 0), (0, -1), (0, 1))


def loss_of(ns, units, x):
    """Loss of codes B times ``units`` (B, 4, k) under the uniform law. Shape (B,)."""
    law = ns.full((units.shape[0], 4), ns.rational(1, 4))
    return code_loss(ns, law, ns.sqrt(ns.asarray(x)) * units, logistic)


def on_square(ns, x):
    """The printed code. Shape ()."""
    return loss_of(ns, ns.asarray([PRINTED]), x)[0]


def on_half_circle(ns, x):
    """Four codes a third of a half turn apart. Shape ()."""
    angles = ns.pi * ns.number(ns.arange(4)) / 3
    return loss_of(ns, ns.stack([ns.cos(angles), ns.sin(angles)], axis=1)[None], x)[0]


def on_triangle(ns, x):
    """Two values on one code, the others with it on a triangle. Shape ()."""
    angles = ns.pi * ns.asarray([0, 0, 2, 4]) / 3
    return loss_of(ns, ns.stack([ns.cos(angles), ns.sin(angles)], axis=1)[None], x)[0]


def through_three_values(ns, x):
    """The bound of the docstring from f(-1), f(0), f'(0) and f(1). Shape ()."""
    x = ns.asarray(x)
    at_minus, at_zero, at_one = (logistic(ns, x * (1 - s)) for s in (-1, 0, 1))
    slope = x * ns.sigmoid(-x)
    c = at_minus - at_zero + slope
    pairs = 16 * at_zero + 8 * c - 8 * ns.relu(-c) - 16 * ns.relu(-slope)
    diagonal = 4 * (at_zero + slope + c)
    return (pairs - diagonal) / 16 + at_one / 4


def some_codes(rng):
    """Rational unit vectors of the plane."""
    return {"units": [rng.orthogonal_rational(2)[0] for _ in range(4)]}


def differing_codes(rng):
    """The same, the last turned half way where all are one code: nothing pushes that apart."""
    units = some_codes(rng)["units"]
    if all(list(one) == list(units[0]) for one in units):
        units[-1] = -units[-1]
    return {"units": units}


def codes_in_space(rng):
    return {"units": [rng.orthogonal_rational(3)[0] for _ in range(4)]}


def pushed_apart(ns, units, x, steps=12):
    """The loss after some steps that move each code away from the others, weighted by the slopes of their pairs, within
    the space of the codes. units (B, 4, k), shape (B,)."""
    apart = 1 - ns.eye(4)
    for _ in range(steps):
        pull = apart * ns.sigmoid(ns.asarray(x) * (ns.einsum("zak,zbk->zab", units, units) - 1))
        away = ns.matmul(pull, units) / ns.sum(pull, axis=2)[:, :, None]
        moved = units - away
        units = moved / ns.sqrt(ns.sum(moved * moved, axis=2))[:, :, None]
    return loss_of(ns, units, x)


def lengths_and_dimension(ns, units, x):
    """Squared lengths of the four drawn codes, and of how many coordinates they are. Shape (B, 5)."""
    size = 0 * units[:, :1, 0] + units.shape[2]
    return ns.concat([ns.sum(units * units, axis=2), size], axis=1)


THIRD = formula_leg(
    "third derivative",
    typed(
        "sigmoid(t)*(1 - sigmoid(t))*(1 - 2*sigmoid(t)) <= 0", over=["t in [0, oo)", "x in (0, oo)"]
    ),
    over="v_a",
)
MINORANT = formula_leg(
    "minorant at x = 1",
    typed(
        "log(1 + exp(-(1 - s))) >= log(1 + exp(-1)) + s/(1 + exp(1))"
        " + (log(1 + exp(-2)) - log(1 + exp(-1)) + 1/(1 + exp(1)))*s**2",
        over=["s in [-1, 1]", "x in (0, oo)"],
    ),
)
LENGTHS = formula_leg(
    "sums over pairs",
    typed(
        "4 + 2*cos(a - b) + 2*cos(a - c) + 2*cos(a - d) + 2*cos(b - c) + 2*cos(b - d) + 2*cos(c - d)"
        " == (cos(a) + cos(b) + cos(c) + cos(d))**2 + (sin(a) + sin(b) + sin(c) + sin(d))**2",
        over=["a in R", "b in R", "c in R", "d in R"],
    ),
)
VALUE = sp.log(2) / 4 + sp.log(1 + sp.exp(-2 * x)) / 4 + sp.log(1 + sp.exp(-x)) / 2

optimal = claim(
    "contrastive-xor-optimal",
    lhs=r"\min_{v_1,\dots,v_4}\mathrm{loss}(v)",
    states="contrastive-xor",
    title="The square is optimal in the plane",
    says=r"Among all codes of norm $B$ in the plane the least loss is $\ell(0)/4 + \ell(2B^2)/4 + "
    r"\ell(B^2)/2$.",
    covers="square-optimal",
    domain={x: reals(0, low_open=True)},
    grid={
        "smoke": {x: [1, Fraction(1, 4), 4]},
        "standard": {x: [Fraction(i, 4) for i in range(1, 13)]},
    },
    closed_form=VALUE,
    relation=minimises(),
    legs=[
        attained(on_square),
        certificate(through_three_values, over="v_a", lemma="third derivative"),
        search(
            loss_of,
            name="drawn codes",
            instances=instances(some_codes, "units", smoke=4, standard=12),
        ),
        search(
            pushed_apart,
            name="codes pushed apart",
            instances=instances(differing_codes, "units", smoke=2, standard=4),
        ),
        search(on_triangle, name="two values on one code"),
        leg(
            "unit vectors of the plane",
            lengths_and_dimension,
            relation=equals(),
            required=False,
            closed_form=sp.Matrix([1, 1, 1, 1, 2]),
            instances=instances(some_codes, "units", smoke=2),
            lhs=r"(|v_1|^2,\dots,|v_4|^2,\ \dim)",
            tex="(1,1,1,1,2)",
        ),
        THIRD,
        MINORANT,
        LENGTHS,
    ],
    rivals=[
        variant(
            "codes in space",
            leg="unit vectors of the plane",
            instances=instances(codes_in_space, "units", smoke=1),
        ),
        variant("spread over half of the circle", simulation=on_half_circle, leg="attained"),
        variant(
            "the simplex of R^3", closed_form=sp.log(2) / 4 + 3 * sp.log(1 + sp.exp(-4 * x / 3)) / 4
        ),
        variant(
            "all other pairs opposite",
            closed_form=sp.log(2) / 4 + 3 * sp.log(1 + sp.exp(-2 * x)) / 4,
        ),
        *reaching(THIRD, "t > 100 and x > 100", "t == 0"),
        *reaching(MINORANT, "s == -1", "s == 1"),
        *rivals_of(
            THIRD,
            {
                "everywhere": {"over": ["t in R", "x in (0, oo)"]},
                "strictly, at s = 1 as well": "sigmoid(t)*(1 - sigmoid(t))*(1 - 2*sigmoid(t)) < 0",
            },
        ),
        *rivals_of(
            MINORANT,
            {
                "touching at 1": "log(1 + exp(-(1 - s))) >= log(1 + exp(-1)) + s/(1 + exp(1))"
                " + (log(2) - log(1 + exp(-1)) - 1/(1 + exp(1)))*s**2"
            },
        ),
        *rivals_of(
            LENGTHS,
            {
                "without sines": "4 + 2*cos(a - b) + 2*cos(a - c) + 2*cos(a - d) + "
                "2*cos(b - c) + 2*cos(b - d) + 2*cos(c - d)"
                " == (cos(a) + cos(b) + cos(c) + cos(d))**2"
            },
        ),
    ],
)


# ---- x = 1 and codes that may depend on z_U, in formulas: A and Q are the sums of cos and of cos^2 over all 16 pairs

e_1, e_2, e_3, e_4 = sp.symbols("e_1 e_2 e_3 e_4", real=True)
ANGLES = (e_1, e_2, e_3, e_4)
SQUARES = sum(map(sp.cos, ANGLES)) ** 2 + sum(map(sp.sin, ANGLES)) ** 2
AT_ZERO, SLOPE = "log(1 + exp(-1))", "1/(1 + exp(1))"
CURVE = f"(log(1 + exp(-2)) - {AT_ZERO} + {SLOPE})"
LEAST = f"log(2)/4 + log(1 + exp(-2))/4 + {AT_ZERO}/2"

POSITIVE_PAIR = formula_leg(
    "positive pair",
    typed(
        "log(1 + exp(-(a - s))) >= log(1 + exp(-(1 - s)))", over=["a in [-1, 1]", "s in [-1, 1]"]
    ),
    over="v_a",
)
EXCHANGED = formula_leg(
    "z_U exchanged", typed("log(1 + exp(-t)) + log(1 + exp(t)) >= 2*log(2)", over="t in R")
)
UNIT_MINORANT = formula_leg(
    "minorant",
    typed(f"log(1 + exp(-(1 - s))) >= {AT_ZERO} + {SLOPE}*s + {CURVE}*s**2", over="s in [-1, 1]"),
)
AT_ONE = formula_leg(
    "largest at 1",
    typed(
        f"{AT_ZERO} + {SLOPE}*s + {CURVE}*s**2 <= {AT_ZERO} + {SLOPE} + {CURVE}",
        over="s in [-1, 1]",
    ),
)
RISING = formula_leg("coefficients", typed(f"{SLOPE} > 0 and {CURVE} > 0"))
SUM_OF_COS = formula_leg(
    "sum of cos",
    typed(
        "4 + 2*cos(e_1 - e_2) + 2*cos(e_1 - e_3) + 2*cos(e_1 - e_4) + 2*cos(e_2 - e_3) + 2*cos(e_2 - e_4)"
        f" + 2*cos(e_3 - e_4) == {SQUARES}",
        over=["e_1 in R", "e_2 in R", "e_3 in R", "e_4 in R"],
    ),
    over="v_a",
)
SQUARED_COS = formula_leg(
    "cos squared", typed("cos(a - b)**2 == 1/2 + cos(2*a - 2*b)/2", over=["a in R", "b in R"])
)
TOGETHER = formula_leg(
    "together",
    typed(
        f"(16*{AT_ZERO} + {SLOPE}*A + {CURVE}*Q - 4*({AT_ZERO} + {SLOPE} + {CURVE}))/16 + log(2)/4"
        f" == {LEAST} + {SLOPE}*A/16 + {CURVE}*(Q - 8)/16",
        over=["A in [0, oo)", "Q in [8, oo)"],
    ),
)


def codes_at(ns, e_1, e_2, e_3, e_4):
    """Codes at four angles. Shape (1, 4, 2)."""
    angles = ns.stack([ns.asarray(angle) for angle in (e_1, e_2, e_3, e_4)], axis=0)
    return ns.stack([ns.cos(angles), ns.sin(angles)], axis=1)[None]


def sum_of_products(ns, e_1, e_2, e_3, e_4):
    """Of all 16 pairs of codes. Shape ()."""
    units = codes_at(ns, e_1, e_2, e_3, e_4)
    return ns.sum(ns.einsum("zak,zbk->zab", units, units))


def loss_at_angles(ns, e_1, e_2, e_3, e_4):
    """Of the four codes, of norm 1. Shape ()."""
    return loss_of(ns, codes_at(ns, e_1, e_2, e_3, e_4), 1)[0]


def sum_over_different(ns, e_1, e_2, e_3, e_4):
    """Without the pairs of one code with itself."""
    return sum_of_products(ns, e_1, e_2, e_3, e_4) - 4


ATTAINED = formula_leg(
    "on the square",
    typed(
        f"(4*log(1 + exp(-(1 - 1))) + 4*log(1 + exp(-(1 + 1))) + 8*log(1 + exp(-(1 - 0))))/16 == {LEAST}"
    ),
)

optimal_among_all = claim(
    "contrastive-xor-optimal-all-codes",
    states="contrastive-xor",
    title="The square is optimal among all codes of norm 1 in the plane",
    says=r"No code of norm 1 in the plane, depending on $z_U$ or not, has a loss below $\ell(0)/4 "
    r"+ \ell(2)/4 + \ell(1)/2$, which the square has.",
    covers="square-optimal",
    domain=dict.fromkeys(ANGLES, reals()),
    grid={
        "smoke": [
            dict(zip(ANGLES, found, strict=True))
            for found in (
                (0, 1, Fraction(5, 2), 4),
                (Fraction(1, 3), Fraction(-1, 2), 2, 3),
                (1, 1, -2, Fraction(1, 7)),
            )
        ]
    },
    closed_form=SQUARES,
    legs=[
        leg(
            "products of codes",
            sum_of_products,
            required=False,
            unit=1,
            lhs=r"\sum_{a,b}v_a^\top v_b",
            tex=r"(\sum\cos e_a)^2+(\sum\sin e_a)^2",
        ),
        leg(
            "losses of codes",
            loss_at_angles,
            relation=at_least(),
            required=False,
            closed_form=sp.log(2) / 4 + sp.log(1 + sp.exp(-2)) / 4 + sp.log(1 + sp.exp(-1)) / 2,
            lhs=r"\mathrm{loss}(v)",
            tex=r"\ell(0)/4+\ell(2)/4+\ell(1)/2",
        ),
        POSITIVE_PAIR,
        EXCHANGED,
        UNIT_MINORANT,
        AT_ONE,
        RISING,
        SUM_OF_COS,
        SQUARED_COS,
        TOGETHER,
        ATTAINED,
    ],
    rivals=[
        variant("pairs of two codes", simulation=sum_over_different, leg="products of codes"),
        variant(
            "no code with itself in the closed form",
            closed_form=SQUARES - 4,
            leg="products of codes",
        ),
        variant("log 2, of one code for all", leg="losses of codes", closed_form=sp.log(2)),
        *rivals_of(
            POSITIVE_PAIR,
            {
                "products up to 2": {"over": ["a in [-1, 2]", "s in [-1, 1]"]},
                "by at most 1, of products from 0 on": "log(1 + exp(-(a - s))) <= log(1 + exp(-(1 - s))) + 1",
            },
        ),
        *rivals_of(
            EXCHANGED, {"by a tenth more": "log(1 + exp(-t)) + log(1 + exp(t)) >= 2*log(2) + 1/10"}
        ),
        *rivals_of(
            UNIT_MINORANT,
            {
                "the tangent's slope raised by 1/50": f"log(1 + exp(-(1 - s))) >= {AT_ZERO} "
                f"+ ({SLOPE} + 1/50)*s + {CURVE}*s**2"
            },
        ),
        *reaching(UNIT_MINORANT, "s == -1", "s == 1"),
        *reaching(TOGETHER, "A > 100 and Q > 100", "A == 0 and Q == 8"),
        *rivals_of(AT_ONE, {"up to s = 2": {"over": "s in [-1, 2]"}}),
        *reaching(AT_ONE, "s == -1", "s == 1"),
        *reaching(POSITIVE_PAIR, "a == -1 and s == 1", "a == 1 and s == -1"),
        *reaching(EXCHANGED, "t == 2"),
        *rivals_of(RISING, {"steeper than curved": f"{SLOPE} < {CURVE}"}),
        *rivals_of(
            SUM_OF_COS,
            {
                "without its sines": "4 + 2*cos(e_1 - e_2) + 2*cos(e_1 - e_3) + 2*cos(e_1 - e_4) + "
                "2*cos(e_2 - e_3) + 2*cos(e_2 - e_4) + 2*cos(e_3 - e_4)"
                " == (cos(e_1) + cos(e_2) + cos(e_3) + cos(e_4))**2"
            },
        ),
        *rivals_of(SQUARED_COS, {"without halves": "cos(a - b)**2 == 1 + cos(2*a - 2*b)"}),
        *rivals_of(
            TOGETHER,
            {
                "7 for 8": f"(16*{AT_ZERO} + {SLOPE}*A + {CURVE}*Q - 4*({AT_ZERO} + {SLOPE} + {CURVE}))/16 + log(2)/4"
                f" == {LEAST} + {SLOPE}*A/16 + {CURVE}*(Q - 7)/16"
            },
        ),
        *rivals_of(
            ATTAINED,
            {
                "all others opposite": f"(4*log(1 + exp(-(1 - 1))) + 12*log(1 + exp(-(1 + 1))))/16 == {LEAST}"
            },
        ),
    ],
)


# ---- the label on it


def share_right(u_1, u_2, coordinate=0):
    """Share of the four values with sign(u^T phi) = z_1, for u in each of the four arcs between codes. Shape (4,)."""
    found = []
    for first, second in VALUES:
        scores = [first * u_1 * a + second * u_2 * b for a, b in PRINTED]
        right = sum((t > 0) == (z[coordinate] > 0) for t, z in zip(scores, VALUES, strict=True))
        found.append(Fraction(right, 4))
    return found


def share_of_second(u_1, u_2):
    return share_right(u_1, u_2, coordinate=1)


def margins(u_1, u_2, pair=0, label=0):
    """z_1 u^T phi at the first two values times that at the other two (``pair`` 1: of the last two)."""
    first, second = (
        z[label] * (u_1 * a + u_2 * b)
        for z, (a, b) in list(zip(VALUES, PRINTED, strict=True))[2 * pair : 2 * pair + 2]
    )
    return first * second


def margins_of_last(u_1, u_2):
    return margins(u_1, u_2, pair=1)


def margins_of_second(u_1, u_2):
    """With z_2 as label."""
    return margins(u_1, u_2, label=1)


OPPOSITE = formula_leg(
    "one of each pair",
    typed(
        "-u_1**2 < 0 and -u_2**2 < 0", over=["u_1 in R", "u_2 in R"], where="u_1 != 0 and u_2 != 0"
    ),
    over="z_R",
)
TWO = formula_leg(
    "two of four",
    typed(
        "(1 - sign(-u_1))/2 + (1 - sign(u_1))/2 + (1 + sign(-u_2))/2 + (1 + sign(u_2))/2 == 2",
        over=["u_1 in R", "u_2 in R"],
    ),
    over="z_R",
)
NOT_ZERO = reals(without=[0])

xor = claim(
    "contrastive-xor",
    lhs=r"\Pr[\operatorname{sign}(u^\top\phi)=y]",
    title="Homogeneous predictors are right half of the time",
    says="For every $u$ that is orthogonal to no code exactly two of the four values have "
    r"$\mathrm{sign}(u^\top \phi) = z_1$.",
    covers="xor",
    reads={"u": "u_1 u_2"},
    domain={u_1: NOT_ZERO, u_2: NOT_ZERO},
    grid={"smoke": {u_1: [-2, 1], u_2: [-1, 3]}, "standard": {u_1: range(1, 4), u_2: range(-3, 0)}},
    closed_form=sp.Rational(1, 2),
    legs=[
        leg("four values", share_right, required=False),
        leg(
            "values with z_1 = -1",
            margins,
            closed_form=-(u_1**2),
            required=False,
            lhs=r"\prod_{z_1=-1}z_1u^\top\phi",
            tex="-u_1^2",
        ),
        leg(
            "values with z_1 = 1",
            margins_of_last,
            closed_form=-(u_2**2),
            required=False,
            lhs=r"\prod_{z_1=1}z_1u^\top\phi",
            tex="-u_2^2",
        ),
        OPPOSITE,
        TWO,
    ],
    rivals=[
        variant(
            "z_2 as label of the first", simulation=margins_of_second, leg="values with z_1 = -1"
        ),
        variant("of the first two", simulation=margins, leg="values with z_1 = 1"),
        *rivals_of(OPPOSITE, {"u = 0 as well": {"where": "u_1 != 0 or u_2 != 0"}}),
        variant("3/4, as with a bias", closed_form=sp.Rational(3, 4), leg="four values"),
        variant("1/4, one of the four", closed_form=sp.Rational(1, 4), leg="four values"),
        variant("z_2 as label", simulation=share_of_second, leg="four values"),
        *rivals_of(
            TWO,
            {
                "signs of z_2": "(1 - sign(-u_1))/2 + (1 + sign(u_1))/2 + (1 - sign(-u_2))/2 + (1 + sign(u_2))/2 == 2"
            },
        ),
    ],
)


def xor_squares(bit):
    """Squares on which the values with z_bit = 1 sit at opposite corners. Shape ()."""
    found = 0
    for corners in itertools.permutations(PRINTED):
        first, second = (c for c, z in zip(corners, VALUES, strict=True) if z[bit - 1] == 1)
        found += first[0] == -second[0] and first[1] == -second[1]
    return found


def unseparated(bit):
    """Squares on which no homogeneous predictor of a box is right on all four values. Shape ()."""
    found = 0
    for corners in itertools.permutations(PRINTED):
        best = max(
            sum(
                (u * a + v * b > 0) == (z[bit - 1] > 0)
                for (a, b), z in zip(corners, VALUES, strict=True)
            )
            for u, v in itertools.product((-2, -1, 1, 2), repeat=2)
        )
        found += best == 2
    return found


def adjacent(bit):
    return 24 - xor_squares(bit)


squares = claim(
    "contrastive-xor-count",
    lhs=r"\#\{\pi:\ \text{XOR}\}",
    states="contrastive-xor",
    title="Eight of the 24 optimal squares are an XOR",
    says="Of the 24 ways to place four values on a square 8 are an XOR for $z_1$, and as many for "
    "$z_2$.",
    covers="some-optimum-only",
    domain={bit: integers(1, 2)},
    grid={"smoke": {bit: [1, 2]}},
    closed_form=8 + 0 * bit,
    legs=[
        leg("opposite corners", xor_squares, inside="pi"),
        leg("best predictor", unseparated, inside="pi"),
    ],
    rivals=[
        variant("all 24", closed_form=24 + 0 * bit),
        variant("adjacent corners", simulation=adjacent, leg="opposite corners"),
    ],
)
