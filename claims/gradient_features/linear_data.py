r"""Lemmas B.25, B.26 and Theorem B.27: linearly separable data.

Setting. |w*| = 1, y <w*, x> >= beta > 0 on the support, E[yx] = rho w*; bias -b~, b~ = d^tau B_x1 sigma_w, |w| <= 2
sqrt d sigma_w.

Statements. (1) The inactive mass P[<w, x> <= -b~] is at most P[|x| >= d^(tau - 1/2) B_x1/2] <= 2 d^-(tau - 1/2) by
Markov. (2) |G - rho w*| is the length of E[y x 1{inactive}], at most sqrt(B_x2 P[inactive]) by Cauchy-Schwarz. (3)
With a deviation of Delta < rho, 1 - |cos(G, w*)| <= 2 Delta/(rho + Delta) and |G| >= rho - Delta. (4) P[|w| <= 2 sqrt
d sigma_w] >= 1/2: E e^(3 g^2/8) = 2 for one coordinate, so P[|w|^2 > 4 d] <= (2 e^(-3/2))^d < 1/2.

Reference: lines 6274-6344.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    probability,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import dot, length, simplified, with_length

# d = 4 and tau = 3/2: d^tau = 8 and d^-(tau - 1/2) = 1/4; w* = e_1 and sigma_w = 1, the ball has radius 4


def separable(rng):
    """Points with y x = (c, v) and (c, -v), c > 0, of rational length, the last pair far away; a weight in the ball."""
    rows = [v for v in (with_length(rng, 4) for _ in range(4)) if v[0]]
    scaled = [[(6 if v is rows[-1] else 1) * t for t in v] for v in rows]
    halves = [v if v[0] > 0 else [-t for t in v] for v in scaled]
    signed = [*halves, *([v[0], *(-t for t in v[1:])] for v in halves)]
    ys = [int(v) for v in rng.signs((len(signed),))]
    direction = with_length(rng, 4)
    size = length(direction) or 1
    return {
        "xs": [[y * t for t in u] for y, u in zip(ys, signed, strict=True)],
        "ys": ys,
        "w": [4 * t / size for t in direction],
    }


def far_atom(rng):
    """Four of nine points are far out, just inactive under the largest weight against them, and nearly all of B_x1
    and of B_x2 is theirs: both Markov's inequality and Cauchy-Schwarz are nearly equalities."""
    xs = [*([10, 0, 0, 0] for _ in range(4)), *([1, 0, 0, 0] for _ in range(5))]
    return {"xs": xs, "ys": [1] * 9, "w": [-4, 0, 0, 0]}


def mean_length(xs):
    return sum((length(x) for x in xs), Fraction(0)) / len(xs)


def inactive_mass(xs, ys, w):
    """P[<w, x> <= -b~]. Shape ()."""
    return Fraction(sum(dot(w, x) <= -8 * mean_length(xs) for x in xs), len(xs))


def half_mass(xs, ys, w):
    """2 d^-(tau - 1/2). Shape ()."""
    return Fraction(1, 2)


def three_eighths(xs, ys, w):
    return Fraction(3, 8)


def off_mean(xs, ys, w):
    """|G(w, -b~) - rho w*|^2 with rho w* = E[yx]. Shape ()."""
    found = simplified(xs, ys, w, -8 * mean_length(xs))
    mean = [
        sum((y * x[j] for x, y in zip(xs, ys, strict=True)), Fraction(0)) / len(xs)
        for j in range(4)
    ]
    gap = [p - q for p, q in zip(found, mean, strict=True)]
    return dot(gap, gap)


def squares_bound(xs, ys, w):
    """2 B_x2 d^-(tau - 1/2). Shape ()."""
    return sum((dot(x, x) for x in xs), Fraction(0)) / len(xs) / 2


def four_fifths_of_bound(xs, ys, w):
    return 4 * squares_bound(xs, ys, w) / 5


def laws(name, program, reference, draw, lhs, tex, count):
    given = instances(draw, "xs ys w", smoke=count, standard=4 * count)
    return beside(name, program, lhs, tex, reference=reference, instances=given)


def in_cone(ns, rng, size, axis=0):
    """Whether G(w, -b~) is in the cone of w* = e_1 (or of another axis) and longer than rho - Delta, for w standard
    normal in R^4, x = 8 e_1 with probability 1/4 and e_1 else, y = 1, tau = 2. Shape (size,)."""
    w = rng.normal((size, 4))
    mean, square = ns.rational(11, 4), ns.rational(67, 4)
    bias, delta = 16 * mean, ns.sqrt(2 * square / 8)
    far, near = ns.where(8 * w[:, 0] > -bias, 1, 0), ns.where(w[:, 0] > -bias, 1, 0)
    along = 2 * ns.number(far) + ns.rational(3, 4) * ns.number(near)
    zero = 0 * along
    found = ns.stack([along, zero, zero, zero], axis=1)
    norm = ns.norm(found, axis=1)
    aperture = 2 * delta / (mean + delta)
    inside = (ns.abs(found[:, axis]) >= (1 - aperture) * norm) & (norm >= mean - delta) & (norm > 0)
    return ns.where(inside, 1, 0)


def in_other_cone(ns, rng, size):
    return in_cone(ns, rng, size, axis=1)


RANGE = ["d in 1..oo", "tau in (1/2, oo)", "B1 in (0, oo)", "sw in (0, oo)"]
# n = |x| at an inactive input, v = |w| <= c: <w, x> >= -v n
FAR = formula_leg(
    "inactive inputs are far",
    typed(
        "n >= b/c",
        over=["b in (0, oo)", "c in (0, oo)", "n in [0, oo)", "v in [0, c]"],
        where="v*n >= b",
    ),
    over="w law x",
)
QUOTIENT = formula_leg(
    "bias over length",
    typed("d**tau*B1*sw/(2*sqrt(d)*sw) == d**(tau - 1/2)*B1/2", over=RANGE),
    over="w law x",
)
# 1{n >= c} <= n/c pointwise, and E n <= B1
MARKOV = formula_leg(
    "Markov",
    typed("Piecewise((1, n >= c), (0, True)) <= n/c", over=["c in (0, oo)", "n in [0, oo)"]),
    over="w law x",
)
LEVEL = formula_leg(
    "level",
    typed("B1/(d**(tau - 1/2)*B1/2) == 2*d**(-(tau - 1/2))", over=RANGE[:3]),
    over="w law x",
)

MASS = r"\Pr[\langle w,x\rangle\le-\tilde b]"

inactive = claim(
    "gradfeat-linear-inactive",
    states="gradfeat-linear-features",
    title="Inactive mass of a neuron with bias $-\\tilde b$",
    says=r"$\Pr[\langle w,x\rangle\le-\tilde b]\le2d^{-(\tau-1/2)}$ for $\|w\|\le2\sqrt d\sigma_w$ and $\mathbb "
    r"E\|x\|\le "
    r"B_{x1}$.",
    covers="inactive-mass",
    relation=at_most(),
    legs=[
        FAR,
        QUOTIENT,
        MARKOV,
        LEVEL,
        laws("drawn laws", inactive_mass, half_mass, separable, MASS, "2d^{-(\\tau-1/2)}", 6),
        laws("far atom", inactive_mass, half_mass, far_atom, MASS, "2d^{-(\\tau-1/2)}", 1),
    ],
    rivals=[
        variant("3/2 d^-(tau - 1/2)", reference=three_eighths, leg="far atom"),
        *rivals_of(FAR, {"twice as far": "n >= 2*b/c"}),
        *rivals_of(QUOTIENT, {"d^tau": "d**tau*B1*sw/(2*sqrt(d)*sw) == d**tau*B1/2"}),
        *rivals_of(MARKOV, {"half of it": "Piecewise((1, n >= c), (0, True)) <= n/(2*c)"}),
        *rivals_of(LEVEL, {"without 2": "B1/(d**(tau - 1/2)*B1/2) == d**(-(tau - 1/2))"}),
    ],
)

# q = P[inactive] <= 2 d^-(tau - 1/2), Bx2 the mean square, e the length of the mean over inactive inputs
CAUCHY = formula_leg(
    "Cauchy-Schwarz, inactive or not",
    typed(
        "(q*v)**2 <= q*(q*v**2 + (1 - q)*u**2)",
        over=["q in [0, 1]", "v in [0, oo)", "u in [0, oo)"],
    ),
)
GROWS = formula_leg(
    "in the mass",
    typed("B2*q <= 2*B2*D", over=["D in (0, 1]", "B2 in (0, oo)", "q in [0, 2*D]"]),
)
ROOT = formula_leg(
    "its root",
    typed(
        "sqrt(2*B2*d**(-(tau - 1/2))) == sqrt(2*B2)*d**(-(tau/2 - 1/4))",
        over=["d in 1..oo", "tau in (1/2, oo)", "B2 in (0, oo)"],
    ),
)

OFF = (r"\|G-\rho w^*\|^2", r"2B_{x2}d^{-(\tau-1/2)}")

deviation = claim(
    "gradfeat-linear-deviation",
    states="gradfeat-linear-features",
    title="Deviation of the gradient on the ball",
    says=r"$\|G-\rho w^*\|\le\sqrt{2B_{x2}}\,d^{-(\tau/2-1/4)}$ for $\|w\|\le2\sqrt d\sigma_w$.",
    covers="deviation",
    reads={"w": "q", "law": "q v u"},
    relation=at_most(),
    legs=[
        CAUCHY,
        GROWS,
        ROOT,
        laws("drawn laws", off_mean, squares_bound, separable, *OFF, 6),
        laws("far atom", off_mean, squares_bound, far_atom, *OFF, 1),
    ],
    rivals=[
        variant("four fifths of it", reference=four_fifths_of_bound, leg="far atom"),
        *rivals_of(CAUCHY, {"q^2": "(q*v)**2 <= q**2*(q*v**2 + (1 - q)*u**2)"}),
        *rivals_of(GROWS, {"without 2": "B2*q <= B2*D"}),
        *rivals_of(
            ROOT,
            {"without the root": "sqrt(2*B2*d**(-(tau - 1/2))) == sqrt(2*B2)*d**(-(tau - 1/2))"},
        ),
    ],
)


def explicit():
    """gamma = 2 Delta/(rho + Delta), B_G = rho - Delta: the constant of both is that of Delta."""
    return Fraction(1)


# G = rho w* + e, t = <e, w*>, N = |e|^2 <= Delta^2: |<G, w*>| >= rho - Delta and |G| <= rho + Delta
ALONG = formula_leg(
    "along w*",
    typed(
        "rho + t >= rho - Delta and rho - Delta > 0",
        over=["rho in (0, oo)", "Delta in (0, rho)", "t in [-Delta, Delta]"],
    ),
    over="law w",
)
LENGTH = formula_leg(
    "length",
    typed(
        "rho**2 + 2*rho*t + N <= (rho + Delta)**2",
        over=["rho in (0, oo)", "Delta in (0, rho)", "t in [-Delta, Delta]", "N in [0, Delta**2]"],
    ),
    over="law w",
)
CONE = formula_leg(
    "cone",
    typed(
        "1 - (rho - Delta)/(rho + Delta) == 2*Delta/(rho + Delta)",
        over=["rho in (0, oo)", "Delta in (0, rho)"],
    ),
    over="law w",
    gives="Theta",
    chosen_by=explicit,
)
ONE = formula_leg(
    "one coordinate",
    typed("Integral(exp(3*x**2/8)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 2"),
    over="law w",
)
BALL = formula_leg("the ball", typed("2**d*exp(-(3/8)*4*d) < 1/2", over="d in 1..oo"), over="law w")

member = claim(
    "gradfeat-linear-membership",
    states="gradfeat-linear-features",
    title=r"$(w^*,-1)$ is a gradient feature of separable data",
    says=r"With $\Delta=\sqrt{2B_{x2}}d^{-(\tau/2-1/4)}<\rho$: $1-|\cos(G,w^*)|\le\frac{2\Delta}{\rho+\Delta}$ "
    r"and $\|G\|\ge"
    r"\rho-\Delta$ with probability above $\frac12$ (given $\|G-\rho w^*\|\le\Delta$ on the ball, its own claim).",
    covers="membership",
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        ALONG,
        LENGTH,
        CONE,
        ONE,
        BALL,
        beside(
            "weights",
            in_cone,
            r"\Pr_w[1-|\cos(G,w^*)|\le\gamma,\ \|G\|\ge\rho-\Delta]",
            r"\tfrac12",
            statistic=probability(),
        ),
    ],
    rivals=[
        variant("another axis", simulation=in_other_cone, leg="weights"),
        *rivals_of(ALONG, {"Delta/2": "rho + t >= rho - Delta/2 and rho - Delta > 0"}),
        *rivals_of(LENGTH, {"rho": "rho**2 + 2*rho*t + N <= rho**2"}),
        *rivals_of(
            CONE, {"Delta/(rho + Delta)": "1 - (rho - Delta)/(rho + Delta) == Delta/(rho + Delta)"}
        ),
        *rivals_of(
            ONE, {"3/2": "Integral(exp(3*x**2/8)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 3/2"}
        ),
        *rivals_of(BALL, {"radius sqrt d": "2**d*exp(-(3/8)*d) < 1/2"}),
    ],
)
