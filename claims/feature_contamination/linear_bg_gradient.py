"""Lemma C.3: the background gradient of the linear network.

Setting. h(x) = sum_k a_k <w_k, x>, finite independent laws on [0, 1].

Statements. (1) While y h <= 1 on the whole support, the population gradient on every background feature is 0 for every
neuron: it is -a_k E[y z_j], and y does not depend on z_j. (2) After saturation it is not 0: for z_1, z_2 uniform and
h = alpha y z_1 + beta z_2 with alpha >= 1 + beta, E[y 1{y h <= 1} z_2] = -beta/(3 alpha), which pushes against beta; it
is -1/12 at alpha = 2, beta = 1/2.

Reference: Lemma C.3, lines 1026-1041. Its display keeps the indicator 1{h <= 1}, which ends the cancellation.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, reals, rivals_of, typed, variant

from ._network import (
    drawn_laws,
    drawn_network,
    identity,
    mean_slopes,
    on_a_kink,
    output,
    population,
)
from .gradient_projection import FIELDS, SETTING, SIZES, SMALL, TWO

alpha, beta = sp.symbols("alpha beta", nonnegative=True)


def unsaturated(rng, m, d_core, d_bg):
    """A linear network with y h < 1 on the whole support."""
    W, s = drawn_network(rng, m, d_core + d_bg, 2)
    values, weights = drawn_laws(rng, d_core + d_bg)
    largest = max(abs(output(W, s, e.x, identity)) for e in population(values, weights, d_core))
    return {
        "W": [[w / (1 + 2 * largest) for w in row] for row in W],
        "s": s,
        "values": values,
        "weights": weights,
    }


def saturated(rng, m, d_core, d_bg):
    """h = 2 y z + z' for the first of either kind: class 1 has y h > 1 more often than class -1."""
    size = d_core + d_bg
    row = [Fraction(2)] + [Fraction(0)] * (d_core - 1) + [Fraction(1)] + [Fraction(0)] * (d_bg - 1)
    found = {
        "W": [row] * m,
        "s": [1] * m,
        "values": [[Fraction(2, 7), Fraction(5, 7)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }
    support = population(found["values"], found["weights"], d_core)
    if any(on_a_kink(found["W"], found["s"], e.x, e.y, identity) for e in support):
        raise ValueError("the instance lies on a kink")
    return found


def background(W, s, values, weights, m, d_core, d_bg):
    """The population gradient on the background. Shape (m, d_bg)."""
    return [row[d_core:] for row in mean_slopes(W, s, values, weights, d_core, identity)]


def core(W, s, values, weights, m, d_core, d_bg):
    return [row[:1] * d_bg for row in mean_slopes(W, s, values, weights, d_core, identity)]


def relu_background(W, s, values, weights, m, d_core, d_bg):
    return [row[d_core:] for row in mean_slopes(W, s, values, weights, d_core)]


def one_sided(rng, m, d_core, d_bg):
    """A ReLU network that is active on class 1 only."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 10)] * d_core + [Fraction(1, 100)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


zero = claim(
    "contamination-linear-bg-gradient-zero",
    tex="0",
    states="contamination-linear-bg-gradient",
    title="No background gradient before saturation",
    says=r"While no example has $y\,h > 1$, the population gradient of a linear network on every "
    "background feature is 0.",
    role="reading",
    covers="population-zero",
    closed_form=sp.Integer(0),
    legs=[
        leg(
            "difference quotients",
            background,
            inside="k j",
            unit=1,
            where=SMALL,
            instances=instances(unsaturated, FIELDS, smoke=3, standard=12),
        )
    ],
    rivals=[
        variant(
            "after saturation",
            simulation=background,
            instances=instances(saturated, FIELDS, smoke=1),
            at=TWO,
        ),
        variant("on core features", simulation=core),
        variant(
            "of ReLU networks",
            simulation=relu_background,
            at=TWO,
            instances=instances(one_sided, FIELDS, smoke=1),
        ),
    ],
    **{**SETTING, "reads": {"weights": "W s values weights", "D_j": "values weights"}},
    **SIZES,
)


def simpson(f, points):
    """The integral of a function that is a polynomial of degree at most 3 between the points."""
    total = Fraction(0)
    for a, b in pairwise(points):
        total += (b - a) * (f(a) + 4 * f((a + b) / 2) + f(b)) / 6
    return total


def restoring(alpha, beta):
    """E[y 1{y h <= 1} z_2], the inner probability of z_1 <= (1 - y beta z_2)/alpha in closed intervals. Shape ()."""
    a, b = Fraction(alpha), Fraction(beta)

    def inner(y, z):
        return z * min(max((1 - y * b * z) / a, Fraction(0)), Fraction(1))

    # Breakpoints of the clipped probability: where 1 - y b z is 0 or a.
    cuts = {Fraction(0), Fraction(1)}
    if b:
        cuts |= {c for c in (1 / b, (1 - a) / b, (a - 1) / b) if 0 < c < 1}
    points = sorted(cuts)
    return sum(y * simpson(lambda z, y=y: inner(y, z), points) for y in (1, -1)) / 2


SATURATED = alpha >= 1 + beta
SIZES_OF_H = ["alpha in [1, oo)", "beta in [0, 1]"]
CLIPPED = formula_leg(
    "probabilities of z_1",
    typed(
        "0 <= (1 - beta*z)/alpha and (1 + beta*z)/alpha <= 1",
        over=[*SIZES_OF_H, "z in [0, 1]"],
        where=str(SATURATED),
    ),
    over="t j",
)
# The integrals of z (1 - beta z)/alpha and z (1 + beta z)/alpha over [0, 1].
INTEGRATED = formula_leg(
    "integrated",
    typed(
        "(1/(2*alpha) - beta/(3*alpha) - (1/(2*alpha) + beta/(3*alpha)))/2 == -beta/(3*alpha)",
        over=SIZES_OF_H,
    ),
    over="t j",
)

back = claim(
    "contamination-linear-bg-gradient-restoring",
    lhs=r"\mathbb E[y\,\mathbf 1_{y\,h\le1}z_2],\ h=\alpha yz_1+\beta z_2",
    tex=r"-\frac{\beta}{3\alpha}",
    states="contamination-linear-bg-gradient",
    title="After saturation the background gradient restores",
    says=r"For uniform $z_1$, $z_2$ and $h = \alpha y z_1 + \beta z_2$ with $\alpha \ge 1 + "
    r"\beta$ the expectation is $-\beta/(3\alpha)$.",
    role="reading",
    covers="restoring-after",
    domain={alpha: reals(1), beta: reals(0, 1)},
    where=SATURATED,
    grid={
        "smoke": [
            {alpha: 2, beta: Fraction(1, 2)},
            {alpha: 3, beta: 1},
            {alpha: Fraction(3, 2), beta: Fraction(1, 2)},  # the border
            {alpha: 5, beta: Fraction(1, 7)},
        ],
        "standard": [{alpha: 2 + i, beta: Fraction(i, 8)} for i in range(9)],
    },
    closed_form=-beta / (3 * alpha),
    legs=[leg("Simpson's rule between breakpoints", restoring, unit=1), CLIPPED, INTEGRATED],
    rivals=[
        *rivals_of(CLIPPED, {"also for alpha = 1 + beta/2": {"where": "alpha >= 1 + beta/2"}}),
        *rivals_of(
            INTEGRATED,
            {
                "of the other sign, for all": "(1/(2*alpha) + beta/(3*alpha) - (1/(2*alpha) - "
                "beta/(3*alpha)))/2 == -beta/(3*alpha)"
            },
        ),
        variant("zero, as before saturation", closed_form=0 * alpha),
        variant("of the other sign", closed_form=beta / (3 * alpha)),
        variant(
            "also for alpha < 1 + beta",
            at=[{alpha: Fraction(149, 100), beta: Fraction(1, 2)}],
        ),
    ],
)
