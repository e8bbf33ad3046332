r"""Lemma B.26 and Theorem B.27: the reference network of separable data, and its parameters.

Setting. g* = (relu(<w*, x>) - relu(-<w*, x>))/beta, y <w*, x> >= beta; B_F = (1/beta, sqrt 2/beta, 1/B_x1^2), B_G =
rho, p = 1/2, r = 2.

Statements. (1) g* = <w*, x>/beta, of margin at least 1, so the hinge loss is 0. (2) Its weights have size 1/beta and
norm sqrt 2/beta. (3) The first term of m is 32/(beta^4 eps^4 rho^2), free of B_x1. (4) With gamma <= 2 Delta/rho the
cone term 2 B_x1 sqrt(2 gamma)/beta is at most 4 2^(1/4) B_x1 B_x2^(1/4) d^(1/8 - tau/4)/(beta sqrt rho), which falls
in tau for d >= 2.

Reference: lines 6320-6372.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula, formula_leg, instances, rivals_of, typed, variant

from ._beside import beside
from ._network import dot, output, relu

G = "(relu(u) - relu(-u))"

identity = formula(
    "gradfeat-linear-identity",
    states="gradfeat-linear-gstar",
    title="Two neurons are linear",
    covers="identity",
    reads={"x": "u beta"},
    says=f"{G}/beta == u/beta",
    over=["u in R", "beta in (0, oo)"],
    rivals={"one neuron": "relu(u)/beta == u/beta"},
)

zero = formula(
    "gradfeat-linear-hinge",
    states="gradfeat-linear-gstar",
    title="The reference network of separable data has no loss",
    covers="zero-hinge",
    reads={"x": "u", "y": "y"},
    says=f"Max(0, 1 - y*{G}/beta) == 0",
    over=["u in R", "y in {-1, 1}", "beta in (0, oo)"],
    where="y*u >= beta",
    rivals={
        "margins from beta/2 on": {"where": "y*u >= beta/2"},
        "one neuron": "Max(0, 1 - y*relu(u)/beta) == 0",
    },
)

SIZE = formula_leg(
    "sizes",
    typed(
        "Max(1/beta, abs(-1/beta)) == 1/beta and sqrt((1/beta)**2 + (-1/beta)**2) == sqrt(2)/beta",
        over="beta in (0, oo)",
    ),
)


def margin_and_points(rng):
    """beta, a unit vector w* of R^3 and points."""
    direction = [
        (1, 0, 0),
        (Fraction(3, 5), 0, Fraction(4, 5)),
        (Fraction(2, 3), Fraction(-1, 3), Fraction(2, 3)),
    ]
    return {
        "beta": abs(rng.rational((), 4)) + Fraction(1, 9),
        "star": direction[int(rng.integers(0, 3))],
        "xs": rng.rational((4, 3), 4),
    }


def solved(beta, star, xs):
    """max |a|, |a|^2 and the outputs at the points, of the network of relu(<w*, x>), relu(-<w*, x>) whose outputs at
    +-w* are +-1/beta. Length 6."""
    other = [-v for v in star]
    a = [1 / beta / relu(dot(star, star)), -1 / beta / relu(dot(other, other))]
    outputs = [output(x, a, [star, other], [0, 0]) for x in xs]
    return [max(abs(v) for v in a), dot(a, a), *outputs]


def sizes(beta, star, xs, second=2):
    """1/beta, 2/beta^2 and <w*, x>/beta. Length 6."""
    return [1 / beta, second / beta**2, *(dot(star, x) / beta for x in xs)]


def four(beta, star, xs):
    return sizes(beta, star, xs, 4)


size = claim(
    "gradfeat-linear-class",
    states="gradfeat-linear-gstar",
    title="Weights of the reference network of separable data",
    says=r"$\|a\|_\infty=1/\beta$ and $\|a\|_2=\sqrt2/\beta$.",
    covers="class",
    reads={"law": "beta"},
    legs=[
        SIZE,
        beside(
            "networks",
            solved,
            r"\big(\|a\|_\infty,\ \|a\|_2^2,\ g^*(x)\big)",
            r"\big(1/\beta,\ 2/\beta^2,\ \langle w^*,x\rangle/\beta\big)",
            reference=sizes,
            instances=instances(margin_and_points, "beta star xs", smoke=3, standard=6),
        ),
    ],
    rivals=[
        *rivals_of(SIZE, {"norm 2/beta": "sqrt((1/beta)**2 + (-1/beta)**2) == 2/beta"}),
        variant("4/beta^2", reference=four, leg="networks"),
    ],
)

POSITIVE = ["beta in (0, oo)", "rho in (0, oo)", "eps in (0, oo)", "B in (0, oo)"]
TERM = "(2/eps**4)*((2/beta)*B*sqrt(1/(B**2*rho)))**4"

width = formula(
    "gradfeat-linear-width",
    states="gradfeat-linear-main",
    title="The first width term for separable data",
    covers="m-term",
    reads={"B_x1": "B"},
    says=f"{TERM} == 32/(beta**4*eps**4*rho**2)",
    over=POSITIVE,
    rivals={
        "B_b = 1/B_x1": "(2/eps**4)*((2/beta)*B*sqrt(1/(B*rho)))**4 == 32/(beta**4*eps**4*rho**2)",
        "rho for rho^2": f"{TERM} == 32/(beta**4*eps**4*rho)",
    },
)

DELTA = "(sqrt(2*B2)*d**(-(tau/2 - 1/4)))"
BOUND = "4*2**(1/4)*B*B2**(1/4)*d**(1/8 - tau/4)/(beta*sqrt(rho))"
# gamma = 2 Delta/(rho + Delta) <= 2 Delta/rho
CONE = formula_leg(
    "aperture",
    typed("2*Delta/(rho + Delta) <= 2*Delta/rho", over=["rho in (0, oo)", "Delta in (0, rho)"]),
    over="d tau",
)
PLUG = formula_leg(
    "cone term",
    typed(
        f"(2/beta)*B*sqrt(2*2*{DELTA}/rho) == {BOUND}",
        over=[
            "d in 2..oo",
            "tau in (1/2, oo)",
            "B in (0, oo)",
            "B2 in (0, oo)",
            "beta in (0, oo)",
            "rho in (0, oo)",
        ],
    ),
)

error = claim(
    "gradfeat-linear-cone-term",
    states="gradfeat-linear-main",
    title="The cone term for separable data",
    says=r"$rB_{a1}B_{x1}\sqrt{2\gamma}\le\frac{4\cdot2^{1/4}B_{x1}B_{x2}^{1/4}}{\beta\sqrt\rho}d^{1/8-\tau/4}$.",
    covers="error-term",
    legs=[CONE, PLUG],
    rivals=[
        *rivals_of(CONE, {"half of it": "2*Delta/(rho + Delta) <= Delta/rho"}),
        *rivals_of(
            PLUG,
            {
                "d^(1/4 - tau/4)": f"(2/beta)*B*sqrt(2*2*{DELTA}/rho) == 4*2**(1/4)*B*B2**(1/4)*d**(1/4 - tau/4)"
                "/(beta*sqrt(rho))"
            },
        ),
    ],
)
