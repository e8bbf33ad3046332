r"""Lemmas B.31 and B.48: the conditions on the directions of a nice weight.

Setting. Standard normal coordinates along orthonormal directions, which are independent; Q the tail.

Statements. (1) P[g >= x] = Q(x), P[g <= y] = 1 - Q(y) and P[|g| <= y] = 1 - 2 Q(y): for orthogonal means of one
length the two conditions on the directions of a mixture have probability Q(3z/2) Phi(z/2)^(r-1), and for structured
parities Q(3 z_0/2) (1 - 2 Q(z_0/ 2))^(r-1). (2) At x = (9 C_b^2 tau r/8 + 2) log d both norm caps fail with
probability at most 2 e^-x = 2 d^(-2 - 9 C_b^2 tau r/8), by the chi-squared tail.

Reference: lines 6423-6450, 7014-7050.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    odd_integers,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

r, d, k = sp.symbols("r d k", integer=True, positive=True)
z, z0, c = sp.symbols("z z0 c", positive=True)
HALF = sp.Rational(1, 2)


def upper(x):
    """Q(x)."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def along_frame(ns, rng, size, r):
    """Inner products of standard normal weights of R^(r + 1) with r orthonormal vectors, the columns of a
    reflection. Shape (size, r)."""
    w = rng.normal((size, r + 1))
    whole = ns.sum(w, axis=1)
    return w[:, :r] - ns.rational(2, r + 1) * whole[:, None]


def on_one_side(ns, rng, size, r, z):
    """Whether the first is at least 3 z/2 and the others are at most z/2. Shape (size,)."""
    t = along_frame(ns, rng, size, r)
    level = ns.asarray(z) / 2
    return ns.where((t[:, 0] >= 3 * level) & ns.all(t[:, 1:] <= level, axis=1), 1, 0)


def within(ns, rng, size, r, z0):
    """Whether the first is at least 3 z_0/2 and the others are at most z_0/2 in size. Shape (size,)."""
    t = along_frame(ns, rng, size, r)
    level = ns.asarray(z0) / 2
    return ns.where((t[:, 0] >= 3 * level) & ns.all(ns.abs(t[:, 1:]) <= level, axis=1), 1, 0)


def too_long(ns, rng, size, d, r, k, c):
    """Whether the part on A or the part off A of a standard normal weight passes its cap. Shape (size,)."""
    squares = ns.square(rng.normal((size, d)))
    x = (9 * ns.asarray(c) * r / 8 + 2) * ns.log(ns.asarray(d))

    def cap(n):
        return n + 2 * ns.sqrt(n * x) + 2 * x

    on, off = ns.sum(squares[:, : r * k], axis=1), ns.sum(squares[:, r * k :], axis=1)
    return ns.where((on >= cap(r * k)) | (off >= cap(d - r * k)), 1, 0)


ABOVE = typed("Integral(exp(-u**2/2)/sqrt(2*pi), (u, x, oo)) == Q(x)", over="x in (0, oo)")
BELOW = typed("Integral(exp(-u**2/2)/sqrt(2*pi), (u, -oo, y)) == Phi(y)", over="y in (0, oo)")
WITHIN = typed("Integral(exp(-u**2/2)/sqrt(2*pi), (u, -y, y)) == 1 - 2*Q(y)", over="y in (0, oo)")
# r - 1 independent conditions and one more
PRODUCT = typed("p*q**(r - 1)*q == p*q**r", over=["r in 1..oo", "p in (0, 1)", "q in (0, 1)"])

M_ABOVE = formula_leg("own direction", ABOVE, over="r z")
M_BELOW = formula_leg("another direction", BELOW, over="r z")
M_PRODUCT = formula_leg("one direction more", PRODUCT, over="z")

mixture = claim(
    "gradfeat-mixture-orthogonal-probability",
    states="gradfeat-mog-geometry",
    title="Conditions on directions for orthogonal means",
    says=r"For orthogonal means of one length the conditions have probability $Q(\frac32z)\Phi(\frac12z)^{r-1}$.",
    covers="exact-orthogonal",
    domain={r: integers(1), z: reals(0, low_open=True)},
    grid={"smoke": [{r: 1, z: HALF}, {r: 3, z: HALF}], "standard": {r: [2, 4], z: [HALF, 1]}},
    closed_form=upper(3 * z / 2) * (1 - upper(z / 2)) ** (r - 1),
    legs=[
        M_ABOVE,
        M_BELOW,
        M_PRODUCT,
        beside(
            "weights",
            on_one_side,
            r"\Pr[\langle w,D_1\rangle\ge\tfrac32z,\ \langle w,D_l\rangle\le\tfrac12z]",
            r"Q(\tfrac32z)\Phi(\tfrac12z)^{r-1}",
            statistic=probability(),
            unit=sp.Rational(1, 5),
            where=sp.And(z <= 1, r <= 5),
        ),
    ],
    rivals=[
        variant(
            "one factor less",
            closed_form=upper(3 * z / 2) * (1 - upper(z / 2)) ** (r - 2),
            leg="weights",
        ),
        *rivals_of(
            M_ABOVE, {"both tails": "Integral(exp(-u**2/2)/sqrt(2*pi), (u, x, oo)) == 2*Q(x)"}
        ),
        *rivals_of(M_BELOW, {"the tail": "Integral(exp(-u**2/2)/sqrt(2*pi), (u, -oo, y)) == Q(y)"}),
        *rivals_of(M_PRODUCT, {"a sum": "p*q**(r - 1) + q == p*q**r"}),
    ],
)

P_ABOVE = formula_leg("own direction", ABOVE, over="r z0")
P_WITHIN = formula_leg("another direction", WITHIN, over="r z0")
P_PRODUCT = formula_leg("one direction more", PRODUCT, over="z0")

parity = claim(
    "gradfeat-parity-direction-probability",
    states="gradfeat-parity-geometry",
    title="Conditions on directions for structured parities",
    says=r"The conditions have probability $Q(\frac32z_0)(1-2Q(\frac12z_0))^{r-1}$.",
    covers="exact",
    domain={r: odd_integers(1), z0: reals(0, low_open=True)},
    grid={"smoke": [{r: 1, z0: HALF}, {r: 3, z0: HALF}], "standard": [{r: 3, z0: HALF}]},
    closed_form=upper(3 * z0 / 2) * (1 - 2 * upper(z0 / 2)) ** (r - 1),
    legs=[
        P_ABOVE,
        P_WITHIN,
        P_PRODUCT,
        beside(
            "weights",
            within,
            r"\Pr[\langle w,D_1\rangle\ge\tfrac32z_0,\ |\langle w,D_l\rangle|\le\tfrac12z_0]",
            r"Q(\tfrac32z_0)(1-2Q(\tfrac12z_0))^{r-1}",
            statistic=probability(),
            unit=sp.Rational(1, 5),
            where=sp.And(z0 <= 1, z0 >= HALF, r <= 3),
        ),
    ],
    rivals=[
        variant(
            "one-sided conditions",
            closed_form=upper(3 * z0 / 2) * (1 - upper(z0 / 2)) ** (r - 1),
            leg="weights",
        ),
        *rivals_of(
            P_ABOVE, {"both tails": "Integral(exp(-u**2/2)/sqrt(2*pi), (u, x, oo)) == 2*Q(x)"}
        ),
        *rivals_of(
            P_WITHIN, {"one tail": "Integral(exp(-u**2/2)/sqrt(2*pi), (u, -y, y)) == 1 - Q(y)"}
        ),
        *rivals_of(P_PRODUCT, {"a sum": "p*q**(r - 1) + q == p*q**r"}),
    ],
)

LOG = formula_leg(
    "logarithm of the mean",
    typed("-s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)", over="s in [0, 1/2)"),
    over="x",
)
BEST = formula_leg(
    "exponent",
    typed(
        "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + 2*u**2) == -u**2",
        over=["q in (0, oo)", "u in [0, oo)"],
    ),
    over="x",
)
POWER = formula_leg(
    "as a power of d",
    typed(
        "exp(-(9*c*r/8 + 2)*log(d)) == d**(-2 - 9*c*r/8)",
        over=["d in 2..oo", "c in (0, oo)", "r in 1..oo"],
    ),
    over="x",
)

caps = claim(
    "gradfeat-parity-norm-caps",
    states="gradfeat-parity-geometry",
    title="Caps on the norms of a nice weight",
    says=r"Both caps fail with probability at most $2d^{-2-9C_b^2\tau r/8}$ at $x=(\frac98C_b^2\tau r+2)\log d$.",
    covers="norm-caps",
    domain={d: integers(2), r: integers(1), k: integers(1), c: reals(0, low_open=True)},
    where=r * k < d,
    grid={
        "smoke": [{d: 2, r: 1, k: 1, c: sp.Rational(1, 10)}],
        "standard": [{d: 3, r: 2, k: 1, c: sp.Rational(1, 10)}],
    },
    closed_form=2 * d ** (-2 - 9 * c * r / 8),
    relation=at_most(),
    legs=[
        LOG,
        BEST,
        POWER,
        beside(
            "weights",
            too_long,
            r"\Pr[\|P_Aw\|\text{ or }\|P_{A^\perp}w\|\text{ passes its cap}]",
            r"2d^{-2-9C_b^2\tau r/8}",
            statistic=probability(),
            unit=sp.Rational(1, 50),
            where=sp.And(d <= 4, c <= sp.Rational(1, 4)),
        ),
    ],
    rivals=[
        variant("d^-8", closed_form=2 * d ** (-8 - 9 * c * r / 8), leg="weights"),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(
            BEST,
            {
                "threshold k + 2 sqrt(k x) + x": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u)))"
                " - (u/(q + 2*u))*(2*q*u + u**2) == -u**2",
            },
        ),
        *rivals_of(POWER, {"d^-4": "exp(-(9*c*r/8 + 2)*log(d)) == d**(-4 - 9*c*r/8)"}),
    ],
)
