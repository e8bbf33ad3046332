r"""Definition B.1: how many sure winners a column has at the start, between two bounds.

Setting. X_1, .., X_d are the squared coordinates of a uniform point of the unit sphere of R^d: the shares of the
columns in a row of W(0). a = c1 log d/d, b = c2 log d/d, b < a < 1; a row is a sure winner of column 1 where X_1 >= a
and all the others are below b. p1, p2 are the probabilities of X_1 >= a, X_1 >= b, J that of X_1 >= a and X_2 >= b.

Statements. m (p1 - (d - 1) p1 p2) <= E|M*_1| <= m p1. The upper end leaves a condition out. The lower end is the union
bound m (p1 - (d - 1) J) with J <= p1 p2: given X_1 = x the other shares are 1 - x times those of the sphere of R^(d -
1), so that the chance of X_2 >= b falls with x, and by Chebyshev's inequality for two monotone functions of X_1 its
mean over X_1 >= a is p2 at most. While a + 2 b >= 1 no two others can pass b at once, and the union bound is met;
while a + b >= 1 no other passes b beside X_1 >= a, and the upper end is met.

Reference: lines 427-437.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._gaussian import BITS, number

m, d = sp.symbols("m d", integer=True, positive=True)
p1, p2 = sp.symbols("p1 p2", nonnegative=True)
UPPER = m * p1
LOWER = m * (p1 - (d - 1) * p1 * p2)


def of_the_angle(d, start, end, given=lambda angle: 1):
    """Integral of ``given`` over X_1 = cos(angle)^2 between two angles, before normalising."""

    def density(angle, _analytic):
        return angle.sin() ** (d - 2) * given(angle)

    return acb.integral(density, start, end).real


def polynomial(k, u):
    """Integral of (1 - t^2)^k from 0 to u."""
    return sum((-1) ** i * comb(k, i) * u ** (2 * i + 1) / (2 * i + 1) for i in range(k + 1))


def expected_count(m, d, a, b, others=None):
    """E|M*_1| in m rows, for even d and a + 2 b >= 1, where one other share at most is above b: given X_1 each of them
    is with a chance that is a polynomial in sqrt(b)/sin(angle). p1, p2 beside it."""
    with ctx.workprec(BITS):
        root, k = number(b).sqrt(), (d - 4) // 2
        whole = of_the_angle(d, 0, arb.pi() / 2)
        end, free = number(a).sqrt().acos(), root.asin()

        def none_above(angle):
            above = 1 - polynomial(k, root / angle.sin()) / polynomial(k, arb(1))
            return 1 - (d - 1 if others is None else others) * above

        chance = of_the_angle(d, 0, free) + of_the_angle(d, free, end, none_above)
        return {
            "value": m * chance / whole,
            "p1": of_the_angle(d, 0, end) / whole,
            "p2": of_the_angle(d, 0, root.acos()) / whole,
        }


def if_one_other_counted(m, d, a, b):
    """As if there were twice as many other columns."""
    return expected_count(m, d, a, b, others=2 * (d - 1))


def surely(m, d, alpha, gamma):
    """m times the chance of X_1 >= a where the others have less than b together, 1 - X_1 < b, on the sphere of R^3,
    where a coordinate is uniform; alpha = sqrt a, gamma = sqrt(1 - b). Shape ()."""
    return m * (1 - max(alpha, gamma))


def apart(rng, m, d):
    """b < 1/2 and a + b >= 1, with p1: a fraction, so that a tie is seen as one."""
    gamma = Fraction(int(rng.integers(72, 96)), 100)
    alpha = gamma + (1 - gamma) * Fraction(int(rng.integers(0, 9)), 9)
    return {"alpha": alpha, "gamma": gamma, "p1": 1 - alpha}


def borders(rng, m, d):
    """b < a, a + b < 1 <= a + 2 b."""
    b = Fraction(int(rng.integers(35, 45)), 100)
    low = max(b, 1 - 2 * b)
    return {"a": low + (1 - b - low) * Fraction(int(rng.integers(1, 9)), 9), "b": b}


COUNTS = {
    "lhs": r"\mathbb E|\mathcal M^\star_j|",
    "observed": ["p1", "p2"],
    "instances": instances(borders, "a b", smoke=2, standard=4),
    "where": (d >= 4) & (d <= 16) & sp.Eq(d % 2, 0),
    "required": False,
}

BEYOND = formula_leg(
    "a condition left out",
    typed(f"m*s <= {UPPER}", over=["m in 1..oo", "p1 in [0, 1]", "s in [0, p1]"]),
    over="d none",
)
# y is 1 where none of some others passes b, t how many do; B is 1 where one more does
UNION = formula_leg(
    "union",
    typed(
        "y*(1 - B) >= 1 - t - B",
        over=["y in [0, 1]", "t in [0, oo)", "B in [0, 1]"],
        where="y >= 1 - t",
    ),
    over="m d none",
)
SHRINKS = formula_leg(
    "the other shares",
    typed("b/(1 - x) <= b/(1 - y)", over=["b in (0, 1)", "y in [0, 1)", "x in [0, y]"]),
    over="m d none",
)
# f rises and g falls, at two values of X_1; the mean over independent ones is 2 E f g <= 2 E f E g
APART = formula_leg(
    "two monotone functions",
    typed(
        "f*g + F*G <= f*G + F*g",
        over=["f in R", "F in [f, oo)", "G in R", "g in [G, oo)"],
    ),
    over="m d none",
)
BELOW = formula_leg(
    "lower end",
    typed(
        f"{LOWER} <= m*(p1 - (d - 1)*J)",
        over=["m in 1..oo", "d in 2..oo", "p1 in [0, 1]", "p2 in [0, 1]", "J in [0, p1*p2]"],
    ),
    over="none",
)

sandwich = claim(
    "decoupling-sure-winner-count",
    states="decoupling-winner-sets",
    title="Number of sure winners",
    says=r"$m(p_1-(d-1)p_1p_2)\le\mathbb E|\mathcal M^\star_j|\le mp_1$.",
    covers="sure-count-sandwich",
    domain={m: integers(1), d: integers(2)},
    grid={"smoke": [{m: 5, d: 4}, {m: 3, d: 8}], "standard": [{m: 7, d: k} for k in (6, 12, 16)]},
    legs=[
        leg(
            "integrated, above",
            expected_count,
            closed_form=UPPER,
            relation=at_most(),
            tex="mp_1",
            **COUNTS,
        ),
        leg(
            "integrated, below",
            expected_count,
            closed_form=LOWER,
            relation=at_least(),
            tex="m(p_1-(d-1)p_1p_2)",
            **COUNTS,
        ),
        leg(
            "met above",
            surely,
            closed_form=UPPER,
            relation=equals(),
            lhs=r"\mathbb E|\mathcal M^\star_j|",
            tex="mp_1",
            required=False,
            where=sp.Eq(d, 3),
            grid={"smoke": [{m: 1, d: 3}, {m: 5, d: 3}]},
            instances=instances(apart, "alpha gamma p1", smoke=4, standard=8),
        ),
        BEYOND,
        UNION,
        SHRINKS,
        APART,
        BELOW,
    ],
    rivals=[
        variant("without a pair of columns", closed_form=m * p1 * (1 - p1), leg="met above"),
        variant("half of it above", closed_form=UPPER / 2, leg="integrated, above"),
        variant("half of it below", closed_form=m * (p1 - p1 * p2 / 9), leg="integrated, below"),
        *rivals_of(BEYOND, {"half": "m*s <= m*p1/2"}),
        *rivals_of(UNION, {"without the union": "y*(1 - B) >= 1 - t"}),
        *rivals_of(SHRINKS, {"grows": "b/(1 - x) >= b/(1 - y)"}),
        *rivals_of(
            APART, {"both rise": {"over": ["f in R", "F in [f, oo)", "G in R", "g in (-oo, G]"]}}
        ),
        *rivals_of(
            BELOW,
            {
                "J above p1 p2": {
                    "over": [
                        "m in 1..oo",
                        "d in 2..oo",
                        "p1 in [0, 1]",
                        "p2 in [0, 1]",
                        "J in [0, 2*p1*p2]",
                    ]
                }
            },
        ),
    ],
)
