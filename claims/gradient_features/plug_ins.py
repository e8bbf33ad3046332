r"""Theorems 3.18 and 3.22: the cone terms of mixtures and structured parities.

Setting. The cone term is r' B_a1 B_x1 sqrt(2 gamma), r' the neurons of the reference network. Mixtures: r' = r, B_a1
= 1/s, s = sqrt(tau log d) S, B_x1 = (B_mu2 + S) sqrt d, gamma = d^-(0.9 tau - 1.5). Parities: r' = 3 r (k + 1), B_a1
= 2 sqrt k, B_x1 = sqrt d, gamma = d^-(tau - 2).

Statements. (1) The mixture's term is sqrt 2 r (B_mu2 + S) sqrt d d^(-(0.9 tau - 1.5)/2)/s, (B_mu2 + S) sqrt d/B_mu2
times the printed one. (2) With gamma = C d^(2 - 1.8 tau) and B_mu2 <= S it is below sqrt 2 r d^-(0.4 tau - 0.8) for
tau >= 8 and d >= max(C, 3). (3) The parity's term is 6 sqrt 2 r (k + 1) sqrt k d^(-(tau - 3)/2), 3 (k + 1) times the
printed 2 sqrt 2 r sqrt k d^(...). (4) With a term of C r (k + 1) d^(2 - tau) it is below 3 r sqrt k d^(-(tau - 3)/2)
for tau >= 8 and d >= max(C, 3), k <= d.

Reference: lines 6687-6700, 7218-7230.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

S_SMALL = "(sqrt(tau*log(d))*S)"
TERM = f"r*(1/{S_SMALL})*((M + S)*sqrt(d))*sqrt(2*d**(-(9*tau/10 - 3/2)))"
PRINTED = f"sqrt(2)*r*M*d**(-(9*tau/10 - 3/2)/2)/{S_SMALL}"
MIXTURE = ["r in 1..oo", "d in 2..oo", "tau in [8, oo)", "M in (0, oo)", "S in (0, oo)"]

mixture = formula(
    "gradfeat-mixture-cone-term",
    states="gradfeat-mog-main",
    title="The cone term of mixtures",
    covers="plug-in",
    reads={"parameters": "r d tau M S"},
    says=f"{TERM} == {PRINTED}*(sqrt(d)*(M + S)/M)",
    over=MIXTURE,
    rivals={"as printed": f"{TERM} == {PRINTED}"},
)


# (B_mu2 + S)/S <= 2: the factor r sqrt 2 is on both sides
BELOW = formula_leg(
    "exponents",
    typed(
        "2*sqrt(d)*d**(3/2 - 9*tau/10) <= d**(-(2*tau/5 - 4/5))",
        over=["tau in [8, oo)", "d in 3..oo"],
    ),
)
CONSTANT = formula_leg(
    "constant",
    typed(
        "2*sqrt(C)*y/sqrt(tau*log(d)) <= 2*sqrt(d)*y",
        over=["C in (0, oo)", "tau in [8, oo)", "d in 3..oo", "y in (0, oo)"],
        where="d >= C",
    ),
)
AT = formula_leg(
    "the corrected aperture",
    typed(
        "2*sqrt(d)*sqrt(2*C*d**(2 - 9*tau/5))/sqrt(tau*log(d)) == sqrt(2)*(2*sqrt(C)*d**(3/2 - "
        "9*tau/10)/sqrt(tau*log(d)))",
        over=["C in (0, oo)", "tau in [8, oo)", "d in 3..oo"],
    ),
)

mixture_survives = claim(
    "gradfeat-mixture-final-bound",
    states="gradfeat-mog-main",
    title="The final bound for mixtures with the sharper cone",
    says=r"With $\gamma=Cd^{2-1.8\tau}$ the cone term is at most $\sqrt2\,r\,d^{-(0.4\tau-0.8)}$ for every "
    r"$\tau\ge8$ and $d\ge"
    r"\max(C,3)$.",
    covers="final-bound-survives",
    legs=[BELOW, CONSTANT, AT],
    rivals=[
        *rivals_of(
            BELOW, {"exponent 4 - 0.9 tau": "2*sqrt(d)*d**(4 - 9*tau/10) <= d**(-(2*tau/5 - 4/5))"}
        ),
        *rivals_of(CONSTANT, {"C^2": "2*C**2*y/sqrt(tau*log(d)) <= 2*sqrt(d)*y"}),
        *rivals_of(
            AT,
            {
                "gamma^2": "2*sqrt(d)*sqrt(2*C*d**(2 - 9*tau/5))/sqrt(tau*log(d)) == sqrt(2)*(2*C*d**(3/2 - 9*tau/10)"
                "/sqrt(tau*log(d)))",
            },
        ),
    ],
)

PARITY = ["r in 1..oo", "k in 1..oo", "d in 2..oo", "tau in [8, oo)"]
PARITY_TERM = "3*r*(k + 1)*2*sqrt(k)*sqrt(d)*sqrt(2*d**(-(tau - 2)))"

parity = formula(
    "gradfeat-parity-cone-term",
    states="gradfeat-parity-main",
    title="The cone term of structured parities",
    covers="plug-in",
    says=f"{PARITY_TERM} == 6*sqrt(2)*r*(k + 1)*sqrt(k)*d**(-(tau - 3)/2)",
    over=PARITY,
    rivals={
        "as printed": f"{PARITY_TERM} == 2*sqrt(2)*r*sqrt(k)*d**(-(tau - 3)/2)",
        "d^(-tau/2)": f"{PARITY_TERM} == 6*sqrt(2)*r*(k + 1)*sqrt(k)*d**(-tau/2)",
    },
)

C, d, k, tau = sp.symbols("C d k tau", positive=True)
FINAL = 3 * sp.sqrt(k) * d ** (-(tau - 3) / 2)
SURVIVES = formula_leg(
    "exponents",
    typed(
        "C*2*d**(5/2 - tau) <= 3*d**(-(tau - 3)/2)",
        over=["C in (0, oo)", "tau in [8, oo)", "d in 3..oo"],
        where="d >= C",
    ),
)
# k + 1 <= 2 k <= 2 sqrt k sqrt d
NEURONS = formula_leg(
    "neurons",
    typed("(k + 1)*d**(-1/2) <= 2*sqrt(k)", over=["k in 1..oo", "d in k..oo"]),
    over="tau",
)
# x = C d^(5/2 - tau), and so C (k + 1) d^(2 - tau) <= 2 sqrt k x
TOGETHER = formula_leg(
    "both",
    typed(
        f"2*sqrt(k)*x <= {FINAL}",
        over=["k in 1..oo", "x in (0, oo)", "tau in [8, oo)", "d in 3..oo"],
        where="2*x <= 3*d**(-(tau - 3)/2)",
    ),
)


def cone_term(ns, C, d, k, tau, power=3):
    """r' B_a1 B_x1 sqrt(2 gamma)/r for r' = 3 r (k + 1), gamma = 1 - cos = (C/6)^2 d^(3 - 2 tau)/(2 k). Shape ()."""
    C, d, k, tau = map(ns.asarray, (C, d, k, tau))
    gamma = (C / 6) ** 2 * ns.exp((power - 2 * tau) * ns.log(d)) / (2 * k)
    return 3 * (k + 1) * (2 * ns.sqrt(k)) * ns.sqrt(d) * ns.sqrt(2 * gamma)


def four_powers_more(ns, C, d, k, tau):
    return cone_term(ns, C, d, k, tau, power=11)


parity_survives = claim(
    "gradfeat-parity-final-bound",
    states="gradfeat-parity-main",
    title="The final bound for structured parities with the sharper cone",
    says=r"A cone term of $Cr(k+1)d^{2-\tau}$ is at most $3r\sqrt kd^{-(\tau-3)/2}$ for every $\tau\ge8$, $k\le "
    r"d$ and $d\ge"
    r"\max(C,3)$.",
    covers="survives",
    reads={"O": "C"},
    domain={C: reals(0, low_open=True), tau: reals(8), k: integers(1), d: integers(3)},
    where=sp.And(d >= C, k <= d, d <= 10**6, tau <= 40),
    grid={
        "smoke": [
            {C: 3, tau: 8, k: 3, d: 3},
            {C: 2, tau: Fraction(17, 2), k: 1, d: 4},
            {C: 10, tau: 9, k: 7, d: 10},
        ]
    },
    relation=at_most(),
    legs=[
        SURVIVES,
        NEURONS,
        TOGETHER,
        leg(
            "at sizes",
            cone_term,
            arithmetic="ball",
            closed_form=FINAL,
            lhs=r"3(k+1)\cdot2\sqrt k\sqrt d\sqrt{2\gamma}",
            unit=1,
            required=False,
        ),
    ],
    rivals=[
        *rivals_of(SURVIVES, {"exponent 6 - tau": "C*2*d**(6 - tau) <= 3*d**(-(tau - 3)/2)"}),
        *rivals_of(NEURONS, {"k beyond d": {"over": ["k in 1..oo", "d in 1..oo"]}}),
        *rivals_of(TOGETHER, {"2/3 of it": f"2*sqrt(k)*x <= {2 * FINAL / 3}"}),
        variant("a thirtieth of it", closed_form=FINAL / 30, leg="at sizes"),
        variant("exponent 6 - tau, run", simulation=four_powers_more, leg="at sizes"),
    ],
)
