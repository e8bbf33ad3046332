r"""Equation (19): the tail of a standard Gaussian, printed with a half too many.

Statement. Printed: phi(eps) eps/(2 (eps^2 + 1)) <= P[g >= eps] <= phi(eps)/(2 eps) for every eps > 0, phi the density.
The tail is one-sided, erfc(eps/sqrt 2)/2. The lower bound stands; the upper one fails at eps = 1, where the tail is
0.158... and the bound 0.120... . Without the halves both stand: the differences vanish at infinity and have derivatives
of one sign.

Reference: line 732. The corrected bounds are also Lemma D.3 of the work on feature contamination.
"""

from __future__ import annotations

from theorycheck import formula

TAIL = "erfc(eps/sqrt(2))/2"
DENSITY = "exp(-eps**2/2)/sqrt(2*pi)"
EVERY = "eps in (0, oo)"

lower = formula(
    "granularity-gaussian-tail-lower",
    states="granularity-gaussian-tail",
    title="Printed lower bound on the tail",
    covers="lower-printed",
    says=f"{DENSITY}*eps/(2*(eps**2 + 1)) < {TAIL}",
    over=EVERY,
    rivals={"three times it": f"3*{DENSITY}*eps/(2*(eps**2 + 1)) < {TAIL}"},
)

upper = formula(
    "granularity-gaussian-tail-upper",
    states="granularity-gaussian-tail",
    title="Printed upper bound on the tail",
    covers="upper-printed",
    expect="fail",
    says=f"{TAIL} <= {DENSITY}/(2*eps)",
    over=EVERY,
)

corrected = formula(
    "granularity-gaussian-tail-corrected",
    states="granularity-gaussian-tail",
    title="Both bounds without the halves",
    role="corrected",
    corrects="granularity-gaussian-tail-upper",
    covers="two-sided-corrected",
    says=f"{DENSITY}*eps/(eps**2 + 1) < {TAIL} < {DENSITY}/eps",
    over=EVERY,
    rivals={
        "9/10 in place of 1": f"{DENSITY}*eps/(eps**2 + 9/10) < {TAIL} < {DENSITY}/eps",
        "the printed upper bound": f"{DENSITY}*eps/(eps**2 + 1) < {TAIL} < {DENSITY}/(2*eps)",
    },
)

limit = formula(
    "granularity-gaussian-tail-limit",
    states="granularity-gaussian-tail",
    title="The tail over its bound tends to 1",
    role="derived",
    covers="asymptotic",
    says=f"{TAIL}*eps/({DENSITY}) ~ 1",
    over=EVERY,
    rivals={
        "half of it, as printed": f"{TAIL}*eps/({DENSITY}) ~ 1/2",
        "both sides of the tail": f"2*{TAIL}*eps/({DENSITY}) ~ 1",
    },
)
