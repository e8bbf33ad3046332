r"""Lemmas B.32 and B.33: when a nice neuron of a Gaussian mixture fires.

Setting. b = C_b sqrt(tau d log d) sigma_w S; a nice neuron has <w, mu_j> >= 3 b/2, <w, mu_l> <= b/2 for l != j and
|w| <= c sqrt d sigma_w; the standard deviations are at most S; h = C_b sqrt(tau log d)/(2 c).

Statements. On cluster l the neuron fires with probability Phi((<w, mu_l> - b)/(sigma_l |w|)), and the quotient is at
least h for l = j and at most -h for the others. Since Phi(-h) <= e^(-h^2/2) = d^(-C_b^2 tau/(8 c^2)), it fires on its
own cluster with probability at least 1 - d^-tau and on the others with at most d^-tau once C_b >= 2 sqrt 2 c:
constant 1. The source has C_b large enough; that is the reading of it here, and below it the power of d is smaller
than tau.

Reference: lines 6521-6555.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
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
tau = sp.symbols("tau", positive=True)
DOMAIN = {d: integers(2), tau: reals(8)}
GRID = {"smoke": [{d: 2, tau: 8}], "standard": [{d: 2, tau: 8}]}


def fires(ns, rng, size, d, tau, share):
    """Whether a neuron of length sqrt d with <w, mu> = share b fires at x ~ N(mu, I) in R^d, at the least bias b =
    2 sqrt 2 sqrt(tau d log d), c = S = sigma_w = 1. Shape (size,)."""
    n = ns.asarray(d)
    bias = ns.sqrt(8 * ns.asarray(tau) * n * ns.log(n))
    direction = ns.concat([ns.asarray([Fraction(3, 5), Fraction(4, 5)]), ns.zeros((d - 2,))])
    w, mu = ns.sqrt(n) * direction, ns.asarray(share) * bias / ns.sqrt(n) * direction
    x = mu + rng.normal((size, d))
    return ns.where(ns.sum(x * w, axis=1) >= bias, 1, 0)


def fires_on_own(ns, rng, size, d, tau):
    """On the own cluster, <w, mu_j> = 3 b/2."""
    return fires(ns, rng, size, d, tau, Fraction(3, 2))


def fires_on_other(ns, rng, size, d, tau):
    """On another cluster, <w, mu_l> = b/2."""
    return fires(ns, rng, size, d, tau, Fraction(1, 2))


def fires_off_centre(ns, rng, size, d, tau):
    """Where <w, mu> = b."""
    return fires(ns, rng, size, d, tau, Fraction(1))


def draws(program, lhs, tex):
    return beside(
        "draws", program, lhs, tex, statistic=probability(), where=sp.And(d <= 2, tau <= 8)
    )


def one():
    """The constant of both orders."""
    return 1


# q = sqrt d sigma_w, B = b; b/(2 S c q) = h
BIAS = [
    "Cb in (0, oo)",
    "c in (0, oo)",
    "q in (0, oo)",
    "S in (0, oo)",
    "s in (0, S]",
    "n in (0, c*q]",
]
OWN = typed("(u - B)/(s*n) >= B/(2*S*c*q)", over=["B in (0, oo)", *BIAS[1:], "u in [3*B/2, oo)"])
OTHER = typed("(u - B)/(s*n) <= -B/(2*S*c*q)", over=["B in (0, oo)", *BIAS[1:], "u in (-oo, B/2]"])
TAIL = typed("erfc(h/sqrt(2))/2 <= exp(-h**2/2)", over="h in [0, oo)")
# with h^2 = (C_b/(2 c))^2 tau log d and (C_b/c)^2 = r >= 8
POWER = typed(
    "exp(-(r/4)*tau*log(d)/2) <= d**(-tau)", over=["r in [8, oo)", "d in 2..oo", "tau in [8, oo)"]
)

OWN_POWER = typed(
    "1 - exp(-(r/4)*tau*log(d)/2) >= 1 - d**(-tau)",
    over=["r in [8, oo)", "d in 2..oo", "tau in [8, oo)"],
)

own = claim(
    "gradfeat-mixture-own-activation",
    states="gradfeat-mog-activation",
    title="A nice neuron on its own cluster",
    says=r"$\Pr[\langle w,x\rangle\ge b]\ge1-d^{-\tau}$ on cluster $j$ for every nice $w$, $C_b$ large enough read as "
    r"$C_b\ge2\sqrt2c$.",
    role="reading",
    covers="own",
    legs=[
        formula_leg("distance", OWN, over="j w x", gives="O", chosen_by=one),
        formula_leg("tail", TAIL, over="j w x"),
        formula_leg("as a power of d", OWN_POWER, over="j w x"),
        draws(fires_on_own, r"\Pr[\langle w,x\rangle\ge b]", r"1-d^{-\tau}"),
    ],
    domain=DOMAIN,
    grid=GRID,
    closed_form=1 - d ** (-tau),
    relation=at_least(),
    rivals=[
        variant("a mean of b", simulation=fires_off_centre, leg="draws"),
        *rivals_of(
            formula_leg("distance", OWN),
            {"means of b": {"over": ["B in (0, oo)", *BIAS[1:], "u in [B, oo)"]}},
        ),
        *rivals_of(formula_leg("tail", TAIL), {"exponent h^2": "erfc(h/sqrt(2))/2 <= exp(-h**2)"}),
        *rivals_of(
            formula_leg("as a power of d", OWN_POWER),
            {
                "C_b = 2 c": {"over": ["r in [4, oo)", "d in 2..oo", "tau in [8, oo)"]},
            },
        ),
    ],
)

others = claim(
    "gradfeat-mixture-other-activation",
    states="gradfeat-mog-activation",
    title="A nice neuron on other clusters",
    says=r"$\Pr[\langle w,x\rangle\ge b]\le d^{-\tau}$ on every cluster $l\ne j$ for every nice $w$, "
    r"$C_b$ large enough read as $C_b\ge2\sqrt2c$.",
    role="reading",
    covers="others",
    legs=[
        formula_leg("distance", OTHER, over="l w x", gives="O", chosen_by=one),
        formula_leg("tail", TAIL, over="l w x"),
        formula_leg("as a power of d", POWER, over="l w x"),
        draws(fires_on_other, r"\Pr[\langle w,x\rangle\ge b]", r"d^{-\tau}"),
    ],
    domain=DOMAIN,
    grid=GRID,
    closed_form=d ** (-tau),
    relation=at_most(),
    rivals=[
        variant("a mean of b", simulation=fires_off_centre, leg="draws"),
        *rivals_of(
            formula_leg("distance", OTHER),
            {"means of b": {"over": ["B in (0, oo)", *BIAS[1:], "u in (-oo, B]"]}},
        ),
        *rivals_of(formula_leg("tail", TAIL), {"exponent h^2": "erfc(h/sqrt(2))/2 <= exp(-h**2)"}),
        *rivals_of(
            formula_leg("as a power of d", POWER),
            {
                "C_b = 2 c": {"over": ["r in [4, oo)", "d in 2..oo", "tau in [8, oo)"]},
            },
        ),
    ],
)

H = "(C_b*sqrt(tau*log(d))/(2*c))"
POSITIVE = ["C_b in (0, oo)", "c in (0, oo)", "tau in (0, oo)", "d in [1, oo)"]
EXPLICIT_TAIL = formula_leg("tail", TAIL)
EXPLICIT = formula_leg(
    "as a power of d",
    typed(f"exp(-{H}**2/2) == d**(-C_b**2*tau/(8*c**2))", over=POSITIVE),
)

explicit = claim(
    "gradfeat-mixture-activation-explicit",
    states="gradfeat-mog-emergence",
    title="Activation off the own cluster, explicitly",
    says=r"$\Phi(-h)\le d^{-C_b^2\tau/(8c^2)}$ for $h=C_b\sqrt{\tau\log d}/(2c)$.",
    covers="explicit",
    legs=[EXPLICIT_TAIL, EXPLICIT],
    rivals=[
        *rivals_of(EXPLICIT_TAIL, {"exponent h^2": "erfc(h/sqrt(2))/2 <= exp(-h**2)"}),
        *rivals_of(EXPLICIT, {"C_b^2/4": f"exp(-{H}**2/2) == d**(-C_b**2*tau/(4*c**2))"}),
    ],
)
