"""Proposition F.9: what fine-tuning gains.

Setting. As in `finetune`, r = 2s: sqrt(beta) = min(1, T^{-1/2} + gamma/sqrt(s)) on P_t, 1 on S.

Statements. (2) The leading term of the error bound is sqrt(2 + 1/beta + beta) times |u*_S| sqrt(s) for v_1 = v_2: (1 +
1/beta)(1 + beta). It falls as beta rises to 1. (3) beta > 1/T for T >= 2, gamma > 0.

Reference: Proposition F.9, lines 2056-2058 and 9840-9892.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._predictors import even_label, leading_term
from .finetune import ROOT, norms_of_optimum

s, T = sp.symbols("s T", integer=True, positive=True)
beta, gamma, v = sp.symbols("beta gamma v", positive=True)


def factor_of(beta):
    """The factor of the bound, in words of the prover."""
    return f"sqrt(2 + 1/({beta}) + {beta})"


def term_at(ns, Q, label, v, s, beta):
    """The leading term of the smallest predictor at weights (1, beta^{1/2}), over (v s)^{1/2}. Shape (B,)."""
    term = leading_term(ns, Q, label, s, 1, ns.sqrt(ns.asarray(beta)))
    return term / ns.sqrt(v * s)


def term_at_beta(ns, Q, label, v, s, beta):
    """With beta for the weight, and not for its square. Shape (B,)."""
    return leading_term(ns, Q, label, s, 1, ns.asarray(beta)) / ns.sqrt(v * s)


FALLS = formula_leg(
    "falls",
    typed(
        f"{factor_of('(beta + h)')} < {factor_of('beta')}",
        over=["beta in (0, 1)", "h in (0, 1 - beta]"],
    ),
)
FACTOR = sp.sympify(factor_of("beta"), locals={"beta": beta})

factor = claim(
    "contrastive-error-factor",
    states="contrastive-finetune",
    title="The factor of the error bound falls",
    says=r"For $v_1 = v_2 = v$ the leading term $|u|\,(\mathbb{E}|\phi|^2)^{1/2}$ of the smallest predictor is "
    r"$\sqrt{2 + 1/\beta + \beta}$ times $\sqrt{vs}$, which falls as $\beta$ rises to 1.",
    covers="error-factor",
    reads={"beta_prime": "beta h"},
    domain={s: integers(1), beta: reals(0, 1, low_open=True, high_open=True)},
    grid={"smoke": {s: [1, 3], beta: [Fraction(1, 5), Fraction(3, 4)]}},
    lhs=r"|u|\sqrt{\mathbb E|\phi|^2}/\sqrt{vs}",
    tex=r"\sqrt{2+1/\beta+\beta}",
    closed_form=FACTOR,
    legs=[
        leg(
            "smallest predictors",
            term_at,
            required=False,
            instances=instances(even_label, "Q label v", smoke=3, standard=6),
        ),
        FALLS,
    ],
    rivals=[
        variant("beta for the weight", simulation=term_at_beta, leg="smallest predictors"),
        variant("(1 + 1/beta)/2", closed_form=(1 + 1 / beta) / 2, leg="smallest predictors"),
        *rivals_of(
            FALLS,
            {
                "beyond 1": {"over": ["beta in (0, 1)", "h in (0, 2 - beta]"]},
                "rises": f"{factor_of('(beta + h)')} > {factor_of('beta')}",
            },
        ),
        *reaching(FALLS, "beta < 1/100 and beta + h == 1"),
    ],
)


def weight_of_optimum(ns, s, T, gamma):
    """sqrt(beta) where W_P moves along itself as far as the ball and |W|_2 <= 1 let it. Shape ()."""
    return norms_of_optimum(ns, s, T, gamma)[0]


def weight_without_cap(ns, s, T, gamma):
    return norms_of_optimum(ns, s, T, gamma, capped=False)[0]


GAINS = formula_leg(
    "gains",
    typed(f"({ROOT})**2 > 1/T", over=["T in 2..oo", "s in 1..oo", "gamma in (0, oo)"]),
)

gain = claim(
    "contrastive-strict-gain",
    states="contrastive-finetune",
    title=r"Fine-tuning gains for $T\ge2$",
    says=r"$\sqrt{\beta} = \min(1, T^{-1/2} + \gamma/\sqrt{s})$ has $\beta > 1/T$ for $T \ge 2$.",
    covers="strict-gain",
    domain={s: integers(1), T: integers(2), gamma: reals(0, low_open=True)},
    grid={
        "smoke": [
            {s: 2, T: 2, gamma: Fraction(1, 5)},
            {s: 3, T: 4, gamma: 5},
            {s: 1, T: 3, gamma: Fraction(1, 10)},
        ]
    },
    lhs=r"\sqrt\beta",
    tex=r"\min(1,T^{-1/2}+\gamma/\sqrt s)",
    closed_form=ROOT,
    legs=[leg("weight of the optimum", weight_of_optimum, required=False, unit=1), GAINS],
    rivals=[
        variant("not capped", simulation=weight_without_cap, leg="weight of the optimum"),
        variant(
            "gamma/s",
            closed_form=sp.Min(1, 1 / sp.sqrt(T) + gamma / s),
            leg="weight of the optimum",
        ),
        *rivals_of(
            GAINS,
            {
                "T = 1 as well": {"over": ["T in 1..oo", "s in 1..oo", "gamma in (0, oo)"]},
                "from gamma = 0 on": {"over": ["T in 2..oo", "s in 1..oo", "gamma in [0, oo)"]},
            },
        ),
        *reaching(GAINS, "s > 100 and T > 100 and gamma < 1/100"),
    ],
)
