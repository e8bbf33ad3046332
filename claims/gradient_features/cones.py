r"""Definitions 3.7 and 3.11, Lemma B.72: cones around a direction, feature sets, and the best network on them.

Setting. D a unit vector, w with |w| = a and <w, D> = t, |t| <= a; w is in the cone if |t| > (1 - gamma) a, which 0 is
not.

Statements. (1) The nearer of +-w/a is within sqrt(2 gamma) of D: its squared distance is 2 - 2 |t|/a. (2) The cone
does not change under w -> rho w, rho != 0, nor under D -> -D; 0 is in none. (3) A weight that serves (gamma, B_G, p)
serves every larger gamma and smaller B_G, p, so S grows. (4) The sup-norm cone of B.57 does not have this symmetry:
it has D and not -D, where gamma < 2 |D|_oo.

Reference: lines 871-895, 5978-5984, 7319-7331, 7706.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula, formula_leg, instances, rivals_of, typed, variant

from ._beside import beside
from ._network import dot, length, with_length

W = ["a in (0, oo)", "t in [-a, a]"]

chord = formula(
    "gradfeat-cone-chord",
    states="gradfeat-feature-set",
    title="Directions in a cone",
    covers="chord",
    reads={"w": "a t", "D": "a t"},
    says="1 - 2*abs(t)/a + 1 < 2*gamma",
    over=[*W, "gamma in (0, 1)"],
    where="abs(t) > (1 - gamma)*a",
    rivals={
        "sqrt(gamma)": "1 - 2*abs(t)/a + 1 < gamma",
        "+w alone": "1 - 2*t/a + 1 < 2*gamma",
    },
)


def weight_and_cones(rng):
    """A weight and unit vectors of R^3, apertures and a factor that is not 0."""
    directions = [[1, 0, 0], *(with_length(rng, 3) for _ in range(4))]
    return {
        "w": rng.rational((3,), 5),
        "directions": [[v / length(u) for v in u] for u in directions if any(u)],
        "gammas": [Fraction(int(rng.integers(1, 10)), 10) for _ in range(3)],
        "rho": int(rng.signs((1,))[0]) * (abs(rng.rational((), 5)) + Fraction(1, 9)),
    }


FIELDS = "w directions gammas rho"
DRAWN = instances(weight_and_cones, FIELDS, smoke=6, standard=20)


def inside(w, direction, gamma):
    """|<w, D>| > (1 - gamma) |w|, by squares."""
    return dot(w, direction) ** 2 > (1 - gamma) ** 2 * dot(w, w)


def halves(w, direction, gamma):
    """The same without the absolute value."""
    return dot(w, direction) > 0 and inside(w, direction, gamma)


def members(w, directions, gammas, rho):
    """Which of the cones have w. One row a direction."""
    return [[int(inside(w, u, gamma)) for gamma in gammas] for u in directions]


def members_scaled(w, directions, gammas, rho):
    """Which of the cones have rho w."""
    return members([rho * v for v in w], directions, gammas, rho)


def halves_scaled(w, directions, gammas, rho):
    """Which of the one-sided cones have -|rho| w, of those that have w."""
    scaled = [-abs(rho) * v for v in w]
    return [[int(halves(scaled, u, gamma)) for gamma in gammas] for u in directions]


def members_of_zero(w, directions, gammas, rho):
    """Which of the cones have 0."""
    return members([Fraction(0)] * 3, directions, gammas, rho)


def none(w, directions, gammas, rho):
    """No cone."""
    return [[0] * len(gammas) for _ in directions]


def closed_members_of_zero(w, directions, gammas, rho):
    """With >= for >."""
    zero = [Fraction(0)] * 3
    return [
        [int(dot(zero, u) ** 2 >= (1 - gamma) ** 2 * dot(zero, zero)) for gamma in gammas]
        for u in directions
    ]


SCALED = formula_leg(
    "scaling",
    typed(
        "abs(rho*t)/abs(rho*a) == abs(t)/a and implies(abs(t) > (1 - gamma)*a, "
        "abs(rho*t) > (1 - gamma)*abs(rho*a))",
        over=[*W, "rho in R", "gamma in (0, 1)"],
        where="rho != 0",
    ),
)

scale = claim(
    "gradfeat-cone-scale",
    states="gradfeat-cone-properties",
    title="Cones under scaling",
    says=r"$|\langle\rho w,D\rangle|/\|\rho w\|=|\langle w,D\rangle|/\|w\|$ for every $\rho\ne0$.",
    covers="scale",
    reads={"w": "a t", "D": "t"},
    legs=[
        SCALED,
        beside(
            "cones",
            members_scaled,
            r"[\rho w\in C_{D,\gamma}]",
            r"[w\in C_{D,\gamma}]",
            reference=members,
            instances=DRAWN,
        ),
    ],
    rivals=[
        *rivals_of(SCALED, {"without the absolute value": "rho*t/abs(rho*a) == t/a"}),
        variant("cones of one side", simulation=halves_scaled, leg="cones"),
    ],
)

# |0| > (1 - gamma) |0| is false: the cone as a strict inequality without a quotient
ZERO = formula_leg("zero", typed("abs(0*t) <= (1 - gamma)*0", over=["gamma in (0, 1)", "t in R"]))

zero = claim(
    "gradfeat-cone-zero",
    states="gradfeat-cone-properties",
    title="The zero vector",
    says=r"$|\langle0,D\rangle|\le(1-\gamma)\|0\|$: 0 is in no cone.",
    covers="zero",
    reads={"D": "t"},
    legs=[
        ZERO,
        beside(
            "cones", members_of_zero, r"[0\in C_{D,\gamma}]", "0", reference=none, instances=DRAWN
        ),
    ],
    rivals=[
        *rivals_of(ZERO, {"strictly less": "abs(0*t) < (1 - gamma)*0"}),
        variant("closed cones", simulation=closed_members_of_zero, leg="cones"),
    ],
)

flip = formula(
    "gradfeat-cone-flip",
    states="gradfeat-cone-properties",
    title=r"$-D$ is a feature where $D$ is",
    covers="flip",
    reads={"D": "a t", "s": "a t"},
    says="abs(-t)/a == abs(t)/a",
    over=W,
    rivals={"without the absolute value": "-t/a == t/a"},
)
