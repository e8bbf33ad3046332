r"""Lemma A.38: how large the coordinates of the input noise are.

Setting. zeta ~ N(0, sigma_zeta^2 I_d), unit columns M_1, ..., M_D; every zeta_j and <zeta, M_l> is normal of deviation
sigma_zeta.

Statements. (1) Printed: all of them are at most C sigma_zeta sqrt(log k) but for a probability (d + D) e^(-c k). The
first coordinate alone is larger with probability erfc(C sqrt(log(k)/2)) >= k^(-C^2/2)/(2 C sqrt(log k)), by erfc(u) >=
e^(-u^2)/(2 sqrt(2) u) from u = 3/4 on. At d = D = 2 k, k >= 10^4 C^4/c^2 that is above 4 k e^(-c k). (2) They are at
most sigma_zeta sqrt(k) but for a probability (d + D) e^(-k/2): erfc(u) <= e^(-u^2), d + D times.

Reference: Lemma A.38, lines 4806-4812.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    probability,
    rivals_of,
    typed,
    variant,
)

k, d = sp.symbols("k d", integer=True, positive=True)


def columns(ns, d):
    """d unit columns along 3 e_l + 4 e_(l+1), the last along 3 e_d + 4 e_1; one of them is e_1 at d = 1. (d, d)."""
    one = ns.eye(d)
    M = 3 * one + 4 * ns.roll(one, 1, axis=0)
    return M / ns.norm(M, axis=0)[None, :]


def noise(ns, rng, size, d, length=1):
    """zeta_j and <zeta, M_l> for sigma_zeta = 1, columns of this ``length``. Shapes (size, d), (size, d)."""
    zeta = rng.normal((size, d))
    return zeta, ns.rational(length.numerator, length.denominator) * ns.matmul(zeta, columns(ns, d))


def beyond(ns, rng, size, d, level, length=1):
    """Whether some zeta_j or <zeta, M_l> has a square above ``level``. Shape (size,)."""
    zeta, seen = noise(ns, rng, size, d, length)
    largest = ns.maximum(ns.max(ns.square(zeta), axis=1), ns.max(ns.square(seen), axis=1))
    return ns.where(largest > level, 1, 0)


def far(ns, rng, size, k, d):
    """Squares above k."""
    return beyond(ns, rng, size, d, k)


def coordinates_alone(ns, rng, size, k, d):
    """Without the products with the columns."""
    return ns.where(ns.max(ns.square(noise(ns, rng, size, d)[0]), axis=1) > k, 1, 0)


def product_beyond(ns, rng, size, k, d, length=1):
    """Whether the square of <zeta, M_1> is above k. Shape (size,)."""
    return ns.where(ns.square(noise(ns, rng, size, d, length)[1][:, 0]) > k, 1, 0)


def alike(ns, rng, size, k, d, other=0):
    """Whether zeta_1 and <zeta, M_1>, the column by default, have one sign. Shape (size,)."""
    zeta, seen = noise(ns, rng, size, d)
    return ns.where(zeta[:, 0] * seen[:, other] > 0, 1, 0)


def beyond_the_logarithm(ns, rng, size, k, d):
    """Squares above log k."""
    return beyond(ns, rng, size, d, ns.log(ns.asarray(k)))


def columns_too_long(ns, rng, size, k, d):
    """Columns of length 5."""
    return beyond(ns, rng, size, d, k, length=5)


def first(ns, rng, size, k):
    """Whether the first coordinate alone has a square above log k. Shape (size,)."""
    return ns.where(ns.square(noise(ns, rng, size, 1)[0][:, 0]) > ns.log(ns.asarray(k)), 1, 0)


def one_sided(ns, rng, size, k):
    return ns.where(noise(ns, rng, size, 1)[0][:, 0] > ns.sqrt(ns.log(ns.asarray(k))), 1, 0)


def tail(C):
    """P[|zeta_1| > C sigma_zeta sqrt(log k)]."""
    return sp.erfc(C * sp.sqrt(sp.log(k) / 2))


# logarithms of the lower bound k^(-C^2/2)/(2 C sqrt(log k)) and of 4 k e^(-c k)
POWER = "-C**2*log(k)/2 - log(2*C*sqrt(log(k)))"
EXPONENTIAL = "log(4*k) - c*k"

printed = claim(
    "structured-noise-coordinates",
    states="structured-general-step1-output-small",
    title="Coordinates of the input noise, as printed",
    says=r"For some $C$ and $c>0$ all $|\zeta_j|$ and $|\langle\zeta,M_\ell\rangle|$ are at most $C\sigma_\zeta"
    r"\sqrt{\log k}$ with probability at least $1-(d+D)e^{-ck}$.",
    expect="fail",
    covers="noise-coordinates",
    legs=[
        formula_leg(
            "the first coordinate, d = D = 2 k",
            typed(
                f"{POWER} <= {EXPONENTIAL}",
                over=["C in [1, oo)", "c in (0, 1]", "k in [10**4*C**4/c**2, oo)"],
            ),
            over="zeta j l",
        )
    ],
)

power = claim(
    "structured-noise-first-coordinate",
    lhs=r"\Pr[|\zeta_1|>\sigma_\zeta\sqrt{\log k}]",
    tex=r"\operatorname{erfc}\sqrt{\tfrac{\log k}2}",
    states="structured-general-step1-output-small",
    title="One coordinate of the input noise",
    says=r"$\Pr[|\zeta_1|>\sigma_\zeta\sqrt{\log k}]=\operatorname{erfc}\sqrt{\tfrac12\log k}$, at least $k^{-1/2}/"
    r"(2\sqrt{\log k})$ from $k=3$ on.",
    role="derived",
    corrects="structured-noise-coordinates",
    encodes="part",
    domain={k: integers(2)},
    grid={"smoke": {k: [2, 8]}, "standard": {k: [16]}},
    closed_form=tail(1),
    relation=equals(),
    legs=[
        leg("draws", first, statistic=probability(), where=k <= 50),
        formula_leg(
            "a power of k",
            typed("erfc(u) >= exp(-u**2)/(2*sqrt(2)*u)", over="u in [sqrt(log(3)/2), oo)"),
        ),
    ],
    rivals=[
        variant("one side", simulation=one_sided, leg="draws"),
        variant("without the half", closed_form=sp.erfc(sp.sqrt(sp.log(k))), leg="draws"),
        *rivals_of(
            formula_leg("a power of k", typed("erfc(u) >= exp(-u**2)/(2*sqrt(2)*u)", over="u > 0")),
            {"twice": "erfc(u) >= exp(-u**2)/(sqrt(2)*u)"},
        ),
    ],
)

ONE_SIGN = sp.Rational(1, 2) + sp.asin(sp.Rational(3, 5)) / sp.pi
"""Chance of one sign of two normal variables of covariance 3/5."""
ALONE = 1 - (1 - sp.erfc(sp.sqrt(k / 2))) ** d
ONE = formula_leg("one of them", typed("erfc(u) <= exp(-u**2)", over="u in [0, oo)"))

corrected = claim(
    "structured-noise-coordinates-corrected",
    lhs=r"\Pr\big[\max(|\zeta_j|,|\langle\zeta,M_\ell\rangle|)>\sigma_\zeta\sqrt k\big]",
    tex="(d+D)e^{-k/2}",
    states="structured-general-step1-output-small",
    title="Coordinates of the input noise",
    says=r"All $|\zeta_j|$ and $|\langle\zeta,M_\ell\rangle|$ are at most $\sigma_\zeta\sqrt k$ with probability at "
    r"least $1-(d+D)e^{-k/2}$.",
    role="corrected",
    corrects="structured-noise-coordinates",
    encodes="part",
    domain={k: integers(1), d: integers(1)},
    grid={"smoke": [{k: 4, d: 2}, {k: 8, d: 5}], "standard": [{k: 6, d: 12}]},
    closed_form=2 * d * sp.exp(-sp.Rational(1, 2) * k),
    relation=at_most(),
    legs=[
        leg("draws", far, statistic=probability(), where=sp.And(k <= 10, d <= 40)),
        # The products add to what the coordinates alone do.
        leg(
            "more than the coordinates",
            far,
            statistic=probability(),
            relation=at_least(),
            required=False,
            where=sp.And(sp.Eq(k, 4), sp.Eq(d, 2)),
            grid={"smoke": [{k: 4, d: 2}]},
            closed_form=sp.Rational(6, 5) * ALONE,
            lhs=r"\Pr\big[\max(|\zeta_j|,|\langle\zeta,M_\ell\rangle|)>\sigma_\zeta\sqrt k\big]",
            tex=r"\tfrac65\big(1-(1-\operatorname{erfc}\sqrt{k/2})^d\big)",
        ),
        leg(
            "one product",
            product_beyond,
            statistic=probability(),
            relation=equals(),
            required=False,
            where=sp.And(k <= 2, d <= 40),
            grid={"smoke": [{k: 1, d: 1}, {k: 1, d: 5}]},
            closed_form=sp.erfc(sp.sqrt(k / 2)),
            lhs=r"\Pr[|\langle\zeta,M_1\rangle|>\sigma_\zeta\sqrt k]",
            tex=r"\operatorname{erfc}\sqrt{k/2}",
        ),
        leg(
            "covariance",
            alike,
            statistic=probability(),
            relation=equals(),
            required=False,
            where=sp.And(d >= 2, d <= 40),
            grid={"smoke": [{k: 1, d: 2}, {k: 1, d: 5}]},
            closed_form=ONE_SIGN,
            lhs=r"\Pr[\zeta_1\langle\zeta,M_1\rangle>0]",
            tex=r"\tfrac12+\tfrac1\pi\arcsin\tfrac35",
        ),
        ONE,
    ],
    rivals=[
        variant(
            "the coordinates alone", simulation=coordinates_alone, leg="more than the coordinates"
        ),
        variant("sqrt(log k)", simulation=beyond_the_logarithm, leg="draws", at=[{k: 8, d: 5}]),
        variant("columns of length 5", simulation=columns_too_long, leg="draws", at=[{k: 8, d: 5}]),
        variant(
            "columns of length 7/5", call=product_beyond, length=Fraction(7, 5), leg="one product"
        ),
        variant("another column", call=alike, other=1, leg="covariance", at=[{k: 1, d: 5}]),
        *rivals_of(ONE, {"half of it": "erfc(u) <= exp(-u**2)/2"}),
    ],
)
