r"""Lemma E.4: the constant of logarithmic growth.

Setting. The network of ``_network.py`` with nS detectors of every feature and s common and s subclass patches in
every sample, no noise; A_c(t) = s (A nS + a_c nS), C = eta s/(2kP) as printed, x = C (t - T_11)/t_0.

Statements. (1) A step adds M C/(1 + e^(F_+)) to A_c(t), M = s nS (k + 1): the common detectors move k times as fast
as the subclass ones, and A_c counts each s nS times. (2) Printed, |A_c(t) - log(C (t - T_11) + t_0)| is at most
K/log^4 d times the harmonic sum, which is at most log(1 + x) + 1 for t_0 >= C: false. By (1) and the growth with
factors in every step (granularity-log-growth-perturbed) A_c(t) is log(M C (t - T_11) + t_0) up to a bound of that
kind, and at x = 1 the two logarithms are log((M + 1)/2) >= 2/5 apart, while both bounds together are below 2/5 from
log d = 2 (K + 1) on.

Reference: Lemma E.4, lines 1321-1380.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import claim, formula_leg, integers, leg, rivals_of, typed, variant

from ._data import features
from ._detectors import equal_batch, grown, labelled, planted
from ._network import BITS, number, outputs, updates

t, k, s, nS = sp.symbols("t k s nS", integer=True, positive=True)

APART = "log((M*x + 1)/(x + 1))"
EVENTS = "init batches c t"

printed = claim(
    "granularity-growth-constant-printed",
    states="granularity-log-growth",
    title="Logarithmic growth with the printed constant",
    says=r"For some $K$, $\log\frac{Mx+1}{x+1}\le\frac{2K}{\log^4d}(1+\log(1+x))$ for every $M\ge2$, at $x=1$ and "
    r"$\log d\ge2(K+1)$.",
    covers="printed-trajectory",
    reads={"O": "K", "d": "L"},
    expect="fail",
    legs=[
        formula_leg(
            "two logarithms",
            typed(
                f"{APART} <= 2*K/L**4*(1 + log(1 + x))",
                over=["K in [1, oo)", "L in [2*(K + 1), oo)", "M in [2, oo)", "x in [1, 1]"],
            ),
            over=EVENTS,
        )
    ],  # what holds with a smaller K holds with K = 1
)


def constant(t, k, s, nS):
    """What step t adds to A_c, times (1 + e^(F_+)), over eta s/(2kP). Shape ()."""
    with ctx.workprec(BITS):
        d, P, eta = 2 * k + 2, 2 * s + 1, Fraction(1, 2)
        batch = equal_batch(s, P, k, d)
        net = grown(
            planted(k, d, Fraction(1, 100), Fraction(-1, 200), nS),
            [batch] * t,
            eta,
            Fraction(1, 50),
        )
        moves, place = (
            updates(net, labelled(batch), eta)["+"],
            features("+", k).index(("+", 0)) * nS,
        )
        step = s * nS * (number(moves[0][0]) + number(moves[place][2]))
        return (
            step
            * (1 + number(outputs(net, batch[0]["patches"])["+"]).exp())
            / number(eta * Fraction(s, 2 * k * P))
        )


FACTOR = s * nS * (k + 1)
SUM = formula_leg(
    "both kinds",
    typed(
        f"s*nS*(eta*s/(2*P) + eta*s/(2*k*P))/(eta*s/(2*k*P)) == {FACTOR}",
        over=["s in 1..oo", "nS in 1..oo", "k in 1..oo", "P in 1..oo", "eta > 0"],
    ),
    over="init batches",
)
GAP = formula_leg("at x = 1", typed("log((M + 1)/2) >= 2/5", over="M in [2, oo)"), over=EVENTS)
BOUND = formula_leg(
    "both bounds", typed("2*K/L**4*2 < 2/5", over=["K > 0", "L in [2*(K + 1), oo)"]), over=EVENTS
)

right = claim(
    "granularity-growth-constant",
    lhs=r"\frac{(A_c(t+1)-A_c(t))(1+e^{F_+})}{\eta s^*/(2kP)}",
    states="granularity-log-growth",
    title="The constant of logarithmic growth",
    says=r"With equal counts every step adds $\frac{\eta s^{*2}n_S(1+1/k)}{2P}\cdot\frac1{1+e^{F_+}}$ to $A_c$: the "
    r"printed constant times $s^*n_S(k+1)$.",
    role="corrected",
    corrects="granularity-growth-constant-printed",
    covers="corrected-trajectory",
    encodes="special-case",
    reads={"c": "k"},
    left={"d": "equal counts, at every d; how far counts are equal for large d is not claimed"},
    domain={t: integers(0), k: integers(1), s: integers(1), nS: integers(1)},
    grid={
        "smoke": [{t: 0, k: 1, s: 1, nS: 3}, {t: 3, k: 3, s: 2, nS: 1}],
        "standard": [{t: 20, k: 3, s: 2, nS: 1}],
    },
    closed_form=FACTOR,
    legs=[
        leg("trained", constant, where=(t <= 25) & (k <= 4) & (s <= 4) & (nS <= 3)),
        SUM,
        GAP,
        BOUND,
    ],
    rivals=[
        variant(
            "the printed constant",
            closed_form=sp.Integer(1) + 0 * k,
            leg="trained",
            at=[{t: 3, k: 3, s: 2, nS: 1}],
        ),
        variant("s nS k", closed_form=s * nS * k, leg="trained"),
        *rivals_of(
            SUM,
            {"s nS k, collected": "s*nS*(eta*s/(2*P) + eta*s/(2*k*P))/(eta*s/(2*k*P)) == s*nS*k"},
        ),
        *rivals_of(GAP, {"from M = 1": {"over": "M in [1, oo)"}}),
        *rivals_of(BOUND, {"from K on": {"over": ["K > 0", "L in [K, oo)"]}}),
    ],
)
