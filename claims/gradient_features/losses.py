r"""Assumption 3.1 and Remarks 3.2, B.24: which losses qualify, and the 0-1 error.

Setting. A loss l of the margin z is admissible if it is convex, decreasing (not strictly), 1-Lipschitz, l(0) = 1,
|l'(0)| of order 1 and l(oo) = 0.

Statements. (1) max(0, 1 - z) is. (2) log(1 + e^-z) is not: it is log 2 at 0. (3) log_2(1 + 2^-z) is: it is 1 at 0,
has slope -1/2 there, and its slope -1/(1 + 2^z) grows and is between -1 and 0; on [z, z + 1] with 2^-z = 2/e its
mean slope is at most -(1 - e), so that no constant below 1 will do. (4) l(z)/l(0) is at least 1 where z <=
0, and never negative: it is at least the 0-1 error of a label in {-1, 1}.

Reference: lines 831-833, 5962, 6264-6270.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._means import MEAN, per_atom
from ._network import hinge as hinge_loss
from ._network import output

BETWEEN = ["z in R", "x in R", "s in [0, 1]"]
ORDERED = ["z in R", "x in [z, oo)"]

CONVEX = formula_leg(
    "convex",
    typed("Max(0, 1 - ((1 - s)*z + s*x)) <= (1 - s)*Max(0, 1 - z) + s*Max(0, 1 - x)", over=BETWEEN),
)
LIPSCHITZ = formula_leg(
    "decreasing and 1-Lipschitz", typed("0 <= Max(0, 1 - z) - Max(0, 1 - x) <= x - z", over=ORDERED)
)
ENDS = formula_leg(
    "at 0 and far out", typed("Max(0, 1 - 0) == 1 and Max(0, 1 - y) == 0", over="y in [1, oo)")
)

hinge = claim(
    "gradfeat-loss-hinge",
    states="gradfeat-loss-assumption",
    title="The hinge loss is admissible",
    says=r"$\max(0,1-z)$ is convex, decreasing, 1-Lipschitz, 1 at 0 and 0 from 1 on.",
    covers="hinge",
    legs=[CONVEX, LIPSCHITZ, ENDS],
    rivals=[
        *rivals_of(CONVEX, {"extrapolation": {"over": ["z in R", "x in R", "s in [0, 2]"]}}),
        *rivals_of(LIPSCHITZ, {"1/2-Lipschitz": "0 <= Max(0, 1 - z) - Max(0, 1 - x) <= (x - z)/2"}),
        *rivals_of(ENDS, {"0 from 1/2 on": {"over": "y in [1/2, oo)"}}),
    ],
)

logistic = formula(
    "gradfeat-loss-logistic",
    states="gradfeat-loss-assumption",
    title="The logistic loss at 0",
    expect="fail",
    covers="logistic",
    reads={"none": "x"},
    says="log(1 + exp(-x)) == 1",
    over="x in {0}",
)

# v = 2^-z and v t = 2^-x
SLOPE = formula_leg(
    "decreasing and 1-Lipschitz",
    typed("0 <= log(1 + v) - log(1 + v*t) <= -log(t)", over=["v in (0, oo)", "t in (0, 1]"]),
    over="z",
)
# l(z) - l(z + 1) at 2^-z = 2/e
STEEP = formula_leg(
    "no smaller constant",
    typed("log(1 + 2/e) - log(1 + 1/e) >= (1 - e)*log(2)", over="e in (0, 1]"),
    over="z",
)
# c^2 = 2^-z and d^2 = 2^-x; a continuous function that is convex between midpoints is convex
MIDPOINT = formula_leg(
    "convex at midpoints",
    typed("(1 + c*d)**2 <= (1 + c**2)*(1 + d**2)", over=["c in (0, oo)", "d in (0, oo)"]),
    over="z",
)
# the line through (0, 1) that the function touches: its slope there is -1/2
TANGENT = formula_leg("tangent at 0", typed("log(1 + 2**(-z))/log(2) >= 1 - z/2", over="z in R"))
START = formula_leg(
    "at 0 and far out",
    typed("log(1 + 2**(-0))/log(2) == 1 and log(1 + 2**(-z))/log(2) < 2*2**(-z)", over="z in R"),
)

base_two = claim(
    "gradfeat-loss-logistic-base-2",
    states="gradfeat-loss-assumption",
    title="The logistic loss in base 2 is admissible",
    says=r"$\log_2(1+2^{-z})$ is 1 at 0, has slopes in $(-1,0)$ that grow, $-\frac12$ at 0, and tends to 0; its "
    r"Lipschitz constant is 1 and none below.",
    role="derived",
    covers="logistic-base2",
    legs=[SLOPE, STEEP, MIDPOINT, TANGENT, START],
    rivals=[
        *rivals_of(SLOPE, {"1/2-Lipschitz": "0 <= log(1 + v) - log(1 + v*t) <= -log(t)/2"}),
        *rivals_of(STEEP, {"1": "log(1 + 2/e) - log(1 + 1/e) >= log(2)"}),
        *rivals_of(MIDPOINT, {"concave": "(1 + c*d)**2 >= (1 + c**2)*(1 + d**2)"}),
        *rivals_of(TANGENT, {"slope -1": "log(1 + 2**(-z))/log(2) >= 1 - z"}),
        *rivals_of(
            START,
            {"half of it": "log(1 + 2**(-0))/log(2) == 1 and log(1 + 2**(-z))/log(2) < 2**(-z)"},
        ),
    ],
)

# l0 = l(0), lz = l(y g): a decreasing loss with limit 0 has lz >= l0 where y g <= 0, and lz >= 0
POINTWISE = formula_leg(
    "0-1 error",
    typed(
        "Piecewise((1, y*g <= 0), (0, True)) <= lz/l0",
        over=["y in {-1, 1}", "g in R", "l0 in (0, oo)", "lz in [0, oo)"],
        where="y*g > 0 or lz >= l0",
    ),
)
WRONG_POINTWISE = {
    "not divided by l(0)": "Piecewise((1, y*g <= 0), (0, True)) <= lz",
    "a loss that may grow": {"where": "y*g == y*g"},
    "the label forgotten": {"where": "g > 0 or lz >= l0"},
}
ON_AVERAGE = per_atom(
    "mean over a law",
    f"{MEAN('e[i]')} <= {MEAN('l[i]')}/l0",
    "e[i], l[i]",
    "e[i]*l0 <= l[i]",
    ["l0 in (0, oo)"],
)

FIELDS = "xs ys a w b"


def some_dead(rng):
    """A network and six labelled points, the last of them 0, where biases above 0 leave no neuron."""
    return {
        "xs": [*rng.rational((5, 2), 4), [Fraction(0), Fraction(0)]],
        "ys": [int(v) for v in rng.signs((6,))],
        "a": rng.rational((3,), 2),
        "w": rng.rational((3, 2), 3),
        "b": [abs(v) for v in rng.rational((3,), 3)],
    }


def loss_with_a_tail(z):
    """Admissible too: 1 - z/2 up to 1, and 1/(1 + z) from there."""
    return 1 / (1 + z) if z > 1 else 1 - z / 2


def wrong_signs(xs, ys, a, w, b):
    """Whether sign(g(x)) is not y, at each point. Length 6."""
    found = [output(x, a, w, b) for x in xs]
    return [int((g > 0) - (g < 0) != y) for g, y in zip(found, ys, strict=True)]


def margins(xs, ys, a, w, b):
    return [y * output(x, a, w, b) for x, y in zip(xs, ys, strict=True)]


def by_hinge(xs, ys, a, w, b):
    """l(y g(x))/l(0) for the hinge loss. Length 6."""
    return [hinge_loss(z) for z in margins(xs, ys, a, w, b)]


def by_other_loss(xs, ys, a, w, b):
    """The same for the other loss. Length 6."""
    return [loss_with_a_tail(z) for z in margins(xs, ys, a, w, b)]


def half_of_hinge(xs, ys, a, w, b):
    return [v / 2 for v in by_hinge(xs, ys, a, w, b)]


def mean_of(values):
    return sum(values, Fraction(0)) / len(values)


def error(xs, ys, a, w, b):
    """The 0-1 error on equally likely points. Shape ()."""
    return mean_of(wrong_signs(xs, ys, a, w, b))


def mean_hinge(xs, ys, a, w, b):
    """The mean hinge loss. Shape ()."""
    return mean_of(by_hinge(xs, ys, a, w, b))


def mean_other(xs, ys, a, w, b):
    """The mean of the other loss. Shape ()."""
    return mean_of(by_other_loss(xs, ys, a, w, b))


def none(rng):
    """A network that is dead on both points."""
    return {
        "xs": [[Fraction(1)], [Fraction(-1)]],
        "ys": [1, -1],
        "a": [Fraction(1)],
        "w": [[Fraction(1)]],
        "b": [Fraction(2)],
    }


def half_of_mean(xs, ys, a, w, b):
    return mean_hinge(xs, ys, a, w, b) / 2


def networks(program, by_one, by_another, lhs, tex):
    """Legs that run drawn networks against two losses, and a dead network, whose error is its loss."""
    drawn = instances(some_dead, FIELDS, smoke=6, standard=20)
    dead = instances(none, FIELDS, smoke=1, standard=1)
    return [
        beside("hinge loss", program, lhs, tex, reference=by_one, instances=drawn),
        beside("another loss", program, lhs, tex, reference=by_another, instances=drawn),
        beside("dead network", program, lhs, tex, reference=by_one, instances=dead),
    ]


pointwise = claim(
    "gradfeat-loss-zero-one",
    states="gradfeat-loss-assumption",
    title="The 0-1 error is below the loss",
    says=r"$[\mathrm{sign}(g)\ne y]\le\ell(yg)/\ell(0)$ for $y\in\{-1,1\}$ and every admissible loss.",
    covers="zero-one",
    reads={"l": "l0 lz"},
    relation=at_most(),
    legs=[
        POINTWISE,
        *networks(
            wrong_signs,
            by_hinge,
            by_other_loss,
            r"[\mathrm{sign}(g(x))\ne y]",
            r"\ell(yg(x))/\ell(0)",
        ),
    ],
    rivals=[
        *rivals_of(POINTWISE, WRONG_POINTWISE),
        variant("half of the loss", reference=half_of_hinge, leg="dead network"),
    ],
)

mean = claim(
    "gradfeat-guarantee-zero-one",
    states="gradfeat-population-main",
    title="The 0-1 error of a network is below its loss",
    says=r"$\Pr[\mathrm{sign}(g(x))\ne y]\le\mathbb E\,\ell(yg(x))/\ell(0)$, pointwise and so in the mean.",
    covers="zero-one",
    reads={"law": "n p"},
    relation=at_most(),
    legs=[
        POINTWISE,
        ON_AVERAGE,
        *networks(
            error,
            mean_hinge,
            mean_other,
            r"\Pr[\mathrm{sign}(g(x))\ne y]",
            r"\mathbb E\,\ell(yg(x))/\ell(0)",
        ),
    ],
    rivals=[
        *rivals_of(POINTWISE, WRONG_POINTWISE),
        *rivals_of(ON_AVERAGE, {"in the mean not divided": f"{MEAN('e[i]')} <= {MEAN('l[i]')}"}),
        variant("half of the loss", reference=half_of_mean, leg="dead network"),
    ],
)
