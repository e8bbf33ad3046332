r"""Theorem 3.12: two remarks on its scope.

Statements. (1) Its hypothesis |x| <= B_x is printed as met by the Gaussian examples; no B_x serves, P[|g| <= B] < 1
for every B. (2) Smaller families first: at a common width m, at least what r_2 needs, so that r_2 c <= eps q with c =
B_a1 B_b B_x1/(mp)^(1/4) and q = sqrt(B_b B_G), the two horizons have a quotient of (r_2 c + m b)/(r_1 c + m b) <= 1 +
eps q/(m b). (3) Each family at its own width, read as the first term of (3.10), m = A r^4: there (3.11) is (e + A r^4
b) (sqrt(log m)/q + h/r) up to a factor without r, e = eps q, h = eps/(B_x1^2 B_a1 sqrt(B_b/B_G)), B_a2 = sqrt(r)
B_a1. For r_1 < r_2 the quotient of the horizons is at least (r_2/r_1)^4/4 where A r_1^4 b >= e and sqrt(log m_1)/q >=
h/r_1, and always at most (r_2/r_1)^4 sqrt(log m_2/log m_1). Where another term of (3.10) leads, as 1/sqrt(delta) for
small delta, the widths are alike and so are the horizons.

Reference: lines 831-833, 966-1049, 5529-5531.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

scope = formula(
    "gradfeat-scope-gaussian",
    states="gradfeat-main-theorem",
    title="Gaussian inputs and bounded norms",
    expect="fail",
    covers="scope",
    reads={"law": "B", "B_x": "B"},
    says="erfc(B/sqrt(2)) == 0",
    over="B in (0, oo)",
)

unbounded = formula(
    "gradfeat-scope-unbounded",
    states="gradfeat-main-theorem",
    title="Gaussian inputs pass every bound",
    role="corrected",
    corrects="gradfeat-scope-gaussian",
    says="erf(B/sqrt(2)) < 1",
    over="B in (0, oo)",
    rivals={"99/100": "erf(B/sqrt(2)) < 99/100"},
)

# c r: first term of the bracket, M = m b~; e = eps sqrt(B_b B_G), the common width being enough for r_2
ONE_RUN = ["c in (0, oo)", "e in (0, oo)", "M in (0, oo)", "r1 in 1..oo", "r2 in 1..oo"]

one_run = formula(
    "gradfeat-simplicity-one-run",
    states="gradfeat-simplicity-bias",
    title="Horizons of two families in one run",
    expect="fail",
    covers="T-order-one-run",
    reads={"m": "M"},
    says="(r2*c + M)/(r1*c + M) >= 2",
    over=ONE_RUN,
    where=["r1 < r2", "r2*c <= e"],
)

nearly = formula(
    "gradfeat-simplicity-one-run-equal",
    states="gradfeat-simplicity-bias",
    title="Horizons of two families in one run are nearly equal",
    role="corrected",
    corrects="gradfeat-simplicity-one-run",
    says="(r2*c + M)/(r1*c + M) <= 1 + e/M",
    over=ONE_RUN,
    where=["r1 < r2", "r2*c <= e"],
    rivals={"half of it": "(r2*c + M)/(r1*c + M) <= 1 + e/(5*M)"},
)

OWN_WIDTHS = ["r1 in 1..oo", "r2 in r1..oo"]
WIDTH = formula_leg(
    "width",
    typed(
        "e + c*r2**4 >= (r2/r1)**4*(e + c*r1**4)/2",
        over=["e, c in (0, oo)", *OWN_WIDTHS],
        where="c*r1**4 >= e",
    ),
)
STEPS = formula_leg(
    "second factor",
    typed(
        "x2 + h/r2 >= (x1 + h/r1)/2",
        over=["h in (0, oo)", *OWN_WIDTHS, "x1 in (0, oo)", "x2 in [x1, oo)"],
        where="x1 >= h/r1",
    ),
)
MOST = formula_leg(
    "width, from above",
    typed("e + c*r2**4 <= (r2/r1)**4*(e + c*r1**4)", over=["e, c in (0, oo)", *OWN_WIDTHS]),
)
MOST_STEPS = formula_leg(
    "second factor, from above",
    typed(
        "x1*(x2 + h/r2) <= x2*(x1 + h/r1)",
        over=["h in (0, oo)", *OWN_WIDTHS, "x1 in (0, oo)", "x2 in [x1, oo)"],
    ),
)

own_widths = claim(
    "gradfeat-simplicity-own-widths",
    states="gradfeat-simplicity-bias",
    title="Horizons of two families, each at its own width",
    says=r"With $m_j=Ar_j^4$, $\frac14(r_2/r_1)^4\le T_2/T_1\le(r_2/r_1)^4\sqrt{\log m_2/\log m_1}$ for $r_1<r_2$; the "
    r"lower bound where $m_1\tilde b$ leads $T_1$.",
    role="reading",
    covers="T-order-own-width",
    legs=[WIDTH, STEPS, MOST, MOST_STEPS],
    rivals=[
        *rivals_of(WIDTH, {"without a half": "e + c*r2**4 >= (r2/r1)**4*(e + c*r1**4)"}),
        *rivals_of(STEPS, {"all of it": "x2 + h/r2 >= x1 + h/r1"}),
        *rivals_of(MOST, {"cubes": "e + c*r2**4 <= (r2/r1)**3*(e + c*r1**4)"}),
        *rivals_of(MOST_STEPS, {"equal": "x2 + h/r2 <= x1 + h/r1"}),
    ],
)
