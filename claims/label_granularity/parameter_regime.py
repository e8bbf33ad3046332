r"""Section B.3: from which d on the list of parameters can be met.

Setting. All constants are 1, logarithms natural, L = log d. The list asks s* >= log^15 d, s* log^5 d <= k <= d^0.4,
and a range of sigma_zeta* with log^5 d/sqrt d <= log^-5 d, five being the degree that its use needs.

Statements. (1) For 3 <= d <= 10^122, log^20 d > d^0.4: no such k. (2) For d > 10^10, log^5 d/sqrt d <= log^-5 d from
the zero of L/2 - 10 log L near 89.9951 on and nowhere before: the difference grows in L >= 20.

Reference: lines 685-704. The unit constants are ours: the orders alone give no threshold.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

empty = formula(
    "granularity-no-literal-run",
    states="granularity-parameter-regime",
    title="No run meets the list as printed",
    role="derived",
    covers="no-run-is-literal",
    says="log(d)**20 > d**(2/5)",
    over="d in [3, 10**122]",
    rivals={
        "from d = 2": {"over": "d in [2, 10**122]"},
        "to 10^123": {"over": "d in [3, 10**123]"},
        "s* of degree 5": "log(d)**10 > d**(2/5)",
        "twice as large": "log(d)**20 > 2*d**(2/5)",
    },
)

BEFORE = formula_leg(
    "before",
    typed("log(d)**5/sqrt(d) > log(d)**(-5)", over="d in [10**10, exp(89995/1000)]"),
)
AFTER = formula_leg(
    "after", typed("log(d)**5/sqrt(d) < log(d)**(-5)", over="d in [exp(899952/10000), oo)")
)
GROWS = formula_leg(
    "grows",
    typed("L/2 - 10*log(L) < M/2 - 10*log(M)", over=["L in [20, oo)", "M in (L, oo)"]),
)

strong = claim(
    "granularity-zeta-star-range",
    states="granularity-parameter-regime",
    title="Room for the strong noise",
    says=r"For $d>10^{10}$, $\log^5d/\sqrt d\le\log^{-5}d$ from $\log d=L_0$ on and nowhere before, with "
    r"$89.9950<L_0<89.9952$.",
    role="derived",
    covers="zeta-star-interval",
    legs=[BEFORE, AFTER, GROWS],
    rivals=[
        *rivals_of(BEFORE, {"to 90": {"over": "d in [10**10, exp(90)]"}}),
        *rivals_of(AFTER, {"degree 6": "log(d)**6/sqrt(d) < log(d)**(-6)"}),
        *rivals_of(GROWS, {"from 10 on": {"over": ["L in [10, oo)", "M in (L, oo)"]}}),
    ],
)
