"""Remark after Theorem 9.3: the same generation time as SnapKV and H2O.

Setting. Per layer and head, to leading order, a step at cache length c costs 2c products of length d; t steps from
a cache of k tokens cost 2kt + t^2, and the second pass over the k tokens, which belongs to the generation phase,
costs k^2 more (the exact counts are in `complexity`).

Statement (printed without a condition). The two-pass method has the same running time as SnapKV/H2O in the
generation phase. By the theorem's own rows the ratio is 1 + k^2/(2kt + t^2), which no constant bounds; for t >= ck it
is at most 1 + 1/(2c + c^2), 4/3 at c = 1.

Reference: section 9.3.2 (arXiv 2409.17422).
"""

from __future__ import annotations

from theorycheck import formula

remark = formula(
    "gemfilter-generation-remark",
    title="One generation time up to a constant, for all k and t",
    says="k**2 + 2*k*t + t**2 <= C*(2*k*t + t**2)",
    over="C in 1..oo; k in 1..oo; t in 1..oo",
    covers="same-time",
    expect="fail",
)

unbounded = formula(
    "gemfilter-generation-ratio-unbounded",
    states="gemfilter-generation-remark",
    title="No constant bounds the ratio",
    says="(2*C*t)**2 + 2*(2*C*t)*t + t**2 > C*(2*(2*C*t)*t + t**2)",
    over="C in 1..oo; t in 1..oo",
    role="derived",
    corrects="gemfilter-generation-remark",
    rivals={
        "k = C t is enough": "(C*t)**2 + 2*(C*t)*t + t**2 > C*(2*(C*t)*t + t**2)",
        "the ratio reaches 2C": "(2*C*t)**2 + 2*(2*C*t)*t + t**2 > 2*C*(2*(2*C*t)*t + t**2)",
    },
)

BOUND = "(2*c + c**2 + 1)"
"""Over 2c + c^2."""

# t = c k + s with s >= 0 stands for every t >= c k; at t = c k the bound is reached.
conditional = formula(
    "gemfilter-generation-remark-conditional",
    states="gemfilter-generation-remark",
    title="One generation time up to a constant, for t of the order of k",
    says=f"(2*c + c**2)*(k**2 + 2*k*(c*k + s) + (c*k + s)**2) <= {BOUND}*(2*k*(c*k + s) + (c*k + s)**2) "
    f"and (2*c + c**2)*(k**2 + 2*k*(c*k) + (c*k)**2) == {BOUND}*(2*k*(c*k) + (c*k)**2)",
    over="c > 0; k in 1..oo; s in [0, oo)",
    role="corrected",
    corrects="gemfilter-generation-remark",
    covers="same-time-conditional",
    reads={"t": "c k s"},
    rivals={
        "1 + 1/(1 + 2c + c^2)": "(1 + 2*c + c**2)*(k**2 + 2*k*(c*k + s) + (c*k + s)**2) "
        "<= (2 + 2*c + c**2)*(2*k*(c*k + s) + (c*k + s)**2)",
        "the same time at t = k": {
            "says": "k**2 + 2*k*t + t**2 == 2*k*t + t**2",
            "over": ["k in 1..oo", "t in {1}"],
        },
        "k/t for the ratio": {
            "says": "k*(2*k*t + t**2) == t*(k**2 + 2*k*t + t**2)",
            "over": ["k in 1..oo", "t in 1..oo"],
        },
    },
)
