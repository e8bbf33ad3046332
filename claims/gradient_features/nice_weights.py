r"""Lemmas B.31 and B.48: the conditions on the directions of a nice weight.

Setting. Standard normal coordinates along orthonormal directions, which are independent; Q the tail.

Statements. (1) P[g >= x] = Q(x), P[g <= y] = 1 - Q(y) and P[|g| <= y] = 1 - 2 Q(y): for orthogonal means of one
length the two conditions on the directions of a mixture have probability Q(3z/2) Phi(z/2)^(r-1), and for structured
parities Q(3 z_0/2) (1 - 2 Q(z_0/ 2))^(r-1). (2) At x = (9 C_b^2 tau r/8 + 2) log d both norm caps fail with
probability at most 2 e^-x = 2 d^(-2 - 9 C_b^2 tau r/8), by the chi-squared tail.

Reference: lines 6423-6450, 7014-7050.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

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
    legs=[M_ABOVE, M_BELOW, M_PRODUCT],
    rivals=[
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
    legs=[P_ABOVE, P_WITHIN, P_PRODUCT],
    rivals=[
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
    legs=[LOG, BEST, POWER],
    rivals=[
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
