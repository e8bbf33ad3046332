r"""Lemma E.10: the partial sums of the harmonic series.

Statement. eps_n = log n + gamma - 1/(2n) - H_{n-1} is in [0, 1/(8 n^2)] for every n >= 1 (n = 1: the empty sum). The
sharp constant is 1/12: with x = 1/n^2, x/12 - x^2/120 < eps_n < x/12 - x^2/120 + x^3/200, and n^2 eps_n
grows to 1/12. gamma = 0.5772... is 0.58 to two digits.

Reference: Lemma E.10, lines 1613-1617.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, formula, formula_leg, rivals_of, typed

n = sp.Symbol("n", integer=True, positive=True)
EVERY = "n in 1..oo"


def eps(n):
    """What the sum leaves: log n + gamma - 1/(2n) - H_(n-1)."""
    return sp.log(n) + sp.EulerGamma - 1 / (2 * n) - sp.harmonic(n - 1)


EPS = str(eps(n))
REMAINDER = formula_leg(
    "remainder",
    typed(f"0 <= {EPS} <= 1/(8*n**2)", over=EVERY),
    gives="eps_n",
    chosen_by=eps,
)

remainder = claim(
    "granularity-harmonic-remainder",
    states="granularity-harmonic",
    title="Remainder of the harmonic sum",
    says=r"$0\le\log n+\gamma-\frac1{2n}-\sum_{k<n}\frac1k\le\frac1{8n^2}$ for every $n\ge1$.",
    covers="remainder-printed",
    legs=[REMAINDER],
    rivals=rivals_of(
        REMAINDER,
        {
            "a thirteenth": f"0 <= {EPS} <= 1/(13*n**2)",
            "the sum to n": "0 <= log(n) + EulerGamma - 1/(2*n) - harmonic(n) <= 1/(8*n**2)",
        },
    ),
)

BELOW = formula_leg("from below", typed(f"1/(12*n**2) - 1/(120*n**4) < {EPS}", over=EVERY))
ABOVE = formula_leg(
    "from above", typed(f"{EPS} < 1/(12*n**2) - 1/(120*n**4) + 1/(200*n**6)", over=EVERY)
)
# the bound from above at n, against that from below at n + 1, both times n^2; and below 1/12
GROWS = formula_leg(
    "grows",
    typed("-1/(120*n**2) + 1/(200*n**4) < -1/(120*(n + 1)**2)", over=EVERY),
)

sharp = claim(
    "granularity-harmonic-sharp",
    states="granularity-harmonic",
    title="The sharp constant of the remainder",
    says=r"$\frac1{12}-\frac1{120n^2}<n^2\varepsilon_n<\frac1{12}-\frac1{120n^2}+\frac1{200n^4}<\frac1{12}$, and "
    r"$n^2\varepsilon_n$ grows in $n$.",
    role="derived",
    covers="sharp-constant",
    legs=[BELOW, ABOVE, GROWS],
    rivals=[
        *rivals_of(BELOW, {"without the second term": f"1/(12*n**2) < {EPS}"}),
        *rivals_of(ABOVE, {"a thirteenth": f"{EPS} < 1/(13*n**2)"}),
        *rivals_of(
            GROWS, {"a third term of 1/120": "-1/(120*n**2) + 1/(120*n**4) < -1/(120*(n + 1)**2)"}
        ),
    ],
)

gamma = formula(
    "granularity-euler-gamma",
    states="granularity-harmonic",
    title="Euler's constant to two digits",
    covers="gamma-value",
    reads={"gamma": "g"},
    says="abs(EulerGamma - g) <= 1/200",
    over="g in {58/100}",
    rivals={"to three digits": "abs(EulerGamma - g) <= 1/2000", "0.57": {"over": "g in {57/100}"}},
)
