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

from theorycheck import claim, formula_leg, rivals_of, typed

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

inactive = claim(
    "gradfeat-linear-inactive",
    states="gradfeat-linear-features",
    title="Inactive mass of a neuron with bias $-\\tilde b$",
    says=r"$\Pr[\langle w,x\rangle\le-\tilde b]\le2d^{-(\tau-1/2)}$ for $\|w\|\le2\sqrt d\sigma_w$ and $\mathbb "
    r"E\|x\|\le "
    r"B_{x1}$.",
    covers="inactive-mass",
    legs=[FAR, QUOTIENT, MARKOV, LEVEL],
    rivals=[
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
    over="w law",
)
GROWS = formula_leg(
    "in the mass",
    typed("B2*q <= 2*B2*D", over=["D in (0, 1]", "B2 in (0, oo)", "q in [0, 2*D]"]),
    over="w law",
)
ROOT = formula_leg(
    "its root",
    typed(
        "sqrt(2*B2*d**(-(tau - 1/2))) == sqrt(2*B2)*d**(-(tau/2 - 1/4))",
        over=["d in 1..oo", "tau in (1/2, oo)", "B2 in (0, oo)"],
    ),
    over="w law",
)

deviation = claim(
    "gradfeat-linear-deviation",
    states="gradfeat-linear-features",
    title="Deviation of the gradient on the ball",
    says=r"$\|G-\rho w^*\|\le\sqrt{2B_{x2}}\,d^{-(\tau/2-1/4)}$ for $\|w\|\le2\sqrt d\sigma_w$.",
    covers="deviation",
    legs=[CAUCHY, GROWS, ROOT],
    rivals=[
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
    legs=[ALONG, LENGTH, CONE, ONE, BALL],
    rivals=[
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
