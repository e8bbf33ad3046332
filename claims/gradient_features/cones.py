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

from theorycheck import claim, formula, formula_leg, rivals_of, typed

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

SCALED = formula_leg(
    "scaling",
    typed("abs(rho*t)/abs(rho*a) == abs(t)/a", over=[*W, "rho in R"], where="rho != 0"),
    over="w D gamma",
)

scale = claim(
    "gradfeat-cone-scale",
    states="gradfeat-cone-properties",
    title="Cones under scaling",
    says=r"$|\langle\rho w,D\rangle|/\|\rho w\|=|\langle w,D\rangle|/\|w\|$ for every $\rho\ne0$.",
    covers="scale",
    legs=[SCALED],
    rivals=rivals_of(SCALED, {"without the absolute value": "rho*t/abs(rho*a) == t/a"}),
)

# |0| > (1 - gamma) |0| is false: the cone as a strict inequality without a quotient
ZERO = formula_leg(
    "zero", typed("abs(0*t) <= (1 - gamma)*0", over=["gamma in (0, 1)", "t in R"]), over="D"
)

zero = claim(
    "gradfeat-cone-zero",
    states="gradfeat-cone-properties",
    title="The zero vector",
    says=r"$|\langle0,D\rangle|\le(1-\gamma)\|0\|$: 0 is in no cone.",
    covers="zero",
    legs=[ZERO],
    rivals=rivals_of(ZERO, {"strictly less": "abs(0*t) < (1 - gamma)*0"}),
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
