r"""Theorem 3.12: two remarks on its scope.

Statements. (1) Its hypothesis |x| <= B_x is printed as met by the Gaussian examples; no B_x serves, P[|g| <= B] < 1
for every B. (2) Smaller families first: at a common width m, at least what r_2 needs, so that r_2 c <= eps q with c =
B_a1 B_b B_x1/(mp)^(1/4) and q = sqrt(B_b B_G), the two horizons have a quotient of (r_2 c + m b)/(r_1 c + m b) <= 1 +
eps q/(m b).

Reference: lines 831-833, 966-1049, 5529-5531.
"""

from __future__ import annotations

from theorycheck import formula

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
