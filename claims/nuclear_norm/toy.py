"""Section 6.3.1: the toy problem in two dimensions.

Setting. y = +-1; x_1 is uniform on [0, 1] or [-1, 0] with y; x_2 y is uniform on [0, 1] with probability p, else
on [-1, 0]: p = 7/10 in training, 3/10 at test. The mirror image for y = -1 is not printed. Let q = 1 - p be the
probability that x_2 misleads.

Statements. (1) sign(x_1 + t x_2) is right with probability 1 - q t/2 for 0 <= t <= 1, and 1 - q (1 - 1/(2t)) for t
>= 1: where x_2 agrees it is right, and where x_2 is -u it is right for x_1 >= t u. (2) So its error in training is 3/7
of that at test. (3) For any classifier whatever, let A and B be its
accuracies where x_2 agrees and where it misleads: 7A/10 + 3B/10 in training, 3A/10 + 7B/10 at test. As A <= 1, the
training error is at least 3/7 of the test error. The printed pair, 0.76 at test and nearly perfect in training, is
no classifier's: 0.76 (rounded, at most 0.765) leaves less than 0.9 in training. A small sample may show it all the
same.

Reference: section 6.3.1, Figures 6.2 and 6.3, lines 1683-1689 and 1725-1735.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    choices,
    claim,
    exactly,
    formula,
    formula_leg,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

t, q = sp.symbols("t q", nonnegative=True)
TEST, TRAINING = Fraction(7, 10), Fraction(3, 10)


def clipped(polygon, a, b, c):
    """The part of a convex polygon where a x + b y + c >= 0, by its corners. Exact."""
    kept = []
    for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        before, after = a * x0 + b * y0 + c, a * x1 + b * y1 + c
        if before >= 0:
            kept.append((x0, y0))
        if (before >= 0) != (after >= 0):
            s = before / (before - after)
            kept.append((x0 + s * (x1 - x0), y0 + s * (y1 - y0)))
    return kept


def area(polygon):
    """Area of a polygon with corners in order. Exact."""
    edges = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in edges)) / Fraction(2)


AGREES = [(0, 0), (1, 0), (1, 1), (0, 1)]
MISLEADS = [(0, -1), (1, -1), (1, 0), (0, 0)]
"""The squares of (x_1 y, x_2 y)."""


def accuracy(t, q):
    """P(y (x_1 + t x_2) >= 0) by clipping both squares with the classifier's line. Shape ()."""
    right = [area(clipped(square, Fraction(1), Fraction(t), 0)) for square in (AGREES, MISLEADS)]
    return (1 - q) * right[0] + q * right[1]


NEAR_ONE = [1 - Fraction(1, 2 * 10**9), 1 + Fraction(1, 2 * 10**9)]
"""Where a threshold that is off by 10^-9 shows."""

# where x_2 misleads by u it is right for x_1 >= t u, with probability 1 - t u while that is not negative
GENTLE = formula_leg(
    "t up to 1",
    typed(
        "1 - q + q*Integral(1 - t*u, (u, 0, 1)) == 1 - q*t/2", over=["q in [0, 1]", "t in [0, 1]"]
    ),
)
STEEP = formula_leg(
    "t from 1 on",
    typed(
        "1 - q + q*Integral(1 - t*u, (u, 0, 1/t)) == 1 - q*(1 - 1/(2*t))",
        over=["q in [0, 1]", "t in [1, oo)"],
    ),
)

SLOPES = [0, Fraction(1, 3), Fraction(7, 10), *NEAR_ONE, 1, Fraction(3, 2), 4]
ACCURACY = sp.Piecewise((1 - q * t / 2, t <= 1), (1 - q * (1 - 1 / (2 * t)), True))

accuracies = claim(
    "nuclear-toy-accuracies",
    lhs=r"\Pr[\operatorname{sign}(x_1+t\,x_2)=y]",
    tex=r"1-\frac{qt}2\ (t\le1),\quad1-q\Big(1-\frac1{2t}\Big)\ (t>1)",
    states="nuclear-toy-2d",
    title="Accuracies of linear classifiers",
    says=r"$\operatorname{sign}(x_1 + t x_2)$ is right with probability $1 - q t/2$ up to $t = 1$ and "
    "$1 - q(1 - 1/(2t))$ beyond, $q = 0.7$ at test and 0.3 in training.",
    covers="closed-accuracies",
    domain={t: reals(0), q: choices(TEST, TRAINING)},
    grid={
        "smoke": {t: SLOPES, q: [TEST, TRAINING]},
        "standard": {t: [*SLOPES, *(Fraction(i, 8) for i in range(40))], q: [TEST, TRAINING]},
    },
    closed_form=ACCURACY,
    legs=[leg("areas", accuracy, required=False), GENTLE, STEEP],
    rivals=[
        variant("1 - q t/2 for every t", closed_form=1 - q * t / 2, leg="areas"),
        variant("always right", closed_form=sp.Integer(1), leg="areas"),
        variant("1 - 0.15 t", closed_form=1 - sp.Rational(3, 20) * t, leg="areas"),
        *exactly(GENTLE, STEEP),
        *reaching(GENTLE, "t >= 9/10 and q >= 9/10"),
        *reaching(STEEP, "t <= 10/9 and q >= 9/10", "t >= 9"),
        *rivals_of(GENTLE, {"t for t/2": "1 - q + q*Integral(1 - t*u, (u, 0, 1)) == 1 - q*t"}),
        *rivals_of(
            STEEP, {"up to u = 1": "1 - q + q*Integral(1 - t*u, (u, 0, 1)) == 1 - q*(1 - 1/(2*t))"}
        ),
    ],
)


def training_error(t):
    """By areas. Shape ()."""
    return 1 - accuracy(t, TRAINING)


def three_sevenths(t):
    """3/7 of the error at test, by areas. Shape ()."""
    return Fraction(3, 7) * (1 - accuracy(t, TEST))


def two_sevenths(t):
    return Fraction(2, 7) * (1 - accuracy(t, TEST))


ERRORS = (sp.Rational(3, 10) * t / 2, sp.Rational(3, 10) * (1 - 1 / (2 * t)))
"""In training, up to t = 1 and from there on."""
# where x_2 misleads by u it is wrong for x_1 < t u, with probability min(1, t u)
SMALL = formula_leg(
    "errors up to t = 1",
    typed(f"{ERRORS[0]} == 3/7*(7/10*Integral(t*u, (u, 0, 1)))", over="t in [0, 1]"),
)
LARGE = formula_leg(
    "errors from t = 1 on",
    typed(f"{ERRORS[1]} == 3/7*(7/10*(Integral(t*u, (u, 0, 1/t)) + 1 - 1/t))", over="t in [1, oo)"),
)

ratio = claim(
    "nuclear-toy-ratio",
    lhs=r"1-\text{acc}_{\text{ID}},\ \tfrac37\,(1-\text{acc}_{\text{OOD}})",
    tex=r"\tfrac{3t}{20}\ (t\le1),\quad\tfrac3{10}\Big(1-\frac1{2t}\Big)\ (t>1)",
    states="nuclear-toy-2d",
    title="Three errors in training for seven at test",
    says=r"$1-\text{acc}_{ID}=\frac37(1-\text{acc}_{OOD})$ for every $t\ge0$.",
    covers="ratio-3-7",
    domain={t: reals(0)},
    grid={"smoke": {t: SLOPES}, "standard": {t: [Fraction(i, 8) for i in range(40)]}},
    closed_form=sp.Piecewise((ERRORS[0], t <= 1), (ERRORS[1], True)),
    legs=[
        leg("areas in training", training_error, required=False),
        leg("areas at test", three_sevenths, required=False),
        SMALL,
        LARGE,
    ],
    rivals=[
        variant("no errors", closed_form=sp.Integer(0), leg="areas in training"),
        variant("2/7", simulation=two_sevenths, leg="areas at test"),
        variant("3 t/20 for every t", closed_form=ERRORS[0], leg="areas in training"),
        *exactly(SMALL, LARGE),
        *reaching(SMALL, "t >= 9/10"),
        *reaching(LARGE, "t <= 10/9", "t >= 99"),
        *rivals_of(SMALL, {"4/7": f"{ERRORS[0]} == 4/7*(7/10*Integral(t*u, (u, 0, 1)))"}),
        *rivals_of(
            LARGE,
            {
                "at most": f"{ERRORS[1]} == 3/7*(7/10*Integral(t*u, (u, 0, 1/t)))",
                "3 t/20": f"{ERRORS[0]} == 3/7*(7/10*(Integral(t*u, (u, 0, 1/t)) + 1 - 1/t))",
            },
        ),
    ],
)

BOTH = ["A in [0, 1]", "B in [0, 1]"]
LEFT = "7*A/10 + 3*B/10 < 9/10"

printed_pair = formula(
    "nuclear-toy-printed-pair",
    states="nuclear-toy-2d",
    title="0.76 at test and nearly perfect in training",
    says="7*A/10 + 3*B/10 >= 19/20",
    over=BOTH,
    where=["3*A/10 + 7*B/10 >= 151/200", "3*A/10 + 7*B/10 <= 153/200"],
    expect="fail",
    covers="reported-accuracies",
    reads={"run": "A B"},
)

possible_pair = formula(
    "nuclear-toy-possible-pair",
    states="nuclear-toy-2d",
    title="What 0.76 at test leaves in training",
    says=LEFT,
    over=BOTH,
    where="3*A/10 + 7*B/10 <= 153/200",
    role="corrected",
    corrects="nuclear-toy-printed-pair",
    covers="reported-accuracies",
    reads={"run": "A B"},
    rivals={
        "by 1/100": f"{LEFT} - 1/100",
        "less than 0.899, which 0.765 leaves": "7*A/10 + 3*B/10 < 899/1000",
        "at 0.94 as well": {"where": "3*A/10 + 7*B/10 <= 94/100"},
    },
)
