r"""Lemmas B.37 and B.38: how likely a random weight is nice for an XOR cluster.

Setting. As in `xor_activation`: z_0 = L sigma_B, L = sqrt(tau log log d), sigma_B >= 1; the two conditions on the
directions are g_1 >= 1.2 z_0 and |g_3| <= sqrt 2 sigma_B for independent standard normals, and (log d)^(-18 tau
sigma_B^2/25) is e^(-(1.2 z_0)^2/2).

Statements. (1) Q(x) (2 Phi(sqrt 2 sigma_B) - 1) >= c e^(-x^2/2)/z_0 at x = 1.2 z_0 >= 1.2, with c = 0.2 * 0.8/1.2 =
2/15. (2) Printed: P[|g_3| <= sqrt 2 s] >= 1 - e^(-s^2)/(2 sqrt(pi) s); false at s = 1 (0.8427 < 0.8962), where the
two-sided tail lost a factor 2. (3) Right is e^(-s^2)/(sqrt(pi) s).

Reference: lines 6724-6758.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula,
    formula_leg,
    integers,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

d = sp.symbols("d", integer=True, positive=True)
tau, sigma_B = sp.symbols("tau sigma_B", positive=True)
Z0 = sigma_B * sp.sqrt(tau * sp.log(sp.log(d)))
SHARE = sp.log(d) ** (-18 * tau * sigma_B**2 / 25) / Z0


def nice_directions(ns, rng, size, d, tau, sigma_B):
    """Whether <w, D_1> >= 6 z_0/5 and |<w, D_3>| <= sqrt 2 sigma_B, w standard normal in R^d. Shape (size,)."""
    w, s = rng.normal((size, d)), ns.asarray(sigma_B)
    z0 = s * ns.sqrt(ns.asarray(tau) * ns.log(ns.log(ns.asarray(d))))
    along = ns.rational(3, 5) * w[:, 0] + ns.rational(4, 5) * w[:, 1]
    across = ns.rational(-4, 5) * w[:, 0] + ns.rational(3, 5) * w[:, 1]
    inside = (along >= ns.rational(6, 5) * z0) & (ns.abs(across) <= ns.sqrt(2 * s * s))
    return ns.where(inside, 1, 0)


FIRST = formula_leg(
    "own direction",
    typed("erfc(x/sqrt(2))/2 >= exp(-x**2/2)/(5*x)", over="x in [6/5, oo)"),
    over="tau d sigma_B",
)
SECOND = formula_leg(
    "other axis", typed("erf(s) >= 4/5", over="s in [1, oo)"), over="tau d sigma_B"
)


def constant():
    """The constant that the two bounds give."""
    return Fraction(2, 15)


PRODUCT = formula_leg(
    "product",
    typed("(1/(5*(6*z/5)))*(4/5) == (2/15)/z", over="z in [1, oo)"),
    over="tau d sigma_B",
    gives="Theta",
    chosen_by=constant,
)


geometry = claim(
    "gradfeat-xor-geometry-probability",
    states="gradfeat-xor-features",
    title="Probability of the two conditions on directions",
    says=r"$Q(\frac65z_0)(2\Phi(\sqrt2\sigma_B)-1)\ge\frac2{15z_0}(\log d)^{-18\tau\sigma_B^2/25}$, $z_0=\sigma_B"
    r"\sqrt{\tau\log\log d}\ge1$.",
    covers="p-alone",
    domain={d: integers(3), tau: reals(0, low_open=True), sigma_B: reals(1)},
    where=Z0 >= 1,
    grid={
        "smoke": [{d: 16, tau: 1, sigma_B: 1}],
        "standard": [{d: 40, tau: 1, sigma_B: sp.Rational(5, 4)}],
    },
    closed_form=sp.Rational(2, 15) * SHARE,
    relation=at_least(),
    legs=[
        FIRST,
        SECOND,
        PRODUCT,
        beside(
            "weights",
            nice_directions,
            r"\Pr[\langle w,D_1\rangle\ge\tfrac65z_0,\ |\langle w,D_3\rangle|\le\sqrt2\sigma_B]",
            r"\tfrac2{15z_0}(\log d)^{-18\tau\sigma_B^2/25}",
            statistic=probability(),
            where=sp.And(d <= 60, Z0 <= 2),
        ),
    ],
    rivals=[
        variant("2/5", closed_form=sp.Rational(2, 5) * SHARE, leg="weights"),
        *rivals_of(FIRST, {"1/(2 x)": "erfc(x/sqrt(2))/2 >= exp(-x**2/2)/(2*x)"}),
        *rivals_of(SECOND, {"9/10": "erf(s) >= 9/10", "from 1/2 on": {"over": "s in [1/2, oo)"}}),
        *rivals_of(PRODUCT, {"1/5": "(1/(5*(6*z/5)))*(4/5) == (1/5)/z"}),
    ],
)

printed = formula(
    "gradfeat-xor-tail-step",
    states="gradfeat-xor-geometry",
    title="The second condition, as printed",
    expect="fail",
    covers="tail-step",
    reads={"sigma_B": "s"},
    says="erf(s) >= 1 - exp(-s**2)/(2*sqrt(pi)*s)",
    over="s in [1, oo)",
)

corrected = formula(
    "gradfeat-xor-tail-corrected",
    states="gradfeat-xor-geometry",
    title="The second condition",
    role="corrected",
    corrects="gradfeat-xor-tail-step",
    covers="tail-corrected",
    says="erfc(s) <= exp(-s**2)/(sqrt(pi)*s)",
    over="s in (0, oo)",
    rivals={
        "three quarters of it": "erfc(s) <= 3*exp(-s**2)/(4*sqrt(pi)*s)",
        "printed": "erfc(s) <= exp(-s**2)/(2*sqrt(pi)*s)",
    },
)
