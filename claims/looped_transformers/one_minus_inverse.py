"""Fact 8.24: (1 - 1/n)^T <= exp(-T/n).

Printed for positive integers n and T; the chapter uses it at the real number n = kappa >= 1, where it is
true as well (a claim of its own).

Reference: Fact 8.24 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, formula, formula_leg, integers, leg, reals, typed, variant

n, T = sp.symbols("n T", positive=True)
bound = sp.exp(-T / n)


def power(n, T):
    """(1 - 1/n)^T by T exact multiplications. Shape ()."""
    value = Fraction(1)
    for _ in range(T):
        value *= 1 - Fraction(1) / Fraction(n)
    return value


RIVALS = [
    variant("exp(-T/(n-1))", closed_form=sp.exp(-T / (n - 1)), at={n: [2, 3], T: [1, 4]}),
    variant("exp(-(T+1)/n)", closed_form=sp.exp(-(T + 1) / n)),
]

# n and T are the parameters of the claims: it has to hold on all of their domains
EVERYWHERE = typed(
    f"(1 - 1/n)**T <= {bound}", over=["n in [1, oo)", "T in 1..oo"], steps=["1 - 1/n <= exp(-1/n)"]
)
SIDES = {"lhs": r"\Big(1-\frac1n\Big)^T", "tex": r"e^{-T/n}"}

one_minus_inverse = claim(
    "looped-one-minus-inverse",
    lhs=r"\Big(1-\frac1n\Big)^T",
    tex=r"e^{-T/n}",
    title="Exponential upper bound on $(1-1/n)^T$",
    says=r"For all positive integers $n$ and $T$, $(1-1/n)^T\le\exp(-T/n)$.",
    covers="integers",
    domain={n: integers(1), T: integers(1)},
    grid={
        "smoke": {n: [1, 2, 3, 50], T: [1, 4, 40]},
        "standard": {n: range(1, 60), T: [1, 2, 7, 60]},
    },
    closed_form=bound,
    relation=at_most(),
    legs=[
        leg("exact", power),
        formula_leg("on all of the domain", EVERYWHERE, required=False, **SIDES),
    ],
    rivals=RIVALS,
)

one_minus_inverse_real = claim(
    "looped-one-minus-inverse-real",
    lhs=r"\Big(1-\frac1n\Big)^T",
    tex=r"e^{-T/n}",
    states=["looped-one-minus-inverse", "looped-gd-contraction"],
    title=r"The bound at real $n \ge1$",
    says=r"For all real $n\ge1$ and positive integers $T$, $(1-1/n)^T\le\exp(-T/n)$; below $n=1/2$ it "
    "fails for even $T$.",
    role="derived",
    covers="real-n real-kappa-step",
    reads={"kappa": "n"},
    domain={n: reals(1), T: integers(1)},
    grid={
        "smoke": {n: [1, Fraction(21, 20), Fraction(5, 2), Fraction(1001, 7)], T: [1, 2, 9]},
        "standard": {n: [1 + Fraction(i, 13) for i in range(60)], T: [1, 2, 5, 40]},
    },
    closed_form=bound,
    relation=at_most(),
    legs=[
        leg("exact", power),
        formula_leg("on all of the domain", EVERYWHERE, required=False, **SIDES),
    ],
    rivals=[*RIVALS, variant("n = 1/3", closed_form=bound, at=[{n: Fraction(1, 3), T: 2}])],
)

for_all = formula(
    "looped-one-minus-inverse-proved",
    states=["looped-one-minus-inverse", "looped-gd-contraction"],
    title="The bound for all real $n\\ge1$, proved",
    says="(1 - 1/n)**T <= exp(-T/n)",
    over=["n in [1, oo)", "T in 1..oo"],
    steps=["1 - 1/n <= exp(-1/n)"],
    role="derived",
    covers="integers real-n real-kappa-step",
    reads={"kappa": "n"},
    rivals={
        "n from 1/3 on": {"over": ["n in [1/3, oo)", "T in 1..oo"], "steps": ()},
        "exp(-(T + 1)/n)": {"says": "(1 - 1/n)**T <= exp(-(T + 1)/n)", "steps": ()},
    },
)
