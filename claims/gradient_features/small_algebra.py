r"""Section B.3.2, Theorem B.69 and Algorithm 4: small pieces of algebra.

Statements. (1) Read as the support after ceil(sqrt(mp)) neurons have been selected for each of r features, a winning
ticket has r ceil(sqrt(mp)) <= 2 r sqrt(mp) neurons, where mp >= 1 as the width of the main theorem has it; all neurons
of a feature would be of order mp. (2) T = L |a_1 -
a~|^2/eps with L = C m and |a_1 - a~|^2 = D m is C D m^2/eps. (3) The second phase of Algorithm 4 is convex: the output
is linear in a.

Reference: lines 5535-5541, 5551-5557, 7622-7660.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._means import MEAN, per_atom
from ._network import mean_loss


def two():
    """The constant of the count."""
    return 2


# x = sqrt(mp)
TICKET = formula_leg(
    "count",
    typed("ceil(x) <= x + 1 and r*(x + 1) <= 2*r*x", over=["r in 1..oo", "x in [1, oo)"]),
    gives="C",
    chosen_by=two,
)

ticket = claim(
    "gradfeat-lottery-size",
    states="gradfeat-lottery-ticket",
    title="Size of a winning ticket",
    says=r"$|U|=r\lceil\sqrt{mp}\rceil\le2r\sqrt{mp}$ for $mp\ge1$, with $\lceil\sqrt{mp}\rceil$ neurons selected for "
    r"each feature.",
    role="reading",
    covers="size",
    reads={"m": "x", "p": "x"},
    legs=[TICKET],
    rivals=rivals_of(TICKET, {"constant 3/2": "ceil(x) <= x + 1 and r*(x + 1) <= 3*r*x/2"}),
)

horizon = formula(
    "gradfeat-multi-index-horizon",
    states="gradfeat-multi-index-main",
    title="The horizon for multi-index targets",
    covers="T-algebra",
    says="(C*m)*(D*m)/eps == C*D*m**2/eps",
    over=["m in (0, oo)", "eps in (0, oo)", "C in (0, oo)", "D in (0, oo)"],
    rivals={"m": "(C*m)*(D*m)/eps == C*D*m/eps"},
)

# u_j = <w_j, x> on one example, m neurons
OUTPUT = "Sum(({a})*relu(u[j] - b[j]), (j, 1, m))".format
LINEAR = formula_leg(
    "linear in a",
    typed(
        f"{OUTPUT(a='s*a[j] + (1 - s)*c[j]')} == s*{OUTPUT(a='a[j]')} + (1 - s)*{OUTPUT(a='c[j]')}",
        over=["m in 1..oo", "a[j], c[j], u[j], b[j] in R for j in 1..m", "s in [0, 1]"],
    ),
)
# l, of_a, of_c: losses of example i at s a + (1 - s) c, at a and at c, of a loss that is convex
AVERAGED = per_atom(
    "mean over the sample",
    f"{MEAN('l[i]')} <= s*{MEAN('of_a[i]')} + (1 - s)*{MEAN('of_c[i]')}",
    "l[i], of_a[i], of_c[i]",
    "l[i] <= s*of_a[i] + (1 - s)*of_c[i]",
    ["s in [0, 1]"],
)


def two_read_outs(rng):
    """Labelled points, a first layer, two second layers and a point between them."""
    return {
        "xs": rng.rational((4, 2), 4),
        "ys": [int(v) for v in rng.signs((4,))],
        "w": rng.rational((3, 2), 3),
        "b": rng.rational((3,), 3),
        "a": rng.rational((3,), 2),
        "c": rng.rational((3,), 2),
        "s": Fraction(int(rng.integers(1, 10)), 10),
    }


FIELDS = "xs ys w b a c s"


def square(z):
    """Another convex loss."""
    return (1 - z) ** 2


def between(p, q, s):
    return [s * u + (1 - s) * v for u, v in zip(p, q, strict=True)]


def losses_between(xs, ys, w, b, a, c, s):
    """The hinge and the square loss of the network with s a + (1 - s) c. Length 2."""
    mixed = between(a, c, s)
    return [mean_loss(xs, ys, mixed, w, b), mean_loss(xs, ys, mixed, w, b, square)]


def mixed_losses(xs, ys, w, b, a, c, s):
    """s L(a) + (1 - s) L(c) of both losses. Length 2."""
    of_a = [mean_loss(xs, ys, a, w, b), mean_loss(xs, ys, a, w, b, square)]
    of_c = [mean_loss(xs, ys, c, w, b), mean_loss(xs, ys, c, w, b, square)]
    return between(of_a, of_c, s)


def losses_of_moved_layer(xs, ys, w, b, a, c, s):
    """The same with the first layer scaled by a's first entry too: not linear in a."""
    mixed = between(a, c, s)
    scaled = [[v * mixed[0] for v in u] for u in w]
    biases = [v * mixed[0] for v in b]
    return [mean_loss(xs, ys, mixed, scaled, biases, loss) for loss in (square, square)]


convex = claim(
    "gradfeat-second-phase-convex",
    states="gradfeat-alg-one-step",
    title="The second phase is convex",
    says=r"The output is linear in $a$, so that a convex loss of it is convex in $a$.",
    covers="convex",
    reads={"Z": "n p", "W1": "m u", "loss": "l of_a of_c"},
    relation=at_most(),
    legs=[
        LINEAR,
        AVERAGED,
        leg(
            "networks",
            losses_between,
            reference=mixed_losses,
            instances=instances(two_read_outs, FIELDS, smoke=6, standard=20),
            unit=1,
            lhs=r"L(sa+(1-s)a')",
            tex=r"sL(a)+(1-s)L(a')",
            required=False,
        ),
    ],
    rivals=[
        *rivals_of(
            LINEAR,
            {"the larger part": f"{OUTPUT(a='s*a[j] + (1 - s)*c[j]')} == s*{OUTPUT(a='a[j]')}"},
        ),
        *rivals_of(AVERAGED, {"the second alone": f"{MEAN('l[i]')} <= {MEAN('of_c[i]')}"}),
        variant("both layers move", simulation=losses_of_moved_layer, leg="networks"),
    ],
)
