r"""Equation (8): the expected response at the start is the same for every word.

Setting. m neurons, <w_r, v> = sigma_0 g_r for a unit vector v with g_r standard Gaussian, bias -sigma_0 theta.

Statement. E sum_r max(0, sigma_0 (g_r - theta)) = m sigma_0 (phi(theta) - theta Q(theta)) for every real theta and
unit vector, common or subclass word alike.

Reference: lines 253-258.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    integers,
    leg,
    mean,
    reals,
    rivals_of,
    typed,
    variance_at_most,
    variant,
)

d = sp.Symbol("d", integer=True, positive=True)
theta = sp.Symbol("theta", real=True)

EACH = sp.exp(-(theta**2) / 2) / sp.sqrt(2 * sp.pi) - theta * sp.erfc(theta / sp.sqrt(2)) / 2
ONE = formula_leg(
    "one neuron",
    typed(
        f"E[Max(0, s*(g - theta))] == s*({EACH})",
        over=["theta in R", "s in (0, oo)", "g ~ N(0, 1)"],
    ),
)
# x is the length of the first coordinates of v, along which the response is x times a Gaussian, y the next one
ALONG = formula_leg(
    "along v",
    typed(
        "Var[x*g + y*h] == 1",
        over=["x in [0, 1]", "y in [-1, 1]", "g, h ~ N(0, 1)"],
        where="x**2 + y**2 == 1",
    ),
)


def responses(ns, rng, size, d, theta, shown=None):
    """Response of a random neuron of scale 1 to the unit vector (1, ..., 1)/sqrt d, or to ``shown`` entries of it."""
    w = rng.normal((size, d))
    level = ns.rational(theta.numerator, theta.denominator)
    return ns.maximum(
        ns.sum(w[:, :shown], axis=1) / ns.sqrt(ns.rational(d, 1)) - level, ns.rational(0, 1)
    )


def shorter(ns, rng, size, d, theta):
    """A vector that is shorter than 1."""
    return responses(ns, rng, size, d, theta, shown=1)


def responses_to_an_axis(ns, rng, size, d, theta):
    """Response to the unit vector (1, 0, ..., 0)."""
    w = rng.normal((size, d))
    return ns.maximum(w[:, 0] - ns.rational(theta.numerator, theta.denominator), ns.rational(0, 1))


expected = claim(
    "granularity-equal-start",
    lhs=r"\mathbb E\,\sigma(\langle w_r,v\rangle+b)/\sigma_0",
    tex=r"\phi(\theta)-\theta Q(\theta)",
    states="granularity-impartial-init",
    title="Every word is answered alike at the start",
    says=r"$\mathbb E\sum_{r\le m}\sigma(\langle w_r,v\rangle+b)=m\sigma_0(\phi(\theta)-\theta Q(\theta))$ for every "
    r"unit vector $v$ and every $\theta$, $b=-\sigma_0\theta$.",
    covers="equal-expectation",
    reads={"v": "x y"},
    domain={d: integers(2), theta: reals()},
    grid={
        "smoke": [{d: 2, theta: Fraction(1, 2)}, {d: 5, theta: -1}],
        "standard": [{d: 9, theta: 1}, {d: 3, theta: 0}],
    },
    closed_form=EACH,
    legs=[
        leg(
            "neurons",
            responses,
            statistic=mean(variance_at_most(theta**2 + 1)),
            target={"smoke": Fraction(1, 10), "standard": Fraction(1, 20)},
            required=False,
            where=sp.And(d <= 12, theta <= 1, theta >= -2),
        ),
        leg(
            "neurons, an axis",
            responses_to_an_axis,
            statistic=mean(variance_at_most(theta**2 + 1)),
            target={"smoke": Fraction(1, 10), "standard": Fraction(1, 20)},
            required=False,
            where=sp.And(d <= 12, theta <= 1, theta >= -2),
        ),
        ONE,
        ALONG,
    ],
    rivals=[
        variant(
            "phi alone", closed_form=sp.exp(-(theta**2) / 2) / sp.sqrt(2 * sp.pi), leg="neurons"
        ),
        variant("a shorter vector", simulation=shorter, leg="neurons"),
        *rivals_of(ALONG, {"of any length": {"where": "x**2 + y**2 <= 1"}}),
        *rivals_of(
            ONE, {"phi + theta Q": f"E[Max(0, s*(g - theta))] == s*({EACH} + 2*theta*Q(theta))"}
        ),
    ],
)
