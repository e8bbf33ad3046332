r"""Proof of Theorem A.22: the background of the printed mixture, for every rate.

Setting. With probability p a background pattern is fair, else on with probability p/(2 - 2p), two of them independent
given which.

Statement. Two background patterns have covariance p/4 + (1 - p) (p/(2 - 2p))^2 - p^2 = p (1 - 2p)^2/(4 (1 - p)),
which is positive but at p = 1/2: the mixture is a member of the family there only, where its covariance with the
label is (1 - p)/2 (`example_laws`).

Reference: lines 3829-3839.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

JOINT = "p/4 + (1 - p)*(p/(2 - 2*p))**2 - p**2"
VALUE = formula_leg(
    "covariance",
    typed(f"{JOINT} == p*(1 - 2*p)**2/(4*(1 - p))", over="p in (0, 1/2]"),
    over="k",
)
POSITIVE = formula_leg("below 1/2", typed(f"{JOINT} > 0", over="p in (0, 1/2)"), over="k")

covariance = claim(
    "structured-mixture-background",
    states="structured-fixed-feature-lower-bound",
    title="Background patterns of the mixture, for every rate",
    says=r"Two background patterns have covariance $p_o(1-2p_o)^2/(4(1-p_o))$, positive for every $p_o<\frac12$.",
    role="derived",
    covers="proof-membership",
    reads={"p_o": "p"},
    legs=[VALUE, POSITIVE],
    rivals=[
        *rivals_of(VALUE, {"1 - 2p not squared": f"{JOINT} == p*(1 - 2*p)/(4*(1 - p))"}),
        *rivals_of(POSITIVE, {"at 1/2 as well": {"over": "p in (0, 1/2]"}}),
    ],
)
