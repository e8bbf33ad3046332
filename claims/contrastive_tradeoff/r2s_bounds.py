"""Proposition F.8 and section 7.2.2: r = 2s, what the bounds say of universal and specific pre-training.

Setting. As in `example_r2s`: weights 1 on S and T^{-1/2} on the private coordinates, v_1 and v_2 the squared lengths of
the label vector on S and on P_t. The leading term of a bound is |u| (E|phi|^2)^{1/2} of the smallest predictor u.

Statements. (3) and (4) there.

Reference: Proposition F.8 and section 7.2.2, lines 2051-2055 and 9822-9838.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    rivals_of,
    sharpened,
    typed,
    variant,
)

from ._predictors import even_label, leading_term
from .mixture_risk import EXACT, EXACT_RIVALS, SAMPLES, VACUOUS, VACUOUS_RIVALS

s, T = sp.symbols("s T", integer=True, positive=True)


def leading(v_1, v_2, r):
    """What the bound has over sqrt(m), but for its constant."""
    return f"sqrt({v_1} + T*{v_2})*sqrt({r}*(T + 1)/(2*T))"


SUBSTITUTED = formula_leg(
    "substitution",
    typed(
        f"sqrt(v_1 + v_2*T)*sqrt(s + s/T) == {leading('v_1', 'v_2', '2*s')}",
        over=["s in 1..oo", "T in 1..oo", "v_1 in [0, oo)", "v_2 in [0, oo)"],
    ),
)

risk_form = claim(
    "contrastive-r2s-risk-form",
    states="contrastive-example-r2s",
    title="The bound on the risk at $r=2s$",
    says=r"Its leading term is the general one with 0 for $O(\cdot)$; for $m < r$ it is above the "
    r"risk of any predictor of the class, and for $m \ge r$ the empirical minimiser is "
    "exact.",
    encodes="special-case",
    covers="risk-form",
    legs=[EXACT, SUBSTITUTED, VACUOUS],
    rivals=[
        *rivals_of(
            SUBSTITUTED,
            {
                "r/2 for r": "sqrt(v_1 + v_2*T)*sqrt(s + s/T) == sqrt(v_1 + T*v_2)*sqrt(s*(T + 1)/(2*T))",
                "without T v_2": "sqrt(v_1 + v_2*T)*sqrt(s + s/T) == sqrt(v_1 + v_2)*sqrt(2*s*(T + 1)/(2*T))",
            },
        ),
        *reaching(SUBSTITUTED, "T > 100 and s > 100 and v_2 > 100"),
        *EXACT_RIVALS,
        *VACUOUS_RIVALS,
    ],
    **SAMPLES,
)

v = sp.Symbol("v", positive=True)
FACTOR = (T + 1) / (2 * sp.sqrt(T))
EVEN = instances(even_label, "Q label v", smoke=3, standard=6)
PAIRS = {
    "smoke": [{s: 1, T: 2}, {s: 2, T: 5}, {s: 3, T: 1}],
    "standard": {s: [1, 2, 4], T: [1, 3, 10]},
}


def of_universal(ns, Q, label, s, T):
    """The leading term at weights (1, T^{-1/2}). Shape (B,)."""
    return leading_term(ns, Q, label, s, 1, 1 / ns.sqrt(ns.asarray(T)))


def of_specific(ns, Q, label, s, T):
    """At weights 1, which the task alone gives. Shape (B,)."""
    return leading_term(ns, Q, label, s, 1, 1)


def both_terms(ns, Q, label, s, T):
    """Shape (B, 2)."""
    found = [of_universal(ns, Q, label, s, T), of_specific(ns, Q, label, s, T)]
    return ns.stack(found, axis=1)


def universal_over_specific(ns, Q, label, s, T):
    """Shape (B,)."""
    return of_universal(ns, Q, label, s, T) / of_specific(ns, Q, label, s, T)


def at_weight_inverse_T(ns, Q, label, s, T):
    """With 1/T for a weight, and not for its square."""
    term = leading_term(ns, Q, label, s, 1, ns.rational(1, T))
    return term / of_specific(ns, Q, label, s, T)


def term_of_universal(v_1, v_2, r):
    """`leading` as an expression."""
    return sp.sympify(leading(v_1, v_2, r), locals={"T": T, "s": s, "v": v})


RATIO = formula_leg(
    "ratio of the terms",
    typed(
        f"{leading('v', 'v', '2*s')}/(sqrt(2*s)*sqrt(v + v)) == {FACTOR}",
        over=["T in 1..oo", "s in 1..oo", "v in (0, oo)"],
    ),
)

ratio = claim(
    "contrastive-risk-ratio",
    states="contrastive-example-r2s",
    title="Universal against specific pre-training",
    says=r"For $v_1 = v_2$ the leading term $|u|\,(\mathbb{E}|\phi|^2)^{1/2}$ of the smallest predictor on the "
    r"universal representation is $(T + 1)/(2\sqrt{T})$ times that on the specific one.",
    covers="ratio",
    reads={"r": "s", "u_star": "v"},
    domain={s: integers(1), T: integers(1)},
    grid=PAIRS,
    lhs=r"\frac{|u|\sqrt{\mathbb E|\phi|^2}}{|u_t|\sqrt{\mathbb E|\phi_t|^2}}",
    tex=r"\frac{T+1}{2\sqrt T}",
    closed_form=FACTOR,
    legs=[
        leg("smallest predictors", universal_over_specific, required=False, instances=EVEN),
        leg(
            "both terms",
            both_terms,
            required=False,
            closed_form=sp.Matrix(
                [term_of_universal("v", "v", "2*s"), sp.sqrt(2 * s) * sp.sqrt(2 * v)]
            ),
            lhs=r"(|u|\sqrt{\mathbb E|\phi|^2},\ |u_t|\sqrt{\mathbb E|\phi_t|^2})",
            tex=r"(\sqrt{v+Tv}\sqrt{s+s/T},\ \sqrt{2v}\sqrt{2s})",
            instances=EVEN,
        ),
        RATIO,
    ],
    rivals=[
        variant("1/T for the weight", simulation=at_weight_inverse_T, leg="smallest predictors"),
        variant("sqrt(T), run", closed_form=sp.sqrt(T), leg="smallest predictors"),
        variant(
            "|u*| for |u|",
            closed_form=sp.Matrix(
                [sp.sqrt(2 * v) * sp.sqrt(s + s / T), sp.sqrt(2 * s) * sp.sqrt(2 * v)]
            ),
            leg="both terms",
        ),
        *rivals_of(
            RATIO,
            {
                "sqrt(T)": f"{leading('v', 'v', '2*s')}/(sqrt(2*s)*sqrt(v + v)) == sqrt(T)",
                "T/2": f"{leading('v', 'v', '2*s')}/(sqrt(2*s)*sqrt(v + v)) == T/2",
            },
        ),
        *reaching(RATIO, "v > 100 and s > 100 and T > 100"),
    ],
)

# v_1 = v_2 = 1/2; the factor 1/sqrt(m) is in both sides.
LEADING = leading("1/2", "1/2", "r")

rate_printed = formula(
    "contrastive-rate-main-text",
    states="contrastive-example-r2s",
    title=r"The rate $\sqrt{T/m}$, with any constant",
    says=f"4*{LEADING} <= C*sqrt(T)",
    over=["C in (0, oo)", "T in 1..oo", "r in C**2..oo", "m in 1..oo"],
    expect="fail",
    covers="rate-main-text",
    reads={"O": "C"},
)


def four_of_unit_label(ns, Q, label, s, T):
    """Four times the leading term for |u*| = 1. Shape (B,)."""
    length = ns.sqrt(ns.sum(label * label, axis=1))
    return 4 * of_universal(ns, Q, label, s, T) / length


def four_of_specific(ns, Q, label, s, T):
    return 4 * of_specific(ns, Q, label, s, T) / ns.sqrt(ns.sum(label * label, axis=1))


RATE = formula_leg(
    "rate",
    typed(f"4*{LEADING} <= 4*sqrt(r*T)", over=["T in 1..oo", "r in 1..oo", "m in 1..oo"]),
)

rate = claim(
    "contrastive-rate-corrected",
    states="contrastive-example-r2s",
    title=r"The rate $\sqrt{rT/m}$, with constant 4",
    says=r"Four times the leading term, $v_1 = v_2 = \frac12$, is at most $4\sqrt{rT}$, over $\sqrt{m}$ on both sides.",
    role="corrected",
    corrects="contrastive-rate-main-text",
    covers="rate-main-text",
    reads={"O": "r"},
    domain={s: integers(1), T: integers(1)},
    grid=PAIRS,
    lhs=r"4|u|\sqrt{\mathbb E|\phi|^2}",
    tex=r"4\sqrt{\tfrac12+\tfrac T2}\sqrt{s+s/T}",
    closed_form=4 * term_of_universal("1/2", "1/2", "2*s"),
    legs=[
        leg("smallest predictors", four_of_unit_label, required=False, instances=EVEN),
        RATE,
    ],
    rivals=[
        variant("on the specific one", simulation=four_of_specific, leg="smallest predictors"),
        variant("4 sqrt(rT)", closed_form=4 * sp.sqrt(2 * s * T), leg="smallest predictors"),
        *rivals_of(
            RATE,
            {"constant 2": f"4*{LEADING} <= 2*sqrt(r*T)", "sqrt(r)": f"4*{LEADING} <= 4*sqrt(r)"},
        ),
        *sharpened(RATE),
        *reaching(RATE, "T > 100 and r > 100"),
    ],
)
