r"""Section B.3: from which d on the list of parameters can be met.

Setting. All constants are 1, logarithms natural, L = log d. The list asks s* >= log^15 d, s* log^5 d <= k <= d^0.4,
and a range of sigma_zeta* with log^5 d/sqrt d <= log^-5 d, five being the degree that its use needs.

Statements. (1) For 3 <= d <= 10^122, log^20 d > d^0.4: no such k. (2) For d > 10^10, log^5 d/sqrt d <= log^-5 d from
the zero of L/2 - 10 log L near 89.9951 on and nowhere before: the difference grows in L >= 20. (3) Some k >= log^20 d
is at most d^0.4 for d = 2, for no d from 3 to the zero of 2 L/5 - 20 log L near 282.1159, and for all d beyond.

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


def least(d):
    """The least k that the list allows, as a formula."""
    return f"log({d})**20"


TWO = formula_leg(
    "d = 2", typed("log(d)**20 < d**(2/5)", over="d in 2..2"), gives="k", chosen_by=least
)
BETWEEN = formula_leg(
    "between", typed("20*log(L) > 2*L/5", over="L in [103/100, 2821158/10000]"), over="d k"
)
THREE = formula_leg("d = 3", typed("log(d) > 103/100", over="d in 3..3"), over="k")
BEYOND = formula_leg(
    "beyond",
    typed("log(d)**20 < d**(2/5)", over="d in [exp(282116/1000), oo)"),
    gives="k",
    chosen_by=least,
)
RISES = formula_leg(
    "rises",
    typed("L/50 - log(L) < M/50 - log(M)", over=["L in [50, oo)", "M in (L, oo)"]),
    over="d k",
)

room = claim(
    "granularity-room-for-subclasses",
    states="granularity-parameter-regime",
    title="Room for the number of subclasses",
    says=r"There is a $k$ with $\log^{20}d\le k\le d^{0.4}$ for $d=2$, for no $d$ with $3\le d$ and $\log d<L_0$, and "
    r"for all $d$ with $\log d\ge L_0$, where $282.1158<L_0<282.1160$.",
    role="derived",
    covers="literal-regime-empty",
    legs=[TWO, BETWEEN, THREE, BEYOND, RISES],
    rivals=[
        *rivals_of(TWO, {"d = 3 too": {"over": "d in 2..3"}}),
        *rivals_of(BETWEEN, {"to 283": {"over": "L in [103/100, 283]"}, "from 1": {"over": "L in [1, 2821158/10000]"}}),
        *rivals_of(THREE, {"d = 2": {"over": "d in 2..2"}}),
        *rivals_of(BEYOND, {"from log d = 282": {"over": "d in [exp(282), oo)"}}),
        *rivals_of(RISES, {"from 1 on": {"over": ["L in [1, oo)", "M in (L, oo)"]}}),
    ],
)  # fmt: skip
