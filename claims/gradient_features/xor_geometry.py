r"""Lemmas B.37 and B.38: how likely a random weight is nice for an XOR cluster.

Setting. As in `xor_activation`: z_0 = L sigma_B, L = sqrt(tau log log d), sigma_B >= 1; the two conditions on the
directions are g_1 >= 1.2 z_0 and |g_3| <= sqrt 2 sigma_B for independent standard normals, and (log d)^(-18 tau
sigma_B^2/25) is e^(-(1.2 z_0)^2/2).

Statements. (1) Q(x) (2 Phi(sqrt 2 sigma_B) - 1) >= c e^(-x^2/2)/z_0 at x = 1.2 z_0 >= 1.2, with c = 0.2 * 0.8/1.2 =
2/15. (2) Printed: P[|g_3| <= sqrt 2 s] >= 1 - e^(-s^2)/(2 sqrt(pi) s); false at s = 1 (0.8427 < 0.8962), where the
two-sided tail lost a factor 2. (3) Right is e^(-s^2)/(sqrt(pi) s). (4) With |w| <= 3 sqrt d sigma_w, the constant of
that Theta read as 3, and z_0 between 1 and sqrt d, all three conditions hold with at least 4/75 e^(-x^2/2)/z_0, for
each of the four clusters: where g_1 is in [x, x + 1], |g_3| <= sqrt 2 and the d - 2 others have a sum of squares of at
most twice its mean, which has a chance of 1/2 at least (Markov), |w|^2 <= 7 d sigma_w^2. z_0 >= 1 from some d on.

Reference: lines 6379-6389 for the set, 6724-6758.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
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
FIRST_TAIL = formula_leg(
    "beyond x",
    typed("erfc(x/sqrt(2))/2 >= exp(-x**2/2)/(5*x)", over="x in [6/5, oo)"),
    over="tau d sigma_B j w",
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

# ---- with the cap on the length


j = sp.symbols("j", integer=True, positive=True)
BOUND = sp.Rational(4, 75) * SHARE


def nice(ns, rng, size, d, tau, sigma_B, j, cap=3):
    """Whether a weight is nice for cluster j: both conditions, for +-D_1 or +-D_3, |w| <= 3 sqrt d. Shape (size,)."""
    w, s, n = rng.normal((size, d)), ns.asarray(sigma_B), ns.asarray(d)
    z0 = s * ns.sqrt(ns.asarray(tau) * ns.log(ns.log(n)))
    first = ns.rational(3, 5) * w[:, 0] + ns.rational(4, 5) * w[:, 1]
    third = ns.rational(-4, 5) * w[:, 0] + ns.rational(3, 5) * w[:, 1]
    own, other = (first, third) if j <= 2 else (third, first)
    own = own if j % 2 else -own
    inside = (own >= ns.rational(6, 5) * z0) & (ns.abs(other) <= ns.sqrt(2 * s * s))
    return ns.where(inside & (ns.sum(w * w, axis=1) <= cap**2 * n), 1, 0)


def nice_and_short(ns, rng, size, d, tau, sigma_B, j):
    """The same with |w| <= sqrt d/2."""
    return nice(ns, rng, size, d, tau, sigma_B, j, cap=ns.rational(1, 2))


def four_seventy_fifths():
    """The constant of the four bounds."""
    return Fraction(4, 75)


EVERY = "tau d sigma_B j w"
CUT_OFF = formula_leg(
    "beyond x + 1",
    typed("erfc((x + 1)/sqrt(2))/2 <= exp(-x**2/2)/(25*x)", over="x in [6/5, oo)"),
    over=EVERY,
)
ROOT_TWO = formula_leg(
    "other axis up to sqrt 2", typed("erf(y) >= 4/5", over="y in [1, oo)"), over=EVERY
)
MARKOV = formula_leg(
    "others", typed("1 - n*E[g**2]/(2*n) == 1/2", over=["n in 1..oo", "g ~ N(0, 1)"]), over=EVERY
)
LENGTH = formula_leg(
    "length",
    typed("(6*z/5 + 1)**2 + 2 + 2*(d - 2) <= 7*d", over=["d in 3..oo", "z in [1, sqrt(d)]"]),
    over="tau sigma_B j w",
)
GIVEN = {"gives": "Theta", "chosen_by": four_seventy_fifths}
ALL_THREE = formula_leg(
    "product",
    typed("((1/5 - 1/25)/(6*z/5))*(4/5)*(1/2) == (4/75)/z", over="z in [1, oo)"),
    over=EVERY,
    **GIVEN,
)
AS_PRINTED = formula_leg(
    "in tau, d and sigma_B",
    typed(
        f"(4/75)*exp(-(6*{Z0}/5)**2/2)/({Z0}) == {BOUND}",
        over=["tau in (0, oo)", "sigma_B in [1, oo)", "d in 3..oo"],
    ),
    over="j w",
    **GIVEN,
)
LARGE = formula_leg(
    "z_0 >= 1 for large d",
    typed("tau*l*s**2 >= 1", over=["tau in (0, oo)", "l in [1/tau, oo)", "s in [1, oo)"]),
    over="d sigma_B j w",
)

sure = claim(
    "gradfeat-xor-sure-set",
    states="gradfeat-xor-geometry",
    title="Probability of a nice weight, its length included",
    says=r"$\Pr_w[w\in S_{D_j,\mathrm{Sure}}]\ge\frac4{75z_0}(\log d)^{-18\tau\sigma_B^2/25}$ for all four $j$, "
    r"$1\le z_0=\sigma_B\sqrt{\tau\log\log d}\le\sqrt d$, with $\|w\|\le3\sqrt d\,\sigma_w$ in the set.",
    role="reading",
    covers="gradfeat-xor-geometry/probability",
    domain={
        d: integers(3),
        tau: reals(0, low_open=True),
        sigma_B: reals(1),
        j: choices(1, 2, 3, 4),
    },
    where=sp.And(Z0 >= 1, sp.sqrt(d) >= Z0),
    grid={
        "smoke": [{d: 16, tau: 1, sigma_B: 1, j: 1}],
        "standard": [
            {d: 16, tau: 1, sigma_B: 1, j: 4},
            {d: 40, tau: 1, sigma_B: sp.Rational(5, 4), j: 2},
        ],
    },
    closed_form=BOUND,
    relation=at_least(),
    legs=[
        FIRST_TAIL,
        CUT_OFF,
        ROOT_TWO,
        MARKOV,
        LENGTH,
        ALL_THREE,
        AS_PRINTED,
        LARGE,
        beside(
            "weights",
            nice,
            r"\Pr[w\in S_{D_j,\mathrm{Sure}}]",
            r"\tfrac4{75z_0}(\log d)^{-18\tau\sigma_B^2/25}",
            statistic=probability(),
            block=8192,
            where=sp.And(d <= 60, Z0 <= 2),
        ),
    ],
    rivals=[
        variant("2/5", closed_form=sp.Rational(2, 5) * SHARE, leg="weights"),
        variant("half the length", simulation=nice_and_short, leg="weights"),
        *rivals_of(CUT_OFF, {"1/30": "erfc((x + 1)/sqrt(2))/2 <= exp(-x**2/2)/(30*x)"}),
        *rivals_of(ROOT_TWO, {"9/10": "erf(y) >= 9/10"}),
        *rivals_of(MARKOV, {"at its mean": "1 - n*E[g**2]/n == 1/2"}),
        *rivals_of(LENGTH, {"3 d": "(6*z/5 + 1)**2 + 2 + 2*(d - 2) <= 3*d"}),
        *rivals_of(ALL_THREE, {"without Markov": "((1/5 - 1/25)/(6*z/5))*(4/5) == (4/75)/z"}),
        *rivals_of(
            AS_PRINTED, {"exponent 9/25": f"(4/75)*exp(-(6*{Z0}/5)**2/4)/({Z0}) == {BOUND}"}
        ),
        *rivals_of(
            LARGE, {"for all d": {"over": ["tau in (0, oo)", "l in (0, oo)", "s in [1, oo)"]}}
        ),
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
