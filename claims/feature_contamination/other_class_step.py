"""Lemma B.9: one step of population gradient descent on the mean over the other class.

Setting. As in `one_step`: E- is the mean of <w_k, x> over the class y = -sign(a_k), P- the chance that an input of
it is active.

Statements. E- falls by eta [(gyc - gyb) + (gnc + gnb)] beyond the decay. Printed is an equality with
Theta(eta d0/m) P-: for w = (mu, .., mu), P- = 0 and E- falls all the same, whatever the constant.

Reference: Lemma B.9, lines 672-800.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import Proof, claim, instances, integers, leg, reals, variant

from ._network import dot, population
from .gradient_projection import FIELDS, SMALL, d_bg, d_core, m
from .one_step import BASE, NETWORKS, ONE, SIZES, eta, lam, one_sided, other_fall, own_growth, parts


def two_brackets(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """eta ((gyc - gyb) + (gnc + gnb)). Shape (m,)."""
    return [
        Fraction(eta) * ((yc - yb) + (nc + nb))
        for yc, nc, yb, nb in parts(W, s, values, weights, d_core)
    ]


def second_bracket(W, s, values, weights, m, d_core, d_bg, eta, lam):
    return [Fraction(eta) * (nc + nb) for _, nc, _, nb in parts(W, s, values, weights, d_core)]


def along_the_means(rng, m, d_core, d_bg, eta, lam):
    """w = (mu, .., mu)/8 with s = 1: features 1/2 or 1, so that other-class inputs are off once d_core > 2 d_bg."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(3, 32)] * size] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


recursion = claim(
    "contamination-negative-correlation-recursion",
    lhs=r"(1-\lambda\eta)E_k^-(t)-E_k^-(t+1)",
    tex=r"\eta\,[(g_{y,\mathrm{core}}-g_{y,\mathrm{bg}})+(g_{-y,\mathrm{core}}+g_{-y,\mathrm{bg}})]",
    states="contamination-negative-correlation",
    title="Fall of the other-class mean in one step",
    says=r"For every neuron with $\mathrm{sign}(a_k) = y$, $E^-$ falls by "
    r"$\eta[(g_{y,\mathrm{core}} - g_{y,\mathrm{bg}}) + (g_{-y,\mathrm{core}} + "
    r"g_{-y,\mathrm{bg}})]$ beyond the decay.",
    role="corrected",
    corrects="contamination-negative-correlation-printed",
    covers="exact-recursion",
    legs=[
        leg(
            "one step",
            other_fall,
            reference=two_brackets,
            instances=NETWORKS,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant(
            "the first bracket dropped, as printed",
            reference=second_bracket,
            at=[BASE | {m: 2, d_core: 2}],
            instances=instances(one_sided, FIELDS, smoke=1),
        ),
        variant(
            "E+ for E-",
            simulation=own_growth,
            instances=instances(one_sided, FIELDS, smoke=1),
            at=ONE,
        ),
    ],
    **SIZES,
)


def at_the_means(m, d_core, d_bg, eta, lam):
    """At w = (mu, .., mu)/8: w, P- by enumeration, and the fall of E- in one step."""
    found = along_the_means(None, m, d_core, d_bg, eta, lam)
    W, s, values, weights = (found[name] for name in ("W", "s", "values", "weights"))
    active = sum(
        (e.chance for e in population(values, weights, d_core, (-1,)) if dot(W[0], e.x) >= 0),
        Fraction(0),
    )
    return W, active, other_fall(W, s, values, weights, m, d_core, d_bg, eta, lam)[0]


def every_constant(m, d_core, d_bg, eta, lam):
    """At w = (mu, .., mu)/8 no example of the other class is active, so that the printed fall is 0 for every constant;
    the fall of E- is computed from one step."""
    W, active, fall = at_the_means(m, d_core, d_bg, eta, lam)
    same = active > 0 or fall == 0
    return Proof(
        holds=same,
        method="enumeration of the population at one neuron",
        witness={"P-": str(active), "fall of E-": str(fall)},
        counterexample=None
        if same
        else {"w": str(W[0][0]), "P-": str(active), "fall of E-": str(fall)},
        rung="exhaustive",
    )


printed = claim(
    "contamination-negative-correlation-printed",
    states="contamination-negative-correlation",
    title="The recursion of the other-class mean as printed",
    says=r"There is a constant $C > 0$ with which $E^-$ falls by $C\,\eta\,(d_0/m)\,P^-$ in a step, "
    "for every neuron.",
    expect="fail",
    covers="printed-equality",
    reads={"t": "m d_core d_bg"},
    domain={
        m: integers(1),
        d_core: integers(1),
        d_bg: integers(1),
        eta: reals(0, low_open=True),
        lam: reals(0),
    },
    where=(d_core > 2 * d_bg) & (d_core + d_bg <= 10),
    grid={"smoke": [{m: 1, d_core: 3, d_bg: 1, eta: Fraction(1), lam: Fraction(0)}]},
    legs=[leg("every constant", every_constant, arithmetic="proof", over="Theta y k")],
)


def fall_at_the_means(m, d_core, d_bg, eta, lam):
    """Shape ()."""
    return at_the_means(m, d_core, d_bg, eta, lam)[2]


def activity_at_the_means(m, d_core, d_bg, eta, lam):
    """P-. Shape ()."""
    return at_the_means(m, d_core, d_bg, eta, lam)[1]


MU = sp.Rational(3, 4)
witness = claim(
    "contamination-negative-correlation-witness",
    lhs=r"(1-\lambda\eta)E_k^-(t)-E_k^-(t+1)",
    tex=r"\tfrac{\eta\,(S_c-S_b)}{2m}",
    states="contamination-negative-correlation",
    title="A neuron along the means that no other-class input activates",
    says=r"For $w=(\mu,\dots,\mu)/8$ and fair features 1/2 or 1, $d_{\mathrm{core}}>2d_{\mathrm{bg}}$, $P^-=0$ "
    r"and $E^-$ falls by $\eta(S_c-S_b)/(2m)$ beyond the decay.",
    role="derived",
    domain={
        m: integers(1),
        d_core: integers(1),
        d_bg: integers(1),
        eta: reals(0, low_open=True),
        lam: reals(0),
    },
    where=d_core > 2 * d_bg,
    grid={
        "smoke": [BASE | {d_core: 3}, BASE | {m: 2, d_core: 4, lam: 0}, BASE | {d_core: 5, d_bg: 2}]
    },
    closed_form=eta * MU**2 * (d_core - d_bg) / (2 * m),
    legs=[
        leg("fall", fall_at_the_means, where=d_core + d_bg <= 7),
        leg(
            "activity",
            activity_at_the_means,
            closed_form=sp.Integer(0),
            unit=1,
            where=d_core + d_bg <= 7,
            lhs="P^-",
            tex="0",
        ),
    ],
    rivals=[
        variant("0, as printed", leg="fall", closed_form=sp.Integer(0) * m),
        variant("S for Sc - Sb", leg="fall", closed_form=eta * MU**2 * (d_core + d_bg) / (2 * m)),
        variant("three times the background", leg="activity", at=[BASE | {d_bg: 3}]),
    ],
)
