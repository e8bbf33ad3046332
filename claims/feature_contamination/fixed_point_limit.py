"""The other-class activation of the fixed point as the features grow in number (derived).

Setting. As in `asymmetry_fixed_point`, with shares a of core and 1 - a of background features among n = d_0 that stay
as they are, c = mu/sigma: p = Phi(sqrt(n) c G(p)), G(p) = ((1 - a)(1 - p) - a (1 + p))/sqrt(a (1 + p)^2 + (1 - a)(1 -
p)^2).

Statement. p tends to p_0 = max(0, 1 - 2a): for 0 < e < 1, |p - p_0| < e once n > 8 log(2/e)/(c e)^2. The numerator of
G is 1 - 2a - p and its denominator at most 2. If p >= p_0 + e, then G <= -e/2, and p <= 2 exp(-n (c e)^2/8) < e,
which is below p. If p <= p_0 - e, then G >= e/2, and 1 - p <= 2 exp(-n (c e)^2/8) < e; but 1 - p >= 1 - p_0 + e >= e.

Reference: derived from Lemmas B.1, B.3, B.4, lines 525-658 (ICML 2024).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, typed
from theorycheck.claims.formula import rivals_of

BETWEEN = ["0 < a < 1", "0 < p < 1"]
PAID = {"over": "d0"}

NUMERATOR = formula_leg(
    "numerator", typed("(1 - a)*(1 - p) - a*(1 + p) == 1 - 2*a - p", over=BETWEEN), **PAID
)
DENOMINATOR = formula_leg(
    "denominator", typed("a*(1 + p)**2 + (1 - a)*(1 - p)**2 <= 4", over=BETWEEN), **PAID
)
TAIL = formula_leg(
    "tail", typed("erfc(t/sqrt(2))/2 <= 2*exp(-t**2/2)", over="t in [0, oo)"), **PAID
)
# x = 2/e, y = n (c e)^2/8
SMALL = formula_leg(
    "small at last",
    typed("x*exp(-y) < 1", over=["x > 2", "y > 0"], where="y > log(x)"),
    **PAID,
)

limit = claim(
    "contamination-fixed-point-limit",
    states="contamination-asymmetry-fixed-point",
    title="The other-class activation for many features",
    says=r"With shares $a$ of core and $1-a$ of background features kept, the root $p$ is within $e$ of "
    r"$\max(0,1-2a)$ once $d_0>8\log(2/e)/(e\mu/\sigma)^2$, for every $0<e<1$.",
    role="derived",
    covers="limits",
    legs=[NUMERATOR, DENOMINATOR, TAIL, SMALL],
    rivals=[
        *rivals_of(
            NUMERATOR, {"the blocks exchanged": "(1 - a)*(1 - p) - a*(1 + p) == 2*a - 1 - p"}
        ),
        *rivals_of(DENOMINATOR, {"at most 1": "a*(1 + p)**2 + (1 - a)*(1 - p)**2 <= 1"}),
        *rivals_of(TAIL, {"exp(-t^2)": "erfc(t/sqrt(2))/2 <= 2*exp(-t**2)"}),
        *rivals_of(SMALL, {"from log(x)/2 on": {"where": "2*y > log(x)"}}),
    ],
)
