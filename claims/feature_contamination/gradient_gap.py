"""Lemmas A.2, C.2, C.3 and the empirical half of A.3: batches large enough, a polynomial in d.

Setting. S = batch mean - population gradient of neuron k at fixed weights, fresh batch of N; every |<S, m_j>| is at
most |S|.

Statement. By the corrected tail of `empirical_gradient` (the exponent 3 m^2 N delta^2/(24 d_0 + 4 sqrt(d_0) m
delta)), with N = 28 d^2/delta^2, |S| >= delta has probability at most e^-d, for every 0 < delta <= 1, m >= 1 and d_0
<= d. For delta = d^-q that is a polynomial of degree 2 q + 2, one for all k, j and t; a union over the steps of a run
is extra. For the linear network before saturation the population gradient on the background is 0
(`linear_bg_gradient`), so that the batch's own is at most delta.

Reference: Lemma A.2, lines 386-416; Lemma A.3, lines 418-426; Lemmas C.2 and C.3, lines 1018-1041 (ICML 2024).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, typed, variant

DOMAIN = ["s in [1, oo)", "u in (0, 1]", "m in [1, oo)", "t in (0, 1]"]
"""s = sqrt(d), u = sqrt(d_0/d), t = delta."""
PAID = {"over": "k j t batch"}


def square():
    """28 d^2/delta^2, before everything else is known."""
    return 28


gap = claim(
    "contamination-empirical-gradient-size",
    states=[
        "contamination-empirical-gradient",
        "contamination-linear-empirical-gradient",
        "contamination-gradient-projection",
        "contamination-linear-bg-gradient",
    ],
    title="A batch of polynomial size is enough",
    says=r"For every $0<\delta\le1$, $m\ge1$ and $d_0\le d$ the corrected bound on $\Pr[|S|\ge\delta]$ is at most "
    r"$e^{-d}$ with $N=28d^2/\delta^2$ examples, for ReLU and linear networks, every neuron, feature and step.",
    role="reading",
    covers=[
        "contamination-empirical-gradient/gap-small",
        "contamination-linear-empirical-gradient/gap-small",
        "batch-equals-population",
        "batch-bound",
    ],
    legs=[
        formula_leg(
            "denominator",
            typed("24*(s*u)**2 + 4*s*u*m*t <= 28*m**2*s**2", over=DOMAIN),
            gives="N",
            chosen_by=square,
            **PAID,
        ),
        formula_leg(
            "exponent",
            typed("3*m**2*(28*(s**2)**2/t**2)*t**2/(28*m**2*s**2) == 3*s**2", over=DOMAIN),
            **PAID,
        ),
        formula_leg("dimension", typed("log(d + 1) - 3*d <= -d", over="d in [1, oo)"), **PAID),
    ],
    rivals=[
        variant(
            "N = 28 d/delta^2",
            leg="exponent",
            simulation=typed("3*m**2*(28*s**2/t**2)*t**2/(28*m**2*s**2) == 3*s**2", over=DOMAIN),
        ),
        variant(
            "27 for 28",
            leg="denominator",
            simulation=typed("24*(s*u)**2 + 4*s*u*m*t <= 27*m**2*s**2", over=DOMAIN),
        ),
        variant(
            "probability e^(-3 d)",
            leg="dimension",
            simulation=typed("log(d + 1) - 3*d <= -3*d", over="d in [1, oo)"),
        ),
    ],
)
