r"""How much stronger the noise is than the signal, direction by direction.

Setting. s2/q = (C_xi/C_z) sqrt L/log L with L = log d, from s2 = C_xi sqrt(log d)/d and q = C_z log log d/d.

Statements. (1) sqrt L/log L >= e/2 for L > 1, with equality at L = e^2; it is below 3 for 2 <= L <= 288 and above 3
from 289 on. (2) It grows without bound: log L <= 4 L^(1/4), so that the ratio passes K from L = (4 K C_z/C_xi)^4 on.

Reference: lines 114-116 and 204.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT
from ._gaussian import BITS, mean_of, number


def ratio_of_variances(C_z, C_xi, K, power=4):
    """Second moment of the noise over that of the signal along a column, at log d = (4 K C_z/C_xi)^power: the noise
    integrated, the signal by its codes. Shape ()."""
    with ctx.workprec(BITS):
        L = (4 * number(K * C_z / C_xi)) ** power
        variance = number(C_xi) * L.sqrt() * (-L).exp()
        q = number(C_z) * L.log() * (-L).exp()
        signal = sum(
            (z * z * chance for z, chance in ((0, 1 - q), (1, q / 2), (-1, q / 2))), arb(0)
        )
        noise = mean_of([(None, None, lambda u: u * u / variance)], 0, variance.sqrt())
        return noise * variance / signal


def at_the_root(C_z, C_xi, K):
    return ratio_of_variances(C_z, C_xi, K, power=1)


def stated_ratio(C_z, C_xi, K):
    return K


def constants(rng):
    return {
        "C_z": Fraction(int(rng.integers(2, 9)), 2),
        "C_xi": Fraction(1),
        "K": Fraction(int(rng.integers(2, 5))),
    }


LEAST = formula_leg("least", typed("c*sqrt(L)/log(L) >= c*E/2", over=["c > 0", "L in (1, oo)"]))
THERE = formula_leg("attained", typed("c*sqrt(E**2)/log(E**2) == c*E/2", over="c > 0"), over="d")
BEFORE = formula_leg(
    "below 3", typed("sqrt(L)/log(L) < 3", over="L in [2, 288]"), over="C_xi_over_C_z"
)
FROM = formula_leg(
    "above 3", typed("sqrt(L)/log(L) > 3", over="L in [289, oo)"), over="C_xi_over_C_z"
)

dominates = claim(
    "decoupling-noise-ratio",
    states="decoupling-data-model",
    title="Noise against signal in one direction",
    says=r"$\sigma_\xi^2/q=\frac{C_\xi}{C_z}\frac{\sqrt L}{\log L}\ge\frac{C_\xi}{C_z}\frac e2$, $L=\log "
    r"d>1$, with equality "
    r"at $L=e^2$; $\frac{\sqrt L}{\log L}$ passes 3 between 288 and 289.",
    covers="noise-dominates",
    reads={"d": "L", "C_xi_over_C_z": "c"},
    legs=[LEAST, THERE, BEFORE, FROM],
    rivals=[
        *rivals_of(LEAST, {"7/5": "c*sqrt(L)/log(L) >= 7*c/5"}),
        *rivals_of(THERE, {"at e": "c*sqrt(E)/log(E) == c*E/2"}),
        *rivals_of(BEFORE, {"to 289": {"over": "L in [2, 289]"}}),
        *rivals_of(FROM, {"from 288 on": {"over": "L in [288, oo)"}}),
    ],
)

BEYOND = formula_leg(
    "beyond K",
    typed(
        "c*sqrt(log(d))/log(log(d)) >= K",
        over=["c > 0", "K > 0 real", "d in (E, oo)"],
        where="log(d)**(1/4) >= 4*K/c",
    ),
)

grows = claim(
    "decoupling-noise-ratio-grows",
    lhs=r"\sigma_\xi^2/q",
    tex="K",
    states="decoupling-linear-barrier",
    title="The ratio grows without bound",
    says=r"$\sigma_\xi^2/q\ge K$ for all $d$ with $\log d\ge(4KC_z/C_\xi)^4$.",
    covers="much-larger",
    **ONE_POINT,
    legs=[
        leg(
            "variances",
            ratio_of_variances,
            reference=stated_ratio,
            relation=at_least(),
            required=False,
            instances=instances(constants, "C_z C_xi K", smoke=3, standard=6),
        ),
        BEYOND,
    ],
    rivals=[
        variant("from 4 K C_z/C_xi on", simulation=at_the_root, leg="variances"),
        *rivals_of(BEYOND, {"from log d = K/c on": {"where": "log(d) >= K/c"}}),
    ],
)
